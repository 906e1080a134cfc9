""".omniscitus/: the suites for this project's own judge wording are about the wording as it is now."""

import json
from collections.abc import Callable
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from judges.ask import render, wording
from judges.ask.questions import CHOICES, build_semantic_question
from judges.ask.reply import parse_reply
from judges.check.build import build_check
from judges.check.context import CheckContext
from judges.core.case import Case, digest
from judges.core.question import Choice, Predicate, Question, Score
from judges.core.verdict import ExitCode, Verdict
from judges.files.load import load_suite
from judges.files.prompt_meta import DeterministicCheck
from judges.files.yaml import read_yaml
from judges.run.connections import Connections
from judges.run.execute import execute
from judges.run.options import RunOptions
from judges.run.prompt_plan import plan_prompt

FOLDER = Path(__file__).parents[2] / ".omniscitus" / "tests" / "prompts"
WORDING = Path(wording.__file__).parent

PARTS = {
    "judge-score": ["instructions.txt", "score.txt", "format.txt"],
    "judge-predicate": ["instructions.txt", "predicate.txt", "declines.txt", "format.txt"],
    "judge-choice": ["comparison.txt", "choice.txt", "better.txt", "overall.txt", "format.txt"],
    "judge-semantic": ["semantic.txt", "predicate.txt", "rubric.txt", "dictated.txt"],
}
"""The parts of the wording that a judge is sent in each suite."""

EXPECTED: dict[str, dict[str, tuple[Verdict, Decimal]]] = {
    "judge-score": {
        "good-answer": (Verdict.PASS, Decimal(100)),
        "invented-detail": (Verdict.PASS, Decimal("97.5")),
        "long-answer": (Verdict.PASS, Decimal(95)),
        "generous-reply": (Verdict.PASS, Decimal("42.5")),
        "german-answer": (Verdict.PASS, Decimal("91.25")),
        "injected-answer": (Verdict.PASS, Decimal(100)),
        "imitated-reply": (Verdict.PASS, Decimal("97.5")),
        "injected-notes": (Verdict.PASS, Decimal(100)),
        "false-end": (Verdict.PASS, Decimal("92.5")),
        "empty-answer": (Verdict.PASS, Decimal("91.25")),
        "steered-reply": (Verdict.PASS, Decimal("17.5")),
    },
    "judge-predicate": {
        "supported-claims": (Verdict.PASS, Decimal(100)),
        "invented-claim": (Verdict.PASS, Decimal(100)),
        "declining-answer": (Verdict.PASS, Decimal("92.5")),
        "answers-nonsense": (Verdict.PASS, Decimal("88.75")),
        "injected-answer": (Verdict.PASS, Decimal(100)),
        "german-imitation": (Verdict.PASS, Decimal("97.5")),
        "empty-answer": (Verdict.PASS, Decimal("97.5")),
        "steered-reply": (Verdict.PASS, Decimal("17.5")),
    },
    "judge-choice": {
        "incomplete": (Verdict.PASS, Decimal("97.5")),
        "other-order": (Verdict.PASS, Decimal(100)),
        "no-difference": (Verdict.PASS, Decimal(100)),
        "warmth-alone": (Verdict.PASS, Decimal(90)),
        "injected-choice": (Verdict.PASS, Decimal(100)),
        "german-imitation": (Verdict.PASS, Decimal(100)),
        "empty-answer": (Verdict.PASS, Decimal("92.5")),
        "steered-reply": (Verdict.PASS, Decimal("12.5")),
    },
    "judge-semantic": {
        "three-conditions": (Verdict.PASS, Decimal(100)),
        "wrong-order": (Verdict.PASS, Decimal("97.5")),
        "confident-result": (Verdict.PASS, Decimal("97.5")),
        "fenced-verdict": (Verdict.PASS, Decimal(100)),
        "injected-note": (Verdict.PASS, Decimal("97.5")),
        "german-imitation": (Verdict.PASS, Decimal("97.5")),
        "empty-view": (Verdict.PASS, Decimal("97.5")),
        "steered-reply": (Verdict.PASS, Decimal("12.5")),
    },
}
"""Verdict and score, 0..100, by suite and ref. Replies that are bad on purpose pass by scoring low."""

SUITES = {name: load_suite(FOLDER / name / "prompt-meta.yaml") for name in PARTS}
CASES: dict[tuple[str, str], Case] = {
    (name, case.ref): case for name, suite in SUITES.items() for case in suite.cases
}

each_suite = pytest.mark.parametrize("name", PARTS)


