"""The text after a run."""

import sys
from collections.abc import Iterable
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judges.core.report import CaseReport, Report, SuiteKind, SuiteReport, Totals
from judges.core.row import Notice, Row
from judges.core.usage import Usage
from judges.core.verdict import ExitCode, Verdict
from judges.out.fit import columns
from judges.out.table import render_table

WHOLE = """\
support-reply (prompt)

verdict    case            score    why
---------  --------------  -------  --------------------------------------------------------------------
ERROR      no-reply                 the judge refused to answer
FAIL       angry-customer  69.96    Scored 65 on naturalness (threshold: 70)
                                    Scored 69.96 in total (threshold: 70)
SKIP       later                    waits for the new price list
PASS       refund-in-time  92.5
PASS       nonsense        85       Overridden by jane@example.com (to 85, judged 60): Consistent across
                                    10 runs

note: judge unqualified
note: the output holds invisible characters (nonsense)
ERROR  support-reply, 5 cases: 1 errored, 1 failed, 2 passed, 1 skipped, 1 overridden

4 calls, 1 from the cache, 2,900 tokens in, 60 out, 0.0050 USD
Run:  .omniscitus/runs/20261130T131400Z-ab12
Next: scaffold show 20261130T131400Z-ab12 no-reply
"""
NARROW = """\
support-reply (prompt)

ERROR  no-reply
      the judge refused to answer
FAIL  angry-customer  69.96
      Scored 65 on naturalness
      (threshold: 70)
      Scored 69.96 in total (threshold:
      70)
"""


def make_case(ref: str, verdict: Verdict, *reasons: str) -> CaseReport:
    """Return a case of that verdict, with a row for each reason."""
    rows = tuple(Row(id="score", kind="score", verdict=verdict, actual_excerpt=reason) for reason in reasons)
    return CaseReport(ref=ref, title=ref, category=None, verdict=verdict, rows=rows)


def make_report(cases: Iterable[CaseReport], totals: Totals) -> Report:
    """Return the report of one suite of these cases."""
    run = Path(".omniscitus/runs/R")
    suite = SuiteReport(
        name="s",
        kind=SuiteKind.PROMPT,
        path=Path("s.yaml"),
        verdict=Verdict.FAIL,
        run_dir=run / "s",
        cases=tuple(cases),
        totals=totals,
    )
    return Report(verdict=Verdict.FAIL, exit_code=ExitCode.FAILED, run_dir=run, suites=(suite,))


def test_a_small_suite_is_shown_whole_and_worst_first(report: Report) -> None:
    """The whole text, as a person sees it."""
    assert render_table(report, width=104) == WHOLE


def test_a_narrow_terminal_gets_a_list(report: Report) -> None:
    """Below 60 columns the cases stand one below the other, with all their words."""
    assert render_table(report, width=40).startswith(NARROW)


def test_a_large_suite_shows_only_what_did_not_pass() -> None:
    """Thousands of passes are a number; what is left out is counted and can be seen."""
    cases = [
        *(make_case(f"pass-{n}", Verdict.PASS) for n in range(4900)),
        *(make_case(f"warn-{n}", Verdict.WARN, "thin") for n in range(30)),
        *(make_case(f"fail-{n}", Verdict.FAIL, "bad") for n in range(60)),
        *(make_case(f"skip-{n}", Verdict.SKIP) for n in range(9)),
        make_case("error", Verdict.ERROR, "down"),
    ]
    totals = Totals(cases=5000, passed=4900, warned=30, failed=60, skipped=9, errored=1)
    text = render_table(make_report(cases, totals), width=80)
    shown = [line.split()[1] for line in text.splitlines()[4:54]]
    assert shown == ["error", *(f"fail-{n}" for n in range(49))]
    assert text.splitlines()[54] == "… and 50 more: scaffold show R"
    assert "FAIL  s, 5,000 cases: 1 errored, 60 failed, 30 warned, 4,900 passed, 9 skipped" in text


def test_a_large_suite_that_passes_has_no_table() -> None:
    """Nothing to look at is one line."""
    cases = [make_case(f"{n}", Verdict.PASS) for n in range(21)]
    text = render_table(make_report(cases, Totals(cases=21, passed=21)), width=80)
    assert text.splitlines() == [
        "s (prompt)",
        "",
        "FAIL  s, 21 cases: 21 passed",
        "",
        "0 calls, 0.00 USD",
        "Run:  .omniscitus/runs/R",
        "Next: scaffold show R",
    ]


