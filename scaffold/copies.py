"""What `logs:` and `analysis:` of a suite ask for: copies of a run's results, each whole or not at all.

The run directory has everything already. So a copy that cannot be written is told, and changes no exit code.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from judges.core.encode import encode_case, render_line
from judges.core.report import Report, SuiteReport
from judges.files.suite import PromptSuite
from judges.files.text import display_path
from judges.files.whole import write_whole
from judges.out.analysis import analyze, encode_analysis
from judges.out.csv_table import render_csv
from judges.out.json_report import render_suite
from judges.out.markdown import render_markdown
from judges.run.plan import Suite


@dataclass(frozen=True, slots=True)
class Copy:
    """A file to be written, and its text in pieces."""

    path: Path
    text: Iterable[str]


def write_copies(suites: Sequence[Suite], report: Report) -> list[str]:
    """Write the copies that the suites of a report ask for; return a sentence on each that was not written.

    Only prompt suites ask for any.

    A file's name starts with the run and the suite, so that copies of several suites may share a folder.
    """
    return [
        f"no copy of the results in {display_path(copy.path)}: {reason}; they are in {result.run_dir}"
        for suite, result in zip(suites, report.suites, strict=True)
        if isinstance(suite, PromptSuite)
        for copy in _copies(suite, result, f"{report.run_dir.name}-{result.run_dir.name}")
        if (reason := _write(copy))
    ]


def _copies(suite: PromptSuite, result: SuiteReport, name: str) -> Iterator[Copy]:
    """Yield the copies; the cases are read as the text is taken."""
    if suite.logs is not None and suite.meta.logs is not None:
        kind = suite.meta.logs.format
        yield Copy(suite.logs / f"{name}.{kind}", _LOGS[kind](result))
    if suite.analysis is not None:
        analysis = analyze(result.cases)
        summary = render_line(encode_analysis(result, analysis)) + "\n"
        yield Copy(suite.analysis / f"{name}.analysis.md", (render_markdown(result, analysis),))
        yield Copy(suite.analysis / f"{name}.analysis.json", (summary,))


def _write(copy: Copy) -> str | None:
    """Return why a file could not be written, or None."""
    try:
        copy.path.parent.mkdir(parents=True, exist_ok=True)
        with write_whole(copy.path) as file:
            file.writelines(copy.text)
    except OSError as error:
        return error.strerror or str(error)
    return None


def _render_lines(result: SuiteReport) -> Iterator[str]:
    return (render_line(encode_case(case)) + "\n" for case in result.cases)


_LOGS: Mapping[str, Callable[[SuiteReport], Iterable[str]]] = {
    "jsonl": _render_lines,
    "json": lambda result: chain(render_suite(result), ("\n",)),
    "csv": lambda result: render_csv(result.cases),
}
