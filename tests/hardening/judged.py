"""A suite run as the program runs it, with a judge of the test's own, and a look at everything it leaves."""

import csv
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

from hardening import breaches
from hardening.suites import Suite

from judges.core.report import CaseReport, Report
from judges.core.verdict import Verdict
from judges.files.load import load_suite
from judges.out.case_text import render_case, render_prompt
from judges.out.csv_table import render_run_csv
from judges.out.github import annotate, render_annotations, shield_json
from judges.out.json_report import render_json
from judges.out.junit import render_junit
from judges.out.markdown import escape, render_run_markdown
from judges.out.suite_words import describe_summary
from judges.out.summary import render_count, render_totals
from judges.out.table import render_table
from judges.providers.base import Provider
from judges.run.connections import Connections
from judges.run.execute import Watch, execute
from judges.run.messages import read_messages
from judges.run.options import RunOptions
from judges.run.prompt_plan import plan_prompt
from judges.run.records import RECORDS, RunDirectory, read_lines
from scaffold.copies import write_copies
from scaffold.progress import Progress, open_progress

JUDGE = "openai:gullible"
WIDTHS = (40, 100)
_HEAD = f"""\
prompt_name: hardening
judge: {{model: "{JUDGE}", max_retries: 1}}
cases: {{source: external, pattern: cases.jsonl}}
logs: {{format: csv}}
analysis: {{}}
"""
FAILING = frozenset(Verdict) - {Verdict.PASS, Verdict.SKIP}
_VERDICTS = ("ERROR", "FAIL", "PASS")
_HEADINGS = (
    *(f"hardening: {verdict}" for verdict in _VERDICTS),
    *("Not passed", "By category", "Scores", "Notices"),
)


@dataclass(frozen=True)
class Judged:
    """A run: the cases it was given by their refs, its report, the lines of its progress, and its copies."""

    cases: Mapping[str, Mapping[str, Any]]
    report: Report
    progress: str
    folder: Path

    @property
    def directory(self) -> RunDirectory:
        return RunDirectory(self.report.run_dir)

    def copy(self, suffix: str) -> str:
        """The text of the run's copy with that suffix, with its line ends as they are."""
        (path,) = self.folder.glob(f"logs/**/{self.report.run_dir.name}*{suffix}")
        return path.read_bytes().decode("utf-8")

    def found(self) -> dict[str, CaseReport]:
        """What was found about each case."""
        return {case.ref: case for case in self.report.suites[0].cases}


class _Advance(Watch):
    def __init__(self, progress: Progress) -> None:
        self._progress = progress

    def case(self, case: CaseReport) -> None:
        self._progress.advance(case)


def judge_cases(folder: Path, kind: Suite, cases: Sequence[Mapping[str, Any]], judge: Provider) -> Judged:
    """Run a suite of this kind with these cases, and write all that a run writes."""
    suite_folder = folder / ".omniscitus/tests/prompts/hardening"
    suite_folder.mkdir(parents=True, exist_ok=True)
    (suite_folder / "prompt-meta.yaml").write_text(_HEAD + kind.sections)
    (suite_folder / "cases.jsonl").write_text("".join(json.dumps(case) + "\n" for case in cases))
    kind.write(suite_folder, cases)
    suite = load_suite(suite_folder / "prompt-meta.yaml")
    options = RunOptions()
    plan = plan_prompt(suite, options)
    stream, seconds = io.StringIO(), count()
    with open_progress(plan.trial_count, stream=stream, clock=lambda: float(next(seconds))) as progress:
        report = execute(
            [plan],
            options,
            Connections(environ={}, own={JUDGE: judge}),
            root=folder,
            watch=_Advance(progress),
        )
    assert write_copies([suite], report) == []
    refs = {f"cases/{case['id']}": case for case in cases}
    return Judged(refs, report, stream.getvalue(), suite_folder)


def look(judged: Judged) -> dict[str, list[str]]:
    """Return what gave way, by the output in which it did."""
    suite, refs = judged.report.suites[0], judged.cases.keys()
    header = next(csv.reader(io.StringIO(judged.copy(".csv"))))
    found = {f"table, {width} columns": _look_at_tables(judged.report, width) for width in WIDTHS}
    found |= {
        "progress": breaches.progress(judged.progress),
        "records.jsonl": breaches.json_lines((suite.run_dir / "records.jsonl").read_bytes(), refs),
        "rows.jsonl": breaches.json_lines((suite.run_dir / "rows.jsonl").read_bytes(), refs),
        "JSON report": _look_at_json(judged),
        "CSV": breaches.csv_table(judged.copy(".csv"), header, refs),
        "Markdown": breaches.markdown(judged.copy(".md"), _HEADINGS),
        "show": _look_at_cases(judged),
    } | look_at_outputs(judged.report)
    return {name: list(each) for name, each in found.items()}


def look_at_outputs(report: Report) -> dict[str, Iterator[str]]:
    """Return what gave way in the outputs for CI."""
    table = "".join(render_run_csv(report))
    header = next(csv.reader(io.StringIO(table)))
    cases = [case for suite in report.suites for case in suite.cases]
    decided = sum(any(describe_summary(suite.summary)) for suite in report.suites)  # by more than their rows
    rows = sum(len(case.rows) for case in cases) + decided
    headings = {
        f"{mark}: {said}".strip()
        for suite in report.suites
        for mark, said in (
            (f"{escape(suite.name)} ({suite.kind})", suite.verdict),
            (report.verdict, f"{render_count(len(report.suites), 'suite')}, {render_totals(report.totals)}"),
        )
    }
    commands = "".join(render_annotations(annotate(report, FAILING), {}, Path.cwd()))
    return {
        "JUnit": breaches.junit("".join(render_junit(report, FAILING)), rows),
        "run's CSV": breaches.csv_table(table, header, [case.ref for case in cases]),
        "run's Markdown": breaches.markdown("".join(render_run_markdown(report)), headings),
        "annotations": breaches.annotations(commands),
        "JSON on standard output": breaches.terminal_commands(shield_json("".join(render_json(report)))),
    }


def _look_at_tables(report: Report, width: int) -> Iterator[str]:
    for limit in (50, 10**9):
        yield from breaches.terminal(render_table(report, width=width, limit=limit), width)


def _look_at_cases(judged: Judged) -> Iterator[str]:
    run = judged.directory
    (suite,) = run.suites
    folder = run.path / suite
    records = (read_messages(record, folder) for record in read_lines(folder / RECORDS))
    for case, record in zip(run.cases(suite), records, strict=True):
        for text in (render_case(case, record, width=80), render_prompt(record)):
            yield from breaches.terminal(text)


def _look_at_json(judged: Judged) -> Iterator[str]:
    report = json.loads("".join(render_json(judged.report)))
    (suite,) = report["suites"]
    for case in suite["cases"]:
        given = judged.cases[case["ref"]]
        if (case["title"], case["output"]) != (given["title"], given["output"]):
            yield f"another title or output: {case['ref']!r}"
    if len(suite["cases"]) != len(judged.cases):
        yield f"{len(suite['cases'])} cases"
