"""Text fitted into terminal columns: wide characters count as two, combined ones as what they show."""

from collections.abc import Iterable, Iterator, Sequence

_HEADER_PADDING = 2  # tabulate makes a column at least this much wider than its header


def columns(text: str) -> int:
    """Return how many terminal columns the text takes."""
    from wcwidth import width

    return width(text)


def column(header: str, cells: Iterable[str]) -> int:
    """Return how wide a column of a table is."""
    return max(len(header) + _HEADER_PADDING, *(columns(cell) for cell in cells))


def cell(texts: Sequence[str], width: int) -> str:
    """Return the printable texts, each on lines of its own, as a cell of at most `width` columns."""
    return "\n".join(part for text in texts for part in wrap(text, width))


def fit_table(table: str, headers: Sequence[str], rows: Sequence[Sequence[str]], width: int) -> Iterator[str]:
    """Yield the lines of a table; one that is wider than the terminal becomes a sentence for each row.

    `headers` and `rows` are what the table shows. The first cell of a row says what it is about.
    """
    lines = [line.rstrip() for line in table.splitlines()]
    if max(map(columns, lines), default=0) <= width:
        yield from lines
        return
    for first, *others in rows:
        facts = ", ".join(f"{header} {each}" for header, each in zip(headers[1:], others, strict=True))
        yield from wrap(f"{first}: {facts}", width, indent="  ")


def wrap(text: str, width: int, *, indent: str = "") -> list[str]:
    """Return the printable text in lines of at most `width` columns, later ones indented; one at least."""
    from wcwidth import wrap as wrap_columns

    narrowest = columns(indent) + 2
    return wrap_columns(text, max(width, narrowest), subsequent_indent=indent, control_codes="ignore") or [""]
