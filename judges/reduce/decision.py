"""What decides a case, and what was decided: the same values for every evaluation type."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from typing import Any

from judges.core.report import CriterionResult
from judges.core.row import Notice, Row
from judges.core.verdict import Verdict
from judges.files.prompt_meta import JudgedCheck, Thresholds
from judges.files.suite import Criterion

UNJUDGED = "unjudged (smoke judge)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """What decides a case: the criteria with their minimums, the judged checks, and the thresholds.

    With `expected` a criterion's percent comes from the judge's probabilities, where it gives them. What a
    `smoke` judge says is shown and settles nothing. `max_drop` is the most points that one case may lose
    against the baseline, and `margin` the mean loss that does not matter; `baseline` is the run that was
    accepted as such, if any was.
    """

    criteria: tuple[Criterion, ...]
    checks: tuple[JudgedCheck, ...]
    thresholds: Thresholds
    expected: bool = False
    smoke: bool = False
    max_drop: Fraction = Fraction(0)
    margin: Decimal | None = None
    baseline: str | None = None

    @property
    def good_answers(self) -> Mapping[str, bool]:
        """The answers that make judged checks pass, by question name."""
        return {f"checks.{check.name}": check.pass_condition == "YES" for check in self.checks}


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What was decided about one case. Scores are exact and 0..100; None where there is none."""

    verdict: Verdict
    rows: tuple[Row, ...]
    score: Fraction | None = None
    judged_score: Fraction | None = None
    criteria: Mapping[str, CriterionResult] = field(default_factory=dict)
    override: Mapping[str, Any] | None = None
    notices: tuple[Notice, ...] = ()
