"""The canary: two outputs of which one is better. A judge that does not see which judges nothing."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

from judges.ask.questions import build_evidence, build_questions
from judges.core.case import Case, Category, digest
from judges.core.encode import decode_usage, encode_usage
from judges.core.question import Answer, Evidence, Question, Subject, Unanswered
from judges.core.usage import Usage
from judges.files.suite import Criterion
from judges.reduce.canary import decide_canary
from judges.run.asking import Asker
from judges.run.prompt_plan import PromptPlan
from judges.run.records import read_json, write_json
from judges.run.standing import is_replay

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

    failure: str | None = None
    usage: Usage = field(default_factory=Usage)
    said: Mapping[str, Said] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Canary:
    """What the judge of a suite is asked before any case; nothing where there are no samples."""

    samples: tuple[Sample, ...]
    criteria: tuple[Criterion, ...]
    expected: bool

    def check(self, judge: Asker, folder: Path) -> CanaryResult:
        """Put the judge to the test. What an earlier part of the run found is taken from the suite's folder.

        Raises:
            OSError: what was found cannot be kept there.
        """
        path = folder / FILE
        if not self.samples:
            return CanaryResult()
        if path.exists():
            return _decode(read_json(path))
        result = self._ask(judge)
        write_json(path, _encode(result))
        return result

    def _ask(self, judge: Asker) -> CanaryResult:
        said: dict[str, Said] = {}
        usage = Usage()
        for sample in self.samples:
            judgement = judge.ask(sample.questions, sample.evidence, sample.subject)
            said[sample.name] = judgement.answers
            usage += judgement.usage
        failure = decide_canary(self.criteria, said["good"], said["bad"], expected=self.expected)
        return CanaryResult(failure=failure, usage=usage, said=said)


def build_canary(plan: PromptPlan) -> Canary:
    """Return what the judge of a suite is put to the test with."""
    samples = tuple(canary_samples(plan))
    return Canary(samples, plan.suite.criteria, expected=plan.suite.meta.judge.score == "expected")


def canary_samples(plan: PromptPlan) -> Iterator[Sample]:
    """Yield what the judge of a suite is asked before any case; nothing where there is no canary.

    Recorded judgements are not put to the test: they are what they are.
    """
    canary = plan.suite.meta.judge.canary
    if canary is None or plan.replayed or is_replay(plan.judge):
        return
    for name, output in (("good", canary.good), ("bad", canary.bad)):
        case = Case(ref=f"canary.{name}", title="", category=Category.ELEMENT, input={})
        yield Sample(
            name=name,
            questions=build_questions(plan.suite.criteria, (), case),
            evidence=build_evidence(case, output),
            subject=Subject(ref=case.ref, output_sha256=digest(output)),
        )


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
