"""One fixture whole: its rows over all replicas, then each replica, then how to look deeper."""

import shlex
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from pathlib import Path

from judges.core.report import CaseReport
from judges.core.row import Notice, Row, excerpt
from judges.core.verdict import Verdict
from judges.out.fit import wrap
from judges.out.printable import printable, shield
from judges.out.row_words import describe_row
from judges.out.style import Style, plain
from judges.out.summary import describe_notices, render_cost, render_count, render_usage

_INDENT = "  "
_DEEP = "      "


@dataclass(frozen=True, slots=True)
class ReplicaView:
    """One replica: its number, its folder, and how it was graded."""

    number: int
    folder: Path
    case: CaseReport


def split_rows(case: CaseReport) -> Iterator[CaseReport]:
    """Yield a case of one row for each row of a fixture, with the verdict of that row."""
    return (replace(case, rows=(row,), verdict=row.verdict) for row in case.rows)


def row_title(row: Row) -> str:
    """Return what names a row: its id, and how many replicas passed it."""
    rate = row.extra.get("pass_rate")
    return f"{printable(row.id)}  {rate}" if rate else printable(row.id)


def row_reasons(row: Row) -> tuple[str, ...]:
    """Return what was wrong in the replicas that did not pass, each once; why, where it was not measured."""
    if row.error is not None:
        return (row.error,)
    found = row.extra.get("actual_excerpts", (row.actual_excerpt,))
    return tuple(filter(None, found))


def render_fixture(
    case: CaseReport,
    replicas: Sequence[ReplicaView],
    *,
    run: str | None,
    notices: Sequence[Notice] = (),
    width: int,
    style: Style = plain,
) -> str:
    """Return everything about one fixture with one model.

    `run` is what commands know its run by; None where the only replica was graded on its own.
    """
    blocks = [
        _render_head(case, replicas, style),
        _block("Rows", (line for row in case.rows for line in _render_row(row, width, style))),
        _block("Replicas", (line for each in replicas for line in _render_replica(each, width, style))),
        _block("Notices", _wrap_all(describe_notices((*notices, *case.notices)), width)),
        _block("Usage", [_INDENT + render_usage(case.usage)]),
        _block("To look deeper", _render_commands(case, replicas, run)),
    ]
    return shield("\n\n".join(filter(None, blocks)) + "\n")


def _render_head(case: CaseReport, replicas: Sequence[ReplicaView], style: Style) -> str:
    passed = sum(each.case.verdict is Verdict.PASS for each in replicas)
    facts = [
        f"{passed} of {render_count(len(replicas), 'replica')} passed every row",
        case.model and f"model {case.model}",
    ]
    return "\n".join(
        [
            f"{style(case.verdict.value, case.verdict)}  {printable(case.ref)}",
            printable(case.title),
            printable(", ".join(filter(None, facts))),
        ]
    )


def _render_row(row: Row, width: int, style: Style) -> Iterator[str]:
    yield f"{_INDENT}{style(row.verdict.value, row.verdict)}  {row_title(row)}"
    asked = Row(id=row.id, kind=row.kind, verdict=row.verdict, spec=row.spec)
    for text in (
        *row_reasons(row),
        *(f"{name}: {text}" if name else text for name, text in describe_row(asked)),
    ):
        yield from wrap(_DEEP + printable(text), width, indent=_DEEP)


def _render_replica(replica: ReplicaView, width: int, style: Style) -> Iterator[str]:
    case = replica.case
    facts = ", ".join(_describe_session(case.rows[0]))
    head = f"r{replica.number}: {facts}" if facts else f"r{replica.number}"
    yield f"{_INDENT}{style(case.verdict.value, case.verdict)}  {printable(head)}"
    for text in _describe_rows(case):
        yield from wrap(_DEEP + printable(text), width, indent=_DEEP)
    if facts:
        yield _DEEP + printable(str(replica.folder))


def _describe_session(completed: Row) -> Iterator[str]:
    """Yield how long a session took, what it cost, and how it ended; nothing where there was none."""
    told = completed.extra
    if "exit" not in told:
        return
    if told["elapsed_ms"] is not None:
        yield f"{told['elapsed_ms'] / 1000:.1f} s"
    yield "cost unknown" if told["cost_usd"] is None else render_cost(_usd(told["cost_usd"]))
    yield "ended by its time limit" if told["timed_out"] else told["signal"] or f"exit {told['exit']}"


def _describe_rows(case: CaseReport) -> Iterator[str]:
    """Yield what decided about a replica: why it was not measured, or what did not pass; what judges said."""
    completed, *rows = case.rows
    if denied := completed.extra.get("denials"):
        yield f"permission denied: {', '.join(_counted(denied))}"
    if completed.verdict is not Verdict.PASS:
        yield completed.error or completed.id
        return
    for row in rows:
        said = row.extra.get("reasoning")
        if row.verdict is not Verdict.PASS:
            yield f"{row.id}: {excerpt(row.error or row.actual_excerpt or row.verdict)}"
        elif said:
            yield f"{row.id}: {row.verdict}, {said}"


def _render_commands(case: CaseReport, replicas: Sequence[ReplicaView], run: str | None) -> Iterator[str]:
    ran = [each for each in replicas if "exit" in each.case.rows[0].extra]
    worst = next((each for each in ran if each.case.verdict is not Verdict.PASS), ran[0] if ran else None)
    if run is not None and any(row.kind == "semantic" for row in case.rows):
        command = f"scaffold show {shlex.quote(run)} {shlex.quote(printable(case.ref))} --prompt"
        yield f"{_INDENT}{command}  what judges saw and said"
    if worst is not None:
        folder = str(worst.folder)
        yield f"{_INDENT}less {shlex.quote(folder)}/stream.jsonl  the session, event by event"
        yield f"{_INDENT}scaffold grade {shlex.quote(run or folder)}  grade again, as the fixture is now"


def _counted(names: Sequence[str]) -> Iterator[str]:
    for name in dict.fromkeys(names):
        often = names.count(name)
        yield f"{name} ({often} times)" if often > 1 else name


def _block(title: str, lines: Iterable[str]) -> str:
    body = "\n".join(lines)
    return f"{title}\n{body}" if body else ""


def _wrap_all(texts: Sequence[str], width: int) -> Iterator[str]:
    for text in texts:
        yield from wrap(_INDENT + printable(text), width, indent=_INDENT)


def _usd(value: float) -> Decimal:
    return Decimal(str(value))
