"""Mistakes: collected, ordered, and put into words."""

import pytest

from judges.core.errors import ConfigError, Problem
from judges.files.problems import did_you_mean, found, gather, merge_lines, one_of, raise_any


def test_problems_are_gathered_and_reading_goes_on() -> None:
    """A block that fails adds its problems; the next block still runs; other errors are not swallowed."""
    problems: list[Problem] = []
    with gather(problems):
        raise ConfigError([Problem("one"), Problem("two")])
    with gather(problems):
        problems.append(Problem("three"))
    with pytest.raises(ValueError, match="other"), gather(problems):
        raise ValueError("other")
    assert [problem.message for problem in problems] == ["one", "two", "three"]


def test_problems_are_raised_once_in_the_order_of_the_files() -> None:
    """Doubles are dropped; those of no file come last."""
    problems = [
        Problem("e"),
        Problem("d", "b.yaml"),
        Problem("c", "a.yaml", 10, 1),
        Problem("b", "a.yaml", 9, 30),
        Problem("a", "a.yaml", 9, 4),
        Problem("c", "a.yaml", 10, 1),
    ]
    with pytest.raises(ConfigError) as caught:
        raise_any(problems)
    assert [problem.message for problem in caught.value.problems] == ["a", "b", "c", "d", "e"]


def test_what_is_wrong_alike_in_many_lines_is_said_once() -> None:
    """The first line stands for all; the others are counted and, but for many, named; other kinds stay."""
    alike = [Problem("unknown key", "a.jsonl", line, 1, "key", "drop it") for line in range(9)]
    others = [
        Problem("unknown key", "a.jsonl", 2, 1, "reff"),
        Problem("is empty", "a.jsonl", 8, 1, "ref"),
        Problem("is empty", "a.jsonl", 5, 1, "ref"),
    ]
    assert [str(each) for each in merge_lines([*alike, *others, *alike])] == [
        "a.jsonl:0:1: key: unknown key; the same in 8 more lines: 1, 2, 3, 4, 5, … (drop it)",
        "a.jsonl:2:1: reff: unknown key",
        "a.jsonl:5:1: ref: is empty; the same in 1 more line: 8",
    ]


def test_no_problem_is_no_error() -> None:
    """Nothing is raised for nothing."""
    raise_any([])


@pytest.mark.parametrize(
    ("count", "last"),
    [(100, "99"), (101, "further problems, not shown: 1"), (500, "further problems, not shown: 400")],
)
def test_a_flood_of_problems_is_cut(count: int, last: str) -> None:
    """A hundred are shown, the rest are counted."""
    with pytest.raises(ConfigError) as caught:
        raise_any(Problem(str(number), "a.yaml", number) for number in range(count))
    assert caught.value.problems[-1].message == last


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (None, "nothing"),
        (True, "true"),
        (0.5, "0.5"),
        ("", "an empty text"),
        ("a b", "'a b'"),
        ("x" * 61, "'" + "x" * 59 + "…'"),
        ([], "a list"),
        ({}, "a mapping"),
        (10**100, "1" + "0" * 58 + "…"),
    ],
    ids=str,
)
def test_what_was_found_is_named(value: object, words: str) -> None:
    """Containers are named, texts quoted, and nothing is long."""
    assert found(value) == words


@pytest.mark.parametrize(
    ("word", "hint"),
    [("Safety", "did you mean 'safety'?"), ("tones", "did you mean 'tone'?"), ("cost", None), ("", None)],
)
def test_a_close_word_is_offered(word: str, hint: str | None) -> None:
    """Case does not matter; what is not close is not offered."""
    assert did_you_mean(word, ["safety", "tone"]) == hint


@pytest.mark.parametrize(
    ("words", "text"), [(["a"], "a"), (["a", "b"], "a or b"), (["a", "b", "c"], "a, b or c")]
)
def test_choices_are_listed(words: list[str], text: str) -> None:
    """Choices read as a sentence."""
    assert one_of(words) == text
