"""What changed between two runs, as text: how the scores moved, then every verdict that is another one."""

from collections.abc import Iterator, Sequence
from decimal import Decimal

from judges.core.score_text import render_score
from judges.out.fit import cell, column, fit_table, wrap
from judges.out.printable import printable, shield
from judges.out.style import Style, plain
from judges.out.summary import join_some, render_count
from judges.reduce.changes import TOTAL, Change, Changes, Shift

MOST_MOVED = 10

SHIFT_COLUMNS = ("score", "cases", "mean", "95 % interval", "rose", "fell", "same")
_CASES = ("case", "before", "after")
_GAP = 2


def render_changes(name: str, changes: Changes, *, width: int, style: Style = plain) -> str:
    """Return what changed in one suite. `width` is in terminal columns.

    The cases are those whose verdict changed, and the ten others whose score moved most.
    """
    blocks = [
        printable(name),
        "\n".join(_render_shifts(changes, width)) or "No case has a score in both runs.",
        "\n".join(_render_cases("Other verdict", changes.flips, width, style)),
        "\n".join(_render_cases("Moved most", _most_moved(changes), width, style)),
        "\n".join(_render_only(changes, width)),
    ]
    return shield("\n\n".join(filter(None, blocks)) + "\n")


def _render_shifts(changes: Changes, width: int) -> Iterator[str]:
    from tabulate import tabulate

    rows = [shift_cells(name, shift) for name, shift in changes.shifts.items()]
    if rows:
        table = tabulate(rows, headers=SHIFT_COLUMNS, tablefmt="simple", disable_numparse=True)
        yield from fit_table(table, SHIFT_COLUMNS, rows, width)


def shift_cells(name: str, shift: Shift) -> list[str]:
    """Return how one score moved, a text for each of SHIFT_COLUMNS."""
    interval = "none" if shift.interval is None else " to ".join(map(_signed, shift.interval))
    shown = "total" if name == TOTAL else printable(name.removeprefix("criteria."))
    counts = (shift.wins, shift.losses, shift.ties)
    return [shown, f"{shift.cases:,}", _signed(shift.mean), interval, *(f"{each:,}" for each in counts)]


def _most_moved(changes: Changes) -> list[Change]:
    moved = [change for change in changes.cases if change.difference and not change.flipped]
    moved.sort(key=lambda change: abs(change.difference or Decimal(0)), reverse=True)
    return moved[:MOST_MOVED]


def _render_cases(title: str, cases: Sequence[Change], width: int, style: Style) -> Iterator[str]:
    from tabulate import tabulate

    if not cases:
        return
    names = [printable(f"{change.ref} [{change.model}]" if change.model else change.ref) for change in cases]
    sides = [[_side(change, at, style) for at in (0, 1)] for change in cases]
    taken = sum(column(_CASES[at + 1], [_side(change, at, plain) for change in cases]) for at in (0, 1))
    rows = [
        [cell([name], max(width - taken - 2 * _GAP, 20)), *each]
        for name, each in zip(names, sides, strict=True)
    ]
    yield f"{title} ({len(cases):,})"
    table = tabulate(rows, headers=_CASES, tablefmt="simple", disable_numparse=True)
    whole = [[name, *each] for name, each in zip(names, sides, strict=True)]
    yield from fit_table(table, _CASES, whole, width)


def _side(change: Change, at: int, style: Style) -> str:
    verdict, score = change.verdicts[at], change.scores[at]
    shown = "" if score is None else f" {render_score(score)}"
    return f"{style(verdict.value, verdict)}{shown}"


def _render_only(changes: Changes, width: int) -> Iterator[str]:
    for words, refs in zip(("first", "second"), changes.only, strict=True):
        if refs:
            text = (
                f"only in the {words} run, {render_count(len(refs), 'case')}: {join_some(refs, MOST_MOVED)}"
            )
            yield from wrap(printable(text), width, indent="  ")


def _signed(value: float) -> str:
    shown = render_score(Decimal(str(round(value, 6))))
    return f"+{shown}" if value > 0 and shown != "0" else shown
