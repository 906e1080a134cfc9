"""The runner of a new suite: a program that works as it is, with a place for the user's own code."""

import os
from enum import StrEnum
from pathlib import Path

from judges.core.errors import ConfigError
from judges.files.template import PromptTemplate, Syntax
from judges.providers.connect import parse_model


class RunnerKind(StrEnum):
    """The language that a runner is written in."""

    PYTHON = "python"
    TYPESCRIPT = "typescript"

    @property
    def file(self) -> str:
        """The name of the runner's file."""
        return "runner.py" if self is RunnerKind.PYTHON else "runner.ts"

    def can_render(self, prompt: PromptTemplate) -> bool:
        """Whether the runner can fill the prompt with a case's input without the user's own code."""
        known = (
            (Syntax.TEXT,) if self is RunnerKind.TYPESCRIPT else (Syntax.TEXT, Syntax.MESSAGES, Syntax.JINJA)
        )
        return prompt.syntax in known


def runner_values(
    kind: RunnerKind | None, folder: Path, target: Path, prompt: PromptTemplate | None, model: str
) -> dict[str, str | bool]:
    """Return the values that the template of a runner is filled with.

    `folder` is where the runner will be, `prompt` the target read; None is the example prompt.
    """
    return {
        "runner": kind.file if kind else "",
        "calls_model": kind is not None and (prompt is None or kind.can_render(prompt)),
        "prompt_path": Path(os.path.relpath(target, folder)).as_posix(),
        "chat": prompt is not None and prompt.variables == (),
        "vendor": _vendor(model),
    }


def _vendor(model: str) -> str:
    """Who is asked; a name that says nothing is taken for a model behind OpenAI's API."""
    try:
        return "anthropic" if parse_model(model).provider == "anthropic" else "openai"
    except ConfigError:
        return "openai"
