"""The texts of results, and what is found in them."""

from collections.abc import Callable

import pytest

from judges.core.report import CaseReport
from judges.core.verdict import Verdict
from judges.reduce.queue import QueueItem
from judges.run.review import StoredResult
from scaffold.review.search import TextIndex, parse_terms

MB = 2**20


def build_index(*outputs: str) -> tuple[TextIndex, Callable[[str], list[int]]]:
    """Return the texts of results with these outputs, and what tells those that hold all of a search."""
    index = TextIndex()
    for number, output in enumerate(outputs):
        case = CaseReport(
            ref=f"r{number}", title="", category=None, verdict=Verdict.PASS, rows=(), output=output
        )
        item = QueueItem(
            run="",
            suite="s",
            number=number,
            ref=case.ref,
            title="",
            model=None,
            verdict=case.verdict,
            score=None,
        )
        index.add(item, StoredResult(number, case, b'{"input": {}}'))

    def find(text: str) -> list[int]:
        terms = parse_terms(text)
        return [number for number in range(len(outputs)) if index.holds(f"s:{number}", terms)]

    return index, find


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("", ()),
        ("  Two  WORDS two ", ("two", "words")),
        ('"One  Phrase" and', ("one phrase", "and")),
        ('un"closed" "open', ('un"closed"', '"open')),
        ('"" " "', ()),
        ("e\u0301t\u00c9", ("\u00e9t\u00e9",)),
    ],
    ids=["nothing", "words", "a phrase", "quotes inside", "empty phrases", "accents of two kinds"],
)
def test_terms(text: str, terms: tuple[str, ...]) -> None:
    """Words and phrases, each once, and as they are looked for."""
    assert parse_terms(text) == terms


@pytest.mark.parametrize("most_in_memory", [64 * MB, 1000], ids=["in memory", "in a file"])
def test_long_texts(monkeypatch: pytest.MonkeyPatch, most_in_memory: int) -> None:
    """Texts are read some MB at once, and found wherever they are; one may be longer than that."""
    monkeypatch.setattr("scaffold.review.search.MOST_IN_MEMORY", most_in_memory)
    long = "é" * (3 * MB) + "last"
    _, find = build_index("first", long, "x" * (3 * MB), "x" * MB + " last", "", "FIRST last first")
    assert find("first") == [0, 5]
    assert find("last") == [1, 3, 5]
    assert find("last first") == [5]
    assert find("xlast") == find("lastx") == []
    assert find("") == [0, 1, 2, 3, 4, 5]


def test_what_is_told_besides() -> None:
    """A term may be in what else is told of a result."""
    index, _ = build_index("hello")
    assert index.holds("s:0", ("hello", "warn"), "warn: scored 55")
    assert not index.holds("s:0", ("hello", "fail"), "warn: scored 55")
