"""Panels, meta-judges and replicas are asked like one judge."""

import json
from collections.abc import Mapping
from typing import Any

import pytest

from judges.ask.judge import Judge, Judgement
from judges.core.errors import ProviderError
from judges.core.question import Answer, Evidence, Predicate, Score, Subject, Unanswered
from judges.core.usage import Usage
from judges.core.verdict import Verdict
from judges.providers import Request, ScriptedProvider
from judges.run.asking import Checked, Named, Panel, Replication, Stability, ask_again

TONE = Score(name="criteria.tone", instructions="Is it kind?", levels=("rude", "", "", "", "kind"))
MADE_UP = Predicate(name="checks.made_up", instructions="Made up?")
EVIDENCE = Evidence({"output": "Hello"})
SUBJECT = Subject(ref="a")


def reply(**answers: Any) -> dict[str, Any]:
    names = {"tone": "criteria.tone", "made_up": "checks.made_up", "meta": "meta.criteria.tone"}
    return {
        names[name]: {"evidence": ["Hello"], "reasoning": "since", "answer": answer}
        for name, answer in answers.items()
    }


def judge(*replies: Any) -> Judge:
    return Judge(provider=ScriptedProvider(list(replies)), model="m", max_retries=0)


def test_panel() -> None:
    """Every member is asked once; the lower median and the majority count, and all calls are kept."""
    panel = Panel(
        {
            "one": judge(reply(tone=5, made_up="NO")),
            "two": judge(reply(tone=2, made_up="YES")),
            "three": judge(reply(tone=4, made_up="NO")),
        }
    )
    judgement = panel.ask((TONE, MADE_UP), EVIDENCE, SUBJECT)
    tone, made_up = (judgement.answers[each.name] for each in (TONE, MADE_UP))
    assert isinstance(tone, Answer)
    assert isinstance(made_up, Answer)
    assert (tone.value, made_up.value) == (4, False)
    assert [(vote.judge, vote.answer) for vote in tone.votes] == [
        (name, Answer(value=level, reasoning="since", quotes=("Hello",)))
        for name, level in (("one", 5), ("two", 2), ("three", 4))
    ]
    assert (judgement.usage, len(judgement.calls)) == (Usage(calls=3), 3)


def test_panel_with_a_missing_member() -> None:
    """A judge that fails has no vote; two that disagree make no majority of three."""
    members = {
        "one": judge(reply(made_up="NO")),
        "two": judge(reply(made_up="YES")),
        "three": judge(ProviderError("down")),
    }
    answer = Panel(members).ask((MADE_UP,), EVIDENCE, SUBJECT).answers[MADE_UP.name]
    assert answer == Unanswered("no majority of the 3 asked: one (1): NO, two (1): YES, three (1): down")


def test_who_said_what_is_kept() -> None:
    """Each judge of a panel, what they came to, and who checked that: for each time that they were asked."""
    members = {"one": judge(reply(tone=5), reply(tone=1)), "two": judge(reply(tone=3), reply(tone=2))}
    panel = Panel({name: Named(name, each, panel="one, two") for name, each in members.items()})
    meta = Named("three", judge(reply(meta="YES"), reply(meta="NO")))
    asker = Checked(Named("one, two", panel), meta)
    judgement, _ = ask_again(
        lambda subject: asker.ask((TONE,), EVIDENCE, subject),
        (TONE,),
        SUBJECT,
        Replication(most=2),
        lambda _: Verdict.PASS,
        {},
    )
    assert [
        (each.subject.replica, each.judge, each.panel, *map(value, each.answers.values()))
        for each in judgement.statements
    ] == [
        (1, "one", "one, two", 5),
        (1, "two", "one, two", 3),
        (1, "one, two", None, 3),
        (1, "three", None, True),
        (2, "one", "one, two", 1),
        (2, "two", "one, two", 2),
        (2, "one, two", None, 1),
        (2, "three", None, False),
    ]


def value(answer: Answer | Unanswered) -> Any:
    return answer.value if isinstance(answer, Answer) else answer.reason


