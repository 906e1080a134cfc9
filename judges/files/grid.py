"""A `*.grid.yaml`, and every file that it names, to a suite. Relative paths start at the file's folder."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

from judges.core.errors import ConfigError, Problem
from judges.files.case_meta import CasesSpec
from judges.files.criteria import read_criteria
from judges.files.document import Document, Loc
from judges.files.evaluation_meta import ModelSpec
from judges.files.grid_lists import check_labels, find_twins, plain_model, read_labels, read_models
from judges.files.grid_meta import GridArmSpec, GridMeta, Measure
from judges.files.grid_suite import GridArm, GridSuite, Task
from judges.files.grid_tasks import read_tasks
from judges.files.load import CONTEXT_FILE
from judges.files.meaning import check_meaning
from judges.files.model import NAME_PATTERN
from judges.files.problems import found, gather, raise_any
from judges.files.project import find_root
from judges.files.prompt_meta import PromptMeta
from judges.files.shape import parse_model
from judges.files.source import Source
from judges.files.suite import Criterion, PromptSuite
from judges.files.text import display_path, read_text
from judges.files.yaml import compose_yaml

FIXTURE_SUFFIX = ".fixture.md"

T = TypeVar("T")


def load_grid(path: Path, *, root: Path | None = None, allow_outside: bool = False) -> GridSuite:
    """Read a grid. `root` is the project root: without it the nearest folder upwards with `.omniscitus/`.

    A grid outside any project has its own folder as the root. Paths that leave the root are refused, unless
    they are allowed.

    Raises:
        ConfigError: anything is wrong, in this file or in one that it names; with all problems.
    """
    return parse_grid(read_text(path), path, root=root, allow_outside=allow_outside)


def parse_grid(text: str, path: Path, *, root: Path | None = None, allow_outside: bool = False) -> GridSuite:
    """Return the grid that the file at `path` is with this text, whether it holds it already or not.

    Raises:
        ConfigError: as `load_grid`.
    """
    document = compose_yaml(text, display_path(path))
    problems = list(document.problems)
    meta: GridMeta | None = None
    with gather(problems):
        meta = parse_model(GridMeta, document)
    if meta is None:
        raise ConfigError(problems)
    source = Source(
        document=document,
        meta=_as_prompt_meta(meta),
        root=root or find_root(path.parent) or path.parent,
        test_root=path.parent,
        allow_outside=allow_outside,
    )
    return _read_parts(path, meta, source, problems)


def _read_parts(path: Path, meta: GridMeta, source: Source, problems: list[Problem]) -> GridSuite:
    """Read part by part, and go on where one is wrong; the problems so far are those of the file's text."""

    def part(read: Callable[[], T], default: T) -> T:
        with gather(problems):
            return read()
        return default

    problems += check_meaning(source.meta, source.document, frozenset({"cases"}))
    no_arms: tuple[GridArm, ...] = ()
    no_models: tuple[ModelSpec, ...] = ()
    no_tasks: tuple[Task, ...] = ()
    no_criteria: tuple[Criterion, ...] = ()
    arms = part(lambda: _read_arms(meta, source), no_arms)
    models = part(lambda: _read_models(meta, source), no_models)
    labels = part(lambda: _read_labels(meta, source), None)
    tasks = part(lambda: read_tasks(_file(source, meta.tasks, ("tasks",)), meta.measure, labels), no_tasks)
    criteria = part(lambda: read_criteria(source), no_criteria)
    context = part(lambda: _read_context(meta, source), "")
    raise_any(problems)
    return GridSuite(
        name=meta.name,
        path=path,
        root=source.root,
        meta=meta,
        arms=arms,
        models=models,
        tasks=tasks,
        labels=labels or (),
        judged=_judged(path, source, criteria, tasks, context) if criteria else None,
        allow_outside=source.allow_outside,
    )


