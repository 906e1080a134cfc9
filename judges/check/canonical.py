"""JSON exactly as JavaScript's `JSON.stringify` prints it, from values that Python's parser gave.

Patterns on tool inputs are written for that text: `1.0` is `1`, `1e21` is `1e+21`, keys that are array
indices come first, and half of a surrogate pair is an escape.
"""

import json
import math
import re
from collections.abc import Callable, Iterable, Mapping
from decimal import Decimal
from typing import Any

_MAX_SAFE_INTEGER = 2**53
_LAST_INDEX = 2**32 - 2
_INDEX = re.compile(r"(0|[1-9][0-9]{0,9})\Z")
_HALF = re.compile("[\ud800-\udfff]")


def canonical_input(value: Any) -> str:
    """Return a tool's input as JSON: top-level keys sorted as JavaScript sorts, nested data as it is.

    Raises:
        RecursionError: the value is nested some hundred levels deep.
    """
    if not isinstance(value, dict):
        return stringify(value)
    pieces: list[str] = []
    _write_object(sorted(value.items(), key=_utf16), pieces.append)
    return "".join(pieces)


def stringify(value: Any) -> str:
    """Return a JSON value as `JSON.stringify` prints it.

    Raises:
        RecursionError: the value is nested some hundred levels deep.
    """
    pieces: list[str] = []
    _write(value, pieces.append)
    return "".join(pieces)


def _write(value: Any, write: Callable[[str], None]) -> None:
    if isinstance(value, dict):
        _write_object(_own_keys_order(value), write)
    elif isinstance(value, list):
        _write_array(value, write)
    elif isinstance(value, str):
        write(_quote(value))
    elif value is None or isinstance(value, bool):
        write({None: "null", True: "true", False: "false"}[value])
    else:
        write(_number(value))


def _write_object(pairs: Iterable[tuple[str, Any]], write: Callable[[str], None]) -> None:
    lead = "{"
    for key, value in pairs:
        write(f"{lead}{_quote(key)}:")
        _write(value, write)
        lead = ","
    write("}" if lead == "," else "{}")


def _write_array(items: list[Any], write: Callable[[str], None]) -> None:
    lead = "["
    for item in items:
        write(lead)
        _write(item, write)
        lead = ","
    write("]" if lead == "," else "[]")


def _own_keys_order(value: Mapping[str, Any]) -> list[tuple[str, Any]]:
    """Return the pairs in the order of an object's own keys: array indices ascending, then as written."""
    indices = sorted((key for key in value if _is_index(key)), key=int)
    named = [key for key in value if not _is_index(key)] if indices else value
    return [(key, value[key]) for key in (*indices, *named)]


def _is_index(key: str) -> bool:
    return _INDEX.match(key) is not None and int(key) <= _LAST_INDEX


def _utf16(pair: tuple[str, Any]) -> bytes:
    return pair[0].encode("utf-16-be", "surrogatepass")


def _quote(text: str) -> str:
    quoted = json.dumps(text, ensure_ascii=False)
    return quoted if quoted.isascii() else _HALF.sub(lambda half: f"\\u{ord(half[0]):04x}", quoted)


def _number(value: float) -> str:
    """Print a number by ECMA-262, Number::toString: the fewest digits that give the same double."""
    if isinstance(value, int) and abs(value) < _MAX_SAFE_INTEGER:
        return str(value)
    double = float(value)
    if not math.isfinite(double):
        return "null"
    if double == 0:
        return "0"
    sign, figures, exponent = Decimal(repr(double)).normalize().as_tuple()
    assert isinstance(exponent, int)
    digits = "".join(map(str, figures))
    return ("-" if sign else "") + _place_point(digits, len(digits) + exponent)


def _place_point(digits: str, point: int) -> str:
    """Return 0.DIGITS times ten to the power of `point`."""
    if -6 < point <= 0:
        return f"0.{'0' * -point}{digits}"
    if 0 < point <= 21:
        whole, fraction = digits[:point].ljust(point, "0"), digits[point:]
        return f"{whole}.{fraction}" if fraction else whole
    fraction = f".{digits[1:]}" if len(digits) > 1 else ""
    return f"{digits[0]}{fraction}e{point - 1:+d}"
