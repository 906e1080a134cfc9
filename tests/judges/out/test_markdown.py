"""The summary as Markdown."""

import re
from dataclasses import replace
from html import unescape

import pytest
from markdown_it import MarkdownIt

from judges.core.report import ModelSummary, Report, SuiteKind, SuiteReport, Totals
from judges.core.row import Notice, Row
from judges.core.usage import Usage
from judges.core.verdict import Verdict
from judges.out.analysis import analyze
from judges.out.markdown import escape, render_markdown, render_run_markdown
from judges.out.printable import printable

WHOLE = r"""# support-reply: ERROR

- 5 cases: 1 errored, 1 failed, 2 passed, 1 skipped, 1 overridden
- 4 calls, 1 from the cache, 2,900 tokens in, 60 out, 0.0050 USD
- run .omniscitus/runs/20261130T131400Z-ab12/support-reply

## Not passed

| Verdict | Case | Score | Why |
| --- | --- | --- | --- |
| FAIL | angry-customer | 69.96 | Scored 65 on naturalness (threshold: 70)<br>REASON |
| ERROR | no-reply |  | the judge refused to answer |

## By category

| Category | Cases | Outcomes |
| --- | --- | --- |
| element | 1 | 1 passed |
| edge | 1 | 1 failed |
| mixed | 1 | 1 errored |
| zero_condition | 1 | 1 passed, 1 overridden |
| none | 1 | 1 skipped |

## Scores

| Score | Cases | Mean | Median | Lowest | Highest |
| --- | --- | --- | --- | --- | --- |
| score | 3 | 82.49 | 85 | 69.96 | 92.5 |
| criteria.naturalness | 1 | 100 | 100 | 100 | 100 |

## Corrections

- nonsense: Overridden by jane@example.com (to 85, judged 60): Consistent across 10 runs

## Notices

- judge unqualified
- the output holds invisible characters (nonsense)
""".replace("REASON", "Scored 69.96 in total (threshold: 70)")

WHOLE_RUN = r"""# ERROR: 1 suite, 5 cases: 1 errored, 1 failed, 2 passed, 1 skipped, 1 overridden

- 4 calls, 1 from the cache, 2,900 tokens in, 60 out, 0.0050 USD
- run 20261130T131400Z-ab12

## support-reply (prompt): ERROR

- 5 cases: 1 errored, 1 failed, 2 passed, 1 skipped, 1 overridden

| Verdict | Case | Score | Why |
| --- | --- | --- | --- |
| ERROR | no-reply |  | the judge refused to answer |
| FAIL | angry-customer | 69.96 | Scored 65 on naturalness (threshold: 70)<br>REASON |
| PASS | refund-in-time | 92.5 |  |
| PASS | nonsense | 85 | Overridden by jane@example.com (to 85, judged 60): Consistent across 10 runs |
| SKIP | later |  | waits for the new price list |

- judge unqualified
- the output holds invisible characters (nonsense)
""".replace("REASON", "Scored 69.96 in total (threshold: 70)")

ATTACKS = [
    pytest.param("```\n# forged", id="fence"),
    pytest.param("<script>alert(1)</script>", id="html"),
    pytest.param("<!-- ", id="comment"),
    pytest.param("| PASS | x |", id="column"),
    pytest.param("![x](https://example.com/?leak)", id="image"),
    pytest.param("[x](javascript:alert(1))", id="link"),
    pytest.param("**bold** _it_ ~~no~~ `code`", id="styles"),
    pytest.param("\\", id="backslash"),
    pytest.param("# heading", id="heading"),
    pytest.param("- [ ] task", id="list"),
    pytest.param("12. item", id="numbered list"),
    pytest.param("+ item", id="plus list"),
    pytest.param("    code", id="indented code"),
    pytest.param("> quote", id="quote"),
    pytest.param("&lt;b&gt;", id="entity"),
    pytest.param("a\n\n---\n\n## b", id="rule"),
    pytest.param("\x1b[31m\u202e", id="terminal"),
    pytest.param("https://example.com/?leak", id="address"),
    pytest.param("WWW.example.com wwww.example.com", id="address without a scheme"),
    pytest.param("\\://x \\\\www.x", id="address behind backslashes"),
]


def test_the_summary_is_whole(suite: SuiteReport) -> None:
    """The whole text, as it is written beside the suite."""
    assert render_markdown(suite, analyze(suite.cases)) == WHOLE


def test_a_suite_that_passed_has_no_empty_sections(suite: SuiteReport) -> None:
    """What there is none of is not mentioned."""
    passed = replace(suite, cases=suite.cases[:1], notices=(), totals=Totals(cases=1, passed=1))
    text = render_markdown(passed, analyze(passed.cases))
    assert [line for line in text.splitlines() if line.startswith("##")] == ["## By category", "## Scores"]