def _as_prompt_meta(meta: GridMeta) -> PromptMeta:
    """Return the part of a grid that says how outputs are judged, in the shape of a prompt suite."""
    return PromptMeta(
        prompt_name=meta.name,
        criteria=meta.criteria,
        thresholds=meta.thresholds,
        judge=meta.judge,
        cases=CasesSpec(),
    )


def _judged(
    path: Path, source: Source, criteria: tuple[Criterion, ...], tasks: tuple[Task, ...], context: str
) -> PromptSuite:
    return PromptSuite(
        name=source.meta.prompt_name,
        path=path,
        root=source.root,
        test_root=source.test_root,
        meta=source.meta,
        criteria=criteria,
        cases=tuple(task.case for task in tasks),
        context=context,
        allow_outside=source.allow_outside,
    )


def _read_arms(meta: GridMeta, source: Source) -> tuple[GridArm, ...]:
    problems = list(_check_arms(meta, source.document))
    arms: list[GridArm] = []
    for name, spec in meta.arms.items():
        with gather(problems):
            arms.append(_read_arm(name, spec, source))
    raise_any(problems)
    return tuple(arms)


def _check_arms(meta: GridMeta, document: Document) -> Iterator[Problem]:
    for name in meta.arms:
        if not re.fullmatch(NAME_PATTERN, name):
            message = f"expected a letter, then up to 47 letters, digits, '_' or '-', found {found(name)}"
            yield document.problem(("arms", name), message, at_key=True)
    controls = [name for name, spec in meta.arms.items() if spec.control]
    if len(meta.arms) < 2:
        yield document.problem(("arms",), "a grid compares at least two arms", "add one")
    elif not controls:
        yield document.problem(
            ("arms",), "no arm is the control", "give the one to compare with 'control: true'"
        )
    for name in controls[1:]:
        message = f"'{controls[0]}' is the control already"
        yield document.problem(("arms", name, "control"), message, "there is one control")


def _read_arm(name: str, spec: GridArmSpec, source: Source) -> GridArm:
    loc: Loc = ("arms", name)
    fixture = source.file(spec.fixture, (*loc, "fixture"))
    if fixture and not fixture.name.endswith(FIXTURE_SUFFIX):
        raise source.document.error((*loc, "fixture"), f"expected a file named *{FIXTURE_SUFFIX}")
    prompt = source.file(spec.prompt, (*loc, "prompt"))
    return GridArm(
        name=name,
        text=_read_prompt(source, prompt, (*loc, "prompt")) if prompt else "",
        prompt=prompt,
        fixture=fixture,
        control=spec.control,
        projected_from=spec.projected_from,
    )


def _read_prompt(source: Source, prompt: Path, loc: Loc) -> str:
    try:
        text = read_text(prompt)
    except ConfigError as error:
        raise source.document.blame(loc, error) from None
    if not text.strip():
        raise source.document.error(loc, f"the prompt {display_path(prompt)} is empty", "write the prompt")
    return text


def _read_models(meta: GridMeta, source: Source) -> tuple[ModelSpec, ...]:
    loc: Loc = ("models",)
    if isinstance(meta.models, str):
        return read_models(_file(source, meta.models, loc))
    models = tuple(plain_model(each) for each in meta.models)
    raise_any(find_twins(source.document, loc, models))
    return models


def _read_labels(meta: GridMeta, source: Source) -> tuple[str, ...] | None:
    loc: Loc = ("labels",)
    if isinstance(meta.labels, str):
        return read_labels(_file(source, meta.labels, loc))
    return None if meta.labels is None else check_labels(source.document, loc)


def _read_context(meta: GridMeta, source: Source) -> str:
    """The author's own wording for the judge, as beside a prompt-meta.yaml."""
    if meta.measure is Measure.LABEL:
        return ""
    path = source.resolve(CONTEXT_FILE, ())
    return read_text(path) if path.exists() else ""


def _file(source: Source, name: str, loc: Loc) -> Path:
    path = source.file(name, loc)
    assert path is not None
    return path
