"""The example cases of a new suite: how many of each category, and what they hold."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from judges.core.case import Category
from scaffold.generate.samples import sample_input

_SHARES = {  # percent of all cases
    Category.ELEMENT: (60, 70),
    Category.MIXED: (15, 20),
    Category.EDGE: (10, 15),
    Category.ZERO_CONDITION: (5, 10),
}
_WORDS: Mapping[Category, Sequence[tuple[str, str]]] = {
    Category.ELEMENT: [
        (
            "Typical input",
            "Does what the prompt asks for, completely, without errors, and in the form asked for.",
        )
    ],
    Category.MIXED: [
        ("Several things at once", "Deals with every part of the input and does not confuse the parts.")
    ],
    Category.EDGE: [
        (
            "Empty or smallest input",
            "Says what is missing, or does what little can be done. Makes nothing up.",
        ),
        ("Very long or largest input", "Covers the whole input, not only its start."),
        ("Special characters", "Keeps special characters as they are and is not thrown off by them."),
    ],
    Category.ZERO_CONDITION: [
        ("Nonsense input", "Treats the input as meaningless and asks for a usable one. Makes nothing up.")
    ],
}


@dataclass(frozen=True, slots=True)
class NewCase:
    """A case to be written. `remark` says what its author should replace, if anything."""

    title: str
    category: Category
    input: Mapping[str, Any]
    expected_behavior: str
    remark: str | None = None


def split_cases(count: int) -> dict[Category, int]:
    """Return how many of `count` cases each category gets: at least one, as near to its share as can be."""
    middles = (count * (low + high) // 200 for low, high in list(_SHARES.values())[1:])
    rounded = product(*((max(1, middle), middle + 1) for middle in middles))
    splits = (dict(zip(Category, (count - sum(others), *others), strict=True)) for others in rounded)
    return min(splits, key=_outside)


def _outside(split: Mapping[Category, int]) -> int:
    """How far all categories together lie outside their shares, in hundredths of a case."""
    total = sum(split.values())
    return sum(
        max(low * total - 100 * split[category], 0, 100 * split[category] - high * total)
        for category, (low, high) in _SHARES.items()
    )


def example_cases(variables: Sequence[str], count: int) -> tuple[NewCase, ...]:
    """Return cases with an example value for each of these variables."""
    return tuple(
        NewCase(
            title=numbered(titles[position % len(titles)][0], position // len(titles)),
            category=category,
            input=sample_input(variables, category, position),
            expected_behavior=titles[position % len(titles)][1],
            remark="an example: put a real input and what you expect of it here",
        )
        for category, number in split_cases(count).items()
        for titles in (_WORDS[category],)
        for position in range(number)
    )


def numbered(title: str, repetition: int) -> str:
    """Return the title, with a number from its second use on."""
    return f"{title} {repetition + 1}" if repetition else title
