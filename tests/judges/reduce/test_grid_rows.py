"""The rows of judged outputs in a grid, and of outputs that there are not."""

from decimal import Decimal
from fractions import Fraction

from judges.core.report import CriterionResult
from judges.core.row import Row
from judges.core.verdict import Verdict
from judges.reduce.decision import Decision
from judges.reduce.grid_rows import score_rows, unmeasured_rows

CRITERIA = {"tone": CriterionResult(level=3, percent=Decimal(50), reasoning="curt")}


def decision(verdict: Verdict, score: Fraction | None, *rows: Row) -> Decision:
    return Decision(verdict=verdict, rows=rows, score=score, criteria=CRITERIA)


def test_a_judged_output_is_measured_whatever_its_verdict() -> None:
    """The measure row has the score and never fails; the gate row has the verdict and its reason."""
    total = Row(id="score", kind="score", verdict=Verdict.FAIL, actual_excerpt="Scored 50 (threshold: 70)")
    measure, gate = score_rows(2, decision(Verdict.FAIL, Fraction(50), total))
    assert (measure.id, measure.verdict, measure.score) == ("measure[2]", Verdict.PASS, Decimal(50))
    assert measure.extra["criteria"]["tone"]["reasoning"] == "curt"
    assert (gate.id, gate.verdict, gate.actual_excerpt) == (
        "gate[2]",
        Verdict.FAIL,
        "Scored 50 (threshold: 70)",
    )


def test_a_good_output_passes_the_gate() -> None:
    """Where nothing speaks against it, the gate row has the score."""
    _, gate = score_rows(0, decision(Verdict.PASS, Fraction(100)))
    assert (gate.verdict, gate.actual_excerpt) == (Verdict.PASS, "Scored 100")


def test_what_was_not_judged_is_an_error_and_no_score() -> None:
    """An ERROR of the judge is neither PASS nor 0."""
    row = Row(id="criteria.tone", kind="criteria", verdict=Verdict.ERROR, error="the judge refused")
    for rows in (score_rows(0, decision(Verdict.ERROR, None, row)), unmeasured_rows(0, "the judge refused")):
        assert [(each.id, each.verdict, each.score, each.error) for each in rows] == [
            ("measure[0]", Verdict.ERROR, None, "the judge refused"),
            ("gate[0]", Verdict.ERROR, None, "the judge refused"),
        ]
