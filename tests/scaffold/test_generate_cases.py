import json
from collections import Counter
from itertools import product

import pytest

from judges.core.case import Category
from scaffold.generate.cases import NewCase, example_cases, numbered, split_cases
from scaffold.generate.notes import notes_cases
from scaffold.generate.samples import sample_input, sample_value

ELEMENT, MIXED, EDGE, ZERO = Category


@pytest.mark.parametrize(
    ("count", "expected"),
    [
        (5, (2, 1, 1, 1)),
        (6, (3, 1, 1, 1)),
        (8, (5, 1, 1, 1)),
        (10, (6, 2, 1, 1)),
        (12, (8, 2, 1, 1)),
        (20, (14, 3, 2, 1)),
        (40, (25, 7, 5, 3)),
        (100, (64, 17, 12, 7)),
    ],
)
def test_cases_are_split_over_the_categories(count: int, expected: tuple[int, ...]) -> None:
    """Each category has at least one case and about its usual share."""
    assert split_cases(count) == dict(zip(Category, expected, strict=True))


def _outside(split: tuple[int, ...]) -> int:
    ranges = ((60, 70), (15, 20), (10, 15), (5, 10))
    return sum(
        max(low * sum(split) - 100 * each, 0, 100 * each - high * sum(split))
        for each, (low, high) in zip(split, ranges, strict=True)
    )


@pytest.mark.parametrize("count", range(5, 41))
def test_no_other_split_is_nearer_to_the_usual_shares(count: int) -> None:
    """60-70 % element, 15-20 % mixed, 10-15 % edge, 5-10 % zero_condition: compared with every split."""
    others = product(range(1, count), repeat=3)
    splits = [(count - sum(each), *each) for each in others if sum(each) < count]
    assert _outside(tuple(split_cases(count).values())) == min(map(_outside, splits))


@pytest.mark.parametrize("count", [5, 10, 37, 200])
@pytest.mark.parametrize(
    "make", [notes_cases, lambda count: example_cases(("text", "language"), count)], ids=["notes", "example"]
)
def test_there_are_as_many_cases_as_asked_for(make, count: int) -> None:
    """The number is exact, and no two cases share a title."""
    cases = make(count)
    assert len(cases) == count
    assert Counter(case.category for case in cases) == split_cases(count)
    assert len({case.title for case in cases}) == count


def test_the_first_cases_about_notes_differ_in_input() -> None:
    """A suite of the default size needs no case to be replaced."""
    cases = notes_cases(10)
    assert len({json.dumps(case.input) for case in cases}) == 10
    assert {case.remark for case in cases} == {None}


def test_a_repeated_input_says_so() -> None:
    """When the examples run out, the author is told which lines need another input."""
    cases = notes_cases(60)
    distinct = {json.dumps(case.input) for case in cases}
    assert sum(case.remark is None for case in cases) == len(distinct) < 60


def test_unlike_variables_have_unlike_values() -> None:
    """A shop is no policy and no message; what is alike by its name differs, but where all is one theme."""
    given = sample_input(("shop_name", "shop", "policy", "message", "order", "foo", "bar"), ELEMENT, 0)
    assert (given["shop_name"], given["shop"]) == ("Quillberry", "Northwind Teas")
    assert given["order"].startswith("No. 1047: ")
    assert given["policy"].startswith("Orders can be sent back within 30 days.")
    assert len(set(given.values())) == len(given)
    assert sample_input(("foo", "bar", "policy"), EDGE, 0) == {"foo": "", "bar": "", "policy": ""}


def test_a_case_for_unknown_variables_is_marked_as_an_example() -> None:
    """Guessed values are labelled, so that nobody takes them for real test data."""
    assert example_cases(("question",), 5)[0] == NewCase(
        title="Typical input",
        category=ELEMENT,
        input={"question": "How long does a parcel from Vienna to Oslo usually take?"},
        expected_behavior=(
            "Does what the prompt asks for, completely, without errors, and in the form asked for."
        ),
        remark="an example: put a real input and what you expect of it here",
    )


@pytest.mark.parametrize(("repetition", "title"), [(0, "Empty"), (1, "Empty 2"), (9, "Empty 10")])
def test_a_repeated_title_is_numbered(repetition: int, title: str) -> None:
    """The first use has no number."""
    assert numbered("Empty", repetition) == title


@pytest.mark.parametrize(
    ("variable", "category", "position", "value"),
    [
        pytest.param("language", ELEMENT, 0, "English", id="by its name"),
        pytest.param("target_language", ELEMENT, 1, "German", id="by its last word"),
        pytest.param("userEmail", ELEMENT, 0, "jane@example.com", id="camel case"),
        pytest.param("user_question", ZERO, 0, "asdf qwer zxcv jkl", id="nonsense"),
        pytest.param("MAX_LENGTH", ELEMENT, 1, 5, id="a number"),
        pytest.param("tags", EDGE, 0, [], id="a list"),
        pytest.param("message", EDGE, 0, "", id="empty"),
        pytest.param(
            "history",
            MIXED,
            0,
            [{"role": "user", "content": "Where is my order, and how do I change my address?"}],
            id="a chat",
        ),
        pytest.param("zxqy", EDGE, 0, "", id="an unknown name is a text"),
        pytest.param(
            "x",
            ELEMENT,
            5,
            "The museum opens at 10 a.m. and closes at 6 p.m. On Mondays it is closed.",
            id="round and round",
        ),
    ],
)
def test_a_variable_gets_a_value_that_fits_its_name(
    variable: str, category: Category, position: int, value
) -> None:
    """The name decides the kind of value, the category how odd it is."""
    assert sample_value(variable, category, position) == value


def test_edges_hold_long_and_special_text() -> None:
    """Beside the empty text there are a long one and one with markup, quotes and emoji."""
    assert len(sample_value("text", EDGE, 1)) > 2000
    assert {"“", "<", "%", "\\", "🙂", "\n"} <= set(sample_value("text", EDGE, 2))
