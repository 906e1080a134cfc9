"""From a case to questions and evidence: what is asked, and what stays hidden."""

from decimal import Decimal

import pytest

from judges.ask.questions import build_evidence, build_questions, refer_to_fields
from judges.core.case import Case, Category, ScoreRange
from judges.core.question import Predicate, Score
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
