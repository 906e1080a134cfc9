"""What a page sends when a person presses a button, read and done. Everything in it is text."""

from collections.abc import Callable, Mapping
from decimal import Decimal, InvalidOperation
from typing import Any, TypeAlias

from judges.core.errors import ConfigError, Problem
from scaffold.review.decisions import Correction
from scaffold.review.web.desk import Desk

Body: TypeAlias = Mapping[str, str]
Action: TypeAlias = Callable[[Desk, str, Body], str]
"""Does something about a result, and returns what was done in words."""

_LEVEL = "level-"


def read_body(value: Any) -> Body:
    """Return what was sent.

    Raises:
        ConfigError: it is no mapping of texts.
    """
    if not isinstance(value, dict) or not all(isinstance(each, str) for each in value.values()):
        raise _refused("the page has sent what it never sends", "load it again")
    return value


def read_turn(body: Body) -> int:
    """Return the step that the page took for the last one; -1 where it is none."""
    text = body.get("turn", "")
    return int(text) if text.isdecimal() else -1


def _rate(desk: Desk, item_id: str, body: Body) -> str:
    chosen = {key.removeprefix(_LEVEL): text for key, text in body.items() if key.startswith(_LEVEL)}
    if not all(each.isdecimal() and len(each) < 4 for pair in chosen.items() for each in pair):
        raise _refused("a level is a number, and so is its criterion")
    levels = {int(number): int(level) for number, level in chosen.items()}
    return desk.rate(item_id, body.get("state", ""), levels)


def _show(desk: Desk, item_id: str, _: Body) -> str:
    return desk.show_judge(item_id)


def _correct(desk: Desk, item_id: str, body: Body) -> str:
    wish = Correction(
        criterion=desk.criterion(item_id, body.get("about", "")),
        score=_score(body.get("score", "")),
        reason=body.get("reason", ""),
        for_case=body.get("bind") == "case",
    )
    return desk.correct(item_id, body.get("state", ""), wish)


def _withdraw(desk: Desk, item_id: str, body: Body) -> str:
    criterion = desk.criterion(item_id, body.get("about", ""))
    return desk.withdraw(item_id, body.get("state", ""), criterion, body.get("reason", ""))


def _renew(desk: Desk, item_id: str, body: Body) -> str:
    return desk.renew(item_id, body.get("state", ""), desk.criterion(item_id, body.get("about", "")))


def _score(text: str) -> Decimal:
    try:
        score = Decimal(text.strip())
    except InvalidOperation:
        score = Decimal(-1)
    if score.is_nan() or not 0 <= score <= 100 or len(text) > 20:
        raise _refused(f"expected a score from 0 to 100, found '{text}'")
    return score


def _refused(message: str, hint: str | None = None) -> ConfigError:
    return ConfigError([Problem(message, hint=hint)])


ACTIONS: Mapping[str, Action] = {
    "rate": _rate,
    "show": _show,
    "correct": _correct,
    "withdraw": _withdraw,
    "renew": _renew,
}
"""What can be done about a result, by the last part of the address."""
