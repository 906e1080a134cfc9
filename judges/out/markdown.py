"""The summary of a suite or a run as Markdown. Text of models and files stays text.

It is no markup, HTML, fence, image or link, not even where an address alone would become one.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, islice

from judges.core.report import NOWHERE, CaseReport, Report, SuiteReport
from judges.core.row import REASON_LENGTH, excerpt
from judges.core.score_text import render_exact
from judges.core.verdict import WORST_FIRST, Verdict
from judges.out.analysis import MOST_CASES, Analysis, Spread
from judges.out.case_words import describe_overrides, render_case_score
from judges.out.models import describe_models
from judges.out.printable import printable
from judges.out.suite_words import describe_summary
from judges.out.summary import (
    describe_notices,
    render_cost,
    render_count,
    render_outcomes,
    render_totals,
    render_usage,
)

SMALL_SUITE = 20

_MARKUP = re.compile(r"[\\`*_\[\]{}|~#$!]|:(?=//)|(?<=[Ww]{3})\.")
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


def render_run_markdown(report: Report) -> Iterator[str]:
    """Yield the summary of a run line by line: the verdict, then each suite with its cases, worst first.

    A suite of at most 20 cases is shown whole, a larger one without what passed or was skipped; of one suite
    200 cases are named at most.
    """
    count = render_count(len(report.suites), "suite")
    place = () if report.run_dir == NOWHERE else (f"run {report.run_dir.name}",)
    blocks = chain(
        (
            f"# {report.verdict}: {count}, {render_totals(report.totals)}",
            _list((render_usage(report.usage), *place)),
            _render_suites(report.suites) if len(report.suites) > 1 else "",
            _list(describe_notices(report.notices)),
        ),
        chain.from_iterable(map(_suite_blocks, report.suites)),
    )
    for number, block in enumerate(filter(None, blocks)):
        yield from ("\n",) if number else ()
        yield from (f"{line}\n" for line in block.split("\n"))


def escape(text: str) -> str:
    """Return the text on one line, so that Markdown and HTML show it as it is."""
    shown = printable(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return _LIST_START.sub(r"\1\\\2", _MARKUP.sub(r"\\\g<0>", shown))


def _render_suites(suites: Sequence[SuiteReport]) -> str:
    rows = [
        (
            suite.verdict,
            escape(suite.name),
            suite.kind,
            render_outcomes(suite.totals),
            render_cost(suite.usage.cost_usd),
        )
        for suite in sorted(suites, key=lambda suite: WORST_FIRST.index(suite.verdict))
    ]
    return _table(("Verdict", "Suite", "Kind", "Cases", "Cost"), rows)


def _suite_blocks(suite: SuiteReport) -> Iterator[str]:
    unnamed = () if suite.totals.cases <= SMALL_SUITE else (Verdict.PASS, Verdict.SKIP)
    cases, left_out = _worst_first(suite.cases, set(Verdict).difference(unnamed))
    yield f"## {escape(suite.name)} ({suite.kind}): {suite.verdict}"
    yield _list((render_totals(suite.totals), *describe_summary(suite.summary)))
    yield _render_cases(cases, models=len(suite.models) > 1)
    yield f"… and {left_out:,} more" if left_out else ""
    yield _render_models(suite) if len(suite.models) > 1 else ""
    yield _list(describe_notices(suite.notices))


def _worst_first(cases: Iterable[CaseReport], wanted: set[Verdict]) -> tuple[list[CaseReport], int]:
    """Return the cases with these verdicts, without their outputs, and how many more there are."""
    kept: dict[Verdict, list[CaseReport]] = {verdict: [] for verdict in WORST_FIRST}
    found = 0
    for case in cases:
        if case.verdict in wanted:
            found += 1
            if len(kept[case.verdict]) < MOST_CASES:
                kept[case.verdict].append(replace(case, output=None, outputs={}))
    shown = list(islice(chain.from_iterable(kept.values()), MOST_CASES))
    return shown, found - len(shown)


def _render_cases(cases: Sequence[CaseReport], *, models: bool) -> str:
    rows = [
        (
            case.verdict,
            escape(case.ref),
            *((escape(case.model or ""),) if models else ()),
            render_case_score(case),
            "<br>".join((*_reasons(case), *map(escape, describe_overrides(case)))),
        )
        for case in cases
    ]
    return _table(("Verdict", "Case", *(("Model",) if models else ()), "Score", "Why"), rows)


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
    skipped = [row.error for row in case.rows if row.error][:1] if case.verdict is Verdict.SKIP else ()
    return (escape(excerpt(reason, REASON_LENGTH)) for reason in (*case.reasons, *skipped))


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
