"""Why a result is worth a person's minute."""

import re
from decimal import Decimal
from typing import Any

import pytest

from judges.core.case import Category
from judges.core.report import CaseReport
from judges.core.row import Row
from judges.core.verdict import Verdict
from judges.reduce.fragile import Flip
from judges.reduce.reasons import Lapsed, Reason, ReasonKind, find_confidence, find_reasons

PASS, WARN, FAIL, ERROR, SKIP = Verdict.PASS, Verdict.WARN, Verdict.FAIL, Verdict.ERROR, Verdict.SKIP
ABOVE, BELOW = Decimal("90.04"), Decimal(90)


def row(row_id: str, verdict: Verdict = PASS, **changes: Any) -> Row:
    kind = re.split(r"[.\[]", row_id.removeprefix("a.").removeprefix("b."))[0]
    return Row(**{"id": row_id, "kind": kind, "verdict": verdict, **changes})


def case(*rows: Row, verdict: Verdict = PASS, **changes: Any) -> CaseReport:
    values = {"ref": "a", "title": "A", "category": Category.ELEMENT, "verdict": verdict, "rows": rows}
    return CaseReport(**{**values, **changes})


def votes(*answers: Any) -> dict[str, Any]:
    said = [{"judge": f"j{at}", "replica": 1, "answer": answer} for at, answer in enumerate(answers)]
    return {"votes": said, "confidence": 0.5}


REASONS = [
    pytest.param(
        case(row("score", WARN, actual_excerpt="Scored 65 (threshold: 70)"), verdict=WARN),
        "warn: Scored 65 (threshold: 70)",
        id="a warning",
    ),
    pytest.param(
        case(row("criteria.tone", extra={"confidence": 0.69})),
        "unsure tone: criteria.tone: confidence 0.69",
        id="a judge that is not sure",
    ),
    pytest.param(
        case(row("overall", extra={"confidence": 0.9, "confidence_ba": 0.3})),
        "unsure: overall: confidence 0.30",
        id="not sure in one of two orders",
    ),
    pytest.param(
        case(row("criteria.tone", extra=votes(3, 2, 3))),
        "disagreement tone: criteria.tone: the votes are 3, 2, 3",
        id="a panel",
    ),
    pytest.param(
        case(row("checks.safe", extra={"votes": [{"answer": True}, {"answer": False}, {"error": "down"}]})),
        "disagreement: checks.safe: the votes are True, False, none",
        id="a panel with a judge that is down",
    ),
    pytest.param(
        case(row("criteria.tone", ERROR, error="no majority of the 2 asked: a (1): 1, b (1): 3")),
        "disagreement tone: criteria.tone: no majority of the 2 asked: a (1): 1, b (1): 3",
        id="no majority",
    ),
    pytest.param(
        case(row("criteria.tone", extra={"supported": False, "confidence": 0.5})),
        "disagreement tone: criteria.tone: the meta-judge does not find the answer supported",
        id="a meta-judge",
    ),
    pytest.param(
        case(row("overall", extra={"orders_agree": False})),
        "disagreement: overall: which output comes first sways the judge",
        id="two orders",
    ),
    pytest.param(
        case(row("score"), stability={"asked": 3, "flips": 1, "agreement": 0.8}),
        "disagreement: of 3 times that the judge was asked, 1 decide otherwise",
        id="a judge asked again",
    ),
    pytest.param(
        case(row("tools.called", extra={"pass_count": 2, "runs": 3})),
        "disagreement: tools.called: 2 of 3 replicas pass",
        id="replicas of a fixture",
    ),
    pytest.param(
        case(row("measure[0]", score=Decimal(1)), row("measure[1]", score=Decimal(0))),
        "disagreement: the repeats score 1, 0",
        id="repeats of a cell",
    ),
    pytest.param(
        case(row("checks.short", FAIL), row("score"), verdict=FAIL),
        "at_odds: checks.short failed, and the judge is content",
        id="a check fails",
    ),
    pytest.param(
        case(row("checks.short", WARN), row("score")),
        "at_odds: checks.short failed, and the judge is content",
        id="a check warns",
    ),
    pytest.param(
        case(row("checks.short"), row("score", FAIL), verdict=FAIL),
        "at_odds: all deterministic checks pass, and the judge is not content",
        id="checks pass",
    ),
    pytest.param(
        case(
            row("a.checks.short", FAIL),
            row("b.checks.short"),
            row("overall", extra={"orders_agree": True, "ab": "a"}),
            row("score"),
        ),
        "at_odds: a.checks.short failed, and the judge is content",
        id="the better output of a comparison fails",
    ),
    pytest.param(
        case(row("checks.short", FAIL), row("score", FAIL, extra={"difference": 0.0}), verdict=FAIL),
        "at_odds: checks.short failed, and the judge is content",
        id="a check of a regression fails and nothing dropped",
    ),
    pytest.param(
        case(row("score", score=ABOVE, spec={"min": 70.0, "max": 90.0})),
        "above_range: scored 90.04, expected 90 at most",
        id="above the range",
    ),
    pytest.param(
        case(
            row("score", FAIL, score=ABOVE, spec={"min": 0.0, "max": 90.0}),
            category=Category.ZERO_CONDITION,
            verdict=FAIL,
        ),
        "above_range: scored 90.04, expected 90 at most",
        id="a zero condition above its range",
    ),
]


