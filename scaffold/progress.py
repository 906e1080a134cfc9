"""How far a run has come: a live line on a terminal, a few plain lines elsewhere. It never touches stdout."""

import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TextIO, TypeAlias

from judges.core.report import CaseReport, Totals
from judges.core.usage import NOTHING
from judges.out.summary import render_cost, render_outcomes
from judges.reduce.suite import Count

_SECONDS_BETWEEN_LINES = 10.0
_SHORTEST_SECONDS = 1.0
_STEPS = 10

Clock: TypeAlias = Callable[[], float]


class Progress:
    """Counts the finished cases and has each count shown. Used from one thread."""

    def __init__(self, show: Callable[["Progress"], None]) -> None:
        self.usage = NOTHING
        self._count = Count()
        self._show = show

    @property
    def totals(self) -> Totals:
        """How many cases ended how."""
        return self._count.totals

    def advance(self, case: CaseReport) -> None:
        """Count one finished case."""
        self._count.add(case)
        self.usage += case.usage
        self._show(self)

    def __str__(self) -> str:
        spent = [render_cost(self.usage.cost_usd)] if self.usage.cost_usd != 0 else []
        return ", ".join([render_outcomes(self.totals), *spent])


@contextmanager
def open_progress(
    total: int,
    *,
    quiet: bool = False,
    stream: TextIO | None = None,
    environ: Mapping[str, str] = os.environ,
    clock: Clock = time.monotonic,
) -> Iterator[Progress]:
    """Show the progress of `total` cases on a stream (standard error) while the context is open."""
    stream = sys.stderr if stream is None else stream
    if quiet:
        yield Progress(lambda _: None)
    elif stream.isatty() and environ.get("TERM") != "dumb" and not environ.get("CI"):
        with _live_line(total, stream) as show:
            yield Progress(show)
    else:
        yield Progress(_PlainLines(total, stream, clock))


@contextmanager
def _live_line(total: int, stream: TextIO) -> Iterator[Callable[[Progress], None]]:
    """Keep one line of a terminal up to date, and take it away at the end."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    words = TextColumn("{task.description}", markup=False)
    columns = (MofNCompleteColumn(), BarColumn(bar_width=20), words, TimeRemainingColumn())
    with Bar(*columns, console=Console(file=stream), transient=True) as bar:
        task = bar.add_task("", total=total)
        yield lambda progress: bar.update(task, completed=progress.totals.cases, description=str(progress))


class _PlainLines:
    """Writes a line at every tenth of the way or every 10 seconds, never more than one a second."""

    def __init__(self, total: int, stream: TextIO, clock: Clock) -> None:
        self._total, self._stream, self._clock = total, stream, clock
        self._started = self._written = clock()
        self._step = 0

    def __call__(self, progress: Progress) -> None:
        now, done = self._clock(), progress.totals.cases
        step = done * _STEPS // self._total
        silent = now - self._written
        if silent < _SHORTEST_SECONDS or (step == self._step and silent < _SECONDS_BETWEEN_LINES):
            return
        self._written, self._step = now, step
        left = (now - self._started) / done * (self._total - done)
        eta = f", about {render_seconds(left)} left" if left else ""
        self._stream.write(f"{done:,} of {self._total:,} done: {progress}{eta}\n")
        self._stream.flush()


def render_seconds(seconds: float) -> str:
    """Return a duration for people: `40 s`, `3 min`, `1 h 20 min`."""
    minutes = round(seconds / 60)
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{minutes} min" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"