def test_the_summary_of_a_run_is_whole(report: Report) -> None:
    """The whole text, as it is written for a job."""
    assert "".join(render_run_markdown(report)) == WHOLE_RUN


def test_several_suites_are_listed(report: Report) -> None:
    """The worst suite first, with what each cost; then one after the other."""
    suite = replace(report.suites[0], totals=Totals(cases=5, passed=4, failed=1))
    passed = replace(
        suite,
        name="a|b",
        kind=SuiteKind.GRID,
        verdict=Verdict.PASS,
        cases=(),
        totals=Totals(cases=2, passed=2),
        usage=Usage(cost_usd=None),
    )
    lines = list(render_run_markdown(replace(report, suites=(passed, suite), notices=(Notice("no cache"),))))
    assert lines[5:12] == [
        "| Verdict | Suite | Kind | Cases | Cost |\n",
        "| --- | --- | --- | --- | --- |\n",
        "| ERROR | support-reply | prompt | 1 failed, 4 passed | 0.0050 USD |\n",
        "| PASS | a\\|b | grid | 2 passed | cost unknown (a model without a known price) |\n",
        "\n",
        "- no cache\n",
        "\n",
    ]
    assert [line for line in lines if line.startswith("##")] == [
        "## a\\|b (grid): PASS\n",
        "## support-reply (prompt): ERROR\n",
    ]


def test_models_of_a_run_are_named(report: Report) -> None:
    """Where a suite is run with several models, each case says with which, and there is a table of them."""
    summary = ModelSummary(totals=Totals(cases=1, passed=1), mean_score=None, output_usage=Usage())
    (suite,) = report.suites
    cases = tuple(replace(suite.cases[0], model=model) for model in ("a", "b"))
    suite = replace(suite, cases=cases, models={"a": summary, "b": summary})
    text = "".join(render_run_markdown(replace(report, suites=(suite,))))
    assert "| PASS | refund-in-time | a | 92.5 |  |\n| PASS | refund-in-time | b | 92.5 |  |\n" in text
    assert "| a | 1 passed | none | 0.00 USD |\n" in text


def test_a_large_suite_names_what_did_not_pass(report: Report) -> None:
    """Two hundred are named, the worst first; the others are a number, and what passed is not named."""
    (suite,) = report.suites
    cases = [suite.cases[0]] * 100 + [suite.cases[1]] * 250 + [suite.cases[2]] * 3
    suite = replace(suite, cases=cases, totals=Totals(cases=353, passed=100, failed=250, errored=3))
    lines = list(render_run_markdown(replace(report, suites=(suite,))))
    rows = [line.split(" ")[1] for line in lines if line.startswith("| ")][2:]
    assert rows == ["ERROR"] * 3 + ["FAIL"] * 197
    assert "… and 53 more\n" in lines


def test_what_is_left_out_is_counted(suite: SuiteReport) -> None:
    """Two hundred failures are listed; the others are a number."""
    many = replace(suite, cases=[suite.cases[1]] * 250, totals=Totals(cases=250, failed=250))
    assert "\n\n… and 50 more\n" in render_markdown(many, analyze(many.cases))


@pytest.mark.parametrize("attack", ATTACKS)
def test_text_stays_text(suite: SuiteReport, attack: str) -> None:
    """Whatever is in a reason, a ref or a notice, the page keeps its structure and runs nothing."""
    row = Row(id="r", kind="r", verdict=Verdict.FAIL, error=attack)
    case = replace(suite.cases[1], rows=(row,), ref=attack)
    hostile = replace(suite, cases=(case,), notices=(Notice(attack),), name=f"s {attack}")
    tame = replace(hostile, cases=(replace(case, rows=(replace(row, error="x"),), ref="x"),), name="s x")
    expected = structure(render_markdown(replace(tame, notices=(Notice("x"),)), analyze(tame.cases)))
    assert structure(render_markdown(hostile, analyze(hostile.cases))) == expected


@pytest.mark.parametrize("attack", ATTACKS)
def test_no_address_becomes_a_link(attack: str) -> None:
    """GitHub makes links of addresses that are written plainly; of these, none."""
    assert re.search(r"(?<!\\)://|www\.", escape(attack), re.IGNORECASE) is None


@pytest.mark.parametrize("attack", ATTACKS)
def test_escaped_text_is_shown_as_it_is(attack: str) -> None:
    """A reader sees what the model wrote, on one line."""
    shown = MarkdownIt("commonmark").enable("table").render(escape(attack))
    plain = shown.removeprefix("<p>").removesuffix("</p>\n")
    assert unescape(plain) == printable(attack).strip()


def structure(text: str) -> list[str]:
    """Return the kinds of all blocks and inline parts of a page, but plain text."""
    tokens = MarkdownIt("commonmark", {"html": True}).enable("table").parse(text)
    parts = [part for token in tokens for part in (token, *(token.children or ()))]
    return [part.type for part in parts if part.type != "text"]
