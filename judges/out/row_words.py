"""What every readable format says of a row: what was found, what was asked for, who voted how."""

import json
from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any

from judges.core.row import Row
from judges.core.score_text import render_exact

_SHORT = 24
_SAID = ("reasoning", "quotes", "reasoning_ba", "quotes_ba")


def describe_row(row: Row) -> Iterator[tuple[str, str]]:
    """Yield what was found, the short facts in one text, then every longer text that belongs to the row.

    Each text comes with its name, which is "" where it needs none.
    """
    if found := row.error or row.actual_excerpt:
        yield "", found
    votes = row.extra.get("votes", ())
    extra = {key: value for key, value in row.extra.items() if key != "votes"}
    facts = {key: _say(value) for key, value in {**extra, **row.spec}.items()}
    levels = [key for key in ("level", "judged_level") if key in facts]
    if levels and "levels" in facts:
        facts[levels[0]] += f" of {facts.pop('levels')}"
    short = {key: text for key, text in facts.items() if len(text) <= _SHORT and key not in _SAID}
    if short:
        yield "", ", ".join(f"{key} {text}" for key, text in short.items())
    yield from ((key, text) for key, text in facts.items() if key not in short)
    yield from map(_say_vote, votes)


def _say_vote(vote: Mapping[str, Any]) -> tuple[str, str]:
    time = f", time {vote['replica']}" if vote["replica"] > 1 else ""
    said = _say(vote["answer"]) if "answer" in vote else f"no answer: {vote['error']}"
    return f"vote of {vote['judge']}{time}", said


def _say(value: Any) -> str:
    if type(value) in (int, float):
        return render_exact(Decimal(str(round(value, 4))))
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return "; ".join(f'"{item}"' for item in value)
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
