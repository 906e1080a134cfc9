"""The three kinds of JSON lines beside a suite, told apart by their keys: one file is taken for another."""

from enum import StrEnum

from judges.files.document import Document


class LineKind(StrEnum):
    """What the lines of a file are."""

    OUTPUT = "recorded outputs"
    ANSWER = "recorded answers"
    RATING = "ratings"


_KEYS = {
    LineKind.OUTPUT: ({"output"}, "name the file outputs.jsonl, or give it with --outputs"),
    LineKind.ANSWER: ({"question", "answer"}, "name the file replay.jsonl"),
    LineKind.RATING: ({"criterion", "level"}, "name the file ratings.jsonl"),
}
"""The keys besides `ref` that only such a line has, and what to do with a file of them."""


def refuse_other(document: Document, wanted: LineKind) -> None:
    """Refuse a line of another kind of file in one sentence, instead of a complaint about each key.

    Raises:
        ConfigError: it has the keys of another kind, and none of the wanted one.
    """
    keys = document.value.keys() if isinstance(document.value, dict) else set()
    if keys & _KEYS[wanted][0]:
        return
    for kind, (own, hint) in _KEYS.items():
        if own <= keys:
            raise document.error((), f"these are {kind}, not {wanted}", hint)
