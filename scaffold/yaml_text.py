"""YAML as people write it: data to text, a key a line; and where a value ends in a text of theirs."""

from collections.abc import Iterator
from typing import Any

from scaffold.generate.filters import render_yaml


def render_block(value: Any, indent: int = 0) -> str:
    """Return a mapping or a list in block style, every line indented, that reads back as the same value."""
    return "".join(f"{' ' * indent}{line}\n" if line else "\n" for line in _lines(value))


def block_end(text: str, end: int, column: int) -> int:
    """Return where a value in block style ends that stands before `end`, with its lines at a column.

    Blank lines below it, and comments that are not indented deeper than it, do not belong to it.
    """
    at = end if end >= len(text) else text.rfind("\n", 0, end) + 1
    while at:
        start = text.rfind("\n", 0, at - 1) + 1
        line = text[start:at]
        words = line.lstrip(" ")
        if words.strip() and not (words.startswith("#") and len(line) - len(words) <= column):
            break
        at = start
    return at


def _lines(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for key, item in value.items():
            yield from _entry(f"{render_yaml(key)}:", item)
        return
    for item in value:
        if isinstance(item, dict) and item:
            first, *rest = _lines(item)
            yield f"- {first}"
            yield from _indent(rest)
        else:
            yield from _entry("-", item)


def _entry(head: str, item: Any) -> Iterator[str]:
    if isinstance(item, str) and _is_literal(item):
        yield f"{head} |{'' if item.endswith(chr(10)) else '-'}"
        yield from _indent(item.removesuffix("\n").split("\n"))
    elif isinstance(item, dict | list) and not _is_short(item):
        yield head
        yield from _indent(_lines(item))
    else:
        yield f"{head} {render_yaml(item)}"


def _indent(lines: Any) -> Iterator[str]:
    return (f"  {line}" if line else "" for line in lines)


def _is_literal(text: str) -> bool:
    """Tell whether a text of several lines can stand as it is under `|`."""
    lines = text.removesuffix("\n").split("\n")
    return (
        len(lines) > 1
        and lines[0][:1] not in ("", " ")
        and lines[-1] != ""
        and all(line.isprintable() and not line.endswith(" ") for line in lines)
    )


def _is_short(value: dict[str, Any] | list[Any]) -> bool:
    """Tell whether a list or mapping is read more easily on one line: empty, or a list of few words."""
    return not value or (
        isinstance(value, list)
        and all(not isinstance(item, dict | list) for item in value)
        and len(str(value)) <= 60
    )
