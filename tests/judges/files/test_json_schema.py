"""The JSON Schema for editors agrees with what is read."""

from typing import Any

import pytest
from jsonschema import Draft202012Validator

from judges.files.json_schema import SCHEMAS, config_schema, fixture_schema, prompt_meta_schema, schema_file

SCHEMA = prompt_meta_schema()
VALIDATOR = Draft202012Validator(SCHEMA)
CASES: dict[str, Any] = {
    "items": [{"title": "a", "input": {"x": [1]}, "expected_score_range": {"min": 0, "max": 9.5}}]
}
GOOD: dict[str, Any] = {
    "prompt_name": "greet",
    "model": {"name": "gpt-4o", "temperature": None},
    "criteria": [{"name": "safety", "weight": 0.5, "rubric": "x", "x-own": 1}],
    "checks": [{"name": "a", "type": "deterministic", "rule": "x"}],
    "thresholds": {"pass": 70, "per_criterion": {"safety": 75}},
    "cases": CASES,
    "x-own": {},
}


@pytest.mark.parametrize("more", [{}, {"cases": CASES["items"]}, {"model": "gpt-4o"}, {"checks": []}])
def test_good_files_are_valid(more: dict[str, Any]) -> None:
    """Both shapes of cases and both of the model are known to editors, and `x-…` keys are free."""
    assert [error.message for error in VALIDATOR.iter_errors({**GOOD, **more})] == []


@pytest.mark.parametrize(
    "more",
    [
        {"targt": "x"},
        {"thresholds": {"pass": 101}},
        {"thresholds": {"pass": "70"}},
        {"criteria": [{"name": "a b", "weight": 1, "rubric": "x"}]},
        {"criteria": [{"name": "a", "weight": -1, "rubric": "x"}]},
        {"judge": {"timeout_seconds": 0}},
        {"judge": {"temperature": 3}},
        {"cases": [{"category": "edge"}]},
        {"checks": [{"name": "a", "type": "deterministik"}]},
    ],
    ids=str,
)
def test_bad_files_are_marked(more: dict[str, Any]) -> None:
    """What the reader refuses is marked by editors too."""
    assert list(VALIDATOR.iter_errors({**GOOD, **more}))


def test_the_schema_is_one_and_says_what_it_is() -> None:
    """It is a valid schema with title and descriptions, and numbers are numbers."""
    Draft202012Validator.check_schema(SCHEMA)
    assert (SCHEMA["title"], SCHEMA["description"]) == (
        "prompt-meta.yaml",
        "A suite of cases for one prompt.",
    )
    assert SCHEMA["$defs"]["Thresholds"]["properties"]["pass"] == {
        "default": 70,
        "description": "score >= this passes; for type binary: the share of cases that must pass; for type "
        "comparison: the share of cases that `b` must win (default 50)",
        "maximum": 100,
        "minimum": 0,
        "title": "Pass",
        "type": "number",
    }
    assert SCHEMA["properties"]["judge"]["default"] == {}


CONFIG: dict[str, Any] = {
    "judge": "openai:gpt-4.1",
    "concurrency": 20,
    "max_cost_usd": 0.5,
    "base_url": {"openai": "http://localhost:11434/v1"},
    "suites": ["evals"],
    "x-own": {},
}


@pytest.mark.parametrize(
    ("more", "valid"),
    [
        ({}, True),
        ({"judge": None}, True),
        ({"juge": "x"}, False),
        ({"concurrency": 0}, False),
        ({"max_cost_usd": -1}, False),
        ({"base_url": {"opnai": "x"}}, False),
    ],
    ids=str,
)
def test_settings_of_a_project(more: dict[str, Any], valid: bool) -> None:
    """Editors know what may stand in `config.yaml`, with the same bounds."""
    assert Draft202012Validator(config_schema()).is_valid({**CONFIG, **more}) is valid


PATTERN = {"pattern": "OK", "case_sensitive": True}
FIXTURE: dict[str, Any] = {
    "runs": 3,
    "quorum": 2,
    "allowed_tools": ["Bash"],
    "pass_conditions": {"result": {"must_match": PATTERN}, "tool_calls": {"counts": {"Bash": {"min": 1}}}},
}


