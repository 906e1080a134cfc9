"""The prompt under test, where it is a template: what it asks for, and its messages for a case's input."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias, cast

from pydantic import Field, StrictStr

from judges.core.errors import ConfigError, Problem, RunError
from judges.files.model import FileModel
from judges.files.problems import found, gather, raise_any
from judges.files.shape import parse_model
from judges.files.text import display_path, read_text
from judges.files.yaml import parse_yaml

if TYPE_CHECKING:
    from jinja2.sandbox import SandboxedEnvironment

Role: TypeAlias = Literal["system", "user", "assistant"]
ROLES: tuple[Role, ...] = ("system", "user", "assistant")
HISTORY = "messages"
"""The input key that holds a chat history: it is appended as messages, unless the template mentions it."""

_MENTION = re.compile(r"\{\{\s*([A-Za-z_][\w-]*)\s*\}\}|\{([A-Za-z_][\w-]*)\}")


class Syntax(StrEnum):
    """How a prompt file is read."""

    TEXT = "text"
    MESSAGES = "messages"
    JINJA = "jinja"
    SOURCE = "source"


_SYNTAXES = {
    ".md": Syntax.TEXT,
    ".txt": Syntax.TEXT,
    ".prompt": Syntax.TEXT,
    ".yaml": Syntax.MESSAGES,
    ".yml": Syntax.MESSAGES,
    ".jinja": Syntax.JINJA,
    ".jinja2": Syntax.JINJA,
    ".j2": Syntax.JINJA,
}


class _Message(FileModel):
    role: Role
    content: Annotated[StrictStr, Field(min_length=1)]


@dataclass(frozen=True, slots=True)
class PromptTemplate:
    """A prompt file. `parts` are its messages, role and content, before substitution."""

    path: Path
    syntax: Syntax
    parts: tuple[tuple[Role, str], ...]

    @property
    def variables(self) -> tuple[str, ...] | None:
        """The names that the file mentions, in order; None for source code, which cannot be asked."""
        if self.syntax is Syntax.SOURCE:
            return None
        if self.syntax is Syntax.JINJA:
            return _jinja_variables(self.parts[0][1])
        mentions = (match for _, content in self.parts for match in _MENTION.finditer(content))
        return tuple(dict.fromkeys(match[1] or match[2] for match in mentions))

    def render(self, input: Mapping[str, Any]) -> tuple[tuple[Role, str], ...]:  # noqa: A002  (the file's word)
        """Return role and content of each message for a case's input.

        Only names that are keys of the input are replaced, once; lists and mappings become JSON. A chat
        history under `messages` follows, and makes a template of a single text the system message.

        Raises:
            RunError: the file is source code, a Jinja name is undefined, or the history is malformed.
        """
        if self.syntax is Syntax.SOURCE:
            raise RunError(f"{self.path.name} is not a prompt template: name a runner that calls it")
        substitute = _render_jinja if self.syntax is Syntax.JINJA else _substitute
        parts = tuple((role, substitute(content, input)) for role, content in self.parts)
        history = tuple(self._history(input))
        if history and self.syntax is not Syntax.MESSAGES:
            parts = (("system", parts[0][1]),)
        return parts + history

    def _history(self, input: Mapping[str, Any]) -> Iterator[tuple[Role, str]]:  # noqa: A002
        messages = input.get(HISTORY)
        if not isinstance(messages, list) or HISTORY in (self.variables or ()):
            return
        for index, message in enumerate(messages):
            role, content = _role_and_content(message)
            if role not in ROLES or not isinstance(content, str):
                expected = "a mapping of role (system, user or assistant) and content (a text)"
                raise RunError(f"input.{HISTORY}[{index}]: expected {expected}, found {found(message)}")
            yield cast("Role", role), content


def read_prompt(path: Path) -> PromptTemplate:
    """Read a prompt file; its ending says how: `.md .txt .prompt`, `.jinja`, `.yaml`, else source code.

    Raises:
        ConfigError: the file cannot be read, is empty, or is not what its ending says.
    """
    text = read_text(path)
    syntax = _SYNTAXES.get(path.suffix.lower(), Syntax.SOURCE)
    if not text.strip():
        raise ConfigError([Problem("the prompt is empty", display_path(path), hint="write the prompt")])
    if syntax is Syntax.MESSAGES:
        return PromptTemplate(path, syntax, tuple(_parse_messages(text, display_path(path))))
    if syntax is Syntax.JINJA:
        _check_jinja(text, path)
    return PromptTemplate(path, syntax, (("user", text),))


def _parse_messages(text: str, file: str) -> Iterator[tuple[Role, str]]:
    document = parse_yaml(text, file)
    if not isinstance(document.value, list) or not document.value:
        raise document.error(
            (), f"expected a list of messages, each with role and content, found {found(document.value)}"
        )
    problems: list[Problem] = []
    for index in range(len(document.value)):
        with gather(problems):
            message = parse_model(_Message, document, (index,))
            yield message.role, message.content
    raise_any(problems)


def _role_and_content(message: Any) -> tuple[Any, Any]:
    return (message.get("role"), message.get("content")) if isinstance(message, dict) else (None, None)


def _substitute(template: str, values: Mapping[str, Any]) -> str:
    """Replace each `{name}` and `{{ name }}` of a value, in one pass: values are never searched."""
    if not values:
        return template
    names = "|".join(re.escape(name) for name in sorted(values, key=len, reverse=True))
    pattern = rf"\{{\{{\s*({names})\s*\}}\}}|\{{({names})\}}"
    return re.sub(pattern, lambda match: as_text(values[match[1] or match[2]]), template)


def as_text(value: Any) -> str:
    """Return an input value as it stands in a prompt: text as it is, all else as JSON."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)


def _jinja() -> "SandboxedEnvironment":
    from jinja2 import StrictUndefined, Undefined
    from jinja2.sandbox import SandboxedEnvironment

    return SandboxedEnvironment(
        undefined=StrictUndefined,
        finalize=lambda value: value if isinstance(value, Undefined) else as_text(value),
        keep_trailing_newline=True,
    )


def _check_jinja(text: str, path: Path) -> None:
    from jinja2 import TemplateSyntaxError

    try:
        _jinja().parse(text)
    except TemplateSyntaxError as error:
        message = f"not valid Jinja: {error.message}"
        raise ConfigError([Problem(message, display_path(path), error.lineno)]) from None


def _jinja_variables(text: str) -> tuple[str, ...]:
    from jinja2.meta import find_undeclared_variables

    return tuple(sorted(find_undeclared_variables(_jinja().parse(text))))


def _render_jinja(template: str, values: Mapping[str, Any]) -> str:
    from jinja2 import TemplateError

    try:
        return _jinja().from_string(template).render(values)
    except (TemplateError, TypeError, ValueError, ArithmeticError, LookupError, RecursionError) as error:
        raise RunError(f"the prompt cannot be rendered: {error}") from None
