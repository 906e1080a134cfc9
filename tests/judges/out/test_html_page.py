"""The HTML report: what is in it, and how it behaves in a real browser."""

import re
from base64 import b64encode
from dataclasses import replace
from decimal import Decimal
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from stored_run import store_report, store_suite

from judges.core.report import CaseReport, ModelSummary, Report, SuiteKind, SuiteReport, Totals
from judges.core.row import Notice, Row
from judges.core.usage import Usage
from judges.core.verdict import ExitCode, Verdict
from judges.out.html.page import render_html
from judges.run.reported import read_reported

SUMMARY = """\
<summary><span class="badge fail">FAIL</span> <span class="ref" dir="auto">angry-customer</span> \
<span class="title" dir="auto">Angry customer</span> <span class="score">69.96</span>\
<span class="why" dir="auto">Scored 65 on naturalness (threshold: 70)</span></summary>
"""
ROW = """\
<li><span class="badge fail">FAIL</span> <b>criteria.naturalness</b> <span class="score">65</span>\
<p dir="auto">Scored 65 on naturalness (threshold: 70)</p>\
<p dir="auto">level 14 of 21, weight 0.3, minimum 70</p>\
<p dir="auto"><i>reasoning</i> stiff</p></li>
"""


def render(*runs: Path, against: Path | None = None) -> str:
    return "".join(render_html([read_reported(run, against) for run in runs]))


@pytest.fixture
def run(report: Report, tmp_path: Path) -> Path:
    """The small report, stored as a run of a project."""
    return store_report(tmp_path, report)


def test_golden_pieces(run: Path) -> None:
    """The head of a case and a row of it, as they are written."""
    page = render(run)
    assert SUMMARY in page
    assert ROW in page


def test_what_the_page_tells(run: Path) -> None:
    """Verdicts, totals, cost, notices, the judge, spreads, categories, corrections, inputs and commands."""
    page = render(run)
    for text in (
        f"<title>ERROR {run.name}</title>",
        "5 cases: 1 errored, 1 failed, 2 passed, 1 skipped, 1 overridden",
        "4 calls, 1 from the cache, 2,900 tokens in, 60 out, 0.0050 USD",
        "<dt>Took</dt><dd>1.5 min</dd>",
        "judged by openai:gpt-4o (unqualified)",
        '<li dir="auto">the output holds invisible characters (nonsense)</li>',
        "3 cases with a score: mean 82.5, median 85, from 70 to 92.5",
        '<th scope="row">naturalness</th><td class="number">100</td>',
        '<th scope="row">zero condition</th><td class="number">1</td>',
        "Overridden by jane@example.com (to 85, judged 60): Consistent across 10 runs",
        '<dt>question</dt><dd dir="auto">How are you?</dd>',
        "<h5>Expected behavior</h5>",
        "Gladly, your refund is on its way.",
        f"<code>scaffold show {run.name} refund-in-time --json</code>",
        "element, output recorded, 1.2 s, 1 call, 900 tokens in, 60 out, 0.0020 USD",
    ):
        assert text in page, text


def test_the_worst_comes_first(run: Path) -> None:
    """Cases are in the order of their verdicts, then of the suite."""
    refs = re.findall(r'<span class="ref" dir="auto">(.*?)</span>', render(run))
    assert refs == ["no-reply", "angry-customer", "later", "refund-in-time", "nonsense"]


def test_the_policy_allows_nothing_but_the_style(run: Path) -> None:
    """The digest is that of the style, and there is no script, no style attribute and no address to load."""
    page = render(run)
    (style,) = re.findall(r"<style>(.*?)</style>", page, re.DOTALL)
    digest = b64encode(sha256(style.encode()).digest()).decode()
    (policy,) = re.findall(r'http-equiv="Content-Security-Policy" content="(.*?)"', page)
    assert policy == f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    assert re.findall(r"<script|style=|src=|url\(|@import|https?:", page) == []
    assert {href[0] for href in re.findall(r'href="(.*?)"', page)} == {"#"}


def make_suite(kind: SuiteKind, cases: tuple[CaseReport, ...], **more: Any) -> SuiteReport:
    return SuiteReport(
        name=kind.value,
        kind=kind,
        path=Path("suite"),
        verdict=Verdict.FAIL,
        run_dir=Path("runs/r") / kind.value,
        cases=cases,
        totals=Totals(cases=len(cases), failed=len(cases)),
        **more,
    )


