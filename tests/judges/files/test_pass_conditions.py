"""Pass conditions: what is accepted, and what is refused with a sentence at its place."""

import json
from pathlib import Path
from typing import Any

import pytest

from judges.core.errors import ConfigError
from judges.files.fixture import MOVED, parse_fixture
from judges.files.pass_conditions import PassConditions, SemanticCondition, asks_nothing
from judges.files.shape import parse_model
from judges.files.yaml import parse_yaml

OK = {"pattern": "OK", "case_sensitive": True}
JUDGED = {"id": "good", "view": "result", "judge_model": "m", "rubric": "Is it good?"}


def parse(conditions: Any) -> PassConditions:
    return parse_model(PassConditions, parse_yaml(json.dumps(conditions), "f"))


@pytest.mark.parametrize(
    "conditions",
    [
        {"run": {"must_succeed": True}},
        {"run": {"max_duration_ms": 0, "max_parse_errors": 0, "max_cost_usd": 0.05}},
        {"views": {"transcript": {"must_include": [OK]}}},
        {"views": {"thinking": {"must_not_include": [OK, OK]}}, "x-own": {"anything": 1}},
        {"tool_calls": {"required": ["Bash"], "forbidden": ["mcp__server__tool"], "order": ["Read", "Read"]}},
        {"tool_calls": {"counts": {"Bash": {"min": 1, "max": 1}, "Write": {"exact": 0}}}},
        {"tool_calls": {"inputs": [{"tool": "Bash", "must_match": OK, "must_not_match": OK}]}},
        {"tool_results": {"all_succeeded": True, "per_tool": {"Bash": {"must_succeed": True}}}},
        {"result": {"must_match": OK, "must_not_match": OK}},
        {"files": [{"path": "a/b.txt", "exists": False}, {"path": "c", "exists": True, "must_match": OK}]},
        {"semantic": [JUDGED, {**JUDGED, "id": "2", "view": "transcript", "judge_timeout_seconds": 0.5}]},
        {"semantic": [{"id": "a", "view": "result", "judges": ["a", "b", "c"], "quorum": 2, "rubric": "r"}]},
    ],
    ids=json.dumps,
)
def test_every_family_is_read(conditions: dict[str, Any]) -> None:
    """Each family alone is enough of a fixture."""
    assert not asks_nothing(parse(conditions))


