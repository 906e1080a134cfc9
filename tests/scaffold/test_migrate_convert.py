from typing import Any

import pytest

from scaffold.migrate.convert import convert
from scaffold.migrate.criteria import clean_name, convert_criteria

TONE = {"name": "tone", "weight": 1, "rubric": "Kind?"}
NEEDED: dict[str, Any] = {"prompt_name": "p", "criteria": [TONE], "cases": []}
"""What a suite cannot do without."""


def converted(**sections: Any) -> dict[str, Any]:
    """Convert a suite, and return it without what these tests are not about."""
    value = convert({**NEEDED, **sections}, "folder", lambda path: f"<{path}>").value
    return {key: item for key, item in value.items() if NEEDED.get(key) != item}


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        pytest.param({"evaluation": "binary"}, {"evaluation": {"type": "binary"}}, id="evaluation"),
        pytest.param({"logs": "logs/"}, {"logs": {"directory": "logs/"}}, id="logs"),
        pytest.param({"analysis": "a/"}, {"analysis": {"directory": "a/"}}, id="analysis"),
        pytest.param({"specs": "docs/*.md"}, {"specs": {"pattern": "docs/*.md"}}, id="specs"),
        pytest.param({"overrides": "o.yaml"}, {"overrides": {"source": "o.yaml"}}, id="overrides"),
        pytest.param({"judge": "gpt-4o"}, {"judge": {"model": "gpt-4o"}}, id="judge"),
        pytest.param(
            {"cases": "external", "pattern": "c/*.yaml", "schema": "s.json"},
            {"cases": {"source": "external", "pattern": "<c/*.yaml>", "schema": "s.json"}},
            id="external cases",
        ),
        pytest.param(
            {"cases": "cases/"},
            {"cases": {"source": "external", "pattern": "<cases/>"}},
            id="a path of cases",
        ),
        pytest.param({"cases": "external"}, {"cases": {"source": "external"}}, id="without a pattern"),
        pytest.param(
            {"cases": "inline", "items": [{"title": "A"}]},
            {"cases": {"source": "inline", "items": [{"title": "A"}]}},
            id="inline cases",
        ),
        pytest.param(
            {"thresholds": {"pass": 0.7, "warn": 0.55, "per_criterion": {"tone": 1}, "min_agreement": 0.6}},
            {"thresholds": {"pass": 70, "warn": 55, "per_criterion": {"tone": 100}, "min_agreement": 0.6}},
            id="fractions",
        ),
        pytest.param(
            {"thresholds": {"pass": 0.333}},
            {"thresholds": {"pass": 33.3}},
            id="a fraction that is no integer",
        ),
        pytest.param(
            {
                "thresholds": {"pass": 0.5},
                "cases": [
                    {"title": "A", "expected_score_range": {"min": 0, "max": 0.1}},
                    {"title": "B", "manual_override": {"score": 0.85, "timestamp": "t", "reason": "r"}},
                ],
            },
            {
                "thresholds": {"pass": 50},
                "cases": [
                    {"title": "A", "expected_score_range": {"min": 0, "max": 10}},
                    {"title": "B", "manual_override": {"score": 85, "timestamp": "t", "reason": "r"}},
                ],
            },
            id="fractions in cases",
        ),
        pytest.param(
            {
                "thresholds": {"pass": 0.5},
                "cases": [{"title": "A", "expected_score_range": {"min": 0, "max": 10}}],
            },
            {
                "thresholds": {"pass": 50},
                "cases": [{"title": "A", "expected_score_range": {"min": 0, "max": 10}}],
            },
            id="ranges that are no fractions",
        ),
        pytest.param(
            {"evaluation": "multi_criteria", "note": "n", "x-mine": 1},
            {"evaluation": {"type": "multi_criteria"}, "x-note": "n", "x-mine": 1},
            id="unknown keys",
        ),
        pytest.param(
            {"evaluation": {"type": "binary", "criteria": [], "mode": "fast"}},
            {"evaluation": {"type": "binary", "x-mode": "fast"}},
            id="unknown keys inside",
        ),
    ],
)
def test_sections(given: dict[str, Any], expected: dict[str, Any]) -> None:
    """Every older section has one form now."""
    assert converted(**given) == expected


@pytest.mark.parametrize(
    "given",
    [
        pytest.param({}, id="plain"),
        pytest.param({"thresholds": {"pass": 70, "warn": 0.5}}, id="scores on 0..100"),
        pytest.param({"evaluation": {"type": "binary"}, "logs": {"directory": "l/"}}, id="all sections"),
        pytest.param({"treshold": 1}, id="a typing error"),
        pytest.param({"cases": {"source": "inline", "items": []}}, id="inline"),
    ],
)
def test_the_current_shape_stays(given: dict[str, Any]) -> None:
    """What is current is not touched, with its mistakes."""
    value = {**NEEDED, **given}
    assert convert(value, "folder", str).value == value


def test_what_is_missing_is_added() -> None:
    """Name, criteria and cases: no suite does without."""
    draft = convert({"evaluation": "multi_criteria"}, "folder", str)
    assert list(draft.value) == ["prompt_name", "evaluation", "criteria", "cases"]
    assert draft.value["prompt_name"] == "folder"
    assert [each["name"] for each in draft.value["criteria"]] == [
        "correctness", "naturalness", "safety", "format_compliance",
    ]  # fmt: skip
    assert draft.value["cases"] == {"source": "inline", "items": []}
    assert draft.remarks == [
        "there were no criteria: four common ones are written; make them your own",
        "there are no cases: write some, or take them from a log with scaffold add-case",
    ]