@pytest.mark.parametrize(
    ("said", "supported", "confidence", "remarks"),
    [
        pytest.param("YES", True, None, (), id="supported"),
        pytest.param(
            "NO",
            False,
            0.5,
            ("criteria.tone: the meta-judge does not find the answer supported: since",),
            id="not supported",
        ),
    ],
)
def test_meta_judge(said: str, supported: bool, confidence: float | None, remarks: tuple[str, ...]) -> None:
    """The meta-judge sees question, answer and evidence as data; it changes confidence, never the level."""
    meta = ScriptedProvider([reply(meta=said)])
    checked = Checked(judge(reply(tone=4)), Judge(provider=meta, model="meta"))
    judgement = checked.ask((TONE,), EVIDENCE, SUBJECT)
    answer = judgement.answers[TONE.name]
    assert isinstance(answer, Answer)
    assert (answer.value, answer.supported, answer.confidence) == (4, supported, confidence)
    assert (judgement.remarks, judgement.usage.calls) == (remarks, 2)
    (request,) = meta.requests
    assert request.evidence.fields["judge.criteria.tone"] == "answer: 4\nreasoning: since\nquotes:\n- Hello"
    assert "Is it kind?" in request.evidence.fields["question.criteria.tone"]
    assert "since" not in request.messages[0].content


def test_meta_judge_that_fails_changes_nothing() -> None:
    """Without the meta-judge's answer the judge's stands, and a remark says so."""
    checked = Checked(judge(reply(tone=4)), judge(ProviderError("down")))
    judgement = checked.ask((TONE,), EVIDENCE, SUBJECT)
    assert judgement.answers[TONE.name] == Answer(value=4, reasoning="since", quotes=("Hello",))
    assert judgement.remarks == ("criteria.tone: the meta-judge gave no answer: down",)


def test_meta_judge_has_nothing_to_check() -> None:
    """Where no question was answered the meta-judge is not asked."""
    checked = Checked(judge(ProviderError("down")), judge())
    assert checked.ask((TONE,), EVIDENCE, SUBJECT).answers == {TONE.name: Unanswered("down")}


def passes_from_four(answers: Mapping[str, Answer | Unanswered]) -> Verdict:
    answer = answers[TONE.name]
    if isinstance(answer, Unanswered):
        return Verdict.ERROR
    return Verdict.PASS if answer.value >= 4 else Verdict.FAIL  # type: ignore[operator]  # a level


def ask(levels: list[int], replication: Replication) -> tuple[Judgement, Stability | None, list[Request]]:
    provider = ScriptedProvider([reply(tone=level) for level in levels])
    asker = Judge(provider=provider, model="m")
    judgement, stability = ask_again(
        lambda subject: asker.ask((TONE,), EVIDENCE, subject),
        (TONE,),
        SUBJECT,
        replication,
        passes_from_four,
        {},
    )
    return judgement, stability, provider.requests


@pytest.mark.parametrize(
    ("levels", "replication", "level", "stability"),
    [
        pytest.param([5], Replication(), 5, None, id="once"),
        pytest.param([5, 3, 4], Replication(most=3), 4, Stability(3, 1, 1 / 3), id="three times"),
        pytest.param([5], Replication(most=3, fragile=True), 5, None, id="not fragile: once"),
        pytest.param([4, 3, 3], Replication(most=3, fragile=True), 3, Stability(3, 1, 2 / 3), id="fragile"),
    ],
)
def test_replicas(
    levels: list[int], replication: Replication, level: int, stability: Stability | None
) -> None:
    """Asked as often as it takes; flips and agreement say how steady the judge was."""
    judgement, steady, requests = ask(levels, replication)
    answer = judgement.answers[TONE.name]
    assert isinstance(answer, Answer)
    assert (answer.value, steady) == (level, stability)
    assert [request.replica for request in requests] == list(range(1, len(levels) + 1))


def test_stability_as_json() -> None:
    """It is plain JSON."""
    assert json.loads(json.dumps(Stability(3, 1, 0.5).encode())) == {"asked": 3, "flips": 1, "agreement": 0.5}
