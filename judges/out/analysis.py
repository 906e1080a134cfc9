"""What the cases of a suite say together: outcomes by category, and the spread of every score."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from decimal import Decimal
from statistics import mean, median
from typing import Any

from judges.core.encode import encode_suite, encode_totals, encode_value
from judges.core.report import CaseReport, SuiteReport, Totals
from judges.core.verdict import Verdict
from judges.reduce.suite import count

MOST_CASES = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Spread:
    """How several scores, each 0..100, are spread."""

    count: int
    mean: Decimal
    median: Decimal
    lowest: Decimal
    highest: Decimal


@dataclass(frozen=True, slots=True, kw_only=True)
class Analysis:
    """What the cases of one suite say together.

    `categories` are the outcomes by category ("" for none); `spreads` those of each criterion and of the
    total, "score". `not_passed` and `corrected` are cases without their outputs, the first 200 of each.
    """

    categories: Mapping[str, Totals]
    spreads: Mapping[str, Spread]
    not_passed: tuple[CaseReport, ...]
    corrected: tuple[CaseReport, ...]


def analyze(cases: Iterable[CaseReport]) -> Analysis:
    """Return what the cases say together. They are read once, and few are kept."""
    categories: dict[str, Totals] = {}
    numbers: dict[str, list[Decimal]] = {}
    not_passed: list[CaseReport] = []
    corrected: list[CaseReport] = []
    for case in cases:
        category = case.category or ""
        categories[category] = categories.get(category, Totals()) + count(case)
        for name, value in _numbers(case):
            numbers.setdefault(name, []).append(value)
        if case.verdict not in (Verdict.PASS, Verdict.SKIP) and len(not_passed) < MOST_CASES:
            not_passed.append(replace(case, output=None))
        if case.override is not None and len(corrected) < MOST_CASES:
            corrected.append(replace(case, output=None))
    return Analysis(
        categories=categories,
        spreads={name: _spread(values) for name, values in numbers.items()},
        not_passed=tuple(not_passed),
        corrected=tuple(corrected),
    )


def encode_analysis(suite: SuiteReport, analysis: Analysis) -> dict[str, Any]:
    """Return the suite's summary with its analysis as JSON values."""
    return {
        **encode_suite(suite),
        "categories": {name: encode_totals(totals) for name, totals in analysis.categories.items()},
        "spreads": {name: _encode_spread(spread) for name, spread in analysis.spreads.items()},
        "not_passed": [_encode_brief(case) for case in analysis.not_passed],
        "corrected": [
            {"ref": case.ref, "override": encode_value(case.override)} for case in analysis.corrected
        ],
    }


def _numbers(case: CaseReport) -> Iterator[tuple[str, Decimal]]:
    if case.score is not None:
        yield "score", case.score
    for name, result in case.criteria.items():
        yield f"criteria.{name}", result.percent


def _spread(values: Sequence[Decimal]) -> Spread:
    return Spread(
        count=len(values), mean=mean(values), median=median(values), lowest=min(values), highest=max(values)
    )


def _encode_spread(spread: Spread) -> dict[str, Any]:
    return {field.name: encode_value(getattr(spread, field.name)) for field in fields(spread)}


def _encode_brief(case: CaseReport) -> dict[str, Any]:
    return {
        "ref": case.ref,
        "verdict": case.verdict.value,
        "score": encode_value(case.score),
        "reasons": list(case.reasons),
    }
