"""The canary: two outputs of which one is better. A judge that does not see which judges nothing."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, TypeAlias

from judges.ask.questions import build_evidence, build_questions
from judges.core.case import Case, Category, digest
from judges.core.encode import decode_usage, encode_usage
from judges.core.question import Answer, Evidence, Question, Subject, Unanswered
from judges.core.usage import Usage
from judges.reduce.canary import decide_canary
from judges.run.plan import SuitePlan
from judges.run.pool import run_pool
from judges.run.progress import SuiteProgress
from judges.run.records import read_json, write_json
from judges.run.trial import Bench

FILE = "canary.json"

Said: TypeAlias = Mapping[str, Answer | Unanswered]


@dataclass(frozen=True, slots=True)
class Sample:
    """One of the two outputs, `good` or `bad`, and what the judge is asked about it."""

    name: str
    questions: tuple[Question, ...]
    evidence: Evidence
    subject: Subject


@dataclass(frozen=True, slots=True, kw_only=True)
class CanaryResult:
    """Why the judge failed, if it did, what asking it took, and what it said of each output."""

    failure: str | None
    usage: Usage
    said: Mapping[str, Said] = field(default_factory=dict)


def canary_samples(plan: SuitePlan) -> Iterator[Sample]:
    """Yield what the judge of a suite is asked before any case; nothing where there is no canary.

    Recorded judgements are not put to the test: they are what they are.
    """
    canary = plan.suite.meta.judge.canary
    if canary is None or plan.judge.startswith("replay:"):
        return
    for name, output in (("good", canary.good), ("bad", canary.bad)):
        case = Case(ref=f"canary.{name}", title="", category=Category.ELEMENT, input={})
        yield Sample(
            name=name,
            questions=build_questions(plan.suite.criteria, (), case),
            evidence=build_evidence(case, output),
            subject=Subject(ref=case.ref, output_sha256=digest(output)),
        )


def check_canaries(
    benches: Sequence[Bench], running: Sequence[SuiteProgress], concurrency: int
) -> list[Bench]:
    """Put every judge that has a canary to the test; return the benches, those that failed refusing to work.

    What an earlier part of a run found out is taken from the suite's folder, where all that is found is kept.

    Raises:
        OSError: it cannot be written.
    """
    checked = list(benches)
    todo = [number for number, each in enumerate(running) if any(canary_samples(each.plan))]
    for number, found in run_pool(todo, partial(_check_one, benches, running), concurrency=concurrency):
        running[number].spend(found.usage)
        if found.failure is not None:
            refusal = f"the judge failed its canary: {found.failure}"
            checked[number] = replace(benches[number], refusal=refusal)
    return checked


def _check_one(
    benches: Sequence[Bench], running: Sequence[SuiteProgress], number: int
) -> tuple[int, CanaryResult]:
    path = running[number].folder / FILE
    if path.exists():
        return number, _decode(read_json(path))
    result = _ask(running[number].plan, benches[number])
    write_json(path, _encode(result))
    return number, result


def _ask(plan: SuitePlan, bench: Bench) -> CanaryResult:
    said: dict[str, Said] = {}
    usage = Usage()
    for sample in canary_samples(plan):
        judgement = bench.judge.ask(sample.questions, sample.evidence, sample.subject)
        said[sample.name] = judgement.answers
        usage += judgement.usage
    expected = plan.suite.meta.judge.score == "expected"
    failure = decide_canary(plan.suite.criteria, said["good"], said["bad"], expected=expected)
    return CanaryResult(failure=failure, usage=usage, said=said)


def _encode(result: CanaryResult) -> dict[str, Any]:
    said = {
        name: {question: _encode_answer(answer) for question, answer in answers.items()}
        for name, answers in result.said.items()
    }
    return {"failure": result.failure, "usage": encode_usage(result.usage), **said}


def _decode(known: Mapping[str, Any]) -> CanaryResult:
    return CanaryResult(failure=known["failure"], usage=decode_usage(known["usage"]))


def _encode_answer(answer: Answer | Unanswered) -> dict[str, Any]:
    if isinstance(answer, Unanswered):
        return {"error": answer.reason}
    return {"level": answer.value, "reasoning": answer.reasoning, "quotes": list(answer.quotes)}
