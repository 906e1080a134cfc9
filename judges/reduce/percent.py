"""From answers to percents: exact fractions, 0..100."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from typing import TypeAlias

from judges.core.question import Answer, Unanswered
from judges.core.report import CriterionResult
from judges.files.suite import Criterion


@dataclass(frozen=True, slots=True, kw_only=True)
class Scored:
    """A criterion's result: its exact percent, and the level and answer it came from, if any did.

    `judged` is what the judge had said where the percent is a person's.
    """

    percent: Fraction
    level: int | None = None
    answer: Answer | None = None
    judged: "Scored | None" = None


Results: TypeAlias = Mapping[str, Scored | Unanswered]
"""What was found by criterion."""


def score_criterion(
    criterion: Criterion, answer: Answer | Unanswered, *, expected: bool = False
) -> Scored | Unanswered:
    """Return the percent of the chosen level; with `expected`, of the probability-weighted level."""
    if isinstance(answer, Unanswered):
        return answer
    level = int(answer.value)
    decisive: Fraction | int = level
    if expected and answer.probabilities:
        weights = {int(name): Fraction(value) for name, value in answer.probabilities.items()}
        decisive = sum((at * weight for at, weight in weights.items()), Fraction(0)) / sum(weights.values())
    percent = percent_of_level(decisive, len(criterion.levels))
    return Scored(percent=percent, level=level, answer=answer)


@lru_cache(maxsize=1024)
def percent_of_level(level: Fraction | int, levels: int) -> Fraction:
    """Return the percent of a level from 1 to `levels`: (level - 1) / (levels - 1) * 100."""
    return Fraction(level - 1) / (levels - 1) * 100


def weigh(criteria: Iterable[Criterion], results: Mapping[str, Scored | Unanswered]) -> Fraction | None:
    """Return the weighted mean sum(w * percent) / sum(w), or None when a criterion has no result."""
    weights, percents = [], []
    for criterion in criteria:
        result = results[criterion.name]
        if isinstance(result, Unanswered):
            return None
        weights.append(criterion.weight)
        percents.append(result.percent)
    return _mean(tuple(weights), tuple(percents))


@lru_cache(maxsize=4096)
def _mean(weights: tuple[Decimal, ...], percents: tuple[Fraction, ...]) -> Fraction | None:
    """Levels are few, so that most cases of a suite have the same percents as another one."""
    exact = [Fraction(weight) for weight in weights]
    total = sum((weight * percent for weight, percent in zip(exact, percents, strict=True)), Fraction(0))
    return total / sum(exact) if any(exact) else None


def find_lowest(
    criteria: Iterable[Criterion], results: Mapping[str, Scored | Unanswered]
) -> tuple[str, Fraction] | None:
    """Return the name and percent of the lowest criterion, of equals the heaviest; None of one or none.

    A criterion without weight or result is passed over.
    """
    scored = [
        (result.percent, -each.weight, each.name)
        for each in criteria
        if each.weight and isinstance(result := results[each.name], Scored)
    ]
    if len(scored) < 2:
        return None
    percent, _, name = min(scored, key=lambda one: one[:2])
    return name, percent


def report_criteria(results: Results) -> dict[str, CriterionResult]:
    """Return the criteria that have a result, as reports show them."""
    return {
        name: CriterionResult(
            level=result.level,
            percent=as_decimal(result.percent),
            reasoning=result.answer.reasoning if result.answer else None,
            confidence=result.answer.confidence if result.answer else None,
        )
        for name, result in results.items()
        if isinstance(result, Scored)
    }


@lru_cache(maxsize=1024)
def exact(number: Decimal) -> Fraction:
    """Return a number of the author's as a fraction: a threshold is compared with every score."""
    return Fraction(number)


def as_decimal(value: Fraction) -> Decimal:
    """Return the fraction as a decimal of 28 digits, for reports."""
    return _divide(value.numerator, value.denominator)


@lru_cache(maxsize=4096)
def _divide(numerator: int, denominator: int) -> Decimal:
    return Decimal(numerator) / Decimal(denominator)
