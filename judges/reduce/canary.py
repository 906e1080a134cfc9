"""Whether a judge can tell a good output from a bad one, where an author has given one of each."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TypeAlias

from judges.core.question import Answer, Unanswered
from judges.core.score_text import render_score
from judges.files.suite import Criterion
from judges.reduce.percent import as_decimal, score_criterion, weigh

Answers: TypeAlias = Mapping[str, Answer | Unanswered]


def decide_canary(
    criteria: Sequence[Criterion], good: Answers, bad: Answers, *, expected: bool = False
) -> str | None:
    """Return why the judge failed, or None when it scored the good output above the bad one.

    The answers are those to the Score questions of the criteria, and are weighed as those of a case; with
    `expected`, by their probabilities.
    """
    scores: list[Fraction] = []
    for name, answers in (("good", good), ("bad", bad)):
        results = {
            each.name: score_criterion(each, answers[f"criteria.{each.name}"], expected=expected)
            for each in criteria
        }
        for result in results.values():
            if isinstance(result, Unanswered):
                return f"no usable answer about the {name} output: {result.reason}"
        scores.append(weigh(criteria, results) or Fraction(0))
    above, below = scores
    if above > below:
        return None
    high, low = (render_score(as_decimal(score)) for score in scores)
    return f"it scored the good output {high} and the bad one {low}"
