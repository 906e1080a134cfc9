"""What a row or a suite comes to in pytest: its first line, what else is shown of it, and its properties."""

import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from judges.core.case import Case
from judges.core.report import CaseReport
from judges.core.row import Row, excerpt
from judges.core.score_text import render_exact, render_score
from judges.core.verdict import Verdict
from judges.out.case_words import describe_overrides
from judges.out.printable import printable, printable_lines, shield
from judges.out.row_words import describe_row
from judges.out.suite_words import describe_summary
from scaffold.pytest_plugin.runs import SuiteResult

MOST_CHARACTERS = 600
"""Of each text that is shown; `scaffold show` shows it whole."""
_UNFORESEEN = ("output", "judge")
"""The kinds of rows that stand in place of others: there is no output, or the judge cannot be relied on."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What was found: `said` in one line, and the `lines` that explain it; models wrote parts of both.

    `properties` are those of the testcase in JUnit XML.
    """

    verdict: Verdict
    said: str
    lines: tuple[str, ...] = ()
    properties: Mapping[str, str] = field(default_factory=dict)

    @property
    def headline(self) -> str:
        """The first line, safe to print. A failure needs no word for it."""
        prefix = {Verdict.FAIL: "", Verdict.SKIP: "", Verdict.ERROR: "could not be measured: "}
        return printable(prefix.get(self.verdict, f"{self.verdict}: ") + self.said)

    @property
    def text(self) -> str:
        """All lines, safe to print."""
        return shield("\n".join((self.headline, *map(printable_lines, self.lines))))


def find_row(case: CaseReport, row_id: str) -> Row:
    """Return the row of a case by its id.

    A row that nobody could foresee takes the place of those that are not there, or were skipped, because of
    it.
    """
    found = next((row for row in case.rows if row.id == row_id), None)
    if found is not None and found.verdict is not Verdict.SKIP:
        return found
    broken = next((row for row in case.rows if row.kind in _UNFORESEEN), None)
    if broken is not None:
        return replace(broken, id=row_id)
    return found or _unmeasured(row_id, "the report has no such row")


def describe_case_row(row_id: str, case: Case, report: CaseReport | None, run: str) -> Finding:
    """Return what a row of a case comes to; without a report the case was not run."""
    row = _unmeasured(row_id, "the case was not run") if report is None else find_row(report, row_id)
    said, *facts = _say(row)
    rate = row.extra.get("pass_rate")
    return Finding(
        verdict=row.verdict,
        said=said,
        lines=(*facts, *_explain_score(row, report), *_describe_case(case, report), _more(run, case.ref)),
        properties={
            "verdict": row.verdict.value,
            **({} if row.score is None else {"score": render_exact(row.score)}),
            **({} if rate is None else {"pass_rate": str(rate)}),
            "run": run,
        },
    )


def describe_suite(result: SuiteResult) -> Finding:
    """Return what a suite comes to as a whole."""
    suite = result.suite
    notices = tuple(notice.text for notice in suite.notices if notice.ref is None)
    figures = list(describe_summary(suite.summary))
    worst = next((case for case in suite.cases if case.verdict is suite.verdict), None)
    if suite.verdict is Verdict.SKIP:
        figures = ["; ".join(notices) or "every case was skipped"]
    elif suite.verdict is Verdict.ERROR and worst is not None:
        figures.insert(0, f"{worst.ref}: {'; '.join(worst.reasons)}")
    said, *facts = figures or [f"the verdict of the suite is {suite.verdict}"]
    rate = suite.summary.get("pass_rate")
    return Finding(
        verdict=suite.verdict,
        said=said,
        lines=(*facts, *(f"notice: {text}" for text in notices), _more(result.run)),
        properties={
            "verdict": suite.verdict.value,
            **({} if rate is None else {"pass_rate": str(round(rate, 4))}),
            "run": result.run,
        },
    )


def _say(row: Row) -> Iterator[str]:
    if not row.error and not row.actual_excerpt:
        yield row.id
    for name, text in describe_row(row):
        yield excerpt(f"{name}: {text}" if name else text, MOST_CHARACTERS)


def _explain_score(row: Row, report: CaseReport | None) -> Iterator[str]:
    """Yield what the judge said of each criterion that took something from the total."""
    for name, found in report.criteria.items() if report and row.id == "score" else ():
        if found.percent < 100 and found.reasoning:
            yield excerpt(f"{name} {render_score(found.percent)}: {found.reasoning}", MOST_CHARACTERS)


def _describe_case(case: Case, report: CaseReport | None) -> Iterator[str]:
    yield f"case: {case.title}"
    if case.expected_behavior:
        yield f"expected: {excerpt(case.expected_behavior.strip(), MOST_CHARACTERS)}"
    if report is not None:
        yield from describe_overrides(report)
        if report.output is not None:
            yield f"output: {excerpt(report.output, MOST_CHARACTERS)}"


def _more(*arguments: str) -> str:
    return f"more: {shlex.join(('scaffold', 'show', *arguments))}"


def _unmeasured(row_id: str, why: str) -> Row:
    return Row(id=row_id, kind="run", verdict=Verdict.ERROR, error=why)
