"""One case whole: its rows with what was asked and said, input and output; or exactly what the judge saw.

A cell of a grid is a case of several trials, its repeats: each has its rows and its output.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import count
from textwrap import indent
from typing import Any

from judges.ask.history import render_history
from judges.core.report import CaseReport
from judges.core.row import Row
from judges.out.case_words import describe_overrides, render_case_score, render_row_score
from judges.out.fit import wrap
from judges.out.printable import printable, printable_lines, shield
from judges.out.row_words import describe_row
from judges.out.style import Style, plain
from judges.out.summary import render_usage
from judges.reduce.regression import BASELINE

_INDENT = "  "
_DEEP = "      "
_ABOUT = {
    "ab": ", a shown as A",
    "ba": ", b shown as A",
    BASELINE: ", about the baseline",
}
"""What a call was about, by its arm."""


def render_case(case: CaseReport, record: Mapping[str, Any], *, width: int, style: Style = plain) -> str:
    """Return everything about one case. `record` is its line of records.jsonl."""
    blocks = [
        _render_head(case, record, style),
        _block("Rows", (line for row in case.rows for line in _render_row(row, width, style))),
        _block("Corrections", _wrap_all(describe_overrides(case), width)),
        _block("Notices", _wrap_all((notice.text for notice in case.notices), width)),
        _block("Input", _render_input(record["input"])),
        _block("Expected behavior", _indent(record["expected_behavior"] or "")),
        *_render_outputs(record),
        _block("Usage", [_INDENT + render_usage(case.usage)]),
    ]
    return shield("\n\n".join(filter(None, blocks)) + "\n")


def render_cell(
    case: CaseReport, records: Sequence[Mapping[str, Any]], *, width: int, style: Style = plain
) -> str:
    """Return everything about one cell. `records` are the lines of its repeats, which have two rows each."""
    repeats = zip(count(1), records, case.rows[::2], case.rows[1::2], strict=False)
    blocks = [
        _render_head(case, records[0], style),
        _block("Input", _render_input(records[0]["input"])),
        _block("Expected behavior", _indent(records[0]["expected_behavior"] or "")),
        *(
            _block(f"Repeat {number}", _render_repeat(rows, record, width, style))
            for number, record, *rows in repeats
        ),
        _block("Notices", _wrap_all((notice.text for notice in case.notices), width)),
        _block("Usage", [_INDENT + render_usage(case.usage)]),
    ]
    return shield("\n\n".join(filter(None, blocks)) + "\n")


def render_prompt(record: Mapping[str, Any]) -> str:
    """Return the messages of every call to the judge as they were sent, with the replies.

    What was sent or said is indented, so that nothing in it can pass for a heading; characters that act on a
    terminal are escaped.
    """
    calls = record["judge"]
    if not calls:
        return "The judge was not asked about this case.\n"
    blocks = []
    for number, call in enumerate(calls, 1):
        about = _ABOUT.get(call.get("arm"), f", about {call.get('arm')}") if call.get("arm") else ""
        attempt = f" (call {number} of {len(calls)}{about})" if len(calls) > 1 else ""
        blocks += [_block(f"{each['role']}{attempt}", _indent(each["content"])) for each in call["messages"]]
        blocks.append(_render_reply(call, attempt))
        blocks.append(_block(f"not used{attempt}", _indent(call["complaint"] or "")))
    return shield("\n\n".join(filter(None, blocks)) + "\n")


def _render_head(case: CaseReport, record: Mapping[str, Any], style: Style) -> str:
    sources = {arm: each["source"] for arm, each in record.get("arms", {}).items() if arm != BASELINE}
    facts = [
        case.category,
        case.model and f"model {case.model}",
        *(f"{arm} {source}" for arm, source in sources.items()),
        None if sources else f"output {record['source']}",
        describe_stability(case.stability) if case.stability else None,
    ]
    score = render_case_score(case)
    return "\n".join(
        [
            f"{style(case.verdict.value, case.verdict)}  {printable(case.ref)}{score and f'  {score}'}",
            printable(case.title),
            printable(", ".join(filter(None, facts))),
        ]
    )


def describe_stability(stability: Mapping[str, Any]) -> str:
    """Return how steady the judge was, in words."""
    said = f"judge asked {stability['asked']} times, {stability['flips']} of which alone decide otherwise"
    agreement = stability["agreement"]
    return said if agreement is None else f"{said}, {agreement:.0%} of the answers agree"


def _render_repeat(rows: Iterable[Row], record: Mapping[str, Any], width: int, style: Style) -> Iterator[str]:
    for row in rows:
        yield from _render_row(row, width, style)
    yield indent(_render_output("output", record), _INDENT)


def _render_row(row: Row, width: int, style: Style) -> Iterator[str]:
    score = render_row_score(row)
    yield f"{_INDENT}{style(row.verdict.value, row.verdict)}  {printable(row.id)}{score and f'  {score}'}"
    for name, text in describe_row(row):
        yield from wrap(_DEEP + printable(f"{name}: {text}" if name else text), width, indent=_DEEP)


def _render_input(variables: Mapping[str, Any]) -> Iterator[str]:
    for name, value in variables.items():
        text = value if isinstance(value, str) else render_value(value)
        if "\n" in text:
            yield f"{_INDENT}{printable(name)}:"
            yield from _indent(text, 2 * _INDENT)
        else:
            yield f"{_INDENT}{printable(name)}: {printable(text)}"


def render_value(value: Any) -> str:
    """Return a value of the input that is no text: a chat history as one, else JSON."""
    return render_history(value) or json.dumps(value, ensure_ascii=False)


def _render_outputs(record: Mapping[str, Any]) -> Iterator[str]:
    """Yield the output, and the accepted one that it is measured against; or those of both arms."""
    arms = record.get("arms", {})
    if BASELINE in arms or not arms:
        yield _render_output("output", record)
    for arm, output in arms.items():
        yield _render_output(f"output of {'the baseline' if arm == BASELINE else arm}", output)


def _render_output(title: str, record: Mapping[str, Any]) -> str:
    if record["output"] is None:
        return _block(f"No {title}", _indent(record["error"] or "the case was not run"))
    title = title[0].upper() + title[1:]
    return _block(title, _indent(record["output"])) or f"{title} (blank)"


def _render_reply(call: Mapping[str, Any], attempt: str) -> str:
    if call["reply"] is None:
        return f"no reply{attempt}"
    return _block(f"reply{attempt}", _indent(call["reply"])) or f"reply{attempt} (blank)"


def _block(title: str, lines: Iterable[str]) -> str:
    body = "\n".join(lines)
    return f"{title}\n{body}" if body else ""


def _indent(text: str, by: str = _INDENT) -> list[str]:
    lines = printable_lines(text).rstrip().split("\n")
    return [f"{by}{line}".rstrip() for line in lines] if text.strip() else []


def _wrap_all(texts: Iterable[str], width: int) -> Iterator[str]:
    for text in texts:
        yield from wrap(_INDENT + printable(text), width, indent=_INDENT)
