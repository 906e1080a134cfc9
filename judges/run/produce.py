"""Where the outputs under test come from: recorded ones, or the model that the prompt is sent to."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from judges.core.case import RunRecord, Trial
from judges.core.errors import RunError
from judges.core.question import Subject
from judges.files.evaluation_meta import ModelSpec
from judges.files.template import Role
from judges.providers.base import DEFAULT_TIMEOUT_SECONDS, Completion, Message, Provider, Request, Stop


class Template(Protocol):
    """A prompt under test."""

    def render(self, variables: Mapping[str, Any], /) -> Sequence[tuple[Role, str]]:
        """Return role and content of each message for a case's input."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BuiltIn:
    """Renders the prompt under test with a case's input and sends it to a model.

    `model` is the endpoint's own name of the model that `spec` names in full.
    """

    provider: Provider
    model: str
    spec: ModelSpec
    template: Template
    timeout_seconds: float = DEFAULT_TIMEOUT_SECONDS

    def __call__(self, trial: Trial) -> RunRecord:
        """Return the model's output, or why there is none."""
        started = time.monotonic()
        try:
            completion = self.provider.complete(self.build_request(trial))
        except RunError as error:
            return RunRecord(output=None, source=self.spec.name, error=str(error))
        measured = (time.monotonic() - started) * 1000
        error_text = _why_unusable(completion)
        return RunRecord(
            output=None if error_text else completion.text,
            error=error_text,
            source=self.spec.name,
            usage=completion.usage,
            latency_ms=measured if completion.latency_ms is None else completion.latency_ms,
            cost_usd=completion.cost_usd,
        )

    def build_request(self, trial: Trial) -> Request:
        """Return the request for a trial.

        Raises:
            RunError: the prompt cannot be rendered with this input.
        """
        system = [Message("system", self.spec.system)] if self.spec.system else []
        rendered = self.template.render(trial.case.input)
        return Request(
            model=self.model,
            messages=(*system, *(Message(role, content) for role, content in rendered)),
            temperature=None if self.spec.temperature is None else float(self.spec.temperature),
            max_tokens=self.spec.max_tokens,
            timeout_seconds=self.timeout_seconds,
            replica=trial.replica,
            subject=Subject(ref=trial.case.ref, arm=trial.arm, replica=trial.replica),
        )


def _why_unusable(completion: Completion) -> str | None:
    """A refusal in words is an output like any other: how the prompt declines is part of what is tested."""
    if completion.stop is Stop.LENGTH:
        return "the output was cut off at the token limit: raise max_tokens of the model"
    if completion.stop is Stop.REFUSAL and not completion.text:
        return "the model refused to answer and said nothing"
    return None