BAD: dict[str, tuple[Any, str]] = {
    "nothing": ({}, "there is no condition: a fixture that checks nothing would always pass"),
    "an empty view": ({"views": {"result": {}}}, "there is no condition"),
    "empty lists": ({"tool_calls": {"required": [], "counts": {}}, "semantic": []}, "there is no condition"),
    "null": (None, "expected a mapping, found nothing"),
    "a typo": ({"veiws": {}}, "veiws: unknown key (did you mean 'views'?)"),
    "an unknown view": (
        {"views": {"thread": {"must_include": [OK]}}},
        "views.thread: unknown key (known keys: assistant_text, everything, result, thinking, tool_inputs, "
        "tool_outputs, transcript)",
    ),
    "a structured view": ({"views": {"tool_calls": {}}}, "views.tool_calls: unknown key"),
    "a bare pattern": (
        {"result": {"must_match": "OK"}},
        "result.must_match: expected a mapping, found 'OK'",
    ),
    "a pattern without case": (
        {"result": {"must_match": {"pattern": "OK"}}},
        "result.must_match.case_sensitive: the key is missing",
    ),
    "an empty pattern": (
        {"result": {"must_match": {**OK, "pattern": ""}}},
        "result.must_match.pattern: must not be empty",
    ),
    "case as text": (
        {"result": {"must_match": {**OK, "case_sensitive": "yes"}}},
        "result.must_match.case_sensitive: expected true or false, found 'yes'",
    ),
    "need not succeed": (
        {"run": {"must_succeed": False}},
        "run.must_succeed: false would check nothing: leave the key out, or write true",
    ),
    "need not all succeed": (
        {"tool_results": {"all_succeeded": False}},
        "tool_results.all_succeeded: false would check nothing: leave the key out, or write true",
    ),
    "a tool need not succeed": (
        {"tool_results": {"per_tool": {"Bash": {"must_succeed": False}}}},
        "tool_results.per_tool.Bash.must_succeed: false would check nothing",
    ),
    "nothing of a tool": (
        {"tool_results": {"per_tool": {"Bash": {}}}},
        "tool_results.per_tool.Bash.must_succeed: the key is missing",
    ),
    "a negative limit": (
        {"run": {"max_duration_ms": -1}},
        "run.max_duration_ms: must be at least 0, found -1",
    ),
    "a negative cost": ({"run": {"max_cost_usd": -0.1}}, "run.max_cost_usd: must be at least 0, found -0.1"),
    "exact and max": (
        {"tool_calls": {"counts": {"Bash": {"exact": 5, "max": 1}}}},
        "tool_calls.counts.Bash: 'exact' cannot be mixed with 'min' or 'max'",
    ),
    "no count": (
        {"tool_calls": {"counts": {"Bash": {}}}},
        "tool_calls.counts.Bash: needs 'min', 'max' or 'exact'",
    ),
    "min above max": (
        {"tool_calls": {"counts": {"Bash": {"min": 2, "max": 1}}}},
        "tool_calls.counts.Bash: min (2) must not be above max (1)",
    ),
    "a count as number": (
        {"tool_calls": {"counts": {"Bash": 3}}},
        "tool_calls.counts.Bash: expected a mapping, found 3",
    ),
    "a tool twice": ({"tool_calls": {"required": ["A", "A"]}}, "tool_calls.required: 'A' is named twice"),
    "a tool without name": (
        {"tool_calls": {"forbidden": [" "]}},
        "tool_calls.forbidden[0]: must not be empty",
    ),
    "an input without pattern": (
        {"tool_calls": {"inputs": [{"tool": "Bash"}]}},
        "tool_calls.inputs[0]: needs 'must_match' or 'must_not_match'",
    ),
    "a file outside": (
        {"files": [{"path": "../a", "exists": True}]},
        "files[0].path: expected the path of a file inside the workspace, found '../a'",
    ),
    "an absolute file": (
        {"files": [{"path": "/etc/passwd", "exists": True}]},
        "files[0].path: expected the path of a file inside the workspace, found '/etc/passwd'",
    ),
    "nothing of a file": (
        {"files": [{"path": "a"}]},
        "files[0]: needs 'exists', 'must_match' or 'must_not_match'",
    ),
    "text of no file": (
        {"files": [{"path": "a", "exists": False, "must_match": OK}]},
        "files[0]: a file that must not exist has no text to match",
    ),
    "no id": ({"semantic": [{**JUDGED, "id": " "}]}, "semantic[0].id: must not be empty"),
    "an id twice": ({"semantic": [JUDGED, JUDGED]}, "semantic: 'good' is named twice"),
    "a blank rubric": ({"semantic": [{**JUDGED, "rubric": "  "}]}, "semantic[0].rubric: must not be empty"),
    "no judge": (
        {"semantic": [{key: JUDGED[key] for key in ("id", "view", "rubric")}]},
        "semantic[0]: needs a 'judge_model', or several 'judges'",
    ),
    "two ways to judge": (
        {"semantic": [{**JUDGED, "judges": ["a", "b"]}]},
        "semantic[0]: 'judge_model' and 'judges' both name who judges: give one of them",
    ),
    "one judge of several": (
        {"semantic": [{"id": "a", "view": "result", "rubric": "r", "judges": ["a"]}]},
        "semantic[0]: 'judges' are at least two; a single one is the 'judge_model'",
    ),
    "a judge twice": (
        {"semantic": [{"id": "a", "view": "result", "rubric": "r", "judges": ["a", "a"]}]},
        "semantic[0].judges: 'a' is named twice",
    ),
    "too large a quorum": (
        {"semantic": [{"id": "a", "view": "result", "rubric": "r", "judges": ["a", "b"], "quorum": 3}]},
        "semantic[0]: a quorum of 3 cannot be reached with 2",
    ),
    "no view of text": (
        {"semantic": [{**JUDGED, "view": "tool_calls"}]},
        "semantic[0].view: expected thinking, assistant_text, tool_inputs, tool_outputs, everything, "
        "result or transcript, found 'tool_calls'",
    ),
    "a text as row": ({"semantic": ["x"]}, "semantic[0]: expected a mapping, found 'x'"),
}


