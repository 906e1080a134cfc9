"""The text after a run: a table for each suite, what did not pass first, then totals, cost and the next step.

Everything that comes from a model or a file is made printable, and every line but paths and commands fits
the width.
"""

import shlex
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice

from judges.core.report import CaseReport, Report, SuiteKind, SuiteReport, Totals
from judges.core.row import EXCERPT_LENGTH, REASON_LENGTH, Notice, excerpt
from judges.core.verdict import Verdict
from judges.out.case_words import describe_overrides, render_case_score
from judges.out.fit import cell, column, wrap
from judges.out.fixture_text import row_reasons, split_rows
from judges.out.grid_text import render_grid
from judges.out.models import render_models
from judges.out.printable import printable, shield
from judges.out.style import Style, plain
from judges.out.suite_words import describe_summary
from judges.out.summary import (
    describe_notices,
    join_some,
    render_count,
    render_outcomes,
    render_totals,
    render_usage,
)
from judges.reduce.suite import count_all

SMALL_SUITE = 20
MOST_CASES = 50

_NARROWEST = 40
_NARROW = 60
_MOST_NOTICES = 10
_MOST_REASONS = 3
_FEWEST_NAMES = 3
_GAP = 2
_NOT_PASSED = (Verdict.ERROR, Verdict.FAIL, Verdict.INCONCLUSIVE, Verdict.WARN)
_HEADERS = {
    SuiteKind.PROMPT: ("case", "score"),
    SuiteKind.FIXTURE: ("row", "passed"),
    SuiteKind.GRID: ("cell", "score"),
}
_SHOWN_FIRST = (*_NOT_PASSED, Verdict.SKIP)


@dataclass(frozen=True, slots=True)
class _Page:
    """What holds for the whole text: the width in columns, colours, most cases of a suite, the run's name."""

    width: int
    style: Style
    limit: int
    run: str


@dataclass(frozen=True, slots=True)
class _Line:
    """One case in the table before it is laid out, or all that were not measured for the same reasons.

    `ref` is the case that shows more, `refs` what the line is about: cases, or the rows of a fixture.
    """

    verdict: Verdict
    ref: str
    refs: list[str]
    model: str
    score: str
    why: tuple[str, ...]


def render_table(report: Report, *, width: int, style: Style = plain, limit: int = MOST_CASES) -> str:
    """Return the whole text for a report.

    A suite of at most 20 cases is shown whole, a larger one without what passed; a grid by its figures, and
    the cells that did not pass. Cases that could not be measured, or were skipped, for the same reasons share
    a line. `limit` is the most lines of one suite, of which each names up to a tenth as many cases. `width`
    is in terminal columns; below 40 it is taken as 40.
    """
    page = _Page(max(width, _NARROWEST), style, limit, shlex.quote(printable(report.name)))
    first: tuple[SuiteReport, _Line] | None = None
    blocks = []
    for suite in report.suites:
        lines, hidden = _select(suite, limit)
        if lines and lines[0].verdict in _NOT_PASSED and first is None:
            first = suite, lines[0]
        blocks.append("\n".join(_render_suite(suite, lines, hidden, page)))
    return shield("\n\n".join([*blocks, "\n".join(_render_end(report, first, page))]) + "\n")


def _select(suite: SuiteReport, limit: int) -> tuple[list[_Line], int]:
    """Return the cases to show, worst first, and how many more there are of that kind."""
    wanted = _wanted(suite)
    lines: dict[Verdict, dict[object, _Line]] = {verdict: {} for verdict in wanted}
    found = 0
    for case in _parts(suite) if _has_any(suite.totals, wanted) else ():
        if case.verdict not in lines:
            continue
        found += 1
        same = lines[case.verdict]
        key = _shared(case, suite.kind) or found
        if key in same:
            same[key].refs.append(_part_name(case, suite.kind))
        elif len(same) < limit:
            same[key] = _LINES.get(suite.kind, _line)(case)
    shown = list(islice(chain.from_iterable(each.values() for each in lines.values()), limit))
    return shown, found - sum(len(line.refs) for line in shown)


def _wanted(suite: SuiteReport) -> Sequence[Verdict]:
    whole = suite.kind is not SuiteKind.GRID and suite.totals.cases <= SMALL_SUITE
    return (*_SHOWN_FIRST, Verdict.PASS) if whole else _SHOWN_FIRST


