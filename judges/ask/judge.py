"""The judge: asks all questions about one piece of evidence in one call, and asks again when it must."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from judges.ask.render import render_messages, reply_schema, wording_version
from judges.ask.reply import parse_reply
from judges.core.errors import ReplyError, RunError
from judges.core.question import Answer, Evidence, Predicate, Question, Statement, Subject, Unanswered
from judges.core.usage import NOTHING, Usage
from judges.providers.base import Completion, Message, Provider, Request, Stop


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeCall:
    """One call as it was made: what the judge saw, what it said, and the complaint if that was no use.

    Typed answers are kept as JSON text.
    """

    messages: tuple[Message, ...]
    model: str = ""
    replica: int = 1
    reply: str | None = None
    complaint: str | None = None
    effective: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """The answers by question name, the calls that led to them, and remarks on them for a person.

    `statements` are what they were made of: who said what, where that is kept.
    """

    answers: Mapping[str, Answer | Unanswered]
    calls: tuple[JudgeCall, ...] = ()
    usage: Usage = NOTHING
    remarks: tuple[str, ...] = ()
    statements: tuple[Statement, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Judge:
    """A model that answers typed questions.

    `context` is the author's own wording. `max_retries` counts how often an unusable reply is asked for
    again; failures of the endpoint are the provider's to retry.
    """

    provider: Provider
    model: str
    context: str = ""
    temperature: float | None = 0.0
    max_retries: int = 2
    max_tokens: int = 4096
    timeout_seconds: float = 120.0

    def ask(self, questions: tuple[Question, ...], evidence: Evidence, subject: Subject) -> Judgement:
        """Return an answer, or the reason why there is none, for every question."""
        calls: list[JudgeCall] = []
        usage = NOTHING
        complaint: str | None = None
        for attempt in range(1, self.max_retries + 2):
            request = self.build_request(questions, evidence, subject, attempt=attempt, complaint=complaint)
            try:
                completion = self.provider.complete(request)
            except RunError as error:
                calls.append(_call(request, None, str(error)))
                return _unanswered(questions, str(error), calls, usage)
            usage += completion.usage
            try:
                answers = read_answers(completion, questions)
            except ReplyError as error:
                complaint = error.complaint
                calls.append(_call(request, completion, complaint))
                if completion.stop is Stop.REFUSAL:
                    return _unanswered(questions, complaint, calls, usage)
                continue
            calls.append(_call(request, completion, None))
            return Judgement(answers=answers, calls=tuple(calls), usage=usage)
        reason = f"the judge's reply could not be used, asked {len(calls)} times: {complaint}"
        return _unanswered(questions, reason, calls, usage)

    def build_request(
        self,
        questions: tuple[Question, ...],
        evidence: Evidence,
        subject: Subject,
        *,
        attempt: int = 1,
        complaint: str | None = None,
    ) -> Request:
        """Return the request for these questions; a later attempt carries the complaint and more room."""
        return Request(
            model=self.model,
            messages=render_messages(questions, evidence, context=self.context, complaint=complaint),
            schema=reply_schema(questions),
            questions=questions,
            evidence=evidence,
            context=self.context,
            temperature=self.temperature,
            max_tokens=self.max_tokens * 2 ** (attempt - 1),
            timeout_seconds=self.timeout_seconds,
            replica=subject.replica,
            attempt=attempt,
            wording=wording_version(questions),
            subject=subject,
        )


def read_answers(
    completion: Completion, questions: tuple[Question, ...]
) -> Mapping[str, Answer | Unanswered]:
    """Return the answers a completion holds, typed already or as text.

    Raises:
        ReplyError: it was refused, cut, or is not a usable reply.
    """
    if completion.answers is not None:
        return completion.answers
    if completion.stop is Stop.REFUSAL:
        raise ReplyError("the judge refused to answer", reply=completion.text)
    if completion.stop is Stop.LENGTH:
        raise ReplyError("it was cut off at the token limit", reply=completion.text)
    answers = parse_reply(completion.text, questions)
    known = completion.probabilities
    return {
        question.name: _with_probabilities(question, answers[question.name], known.get(question.name))
        for question in questions
    }


def usable(request: Request, completion: Completion) -> bool:
    """Whether a completion answers its request, so that it may be cached and counted on."""
    if not request.questions:
        return completion.stop is Stop.END
    try:
        answers = read_answers(completion, request.questions)
    except ReplyError:
        return False
    return all(isinstance(answers.get(question.name), Answer) for question in request.questions)


def _with_probabilities(
    question: Question, answer: Answer, probabilities: Mapping[str, float] | None
) -> Answer:
    """Return the answer with how probable each value was; the confidence is that of the one given."""
    if probabilities is None:
        return answer
    label = str(answer.value)
    if isinstance(question, Predicate):
        label = question.labels[0 if answer.value else 1]
    return replace(answer, probabilities=probabilities, confidence=probabilities.get(label))


def _call(request: Request, completion: Completion | None, complaint: str | None) -> JudgeCall:
    return JudgeCall(
        messages=request.messages,
        model=request.model,
        replica=request.replica,
        reply=_reply(completion) if completion else None,
        complaint=complaint,
        effective=completion.effective if completion else {},
    )


def _reply(completion: Completion) -> str:
    return completion.text if completion.answers is None else _in_words(completion.answers)


def _in_words(answers: Mapping[str, Answer | Unanswered]) -> str:
    """Return typed answers as text, for the record of what was said."""
    said = {name: asdict(answer) for name, answer in answers.items()}
    return json.dumps(said, ensure_ascii=False, indent=1)


def _unanswered(
    questions: tuple[Question, ...], reason: str, calls: list[JudgeCall], usage: Usage
) -> Judgement:
    return Judgement(
        answers={question.name: Unanswered(reason) for question in questions}, calls=tuple(calls), usage=usage
    )