@pytest.mark.parametrize(("conditions", "message"), BAD.values(), ids=BAD)
def test_mistakes_are_told_where_they_stand(conditions: Any, message: str) -> None:
    """Every mistake has the path of its key, and says what was expected."""
    with pytest.raises(ConfigError) as caught:
        parse(conditions)
    (problem,) = caught.value.problems
    assert message in f"{problem.key or ''}: {problem.message} ({problem.hint})"


@pytest.mark.parametrize(
    ("front", "key"),
    [
        (
            "pass_conditions: {thread: {must_include: []}, run: {must_succeed: true}}",
            "pass_conditions.thread",
        ),
        ("pass_conditions: {run: {must_succeed: true, serial: true}}", "pass_conditions.run.serial"),
        ("run: {max_cost_usd: 1}\npass_conditions: {run: {must_succeed: true}}", "run.max_cost_usd"),
    ],
    ids=lambda value: value if "\n" not in value and " " not in value else "",
)
def test_keys_that_belong_elsewhere_are_told_where(front: str, key: str) -> None:
    """An older key, and one beside its place, give what to do instead of the known keys."""
    with pytest.raises(ConfigError) as caught:
        parse_fixture(f"---\n{front}\n---\n# Prompt body\n\nHi\n", Path("a.fixture.md"))
    (problem,) = caught.value.problems
    assert (problem.key, (problem.message, problem.hint)) == (key, MOVED[key])


def test_who_is_asked() -> None:
    """One judge, or the several."""
    one = SemanticCondition(id="a", view="result", judge_model="m", rubric="r")
    several = SemanticCondition(id="a", view="result", judges=("a", "b"), rubric="r")
    assert (one.asked, several.asked) == (("m",), ("a", "b"))


@pytest.mark.reference
def test_what_the_original_refuses_is_refused(reference_data: Path) -> None:
    """All decisions of the original are the same; only conditions that ask for nothing are refused, too."""
    folder = reference_data.parent / "conformance" / "harness"
    differ = []
    for case in json.loads((folder / "validate.json").read_text()):
        front = {"pass_conditions": case["pc"], "runs": case["runs"], "quorum": case["quorum"]}
        try:
            parse_fixture(f"---\n{json.dumps(front)}\n---\n# Prompt body\n\nHi\n", Path("a.fixture.md"))
            accepted = True
        except ConfigError:
            accepted = False
        if accepted != ("ok" in case):
            differ.append(case["pc"])
    assert differ == [{"views": {"result": {}}}, None]


@pytest.mark.reference
def test_a_refusal_of_the_original_has_a_problem_of_its_own(reference_data: Path) -> None:
    """With conditions that ask for something, each is refused for its own reason."""
    folder = reference_data.parent / "conformance" / "harness"
    for case in json.loads((folder / "validate.json").read_text()):
        if "error" not in case:
            continue
        conditions = {**case["pc"], "run": {"must_succeed": True}}
        front = {"pass_conditions": conditions, "runs": case["runs"], "quorum": case["quorum"]}
        with pytest.raises(ConfigError) as caught:
            parse_fixture(f"---\n{json.dumps(front)}\n---\n# Prompt body\n\nHi\n", Path("a.fixture.md"))
        assert "there is no condition" not in str(caught.value), case