def test_the_limit_is_the_callers() -> None:
    """Whoever asks for all gets all."""
    cases = [make_case(f"fail-{n}", Verdict.FAIL, "bad") for n in range(300)]
    report = make_report(cases, Totals(cases=300, failed=300))
    assert "more: scaffold show" not in render_table(report, width=80, limit=300)
    assert "… and 299 more: scaffold show R\n" in render_table(report, width=80, limit=1)


def test_cases_that_could_not_be_measured_share_a_line() -> None:
    """What one cause did to a thousand cases is said once; the other causes are not pushed off the screen.

    A model is named where there are several, and none for a recorded output.
    """
    cases = [
        *(make_case(f"c{n}", Verdict.ERROR, "the key was refused", "no total") for n in range(1000)),
        make_case("odd", Verdict.ERROR, "cut off"),
        *(replace(make_case(f"m{n}", Verdict.ERROR, "cut off"), model="gpt-x") for n in range(3)),
        replace(make_case("n", Verdict.ERROR, "cut off"), model="gpt-y"),
        make_case("f", Verdict.FAIL, "bad"),
    ]
    text = render_table(make_report(cases, Totals(cases=1006, errored=1005, failed=1)), width=80)
    assert [" ".join(line.split()) for line in text.splitlines()[4:12]] == [
        "ERROR c0, c1, c2, c3, c4 and 995 more the key was refused",
        "no total",
        "ERROR odd cut off",
        "ERROR m0, m1, m2 cut off",
        "[gpt-x]",
        "ERROR n cut off",
        "[gpt-y]",
        "FAIL f bad",
    ]
    assert "more: scaffold show" not in text
    whole = render_table(make_report(cases, Totals(cases=1006, errored=1004)), width=80, limit=sys.maxsize)
    assert all(f"c{n}" in whole for n in range(1000))


def test_cases_that_were_skipped_for_the_same_reason_share_a_line() -> None:
    """A large suite of which nothing was run says why, once. What was judged, all the same, has its score."""
    row = Row(id="score", kind="score", verdict=Verdict.SKIP, error="not recorded")
    cases = [replace(make_case(f"c{n}", Verdict.SKIP), rows=(row,)) for n in range(40)]
    text = render_table(make_report(cases, Totals(cases=40, skipped=40)), width=80)
    assert text.splitlines()[4:6] == ["SKIP       c0, c1, c2, c3, c4 and 35 more  not recorded", ""]
    judged = [replace(case, score=Decimal(90)) for case in cases]
    text = render_table(make_report(judged, Totals(cases=40, skipped=40)), width=80)
    assert [line.split()[1] for line in text.splitlines()[4:44]] == [f"c{n}" for n in range(40)]


def test_a_grid_of_which_nothing_was_run_has_no_figures() -> None:
    """Where there are none, no room is left for them."""
    row = Row(id="score", kind="score", verdict=Verdict.SKIP, error="not recorded")
    report = make_report([replace(make_case("c", Verdict.SKIP), rows=(row,))], Totals(cases=1, skipped=1))
    summary = {"rates": [], "uplift": [], "flat_tasks": [], "out_of_enum": []}
    grid = replace(report.suites[0], kind=SuiteKind.GRID, summary=summary)
    text = render_table(replace(report, suites=(grid,)), width=80)
    assert text.splitlines()[:3] == ["s (grid)", "", "verdict    cell    why"]


def test_only_the_first_reasons_of_a_case_are_shown() -> None:
    """A case that fails everything does not hide the others."""
    case = make_case("a", Verdict.FAIL, "one", "two", "three", "four", "five")
    text = render_table(make_report([case], Totals(cases=1, failed=1)), width=80)
    assert [line.split("  ")[-1].strip() for line in text.splitlines()[4:8]] == [
        "one",
        "two",
        "three",
        "… and 2 more",
    ]


def test_models_are_named_where_there_are_several() -> None:
    """The same case by two models is told apart."""
    cases = [replace(make_case("a", Verdict.FAIL, "bad"), model=model) for model in ("gpt-x", "claude-y")]
    text = render_table(make_report(cases, Totals(cases=2, failed=2)), width=80)
    assert "[gpt-x]" in text
    assert "[claude-y]" in text
    assert "[gpt-x]" not in render_table(make_report(cases[:1], Totals(cases=1, failed=1)), width=80)


def test_several_suites_end_with_their_sum(report: Report, suite: SuiteReport) -> None:
    """The last lines speak of the whole run, and the next command names the suite."""
    passing = replace(suite, name="fine", verdict=Verdict.PASS, cases=(), totals=Totals(), notices=())
    lines = render_table(replace(report, suites=(passing, suite)), width=100).splitlines()
    assert lines[-4:] == [
        "ERROR  2 suites, 5 cases: 1 errored, 1 failed, 2 passed, 1 skipped, 1 overridden",
        "8 calls, 2 from the cache, 5,800 tokens in, 120 out, 0.0100 USD",
        "Run:  .omniscitus/runs/20261130T131400Z-ab12",
        "Next: scaffold show 20261130T131400Z-ab12 no-reply --suite support-reply",
    ]


