"""A `prompt-meta.yaml`, and every file that it names, to a suite."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeVar

from judges.core.baseline import Baseline
from judges.core.case import Case
from judges.core.errors import ConfigError, Problem
from judges.core.row import Notice
from judges.files.arms import read_arms
from judges.files.cases import CaseSet, read_inline
from judges.files.criteria import read_criteria
from judges.files.document import Document
from judges.files.evaluation_meta import EvaluationType, ModelSpec
from judges.files.external import read_external
from judges.files.foreign import refuse_foreign
from judges.files.meaning import UNEXPECTED, check_meaning
from judges.files.overrides import notice_overrides, read_overrides
from judges.files.problems import gather, raise_any
from judges.files.project import BASELINE_FILE, find_root
from judges.files.prompt_meta import AnalysisSpec, LogsSpec, PromptMeta
from judges.files.shape import parse_model
from judges.files.source import CaseReader, Source
from judges.files.specs import read_specs
from judges.files.suite import Arm, Criterion, Override, PromptSuite
from judges.files.text import display_path, read_text
from judges.files.yaml import compose_yaml

CONTEXT_FILE = "judge.md"
PLACEHOLDERS = {"prompt_name": "-", "cases": []}
"""What stands for required sections that are wrong, so that the others can be read."""

T = TypeVar("T")


def load_suite(
    path: Path,
    *,
    root: Path | None = None,
    allow_outside: bool = False,
    read_cases: CaseReader | None = None,
) -> PromptSuite:
    """Read a suite. `root` is the project root: without it the nearest folder upwards with `.omniscitus/`.

    A suite outside any project has its own folder as the root. Paths that leave the root are refused, unless
    they are allowed. `read_cases` reads files with cases that only the suite's runner can read: without it
    they are refused.

    Raises:
        ConfigError: anything is wrong, in this file or in one that it names; with all problems.
    """
    return parse_suite(read_text(path), path, root=root, allow_outside=allow_outside, read_cases=read_cases)


def parse_suite(
    text: str,
    path: Path,
    *,
    root: Path | None = None,
    allow_outside: bool = False,
    read_cases: CaseReader | None = None,
) -> PromptSuite:
    """Return the suite that the file at `path` is with this text, whether it holds it already or not.

    Raises:
        ConfigError: as `load_suite`.
    """
    document = compose_yaml(text, display_path(path))
    refuse_foreign(document)
    reading = _Reading(document)
    meta = reading.meta()
    reading.problems += check_meaning(meta, document, frozenset(reading.unsound))
    source = Source(
        document=document,
        meta=meta,
        root=root or find_root(path.parent) or path.parent,
        test_root=path.parent,
        allow_outside=allow_outside,
        read_cases=read_cases,
    )
    source = reading.part(lambda: _with_test_root(source), source, "test_root")
    return _read_parts(path, source, reading)


@dataclass(slots=True)
class _Reading:
    """Reads a suite part by part, and goes on where a part is wrong.

    `unsound` are the sections (top-level keys) with mistakes: parts that need them are left out.
    """

    document: Document
    problems: list[Problem] = field(init=False)
    unsound: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.problems = list(self.document.problems)

    def meta(self) -> PromptMeta:
        """Return the model of all sections that are sound.

        Raises:
            ConfigError: there is none.
        """
        try:
            return parse_model(PromptMeta, self.document)
        except ConfigError as error:
            self.problems += error.problems
        if not isinstance(self.document.value, dict):
            raise_any(self.problems)
        self.unsound |= {re.split(r"[.\[]", problem.key or "")[0] for problem in self.problems}
        sound = {
            key: value
            for key, value in self.document.value.items()
            if key in PromptMeta.model_fields and key not in self.unsound
        }
        return parse_model(PromptMeta, replace(self.document, value={**PLACEHOLDERS, **sound}))

    def part(self, read: Callable[[], T], default: T, section: str, *needs: str) -> T:
        """Return what is read of a section, or the default where it, or one that it needs, is wrong."""
        if self.unsound.isdisjoint((section, *needs)):
            with gather(self.problems):
                return read()
        self.unsound.add(section)
        return default


def _read_parts(path: Path, source: Source, reading: _Reading) -> PromptSuite:
    part = reading.part
    none: tuple[Override, ...] = ()
    no_criteria: tuple[Criterion, ...] = ()
    no_specs: dict[str, str] = {}
    no_arms: tuple[Arm, ...] = ()
    target = part(lambda: source.file(source.meta.target, ("target",), source.root), None, "target")
    runner = part(lambda: source.file(source.meta.runner, ("runner",)), None, "runner", "test_root")
    config = part(lambda: _path(source, "config", source.test_root), None, "config", "test_root")
    source = replace(source, runner=runner, config=config)
    criteria = part(lambda: read_criteria(source), no_criteria, "criteria", "test_root", "evaluation")
    arms = part(lambda: read_arms(source, target, runner), no_arms, "evaluation", "test_root")
    baseline = part(lambda: _baseline(source, path), None, "evaluation")
    cases, manual = part(lambda: _cases(source), CaseSet((), ()), "cases", "test_root")
    overrides = manual + part(lambda: read_overrides(source), none, "overrides", "test_root")
    context = part(lambda: _context(source), "", "test_root")
    specs = part(lambda: read_specs(source), no_specs, "specs")
    logs = part(lambda: _folder(source, "logs"), None, "logs", "test_root")
    analysis = part(lambda: _folder(source, "analysis"), None, "analysis", "test_root")
    raise_any(reading.problems)
    model = source.meta.model
    return PromptSuite(
        name=source.meta.prompt_name,
        path=path,
        root=source.root,
        test_root=source.test_root,
        meta=source.meta,
        criteria=criteria,
        cases=cases,
        target=target,
        runner=runner,
        arms=arms,
        baseline=baseline,
        config=config,
        model=ModelSpec(name=model) if isinstance(model, str) else model,
        context=context,
        specs=specs,
        logs=logs,
        analysis=analysis,
        allow_outside=source.allow_outside,
        overrides=overrides,
        notices=(*_notice_config(config), *_notice_overrides(overrides, cases)),
    )


def _with_test_root(source: Source) -> Source:
    if source.meta.test_root is None:
        return source
    loc = ("test_root",)
    folder = source.resolve(source.meta.test_root, loc, source.root)
    if not folder.is_dir():
        raise source.document.error(loc, f"{display_path(folder)} is not a folder", "check the path")
    return replace(source, test_root=folder)


def _path(source: Source, key: str, base: Path) -> Path | None:
    name: str | None = getattr(source.meta, key)
    return None if name is None else source.resolve(name, (key,), base)


def _folder(source: Source, section: str) -> Path | None:
    spec: LogsSpec | AnalysisSpec | None = getattr(source.meta, section)
    return None if spec is None else source.resolve(spec.directory, (section, "directory"))


def _notice_config(config: Path | None) -> Iterator[Notice]:
    """Such a file is often not committed, and CI has the variables by other ways."""
    if config is not None and not config.exists():
        yield Notice(f"config: {display_path(config)} does not exist: only the environment counts")


def _notice_overrides(overrides: Sequence[Override], cases: Iterable[Case]) -> Iterator[Notice]:
    if overrides:
        yield from notice_overrides(overrides, {case.ref for case in cases})


def _cases(source: Source) -> CaseSet:
    if source.meta.cases.source == "inline":
        return read_inline(source)
    found = read_external(source)
    if source.meta.evaluation.type is EvaluationType.BINARY and not source.meta.criteria:
        message, hint = UNEXPECTED
        raise_any(
            Problem(message, case.file, case.line, hint=hint)
            for case in found.cases
            if not case.expected_behavior
        )
    return found


def _baseline(source: Source, path: Path) -> Baseline | None:
    place = path.parent / BASELINE_FILE
    if source.meta.evaluation.type is not EvaluationType.REGRESSION or not place.exists():
        return None
    from judges.files.baseline import read_baseline

    return read_baseline(place)


def _context(source: Source) -> str:
    path = source.resolve(CONTEXT_FILE, ())  # it may be a link, and its text goes to the judge
    return read_text(path) if path.exists() else ""
