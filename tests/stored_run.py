"""A run directory written without a run: what is in it is what a test says; and the page of it."""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeAlias

from judges.core.encode import encode_case, encode_suite, encode_totals
from judges.core.report import CaseReport, Report, SuiteReport
from judges.out.html.page import render_html
from judges.run.reported import read_reported

CASES = "main > .run > .suite > .cases > details.case"
"""Where the cases of a page are."""

MakeRecord: TypeAlias = Callable[[CaseReport], Mapping[str, Any]]


def store_report(root: Path, report: Report, record: MakeRecord = lambda case: {}) -> Path:
    """Write a report into the project's folder of runs, under the name that it has; return where it is.

    Each case is one trial, whose record has a small input and the keys that `record` adds.
    """
    folder = root / ".omniscitus/runs" / report.run_dir.name
    folder.mkdir(parents=True)
    for suite in report.suites:
        store_suite(folder / suite.run_dir.name, suite, suite.cases, record)
    info = {
        "schema": 1,
        "started": "2026-11-30T13:14:00+00:00",
        "finished": "2026-11-30T13:15:30+00:00",
        "versions": {"scaffold": "0.1.0", "python": "3.11.7", "wording": "1-abc"},
        "suites": [suite.run_dir.name for suite in report.suites],
        "verdict": report.verdict.value,
        "exit_code": int(report.exit_code),
        "totals": encode_totals(report.totals),
        "notices": [{"text": each.text, "ref": each.ref} for each in report.notices],
    }
    (folder / "run.json").write_text(json.dumps(info))
    return folder


def write_page(folder: Path, *runs: Path, against: Path | None = None) -> str:
    """Write the HTML page of some runs, and return its address."""
    path = folder / "report.html"
    with path.open("w", encoding="utf-8") as file:
        file.writelines(render_html([read_reported(run, against) for run in runs]))
    return path.as_uri()


def store_suite(
    folder: Path,
    suite: SuiteReport,
    trials: Iterable[CaseReport],
    record: MakeRecord,
    *,
    merged: bool = False,
) -> None:
    """Write the folder of a suite; where its cases are made of several trials, they are written, too."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "grade.json").write_text(json.dumps(encode_suite(replace(suite, run_dir=folder))))
    numbered = list(enumerate(trials))
    _write(folder / "rows.jsonl", ({"index": at, "replica": 1} | encode_case(case) for at, case in numbered))
    _write(
        folder / "records.jsonl", ({**_RECORD, "output": case.output, **record(case)} for _, case in numbered)
    )
    if merged:
        _write(folder / "cases.jsonl", map(encode_case, suite.cases))


def _write(path: Path, values: Iterable[Mapping[str, Any]]) -> None:
    with path.open("w", encoding="utf-8") as file:
        file.writelines(json.dumps(value, separators=(",", ":")) + "\n" for value in values)


_RECORD: Mapping[str, Any] = {
    "replica": 1,
    "input": {"question": "How are you?"},
    "expected_behavior": "Answers kindly.",
    "error": None,
    "source": "recorded",
    "latency_ms": 1234.5,
    "arms": {},
}
