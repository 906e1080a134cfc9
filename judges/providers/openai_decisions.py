"""The OpenAI decisions API (public beta): typed questions, answered by probabilities instead of prose."""

from collections.abc import Mapping
from typing import Any

from judges.core.errors import ProviderError
from judges.core.question import Answer, Choice, Predicate, Question, Score, Unanswered
from judges.providers.base import Completion, Request
from judges.providers.endpoint import Endpoint
from judges.providers.openai import open_wire
from judges.providers.prices import PriceList


class OpenAIDecisions:
    """Decides the questions of a request about its evidence. Safe to use from several threads."""

    def __init__(self, endpoint: Endpoint, prices: PriceList) -> None:
        self._wire = open_wire(endpoint)
        self._prices = prices

    def complete(self, request: Request) -> Completion:
        """Ask all questions in one call.

        Raises:
            ProviderError: the endpoint failed, or its answers do not fit the questions.
        """
        reply, latency_ms = self._wire.post("/decisions", _body(request), request)
        match reply:
            case {"answers": [*answers]}:
                pass
            case _:
                raise self._wire.malformed(reply, request)
        try:
            decided = read_answers(request.questions, answers)
        except ValueError as error:
            place = self._wire.endpoint.describe(request.model)
            raise ProviderError(f"{place}: the answers do not fit the questions ({error}).") from error
        usage = self._prices.read_usage(reply, request.model, "responses")
        return Completion(answers=decided, usage=usage, latency_ms=latency_ms)


def read_answers(questions: tuple[Question, ...], answers: list[Any]) -> dict[str, Answer | Unanswered]:
    """Return the API's answers, which stand in the order of the questions, by question name.

    Raises:
        ValueError: they are not answers to these questions.
    """
    if len(answers) != len(questions):
        raise ValueError(f"{len(answers)} answers to {len(questions)} questions")
    return {
        question.name: _read_answer(question, answer)
        for question, answer in zip(questions, answers, strict=True)
    }


def _body(request: Request) -> dict[str, Any]:
    evidence = {"type": "input_json", "data": dict(request.evidence.fields)}
    context = [{"role": "developer", "content": request.context}] if request.context.strip() else []
    return {
        "model": request.model,
        "input": [*context, {"role": "user", "content": [evidence]}],
        "questions": [_ask(question) for question in request.questions],
    }


def _ask(question: Question) -> dict[str, Any]:
    asked: dict[str, Any] = {"name": question.name, "instructions": question.instructions}
    match question:
        case Score():
            levels = [
                {"label": str(level), **({"description": description} if description else {})}
                for level, description in enumerate(question.levels, start=1)
            ]
            return {"type": "score", "levels": levels, **asked}
        case Predicate():
            return {"type": "predicate", **asked}
        case Choice():
            return {"type": "choice", "choices": [{"value": choice} for choice in question.choices], **asked}


def _read_answer(question: Question, answer: Any) -> Answer | Unanswered:
    if isinstance(answer, dict) and answer.get("name") not in (None, question.name):
        raise ValueError(f"an answer to {answer['name']!r} in the place of {question.name!r}")
    match question, answer:
        case _, {"type": "refusal"}:
            return Unanswered("the judge declined to answer this question")
        case Score(), {"type": "score", "confidence": confidence, "probabilities": [*rows]}:
            labels = [str(level) for level in range(1, len(question.levels) + 1)]
            probabilities = _read_probabilities(question, rows, "label", labels)
            return _chosen(int(_most_probable(probabilities)), probabilities, confidence, question)
        case Choice(), {
            "type": "choice",
            "choice": str(choice),
            "confidence": confidence,
            "probabilities": [*rows],
        } if choice in question.choices:
            probabilities = _read_probabilities(question, rows, "value", question.choices)
            return _chosen(choice, probabilities, confidence, question)
        case Predicate(), {"type": "predicate", "probability": probability}:
            true = _read_probability(probability, question)
            probabilities = dict(zip(question.labels, (true, 1 - true), strict=True))
            return _chosen(true >= 0.5, probabilities, max(true, 1 - true), question)
    raise ValueError(f"no usable answer to {question.name!r}")


def _chosen(
    value: int | bool | str, probabilities: Mapping[str, float], confidence: Any, question: Question
) -> Answer:
    return Answer(
        value=value, probabilities=probabilities, confidence=_read_probability(confidence, question)
    )


def _read_probabilities(
    question: Question, rows: list[Any], key: str, offered: tuple[str, ...] | list[str]
) -> dict[str, float]:
    probabilities: dict[str, float] = {}
    for row in rows:
        label = row.get(key) if isinstance(row, dict) else None
        if not isinstance(label, str) or label not in offered or label in probabilities:
            raise ValueError(f"{label!r} is not one of the answers offered for {question.name!r}")
        probabilities[label] = _read_probability(row.get("probability"), question)
    if not probabilities:
        raise ValueError(f"no probabilities for {question.name!r}")
    return probabilities


def _read_probability(value: Any, question: Question) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise ValueError(f"{value!r} is no probability, for {question.name!r}")
    return float(value)


def _most_probable(probabilities: Mapping[str, float]) -> str:
    """Of equally probable levels the lowest counts: a doubt never raises a score."""
    return min(probabilities, key=lambda label: (-probabilities[label], int(label)))
