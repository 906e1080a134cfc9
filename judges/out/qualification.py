"""What a judge was found to be worth: in words and a table for people, and as JSON."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import Any

from judges.core.encode import encode_usage
from judges.out.fit import cell, wrap
from judges.out.printable import printable, shield
from judges.out.summary import render_count, render_usage
from judges.reduce.qualification import CHANCE, FEWEST_OUTPUTS, Agreement, Qualification, Standing
from judges.run.qualify import Measured

_COLUMNS = ("criterion", "outputs", "pairs", "accuracy", "kappa", "error", "bias", "commonest")
_NARROW = 90
_NUMBERS = 71  # the columns of figures, and the gaps between all
_INDENT = "  "


def render_measured(measured: Measured, left_out: Mapping[str, int], *, width: int) -> str:
    """Return what was measured. `left_out` says how many ratings do not count, by the reason."""
    found = measured.qualification
    outputs, cases = render_count(found.n, "output"), render_count(found.cases, "case")
    lines = [
        *wrap(f"{printable(measured.judge)} and people, on {outputs} of {cases}", width),
        *wrap(_render_accuracy(found), width, indent=_INDENT),
        "",
        *(_render_criteria(found.criteria, width) if found.criteria else ()),
        *_render_counts("rating", "left out", left_out, width),
        *_render_counts("output", "not judged", measured.unanswered, width),
        *wrap(_conclude(measured), width, indent=_INDENT),
        *wrap(render_usage(measured.usage), width),
    ]
    return shield("\n".join(lines) + "\n")


def encode_measured(measured: Measured, left_out: Mapping[str, int]) -> dict[str, Any]:
    """Return the same as JSON values; shares are 0..1."""
    found = measured.qualification
    return {
        "judge": measured.judge,
        "standing": found.standing.value,
        "n": found.n,
        "cases": found.cases,
        "pairs": found.pairs,
        "accuracy": found.accuracy,
        "interval": None if found.interval is None else [found.interval.low, found.interval.high],
        "criteria": {name: asdict(each) for name, each in found.criteria.items()},
        "left_out": dict(left_out),
        "unanswered": dict(measured.unanswered),
        "usage": encode_usage(measured.usage),
    }


def _render_accuracy(found: Qualification) -> str:
    if found.accuracy is None:
        return "No two outputs were put on different levels of a criterion: there is nothing to order."
    interval = found.interval
    certain = f"{interval.low:.2f} to {interval.high:.2f}" if interval else "unknown: it hangs on one case"
    return (
        f"accuracy {found.accuracy:.2f} over {render_count(found.pairs, 'pair')} (95 % interval: {certain}; "
        f"chance: {CHANCE})"
    )


def _render_criteria(criteria: Mapping[str, Agreement], width: int) -> Iterator[str]:
    """Yield a table with a line for each criterion, or on a narrow terminal a sentence."""
    rows = [_figures(name, each) for name, each in criteria.items()]
    if width < _NARROW:
        for name, *figures in rows:
            told = ", ".join(f"{head} {text}" for head, text in zip(_COLUMNS[1:], figures, strict=True))
            yield from wrap(f"{name}: {told}", width, indent=_INDENT)
    else:
        from tabulate import tabulate

        fitted = [(cell([name], width - _NUMBERS), *figures) for name, *figures in rows]
        table = tabulate(fitted, headers=_COLUMNS, tablefmt="simple", disable_numparse=True)
        yield from (line.rstrip() for line in table.splitlines())
    yield ""


def _figures(name: str, found: Agreement) -> tuple[str, ...]:
    return (
        printable(name),
        f"{found.n:,}",
        f"{found.pairs:,}",
        _number(found.accuracy),
        _number(found.kappa),
        _number(found.error),
        "none" if found.bias is None else f"{found.bias:+.2f}",
        f"{found.commonest:.2f}",
    )


def _number(value: float | None) -> str:
    return "none" if value is None else f"{value:.2f}"


def _render_counts(noun: str, what: str, counts: Mapping[str, int], width: int) -> Iterator[str]:
    for reason, number in counts.items():
        yield from wrap(f"{render_count(number, noun)} {what}: {printable(reason)}", width, indent=_INDENT)


def _conclude(measured: Measured) -> str:
    found, judge = measured.qualification, printable(measured.judge)
    if measured.unanswered:
        return "Nothing follows while outputs are not judged. Run it again: what was answered is kept."
    match found.standing:
        case Standing.QUALIFIED:
            return f"QUALIFIED: {judge} orders outputs as people do, better than chance."
        case Standing.SMOKE:
            return (
                f"SMOKE JUDGE: {judge} is no better than chance. Its levels are shown, and decide nothing: "
                "every case ends as ERROR."
            )
        case Standing.TOO_FEW:
            few = found.n < FEWEST_OUTPUTS
            why = f"it takes {FEWEST_OUTPUTS} rated outputs" if few else "the ratings hardly differ"
            return f"TOO FEW ratings to tell: {why}. Nothing changes."
