"""What changed between two runs of a suite, paired by case and model."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from statistics import fmean
from typing import Any, TypeAlias

from judges.core.report import CaseReport
from judges.core.verdict import Verdict
from judges.reduce.statistics import case_differences, paired_t

Key: TypeAlias = tuple[str, str | None]
"""The ref of a case, and the model that made the output if one did."""
TOTAL = "score"


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One case in both runs. A score, 0..100, or a verdict may be the same in both."""

    ref: str
    model: str | None
    verdicts: tuple[Verdict, Verdict]
    scores: tuple[Decimal | None, Decimal | None]

    @property
    def difference(self) -> Decimal | None:
        """By how much the score rose; None where one of the two is missing."""
        before, after = self.scores
        return None if before is None or after is None else after - before

    @property
    def flipped(self) -> bool:
        """Whether the verdict is another one; where one run has none there is nothing to compare."""
        before, after = self.verdicts
        return before is not after and Verdict.SKIP not in self.verdicts


@dataclass(frozen=True, slots=True, kw_only=True)
class Shift:
    """How one score, of a criterion or the total, moved from the first run to the second.

    `mean` is the mean of the cases' differences and `interval` its 95 % interval, in points of 0..100, which
    ends at what a difference can be; `wins` are the cases that rose. The interval is None for a single case,
    or where all differences are equal.
    """

    cases: int
    mean: float
    interval: tuple[float, float] | None
    wins: int
    losses: int
    ties: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """What changed between two runs of a suite, of which `only` are the refs that one of them alone has."""

    shifts: Mapping[str, Shift]
    cases: tuple[Change, ...]
    only: tuple[tuple[str, ...], tuple[str, ...]]

    @property
    def flips(self) -> tuple[Change, ...]:
        """The cases whose verdict changed."""
        return tuple(change for change in self.cases if change.flipped)


def compare_cases(before: Iterable[CaseReport], after: Iterable[CaseReport]) -> Changes:
    """Return what changed. Cases that were not run in one of the two are none of it.

    A case whose model differs between the runs is paired where it was run with one model in each.
    """
    one, other = _by_key(before), _by_key(after)
    pairs = _pair(one, other)
    cases = tuple(
        Change(
            ref=key[0],
            model=key[1],
            verdicts=(was.verdict, now.verdict),
            scores=(was.score, now.score),
        )
        for key, was, now in pairs
    )
    paired = {was.ref for _, was, _ in pairs}
    names = dict.fromkeys(name for _, was, now in pairs for name in was.criteria if name in now.criteria)
    values = {TOTAL: [(was.ref, was.score, now.score) for _, was, now in pairs]}
    for name in names:
        values[f"criteria.{name}"] = [
            (was.ref, was.criteria[name].percent, now.criteria[name].percent)
            for _, was, now in pairs
            if name in was.criteria and name in now.criteria
        ]
    shifts = {name: shift for name, each in values.items() if (shift := find_shift(each)) is not None}
    return Changes(shifts=shifts, cases=cases, only=(_left(one, paired), _left(other, paired)))


def encode_changes(changes: Changes) -> dict[str, Any]:
    """Return the changes as JSON values."""
    return {
        "shifts": {
            name: {
                "cases": shift.cases,
                "mean": shift.mean,
                "interval": None if shift.interval is None else list(shift.interval),
                "wins": shift.wins,
                "losses": shift.losses,
                "ties": shift.ties,
            }
            for name, shift in changes.shifts.items()
        },
        "cases": [
            {
                "ref": change.ref,
                "model": change.model,
                "verdicts": [verdict.value for verdict in change.verdicts],
                "scores": [None if score is None else float(score) for score in change.scores],
                "difference": None if change.difference is None else float(change.difference),
            }
            for change in changes.cases
        ],
        "only": [list(refs) for refs in changes.only],
    }


def _by_key(cases: Iterable[CaseReport]) -> dict[Key, CaseReport]:
    ran = (case for case in cases if case.verdict is not Verdict.SKIP or case.score is not None)
    return {(case.ref, case.model): case for case in ran}


def _pair(
    one: Mapping[Key, CaseReport], other: Mapping[Key, CaseReport]
) -> list[tuple[Key, CaseReport, CaseReport]]:
    """Return the cases that both have: with the same model, or else with the only one that each has."""
    pairs = [(key, case, other[key]) for key, case in one.items() if key in other]
    singles = _singles(one), _singles(other)
    for ref in singles[0].keys() & singles[1].keys():
        was, now = singles[0][ref], singles[1][ref]
        if was.model != now.model:
            pairs.append(((ref, None), was, now))
    order = {case.ref: index for index, case in enumerate(one.values())}
    return sorted(pairs, key=lambda pair: order[pair[1].ref])


def _singles(cases: Mapping[Key, CaseReport]) -> dict[str, CaseReport]:
    by_ref: dict[str, list[CaseReport]] = {}
    for (ref, _), case in cases.items():
        by_ref.setdefault(ref, []).append(case)
    return {ref: found[0] for ref, found in by_ref.items() if len(found) == 1}


def _left(cases: Mapping[Key, CaseReport], paired: set[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(ref for ref, _ in cases if ref not in paired))


def find_shift(values: Sequence[tuple[str, Decimal | None, Decimal | None]]) -> Shift | None:
    """Return how a score moved over the cases that have it in both runs; models of a case are averaged."""
    before: dict[str, list[Decimal]] = {}
    after: dict[str, list[Decimal]] = {}
    for ref, was, now in values:
        if was is not None and now is not None:
            before.setdefault(ref, []).append(was)
            after.setdefault(ref, []).append(now)
    differences = list(case_differences(after, before).values())
    if not differences:
        return None
    found = paired_t(differences)
    return Shift(
        cases=len(differences),
        mean=fmean(differences),
        interval=(max(-100.0, found.interval.low), min(100.0, found.interval.high)) if found else None,
        wins=sum(each > 0 for each in differences),
        losses=sum(each < 0 for each in differences),
        ties=sum(each == 0 for each in differences),
    )
