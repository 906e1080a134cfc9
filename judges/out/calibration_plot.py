"""How far a judge agrees with people as a picture: a panel for each criterion, a bubble for each two levels.

Levels of people run across, those of the judge up; the area of a bubble grows with its count. On the diagonal
they agree, above it the judge is the kinder one. Equal figures give equal bytes.
"""

import math
from collections.abc import Iterator, Mapping
from xml.sax.saxutils import escape

from judges.core.row import excerpt
from judges.out.calibration import render_interval
from judges.out.calibration_words import render_number
from judges.out.printable import printable
from judges.reduce.calibration_figures import Figures
from judges.run.calibrate import Calibrated

_SIDE, _ACROSS = 200, 3  # of a panel's field in pixels; most panels in a row
_LEFT, _TOP, _RIGHT, _BOTTOM = 52, 54, 24, 48  # around the field
_WIDTH, _HEIGHT = _LEFT + _SIDE + _RIGHT, _TOP + _SIDE + _BOTTOM
_HEAD = 52
_MARKED = 10  # most levels that are all named on an axis
_LETTERS = {"name": 8.5, "faint": 6.5}  # how wide a letter is, in pixels
_NO_XML = {0xFFFE: None, 0xFFFF: None}  # besides what is not printable
_STYLE = """\
svg { color-scheme: light dark; background: #fff; font: 12px system-ui, sans-serif; }
text { fill: #1f2328; } .faint { fill: #59636e; } .name { font-size: 14px; font-weight: 600; }
.grid { stroke: #d1d9e0; } .diagonal { stroke: #8c959f; stroke-dasharray: 4 3; }
.same { fill: #0969da; } .near { fill: #9a6700; } .far { fill: #cf222e; }
.count { font-size: 11px; font-weight: 600; fill: #fff; }
.count, .middle { text-anchor: middle; }
@media (prefers-color-scheme: dark) {
  svg { background: #0d1117; } text { fill: #e6edf3; } .faint { fill: #9198a1; }
  .grid { stroke: #30363d; } .diagonal { stroke: #6e7681; }
}"""


def render_plot(found: Calibrated) -> str:
    """Return the picture as SVG: it needs no other file, and follows a light or dark surrounding."""
    criteria = found.calibration.criteria
    rows = math.ceil(len(criteria) / _ACROSS)
    across = math.ceil(len(criteria) / rows) if rows else 1
    width, height = across * _WIDTH, _HEAD + rows * _HEIGHT
    title = f"{found.suite}: {found.judge} and people"
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}" role="img" aria-labelledby="title description">',
        f'<title id="title">{_text(title)}</title>',
        f'<desc id="description">{_text(" ".join(_describe(criteria)))}</desc>',
        f"<style>\n{_STYLE}\n</style>",
        _write("name", 16, 24, title, room=width - 32),
        _write("faint", 16, 42, f"run {found.run}; dashed: the same level", room=width - 32),
    ]
    for index, (name, figures) in enumerate(criteria.items()):
        row, column = divmod(index, across)
        x, y = column * _WIDTH + _LEFT, _HEAD + row * _HEIGHT + _TOP
        lines.append(f'<g transform="translate({x} {y})">')
        lines += _panel(name, figures, found.levels[name])
        lines.append("</g>")
    return "\n".join([*lines, "</svg>"]) + "\n"


def _describe(criteria: Mapping[str, Figures]) -> Iterator[str]:
    """Yield what the picture shows, for those who do not see it."""
    for name, figures in criteria.items():
        same = sum(count for (people, judge), count in figures.matrix.items() if people == judge)
        yield f"{name}: {same} of {figures.n} levels are the same, {_kappa(figures)}."


def _panel(name: str, figures: Figures, levels: int) -> Iterator[str]:
    yield _write("name", 0, -30, name, room=_SIDE + _RIGHT)
    yield _write("faint", 0, -13, f"n {figures.n}, {_kappa(figures)}", room=_SIDE + _RIGHT)
    yield f'<rect class="grid" width="{_SIDE}" height="{_SIDE}" fill="none"/>'
    yield f'<line class="diagonal" x1="0" y1="{_SIDE}" x2="{_SIDE}" y2="0"/>'
    step = _SIDE / levels
    for level in range(1, levels + 1):
        if levels <= _MARKED or level in (1, levels):
            at = (level - 0.5) * step
            yield _write("faint middle", at, _SIDE + 16, str(level))
            yield _write("faint middle", -12, _SIDE - at + 4, str(level))
    yield _write("faint middle", _SIDE / 2, _SIDE + 34, "people")
    yield f'<text class="faint middle" transform="translate(-30 {_SIDE // 2}) rotate(-90)">judge</text>'
    most = max(figures.matrix.values())
    for (people, judge), count in figures.matrix.items():
        x, y = (people - 0.5) * step, _SIDE - (judge - 0.5) * step
        yield from _bubble(
            x, y, count, radius=step / 2 * 0.92 * math.sqrt(count / most), apart=abs(people - judge)
        )


def _bubble(x: float, y: float, count: int, *, radius: float, apart: int) -> Iterator[str]:
    kind = ("same", "near", "far")[min(apart, 2)]
    place = f'cx="{x:.1f}" cy="{y:.1f}" r="{max(radius, 2):.1f}"'
    yield f'<circle class="{kind}" {place}><title>{count}</title></circle>'
    if radius >= 7:
        yield _write("count", x, y + 4, str(count))


def _kappa(figures: Figures) -> str:
    kappa = figures.kappa
    if kappa.value is None:
        return "no kappa: one level throughout"
    interval = render_interval(kappa.interval) if kappa.interval else "interval unknown"
    return f"kappa {render_number(kappa.value)} ({interval})"


def _write(kind: str, x: float, y: float, text: str, *, room: float | None = None) -> str:
    """Return a text, cut to what fits in `room` pixels."""
    fitted = text if room is None else excerpt(text, int(room / _LETTERS[kind]))
    return f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}">{_text(fitted)}</text>'


def _text(text: str) -> str:
    return escape(printable(text).translate(_NO_XML))
