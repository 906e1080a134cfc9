"""The summary of a suite as Markdown. Text of models and files stays text: no markup, no HTML, no fence."""

import re
from collections.abc import Iterable, Iterator, Sequence

from judges.core.report import CaseReport, SuiteReport
from judges.core.row import excerpt
from judges.core.score_text import render_exact
from judges.out.analysis import Analysis, Spread
from judges.out.case_words import describe_overrides, render_case_score
from judges.out.models import describe_models
from judges.out.printable import printable
from judges.out.suite_words import describe_summary
from judges.out.summary import describe_notices, render_outcomes, render_totals, render_usage

_MARKUP = re.compile(r"[\\`*_\[\]{}|~#$!]")
_LIST_START = re.compile(r"^(\d*)([-+=.)])")


def render_markdown(suite: SuiteReport, analysis: Analysis) -> str:
    """Return the summary: the verdict, what did not pass and why, the spreads, corrections and notices."""
    facts = (
        render_totals(suite.totals),
        *describe_summary(suite.summary),
        render_usage(suite.usage),
        f"run {suite.run_dir}",
    )
    corrections = (
        f"{case.ref}: {correction}" for case in analysis.corrected for correction in describe_overrides(case)
    )
    blocks = (
        f"# {escape(suite.name)}: {suite.verdict}",
        _list(facts),
        _section("Not passed", _render_not_passed(suite, analysis.not_passed)),
        _section("By category", _render_categories(analysis)),
        _section("Scores", _render_spreads(analysis.spreads.items())),
        _section("Models", _render_models(suite)),
        _section("Corrections", _list(corrections)),
        _section("Notices", _list(describe_notices(suite.notices))),
    )
    return "\n\n".join(filter(None, blocks)) + "\n"


def escape(text: str) -> str:
    """Return the text on one line, so that Markdown and HTML show it as it is."""
    shown = printable(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return _LIST_START.sub(r"\1\\\2", _MARKUP.sub(r"\\\g<0>", shown))


def _render_not_passed(suite: SuiteReport, cases: Sequence[CaseReport]) -> str:
    rows = [
        (case.verdict, escape(case.ref), render_case_score(case), "<br>".join(_reasons(case)))
        for case in cases
    ]
    totals = suite.totals
    more = totals.errored + totals.failed + totals.inconclusive + totals.warned - len(cases)
    rest = f"\n\n… and {more:,} more" if more > 0 else ""
    return _table(("Verdict", "Case", "Score", "Why"), rows) + rest


def _reasons(case: CaseReport) -> Iterator[str]:
    return (escape(excerpt(reason)) for reason in case.reasons)


def _render_categories(analysis: Analysis) -> str:
    rows = [
        (name or "none", f"{totals.cases:,}", render_outcomes(totals))
        for name, totals in analysis.categories.items()
    ]
    return _table(("Category", "Cases", "Outcomes"), rows)


def _render_spreads(spreads: Iterable[tuple[str, Spread]]) -> str:
    rows = [
        (
            escape(name),
            f"{spread.count:,}",
            *(
                render_exact(round(each, 2))
                for each in (spread.mean, spread.median, spread.lowest, spread.highest)
            ),
        )
        for name, spread in spreads
    ]
    return _table(("Score", "Cases", "Mean", "Median", "Lowest", "Highest"), rows)


def _render_models(suite: SuiteReport) -> str:
    rows = [(escape(name), *facts) for name, *facts in describe_models(suite.models)]
    return _table(("Model", "Cases", "Mean score", "Cost of outputs"), rows)


def _section(title: str, body: str) -> str:
    return f"## {title}\n\n{body}" if body else ""


def _list(texts: Iterable[str]) -> str:
    return "\n".join(f"- {escape(text)}" for text in texts)


def _table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = (header, ["---"] * len(header), *rows) if rows else ()
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)
