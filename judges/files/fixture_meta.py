"""The shape of the front matter of a `*.fixture.md`, declared once.

The models validate, give the JSON Schema and the reference documentation. They know nothing of YAML, of
positions in a file, or of other files: `judges.files.fixture` does.
"""

from decimal import Decimal
from enum import StrEnum
from typing import Annotated, Literal

from pydantic import (
    Discriminator,
    Field,
    StrictBool,
    StrictInt,
    StrictStr,
    Tag,
    ValidationInfo,
    WithJsonSchema,
    field_validator,
)

from judges.core.session import Isolation
from judges.files.evaluation_meta import QuorumChoice
from judges.files.model import FileModel, Number
from judges.files.pass_conditions import Filled, PassConditions

MAX_RUNS = 1000
MAX_SECONDS = 86_400


class PermissionMode(StrEnum):
    """What the session may do without asking; nobody is there to be asked."""

    BYPASS_PERMISSIONS = "bypassPermissions"
    DEFAULT = "default"
    ACCEPT_EDITS = "acceptEdits"
    PLAN = "plan"


def _tools_tag(value: object) -> str:
    return "<list>" if isinstance(value, list | tuple) else "<text>"


AllowedTools = Annotated[
    Annotated[StrictStr, Tag("<text>")] | Annotated[tuple[Filled, ...], Tag("<list>")],
    Discriminator(_tools_tag),
]
Timeout = Annotated[
    Number,
    Field(gt=0, le=MAX_SECONDS),
    WithJsonSchema({"type": "number", "exclusiveMinimum": 0, "maximum": MAX_SECONDS}),
]


class RunSpec(FileModel):
    """How the replicas are run."""

    serial: StrictBool = Field(
        False, description="one replica after the other, for a body that names paths which they share"
    )


class FixtureMeta(FileModel):
    """The front matter of a fixture: one headless session, and what it is graded on."""

    name: Filled | None = Field(None, description="default: the name of the file")
    description: StrictStr = Field("", description="what the fixture probes, in a sentence")
    model: Filled | None = Field(None, description="the model of the session; default: the client's own")
    timeout_seconds: Timeout = Field(Decimal(120), description="after which a session is ended")
    permission_mode: PermissionMode = Field(
        PermissionMode.DEFAULT,
        description="what the session may do unasked; bypassPermissions overrides `allowed_tools`",
    )
    allowed_tools: AllowedTools = Field(
        "", description='tools that need no permission: separated by spaces, as in "Bash Read", or a list'
    )
    append_system_prompt: StrictStr = Field("", description="a text after the client's system prompt")
    append_system_prompt_file: Filled | None = Field(
        None, description="a file with that text, relative to the project root"
    )
    runs: Annotated[StrictInt, Field(ge=1, le=MAX_RUNS)] = Field(
        1, description="how many replicas of the session are run"
    )
    quorum: QuorumChoice = Field("majority", description="how many replicas must pass each row")
    run: RunSpec = RunSpec()
    isolation: Isolation = Field(
        Isolation.SEALED,
        description="sealed: own directories, no settings; project: own directories, the project's settings "
        "and plugins; host: as you run it yourself",
    )
    workspace: Filled | None = Field(
        None, description="a folder that is copied for each replica, relative to the project root"
    )
    setting_sources: tuple[Literal["user", "project", "local"], ...] | None = Field(
        None, description="settings that the session reads; default: project, and all with isolation host"
    )
    plugin_dirs: tuple[Filled, ...] = Field(
        (), description="folders of plugins that are loaded, relative to the project root"
    )
    pass_conditions: PassConditions

    @field_validator("append_system_prompt_file")
    @classmethod
    def _one_text(cls, value: str | None, info: ValidationInfo) -> str | None:
        if value is not None and info.data.get("append_system_prompt"):
            raise ValueError("'append_system_prompt' gives the text already: give one of them")
        return value

    @field_validator("quorum")
    @classmethod
    def _reachable(cls, value: str | int, info: ValidationInfo) -> str | int:
        runs = info.data.get("runs", MAX_RUNS)
        if isinstance(value, int) and value > runs:
            raise ValueError(f"a quorum of {value} cannot be reached with runs: {runs}")
        return value

    @field_validator("setting_sources", "plugin_dirs")
    @classmethod
    def _not_sealed(cls, value: tuple[str, ...] | None, info: ValidationInfo) -> tuple[str, ...] | None:
        if value and info.data.get("isolation") is Isolation.SEALED:
            raise ValueError("a sealed session has no settings and no plugins: use isolation: project")
        return value

    @property
    def tools(self) -> str:
        """The allowed tools as the client takes them: one text, separated by spaces."""
        return self.allowed_tools if isinstance(self.allowed_tools, str) else " ".join(self.allowed_tools)
