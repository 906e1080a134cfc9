"""Cases as CSV."""

import csv
import io
from dataclasses import replace
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judges.core.report import CaseReport, CriterionResult, Report, SuiteKind, SuiteReport
from judges.core.row import Row
from judges.core.verdict import Verdict
from judges.out.csv_table import neutralize, render_csv, render_run_csv


def read(text: str) -> list[list[str]]:
    """Return the cells as a spreadsheet reads them."""
    return list(csv.reader(io.StringIO(text, newline="")))


def test_every_case_is_a_line(suite: SuiteReport) -> None:
    """The columns, the scores in full, and why."""
    header, *lines = read("".join(render_csv(suite.cases)))
    assert header == [
        "ref",
        "title",
        "category",
        "model",
        "verdict",
        "score",
        "judged_score",
        "criteria.naturalness",
        "why",
        "override",
        "output",
    ]
    assert lines[0] == [
        "refund-in-time",
        "Refund in time",
        "element",
        "",
        "PASS",
        "92.5",
        "92.5",
        "100",
        "",
        "",
        "Gladly, your refund is on its way.",
    ]
    assert lines[1][4:9] == [
        "FAIL",
        "69.96",
        "69.96",
        "",
        "Scored 65 on naturalness (threshold: 70)\nScored 69.96 in total (threshold: 70)",
    ]
    assert lines[2][5:7] == ["", ""]
    assert lines[3][9] == "Overridden by jane@example.com (to 85, judged 60): Consistent across 10 runs"
    assert len(lines) == 5


def test_both_outputs_of_a_comparison_are_there(suite: SuiteReport) -> None:
    """A column for each arm, empty where it has no output."""
    cases = [
        replace(suite.cases[0], output="new", outputs={"a": "=old", "b": "new"}),
        replace(suite.cases[1], output=None, outputs={"a": "old", "b": None}),
    ]
    header, *lines = read("".join(render_csv(cases)))
    assert header[-3:] == ["output", "output.a", "output.b"]
    assert [line[-3:] for line in lines] == [["new", "'=old", "new"], ["", "old", ""]]


def test_criteria_of_any_case_have_a_column(suite: SuiteReport) -> None:
    """A criterion that only a later case has is not lost."""
    late = replace(suite.cases[1], criteria={"safety": CriterionResult(level=5, percent=Decimal("33.25"))})
    header, first, second = read("".join(render_csv((suite.cases[0], late))))
    assert header[7:9] == ["criteria.naturalness", "criteria.safety"]
    assert (first[7:9], second[7:9]) == (["100", ""], ["", "33.25"])


def test_a_run_has_its_worst_first(report: Report) -> None:
    """The cases of all suites in one table, sorted by verdict, else in their order."""
    (suite,) = report.suites
    grid = replace(suite, name="=grid", kind=SuiteKind.GRID, cases=suite.cases[:2])
    header, *lines = read("".join(render_run_csv(replace(report, suites=(suite, grid)))))
    assert header[:4] == ["suite", "kind", "ref", "title"]
    assert [(line[0], line[1], line[2], line[6]) for line in lines] == [
        ("support-reply", "prompt", "no-reply", "ERROR"),
        ("support-reply", "prompt", "angry-customer", "FAIL"),
        ("'=grid", "grid", "angry-customer", "FAIL"),
        ("support-reply", "prompt", "refund-in-time", "PASS"),
        ("support-reply", "prompt", "nonsense", "PASS"),
        ("'=grid", "grid", "refund-in-time", "PASS"),
        ("support-reply", "prompt", "later", "SKIP"),
    ]


def test_a_run_has_the_columns_of_all_suites(report: Report) -> None:
    """Criteria and arms of any suite have a column; where a case has none of it the cell is empty."""
    (suite,) = report.suites
    first = replace(suite, cases=(replace(suite.cases[0], outputs={"a": "one"}),))
    late = replace(suite.cases[1], criteria={"safety": CriterionResult(level=5, percent=Decimal("33.25"))})
    header, *lines = read(
        "".join(render_run_csv(replace(report, suites=(first, replace(suite, cases=(late,))))))
    )
    rows = [dict(zip(header, line, strict=True)) for line in lines]
    keys = ("criteria.naturalness", "criteria.safety", "output.a")
    assert [[row[key] for key in keys] for row in rows] == [["", "33.25", ""], ["100", "", "one"]]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("=HYPERLINK(1)", "'=HYPERLINK(1)"),
        ("+1", "'+1"),
        ("-1", "'-1"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("\t=1", "'\t=1"),
        ("\r=1", "'\r=1"),
        ("\n=1", "'\n=1"),
        ("\uff1d1", "'\uff1d1"),
        ("a=1", "a=1"),
        ("", ""),
        ("'=1", "'=1"),
    ],
    ids=ascii,
)
def test_formulas_become_text(text: str, expected: str) -> None:
    """A model cannot write a formula into somebody's spreadsheet."""
    assert neutralize(text) == expected


@given(st.text(st.characters(exclude_categories=())))
def test_any_text_stays_in_its_cell(text: str) -> None:
    """Quotes, commas and line ends do not shift a column; nothing starts a formula."""
    row = Row(id="r", kind="r", verdict=Verdict.FAIL, error=text)
    case = CaseReport(ref=text, title=text, category=None, verdict=Verdict.FAIL, rows=(row,), output=text)
    lines = list(render_csv((case,)))
    (cells,) = read(lines[1])
    assert len(cells) == 10
    assert not any(cell.startswith(("=", "+", "-", "@", "\t", "\r")) for cell in cells)
    assert cells[0] in (text, f"'{text}") or not text.isprintable()
    "".join(lines).encode("utf-8")