def _parts(suite: SuiteReport) -> Iterable[CaseReport]:
    """Return what has a line: the cases, or each row of a fixture, which is a single case."""
    return (
        chain.from_iterable(map(split_rows, suite.cases)) if suite.kind is SuiteKind.FIXTURE else suite.cases
    )


def _shared(case: CaseReport, kind: SuiteKind) -> object | None:
    """Return what cases that share a line have in common; None for a case that has one of its own."""
    scored = case.verdict is Verdict.SKIP and case.score is not None  # judged, and not compared
    if case.verdict not in (Verdict.ERROR, Verdict.SKIP) or scored:
        return None
    if kind is SuiteKind.FIXTURE:
        return case.rows[0].error, case.rows[0].extra.get("pass_rate"), case.model
    why = case.reasons or _skip_reason(case)
    return why if kind is SuiteKind.GRID else (why, case.model)


def _part_name(case: CaseReport, kind: SuiteKind) -> str:
    return printable(case.rows[0].id if kind is SuiteKind.FIXTURE else case.ref)


def _skip_reason(case: CaseReport) -> str | None:
    return next((row.error for row in case.rows if row.error), None)


def _has_any(totals: Totals, verdicts: Sequence[Verdict]) -> bool:
    """Whether reading the cases, of which there may be many, will find one to show."""
    return Verdict.PASS in verdicts or totals.passed < totals.cases


def _line(case: CaseReport) -> _Line:
    skipped = _skip_reason(case) if case.verdict is Verdict.SKIP else None
    reasons = [*case.reasons, *([skipped] if skipped else [])]
    more = len(reasons) - _MOST_REASONS
    why = [
        *reasons[:_MOST_REASONS],
        *([f"… and {more} more"] if more > 0 else []),
        *describe_overrides(case),
    ]
    return _Line(
        verdict=case.verdict,
        ref=printable(case.ref),
        refs=[printable(case.ref)],
        model=printable(case.model or ""),
        score=render_case_score(case),
        why=tuple(printable(excerpt(text, REASON_LENGTH)) for text in why),
    )


def _row_line(case: CaseReport) -> _Line:
    (row,) = case.rows
    why = () if row.verdict is Verdict.PASS else row_reasons(row)
    length = REASON_LENGTH if row.error else EXCERPT_LENGTH
    return _Line(
        verdict=row.verdict,
        ref=printable(case.ref),
        refs=[printable(row.id)],
        model=printable(case.model or ""),
        score=row.extra.get("pass_rate", ""),
        why=tuple(printable(excerpt(text, length)) for text in why[:_MOST_REASONS]),
    )


def _cell_line(case: CaseReport) -> _Line:
    """A cell's ref names its model."""
    return replace(_line(case), model="")


_LINES = {SuiteKind.FIXTURE: _row_line, SuiteKind.GRID: _cell_line}


def _render_suite(suite: SuiteReport, lines: Sequence[_Line], hidden: int, page: _Page) -> Iterator[str]:
    yield from wrap(f"{printable(suite.name)} ({suite.kind})", page.width)
    if suite.kind is SuiteKind.GRID and (figures := list(render_grid(suite.summary, page.width))):
        yield from ("", *figures)
    if lines:
        yield ""
        headers = _HEADERS.get(suite.kind, _HEADERS[SuiteKind.PROMPT])
        yield from _stack(lines, page) if page.width < _NARROW else _tabulate(lines, page, headers)
    if hidden:
        yield f"… and {hidden:,} more: scaffold show {page.run}"
    yield ""
    if len(suite.models) > 1 and suite.kind is not SuiteKind.GRID:
        yield from render_models(suite.models, page.width)
        yield ""
    yield from _render_notices(suite.notices, page.width)
    for sentence in describe_summary(suite.summary):
        yield from wrap(sentence, page.width, indent="  ")
    totals = _row_totals(suite) if suite.kind is SuiteKind.FIXTURE else render_totals(suite.totals)
    yield from _verdict_line(f"{printable(suite.name)}, {totals}", suite.verdict, page)


