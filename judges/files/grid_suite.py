"""A grid, fully read: the values that planning, asking and reducing work on."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from judges.core.case import Case, Category
from judges.core.row import Notice, excerpt
from judges.files.evaluation_meta import ModelSpec
from judges.files.grid_meta import GridMeta, Measure
from judges.files.suite import PromptSuite
from judges.files.template import as_text

MENTION = re.compile(r"\{\{\s*([A-Za-z_][\w-]*)\s*\}\}")
"""How a prompt of a grid names a variable; single braces mean nothing."""
TITLE_LENGTH = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class GridArm:
    """One variant under test: the text of a `prompt`, or a `fixture` file in its place (then it is "").

    `projected_from` is the id of the gated block that the prompt is a projection of.
    """

    name: str
    text: str = ""
    prompt: Path | None = None
    fixture: Path | None = None
    control: bool = False
    projected_from: str | None = None

    def render(self, variables: Mapping[str, Any]) -> str:
        """Return the prompt for a task. Only `{{name}}` of a variable is replaced, once; all else stays."""
        return MENTION.sub(
            lambda mention: as_text(variables[mention[1]]) if mention[1] in variables else mention[0],
            self.text,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """What the arms are given, and what should come out; `file` and `line` say where it stands.

    `golden_label` is there where labels are measured, the rest of what is expected where outputs are judged.
    """

    id: str
    variables: Mapping[str, Any]
    golden_label: str | None = None
    expected_behavior: str | None = None
    reference: str | None = None
    file: str | None = None
    line: int | None = None

    @property
    def case(self) -> Case:
        """The task as a case, which is what trials are made of."""
        return Case(
            ref=self.id,
            title=excerpt(" ".join(first_text(self.variables).split()), TITLE_LENGTH) or self.id,
            category=Category.ELEMENT,
            input=self.variables,
            expected_behavior=self.expected_behavior,
            reference=self.reference,
            file=self.file,
            line=self.line,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class GridSuite:
    """Everything that one `*.grid.yaml` says, with the files it names read.

    `root` is the project root; relative names start at the file's own folder. `labels` are all that may be
    answered, for measure label. For measure score `judged` is the prompt suite that says how outputs are
    judged: its criteria, thresholds, judge and context; its cases are the tasks.
    """

    name: str
    path: Path
    root: Path
    meta: GridMeta
    arms: tuple[GridArm, ...]
    models: tuple[ModelSpec, ...]
    tasks: tuple[Task, ...]
    labels: tuple[str, ...] = ()
    judged: PromptSuite | None = None
    allow_outside: bool = False
    notices: tuple[Notice, ...] = field(default=())

    @property
    def control(self) -> GridArm:
        """The arm that the others are compared with."""
        return next(arm for arm in self.arms if arm.control)

    @property
    def measure(self) -> Measure:
        """What is measured of an output."""
        return self.meta.measure

    @property
    def repeat(self) -> int:
        """How often each task is given to each model and arm."""
        return self.meta.repeat

    @property
    def calls(self) -> int:
        """How many outputs it takes: arms x models x tasks x repeat."""
        return len(self.arms) * len(self.models) * len(self.tasks) * self.repeat


def first_text(variables: Mapping[str, Any]) -> str:
    """Return the first value that a task gives, as text; "" without any."""
    return next((as_text(value) for value in variables.values()), "")
