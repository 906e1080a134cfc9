"""The two rows of each output in a grid where outputs are judged, or where there is none."""

from judges.core.row import Row
from judges.core.score_text import render_score
from judges.core.verdict import Verdict
from judges.reduce.decision import Decision
from judges.reduce.percent import as_decimal

MEASURE = "measure"
GATE = "gate"


def score_rows(index: int, decision: Decision) -> tuple[Row, Row]:
    """Return what was measured of one judged output, and whether it may pass.

    The measure row is always PASS, with the score, 0..100; the gate row has the verdict by criteria and
    thresholds. `index` counts the repeats of a cell from 0.
    """
    reasons = "; ".join(dict.fromkeys(_reasons(decision)))
    if decision.verdict is Verdict.ERROR or decision.score is None:
        return unmeasured_rows(index, reasons or "the output was not scored")
    score = as_decimal(decision.score)
    measured = Row(
        id=f"{MEASURE}[{index}]",
        kind=MEASURE,
        verdict=Verdict.PASS,
        score=score,
        actual_excerpt=f"Scored {render_score(score)}",
        spec={"measure": "score"},
        extra={
            "criteria": {
                name: {"level": each.level, "percent": each.percent, "reasoning": each.reasoning}
                for name, each in decision.criteria.items()
            }
        },
    )
    gate = Row(
        id=f"{GATE}[{index}]",
        kind=GATE,
        verdict=decision.verdict,
        actual_excerpt=reasons or f"Scored {render_score(score)}",
    )
    return measured, gate


def unmeasured_rows(index: int, error: str) -> tuple[Row, Row]:
    """Return the rows of a trial without an output, or with one that could not be judged."""
    measured, gate = (
        Row(id=f"{kind}[{index}]", kind=kind, verdict=Verdict.ERROR, error=error) for kind in (MEASURE, GATE)
    )
    return measured, gate


def _reasons(decision: Decision) -> list[str]:
    decisive = (row for row in decision.rows if row.verdict not in (Verdict.PASS, Verdict.SKIP))
    return [row.error or row.actual_excerpt or row.id for row in decisive]
