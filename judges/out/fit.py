"""Text fitted into terminal columns: wide characters count as two, combined ones as what they show."""


def columns(text: str) -> int:
    """Return how many terminal columns the text takes."""
    from wcwidth import width

    return width(text)


def wrap(text: str, width: int, *, indent: str = "") -> list[str]:
    """Return the printable text in lines of at most `width` columns, later ones indented; one at least."""
    from wcwidth import wrap as wrap_columns

    narrowest = columns(indent) + 2
    return wrap_columns(text, max(width, narrowest), subsequent_indent=indent, control_codes="ignore") or [""]
