"""The JSON report: its exact shape, and that it is streamed."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

import pytest
from pydantic import BaseModel, ConfigDict
from streamed_cases import StreamedCases

from judges.core.report import Report, SuiteReport
from judges.core.row import Notice
from judges.out.json_report import render_json

GOLDEN = Path(__file__).parent / "golden" / "report.json"
VerdictText = Literal["PASS", "WARN", "FAIL", "ERROR", "INCONCLUSIVE", "SKIP"]


class Strict(BaseModel):
    """An object of exactly these keys: the contract with other tools, written a second time on purpose."""

    model_config = ConfigDict(extra="forbid", strict=True)


class NoticeShape(Strict):
    text: str
    ref: str | None


class UsageShape(Strict):
    calls: int
    cached: int
    input_tokens: int
    output_tokens: int
    cost_usd: float | None


class TotalsShape(Strict):
    cases: int
    passed: int
    warned: int
    failed: int
    errored: int
    inconclusive: int
    skipped: int
    overridden: int


class RowShape(BaseModel):
    model_config = ConfigDict(extra="allow", strict=True)

    id: str
    kind: str
    verdict: VerdictText
    score: float | None
    actual_excerpt: str | None
    spec: dict[str, Any]
    error: str | None


class CriterionShape(Strict):
    level: int | None
    percent: float
    reasoning: str | None
    confidence: float | None


class ModelShape(Strict):
    totals: TotalsShape
    mean_score: float | None
    output_usage: UsageShape


class StabilityShape(Strict):
    asked: int
    flips: int
    agreement: float | None


class CaseShape(Strict):
    ref: str
    title: str
    category: Literal["element", "mixed", "edge", "zero_condition"] | None
    model: str | None
    verdict: VerdictText
    score: float | None
    judged_score: float | None
    criteria: dict[str, CriterionShape]
    rows: list[RowShape]
    override: dict[str, Any] | None
    stability: StabilityShape | None
    notices: list[NoticeShape]
    usage: UsageShape
    output_usage: UsageShape
    output: str | None
    outputs: dict[Literal["a", "b"], str | None]


class JudgeShape(Strict):
    model: str
    qualified: bool | None
    n: int | None
    accuracy: float | None
    low: float | None
    high: float | None


class SuiteShape(Strict):
    name: str
    kind: Literal["prompt", "fixture", "grid"]
    path: str
    verdict: VerdictText
    run_dir: str
    totals: TotalsShape
    usage: UsageShape
    models: dict[str, ModelShape]
    summary: dict[str, Any]
    judge: JudgeShape | None
    notices: list[NoticeShape]
    cases: list[CaseShape]


class ReportShape(Strict):
    schema_: Literal[1]
    verdict: VerdictText
    exit_code: Literal[0, 1, 2, 3, 4, 70, 130]
    run_dir: str
    totals: TotalsShape
    usage: UsageShape
    notices: list[NoticeShape]
    suites: list[SuiteShape]

    model_config = ConfigDict(alias_generator=lambda name: name.rstrip("_"))


def render(report: Report) -> str:
    """Return the whole report as text."""
    return "".join(render_json(report))


def test_the_report_is_exactly_the_golden_file(report: Report) -> None:
    """A change of one byte that other tools would read is seen here."""
    assert render(report) == GOLDEN.read_text("utf-8")


def test_the_report_has_the_promised_keys(report: Report) -> None:
    """Every object has all of its keys and values of their kinds."""
    ReportShape.model_validate_json(render(report))


def test_several_suites_are_one_list(report: Report, suite: SuiteReport) -> None:
    """Totals are the sum, and each suite keeps its own."""
    data = json.loads(render(replace(report, suites=(suite, replace(suite, name="second", cases=())))))
    assert [(each["name"], len(each["cases"])) for each in data["suites"]] == [
        ("support-reply", 5),
        ("second", 0),
    ]
    assert data["totals"]["cases"] == 10


def test_a_run_of_nothing_is_valid(report: Report) -> None:
    """No suite gives an empty list, not broken text."""
    assert json.loads(render(replace(report, suites=())))["suites"] == []


@pytest.mark.parametrize(
    "text",
    ['"}],{', "한국어 👍", "half \ud83d", "</script>", "\x00\x1b[31m", "\u2028", "NaN", "\\"],
    ids=ascii,
)
def test_any_text_survives(report: Report, suite: SuiteReport, text: str) -> None:
    """What a model wrote comes back as it was, and can be written as UTF-8."""
    case = replace(suite.cases[0], output=text, title=text, notices=(Notice(text),))
    rendered = render(replace(report, suites=(replace(suite, cases=(case,)),)))
    assert json.loads(rendered.encode("utf-8"))["suites"][0]["cases"][0]["output"] == text


def test_cases_are_read_as_the_text_is_taken(report: Report, suite: SuiteReport) -> None:
    """A run of any size is written without being held."""
    cases = StreamedCases(10_000, lambda _: suite.cases[0])
    chunks = render_json(replace(report, suites=(replace(suite, cases=cases),)))
    taken = [next(chunks) for _ in range(12)]
    assert len(taken) == 12
    assert 0 < cases.read < 12
    sum(1 for _ in chunks)
    assert cases.read == 10_000
