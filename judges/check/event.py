"""One event of the client's stream, and its values, which may be of any type or missing."""

import json
import math
from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Any, NoReturn


def parse_event(text: str) -> Mapping[str, Any]:
    """Return the event of a line.

    Raises:
        ValueError: the line is not a JSON object.
        RecursionError: it is nested too deep.
    """
    event = json.loads(text, parse_int=_integer, parse_constant=_refuse)
    if not isinstance(event, dict):
        raise ValueError("not an object")
    return event


def _integer(digits: str) -> float:
    return int(digits) if len(digits) < 20 else float(digits)


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not JSON")


def as_amount(value: Any) -> Decimal | None:
    """Return a finite number as it was written; anything else is None."""
    known = isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
    return Decimal(str(value)) if known else None


def joined_text(blocks: Iterable[Mapping[str, Any]]) -> str:
    """Return the texts of the blocks that have one, joined with newlines."""
    return "\n".join(as_text(block.get("text")) for block in blocks if block.get("type") == "text")


def content_blocks(content: Any) -> list[Mapping[str, Any]]:
    """Return the blocks of a content, which may be a single text."""
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return [block for block in as_list(content) if isinstance(block, dict)]


def as_count(value: Any) -> int:
    """Return a whole number; anything else is 0."""
    return value if isinstance(value, int) else 0


def as_mapping(value: Any) -> Mapping[str, Any]:
    """Return an object; anything else is empty."""
    return value if isinstance(value, dict) else {}


def as_list(value: Any) -> list[Any]:
    """Return an array; anything else is empty."""
    return value if isinstance(value, list) else []


def as_text(value: Any) -> str:
    """Return a text; anything else is empty."""
    return value if isinstance(value, str) else ""


def as_text_or_none(value: Any) -> str | None:
    """Return a text; anything else is None."""
    return value if isinstance(value, str) else None
