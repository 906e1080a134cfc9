"""The arms of a comparison: where the outputs of each come from, and what can be wrong with them."""

from collections.abc import Callable
from pathlib import Path

import pytest

from judges.files.load import load_suite
from judges.files.suite import Arm, PromptSuite

WriteSuite = Callable[..., Path]
ProblemsOf = Callable[..., list[str]]

FILES = {
    "p.md": "Greet {name}.",
    "q.md": "Greet {name} warmly.",
    "r.py": "print()",
    "a.jsonl": '{"ref": "x", "output": "Hi"}\n',
    "bad.jsonl": '{"ref": "x"}\n',
}
HEAD = "prompt_name: greet\ncases: "
FOLDER = ".omniscitus/tests/greet"


@pytest.fixture
def compared(write_suite: WriteSuite) -> Callable[..., PromptSuite]:
    def load(a: str, b: str, more: str = "") -> PromptSuite:
        text = f"{HEAD}[{{title: x}}]\n{more}\n"
        return load_suite(
            write_suite(f"{text}evaluation: {{type: comparison, arms: {{a: {a}, b: {b}}}}}\n", FILES)
        )

    return load


def places(arm: Arm) -> tuple[str | None, str | None, object, str | None]:
    return (
        arm.target and arm.target.name,
        arm.runner and arm.runner.name,
        None if arm.outputs is None else dict(arm.outputs),
        arm.model and arm.model.name,
    )


@pytest.mark.parametrize(
    ("a", "b", "more", "expected"),
    [
        pytest.param(
            f"{{target: {FOLDER}/p.md}}",
            f"{{target: {FOLDER}/q.md, model: openai:gpt-4o}}",
            "",
            [("p.md", None, None, None), ("q.md", None, None, "openai:gpt-4o")],
            id="two prompts",
        ),
        pytest.param(
            "{model: a:b}",
            "{model: {name: a:c, temperature: 0}}",
            f"target: {FOLDER}/p.md",
            [("p.md", None, None, "a:b"), ("p.md", None, None, "a:c")],
            id="two models for the suite's prompt",
        ),
        pytest.param(
            "{}",
            "{}",
            f"target: {FOLDER}/p.md\nrunner: r.py",
            [(None, "r.py", None, None), (None, "r.py", None, None)],
            id="the suite's runner goes before its target",
        ),
        pytest.param(
            "{outputs: a.jsonl}",
            "{runner: r.py}",
            f"target: {FOLDER}/p.md",
            [(None, None, {"x": "Hi"}, None), (None, "r.py", None, None)],
            id="recorded and by a program",
        ),
    ],
)
def test_arms_name_what_they_need_or_have_the_suites(
    compared: Callable[..., PromptSuite], a: str, b: str, more: str, expected: list[object]
) -> None:
    """An arm's own target, runner or outputs count; without any it has those of the suite."""
    suite = compared(a, b, more)
    assert [arm.name for arm in suite.arms] == ["a", "b"]
    assert [places(arm) for arm in suite.arms] == expected


