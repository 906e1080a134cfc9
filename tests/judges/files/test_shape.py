"""Plain data to models: every mistake in plain words, at its place."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judges.core.errors import ConfigError
from judges.files.case_meta import CaseSpec
from judges.files.prompt_meta import PromptMeta
from judges.files.shape import parse_model, without_extensions
from judges.files.yaml import parse_yaml

GOOD = "prompt_name: a\ncases: []\n"


def complaints(text: str) -> list[str]:
    with pytest.raises(ConfigError) as caught:
        parse_model(PromptMeta, parse_yaml(text, "f"))
    return [str(problem) for problem in caught.value.problems]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("target: [x]", "f:3:9: target: expected a text, found a list"),
        ("target: 2026", "f:3:9: target: expected a text, found 2026 (put it in quotes)"),
        ("model: 3", "f:3:8: model: expected a text, found 3 (put it in quotes)"),
        ("model: {nam: x, name: y}", "f:3:9: model.nam: unknown key (did you mean 'name'?)"),
        ("model: {}", "f:3:8: model.name: the key is missing"),
        ("judge: gpt-4o", "f:3:8: judge: expected a mapping, found 'gpt-4o'"),
        ("judge: {max_retries: 2.0}", "f:3:22: judge.max_retries: expected a whole number, found 2.0"),
        ("judge: {max_retries: 11}", "f:3:22: judge.max_retries: must be at most 10, found 11"),
        ("judge: {timeout_seconds: 0}", "f:3:26: judge.timeout_seconds: must be more than 0, found 0"),
        (
            "judge: {temperature: hot}",
            "f:3:22: judge.temperature: expected a number, found 'hot'",
        ),
        (
            "judge: {score: levle}",
            "f:3:16: judge.score: expected level or expected, found 'levle' (did you mean 'level'?)",
        ),
        ("criteria: {a: 1}", "f:3:11: criteria: expected a list, found a mapping"),
        (
            "criteria: ",
            "f:3:10: criteria: expected a list, found nothing (give it a value, or remove the key)",
        ),
        ("criteria: [a]", "f:3:12: criteria[0]: expected a mapping, found 'a'"),
        (
            "criteria: [{name: a b, weight: 1, rubric: x}]",
            "f:3:19: criteria[0].name: expected a letter, then up to 47 letters, digits, '_' or '-', "
            "found 'a b'",
        ),
        (
            "criteria: [{name: a, weight: -0.5, rubric: x}]",
            "f:3:30: criteria[0].weight: must be at least 0, found -0.5",
        ),
        (
            "criteria: [{name: a, weight: .nan, rubric: x}]",
            "f:3:30: criteria[0].weight: expected a finite number, found nan",
        ),
        (
            "criteria: [{name: a, weight: 1e999, rubric: x}]",
            "f:3:30: criteria[0].weight: expected a finite number, found inf",
        ),
        (
            "criteria: [{name: a, weight: true, rubric: x}]",
            "f:3:30: criteria[0].weight: expected a number, found true",
        ),
        (
            "criteria: [{name: a, weight: 1, rubric: ''}]",
            "f:3:41: criteria[0].rubric: must not be empty",
        ),
        (
            "criteria: [{name: a, weight: 1, rubric: x, scale: 1}]",
            "f:3:51: criteria[0].scale: must be at least 2, found 1",
        ),
        ("criteria: [{name: a, weight: 1}]", "f:3:12: criteria[0].rubric: the key is missing"),
        ("thresholds: {pass: 700}", "f:3:20: thresholds.pass: must be at most 100, found 700"),
        (
            "thresholds: {pass: 1" + "0" * 400 + "}",
            "f:3:20: thresholds.pass: must be at most 100, found 1" + "0" * 58 + "…",
        ),
        (
            "specs: {pattern: '*', max_characters: 0}",
            "f:3:39: specs.max_characters: must be at least 1, found 0",
        ),
        ("thresholds: {pass_: 70}", "f:3:14: thresholds.pass_: unknown key (did you mean 'pass'?)"),
        ("thresholds: {warn: 80}", "f:3:13: thresholds: warn (80) must not be above pass (70)"),
        (
            "thresholds: {per_criterion: {a: -1}}",
            "f:3:33: thresholds.per_criterion.a: must be at least 0, found -1",
        ),
        (
            "checks: [{name: a, type: deterministik}]",
            "f:3:26: checks[0].type: expected deterministic or llm_judge, found 'deterministik' "
            "(did you mean 'deterministic'?)",
        ),
        ("checks: [{name: a}]", "f:3:10: checks[0].type: the key is missing"),
        ("checks: [3]", "f:3:10: checks[0]: expected a mapping, found 3"),
        (
            "checks: [{name: a, type: deterministic, ruel: x, rule: y}]",
            "f:3:41: checks[0].ruel: unknown key (did you mean 'rule'?)",
        ),
        (
            "checks: [{name: a, type: deterministic}]",
            "f:3:10: checks[0]: needs exactly one of 'rule' and 'strategy'",
        ),
        (
            "checks: [{name: a, type: deterministic, strategy: regex}]",
            "f:3:10: checks[0]: strategy 'regex' needs a 'value'",
        ),
        (
            "checks: [{name: a, type: llm_judge, prompt: p, pass_condition: no}]",
            "f:3:64: checks[0].pass_condition: expected YES or NO, found 'no' (did you mean 'NO'?)",
        ),
        (
            "checks: [{name: a, type: llm_judge, pass_condition: NO}]",
            "f:3:10: checks[0].prompt: the key is missing",
        ),
        (
            "checks: [{name: a, type: llm_judge, prompt: p, pass_condition: NO, rule: x}]",
            "f:3:68: checks[0].rule: unknown key (known keys: name, pass_condition, prompt, severity, type)",
        ),
        ("logs: {format: xml}", "f:3:16: logs.format: expected jsonl, json or csv, found 'xml'"),
        (
            "evaluation: {type: binry}",
            "f:3:20: evaluation.type: expected multi_criteria, binary, comparison or regression, "
            "found 'binry' (did you mean 'binary'?)",
        ),
        ("targt: x", "f:3:1: targt: unknown key (did you mean 'target'?)"),
        (
            "overrides: {items: [{case_ref: a, score: 101, timestamp: t, reason: r}]}",
            "f:3:42: overrides.items[0].score: must be at most 100, found 101",
        ),
    ],
    ids=lambda value: value[:40],
)
def test_one_mistake_gives_one_sentence(text: str, message: str) -> None:
    """Each mistake is told once, where it stands, with what was expected."""
    assert complaints(GOOD + text) == [message]


@pytest.mark.parametrize("cases", ["cases: [{C}]", "cases: {items: [{C}]}"], ids=["legacy", "current"])
@pytest.mark.parametrize(
    ("case", "problem"),
    [
        ("{category: edge}", "title: the key is missing"),
        ("{title: ''}", "title: must not be empty"),
        (
            f"{{title: a, reference: {'x' * 20_001}}}",
            f"reference: must be at most 20000 characters long, found '{'x' * 59}…'",
        ),
        (
            "{title: a, category: Elemant}",
            "category: expected element, mixed, edge or zero_condition, found 'Elemant' "
            "(did you mean 'element'?)",
        ),
        ("{title: a, input: [1]}", "input: expected a mapping, found a list"),
        ("{title: a, tags: b}", "tags: expected a list, found 'b'"),
        (
            "{title: a, expected_score_range: {min: 3, max: 2}}",
            "expected_score_range: min (3) must not be above max (2)",
        ),
        ("{titel: a, title: b}", "titel: unknown key (did you mean 'title'?)"),
    ],
    ids=lambda value: value[:30],
)
def test_cases_of_both_shapes_are_explained_at_their_place(cases: str, case: str, problem: str) -> None:
    """A case's key path is the one that the author wrote, whether `cases` is a list or a mapping."""
    text = f"prompt_name: a\n{cases.replace('{C}', case)}\n"
    (complaint,) = complaints(text)
    path = "cases[0]" if cases.startswith("cases: [") else "cases.items[0]"
    assert complaint.split(": ", 1)[1] == f"{path}.{problem}"
    assert complaint.startswith("f:2:")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[1]", "f:1:1: expected a mapping, found a list"),
        ("text", "f:1:1: expected a mapping, found 'text'"),
        ("~", "f:1:1: expected a mapping, found nothing (give it a value, or remove the key)"),
        ("prompt_name: a\ncases: external", "f:2:8: cases: expected a mapping, found 'external'"),
        ("prompt_name: a\ncases: {source: external}", "f:2:8: cases: source 'external' needs a 'pattern'"),
        ("prompt_name: a\ncases: {pattern: x}", "f:2:8: cases: 'pattern' belongs to source 'external'"),
    ],
)
def test_wrong_files_give_one_sentence(text: str, message: str) -> None:
    """A file that is something else altogether, or has no cases, is refused in one sentence."""
    assert complaints(text) == [message]


