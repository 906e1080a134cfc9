"""From a case to questions and evidence: what is asked, and what stays hidden."""

from dataclasses import replace
from decimal import Decimal

import pytest

from judges.ask.questions import (
    build_choices,
    build_evidence,
    build_pair_evidence,
    build_predicates,
    build_questions,
    build_semantic_evidence,
    build_semantic_question,
    refer_to_fields,
)
from judges.core.case import Case, Category, ScoreRange
from judges.core.question import Choice, Evidence, Predicate, Score
from judges.files.prompt_meta import JudgedCheck
from judges.files.suite import Criterion

TONE = Criterion(
    name="tone",
    weight=Decimal("0.7"),
    instructions="Does {output} suit {name}? {other}",
    levels=("rude", "kind"),
    rubric_sha256="",
    minimum=Decimal(75),
)
MADE_UP = JudgedCheck(name="made_up", type="llm_judge", prompt="Given {input}: made up?", pass_condition="NO")


def case(category: Category = Category.ELEMENT, **changes: object) -> Case:
    values: dict[str, object] = {
        "ref": "a",
        "title": "A",
        "category": category,
        "input": {"name": "Ann", "items": [1, "é"]},
        "expected_behavior": "Greets Ann.",
        "expected_score_range": ScoreRange(Decimal(75), Decimal(90)),
        "reference": "Hello Ann",
    }
    return Case(**{**values, **changes})  # type: ignore[arg-type]


def test_questions() -> None:
    """A Score for each criterion, a Predicate for each check; placeholders become names of fields."""
    assert build_questions((TONE,), (MADE_UP,), case()) == (
        Score(
            name="criteria.tone",
            instructions='Does the field "output" suit the field "input.name"? {other}',
            levels=("rude", "kind"),
        ),
        Predicate(name="checks.made_up", instructions='Given the fields that start with "input": made up?'),
    )


def test_zero_condition_is_asked_one_more() -> None:
    """A zero_condition case is asked whether the output declines."""
    questions = build_questions((TONE,), (), case(Category.ZERO_CONDITION))
    assert [question.name for question in questions] == ["criteria.tone", "declines"]


def test_evidence() -> None:
    """Every input is a field of its own, other values as JSON, the output last."""
    assert build_evidence(case(), "Hi {name}").fields == {
        "input.name": "Ann",
        "input.items": '[\n 1,\n "é"\n]',
        "expected_behavior": "Greets Ann.",
        "reference": "Hello Ann",
        "output": "Hi {name}",
    }


def test_a_chat_history_is_a_transcript() -> None:
    """Messages of an input are shown to the judge as a conversation, not as JSON."""
    history = [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello"}]
    fields = build_evidence(case(input={"messages": history}), "Bye").fields
    assert fields["input.messages"] == "user:\n  Hi\nassistant:\n  Hello"


def test_zero_condition_hides_what_is_expected() -> None:
    """What a zero_condition case expects would tell the judge that a low level is wanted."""
    assert "expected_behavior" not in build_evidence(case(Category.ZERO_CONDITION), "No.").fields


def test_nothing_that_decides_reaches_the_judge() -> None:
    """Weights, minimums and ranges are in no question and no evidence."""
    seen = repr(build_questions((TONE,), (MADE_UP,), case())) + repr(build_evidence(case(), "Hi"))
    assert not [number for number in ("0.7", "75", "90") if number in seen]


def test_half_a_surrogate_pair_can_be_sent() -> None:
    """Text that no endpoint would take is made sendable."""
    assert build_evidence(case(), "a\ud800b").fields["output"] == "a?b"


@pytest.mark.parametrize(
    ("wording", "expected"),
    [
        ("{{ output }} and {output}", 'the field "output" and the field "output"'),
        ("{unknown} {} { output }", "{unknown} {} { output }"),
        ('{"answer": 1}', '{"answer": 1}'),
    ],
)
def test_placeholders(wording: str, expected: str) -> None:
    """Only what names evidence is replaced; every other brace stays."""
    assert refer_to_fields(wording, ()) == expected


def test_a_binary_suite_asks_yes_or_no() -> None:
    """A Predicate for each criterion and check, and without criteria one for the expected behaviour."""
    assert [
        (type(question).__name__, question.name) for question in build_predicates((TONE,), (MADE_UP,), case())
    ] == [("Predicate", "criteria.tone"), ("Predicate", "checks.made_up")]
    (expected,) = build_predicates((), (), case())
    assert (expected.name, expected.instructions) == (
        "expected_behavior",
        'Does the output do all that the field "expected_behavior" says?',
    )


def test_a_comparison_asks_which_is_better() -> None:
    """A Choice for each criterion, by its rubric and about both outputs, and one for the whole."""
    criterion = replace(TONE, instructions="Does {output} fit {name}?")
    tone, overall = build_choices((criterion,), case())
    assert isinstance(tone, Choice)
    assert isinstance(overall, Choice)
    assert (tone.name, overall.name) == ("criteria.tone", "overall")
    assert tone.choices == overall.choices == ("A", "B", "tie")
    assert tone.instructions.endswith('\nDoes the output fit the field "input.name"?')


@pytest.mark.parametrize("category", Category)
def test_two_outputs_are_fields_like_any_other(category: Category) -> None:
    """The judge sees what both were made from and what is expected, whatever the category; the two last."""
    fields = build_pair_evidence(case(category), "one", "two\ud800").fields
    assert list(fields)[-2:] == ["output.A", "output.B"]
    assert (fields["output.A"], fields["output.B"]) == ("one", "two?")
    assert "expected_behavior" in fields


def test_a_semantic_row_asks_for_a_verdict() -> None:
    """One Predicate with the words of the original; the form that the rubric dictates stays in it."""
    rubric = 'OUTPUT_TO_GRADE has a status.\nOutput ONLY: {"verdict":"PASS"|"FAIL","reasoning":"<one>"}.\n'
    assert build_semantic_question("status", rubric) == Predicate(
        name="semantic.status",
        instructions='Does the field "output", which the rubric may call OUTPUT_TO_GRADE, meet this rubric?\n'
        + rubric.strip(),
        labels=("PASS", "FAIL"),
        answer_key="verdict",
    )


def test_a_semantic_row_is_about_one_view() -> None:
    """The view is the only field, and text that can be sent."""
    assert build_semantic_evidence("one\ud800\n") == Evidence({"output": "one?\n"})
