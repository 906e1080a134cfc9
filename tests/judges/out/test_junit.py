"""A run as JUnit XML, read back by a parser of its own."""

import tracemalloc
from dataclasses import replace
from pathlib import Path

import pytest
from hardening import breaches
from hypothesis import given
from hypothesis import strategies as st
from junitparser import Error, Failure, JUnitXml, Skipped, TestCase, TestSuite
from junitparser.junitparser import Properties
from streamed_cases import StreamedCases

from judges.core.report import CaseReport, ModelSummary, Report, SuiteKind, SuiteReport, Totals
from judges.core.row import Row
from judges.core.usage import Usage
from judges.core.verdict import ExitCode, Verdict
from judges.out.junit import render_junit

STRICT = frozenset((Verdict.FAIL, Verdict.ERROR, Verdict.WARN, Verdict.INCONCLUSIVE))
anything = st.text(st.characters(exclude_categories=()))


def read(report: Report, failing: frozenset[Verdict] = STRICT) -> JUnitXml:
    """Return the run as a CI server reads it."""
    return JUnitXml.fromstring("".join(render_junit(report, failing)).encode("utf-8"))


def properties(element: TestCase | TestSuite) -> dict[str, str]:
    found = element.child(Properties)
    return {each.name: each.value for each in found}


def one_suite(*rows: Row, **changes: object) -> Report:
    """A run of one suite with one case of these rows."""
    case = CaseReport(ref="c", title="C", category=None, verdict=Verdict.PASS, rows=rows)
    suite = SuiteReport(
        name="s",
        kind=SuiteKind.PROMPT,
        path=Path("s.yaml"),
        verdict=max((row.verdict for row in rows), default=Verdict.PASS, key=list(STRICT).count),
        run_dir=Path("r/s"),
        cases=(case,),
        totals=Totals(cases=1, passed=1),
    )
    suite = replace(suite, **changes)  # type: ignore[arg-type]
    return Report(verdict=suite.verdict, exit_code=ExitCode.PASSED, run_dir=Path("r"), suites=(suite,))


def test_every_row_is_a_testcase(report: Report) -> None:
    """The names are the rows' ids and the cases' refs; the counts are those of the rows."""
    root = read(report)
    (suite,) = root
    assert (root.tests, root.failures, root.errors, root.skipped) == (7, 2, 1, 1)
    assert (suite.name, suite.tests, suite.failures, suite.errors, suite.skipped) == (
        "support-reply",
        7,
        2,
        1,
        1,
    )
    assert [(each.classname, each.name, [type(found) for found in each.result]) for each in suite] == [
        ("support-reply.refund-in-time", "criteria.naturalness", []),
        ("support-reply.refund-in-time", "score", []),
        ("support-reply.angry-customer", "criteria.naturalness", [Failure]),
        ("support-reply.angry-customer", "score", [Failure]),
        ("support-reply.no-reply", "score", [Error]),
        ("support-reply.nonsense", "score", []),
        ("support-reply.later", "score", [Skipped]),
    ]


def test_what_is_said(report: Report) -> None:
    """Run, judge and cost on the suite; score and cost on the rows; why, and the output once a case."""
    (suite,) = read(report)
    first, _, criterion, score, error, corrected, skipped = suite
    assert properties(suite) == {
        "run": "20261130T131400Z-ab12",
        "kind": "prompt",
        "verdict": "ERROR",
        "judge": "openai:gpt-4o",
        "cost_usd": "0.005",
    }
    assert properties(first) == {"score": "100", "case_cost_usd": "0.002", "verdict": "PASS"}
    assert properties(score) == {"score": "69.96", "verdict": "WARN"}
    assert criterion.result[0].message == "Scored 65 on naturalness (threshold: 70)"
    assert criterion.result[0].type == "FAIL"
    assert criterion.result[0].text.splitlines() == [
        "Scored 65 on naturalness (threshold: 70)",
        "level 14 of 21, weight 0.3, minimum 70",
        "reasoning: stiff",
        "case: Angry customer",
        "output: We regret.",
    ]
    assert "output:" not in score.result[0].text
    assert error.result[0].message == "the judge refused to answer"
    assert skipped.result[0].message == "waits for the new price list"
    assert properties(corrected)["overridden"] == "true"
    assert corrected.system_out.splitlines()[-1] == (
        "Overridden by jane@example.com (to 85, judged 60): Consistent across 10 runs"
    )


@pytest.mark.parametrize(
    ("verdict", "failing", "expected"),
    [
        pytest.param(Verdict.PASS, STRICT, None, id="pass"),
        pytest.param(Verdict.FAIL, STRICT, "failure", id="fail"),
        pytest.param(Verdict.ERROR, STRICT, "error", id="error"),
        pytest.param(Verdict.SKIP, STRICT, "skipped", id="skip"),
        pytest.param(Verdict.WARN, STRICT, "failure", id="warn fails the run"),
        pytest.param(Verdict.WARN, STRICT - {Verdict.WARN}, "system-out", id="warn is allowed"),
        pytest.param(Verdict.INCONCLUSIVE, STRICT, "failure", id="inconclusive fails the run"),
        pytest.param(
            Verdict.INCONCLUSIVE, STRICT - {Verdict.INCONCLUSIVE}, "system-out", id="inconclusive is allowed"
        ),
    ],
)
def test_verdicts(verdict: Verdict, failing: frozenset[Verdict], expected: str | None) -> None:
    """A verdict is what the exit code makes of it; what is allowed passes, and says why it is remarkable."""
    report = one_suite(Row(id="r", kind="r", verdict=verdict, error="why"), verdict=verdict)
    (suite,) = read(report, failing)
    (case,) = suite
    assert [child.tag for child in case._elem][1:] == ([expected] if expected else [])
    assert "why" in "".join(case._elem.itertext()) or expected is None
    assert properties(case)["verdict"] == verdict.value


