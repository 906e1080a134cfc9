"""The pictures of the page as geometry: where each bar and line goes. The templates draw them as SVG.

Colours are classes, so that a picture follows the light or dark page around it.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from judges.core.report import Totals
from judges.core.verdict import Verdict
from judges.out.html.overview import BINS, SHOWN_FIRST
from judges.run.history import Point


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """A rectangle in the units of its picture. `kind` is its class, `title` what it stands for."""

    x: float
    y: float
    width: float
    height: float
    kind: str
    title: str = ""


def stack_scores(scores: Sequence[Mapping[Verdict, int]], width: float, height: float) -> Iterator[Bar]:
    """Yield the bars of a histogram whose tenths are divided by verdict, what passed at the bottom."""
    most = max((sum(tenth.values()) for tenth in scores), default=0) or 1
    step = width / BINS
    for at, tenth in enumerate(scores):
        top = height
        for verdict in reversed(SHOWN_FIRST):
            if count := tenth.get(verdict, 0):
                tall = height * count / most
                top -= tall
                title = f"{_range(at)}: {count:,} {verdict}"
                kind = verdict.value.lower()
                yield Bar(x=at * step + 1, y=top, width=step - 2, height=tall, kind=kind, title=title)


def draw_tenths(counts: Sequence[int], width: float, height: float) -> Iterator[Bar]:
    """Yield the bars of a small histogram."""
    most = max(counts, default=0) or 1
    step = width / BINS
    for at, count in enumerate(counts):
        if count:
            tall = max(height * count / most, 1)
            title = f"{_range(at)}: {count:,}"
            yield Bar(x=at * step, y=height - tall, width=step - 1, height=tall, kind="plain", title=title)


def stack_outcomes(totals: Totals, width: float, height: float) -> Iterator[Bar]:
    """Yield the parts of one lying bar: how many cases ended how, worst first."""
    counts = {
        Verdict.ERROR: totals.errored,
        Verdict.FAIL: totals.failed,
        Verdict.INCONCLUSIVE: totals.inconclusive,
        Verdict.WARN: totals.warned,
        Verdict.SKIP: totals.skipped,
        Verdict.PASS: totals.passed,
    }
    whole, left = sum(counts.values()) or 1, 0.0
    for verdict, count in counts.items():
        if count:
            wide = width * count / whole
            yield Bar(
                x=left,
                y=0,
                width=wide,
                height=height,
                kind=verdict.value.lower(),
                title=f"{count:,} {verdict}",
            )
            left += wide


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One figure over time: its class, what it is called, and its dots as (x, y, what they stand for)."""

    kind: str
    name: str
    dots: tuple[tuple[float, float, str], ...]

    @property
    def points(self) -> str:
        """The dots as SVG's `points`."""
        return " ".join(f"{x:.1f},{y:.1f}" for x, y, _ in self.dots)


def draw_history(history: Sequence[Point], width: float, height: float) -> Iterator[Line]:
    """Yield the lines of pass rate and mean score over the runs; none of a figure that no two runs have."""
    step = width / max(len(history) - 1, 1)
    figures = {
        "rate": ("cases that passed, %", [point.pass_rate for point in history]),
        "mean": ("mean score", [point.mean_score for point in history]),
    }
    for kind, (name, values) in figures.items():
        dots = tuple(
            (at * step, height - height * value / 100, f"{history[at].run}: {value:.1f}")
            for at, value in enumerate(values)
            if value is not None
        )
        if len(dots) > 1:
            yield Line(kind=kind, name=name, dots=dots)


def _range(tenth: int) -> str:
    low = tenth * 100 // BINS
    return f"{low} to {low + 100 // BINS}"