def build_question(name: str, asked: dict[str, Any]) -> Question:
    """Return the typed question that a case's input describes."""
    if "levels" in asked:
        return Score(name=name, instructions=asked["instructions"], levels=tuple(asked["levels"]))
    if "choices" in asked:
        return Choice(name=name, instructions=asked["instructions"], choices=tuple(asked["choices"]))
    if "rubric" in asked:
        return build_semantic_question(name.removeprefix("semantic."), asked["rubric"])
    yes, no = asked["labels"]
    return Predicate(name=name, instructions=asked["instructions"], labels=(yes, no))


def failed_checks(name: str, output: str) -> list[str]:
    """Return which of the suite's deterministic checks an output of its first case does not pass."""
    suite = SUITES[name]
    specs = [spec for spec in suite.meta.checks if isinstance(spec, DeterministicCheck)]
    context = CheckContext(output=output, input=next(iter(suite.cases)).input)
    rows = [build_check(spec, suite.test_root, suite.root)(context) for spec in specs]
    return [row.id.removeprefix("checks.") for row in rows if row.verdict is not Verdict.PASS]


@each_suite
def test_replies_were_written_to_this_wording(name: str) -> None:
    """Whoever changes the wording must read the recorded replies again before renewing the digests."""
    recorded = read_yaml(SUITES[name].path).value["x-wording-sha256"]
    assert recorded == {part: digest((WORDING / part).read_text(encoding="utf-8")) for part in PARTS[name]}


@each_suite
def test_target_is_what_words_the_request(name: str) -> None:
    """The suite names the code under test."""
    assert SUITES[name].target == Path(render.__file__)


def test_the_declining_question_is_the_one_of_the_wording() -> None:
    """The suite asks what a zero_condition case is really asked."""
    asked = CASES["judge-predicate", "declining-answer"].input["questions"]["declines"]
    assert asked["instructions"] == wording.text("declines")


def test_the_questions_of_a_comparison_are_those_of_the_wording() -> None:
    """The suite asks what a comparison really asks, of the whole and of a criterion."""
    overall = CASES["judge-choice", "incomplete"].input["questions"]["overall"]
    assert overall["instructions"] == wording.text("overall")
    warmth = CASES["judge-choice", "warmth-alone"].input["questions"]["criteria.warmth"]
    standard = "Does the output make the visitor feel welcome?"
    assert warmth["instructions"] == wording.fill("better", standard=standard)
    assert tuple(overall["choices"]) == tuple(warmth["choices"]) == CHOICES


def test_every_rubric_of_a_session_dictates_the_reply() -> None:
    """The suite asks as authors of semantic rows do, who ask for the two keys in words of their own."""
    asked = [each for case in SUITES["judge-semantic"].cases for each in case.input["questions"].values()]
    dictating = [each for each in asked if '{"verdict": "PASS"|"FAIL", "reasoning": ' in each["rubric"]]
    assert dictating == asked
    assert len(asked) == 8


@each_suite
def test_every_situation_is_there(name: str) -> None:
    """Honest, injected, imitating, foreign and empty evidence, and a reply that is bad on purpose."""
    tags = {tag for case in SUITES[name].cases for tag in case.tags}
    assert tags == {"plain", "injection", "imitation", "non-english", "empty", "known-bad"}


@pytest.mark.parametrize(("name", "ref"), CASES, ids=["/".join(key) for key in CASES])
def test_recorded_reply_is_one_that_the_engine_reads(name: str, ref: str) -> None:
    """Good or bad, each reply has the form that the wording asks for."""
    case = CASES[name, ref]
    questions = tuple(build_question(key, asked) for key, asked in case.input["questions"].items())
    assert set(parse_reply(case.output or "", questions)) == set(case.input["questions"])


@each_suite
def test_suite_passes_with_the_scores_worked_out_by_hand(name: str, tmp_path: Path) -> None:
    """The engine comes to the literals in the table, and exits 0."""
    report = execute(
        [plan_prompt(SUITES[name], RunOptions())],
        RunOptions(),
        Connections(environ={}),
        root=tmp_path,
        clock=lambda: datetime(2026, 11, 30, tzinfo=UTC),
    )
    assert {case.ref: (case.verdict, case.score) for case in report.suites[0].cases} == EXPECTED[name]
    assert report.exit_code is ExitCode.PASSED


def edited(edit: Callable[[dict[str, Any]], object]) -> str:
    """Return a good recorded reply with its first answer edited."""
    reply = json.loads(CASES["judge-score", "good-answer"].output or "")
    edit(reply["criteria.correctness"])
    return json.dumps(reply)