@pytest.mark.parametrize(
    ("more", "good"),
    [
        ({}, True),
        ({"allowed_tools": "Bash Read", "quorum": "all", "x-own": 1}, True),
        ({"run": {"serial": True}}, True),
        ({"runs": 0}, False),
        ({"quorum": "most"}, False),
        ({"isolation": "none"}, False),
        ({"pass_conditions": {"views": {"thread": {}}}}, False),
        ({"pass_conditions": {"result": {"must_match": "OK"}}}, False),
        ({"pass_conditions": {"run": {"must_succeed": False}}}, False),
        ({"pass_conditions": {"tool_calls": {"counts": {"Bash": 3}}}}, False),
    ],
)
def test_fixtures_are_marked_as_they_are_read(more: dict[str, Any], good: bool) -> None:
    """An editor accepts and marks what the reader does."""
    schema = fixture_schema()
    Draft202012Validator.check_schema(schema)
    assert Draft202012Validator(schema).is_valid({**FIXTURE, **more}) is good


OVERRIDE = {"case_ref": "a", "score": 85, "timestamp": "2026-02-18T11:01:29Z", "reason": "Consistent"}
RATING = {
    "ref": "a",
    "criterion": "safety",
    "level": 4,
    "output_sha256": "0",
    "rubric_sha256": "1",
    "author": "jane",
    "timestamp": "2026-02-18T11:01:29Z",
    "blind": True,
}
JUDGE = {
    "judge": "openai:gpt-4o",
    "wording": "1",
    "rubric_sha256": "1",
    "qualified": True,
    "n": 40,
    "pairs": 300,
    "accuracy": 0.8,
    "low": 0.7,
    "high": 0.9,
    "measured": "2026-02-18T11:01:29Z",
}
REPLAY = {"ref": "a", "question": "criteria.safety", "answer": 5}


@pytest.mark.parametrize(
    ("name", "good", "bad"),
    [
        ("cases", {"title": "a"}, {"title": 1}),
        ("cases", [{"title": "a", "category": "edge"}], [{"title": "a", "category": "edges"}]),
        ("overrides", [OVERRIDE], [{**OVERRIDE, "score": 101}]),
        ("overrides", {"items": [OVERRIDE]}, {"entries": [OVERRIDE]}),
        ("outputs", {"ref": "a", "output": "x"}, {"ref": "a"}),
        ("replay", REPLAY, {**REPLAY, "answer": []}),
        ("ratings", RATING, {**RATING, "level": 0}),
        ("qualifications", {"schema": 1, "judges": [JUDGE]}, {"schema": 1, "judges": [{**JUDGE, "n": 0}]}),
        ("models", ["gpt-4o", {"name": "gpt-4o", "temperature": 0}], ["gpt-4o", {"temperature": 0}]),
        ("models", {"models": ["gpt-4o"]}, {"model": ["gpt-4o"]}),
        ("tasks", {"input": "a", "golden_label": "x"}, {"input": "a", "label": "x"}),
        ("gated", [], {}),
    ],
    ids=[
        "a case", "cases", "overrides", "overrides inside", "outputs", "replay", "ratings", "qualifications",
        "models", "models inside", "tasks", "gated",
    ],
)  # fmt: skip
def test_every_other_format_has_one(name: str, good: Any, bad: Any) -> None:
    """What is read is valid, and what is refused is marked."""
    validator = Draft202012Validator(SCHEMAS[name]())
    assert [error.message for error in validator.iter_errors(good)] == []
    assert list(validator.iter_errors(bad))


@pytest.mark.parametrize("name", SCHEMAS)
def test_each_is_a_schema_by_its_name(name: str) -> None:
    """It says of which file it is, and is in a file of its own."""
    schema = SCHEMAS[name]()
    Draft202012Validator.check_schema(schema)
    assert schema["title"]
    assert schema_file(name) == f"{name}.schema.json"
