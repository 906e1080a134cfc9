"""A case as the page shows it: long texts are cut, and the page says where the whole is."""

import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from judges.core.report import CaseReport, SuiteKind, SuiteReport
from judges.core.row import Row, excerpt
from judges.core.verdict import Verdict
from judges.out.case_text import describe_stability, render_value
from judges.out.case_words import describe_overrides, render_case_score, render_row_score
from judges.out.row_words import describe_row
from judges.out.summary import render_usage
from judges.reduce.changes import Change
from judges.reduce.regression import BASELINE
from judges.run.reported import StoredOutput, StoredTrial, WholeCase

MOST_INPUTS = 50

_TITLE = 300
_WHY = 160


@dataclass(frozen=True, slots=True)
class Text:
    """A long text, or its start: `left` is how many characters were cut."""

    name: str
    shown: str
    left: int = 0


@dataclass(frozen=True, slots=True)
class RowView:
    """A row: its score or pass rate, and what is said of it. `kind` is the class of its verdict."""

    id: str
    verdict: str
    kind: str
    score: str
    texts: tuple[Text, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TrialView:
    """What one trial produced. `rows` are its own where those of the case are made of several."""

    name: str
    verdict: Verdict
    facts: tuple[str, ...]
    outputs: tuple[Text, ...]
    rows: tuple[RowView, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseView:
    """A case, ready to be shown. `whole` is the command that prints all of it; `was` what it was before."""

    number: int
    ref: str
    title: str
    model: str
    verdict: Verdict
    category: str
    score: str
    why: str
    was: str
    flipped: bool
    facts: tuple[str, ...]
    corrections: tuple[str, ...]
    notices: tuple[str, ...]
    rows: tuple[RowView, ...]
    inputs: tuple[Text, ...]
    expected: tuple[Text, ...]
    trials: tuple[TrialView, ...]
    whole: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseViewer:
    """Makes the cases of one suite ready to be shown, which may be the only one of its run.

    `room` is the most characters of one text.
    """

    run: str
    suite: SuiteReport
    alone: bool
    room: int
    changes: Mapping[tuple[str, str | None], Change]

    def __call__(self, whole: WholeCase) -> CaseView:
        """Return a case as it is shown."""
        case, first = whole.case, whole.trials[0]
        change = self.changes.get((case.ref, case.model)) or self.changes.get((case.ref, None))
        several = len(whole.trials) > 1
        return CaseView(
            number=whole.number,
            ref=excerpt(case.ref, _TITLE),
            title="" if case.title == case.ref else excerpt(case.title, _TITLE),
            model=excerpt(case.model, _TITLE) if case.model and self._names_models else "",
            verdict=case.verdict,
            category=case.category.value if case.category else "",
            score=render_case_score(case),
            why=excerpt(next(iter(_reasons(case)), ""), _WHY),
            was=_say_before(change) if change else "",
            flipped=change is not None and change.flipped,
            facts=tuple(_facts(case, first, several)),
            corrections=tuple(describe_overrides(case)),
            notices=tuple(dict.fromkeys(notice.text for notice in case.notices)),
            rows=self._rows(case.rows),
            inputs=tuple(islice(self._inputs(first.input), MOST_INPUTS + 1)),
            expected=self._cut("Expected behavior", first.expected_behavior),
            trials=tuple(self._trial(trial, len(whole.trials)) for trial in whole.trials),
            whole=self._command(case.ref),
        )

    @property
    def _names_models(self) -> bool:
        """The ref of a grid's cell names its model."""
        return len(self.suite.models) > 1 and self.suite.kind is not SuiteKind.GRID

    def _rows(self, rows: Sequence[Row]) -> tuple[RowView, ...]:
        """What passed, or was not evaluated, comes after the rest."""
        settled = (Verdict.PASS, Verdict.SKIP)
        return tuple(
            RowView(
                id=row.id,
                verdict=row.verdict.value,
                kind=row.verdict.value.lower(),
                score=str(row.extra.get("pass_rate") or render_row_score(row)),
                texts=tuple(
                    each for name, text in describe_row(_plain(row)) for each in self._cut(name, text)
                ),
            )
            for row in sorted(rows, key=lambda row: row.verdict in settled)
        )

    def _inputs(self, variables: Mapping[str, Any]) -> Iterator[Text]:
        for number, (name, value) in enumerate(variables.items()):
            if number == MOST_INPUTS:
                yield Text(f"and {len(variables) - MOST_INPUTS:,} more", "")
            text = value if isinstance(value, str) else render_value(value)
            yield from self._cut(excerpt(name, _TITLE), text) or (Text(excerpt(name, _TITLE), ""),)

    def _trial(self, trial: StoredTrial, count: int) -> TrialView:
        apart = self.suite.kind is SuiteKind.FIXTURE
        noun = "replica" if apart else "repeat"
        room = max(self.room // count, 500)
        return TrialView(
            name=f"{noun} {trial.replica}" if count > 1 or apart else "",
            verdict=trial.case.verdict,
            facts=tuple(_facts_of_trial(trial)),
            outputs=tuple(_output(each, room) for each in trial.outputs),
            rows=self._rows(trial.case.rows) if apart else (),
        )

    def _cut(self, name: str, text: str | None) -> tuple[Text, ...]:
        return (_cut(name, text, self.room),) if text else ()

    def _command(self, ref: str) -> str:
        only = "" if self.alone else f" --suite {shlex.quote(self.suite.name)}"
        return f"scaffold show {shlex.quote(self.run)} {shlex.quote(ref)}{only}"


def _plain(row: Row) -> Row:
    """Return a row of several replicas without what its pass rate and its first excerpt say already."""
    said = row.extra.get("actual_excerpts", ())
    kept = {key: value for key, value in row.extra.items() if key not in _COUNTED}
    return replace(row, extra=kept | ({"replicas": list(said)} if len(said) > 1 else {}))


_COUNTED = ("pass_count", "runs", "pass_rate", "actual_excerpts")


def _cut(name: str, text: str, room: int) -> Text:
    return Text(name, text[:room], max(len(text) - room, 0))


def _output(output: StoredOutput, room: int) -> Text:
    what = "output" if output.arm is None else f"output of {_ARMS.get(output.arm, output.arm)}"
    if output.text is None:
        return _cut(f"No {what}", output.error or "the case was not run", room)
    return _cut(what[0].upper() + what[1:], output.text, room)


_ARMS = {BASELINE: "the baseline"}


def _reasons(case: CaseReport) -> Sequence[str]:
    skipped = [row.error for row in case.rows if row.error] if case.verdict is Verdict.SKIP else []
    return (*case.reasons, *skipped)


def _facts(case: CaseReport, trial: StoredTrial, several: bool) -> Iterator[str]:
    if case.category:
        yield case.category.value
    if case.model:
        yield f"model {case.model}"
    if not several:
        yield from _facts_of_trial(trial)
    if case.stability:
        yield describe_stability(case.stability)
    yield render_usage(case.usage)


def _facts_of_trial(trial: StoredTrial) -> Iterator[str]:
    yield from dict.fromkeys(f"output {each.source}" for each in trial.outputs if each.arm != BASELINE)
    if trial.latency_ms is not None:
        yield f"{trial.latency_ms / 1000:.1f} s"


def _say_before(change: Change) -> str:
    """Return what a case was in the earlier run, where that is anything else."""
    verdict, score = change.verdicts[0], change.scores[0]
    if not change.flipped and not change.difference:
        return ""
    return f"was {verdict}" + ("" if score is None else f" {score:.1f}".removesuffix(".0"))