def test_a_binary_suite_needs_no_criteria() -> None:
    """Only types that are scored do."""
    assert "criteria" not in convert({"evaluation": "binary", "cases": []}, "folder", str).value


def test_criteria_move_to_the_top() -> None:
    """They stand behind the section that they were in."""
    value = {"evaluation": {"criteria": [{"tone": 0.5}]}, "thresholds": {"pass": 70}, "cases": []}
    draft = convert(value, "folder", str)
    assert list(draft.value) == ["prompt_name", "evaluation", "criteria", "thresholds", "cases"]
    assert draft.value["evaluation"] == {"type": "multi_criteria"}


def test_criteria_in_two_places() -> None:
    """Those at the top level hold; the others are set aside, not lost."""
    draft = convert({**NEEDED, "evaluation": {"criteria": [{"x": 1}]}}, "folder", str)
    assert draft.value["criteria"] == [TONE]
    assert draft.value["evaluation"] == {"x-criteria": [{"x": 1}]}
    assert draft.remarks == ["there are criteria in two places: those inside 'evaluation' are set aside"]


def test_scores_in_other_files_are_spoken_of() -> None:
    """What is not converted is said."""
    cases = {"source": "external", "pattern": "c/*.yaml"}
    draft = convert({**NEEDED, "thresholds": {"pass": 0.7}, "cases": cases}, "folder", str)
    assert draft.remarks == ["scores in files of cases are left as they are: they are on 0..100 now"]


def test_unknown_keys_are_spoken_of() -> None:
    """With what was probably meant."""
    draft = convert({**NEEDED, "evaluation": "binary", "treshold": 1}, "folder", str)
    assert draft.remarks == [
        "'treshold' means nothing now: it is kept as 'x-treshold'; did you mean 'thresholds'?"
    ]


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        pytest.param(
            [{"a": 0.75}, {"b": 0.25}], [("a", 0.75, None), ("b", 0.25, None)], id="weights, without rubrics"
        ),
        pytest.param(
            [{"a": "A?"}, {"b": "B?"}, {"c": "C?"}],
            [("a", 0.334, "A?"), ("b", 0.333, "B?"), ("c", 0.333, "C?")],
            id="rubrics, without weights",
        ),
        pytest.param(
            [{"a": {"weight": 2, "rubric": "A?"}}, {"b": {"rubric": "B?"}}],
            [("a", 2, "A?"), ("b", 2.0, "B?")],
            id="mappings, one without a weight",
        ),
        pytest.param({"a": 1, "b": "B?"}, [("a", 1, None), ("b", 1.0, "B?")], id="a mapping by name"),
        pytest.param(["a", "b"], [("a", 0.5, None), ("b", 0.5, None)], id="names"),
        pytest.param([{"a": None}], [("a", 1, None)], id="nothing said"),
        pytest.param([{"name": "a", "weight": 1, "description": "A?"}], [("a", 1, "A?")], id="a description"),
    ],
)
def test_forms_of_criteria(given: Any, expected: list[tuple[str, float, str | None]]) -> None:
    """Each has a name, a weight and a rubric afterwards; an example where there was none."""
    remarks: list[str] = []
    criteria = convert_criteria(given, remarks)
    told = [(each["name"], each["weight"], each["rubric"]) for each in criteria]
    examples = [name for name, _, rubric in expected if rubric is None]
    assert [(name, weight) for name, weight, _ in told] == [(name, weight) for name, weight, _ in expected]
    assert [rubric for name, _, rubric in told if name not in examples] == [r for _, _, r in expected if r]
    assert all("\n5: " in rubric for name, _, rubric in told if name in examples)
    assert remarks == [
        f"'{name}' had no rubric: an example is written; say what its levels mean" for name in examples
    ]


def test_other_keys_of_a_criterion() -> None:
    """What a criterion has is kept, what it does not have is set aside."""
    (spec,) = convert_criteria([{"a": {"rubric": "A?", "scale": 3, "owner": "jane", "x-b": 1}}], [])
    assert spec == {"name": "a", "weight": 1, "rubric": "A?", "scale": 3, "x-owner": "jane", "x-b": 1}


@pytest.mark.parametrize("given", [[{"a": 1, "b": 2}], [7], [["a"]], [{}]], ids=str)
def test_unknown_forms_are_left(given: Any) -> None:
    """They are refused later, with their place in the file."""
    assert convert_criteria(given, []) == given


@pytest.mark.parametrize(
    ("name", "clean"),
    [
        ("tone", "tone"),
        ("a b/c", "a_b_c"),
        ("1st", "c_1st"),
        ("Größe", "Gr_e"),
        ("???", "c_"),
        ("x" * 60, "x" * 48),
    ],
)
def test_names_of_criteria(name: str, clean: str) -> None:
    """Names that are not allowed now become some that are; minimums follow."""
    assert clean_name(name) == clean
    value = {**NEEDED, "evaluation": "binary", "thresholds": {"pass": 70, "per_criterion": {name: 50}}}
    assert convert(value, "p", str).value["thresholds"]["per_criterion"] == {clean: 50}