def told(reason: Reason) -> str:
    return f"{reason.kind}{f' {reason.criterion}' if reason.criterion else ''}: {reason.text}"


@pytest.mark.parametrize(("found", "expected"), REASONS)
def test_reasons(found: CaseReport, expected: str) -> None:
    """Each thing that makes a result doubtful is told in one sentence, with the criterion it is about."""
    assert [told(reason) for reason in find_reasons(found)] == [expected]


@pytest.mark.parametrize(
    "found",
    [
        pytest.param(case(row("checks.short"), row("score")), id="all is well"),
        pytest.param(case(row("score", FAIL), verdict=FAIL), id="a failure without checks"),
        pytest.param(case(row("checks.short", FAIL), row("score", SKIP), verdict=FAIL), id="not judged"),
        pytest.param(
            case(row("checks.safe", FAIL, spec={"pass_condition": "NO"}), row("score"), verdict=FAIL),
            id="a check by the judge",
        ),
        pytest.param(case(row("criteria.tone", extra={"confidence": 0.7})), id="sure enough"),
        pytest.param(case(row("criteria.tone", extra={**votes(3, 3), "confidence": 1.0})), id="one opinion"),
        pytest.param(
            case(row("criteria.tone", ERROR, error="no reply"), verdict=ERROR), id="the judge is down"
        ),
        pytest.param(case(row("score"), stability={"asked": 3, "flips": 0, "agreement": 1.0}), id="steady"),
        pytest.param(case(row("tools.called", extra={"pass_count": 0, "runs": 3})), id="no replica passes"),
        pytest.param(
            case(row("measure[0]", score=Decimal(1)), row("measure[1]", score=Decimal(1))), id="alike"
        ),
        pytest.param(
            case(row("score", score=BELOW, spec={"min": 70.0, "max": 90.0})), id="at the range's end"
        ),
        pytest.param(
            case(row("score", score=ABOVE, spec={"min": 0.0, "max": 90.0}), category=Category.ZERO_CONDITION),
            id="a zero condition that declines",
        ),
        pytest.param(
            case(
                row("b.checks.short", FAIL),
                row("overall", extra={"orders_agree": True, "ab": "a"}),
                row("score", FAIL),
                verdict=FAIL,
            ),
            id="the worse output of a comparison fails",
        ),
        pytest.param(case(row("case", SKIP), verdict=SKIP), id="skipped"),
    ],
)
def test_no_reason(found: CaseReport) -> None:
    """What is certain is nobody's minute worth."""
    assert find_reasons(found) == ()


def test_flips() -> None:
    """A level that decides is told once for each criterion."""
    flips = [Flip("criteria.tone", 1, FAIL), Flip("criteria.tone", 3, PASS), Flip("criteria.form", 4, PASS)]
    assert [told(each) for each in find_reasons(case(), flips)] == [
        "fragile tone: one level of tone decides: FAIL at 1 and PASS at 3",
        "fragile form: one level of form decides: PASS at 4",
    ]


def test_what_a_person_has_settled() -> None:
    """A corrected criterion is no reason any more, a corrected total leaves none; what lapsed stays one."""
    rows = (row("criteria.tone", extra={"confidence": 0.1}), row("criteria.form", extra={"confidence": 0.1}))
    flips, lapsed = [Flip("criteria.tone", 3, PASS)], [Lapsed(None, "it expired")]
    tone = case(*rows, override={"criteria": {"tone": {"score": 90.0}}})
    total = case(*rows, override={"score": 90.0})
    assert [told(each) for each in find_reasons(tone, flips, lapsed)] == [
        "unsure form: criteria.form: confidence 0.10",
        "override: it expired",
    ]
    assert find_reasons(total, flips, lapsed) == (Reason(ReasonKind.OVERRIDE, "it expired"),)


def test_confidence() -> None:
    """The least certain answer counts; where nobody says how sure they are, all is taken as certain."""
    rows = (row("criteria.a", extra={"confidence": 0.4}), row("overall", extra={"confidence_ba": 0.2}))
    assert find_confidence(case(*rows)) == 0.2
    assert find_confidence(case(row("score"))) == 1.0