def test_all_mistakes_are_told_at_once() -> None:
    """Mistakes in different sections do not hide each other."""
    text = "prompt_name: 1\ntargt: x\njudge: 3\ncases: [{}]\n"
    assert complaints(text) == [
        "f:1:14: prompt_name: expected a text, found 1 (put it in quotes)",
        "f:3:8: judge: expected a mapping, found 3",
        "f:4:9: cases[0].title: the key is missing",
        "f:2:1: targt: unknown key (did you mean 'target'?)",
    ]


def test_extension_keys_are_free() -> None:
    """`x-…` keys are dropped everywhere, but kept inside the author's own data."""
    value = {"x-a": 1, "b": [{"x-c": 2, "d": 3}], "input": {"x-e": 4}, "value": {"x-f": 5}}
    assert without_extensions(value) == {"b": [{"d": 3}], "input": {"x-e": 4}, "value": {"x-f": 5}}


def test_a_part_of_a_document_is_explained_at_its_place() -> None:
    """The way to a part counts in key paths and positions."""
    document = parse_yaml("- {title: a}\n- {title: 5}\n", "f")
    assert parse_model(CaseSpec, document, (0,)).title == "a"
    with pytest.raises(
        ConfigError, match=r"^f:2:11: \[1\]\.title: expected a text, found 5 \(put it in quotes\)$"
    ):
        parse_model(CaseSpec, document, (1,))


plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from([*PromptMeta.model_fields, "items", "name", "type", "pass", "x"]), inner
        )
    ),
    max_leaves=15,
)


@given(plain)
def test_any_data_is_a_model_or_refused(value: object) -> None:
    """Whatever the data, there is a model or a ConfigError."""
    from judges.files.document import Document

    try:
        parse_model(PromptMeta, Document(value, "f"))
    except ConfigError as error:
        assert all(problem.message and "pydantic" not in str(problem) for problem in error.problems)
