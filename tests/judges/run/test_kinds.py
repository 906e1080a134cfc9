"""What the judge is asked for each evaluation type, and about which outputs."""

from decimal import Decimal

import pytest

from judges.core.case import Case, Category, digest
from judges.files.evaluation_meta import EvaluationType
from judges.files.prompt_meta import JudgedCheck, Thresholds
from judges.files.suite import Criterion
from judges.reduce.decision import Rules
from judges.reduce.facts import Arm
from judges.run.kinds import KINDS

TONE = Criterion(name="tone", weight=Decimal(1), instructions="Kind?", levels=("",) * 5, rubric_sha256="")
CHECK = JudgedCheck(name="made_up", type="llm_judge", prompt="Made up?", pass_condition="NO")
ONE = {None: "new"}
BOTH = {"a": "old", "b": "new"}
BASELINE = {None: "new", "baseline": "old"}


def rules(*, criteria: bool = True, checks: bool = True) -> Rules:
    return Rules(
        criteria=(TONE,) if criteria else (), checks=(CHECK,) if checks else (), thresholds=Thresholds()
    )


def case(category: Category = Category.ELEMENT) -> Case:
    return Case(ref="a", title="A", category=category, input={}, expected_behavior="Greets.")


def test_every_evaluation_type_can_be_run() -> None:
    """The table of kinds has them all."""
    assert set(KINDS) == set(EvaluationType)


@pytest.mark.parametrize(
    ("kind", "asked_by", "outputs", "category", "expected"),
    [
        ("multi_criteria", rules(), ONE, "element", [(None, ["criteria.tone", "checks.made_up"])]),
        (
            "multi_criteria",
            rules(),
            ONE,
            "zero_condition",
            [(None, ["criteria.tone", "checks.made_up", "declines"])],
        ),
        ("multi_criteria", rules(), {}, "element", []),
        ("binary", rules(), ONE, "element", [(None, ["criteria.tone", "checks.made_up"])]),
        ("binary", rules(), ONE, "zero_condition", [(None, ["checks.made_up", "declines"])]),
        ("binary", rules(criteria=False), ONE, "element", [(None, ["expected_behavior", "checks.made_up"])]),
        (
            "binary",
            rules(criteria=False, checks=False),
            ONE,
            "zero_condition",
            [(None, ["expected_behavior"])],
        ),
        ("binary", rules(), {}, "element", []),
        (
            "comparison",
            rules(),
            BOTH,
            "zero_condition",
            [
                ("a", ["checks.made_up"]),
                ("b", ["checks.made_up"]),
                ("ab", ["criteria.tone", "overall"]),
                ("ba", ["criteria.tone", "overall"]),
            ],
        ),
        (
            "comparison",
            rules(criteria=False, checks=False),
            BOTH,
            "element",
            [("ab", ["overall"]), ("ba", ["overall"])],
        ),
        ("comparison", rules(), {"b": "new"}, "element", []),
        (
            "regression",
            rules(),
            BASELINE,
            "element",
            [("baseline", ["criteria.tone", "checks.made_up"]), (None, ["criteria.tone", "checks.made_up"])],
        ),
        (
            "regression",
            rules(checks=False),
            BASELINE,
            "zero_condition",
            [("baseline", ["declines"]), (None, ["declines"])],
        ),
        ("regression", rules(), ONE, "element", [(None, ["criteria.tone", "checks.made_up"])]),
        ("regression", rules(), {"baseline": "old"}, "element", []),
    ],
)
def test_inquiries(
    kind: str, asked_by: Rules, outputs: dict[Arm, str], category: str, expected: list[tuple[Arm, list[str]]]
) -> None:
    """Only about outputs that are worth a call, and never one arm of a comparison alone."""
    inquiries = KINDS[EvaluationType(kind)].inquire(asked_by, case(Category(category)), outputs)
    assert [
        (inquiry.arm, [question.name for question in inquiry.questions]) for inquiry in inquiries
    ] == expected


def test_a_comparison_is_bound_to_both_outputs() -> None:
    """Both orders have the digests of the two outputs, and exchange them as A and B."""
    ab, ba = KINDS[EvaluationType.COMPARISON].inquire(rules(checks=False), case(), BOTH)
    assert ab.output_sha256 == ba.output_sha256 == f"{digest('old')}+{digest('new')}"
    assert [ab.evidence.fields["output.A"], ab.evidence.fields["output.B"]] == ["old", "new"]
    assert [ba.evidence.fields["output.A"], ba.evidence.fields["output.B"]] == ["new", "old"]


@pytest.mark.parametrize(
    ("kind", "criteria", "category", "shown"),
    [
        ("multi_criteria", True, "zero_condition", False),
        ("binary", True, "zero_condition", False),
        ("binary", False, "zero_condition", True),
        ("binary", True, "element", True),
        ("regression", True, "zero_condition", False),
        ("comparison", True, "zero_condition", True),
    ],
)
def test_whether_the_judge_sees_what_is_expected(
    kind: str, criteria: bool, category: str, shown: bool
) -> None:
    """It stays hidden where it would tell that a low level, or declining, is wanted."""
    outputs: dict[Arm, str] = dict(BOTH) if kind == "comparison" else dict(ONE)
    asked_by = rules(criteria=criteria, checks=False)
    first, *_ = KINDS[EvaluationType(kind)].inquire(asked_by, case(Category(category)), outputs)
    assert ("expected_behavior" in first.evidence.fields) is shown