def test_replicas_are_named_with_their_rate() -> None:
    """A row of several replicas says how many passed; one of a single replica does not."""
    rows = (
        Row(id="run.completed", kind="run", verdict=Verdict.PASS, extra={"runs": 3, "pass_rate": "2/3"}),
        Row(id="result", kind="result", verdict=Verdict.PASS, extra={"runs": 1, "pass_rate": "1/1"}),
    )
    (suite,) = read(one_suite(*rows))
    assert [(case.name, properties(case)["pass_rate"]) for case in suite] == [
        ("run.completed (2/3)", "2/3"),
        ("result", "1/1"),
    ]


def test_models_have_names_of_their_own() -> None:
    """Where a case is run with several models, no two testcases share a name."""
    row = Row(id="score", kind="score", verdict=Verdict.PASS)
    case = CaseReport(ref="c", title="C", category=None, verdict=Verdict.PASS, rows=(row,))
    summary = ModelSummary(totals=Totals(), mean_score=None, output_usage=Usage())
    cases = (replace(case, model="openai:a"), replace(case, model="openai:b"))
    (suite,) = read(one_suite(cases=cases, models={"openai:a": summary, "openai:b": summary}))
    assert [(each.classname, properties(each)["model"]) for each in suite] == [
        ("s.c [openai:a]", "openai:a"),
        ("s.c [openai:b]", "openai:b"),
    ]


@pytest.mark.parametrize(
    ("changes", "kind", "text"),
    [
        pytest.param(
            {
                "verdict": Verdict.FAIL,
                "summary": {"pass_rate": 75.0, "threshold": 80, "warn_rate": 0, "interval": None},
            },
            Failure,
            "75 % pass; 80 % must",
            id="a rate that is too low",
        ),
        pytest.param(
            {"verdict": Verdict.ERROR}, Error, "the verdict of the suite is ERROR", id="cases missing"
        ),
    ],
)
def test_what_no_row_shows(changes: dict[str, object], kind: type, text: str) -> None:
    """A suite that fails though its rows pass has a testcase that fails, as the exit code does."""
    (suite,) = read(one_suite(Row(id="r", kind="r", verdict=Verdict.PASS), **changes))
    decision, row = suite
    assert (decision.name, decision.classname, row.name, suite.tests) == ("suite", "s", "r", 2)
    assert [type(found) for found in decision.result] == [kind]
    assert decision.result[0].message == text


def test_a_rate_that_is_reached_says_so() -> None:
    """A case may fail in a suite that passes; the suite's own testcase passes, and says by what."""
    summary = {"pass_rate": 75.0, "threshold": 60, "warn_rate": 0, "interval": None}
    row = Row(id="r", kind="r", verdict=Verdict.FAIL, actual_excerpt="no")
    (suite,) = read(one_suite(row, verdict=Verdict.PASS, summary=summary))
    decision, failed = suite
    assert (decision.is_passed, decision.system_out, failed.is_failure) == (
        True,
        "75 % pass; 60 % must",
        True,
    )


@given(anything)
def test_any_text_stays_in_its_place(text: str) -> None:
    """Whatever a model or an author writes, the file is XML of this shape, and says it."""
    row = Row(
        id=text, kind=text, verdict=Verdict.FAIL, error=text, extra={"reasoning": text, "pass_rate": text}
    )
    case = CaseReport(
        ref=text, title=text, category=None, verdict=Verdict.FAIL, rows=(row, row), output=text, model=text
    )
    report = one_suite(cases=(case,), name=text, verdict=Verdict.FAIL)
    xml = "".join(render_junit(report, STRICT))
    assert list(breaches.junit(xml, 2)) == []
    (suite,) = JUnitXml.fromstring(xml.encode("utf-8"))
    names = {each.name for each in suite}
    if text.isprintable() and text == " ".join(text.split()) and "##" not in text:
        assert names == {text}


def test_a_total_that_is_too_low_says_why(report: Report) -> None:
    """The first row that did not pass has what the judge said of every criterion."""
    (suite,) = report.suites
    case = replace(suite.cases[0], rows=(replace(suite.cases[0].rows[1], verdict=Verdict.FAIL),))
    (read_suite,) = read(replace(report, suites=(replace(suite, verdict=Verdict.FAIL, cases=(case,)),)))
    (score,) = read_suite
    assert score.result[0].text.splitlines()[-3:] == [
        "case: Refund in time",
        "naturalness 100: fluent",
        "output: Gladly, your refund is on its way.",
    ]


def test_long_texts_are_cut() -> None:
    """No text of a model makes the file unreadable for a server that reads it whole."""
    row = Row(id="r", kind="r", verdict=Verdict.FAIL, error="x" * 100_000, extra={"reasoning": "y" * 100_000})
    assert len("".join(render_junit(one_suite(row, verdict=Verdict.FAIL), STRICT))) < 15_000


def failed(number: int) -> CaseReport:
    row = Row(id="score", kind="score", verdict=Verdict.FAIL, actual_excerpt="no")
    return CaseReport(
        ref=f"c{number}", title="C", category=None, verdict=Verdict.FAIL, rows=(row,), output="x" * 5000
    )


def test_cases_are_not_held() -> None:
    """Five thousand failures are written within a megabyte of memory."""
    chunks = render_junit(one_suite(cases=StreamedCases(5000, failed), verdict=Verdict.FAIL), STRICT)
    tracemalloc.start()
    try:
        written = sum(len(chunk) for chunk in chunks)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert (written > 10_000_000, peak < 1_000_000) == (True, True)
