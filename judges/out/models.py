"""The models of a suite side by side: how the cases of each ended, the mean score, what its outputs cost."""

from collections.abc import Iterator, Mapping

from judges.core.report import ModelSummary
from judges.core.score_text import render_score
from judges.out.fit import cell, column, wrap
from judges.out.printable import printable
from judges.out.summary import render_cost, render_outcomes

_COLUMNS = ("model", "cases", "mean score", "outputs")
_NARROW = 60
_GAPS = 6


def render_models(models: Mapping[str, ModelSummary], width: int) -> Iterator[str]:
    """Yield a table with a line for each model, or below 60 columns a sentence."""
    rows = [list(row) for row in describe_models(models)]
    if width < _NARROW:
        for name, outcomes, score, cost in rows:
            yield from wrap(f"{name}: {outcomes}; mean score {score}; outputs {cost}", width, indent="  ")
        return
    from tabulate import tabulate

    fixed = sum(column(_COLUMNS[at], (row[at] for row in rows)) for at in (2, 3))
    shared = width - fixed - _GAPS
    name_width = min(column(_COLUMNS[0], (row[0] for row in rows)), shared // 2)
    for row in rows:
        row[:2] = cell([row[0]], name_width), cell([row[1]], shared - name_width)
    table = tabulate(rows, headers=_COLUMNS, tablefmt="simple", disable_numparse=True)
    yield from (line.rstrip() for line in table.splitlines())


def describe_models(models: Mapping[str, ModelSummary]) -> Iterator[tuple[str, str, str, str]]:
    """Yield for each model its name, how its cases ended, their mean score, and the cost of its outputs."""
    for name, summary in models.items():
        mean, cost = summary.mean_score, summary.output_usage.cost_usd
        yield (
            printable(name),
            render_outcomes(summary.totals) or "none",
            "none" if mean is None else render_score(mean),
            "cost unknown" if cost is None else render_cost(cost),
        )