def _row_totals(suite: SuiteReport) -> str:
    """Return how many rows of a fixture ended how: `14 rows of 3 replicas: 1 failed, 13 passed`."""
    rows = list(_parts(suite))
    runs = next((case.rows[0].extra["runs"] for case in rows if "runs" in case.rows[0].extra), None)
    of = f" of {render_count(runs, 'replica')}" if runs else ""
    outcomes = render_outcomes(count_all(rows))
    return f"{render_count(len(rows), 'row')}{of}: {outcomes}" if rows else "nothing was run"


def _render_end(report: Report, first: tuple[SuiteReport, _Line] | None, page: _Page) -> Iterator[str]:
    yield from _render_notices(report.notices, page.width)
    if len(report.suites) != 1:
        totals = f"{render_count(len(report.suites), 'suite')}, {render_totals(report.totals)}"
        yield from _verdict_line(totals, report.verdict, page)
    yield from wrap(render_usage(report.usage), page.width)
    yield f"Run:  {printable(str(report.run_dir))}"
    yield f"Next: {_next_command(report, first, page.run)}"


def _next_command(report: Report, first: tuple[SuiteReport, _Line] | None, run: str) -> str:
    if report.resumable:
        return f"scaffold run --resume {run}"
    if first is None and any(
        "baseline" in each.summary and not each.summary["baseline"] for each in report.suites
    ):
        return f"scaffold baseline accept {run}"
    if first is None:
        return f"scaffold show {run}"
    suite, line = first
    only = f" --suite {shlex.quote(printable(suite.name))}" if len(report.suites) > 1 else ""
    return f"scaffold show {run} {shlex.quote(line.ref)}{only}"


def _verdict_line(text: str, verdict: Verdict, page: _Page) -> Iterator[str]:
    first, *rest = wrap(f"{verdict.value}  {text}", page.width, indent="      ")
    yield page.style(verdict.value, verdict) + first.removeprefix(verdict.value)
    yield from rest


def _render_notices(notices: Sequence[Notice], width: int) -> Iterator[str]:
    remarks = describe_notices(notices)
    for remark in remarks[:_MOST_NOTICES]:
        yield from wrap(printable(f"note: {remark}"), width, indent="      ")
    if len(remarks) > _MOST_NOTICES:
        yield f"note: … and {len(remarks) - _MOST_NOTICES:,} more"


def _stack(lines: Sequence[_Line], page: _Page) -> Iterator[str]:
    """Yield the cases one below the other, for terminals too narrow for a table."""
    for line, name in zip(lines, _names(lines, page), strict=True):
        head = "  ".join(filter(None, (*name, line.score)))
        yield from _verdict_line(head, line.verdict, page)
        for text in line.why:
            yield from wrap(f"      {text}", page.width, indent="      ")


def _tabulate(lines: Sequence[_Line], page: _Page, headers: tuple[str, str]) -> Iterator[str]:
    """Yield the table. Case and why share the width that verdict and score leave, and wrap."""
    from tabulate import tabulate

    names, (case, score) = _names(lines, page), headers
    scored = any(line.score for line in lines)
    verdict_width = column("verdict", (line.verdict for line in lines))
    score_width = _GAP + column(score, (line.score for line in lines)) if scored else 0
    shared = page.width - verdict_width - score_width - 2 * _GAP
    why_width = column("why", ["", *chain.from_iterable(line.why for line in lines)])
    case_width = min(column(case, chain.from_iterable(names)), max(shared * 2 // 5, shared - why_width))
    rows = [
        {
            "verdict": page.style(line.verdict.value, line.verdict),
            case: cell(name, case_width),
            **({score: line.score} if scored else {}),
            "why": cell(line.why, shared - case_width),
        }
        for line, name in zip(lines, names, strict=True)
    ]
    table = tabulate(rows, headers="keys", tablefmt="simple", disable_numparse=True)
    yield from (row.rstrip() for row in table.splitlines())


def _names(lines: Sequence[_Line], page: _Page) -> list[tuple[str, ...]]:
    """Return what names the cases of each line: refs, and the model where there are several.

    A recorded output has no model.
    """
    refs = [join_some(line.refs, max(page.limit // 10, _FEWEST_NAMES)) for line in lines]
    if len({line.model for line in lines if line.model}) <= 1:
        return [(names,) for names in refs]
    models = (f"[{line.model}]" if line.model else "" for line in lines)
    return [tuple(filter(None, named)) for named in zip(refs, models, strict=True)]
