"""A small report with one of everything."""

from decimal import Decimal
from pathlib import Path

import pytest

from judges.core.case import Category
from judges.core.report import (
    CaseReport,
    CriterionResult,
    JudgeReport,
    Report,
    SuiteKind,
    SuiteReport,
    Totals,
)
from judges.core.row import Notice, Row
from judges.core.usage import Usage
from judges.core.verdict import ExitCode, Verdict

RUN = Path(".omniscitus/runs/20261130T131400Z-ab12")
THRESHOLDS = {"pass": 70.0, "warn": 50.0}

PASSED = CaseReport(
    ref="refund-in-time",
    title="Refund in time",
    category=Category.ELEMENT,
    verdict=Verdict.PASS,
    score=Decimal("92.5"),
    judged_score=Decimal("92.5"),
    criteria={
        "naturalness": CriterionResult(level=5, percent=Decimal(100), reasoning="fluent", confidence=0.9)
    },
    rows=(
        Row(
            id="criteria.naturalness",
            kind="criteria",
            verdict=Verdict.PASS,
            score=Decimal(100),
            actual_excerpt="Scored 100 on naturalness",
            spec={"weight": 0.3, "levels": 5},
            extra={"level": 5, "reasoning": "fluent", "quotes": ["Gladly"], "confidence": 0.9},
        ),
        Row(id="score", kind="score", verdict=Verdict.PASS, score=Decimal("92.5"), spec=THRESHOLDS),
    ),
    output="Gladly, your refund is on its way.",
    usage=Usage(calls=1, input_tokens=900, output_tokens=60, cost_usd=Decimal("0.002")),
)
FAILED = CaseReport(
    ref="angry-customer",
    title="Angry customer",
    category=Category.EDGE,
    verdict=Verdict.FAIL,
    score=Decimal("69.96"),
    judged_score=Decimal("69.96"),
    rows=(
        Row(
            id="criteria.naturalness",
            kind="criteria",
            verdict=Verdict.FAIL,
            score=Decimal(65),
            actual_excerpt="Scored 65 on naturalness (threshold: 70)",
            spec={"weight": 0.3, "levels": 21, "minimum": 70.0},
            extra={"level": 14, "reasoning": "stiff"},
        ),
        Row(
            id="score",
            kind="score",
            verdict=Verdict.WARN,
            score=Decimal("69.96"),
            actual_excerpt="Scored 69.96 in total (threshold: 70)",
            spec=THRESHOLDS,
        ),
    ),
    output="We regret.",
)
ERRORED = CaseReport(
    ref="no-reply",
    title="No reply",
    category=Category.MIXED,
    verdict=Verdict.ERROR,
    rows=(Row(id="score", kind="score", verdict=Verdict.ERROR, error="the judge refused to answer"),),
    usage=Usage(calls=3, cached=1, input_tokens=2000, output_tokens=0, cost_usd=Decimal("0.003")),
)
OVERRIDDEN = CaseReport(
    ref="nonsense",
    title="Nonsense",
    category=Category.ZERO_CONDITION,
    verdict=Verdict.PASS,
    score=Decimal(85),
    judged_score=Decimal(60),
    rows=(Row(id="score", kind="score", verdict=Verdict.PASS, score=Decimal(85), spec=THRESHOLDS),),
    override={
        "score": 85.0,
        "judged_score": 60.0,
        "author": "jane@example.com",
        "timestamp": "2026-02-18T11:01:29+00:00",
        "reason": "Consistent across 10 runs",
    },
    notices=(Notice("the output holds invisible characters", "nonsense"),),
    output="I cannot help with that.",
)
SKIPPED = CaseReport(
    ref="later",
    title="Later",
    category=None,
    verdict=Verdict.SKIP,
    rows=(Row(id="score", kind="score", verdict=Verdict.SKIP, error="waits for the new price list"),),
)


@pytest.fixture
def suite() -> SuiteReport:
    """A prompt suite of five cases, one of each outcome."""
    return SuiteReport(
        name="support-reply",
        kind=SuiteKind.PROMPT,
        path=Path(".omniscitus/tests/prompts/support-reply/prompt-meta.yaml"),
        verdict=Verdict.ERROR,
        run_dir=RUN / "support-reply",
        cases=(PASSED, FAILED, ERRORED, OVERRIDDEN, SKIPPED),
        totals=Totals(cases=5, passed=2, failed=1, errored=1, skipped=1, overridden=1),
        usage=Usage(calls=4, cached=1, input_tokens=2900, output_tokens=60, cost_usd=Decimal("0.005")),
        notices=(Notice("judge unqualified"), *OVERRIDDEN.notices),
        judge=JudgeReport(model="openai:gpt-4o"),
    )


@pytest.fixture
def report(suite: SuiteReport) -> Report:
    """A run of that one suite."""
    return Report(verdict=Verdict.ERROR, exit_code=ExitCode.UNMEASURED, run_dir=RUN, suites=(suite,))