def store(root: Path, *suites: SuiteReport, name: str = "20261130T131400Z-ab12") -> Path:
    report = Report(
        verdict=Verdict.FAIL, exit_code=ExitCode.FAILED, run_dir=Path("runs") / name, suites=suites
    )
    return store_report(root, report)


def make_case(ref: str, **more: Any) -> CaseReport:
    return CaseReport(ref=ref, title=ref, **{"category": None, "verdict": Verdict.FAIL, "rows": (), **more})


def test_a_fixture(tmp_path: Path) -> None:
    """Rows have their pass rates; each replica its verdict, result and rows."""
    row = Row(
        id="result.must_match",
        kind="result",
        verdict=Verdict.FAIL,
        actual_excerpt='result="BAD"',
        extra={"pass_count": 1, "runs": 2, "pass_rate": "1/2", "actual_excerpts": ['result="BAD"']},
    )
    merged = make_case("smoke", model="claude-a", rows=(row,))
    replicas = [
        replace(merged, verdict=verdict, output=output, rows=(replace(row, verdict=verdict, extra={}),))
        for verdict, output in ((Verdict.PASS, "STATUS: OK"), (Verdict.FAIL, "BAD"))
    ]
    suite = make_suite(SuiteKind.FIXTURE, (merged,))
    run = store(tmp_path, suite)
    numbers = iter((1, 2))
    store_suite(run / "fixture", suite, replicas, lambda case: {"replica": next(numbers)}, merged=True)
    page = render(run)
    assert '<b>result.must_match</b> <span class="score">1/2</span>' in page
    assert "pass_count" not in page
    assert re.findall(r'<span class="badge \w+">(\w+)</span> (replica \d)', page) == [
        ("PASS", "replica 1"),
        ("FAIL", "replica 2"),
    ]
    assert page.index("replica 1") < page.index("STATUS: OK") < page.index("replica 2") < page.index("\nBAD<")


def test_a_grid(tmp_path: Path) -> None:
    """Rates and uplift in a table, and a line on what tells nothing."""
    rates = [
        {"arm": arm, "model": "m", "mean": mean, "median": mean, "interval": [10, 90]}
        for arm, mean in (("old", 50.0), ("new", 75.0))
    ]
    summary = {
        "control": "old",
        "rates": rates,
        "uplift": [{"arm": "new", "model": "m", "mean": 25.0, "interval": None}],
        "flat_tasks": [{"task": "typo", "outcome": "right"}],
        "tasks": 4,
        "out_of_enum": [],
    }
    page = render(store(tmp_path, make_suite(SuiteKind.GRID, (make_case("old/m/typo"),), summary=summary)))
    assert (
        '<th scope="row">new</th><td>m</td><td class="number">75 %</td><td class="number">75 %</td>' in page
    )
    assert (
        '<td class="number">10 to 90</td><td class="number">+25</td><td class="number">unknown</td>' in page
    )
    assert "1 of 4 tasks tell no arm or model from another (always right: typo)" in page


def test_both_outputs_of_a_case(tmp_path: Path) -> None:
    """A comparison shows both arms; a regression the accepted output, or why there is none."""
    said = {"error": None, "source": "recorded"}
    arms = {
        "pair": {"a": {"output": "one", **said}, "b": {"output": "other", **said}},
        "new": {"baseline": {"output": "accepted", **said}},
        "first": {"baseline": {"output": None, "error": "there is no baseline yet", "source": "baseline"}},
    }
    cases = tuple(make_case(ref, output="now") for ref in arms)
    suite = make_suite(SuiteKind.PROMPT, cases)
    run = store(tmp_path, suite)
    store_suite(run / "prompt", suite, cases, lambda case: {"arms": arms[case.ref]})
    found = re.findall(r"<h5>(.*?)</h5>\n<pre dir=\"auto\">\n(.*?)</pre>", render(run))
    assert [each for each in found if "utput" in each[0]] == [
        ("Output of a", "one"),
        ("Output of b", "other"),
        ("Output", "now"),
        ("Output of the baseline", "accepted"),
        ("Output", "now"),
        ("No output of the baseline", "there is no baseline yet"),
    ]


