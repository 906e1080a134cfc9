"""A run as JUnit XML, as CI servers read it: a testsuite for each suite, a testcase for each row.

It is written testcase by testcase; the cases are read twice, first to count. A suite that is decided by more
than its rows has one testcase more, `suite`, so that the file alone says what the exit code does.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from junitparser import (
    Error,
    Failure,
    JUnitXml,
    Properties,
    Property,
    Skipped,
    SystemOut,
    TestCase,
    TestSuite,
)
from junitparser.junitparser import Element, FinalResult

from judges.core.report import NOWHERE, CaseReport, Report, SuiteReport
from judges.core.row import Row, excerpt
from judges.core.score_text import render_exact, render_score
from judges.core.verdict import Verdict, worst
from judges.out.case_words import describe_overrides
from judges.out.printable import printable, printable_lines
from judges.out.row_words import describe_row
from judges.out.suite_words import describe_summary

MOST_CHARACTERS = 4_000

_HEAD = '<?xml version="1.0" encoding="utf-8"?>\n'
_INVALID = re.compile("[\ufffe\uffff]")  # what XML cannot hold, of all that is left in printable text


@dataclass(frozen=True, slots=True)
class _Counted:
    """A suite with the number of its results of each kind. `decision` stands for what no row shows."""

    suite: SuiteReport
    results: Counter[type[FinalResult] | None]
    decision: Row | None


def render_junit(report: Report, failing: Collection[Verdict]) -> Iterator[str]:
    """Yield the XML. `failing` are the verdicts that count as a failure, but for ERROR, which is an error."""
    counted = [_count(suite, failing) for suite in report.suites]
    root = JUnitXml("scaffold")
    _set_counts(root, sum((each.results for each in counted), Counter()))
    yield _HEAD + _open(root)
    for each in counted:
        yield from _render_suite(each, None if report.run_dir == NOWHERE else report.run_dir.name, failing)
    yield "</testsuites>\n"


def _count(suite: SuiteReport, failing: Collection[Verdict]) -> _Counted:
    verdicts = Counter(row.verdict for case in suite.cases for row in case.rows)
    decision = None
    said = "; ".join(describe_summary(suite.summary))
    if said or suite.verdict is not worst(verdicts):
        found = said or f"the verdict of the suite is {suite.verdict}"
        decision = Row(id="suite", kind="suite", verdict=suite.verdict, actual_excerpt=found)
        verdicts[suite.verdict] += 1
    results: Counter[type[FinalResult] | None] = Counter()
    for verdict, number in verdicts.items():
        results[_result(verdict, failing)] += number
    return _Counted(suite, results, decision)


def _result(verdict: Verdict, failing: Collection[Verdict]) -> type[FinalResult] | None:
    """Return what a verdict is to JUnit; None: it passed."""
    if verdict is Verdict.ERROR:
        return Error
    if verdict is Verdict.SKIP:
        return Skipped
    return Failure if verdict in failing else None


def _set_counts(element: JUnitXml | TestSuite, results: Counter[type[FinalResult] | None]) -> None:
    element.tests = results.total()
    element.failures, element.errors, element.skipped = (results[kind] for kind in (Failure, Error, Skipped))


def _render_suite(counted: _Counted, run: str | None, failing: Collection[Verdict]) -> Iterator[str]:
    suite = counted.suite
    element = TestSuite(_attribute(suite.name))
    _set_counts(element, counted.results)
    cost = suite.usage.cost_usd
    properties = {
        "run": run,
        "kind": suite.kind.value,
        "verdict": suite.verdict.value,
        "judge": None if suite.judge is None else suite.judge.model,
        "cost_usd": None if cost is None else render_exact(cost),
    }
    element.append(_properties(properties))
    yield _open(element)
    if counted.decision is not None:
        yield _text(_build_testcase(counted.decision, suite.name, {}, failing))
    several = len(suite.models) > 1
    for case in suite.cases:
        name = f"{suite.name}.{case.ref}" + (f" [{case.model}]" if several and case.model else "")
        first = next((row for row in case.rows if row.verdict not in (Verdict.PASS, Verdict.SKIP)), None)
        for row in case.rows:
            about = tuple(_describe_case(case)) if row is first else ()
            yield _text(_build_row(row, case, name, failing, about))
    yield "</testsuite>\n"


def _build_row(
    row: Row, case: CaseReport, name: str, failing: Collection[Verdict], about: tuple[str, ...]
) -> TestCase:
    corrected = _corrections(row, case)
    cost = case.usage.cost_usd
    properties = {
        "score": None if row.score is None else render_exact(row.score),
        "pass_rate": row.extra.get("pass_rate"),
        "model": case.model,
        "overridden": "true" if corrected else None,
        "case_cost_usd": render_exact(cost) if cost else None,
    }
    return _build_testcase(row, name, properties, failing, (*corrected, *about))


def _build_testcase(
    row: Row,
    classname: str,
    properties: dict[str, str | None],
    failing: Collection[Verdict],
    more: tuple[str, ...] = (),
) -> TestCase:
    """Return the testcase of a row. `more` are lines to be shown with what the row itself says."""
    rate = f" ({row.extra['pass_rate']})" if row.extra.get("runs", 1) > 1 else ""
    element = TestCase(_attribute(row.id + rate), _attribute(classname))
    element.append(_properties({**properties, "verdict": row.verdict.value}))
    kind = _result(row.verdict, failing)
    if kind is not None:
        message = row.error or row.actual_excerpt or row.id
        result = kind(_attribute(message), row.verdict.value)
        result.text = _body(row, more)
        element.append(result)
    elif more or row.verdict is not Verdict.PASS or row.kind == "suite":
        element.append(SystemOut(_body(row, more)))
    return element


def _corrections(row: Row, case: CaseReport) -> tuple[str, ...]:
    """Return what people changed of a row: the score by anything, a criterion by a correction of its own."""
    said = tuple(describe_overrides(case))
    if row.id == "score":
        return said
    name = row.id.removeprefix("criteria.")
    return tuple(sentence for sentence in said if sentence.startswith(f"{name} overridden"))


def _describe_case(case: CaseReport) -> Iterator[str]:
    """Yield what there is to know of a case at the first of its rows that did not pass."""
    yield f"case: {case.title}"
    for name, result in case.criteria.items():
        yield f"{name} {render_score(result.percent)}" + (f": {result.reasoning}" if result.reasoning else "")
    if case.output is not None:
        yield f"output: {excerpt(case.output, MOST_CHARACTERS // 2)}"


def _body(row: Row, more: tuple[str, ...]) -> str:
    facts = (f"{name}: {text}" if name else text for name, text in describe_row(row))
    lines = "\n".join(excerpt(text, MOST_CHARACTERS) for text in (*facts, *more))
    return _INVALID.sub(_escape, printable_lines(lines))


def _properties(values: dict[str, str | None]) -> Properties:
    properties = Properties()
    for name, value in values.items():
        if value is not None:
            properties.append(Property(name, _attribute(value)))
    return properties


def _attribute(text: str) -> str:
    """Return the text on one line, without what XML cannot hold, and not too long."""
    return _INVALID.sub(_escape, printable(excerpt(text, MOST_CHARACTERS)))


def _escape(found: re.Match[str]) -> str:
    return found[0].encode("unicode_escape").decode("ascii")


def _text(element: Element) -> str:
    text: str = element.tostring().decode("utf-8")
    return text + "\n"


def _open(element: Element) -> str:
    """Return an element without its end, so that more can be put into it."""
    text = _text(element).removesuffix("\n")
    if text.endswith("/>"):
        return text.removesuffix("/>").rstrip() + ">\n"
    return text[: text.rindex("</")] + "\n"
