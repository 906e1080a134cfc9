"""From the rows of k replicas to one row each: how many passed, and whether that is enough.

A replica that is still to come, and a row that could not be measured, are open: they might have passed.
"""

from collections.abc import Iterator, Sequence
from typing import TypeAlias

from judges.core.row import Row
from judges.core.verdict import Verdict
from judges.reduce.votes import Quorum, quorum_threshold

Replica: TypeAlias = Sequence[Row]
"""The rows of one replica."""

_OPEN = (Verdict.ERROR, Verdict.SKIP)


def aggregate_rows(replicas: Sequence[Replica], quorum: Quorum, planned: int) -> tuple[Row, ...]:
    """Return a row for each id of any replica, in the order in which they are first seen.

    Each has `pass_count`, `runs`, `pass_rate` (of the `planned` replicas, those that were not started
    included) and `actual_excerpts`, the different ones of all that did not pass. A row that a replica lacks
    was not passed by any.
    """
    return tuple(_aggregate(rows, len(replicas), quorum, planned) for rows in _by_id(replicas))


def are_decided(replicas: Sequence[Replica], quorum: Quorum, planned: int) -> bool:
    """Whether the replicas that are still to come can change no verdict. Of no replica at all they can."""
    needed, rest = quorum_threshold(quorum, planned), planned - len(replicas)
    return bool(replicas) and all(
        len(rows) < len(replicas)
        or quorum_verdict(_passes(rows) + rest, _open(rows), needed)
        is quorum_verdict(_passes(rows), _open(rows), needed)
        for rows in _by_id(replicas)
    )


def quorum_verdict(passes: int, unmeasured: int, needed: int) -> Verdict:
    """Return PASS where enough passed, FAIL where not enough could have, and ERROR in between."""
    if passes >= needed:
        return Verdict.PASS
    return Verdict.FAIL if passes + unmeasured < needed else Verdict.ERROR


def _by_id(replicas: Sequence[Replica]) -> Iterator[list[Row]]:
    rows = [{row.id: row for row in replica} for replica in replicas]
    for row_id in dict.fromkeys(row_id for each in rows for row_id in each):
        yield [each[row_id] for each in rows if row_id in each]


def _aggregate(rows: list[Row], started: int, quorum: Quorum, planned: int) -> Row:
    if len(rows) < started:
        shown = f"row {rows[0].id} missing from {started - len(rows)}/{started} replicas"
        return _row(rows, 0, planned, Verdict.FAIL, shown)
    passes, unmeasured = _passes(rows), _open(rows) + planned - started
    if all(row.verdict is Verdict.SKIP for row in rows):
        return _row(rows, passes, planned, Verdict.SKIP, error=_first_reason(rows))
    needed = quorum_threshold(quorum, planned)
    verdict = quorum_verdict(passes, unmeasured, needed)
    if verdict is Verdict.PASS:
        return _row(rows, passes, planned, verdict)
    shown = next(iter(_excerpts(rows)), "")
    if verdict is Verdict.FAIL:
        return _row(rows, passes, planned, verdict, shown)
    why = f"{passes} passed of {needed} needed, and {unmeasured} could not be measured: {_first_reason(rows)}"
    return _row(rows, passes, planned, verdict, shown, error=why)


def _row(
    rows: list[Row], passes: int, planned: int, verdict: Verdict, shown: str = "", *, error: str | None = None
) -> Row:
    return Row(
        id=rows[0].id,
        kind=rows[0].kind,
        verdict=verdict,
        actual_excerpt=shown,
        spec=rows[0].spec,
        error=error,
        extra={
            "pass_count": passes,
            "runs": planned,
            "pass_rate": f"{passes}/{planned}",
            "actual_excerpts": _excerpts(rows),
        },
    )


def _excerpts(rows: list[Row]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(filter(None, map(_what_was_wrong, rows))))


def _first_reason(rows: list[Row]) -> str:
    """Return why the first row that is open could not be measured, or was skipped."""
    return next((row.error for row in rows if row.verdict in _OPEN and row.error), "not all were run")


def _what_was_wrong(row: Row) -> str:
    return "" if row.verdict is Verdict.PASS else row.actual_excerpt or row.error or ""


def _passes(rows: list[Row]) -> int:
    return sum(row.verdict is Verdict.PASS for row in rows)


def _open(rows: list[Row]) -> int:
    return sum(row.verdict in _OPEN for row in rows)
