"""A new prompt suite: the choices it is made from, the values its template is filled with, and its files."""

import math
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from judges.core.errors import ConfigError, Problem, RunError
from judges.files.evaluation_meta import EvaluationType
from judges.files.json_schema import render_schema, schema_file
from judges.files.project import MARKER, SUITE_FILE
from judges.files.template import HISTORY, PromptTemplate, read_prompt
from scaffold.generate.cases import NewCase, example_cases
from scaffold.generate.criteria import NewCriterion, is_about_safety
from scaffold.generate.install import Installed, Taken, install
from scaffold.generate.notes import notes_cases
from scaffold.generate.render import find_template, render_template
from scaffold.generate.runner import RunnerKind, runner_values
from scaffold.generate.shared import install_shared

EXAMPLE_PROMPT = "prompt.md"
CANDIDATE = "candidate"
UNKNOWN_INPUT = ("text",)
SCHEMA = Path("schemas", schema_file("prompt-meta"))


@dataclass(frozen=True, slots=True, kw_only=True)
class NewSuite:
    """What somebody chose. `target` is the prompt under test, or None for an example of one."""

    name: str
    root: Path
    today: date
    criteria: Sequence[NewCriterion]
    cases: int
    model: str
    judge_model: str
    evaluation: EvaluationType = EvaluationType.MULTI_CRITERIA
    target: Path | None = None
    runner: RunnerKind | None = None
    template: Path | None = None

    @property
    def folder(self) -> Path:
        """Where the suite goes."""
        return self.root / MARKER / "tests" / "prompts" / self.name


@dataclass(frozen=True, slots=True, kw_only=True)
class Thresholds:
    """The numbers that decide. No band is narrower than one level of the heaviest criterion.

    `declined` is the most that an output may score which should have declined; `safety` names the criterion
    that has a minimum: level 4 of 5.
    """

    warn: int
    safety: str
    declined: int
    passing: int = 70
    minimum: int = 75


@dataclass(frozen=True, slots=True, kw_only=True)
class Created:
    """What was made.

    `first`: there was no `.omniscitus/` before. `suite` and `project` say what became of the files of the
    suite and of those that all suites share.
    `complaint` says why the cases' input does not fit the target, where it does not.
    """

    first: bool
    suite: Installed
    project: Installed
    target: Path
    cases: tuple[NewCase, ...]
    thresholds: Thresholds
    complaint: str | None


def create_suite(new: NewSuite, taken: Taken) -> Created:
    """Write the suite, and the schema that its first line points editors to.

    Raises:
        ConfigError: the target cannot be read, the template is broken, or files are in the way.
        ScaffoldError: the files cannot be written; nothing has changed.
    """
    prompt = read_prompt(new.target) if new.target else None
    cases = example_cases(_input_names(prompt), new.cases) if prompt else notes_cases(new.cases)
    target = (new.target or new.folder / EXAMPLE_PROMPT).relative_to(new.root)
    thresholds = _thresholds(new.criteria)
    template = new.template or find_template("prompt-suite")
    with TemporaryDirectory() as place:
        runner = runner_values(new.runner, new.folder, new.root / target, prompt, new.model)
        arms = _arms(new, prompt)
        values = _values(new, target, cases, thresholds) | runner | {"arms": arms}
        made = render_template(template, values, Path(place, "suite"))
        if new.target and any("target" in arm for arm in arms):
            shutil.copyfile(new.target, made / f"{CANDIDATE}{new.target.suffix}")
        for name in (SUITE_FILE, new.runner.file) if new.runner else (SUITE_FILE,):
            if not (made / name).is_file():
                raise ConfigError([Problem(f"makes no {name}", file=str(template), hint="mend the template")])
        first, project = install_shared(
            new.root, Path(place, "shared"), {SCHEMA: render_schema("prompt-meta")}
        )
        return Created(
            first=first,
            project=project,
            suite=install(made, new.folder, taken),
            target=target,
            cases=cases,
            thresholds=thresholds,
            complaint=_complaint(prompt, cases, new.runner) if prompt else None,
        )


def _arms(new: NewSuite, prompt: PromptTemplate | None) -> list[dict[str, str]]:
    """Return what each arm of a comparison names: a copy of the prompt to be changed, where that can be.

    A runner is told the arm; what source code puts out can only be recorded.
    """
    if new.evaluation is not EvaluationType.COMPARISON:
        return []
    if new.runner:
        return [{}, {}]
    if prompt and prompt.variables is None:
        return [{"outputs": "outputs-a.jsonl"}, {"outputs": "outputs-b.jsonl"}]
    name = f"{CANDIDATE}{new.target.suffix}" if new.target else f"{CANDIDATE}.md"
    return [{}, {"target": (new.folder / name).relative_to(new.root).as_posix()}]


def _input_names(prompt: PromptTemplate) -> tuple[str, ...]:
    """A prompt without variables is followed by a chat; what source code takes cannot be known."""
    names = prompt.variables
    return UNKNOWN_INPUT if names is None else names or (HISTORY,)


def _complaint(prompt: PromptTemplate, cases: Sequence[NewCase], runner: RunnerKind | None) -> str | None:
    if runner and not runner.can_render(prompt):
        return f"{prompt.path.name} is left to your own code: call it in produce() of {runner.file}"
    try:
        prompt.render(cases[0].input)
    except RunError as error:
        return str(error)
    return None


def _thresholds(criteria: Sequence[NewCriterion]) -> Thresholds:
    step = 25 * max(criterion.weight for criterion in criteria)
    return Thresholds(
        warn=min(50, math.floor(70 - step)),
        declined=max(10, math.ceil(step)),
        safety=next(criterion.name for criterion in criteria if is_about_safety(criterion.name)),
    )


def _values(new: NewSuite, target: Path, cases: Sequence[NewCase], thresholds: Thresholds) -> dict[str, Any]:
    return {
        "prompt_name": new.name,
        "target": target.as_posix(),
        "writes_prompt": new.target is None,
        "last_updated": new.today.isoformat(),
        "test_root": f"{MARKER}/tests/prompts/{new.name}/",
        "schema": f"../../../{SCHEMA.as_posix()}",
        "model": new.model,
        "judge_model": new.judge_model,
        "evaluation_type": new.evaluation.value,
        "criteria": [_criterion_values(each, scored=new.evaluation.scores) for each in new.criteria],
        "thresholds": thresholds,
        "cases": cases,
    }


def _criterion_values(criterion: NewCriterion, *, scored: bool) -> dict[str, str]:
    if not scored:
        return {"name": criterion.name, "weight": "", "share": "", "rubric": criterion.question}
    percent = format((criterion.weight * 100).normalize(), "f")
    return {
        "name": criterion.name,
        "weight": format(criterion.weight, "f"),
        "share": f"{percent}%",
        "rubric": criterion.rubric,
    }
