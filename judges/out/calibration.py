"""How far a judge agrees with people, in words and tables for people."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence

from judges.out.calibration_words import conclude, render_number
from judges.out.fit import cell, columns, fit_table, wrap
from judges.out.printable import printable, shield
from judges.out.summary import render_count
from judges.reduce.calibration_figures import Estimate, Figures
from judges.reduce.calibration_rate import PassRate, Share
from judges.reduce.statistics import Interval
from judges.run.calibrate import Calibrated, People

_COLUMNS = ("", "n", "kappa", "95 %", "same", "±1", "MAE", "bias", "tau", "base")
_FIGURES = 63  # columns that the figures take, with the gaps
_INDENT = "  "
_PEOPLE = "two people"


def render_calibrated(found: Calibrated, *, width: int) -> str:
    """Return the figures, what was left out, and what follows, for a terminal of this width."""
    parts = [
        [*wrap(f"{printable(found.judge)} in run {printable(found.run)}, and people", width)],
        [*_render_labels(found, width)],
        [*_render_figures(found, width)],
        [*_render_matrices(found)],
        [*_render_notes(found, width)],
        [*_render_pass_rate(found, width)],
        [*_render_left_out(found, width)],
        [line for sentence in conclude(found) for line in wrap(sentence, width, indent=_INDENT)],
    ]
    head, labels, *others = parts
    return shield("\n\n".join("\n".join(part) for part in ([*head, *labels], *others) if part) + "\n")


def render_interval(interval: Interval | None, between: str = " to ") -> str:
    """Return the ends of an interval; one that is not known is `unknown`."""
    return "unknown" if interval is None else f"{interval.low:.2f}{between}{interval.high:.2f}"


def _render_labels(found: Calibrated, width: int) -> Iterator[str]:
    overall = found.calibration.overall
    if overall is not None:
        outputs = f"{render_count(overall.outputs, 'output')} of {render_count(overall.cases, 'case')}"
        yield from wrap(f"{render_count(overall.n, 'label')} of {outputs}; {_tell(found.people)}", width)


def _tell(people: People) -> str:
    persons = "1 person" if people.authors == 1 else f"{people.authors:,} people"
    ratings = render_count(people.blind + people.seen, "rating")
    corrections = f", {people.corrections:,} by a correction" if people.corrections else ""
    return f"{ratings} of {persons}, {people.blind:,} blind{corrections}"


def _render_figures(found: Calibrated, width: int) -> Iterator[str]:
    """Yield a table: all labels, each criterion, each category, and people with each other."""
    from tabulate import tabulate

    groups = [*_groups(found)]
    if not groups:
        return
    longest = max(columns(name) for name, _ in groups)
    room = max(width - _FIGURES, min(longest, 17))  # in less than that names would be cut to pieces
    rows = [(printable(name), *_figures(each)) for name, each in groups]
    shown = [(cell([name], room), *figures) for name, *figures in rows]
    align = ("left", *["right"] * (len(_COLUMNS) - 1))
    table = tabulate([_COLUMNS, *shown], tablefmt="plain", disable_numparse=True, colalign=align)
    yield from fit_table(table, _COLUMNS, rows, width)


def _groups(found: Calibrated) -> Iterator[tuple[str, Figures]]:
    calibration = found.calibration
    if calibration.overall is not None:
        yield "all", calibration.overall
        yield from calibration.criteria.items()
        yield from ((f"[{category.value}]", each) for category, each in calibration.categories.items())
    if calibration.people is not None:
        yield _PEOPLE, calibration.people


def _figures(found: Figures) -> tuple[str, ...]:
    return (
        f"{found.n:,}",
        render_number(found.kappa.value),
        render_interval(found.kappa.interval, ".."),
        render_number(found.exact.value),
        render_number(found.within_one.value),
        render_number(found.error.value),
        render_number(found.bias.value, signed=True),
        render_number(found.tau.value),
        render_number(found.commonest),
    )


def _render_matrices(found: Calibrated) -> Iterator[str]:
    """Yield how often people gave one level and the judge another, for all criteria of a scale together."""
    by_scale: dict[int, Counter[tuple[int, int]]] = defaultdict(Counter)
    for name, figures in found.calibration.criteria.items():
        by_scale[found.levels[name]].update(figures.matrix)
    for levels, matrix in by_scale.items():
        yield f"levels 1 to {levels}: people down, judge across"
        yield from _render_matrix(matrix)


def _render_matrix(matrix: Mapping[tuple[int, int], int]) -> Iterator[str]:
    """Levels that nobody gave have no line; those that the judge did not give have no column."""
    down, across = (sorted({pair[at] for pair in matrix}) for at in (0, 1))
    yield _INDENT + _line("", across)
    for people in down:
        yield _INDENT + _line(people, [matrix.get((people, judge)) or "." for judge in across])


def _line(head: object, cells: Sequence[object]) -> str:
    return f"{head!s:>4}" + "".join(f"{each!s:>6}" for each in cells)


def _render_notes(found: Calibrated, width: int) -> Iterator[str]:
    """Yield why figures are not defined."""
    for name, figures in found.calibration.criteria.items():
        if figures.kappa.value is None:
            why = "no kappa and no tau: people and judge gave one and the same level throughout"
        elif figures.tau.value is None:
            why = "no tau: people or the judge gave the same level throughout"
        else:
            continue
        yield from wrap(f"{printable(name)}: {why}", width, indent=_INDENT)


def _render_pass_rate(found: Calibrated, width: int) -> Iterator[str]:
    """Yield how often the judge passes an output, held against people where they have said anything."""
    if found.pass_rate is not None and found.calibration.overall is not None:
        yield from wrap(_describe_pass_rate(found.pass_rate), width, indent=_INDENT)


def _describe_pass_rate(rate: PassRate) -> str:
    judged = f"Pass rate: the judge passes {_render_share(rate.judged)}."
    errors = (
        f"Of those that people pass it passes {_render_share(rate.tpr)}; of those that people fail it fails "
        f"{_render_share(rate.tnr)}."
    )
    corrected = f"Corrected by that: {_render_estimate(Estimate(rate.corrected, rate.interval))}."
    return f"{judged} {errors} " + (corrected if rate.why is None else f"Not corrected by that: {rate.why}.")


def _render_share(share: Share) -> str:
    if not share.n:
        return "0 of 0"
    return f"{share.count:,} of {share.n:,}, {_render_estimate(Estimate(share.value, share.interval))}"


def _render_estimate(estimate: Estimate) -> str:
    return f"{render_number(estimate.value)} (95 % interval: {render_interval(estimate.interval)})"


def _render_left_out(found: Calibrated, width: int) -> Iterator[str]:
    for reason, number in found.left_out.items():
        yield from wrap(f"{render_count(number, 'rating')} left out: {reason}", width, indent=_INDENT)
    if found.unanswered:
        counted = render_count(found.unanswered, "label")
        yield from wrap(f"{counted} not compared: the judge gave no answer", width, indent=_INDENT)
