"""From a run to the baseline that later runs are measured against."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from judges.core.baseline import Baseline, BaselineCase
from judges.core.encode import decode_case
from judges.core.errors import ConfigError, Problem
from judges.core.question import Answer
from judges.core.report import CaseReport
from judges.core.row import excerpt
from judges.core.verdict import Verdict
from judges.files.suite import PromptSuite
from judges.run.baseline import digest_input
from judges.run.records import PLAN, RECORDS, ROWS, read_json, read_lines

MOST_NAMED = 300  # characters


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOfSuite:
    """What a run, finished or not, has about one suite: as it was planned, and the folder of its results."""

    run: str
    folder: Path
    wording: str
    plan: Mapping[str, Any]

    @property
    def path(self) -> Path:
        """The suite file."""
        return Path(self.plan["path"])


def suites_of_run(run: Path) -> list[RunOfSuite]:
    """Return the suites of a run that can have a baseline.

    Raises:
        ConfigError: it is no run, or it is damaged.
    """
    plan = read_json(run / PLAN)
    try:
        return [
            RunOfSuite(
                run=run.name, folder=run / each["folder"], wording=plan["versions"]["wording"], plan=each
            )
            for each in plan["suites"]
            if each.get("type") == "regression"
        ]
    except (KeyError, TypeError) as error:
        problem = Problem(f"the run is damaged: {error}", file=str(run), hint="run the suite again")
        raise ConfigError([problem]) from error


def build_baseline(suite: PromptSuite, run: RunOfSuite, *, force: bool = False) -> Baseline:
    """Return the baseline that a run of a suite makes. With `force` what it lacks is left out.

    Raises:
        ConfigError: cases were not run or not measured, or the run is damaged.
    """
    pairs = list(_read(run.folder))
    problems = [] if force else list(_lacks(suite, run, [case for _, case in pairs]))
    if problems:
        raise ConfigError(problems)
    order = {case.ref: index for index, case in enumerate(suite.cases)}
    cases = [
        _build_case(record, case)
        for record, case in pairs
        if case.verdict is not Verdict.ERROR and case.output is not None
    ]
    cases.sort(key=lambda case: (order.get(case.ref, len(order)), case.ref, case.model or ""))
    return Baseline(
        run=run.run,
        judge=run.plan["judge"],
        wording=run.wording,
        rubrics=run.plan["rubrics"],
        cases=tuple(cases),
    )


def _lacks(suite: PromptSuite, run: RunOfSuite, cases: list[CaseReport]) -> Iterator[Problem]:
    """Yield why a run is not the whole suite, measured."""
    missing = run.plan["trials"] - len(cases)
    if missing:
        hint = f"go on with it: scaffold run --resume {run.run}, or accept what there is with --force"
        yield Problem(
            f"{suite.name}: run {run.run} has not finished, {missing} of its trials are missing", hint=hint
        )
        return
    done = {case.ref for case in cases}
    if left := [case.ref for case in suite.cases if case.ref not in done]:
        message = f"{suite.name}: run {run.run} is without {len(left)} of the suite's cases: {_some(left)}"
        yield Problem(message, hint="run the whole suite, or accept what there is with --force")
    if errors := [case.ref for case in cases if case.verdict is Verdict.ERROR]:
        message = f"{suite.name}: run {run.run} has cases that could not be measured: {_some(errors)}"
        yield Problem(message, hint="run the suite again, or leave them out with --force")


def _read(folder: Path) -> Iterator[tuple[Mapping[str, Any], CaseReport]]:
    """Yield each trial's record and report; a trial whose report was cut off is none."""
    records = read_lines(folder / RECORDS)
    for row in read_lines(folder / ROWS):
        try:
            yield next(records), decode_case(row)
        except (StopIteration, ValueError) as error:
            problem = Problem(f"the run is damaged: {error}", file=str(folder), hint="run the suite again")
            raise ConfigError([problem]) from error


def _build_case(record: Mapping[str, Any], case: CaseReport) -> BaselineCase:
    asked: Mapping[str, Any] = next((each for each in record["answers"] if each["arm"] is None), {})
    return BaselineCase(
        ref=case.ref,
        model=case.model,
        input_sha256=digest_input(record["input"]),
        output=record["output"],
        asked_sha256=asked.get("asked_sha256"),
        answers={
            name: Answer(value=said["value"], probabilities=said["probabilities"])
            for name, said in asked.get("values", {}).items()
        },
        score=None if case.score is None else round(float(case.score), 4),
    )


def _some(names: list[str]) -> str:
    return excerpt(", ".join(names), MOST_NAMED)