def test_models_side_by_side(tmp_path: Path) -> None:
    """Several models have a table, and their names beside the cases."""
    models = {
        name: ModelSummary(totals=Totals(cases=1, failed=1), mean_score=Decimal(40), output_usage=Usage())
        for name in ("m1", "m2")
    }
    cases = tuple(make_case("same", model=name) for name in models)
    page = render(store(tmp_path, make_suite(SuiteKind.PROMPT, cases, models=models)))
    assert '<th scope="row">m2</th><td>1 failed</td><td class="number">40</td>' in page
    assert page.count('<span class="title">m1</span>') == 1


def test_long_texts_are_cut(tmp_path: Path) -> None:
    """The page says how much is left out, and which command prints the whole."""
    case = make_case("it's long", output="x" * 25_000)
    page = render(store(tmp_path, make_suite(SuiteKind.PROMPT, (case,))))
    assert "x" * 20_000 + '<span class="faint"> … cut: 5,000 more characters</span></pre>' in page
    assert "x" * 20_001 not in page
    shown = "scaffold show 20261130T131400Z-ab12 &#39;it&#39;&#34;&#39;&#34;&#39;s long&#39; --json"
    assert f"<code>{shown}</code>" in page


def test_many_inputs(tmp_path: Path) -> None:
    """The first fifty variables are shown, and how many more there are."""
    case = make_case("wide")
    suite = make_suite(SuiteKind.PROMPT, (case,))
    run = store(tmp_path, suite)
    record = {"input": {f"name {at}": {"n": at} for at in range(60)}}
    store_suite(run / "prompt", suite, (case,), lambda case: record)
    page = render(run)
    assert '<dt>name 49</dt><dd dir="auto">{&#34;n&#34;: 49}</dd>' in page
    assert "<dt>name 50</dt>" not in page
    assert "<dt>and 10 more</dt>" in page


def test_texts_stay_as_they_are(tmp_path: Path) -> None:
    """Line ends at the start are kept, and what is invisible or reorders is shown as an escape."""
    output = "\n\nfirst \u202etfel\u202c \ufeff\x00\x1b[0m \ud83d & <b> ##[error] \r\nlast\r"
    page = render(store(tmp_path, make_suite(SuiteKind.PROMPT, (make_case("odd", output=output),))))
    shown = (
        '<pre dir="auto">\n\n\nfirst \\u202etfel\\u202c \\ufeff\\x00\\x1b[0m \\ud83d &amp; &lt;b&gt; '
        "\\x23#[error] \nlast\\r</pre>"
    )
    assert shown in page
    assert page.encode("utf-8")


def test_notices_are_shown_once_and_not_without_end(tmp_path: Path) -> None:
    """Of more than fifty different ones the rest is counted."""
    notices = tuple(Notice(f"remark {at}", "a") for at in range(60)) * 2
    page = render(store(tmp_path, make_suite(SuiteKind.PROMPT, (make_case("a"),), notices=notices)))
    assert page.count("remark 49 (a, a)") == 1
    assert "remark 50" not in page
    assert "… and 10 more notices" in page


def test_a_suite_without_cases(tmp_path: Path) -> None:
    """Nothing to show is no mistake."""
    assert "<h4>Cases</h4>" in render(store(tmp_path, make_suite(SuiteKind.PROMPT, ())))


def changed(suite: SuiteReport, **more: Any) -> SuiteReport:
    """The suite with another result of its first case."""
    first, *rest = suite.cases
    return replace(suite, cases=(replace(first, **more), *rest))


def test_what_changed_since_another_run(run: Path, suite: SuiteReport, tmp_path: Path) -> None:
    """How each score moved, the verdicts that changed, and the mark at the case."""
    name = "20261201T131400Z-cd34"
    now = changed(suite, verdict=Verdict.FAIL, score=Decimal(40))
    later = store_report(
        tmp_path,
        Report(
            verdict=Verdict.FAIL,
            exit_code=ExitCode.FAILED,
            run_dir=run.parent / name,
            suites=(now,),
        ),
    )
    page = render(later, against=run)
    assert f"<h4>Since run {run.name}</h4>" in page
    assert "1 case with another verdict." in page
    assert (
        '<td><span class="badge pass">PASS</span> 92.5</td><td><span class="badge fail">FAIL</span> 40</td>'
        in page
    )
    assert '<span class="mark">was PASS 92.5</span>' in page
    assert page.count(' changed" id=') == 1
    assert '<th scope="row">total</th><td class="number">3</td><td class="number">-17.5</td>' in page
