"""The JSON report: the stable shape that other tools read, written case by case."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from judges.core.encode import (
    encode_case,
    encode_notices,
    encode_suite,
    encode_totals,
    encode_usage,
    render_line,
)
from judges.core.report import NOWHERE, Report, SuiteReport

SCHEMA = 1


def render_json(report: Report) -> Iterator[str]:
    """Yield the report as JSON text, a line for each case; only one case is held at a time."""
    head: dict[str, Any] = {
        "schema": SCHEMA,
        "verdict": report.verdict.value,
        "exit_code": int(report.exit_code),
        "run_dir": _encode_place(report.run_dir),
        "totals": encode_totals(report.totals),
        "usage": encode_usage(report.usage),
        "notices": encode_notices(report.notices),
    }
    yield from _open_list(head, "suites")
    yield from _separate(render_suite(suite) for suite in report.suites)
    yield "]}\n"


def render_suite(suite: SuiteReport) -> Iterator[str]:
    """Yield one suite as it is in the report, with its cases as they are read."""
    yield from _open_list({**encode_suite(suite), "run_dir": _encode_place(suite.run_dir)}, "cases")
    yield from _separate((render_line(encode_case(case)),) for case in suite.cases)
    yield "]}"


def _encode_place(run_dir: Path) -> str | None:
    return None if run_dir == NOWHERE else str(run_dir)


def _open_list(head: dict[str, Any], key: str) -> Iterator[str]:
    """Yield an object without its end, with an open list as its last value."""
    yield f"{render_line(head)[:-1]},{render_line(key)}:["


def _separate(items: Iterable[Iterable[str]]) -> Iterator[str]:
    """Yield each item's chunks on a line of its own."""
    for number, item in enumerate(items):
        yield ",\n" if number else "\n"
        yield from item
