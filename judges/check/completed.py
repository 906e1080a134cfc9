"""Whether a session ran to its end, so that grading it means anything.

A limit that was reached (turns, budget, tries) and a refusal are ends of a session: `run.must_succeed` fails
for them and the rest is graded. Everything else but success could not be measured.
"""

from collections.abc import Callable

from judges.core.row import excerpt
from judges.core.session import RunFacts

_LIMIT_REACHED = "error_max_"


def why_incomplete(run: RunFacts) -> str | None:
    """Return why a session did not run to its end, as a sentence, or None where it did."""
    return next(filter(None, (look(run) for look in _LOOKS)), None)


def _timed_out(run: RunFacts) -> str | None:
    return "the session was ended: it took longer than its time limit" if run.end.timed_out else None


def _no_result(run: RunFacts) -> str | None:
    return f"the session has no result event{_how_it_ended(run)}" if run.results == 0 else None


def _ended_by_signal(run: RunFacts) -> str | None:
    return f"the client was ended by {run.end.signal}" if run.end.signal else None


def _open_turn(run: RunFacts) -> str | None:
    return f"the session went on after its last result event{_how_it_ended(run)}" if run.open_turn else None


def _failed(run: RunFacts) -> str | None:
    if run.succeeded or run.refused or (run.subtype or "").startswith(_LIMIT_REACHED):
        return None
    if run.client_text:
        return f"the client could not go on: {excerpt(run.client_text)}"
    why = excerpt("; ".join(run.errors)) or "it does not say why"
    return f"the session ended as {run.subtype} in place of success: {why}"


def _cut(run: RunFacts) -> str | None:
    if not (run.succeeded and run.cut):
        return None
    return "the last reply has no stop reason: the stream was cut, or no model was asked"


def _odd_exit(run: RunFacts) -> str | None:
    expected = (None, 0, 1) if run.is_error else (None, 0)
    if run.end.exit in expected:
        return None
    return f"the client exited with {run.end.exit} after its result event"


_LOOKS: tuple[Callable[[RunFacts], str | None], ...] = (
    _timed_out,
    _no_result,
    _ended_by_signal,
    _open_turn,
    _failed,
    _cut,
    _odd_exit,
)


def _how_it_ended(run: RunFacts) -> str:
    if run.end.signal:
        return f"; the client was ended by {run.end.signal}"
    return "" if run.end.exit is None else f"; the client exited with {run.end.exit}"