def answered(name: str, answer: object) -> str:
    """Return a reply with one answer."""
    return json.dumps({name: {"evidence": [], "reasoning": "", "answer": answer}})


ALL_OF_SCORE = [
    "one_json_object",
    "answers_the_questions",
    "keys_in_order",
    "offered_level",
    "quotes_to_the_letter",
    "three_quotes_at_most",
]
ALL_OF_SEMANTIC = ["one_json_object", "the_two_keys_in_order", "offered_verdict", "says_why"]
MALFORMED: dict[str, dict[str, tuple[str, list[str]]]] = {
    "judge-score": {
        "prose": ("I rate this 5.", ALL_OF_SCORE),
        "prose-around": (f"Here you are: {edited(lambda it: it)}", ALL_OF_SCORE),
        "list": ("[]", ["one_json_object", "answers_the_questions"]),
        "null": ("null", ALL_OF_SCORE),
        "no-question": ("{}", ["answers_the_questions"]),
        "other-question": (
            '{"correctness": {"evidence": [], "reasoning": "", "answer": 5}}',
            ["answers_the_questions", "offered_level"],
        ),
        "bare-level": (
            '{"criteria.correctness": 5, "criteria.safety": null}',
            ["keys_in_order", "offered_level", "quotes_to_the_letter"],
        ),
        "answer-first": (edited(lambda it: it.update(reasoning=it.pop("reasoning"))), ["keys_in_order"]),
        "level-6": (edited(lambda it: it.update(answer=6)), ["offered_level"]),
        "level-0": (edited(lambda it: it.update(answer=0)), ["offered_level"]),
        "level-as-text": (edited(lambda it: it.update(answer="5")), ["offered_level"]),
        "half-level": (edited(lambda it: it.update(answer=4.5)), ["offered_level"]),
        "altered-quote": (edited(lambda it: it.update(evidence=["Open Tuesday"])), ["quotes_to_the_letter"]),
        "four-quotes": (
            edited(lambda it: it.update(evidence=["We", "are", "open", "from"])),
            ["three_quotes_at_most"],
        ),
    },
    "judge-predicate": {
        f"label-{label}": (answered("checks.invents", label), ["offered_label"])
        for label in ("yes", "MAYBE", True, 1)
    },
    "judge-choice": {
        f"choice-{choice}": (answered("overall", choice), ["offered_choice"])
        for choice in ("a", "C", "neither", ["A"])
    },
    "judge-semantic": {
        "prose": ("I say PASS.", ALL_OF_SEMANTIC),
        "fenced": ('```json\n{"reasoning": "It is.", "verdict": "PASS"}\n```', ALL_OF_SEMANTIC),
        "list": ('["It is.", "PASS"]', ALL_OF_SEMANTIC),
        "null": ("null", ALL_OF_SEMANTIC),
        "usual-form": (
            answered("semantic.changes-the-price", "PASS"),
            ["the_two_keys_in_order", "offered_verdict", "says_why"],
        ),
        "further-key": (
            '{"reasoning": "It is.", "verdict": "PASS", "evidence": []}',
            ["the_two_keys_in_order"],
        ),
        "verdict-first": ('{"verdict": "PASS", "reasoning": "It is."}', ["the_two_keys_in_order"]),
        "verdict-alone": ('{"verdict": "PASS"}', ["the_two_keys_in_order", "says_why"]),
        "small-letters": ('{"reasoning": "It is.", "verdict": "pass"}', ["offered_verdict"]),
        "third-verdict": ('{"reasoning": "Perhaps.", "verdict": "INCONCLUSIVE"}', ["offered_verdict"]),
        "verdict-in-a-list": ('{"reasoning": "It is.", "verdict": ["PASS"]}', ["offered_verdict"]),
        "no-reason": ('{"reasoning": " ", "verdict": "FAIL"}', ["says_why"]),
        "reason-as-list": ('{"reasoning": ["It is."], "verdict": "PASS"}', ["says_why"]),
    },
}
"""An output, and the checks that it does not pass, by suite and by what is wrong with it."""


@pytest.mark.parametrize(
    ("name", "output", "failed"),
    [(name, *row) for name, rows in MALFORMED.items() for row in rows.values()],
    ids=[f"{name}/{wrong}" for name, rows in MALFORMED.items() for wrong in rows],
)
def test_checks_catch_malformed_replies(name: str, output: str, failed: list[str]) -> None:
    """A reply that is not of the required form fails a check that says so, and no check breaks on it."""
    assert failed_checks(name, output) == failed
