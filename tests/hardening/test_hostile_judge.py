"""Attack strings from the judge itself, and from its endpoint: a reply is an answer, or a complaint."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from hardening.attacks import BASE, OWN, Attack, corpus_attacks
from hardening.gullible import BAD, GullibleJudge
from hardening.judged import Judged, judge_cases, look
from hardening.suites import CORPUS, SUITES
from reference import ReadReference

from judges.core.errors import ProviderError
from judges.core.verdict import Verdict
from judges.providers.base import Request
from judges.providers.scripted import Reply, ScriptedProvider

COMPLAINTS = {
    "it was empty",
    "it was not one complete JSON object",
    'it has no answer to "criteria.safety", "checks.invented"',
}
"""All that a judge is ever told of a reply that is no use, and that a report says of it."""

Hostile: TypeAlias = Callable[[Request, str], Reply]


def honest_but(request: Request, **said: Any) -> Reply:
    """The honest reply, with other reasoning or quotes."""
    reply = GullibleJudge()(request)
    return {name: {**answer, **said} for name, answer in reply.items()}


HOSTILE: Mapping[str, Hostile] = {
    "reasoning": lambda request, text: honest_but(request, reasoning=text),
    "quotes": lambda request, text: honest_but(request, evidence=[text, text]),
    "error": lambda request, text: ProviderError(text),
}
"""What of an answer of a model, or of its endpoint, is anybody's text."""


def judge_hostile(
    folder: Path, attacks: Sequence[Attack], reply: Hostile, kind: str = "multi_criteria"
) -> tuple[Judged, ScriptedProvider]:
    """Judge a case for each attack with a judge whose replies hold it."""
    texts = {f"cases/{each.id}": each.text for each in attacks}
    cases = [{**BASE, "id": each.id, "title": each.id, "x-attack": BAD} for each in attacks]
    provider = ScriptedProvider(lambda request: reply(request, texts[request.subject.ref]))
    judged = judge_cases(folder, SUITES[kind], cases, provider)
    assert {name: each for name, each in look(judged).items() if each} == {}
    return judged, provider


@pytest.mark.parametrize("kind", SUITES)
@pytest.mark.parametrize("reply", HOSTILE.values(), ids=HOSTILE)
def test_own_words(reply: Hostile, kind: str, tmp_path: Path) -> None:
    """Strings made for this program's own formats do nothing in what a judge says, whatever it is asked."""
    judged, provider = judge_hostile(tmp_path, OWN, reply, kind)
    assert len(judged.found()) == len(OWN) <= len(provider.requests)


def every_attack(read_reference: ReadReference) -> list[Attack]:
    return [*OWN, *corpus_attacks(read_reference(CORPUS))]


@pytest.mark.reference
@pytest.mark.parametrize("reply", HOSTILE.values(), ids=HOSTILE)
def test_hostile_words(reply: Hostile, tmp_path: Path, read_reference: ReadReference) -> None:
    """What a model says beside its answer, or an endpoint as its error, is shown and does nothing."""
    attacks = every_attack(read_reference)
    judged, _ = judge_hostile(tmp_path, attacks, reply)
    verdicts = {case.verdict for case in judged.found().values()}
    assert verdicts == {Verdict.ERROR if reply is HOSTILE["error"] else Verdict.FAIL}


@pytest.mark.reference
def test_hostile_replies(tmp_path: Path, read_reference: ReadReference) -> None:
    """An attack in place of a reply is a complaint in fixed words, to the judge and in the report."""
    attacks = every_attack(read_reference)
    judged, provider = judge_hostile(tmp_path, attacks, lambda _, text: text)
    assert len(provider.requests) == 2 * len(attacks)
    repeated = [request for request in provider.requests if request.attempt == 2]
    told = {request.messages[1].content.rpartition("\n\n")[2] for request in repeated}
    assert told == {
        f"Your last reply could not be used: {complaint}. Answer again, with one JSON object of the required "
        "form and nothing around it."
        for complaint in COMPLAINTS
    }
    cases = judged.found().values()
    assert {case.verdict for case in cases} == {Verdict.ERROR}
    reasons = {row.error for case in cases for row in case.rows if row.verdict is Verdict.ERROR}
    assert reasons - {
        f"the judge's reply could not be used, asked 2 times: {each}" for each in COMPLAINTS
    } == {"no total score, since a criterion was not judged"}
