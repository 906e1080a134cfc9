"""The cases of a suite as CSV for spreadsheets, a line each; no cell can be taken for a formula."""

import csv
import io
from collections.abc import Iterator, Sequence

from judges.core.report import CaseReport
from judges.core.score_text import render_exact
from judges.out.case_words import describe_overrides

_FORMULA_STARTS = tuple("=+-@\t\r\n\uff1d\uff0b\uff0d\uff20")  # the last four are the wide forms
_COLUMNS = ("ref", "title", "category", "model", "verdict", "score", "judged_score")
_TEXTS = ("why", "override", "output")


def render_csv(cases: Sequence[CaseReport]) -> Iterator[str]:
    """Yield the header and a line for each case. The cases are read twice: first for their criteria and arms.

    Scores and the percent of each criterion are 0..100; a cell of what there is none of is empty.
    """
    criteria: dict[str, None] = {}
    arms: dict[str, None] = {}
    for case in cases:
        criteria.update(dict.fromkeys(case.criteria))
        arms.update(dict.fromkeys(case.outputs))
    outputs = (f"output.{arm}" for arm in arms)
    yield _line([*_COLUMNS, *(f"criteria.{name}" for name in criteria), *_TEXTS, *outputs])
    for case in cases:
        yield _line([*_cells(case, list(criteria)), *(case.outputs.get(arm) or "" for arm in arms)])


def neutralize(text: str) -> str:
    """Return the text so that no spreadsheet computes it: an apostrophe goes before a formula."""
    return f"'{text}" if text.startswith(_FORMULA_STARTS) else text


def _cells(case: CaseReport, criteria: Sequence[str]) -> Iterator[str]:
    yield from (case.ref, case.title, case.category or "", case.model or "", case.verdict)
    percents = (case.criteria[name].percent if name in case.criteria else None for name in criteria)
    for number in (case.score, case.judged_score, *percents):
        yield "" if number is None else render_exact(number)
    yield "\n".join(case.reasons)
    yield "\n".join(describe_overrides(case))
    yield case.output or ""


def _line(cells: Iterator[str] | Sequence[str]) -> str:
    buffer = io.StringIO()
    csv.writer(buffer).writerow([neutralize(cell) for cell in cells])
    return buffer.getvalue().encode("utf-8", "backslashreplace").decode("utf-8")
