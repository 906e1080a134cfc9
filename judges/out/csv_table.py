"""The cases of a suite or a run as CSV for spreadsheets, a line each; no cell can be taken for a formula."""

import csv
import io
from collections.abc import Iterable, Iterator, Sequence

from judges.core.report import CaseReport, Report
from judges.core.score_text import render_exact
from judges.core.verdict import WORST_FIRST
from judges.out.case_words import describe_overrides

_FORMULA_STARTS = tuple("=+-@\t\r\n\uff1d\uff0b\uff0d\uff20")  # the last four are the wide forms
_COLUMNS = ("ref", "title", "category", "model", "verdict", "score", "judged_score")
_TEXTS = ("why", "override", "output")


def render_csv(cases: Sequence[CaseReport]) -> Iterator[str]:
    """Yield the header and a line for each case. The cases are read twice: first for their criteria and arms.

    Scores and the percent of each criterion are 0..100; a cell of what there is none of is empty.
    """
    criteria, arms = _find_columns(cases)
    yield _line(_header(criteria, arms))
    for case in cases:
        yield _line(_cells(case, criteria, arms))


def render_run_csv(report: Report) -> Iterator[str]:
    """Yield the header and a line for each case of all suites, the worst verdicts first, else in their order.

    The lines are those of `render_csv` after two columns, the name and the kind of the suite. The cases are
    read twice, and their places are kept.
    """
    places: list[tuple[int, int, int]] = []

    def read() -> Iterator[CaseReport]:
        for number, suite in enumerate(report.suites):
            for index, case in enumerate(suite.cases):
                places.append((WORST_FIRST.index(case.verdict), number, index))
                yield case

    criteria, arms = _find_columns(read())
    yield _line(["suite", "kind", *_header(criteria, arms)])
    for _, number, index in sorted(places):
        suite = report.suites[number]
        yield _line([suite.name, suite.kind.value, *_cells(suite.cases[index], criteria, arms)])


def neutralize(text: str) -> str:
    """Return the text so that no spreadsheet computes it: an apostrophe goes before a formula."""
    return f"'{text}" if text.startswith(_FORMULA_STARTS) else text


def _find_columns(cases: Iterable[CaseReport]) -> tuple[list[str], list[str]]:
    """Return the names of all criteria and of all arms."""
    criteria: dict[str, None] = {}
    arms: dict[str, None] = {}
    for case in cases:
        criteria.update(dict.fromkeys(case.criteria))
        arms.update(dict.fromkeys(case.outputs))
    return list(criteria), list(arms)


def _header(criteria: Sequence[str], arms: Sequence[str]) -> list[str]:
    outputs = (f"output.{arm}" for arm in arms)
    return [*_COLUMNS, *(f"criteria.{name}" for name in criteria), *_TEXTS, *outputs]


def _cells(case: CaseReport, criteria: Sequence[str], arms: Sequence[str]) -> Iterator[str]:
    yield from (case.ref, case.title, case.category or "", case.model or "", case.verdict)
    percents = (case.criteria[name].percent if name in case.criteria else None for name in criteria)
    for number in (case.score, case.judged_score, *percents):
        yield "" if number is None else render_exact(number)
    yield "\n".join(case.reasons)
    yield "\n".join(describe_overrides(case))
    yield case.output or ""
    yield from (case.outputs.get(arm) or "" for arm in arms)


def _line(cells: Iterable[str]) -> str:
    buffer = io.StringIO()
    csv.writer(buffer).writerow([neutralize(cell) for cell in cells])
    return buffer.getvalue().encode("utf-8", "backslashreplace").decode("utf-8")