def test_a_run_of_nothing_says_so(report: Report) -> None:
    """No suite at all still ends in totals."""
    text = render_table(replace(report, verdict=Verdict.SKIP, suites=()), width=80)
    assert text.startswith("SKIP  0 suites, 0 cases\n")


def test_an_unknown_cost_is_never_zero(report: Report, suite: SuiteReport) -> None:
    """One call without a price makes the sum unknown."""
    unknown = replace(suite, usage=Usage(calls=1, cost_usd=None))
    assert "cost unknown" in render_table(replace(report, suites=(suite, unknown)), width=80)


def test_only_the_first_notices_are_shown(report: Report) -> None:
    """Remarks do not push the result off the screen."""
    notices = tuple(Notice(f"remark {n}", "a") for n in range(12))
    lines = render_table(replace(report, notices=notices), width=80).splitlines()
    assert "note: remark 9 (a)" in lines
    assert "note: remark 10 (a)" not in lines
    assert "note: … and 2 more" in lines


def test_the_same_remark_is_made_once(report: Report) -> None:
    """A remark about many cases is one line that names some of them."""
    notices = tuple(Notice("it expired", f"case-{n}") for n in range(40))
    lines = render_table(replace(report, notices=notices), width=80).splitlines()
    assert [line for line in lines if "expired" in line] == [
        "note: it expired (case-0, case-1, case-2 and 37 more)"
    ]


def test_verdicts_are_styled_by_the_caller(report: Report) -> None:
    """Colour goes around verdicts only, and moves no column."""
    text = render_table(report, width=104, style=lambda text, verdict: f"\x1b[3{len(verdict)}m{text}\x1b[0m")
    assert "\x1b[35mERROR\x1b[0m      no-reply" in text
    assert text.replace("\x1b[35m", "").replace("\x1b[34m", "").replace("\x1b[0m", "") == WHOLE


def test_the_next_command_can_be_pasted() -> None:
    """A ref with blanks or shell characters is quoted."""
    case = make_case("a b;$(rm)", Verdict.FAIL, "bad")
    text = render_table(make_report([case], Totals(cases=1, failed=1)), width=80)
    assert text.endswith("Next: scaffold show R 'a b;$(rm)'\n")


ATTACKS = [
    pytest.param("\x1b[2J\x1b[1;1HPASS", id="clears the screen"),
    pytest.param("x\rPASS  everything", id="overwrites the line"),
    pytest.param("bad\nPASS  other-case  100", id="forges a line"),
    pytest.param("bad\u202eSSAP", id="reverses the line"),
    pytest.param("| PASS | 100 |", id="forges a column"),
    pytest.param("\x01", id="separator line"),
    pytest.param("A" * 5000, id="endless word"),
    pytest.param("漢字" * 200, id="wide"),
    pytest.param("👩\u200d👩\u200d👧\u200d👦" * 50, id="emoji"),
]


@pytest.mark.parametrize("attack", ATTACKS)
@pytest.mark.parametrize("width", [40, 60, 100])
def test_model_text_breaks_nothing(attack: str, width: int) -> None:
    """A hostile reason stays inside its cell."""
    cases = [make_case("a", Verdict.FAIL, attack), make_case("b", Verdict.PASS)]
    text = render_table(make_report(cases, Totals(cases=2, failed=1, passed=1)), width=width)
    assert [line for line in text.splitlines() if line.startswith("PASS")] == [
        line for line in text.splitlines() if line.split() == ["PASS", "b"]
    ]
    assert not [char for char in text if char in "\x1b\r\x01\u202e"]
    assert all(columns(line) <= width for line in text.splitlines())


anything = st.text(st.characters(exclude_categories=()), max_size=60)


@given(
    st.lists(st.tuples(anything, st.sampled_from(Verdict), anything, st.none() | anything), max_size=4),
    st.integers(0, 200),
)
def test_every_line_fits(cells: list[tuple[str, Verdict, str, str | None]], width: int) -> None:
    """Whatever is in the cells, only the lines that are meant to be copied may be longer."""
    cases = [
        replace(make_case(ref, verdict, why), model=model, score=Decimal("66.666"))
        for ref, verdict, why, model in cells
    ]
    text = render_table(make_report(cases, Totals(cases=len(cases))), width=width)
    assert all(columns(line) <= max(width, 40) for line in text.splitlines() if not line.startswith("Next: "))
