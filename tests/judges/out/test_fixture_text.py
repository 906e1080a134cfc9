"""Fixtures in the table and on their own, at 80 columns."""

from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

from judges.core.report import CaseReport, Report, SuiteKind, SuiteReport, Totals
from judges.core.row import Notice, Row
from judges.core.usage import Usage
from judges.core.verdict import ExitCode, Verdict
from judges.out.fixture_text import ReplicaView, render_fixture
from judges.out.table import render_table

RUN = Path(".omniscitus/runs/20261130T131400Z-ab12")
LONG = "…text before " + "x" * 30 + " the part that must not be there and what comes after it " + "y" * 150
FACTS: dict[str, Any] = {
    "elapsed_ms": 12345,
    "exit": 0,
    "signal": None,
    "timed_out": False,
    "cost_usd": 0.0123,
    "denials": [],
}


def row(
    name: str, verdict: Verdict, rate: str = "", *found: str, error: str | None = None, **spec: Any
) -> Row:
    extra = (
        {"pass_count": int(rate[0]), "runs": 3, "pass_rate": rate, "actual_excerpts": list(found)}
        if rate
        else {}
    )
    shown = found[0] if found else ""
    return Row(id=name, kind=name, verdict=verdict, actual_excerpt=shown, spec=spec, error=error, extra=extra)


def case(*rows: Row, verdict: Verdict = Verdict.FAIL, **more: Any) -> CaseReport:
    return CaseReport(ref="demo", title="What it probes", category=None, verdict=verdict, rows=rows, **more)


FAILED = case(
    row("run.completed", Verdict.PASS, "3/3"),
    row(
        "views.assistant_text.must_not_include[0]",
        Verdict.FAIL,
        "1/3",
        LONG,
        "another",
        pattern="part",
        case_sensitive=True,
    ),
    row("tool_calls.order", Verdict.FAIL, "0/3", "expected subsequence=[Read,Write] observed=[Write]"),
    row("result.must_match", Verdict.PASS, "2/3", 'result="no"'),
    model="claude-haiku-4-5",
    usage=Usage(calls=3, cost_usd=Decimal("0.0369")),
)
LOST = case(
    *(
        row(name, Verdict.ERROR, "0/3", "cut", error="0 passed of 2 needed: cut")
        for name in ("run.completed", "a", "b")
    ),
    verdict=Verdict.ERROR,
)
SKIPPED = case(
    *(row(name, Verdict.SKIP, error="not enabled") for name in ("run.completed", "a")), verdict=Verdict.SKIP
)


def report(each: CaseReport, **totals: int) -> Report:
    suite = SuiteReport(
        name="demo",
        kind=SuiteKind.FIXTURE,
        path=Path("demo.fixture.md"),
        verdict=each.verdict,
        run_dir=RUN / "demo",
        cases=(each,),
        totals=Totals(cases=1, **totals),
        usage=each.usage,
    )
    return Report(verdict=each.verdict, exit_code=ExitCode.FAILED, run_dir=RUN, suites=(suite,))


def test_the_table_has_a_line_for_each_row() -> None:
    """What failed comes first, every row tells how many replicas passed it, excerpts are cut and wrapped."""
    text = render_table(report(FAILED, failed=1), width=80)
    assert (
        text
        == """\
demo (fixture)

verdict    row                     passed    why
---------  ----------------------  --------  -----------------------------------
FAIL       views.assistant_text.m  1/3       …text before
           ust_not_include[0]                xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx the
                                             part that must not be there and
                                             what comes after it yyyyyyyyyyyyyyy
                                             yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy
                                             yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy
                                             yyyyyyyyyyyyyy…
                                             another
FAIL       tool_calls.order        0/3       expected subsequence=[Read,Write]
                                             observed=[Write]
PASS       run.completed           3/3
PASS       result.must_match       2/3

FAIL  demo, 4 rows of 3 replicas: 2 failed, 2 passed

3 calls, 0.0369 USD
Run:  .omniscitus/runs/20261130T131400Z-ab12
Next: scaffold show 20261130T131400Z-ab12 demo
"""
    )
    assert max(map(len, text.splitlines())) <= 80


