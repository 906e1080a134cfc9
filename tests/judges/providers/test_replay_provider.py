"""Answers from recorded judgements."""

from dataclasses import replace
from typing import Any

import pytest

from judges.core.question import Answer, Choice, Evidence, Predicate, Question, Score, Subject, Unanswered
from judges.core.replay import ReplayEntry, digest_asked
from judges.core.usage import Usage
from judges.providers import Completion, Request
from judges.providers.replay import Replay

LEVEL = Score(name="q", instructions="", levels=("", "", "", "", ""))
TRUTH = Predicate(name="q", instructions="")
PASSED = Predicate(name="q", instructions="", labels=("PASS", "FAIL"))
BEST = Choice(name="q", instructions="", choices=("A", "B", "tie"))


def ask(entries: list[ReplayEntry], subject: Subject, question: Question = LEVEL) -> Answer | Unanswered:
    request = Request(model="f", messages=(), questions=(question,), subject=subject)
    return (Replay(entries).complete(request).answers or {})["q"]


def entry(answer: int | bool | str, **more: Any) -> ReplayEntry:
    return ReplayEntry(ref="case", question="q", answer=answer, **more)


def test_completion() -> None:
    """Every question gets its recorded answer with reasons and quotes; no call is counted."""
    entries = [
        ReplayEntry(ref="case", question="a", answer=3, reasoning="Fine.", quotes=("so",), source="Jo"),
        ReplayEntry(ref="other", question="b", answer=True),
    ]
    questions = (Score(name="a", instructions="", levels=("", "", "")), Predicate(name="b", instructions=""))
    request = Request(model="f", messages=(), questions=questions, subject=Subject(ref="case"))
    assert Replay(entries).complete(request) == Completion(
        answers={
            "a": Answer(value=3, reasoning="Fine.", quotes=("so",)),
            "b": Unanswered("no recorded answer to b"),
        },
        usage=Usage(),
    )


@pytest.mark.parametrize(
    ("entries", "subject", "value"),
    [
        pytest.param([entry(2)], Subject(ref="case"), 2, id="plain"),
        pytest.param([entry(2)], Subject(ref="case", arm="a", output_sha256="1"), 2, id="for any"),
        pytest.param([entry(2), entry(3)], Subject(ref="case"), 3, id="the last of equals"),
        pytest.param(
            [entry(4, output_sha256="1"), entry(2), entry(3, output_sha256="2")],
            Subject(ref="case", output_sha256="1"),
            4,
            id="this output before any",
        ),
        pytest.param(
            [entry(4, arm="a"), entry(2), entry(3, arm="b")], Subject(ref="case", arm="a"), 4, id="this arm"
        ),
        pytest.param(
            [entry(1), entry(2, replica=2)], Subject(ref="case", replica=2), 2, id="the second replica"
        ),
        pytest.param(
            [entry(4, source="a, b"), entry(5, source="a", panel="a, b")],
            Subject(ref="case"),
            4,
            id="a panel, not one of it",
        ),
    ],
)
def test_matching(entries: list[ReplayEntry], subject: Subject, value: int) -> None:
    """The most exact entry for the trial answers."""
    assert ask(entries, subject) == Answer(value=value)


@pytest.mark.parametrize(
    ("entries", "subject", "reason"),
    [
        pytest.param([], Subject(ref="case"), "no recorded answer about the case 'case'", id="nothing"),
        pytest.param(
            [entry(1)],
            Subject(ref="other"),
            "no recorded answer about the case 'other'",
            id="another case",
        ),
        pytest.param(
            [entry(1, output_sha256="1")],
            Subject(ref="case", output_sha256="2"),
            "no recorded answer: the output has changed since it was recorded",
            id="another output",
        ),
        pytest.param(
            [entry(1)],
            Subject(ref="case", replica=2),
            "no recorded answer for replica 2",
            id="another replica",
        ),
        pytest.param(
            [entry(1, arm="a")],
            Subject(ref="case", arm="b"),
            "no recorded answer for the arm b",
            id="another arm",
        ),
        pytest.param(
            [entry(5, source="a", panel="a, b")],
            Subject(ref="case"),
            "no recorded answer of all judges together",
            id="one of a panel",
        ),
    ],
)
def test_no_match(entries: list[ReplayEntry], subject: Subject, reason: str) -> None:
    """Without a match there is no answer, and the reason says why."""
    assert ask(entries, subject) == Unanswered(reason)


