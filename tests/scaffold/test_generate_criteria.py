from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judges.core.errors import ConfigError
from judges.files.rubric import parse_rubric
from scaffold.generate.criteria import DEFAULT_CRITERIA, normalise, parse_criteria

weights_texts = st.decimals(min_value="0.000001", max_value="999999", places=6).map(
    lambda weight: f"{weight:f}"
)


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        pytest.param(
            DEFAULT_CRITERIA,
            {"correctness": "0.4", "naturalness": "0.3", "safety": "0.2", "format_compliance": "0.1"},
            id="the seed's four",
        ),
        pytest.param(["safety:2", "tone:3"], {"safety": "0.4", "tone": "0.6"}, id="any unit"),
        pytest.param(["safety:0.25", "tone:0.75"], {"safety": "0.25", "tone": "0.75"}, id="kept as they are"),
        pytest.param(
            ["safety:1", "a:1", "b:1"], {"safety": "0.334", "a": "0.333", "b": "0.333"}, id="thirds"
        ),
        pytest.param(["safety:1", "a:99999"], {"safety": "0.00001", "a": "0.99999"}, id="no weight vanishes"),
        pytest.param(
            ["tone:0.6", "wit:0.4"], {"tone": "0.48", "wit": "0.32", "safety": "0.2"}, id="safety added"
        ),
        pytest.param(["tone:7"], {"tone": "0.8", "safety": "0.2"}, id="a single one"),
        pytest.param(
            ["harmlessness:1", "tone:1"], {"harmlessness": "0.5", "tone": "0.5"}, id="another safety"
        ),
        pytest.param(["Safety:1"], {"safety": "1"}, id="safety in capitals"),
        pytest.param([" safety : .5", "tone:.5"], {"safety": "0.5", "tone": "0.5"}, id="spaces"),
    ],
)
def test_weights_sum_to_one_and_safety_is_among_them(texts: list[str], expected: dict[str, str]) -> None:
    """Weights keep their proportions; a missing safety criterion takes a fifth."""
    found = {criterion.name: criterion.weight for criterion in parse_criteria(texts)}
    assert found == {name: Decimal(weight) for name, weight in expected.items()}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("tone", "expected name:weight"),
        ("", "expected name:weight"),
        (":0.4", "expected name:weight"),
        ("two words:0.4", "expected name:weight"),
        ("4you:0.4", "expected name:weight"),
        ("café:0.4", "expected name:weight"),
        ("a" * 49 + ":1", "expected name:weight"),
        ("tone:", "a number above 0"),
        ("tone:0", "a number above 0"),
        ("tone:0.000", "a number above 0"),
        ("tone:-1", "a number above 0"),
        ("tone:nan", "a number above 0"),
        ("tone:inf", "a number above 0"),
        ("tone:40%", "a number above 0"),
        ("tone:1e3", "a number above 0"),
        ("tone:٣", "a number above 0"),
    ],
)
def test_a_text_of_another_form_is_refused(text: str, message: str) -> None:
    """The message shows what was given and what is expected."""
    with pytest.raises(ConfigError, match=message):
        parse_criteria([text])


@pytest.mark.parametrize("texts", [["tone:1", "tone:2"], ["Tone:1", "tone:2"], ["SAFETY:1", "safety:1"]])
def test_a_name_is_taken_once(texts: list[str]) -> None:
    """Names that differ only in case count as the same."""
    with pytest.raises(ConfigError, match="given twice"):
        parse_criteria(texts)


@pytest.mark.parametrize("name", ["correctness", "naturalness", "safety", "format_compliance", "brand_voice"])
def test_a_rubric_describes_each_of_five_levels(name: str) -> None:
    """No level is left to the judge's imagination, for our own criteria and for others."""
    rubric = next(each.rubric for each in parse_criteria([f"{name}:1"]) if each.name == name)
    parsed = parse_rubric(rubric, 5)
    assert all(parsed.levels)
    assert parsed.instructions.endswith("?")
    assert not parsed.mistakes


def test_the_rubric_of_an_own_criterion_names_it() -> None:
    """A criterion without a rubric of its own is asked about in words."""
    assert parse_criteria(["brand_voice:1"])[0].rubric.startswith(
        "How good is the output in terms of brand voice?"
    )


def test_what_was_given_is_remembered() -> None:
    """The report can say what was scaled and what was added."""
    assert [each.given for each in parse_criteria(["tone:5"])] == [Decimal(5), None]


@given(st.lists(weights_texts, min_size=1, max_size=8))
def test_normalised_weights_sum_to_exactly_one(texts: list[str]) -> None:
    """Exactly, not nearly; no weight vanishes, and each moves by less than one unit of its last place."""
    given_weights = [Decimal(text) for text in texts]
    found = normalise(given_weights)
    assert sum(found) == 1
    assert all(weight > 0 for weight in found)
    total = sum(given_weights)
    places = max(-weight.as_tuple().exponent for weight in found)
    assert all(
        abs(weight * total - before) < total * Decimal(1).scaleb(-min(places, 3))
        for weight, before in zip(found, given_weights, strict=True)
    )


@given(st.lists(weights_texts, min_size=1, max_size=8))
def test_weights_of_a_suite_survive_yaml_floats(texts: list[str]) -> None:
    """A reader that takes them as binary floats and prints them back finds the same decimals."""
    criteria = parse_criteria(f"c{index}:{weight}" for index, weight in enumerate(texts))
    assert sum(Decimal(str(float(format(each.weight, "f")))) for each in criteria) == 1
