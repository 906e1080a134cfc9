"""The figures that decided a suite, in words."""

from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal
from typing import Any, TypeAlias

from judges.core.score_text import render_score
from judges.out.summary import render_count

Summary: TypeAlias = Mapping[str, Any]


def describe_summary(summary: Summary) -> Iterator[str]:
    """Yield a sentence for each thing that the figures say; nothing where a suite has none."""
    for key, describe in _DESCRIBED.items():
        if summary.get(key) is not None:
            yield describe(summary)


def _pass_rate(summary: Summary) -> str:
    rate, threshold = _percent(summary["pass_rate"]), _percent(summary["threshold"])
    warned = f", {_plain(summary['warn_rate'])} % with a warning" if summary["warn_rate"] else ""
    passed = f"{render_score(rate, threshold)} % pass{_bounds(summary, _plain)}{warned}"
    return f"{passed}; {render_score(threshold)} % must"


def _win_rate(summary: Summary) -> str:
    rate, threshold = _percent(summary["win_rate"]), _percent(summary["threshold"])
    counts = f"b is better in {summary['wins']}, a in {summary['losses']}, neither in {summary['ties']}"
    won = f"b wins {render_score(rate, threshold)} %{_bounds(summary, _plain)}"
    return f"{counts}: {won}; {render_score(threshold)} % must be won"


def _position_bias(summary: Summary) -> str:
    swayed = summary["position_bias"]
    said = (
        f"position bias: the order swayed the judge in {swayed} of {render_count(summary['judged'], 'case')}"
    )
    return f"{said}, which count as ties" if swayed else said


def _mean_difference(summary: Summary) -> str:
    mean = summary["mean_difference"]
    cases = render_count(summary["compared"], "case")
    said = f"mean difference to the baseline {_signed(mean)} over {cases}{_bounds(summary, _signed)}"
    if summary["margin"] is not None:
        said += f"; a loss of {_plain(summary['margin'])} is allowed"
    return said


def _drops(summary: Summary) -> str:
    dropped = render_count(summary["drops"], "case")
    return f"{dropped} dropped by more than {_plain(summary['max_drop'])}, or failed a check"


def _detectable(summary: Summary) -> str:
    """Differences of scores end at 100."""
    if summary["detectable"] >= 100:
        return "too few cases: hardly any mean loss would be seen"
    return f"a mean loss of {_plain(summary['detectable'])} would be seen in 4 of 5 such runs"


_DESCRIBED = {
    "pass_rate": _pass_rate,
    "win_rate": _win_rate,
    "position_bias": _position_bias,
    "mean_difference": _mean_difference,
    "drops": _drops,
    "detectable": _detectable,
}
"""By the figure that each sentence is about."""


def _bounds(summary: Summary, say: Callable[[float], str]) -> str:
    if summary["interval"] is None:
        return ""
    low, high = map(say, summary["interval"])
    return f" (95 % interval {low} to {high})"


def _percent(value: float) -> Decimal:
    return Decimal(str(round(value, 6)))


def _plain(value: float) -> str:
    return render_score(_percent(value))


def _signed(value: float) -> str:
    return f"+{_plain(value)}" if value > 0 else _plain(value)
