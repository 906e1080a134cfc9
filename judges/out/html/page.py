"""The whole page, written in pieces: of the cases only the one that is being written is held.

Everything that comes from a model or a file is text. Every value that a template shows goes through `_show`,
which makes what is invisible or would reorder the line visible, and is then escaped; the policy in the page's
head allows nothing but the page's own style, so that even markup that got through could load or run nothing.
"""

from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from hashlib import sha256
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from judges.core.case import Category
from judges.core.report import SuiteReport, Totals
from judges.core.score_text import render_score
from judges.out.changes_text import SHIFT_COLUMNS, shift_cells
from judges.out.grid_text import RATE_COLUMNS, describe_grid, rate_cells
from judges.out.html import charts
from judges.out.html.case_view import CaseView, CaseViewer
from judges.out.html.overview import MOST_CASES, Overview, survey
from judges.out.models import describe_models
from judges.out.printable import printable_lines
from judges.out.suite_words import describe_summary
from judges.out.summary import (
    describe_notices,
    join_some,
    render_count,
    render_outcomes,
    render_totals,
    render_usage,
)
from judges.reduce.changes import Changes
from judges.run.reported import ReportedRun, ReportedSuite

if TYPE_CHECKING:
    from jinja2 import Environment

MOST_NOTICES = 50
MOST_FLIPS = 200


@dataclass(frozen=True, slots=True)
class SuiteView:
    """A suite as its template needs it."""

    reported: ReportedSuite
    overview: Overview
    viewer: CaseViewer

    @property
    def cases(self) -> Iterator[CaseView]:
        """The cases, worst first, as they are read."""
        return map(self.viewer, self.reported.cases.read(self.overview.order))

    @property
    def left(self) -> int:
        """How many cases are not shown."""
        return max(self.overview.count - MOST_CASES, 0)


@dataclass(frozen=True, slots=True)
class RunView:
    """A run as its template needs it."""

    run: ReportedRun
    suites: tuple[SuiteView, ...]


def render_html(runs: Sequence[ReportedRun]) -> Iterator[str]:
    """Yield the page in pieces.

    Raises:
        ConfigError: a run is damaged.
    """
    style = _read("style.css")
    views = [RunView(run, tuple(_view(run, suite) for suite in run.suites)) for run in runs]
    page = {
        "runs": views,
        "categories": _categories(views),
        "totals": sum((run.report.totals for run in runs), Totals()),
        "several": sum(len(run.suites) for run in runs) > 1,
        "corrected": any(run.report.totals.overridden for run in runs),
        "compared": any(run.against for run in runs),
        "style": style,
        "style_sha256": b64encode(sha256(style.encode()).digest()).decode(),
    }
    yield from _environment().get_template("page.html").generate(page)
    yield "\n"


def _view(run: ReportedRun, suite: ReportedSuite) -> SuiteView:
    overview = survey(suite.cases)
    viewer = CaseViewer(
        run=run.report.name,
        suite=suite.report,
        alone=len(run.suites) == 1,
        room=overview.room,
        changes=_by_case(suite.changes),
    )
    return SuiteView(suite, overview, viewer)


def _categories(runs: Sequence[RunView]) -> list[str]:
    """Return the categories to choose from: those of any case, unless all have the same."""
    found = (suite.overview.analysis.categories for run in runs for suite in run.suites)
    seen = {name for each in found for name in each}
    known: list[str] = [category.value for category in Category if category.value in seen]
    return known if len(known) > 1 else []


def _by_case(changes: Changes | None) -> Mapping[tuple[str, str | None], Any]:
    return {(change.ref, change.model): change for change in changes.cases} if changes else {}


def _environment() -> "Environment":
    from jinja2 import Environment, FunctionLoader, StrictUndefined

    environment = Environment(
        loader=FunctionLoader(_read),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_show,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals.update(_WORDS)
    return environment


def _read(name: str) -> str:
    return files("judges.out.html").joinpath("templates", name).read_text(encoding="utf-8")


def _show(value: object) -> object:
    """Return what a template shows of a value; what was escaped already stays as it is."""
    if hasattr(value, "__html__") or not isinstance(value, str):
        return value
    return printable_lines(value)


def _seconds(info: Mapping[str, Any]) -> str:
    """Return how long a run took; "" where it does not say."""
    try:
        started, finished = (datetime.fromisoformat(info[key]) for key in ("started", "finished"))
    except (KeyError, TypeError, ValueError):
        return ""
    seconds = (finished - started).total_seconds()
    return f"{seconds:.1f} s" if seconds < 60 else f"{seconds / 60:.1f} min"


def _number(value: Decimal | float | None) -> str:
    """Return a figure of 0..100; "" where there is none."""
    return "" if value is None else render_score(Decimal(str(value)))


def _sentences(suite: SuiteReport) -> tuple[str, ...]:
    """Return what the figures of a suite say besides its tables."""
    grid = describe_grid(suite.summary) if "rates" in suite.summary else ()
    return (*describe_summary(suite.summary), *grid)


def _rates(suite: SuiteReport) -> Iterator[Sequence[str]]:
    return (rate_cells(rate, suite.summary) for rate in suite.summary.get("rates", ()))


_WORDS: Mapping[str, Callable[..., Any] | Any] = {
    "charts": charts,
    "describe_models": describe_models,
    "describe_notices": describe_notices,
    "join_some": join_some,
    "most_flips": MOST_FLIPS,
    "most_notices": MOST_NOTICES,
    "number": _number,
    "rate_columns": RATE_COLUMNS,
    "rates": _rates,
    "render_count": render_count,
    "render_outcomes": render_outcomes,
    "render_score": render_score,
    "render_totals": render_totals,
    "render_usage": render_usage,
    "seconds": _seconds,
    "sentences": _sentences,
    "shift_cells": shift_cells,
    "shift_columns": SHIFT_COLUMNS,
}
"""What the templates may call."""
