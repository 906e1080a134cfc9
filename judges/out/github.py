"""What GitHub Actions shows of a run: annotations on the lines of cases, and a job summary.

A command to GitHub's runner is a line `::error file=…,line=…,title=…::message` on either output stream. What
is put into one is escaped so that it neither ends the command nor begins another. Sources: the documentation
of workflow commands, and ActionCommand.cs, ScriptHandler.cs and FileCommandManager.cs of actions/runner.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple, TypeAlias

from judges.core.report import CaseReport, Report, SuiteReport
from judges.core.row import REASON_LENGTH, excerpt
from judges.core.verdict import Verdict
from judges.out.printable import printable
from judges.out.suite_words import describe_summary

MOST_OF_A_LEVEL = 10  # of each level GitHub shows no more a step
SUMMARY_BYTES = 1024 * 1024  # a larger summary is not shown at all

_MOST_REASONS = 5
_NOTE = (
    "\n… and more, which does not fit into a job summary of 1 MiB: --markdown FILE and --csv FILE have it.\n"
)
_IN_MESSAGE = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
_IN_PROPERTY = {**_IN_MESSAGE, **str.maketrans({":": "%3A", ",": "%2C"})}
_MARK_IN_JSON = re.compile(r"#(?=#\[|#vso\[)")


class Level(StrEnum):
    """How GitHub shows an annotation."""

    ERROR = "error"
    WARNING = "warning"
    NOTICE = "notice"


class Place(NamedTuple):
    """Where a case stands: the name of its file, and the line from 1."""

    file: str
    line: int


Places: TypeAlias = Mapping[tuple[Path, str], Place]
"""By the run directory of the suite and the ref of the case."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Annotation:
    """A remark on a case, or on a suite as a whole if it has no ref."""

    level: Level
    suite: SuiteReport
    title: str
    message: str
    ref: str | None = None


@dataclass(slots=True)
class Annotations:
    """The first of each level that GitHub shows, and how many more there are."""

    shown: list[Annotation] = field(default_factory=list)
    more: Counter[Level] = field(default_factory=Counter)

    def add(self, annotation: Annotation) -> None:
        """Take one, or only count it."""
        if sum(each.level is annotation.level for each in self.shown) < MOST_OF_A_LEVEL:
            self.shown.append(annotation)
        else:
            self.more[annotation.level] += 1


def annotate(report: Report, failing: Collection[Verdict]) -> Annotations:
    """Return what is to be said of a run: an error where a case fails it, a warning where one does not.

    `failing` are the verdicts with which a suite fails the run. A suite that is decided by more than its
    worst case is said of as a whole.
    """
    found = Annotations()
    for suite in report.suites:
        level = Level.ERROR if suite.verdict in failing else Level.WARNING
        if suite.verdict not in (Verdict.PASS, Verdict.SKIP) and (said := [*describe_summary(suite.summary)]):
            title = f"{suite.verdict} {suite.name}"
            found.add(Annotation(level=level, suite=suite, title=title, message="\n".join(said)))
        for case in suite.cases if suite.totals.passed + suite.totals.skipped < suite.totals.cases else ():
            if case.verdict not in (Verdict.PASS, Verdict.SKIP):
                found.add(_about_case(suite, case, level if case.verdict in failing else Level.WARNING))
    return found


def render_annotations(annotations: Annotations, places: Places, workspace: Path) -> Iterator[str]:
    """Yield the commands, a line each. Files are named from the workspace, as GitHub wants them.

    What has no place stands on the first line of its suite.
    """
    for each in annotations.shown:
        place = places.get((each.suite.run_dir, each.ref or "")) or Place(str(each.suite.path), 1)
        file = _from_workspace(place.file, workspace)
        where = {"file": file, "line": str(place.line)} if file else {}
        yield render_command(each.level, each.message, {**where, "title": each.title})
    if annotations.more:
        counts = " and ".join(f"{number:,} {level}s" for level, number in annotations.more.items())
        message = f"{counts} more: GitHub shows {MOST_OF_A_LEVEL} of each a step. The job summary has them."
        yield render_command(Level.NOTICE, message, {"title": "scaffold"})


def render_command(level: Level, message: str, properties: Mapping[str, str]) -> str:
    """Return one command as a line; line ends of the message are kept, all else that could act is escaped."""
    given = (f"{name}={printable(text).translate(_IN_PROPERTY)}" for name, text in properties.items())
    lines = "\n".join(map(printable, message.split("\n")))
    return f"::{level} {','.join(given)}::{lines.translate(_IN_MESSAGE)}\n"


def bound_summary(lines: Iterable[str], most: int = SUMMARY_BYTES) -> Iterator[str]:
    """Yield lines of a job summary as long as they fit into so many bytes, and a note if not all may."""
    left = most - len(_NOTE.encode())
    if left < 0:
        return
    for line in lines:
        left -= len(line.encode())
        if left < 0:
            yield _NOTE
            return
        yield line


def shield_json(text: str) -> str:
    """Return JSON that says the same and holds no command to a runner, which looks for `##[` anywhere."""
    return _MARK_IN_JSON.sub(r"\\u0023", text)


def _about_case(suite: SuiteReport, case: CaseReport, level: Level) -> Annotation:
    model = f" [{case.model}]" if case.model and len(suite.models) > 1 else ""
    reasons = [excerpt(reason, REASON_LENGTH) for reason in case.reasons[:_MOST_REASONS]]
    if len(case.reasons) > _MOST_REASONS:
        reasons.append(f"… and {len(case.reasons) - _MOST_REASONS} more")
    return Annotation(
        level=level,
        suite=suite,
        ref=case.ref,
        title=f"{case.verdict} {suite.name}: {case.ref}{model}",
        message="\n".join(map(printable, reasons)) or case.verdict.value,
    )


def _from_workspace(file: str, workspace: Path) -> str:
    """Return a path as it is named in the repository; "" for one outside of it."""
    path, root = Path(file).resolve(), workspace.resolve()
    return path.relative_to(root).as_posix() if path.is_relative_to(root) else ""
