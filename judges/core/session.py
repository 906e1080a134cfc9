"""A headless `claude -p` session, as a replica of a fixture left it: what was said and done, and its end.

Values only. `judges.check.stream` reads them from the client's stream.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from enum import StrEnum
from typing import Any

from judges.core.errors import RunError
from judges.core.usage import Usage


class ViewName(StrEnum):
    """The texts that a session is graded by."""

    THINKING = "thinking"
    ASSISTANT_TEXT = "assistant_text"
    TOOL_INPUTS = "tool_inputs"
    TOOL_OUTPUTS = "tool_outputs"
    EVERYTHING = "everything"
    RESULT = "result"
    TRANSCRIPT = "transcript"


class Isolation(StrEnum):
    """What a session shares with the machine, and with the other replicas.

    sealed: own directories, no settings; project: own directories, the project's settings and plugins; host:
    as the user runs it.
    """

    SEALED = "sealed"
    PROJECT = "project"
    HOST = "host"


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCall:
    """One call of a tool, by the session or by a subagent of it.

    `canonical` is its input as JSON with the top-level keys sorted; it is empty where the view of all inputs
    is too large to be kept. Calls of one `message_id` were made in parallel. `parent_tool_use_id` is the call
    that started the subagent; None is the session itself.
    """

    tool: str
    canonical: str
    tool_use_id: str
    message_id: str = ""
    parent_tool_use_id: str | None = None

    @property
    def input(self) -> Any:
        """The input as a value, where it was kept."""
        return json.loads(self.canonical)


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolResult:
    """What a call gave back. `tool` is None where the stream has no call of that id.

    `content` is empty where the view of all tool outputs is too large to be kept.
    """

    tool: str | None
    content: str
    is_error: bool
    tool_use_id: str
    parent_tool_use_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ProcessEnd:
    """How the client's process ended, as `run.meta.json` tells. None: not known, or no exit but a signal."""

    exit: int | None = None
    signal: str | None = None
    timed_out: bool = False
    elapsed_ms: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RunFacts:
    """What is known about a session as a whole; of several result events, the last one's word.

    `parse_errors` counts lines that are no JSON object, `repaired_lines` those with bytes that are no UTF-8
    (read as U+FFFD). `cut` tells that the last reply has no reason for its end, `open_turn` that the session
    went on after its last result, `refused` that the model declined. `client_text` is what the client itself
    said in place of the model. `denials` are the tools that were not allowed. Tokens include cached ones.
    """

    end: ProcessEnd = field(default_factory=ProcessEnd)
    parse_errors: int = 0
    repaired_lines: int = 0
    results: int = 0
    subtype: str | None = None
    is_error: bool = False
    stop_reason: str | None = None
    cut: bool = False
    open_turn: bool = False
    refused: bool = False
    client_text: str | None = None
    errors: tuple[str, ...] = ()
    usage: Usage = field(default_factory=lambda: Usage(calls=1, cost_usd=None))
    models: tuple[str, ...] = ()
    denials: tuple[str, ...] = ()
    session_id: str | None = None
    client_version: str | None = None

    @property
    def cost_usd(self) -> Decimal | None:
        """What the client says the session cost; None where it says nothing."""
        return self.usage.cost_usd

    @property
    def succeeded(self) -> bool:
        """Whether the session ended in success by its own account, and not in a refusal."""
        return self.subtype == "success" and not self.is_error and not self.refused


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """One session. What is not known whole is not in `views`; `lost` says why, by the name of the part."""

    views: Mapping[ViewName, str]
    tool_calls: tuple[ToolCall, ...]
    tool_results: tuple[ToolResult, ...]
    run: RunFacts
    lost: Mapping[str, str] = field(default_factory=dict)

    def view(self, name: ViewName) -> str:
        """Return a view.

        Raises:
            RunError: it is not known whole.
        """
        self.demand(name)
        return self.views[name]

    def demand(self, part: str) -> None:
        """Make sure that a part, a view, `tool_calls` or `tool_results`, is known whole.

        Raises:
            RunError: it is not.
        """
        if part in self.lost:
            raise RunError(self.lost[part])