@pytest.mark.parametrize(
    ("evaluation", "expected"),
    [
        (
            "{type: comparison}",
            "evaluation: type 'comparison' needs 'arms', such as {a: {model: …}, b: {model: …}}",
        ),
        ("{type: comparison, arms: {a: {}}}", "evaluation.arms.b: the key is missing"),
        (
            "{type: comparison, arms: {a: {}, b: {}, c: {}}}",
            "evaluation.arms.c: unknown key (known keys: a, b)",
        ),
        ("{type: comparison, arms: {a: {}, b: }}", "evaluation.arms.b: expected a mapping, found nothing"),
        (
            "{type: comparison, arms: {a: {}, b: {targt: x}}}",
            "evaluation.arms.b.targt: unknown key (did you mean 'target'?)",
        ),
        (
            "{type: comparison, arms: {a: {target: x, runner: y}, b: {}}}",
            "evaluation.arms.a: needs one of 'target', 'runner' and 'outputs', found target and runner",
        ),
        (
            "{type: comparison, arms: {a: {outputs: a.jsonl, model: m}, b: {}}}",
            "evaluation.arms.a: 'outputs' are recorded: no 'model' makes them",
        ),
        (
            "{type: comparison, arms: {a: {target: none.md}, b: {}}}",
            "evaluation.arms.a.target: none.md: does not exist (check the path)",
        ),
        (
            "{type: comparison, arms: {a: {}, b: {runner: ../../../../x.py}}}",
            "evaluation.arms.b.runner: ",
        ),
        (
            "{type: comparison, arms: {a: {}, b: {outputs: bad.jsonl}}}",
            "evaluation.arms.b.outputs: bad.jsonl:1:1: the key is missing",
        ),
        (
            "{type: binary, arms: {a: {}, b: {}}}",
            "evaluation: 'arms' belongs to type 'comparison', not to 'binary'",
        ),
        ("{max_drop: 5}", "evaluation: 'max_drop' belongs to type 'regression', not to 'multi_criteria'"),
        ("{type: binary, margin: 5}", "evaluation: 'margin' belongs to type 'regression', not to 'binary'"),
        ("{type: regression, margin: 101}", "evaluation.margin: must be at most 100, found 101"),
    ],
)
def test_mistakes_in_arms_are_explained(
    write_suite: WriteSuite, problems_of: ProblemsOf, evaluation: str, expected: str
) -> None:
    """What is missing, doubled, misspelt or outside is told at its place."""
    criteria = "criteria: [{name: safety, weight: 1, rubric: 'Is it safe?'}]"
    path = write_suite(
        f"{HEAD}[{{title: x, expected_behavior: y}}]\n{criteria}\nevaluation: {evaluation}\n",
        FILES,
    )
    (problem,) = problems_of(path)
    assert expected in problem
    assert problem.startswith("prompt-meta.yaml:4:")


def test_half_of_the_cases_are_to_be_won_unless_the_suite_says_otherwise(
    compared: Callable[..., PromptSuite],
) -> None:
    """The threshold of a comparison has a default of its own."""
    assert compared("{runner: r.py}", "{runner: r.py}").thresholds.pass_ == 50
    assert compared("{runner: r.py}", "{runner: r.py}", "thresholds: {pass: 60}").thresholds.pass_ == 60


def test_a_comparison_and_a_binary_suite_need_no_weights(write_suite: WriteSuite) -> None:
    """Where outputs are not scored a criterion is its rubric, whole, and has no levels."""
    rubric = "rubric: 'Is it kind?\n\n  9: very'"
    suite = load_suite(
        write_suite(f"{HEAD}[]\nevaluation: {{type: binary}}\ncriteria: [{{name: tone, {rubric}}}]\n")
    )
    (criterion,) = suite.criteria
    assert (criterion.weight, criterion.instructions, criterion.levels) == (1, "Is it kind?\n9: very", ())


@pytest.mark.parametrize("kind", ["multi_criteria", "regression"])
def test_weights_are_needed_where_outputs_are_scored(
    write_suite: WriteSuite, problems_of: ProblemsOf, kind: str
) -> None:
    """A share of the score cannot be guessed."""
    path = write_suite(f"{HEAD}[]\nevaluation: {{type: {kind}}}\ncriteria: [{{name: tone, rubric: x}}]\n")
    assert problems_of(path) == ["prompt-meta.yaml:4:12: criteria[0].weight: the key is missing"]


def test_a_binary_case_in_a_file_of_its_own_needs_an_expected_behavior(
    write_suite: WriteSuite, problems_of: ProblemsOf
) -> None:
    """Without criteria there is nothing else to ask, wherever the case stands."""
    path = write_suite(
        "prompt_name: greet\nevaluation: {type: binary}\ncases: {source: external, pattern: cases/*.yaml}\n",
        {"cases/one.yaml": "- title: a\n  expected_behavior: Greets.\n- title: b\n"},
    )
    assert problems_of(path) == [
        "cases/one.yaml:3: a binary case without criteria is judged by 'expected_behavior', which is missing "
        "(add it, or add 'criteria:' to the file)"
    ]