def test_rows_that_share_a_reason_share_a_line() -> None:
    """What kept all of them from being measured, or run, is said once."""
    lost = render_table(report(LOST, errored=1), width=80).splitlines()
    assert [" ".join(line.split()) for line in lines_of(lost)] == [
        "ERROR run.completed, a, b 0/3 0 passed of 2 needed: cut",
    ]
    skipped = render_table(report(SKIPPED, skipped=1), width=80).splitlines()
    assert [" ".join(line.split()) for line in lines_of(skipped)] == ["SKIP run.completed, a not enabled"]
    assert "SKIP  demo, 2 rows: 2 skipped" in skipped


def lines_of(text: list[str]) -> list[str]:
    return text[4 : text.index("", 4)]


def test_several_models_have_their_rows_side_by_side() -> None:
    """Each line names its model."""
    other = replace(FAILED, model="claude-b")
    both = report(FAILED, failed=1)
    suite = replace(both.suites[0], cases=(FAILED, other), totals=Totals(cases=2, failed=2))
    text = render_table(replace(both, suites=(suite,)), width=100)
    assert (text.count("[claude-haiku-4-5]"), text.count("[claude-b]")) == (4, 4)
    assert "FAIL  demo, 8 rows of 3 replicas: 4 failed, 4 passed" in text


def test_narrow_terminals_get_a_list() -> None:
    """Below 60 columns rows stand one below the other, with their rates."""
    text = render_table(report(FAILED, failed=1), width=50)
    assert "\nFAIL  tool_calls.order  0/3\n      expected subsequence=[Read,Write]\n" in text
    assert max(map(len, text.splitlines()[:-2])) <= 50


def test_a_fixture_whole() -> None:
    """Rows with rates and what was wrong, then the replicas, remarks, what it took, and what to do next."""
    first = case(
        replace(row("run.completed", Verdict.PASS), extra={**FACTS, "denials": ["Bash", "Write", "Bash"]}),
        row("tool_calls.order", Verdict.FAIL, "", "expected"),
        replace(
            row("semantic.fine", Verdict.PASS), kind="semantic", extra={"reasoning": "It is \x1b[2Jfine."}
        ),
    )
    killed = {**FACTS, "exit": None, "signal": "SIGKILL", "cost_usd": None}
    cut = case(
        replace(row("run.completed", Verdict.ERROR, error="the client was ended by SIGKILL"), extra=killed),
        row("tool_calls.order", Verdict.ERROR, error="the client was ended by SIGKILL"),
        verdict=Verdict.ERROR,
    )
    unrun = case(row("run.completed", Verdict.SKIP, error="not started"), verdict=Verdict.SKIP)
    views = [
        ReplicaView(number, RUN / f"demo/r{number}", each)
        for number, each in enumerate((first, cut, unrun), 1)
    ]
    whole = replace(
        FAILED,
        rows=(FAILED.rows[2], replace(row("semantic.fine", Verdict.PASS, "2/3"), kind="semantic")),
        notices=(Notice("r3 not started"),),
    )
    assert (
        render_fixture(whole, views, run="20261130T131400Z-ab12", width=80)
        == """\
FAIL  demo
What it probes
0 of 3 replicas passed every row, model claude-haiku-4-5

Rows
  FAIL  tool_calls.order  0/3
      expected subsequence=[Read,Write] observed=[Write]
  PASS  semantic.fine  2/3

Replicas
  FAIL  r1: 12.3 s, 0.0123 USD, exit 0
      permission denied: Bash (2 times), Write
      tool_calls.order: expected
      semantic.fine: PASS, It is \\x1b[2Jfine.
      .omniscitus/runs/20261130T131400Z-ab12/demo/r1
  ERROR  r2: 12.3 s, cost unknown, SIGKILL
      the client was ended by SIGKILL
      .omniscitus/runs/20261130T131400Z-ab12/demo/r2
  SKIP  r3
      not started

Notices
  r3 not started

Usage
  3 calls, 0.0369 USD

To look deeper
  scaffold show 20261130T131400Z-ab12 demo --prompt  what judges saw and said
  less .omniscitus/runs/20261130T131400Z-ab12/demo/r1/stream.jsonl  the session, event by event
  scaffold grade 20261130T131400Z-ab12  grade again, as the fixture is now
"""
    )