def test_a_misspelled_question() -> None:
    """What is missing is named with what it is perhaps called; what another question is called is not."""
    safety, safely = (Predicate(name=f"criteria.{name}", instructions="") for name in ("safety", "safely"))
    known = [
        ReplayEntry(ref="case", question=f"criteria.{name}", answer=True) for name in ("saftey", "safely")
    ]
    request = Request(model="f", messages=(), questions=(safety, safely), subject=Subject(ref="case"))
    assert Replay(known).complete(request).answers == {
        "criteria.safety": Unanswered(
            "no recorded answer to criteria.safety (there is one to 'criteria.saftey')"
        ),
        "criteria.safely": Answer(value=True),
    }


EVIDENCE = Evidence({"output": "Hello"})
ASKED = digest_asked(LEVEL, EVIDENCE, "told")
CHANGED = "no recorded answer: what the judge is asked has changed since it was recorded; record it"
FOUND = Answer(value=4, probabilities={"4": 0.75}, confidence=0.75)


@pytest.mark.parametrize(
    ("question", "evidence", "context", "source", "expected"),
    [
        pytest.param(LEVEL, EVIDENCE, "told", "me", FOUND, id="the same"),
        pytest.param(replace(LEVEL, instructions="?"), EVIDENCE, "told", "me", CHANGED, id="rubric"),
        pytest.param(
            replace(LEVEL, levels=("", "a", "", "", "")), EVIDENCE, "told", "me", CHANGED, id="level"
        ),
        pytest.param(LEVEL, Evidence({"output": "Hello."}), "told", "me", CHANGED, id="evidence"),
        pytest.param(LEVEL, EVIDENCE, "", "me", CHANGED, id="context"),
        pytest.param(LEVEL, EVIDENCE, "told", "you", "no recorded answer of you; record it", id="judge"),
    ],
)
def test_answers_hold_for_what_was_asked(
    question: Score, evidence: Evidence, context: str, source: str, expected: Answer | str
) -> None:
    """An entry bound to what was asked answers nothing else, nor for another judge; a hint follows."""
    known = entry(4, asked_sha256=ASKED, source="me", probabilities={"4": 0.75}, confidence=0.75)
    request = Request(
        model="f",
        messages=(),
        questions=(question,),
        evidence=evidence,
        context=context,
        subject=Subject(ref="case"),
    )
    said = (Replay([known], source=source, hint="record it").complete(request).answers or {})["q"]
    assert said == (Unanswered(expected) if isinstance(expected, str) else expected)


def test_one_of_a_panel_is_found_by_its_source() -> None:
    """Who is asked for by name answers for nobody else."""
    known = [entry(5, source="a", panel="a, b"), entry(2, source="b", panel="a, b"), entry(4, source="a, b")]
    request = Request(model="f", messages=(), questions=(LEVEL,), subject=Subject(ref="case"))
    answers = {name: Replay(known, source=name).complete(request).answers for name in ("a", "b", "a, b")}
    assert answers == {
        "a": {"q": Answer(value=5)},
        "b": {"q": Answer(value=2)},
        "a, b": {"q": Answer(value=4)},
    }


@pytest.mark.parametrize(
    ("question", "answer", "value"),
    [
        pytest.param(LEVEL, 5, 5, id="level"),
        pytest.param(TRUTH, True, True, id="true"),
        pytest.param(TRUTH, "false", False, id="false as text"),
        pytest.param(TRUTH, "YES", True, id="label"),
        pytest.param(TRUTH, "no", False, id="label in small letters"),
        pytest.param(PASSED, "FAIL", False, id="other labels"),
        pytest.param(BEST, "tie", "tie", id="choice"),
    ],
)
def test_answers(question: Question, answer: int | bool | str, value: int | bool | str) -> None:
    """Recorded answers become values of the question's own type."""
    answered = ask([entry(answer)], Subject(ref="case"), question)
    assert answered == Answer(value=value)
    assert isinstance(answered, Answer)
    assert type(answered.value) is type(value)


@pytest.mark.parametrize(
    ("question", "answer", "reason"),
    [
        pytest.param(LEVEL, 6, "the recorded answer 6 is not a level from 1 to 5", id="above"),
        pytest.param(LEVEL, 0, "the recorded answer 0 is not a level from 1 to 5", id="below"),
        pytest.param(LEVEL, True, "the recorded answer True is not a level from 1 to 5", id="truth"),
        pytest.param(LEVEL, "5", "the recorded answer '5' is not a level from 1 to 5", id="text"),
        pytest.param(TRUTH, 1, "the recorded answer 1 is not YES or NO", id="number"),
        pytest.param(TRUTH, "PASS", "the recorded answer 'PASS' is not YES or NO", id="foreign label"),
        pytest.param(BEST, "C", "the recorded answer 'C' is not one of A, B, tie", id="foreign choice"),
    ],
)
def test_answers_that_were_not_offered(question: Question, answer: int | bool | str, reason: str) -> None:
    """A recorded answer that the question does not offer is no answer."""
    assert ask([entry(answer)], Subject(ref="case"), question) == Unanswered(reason)
