"""The shape of `*.grid.yaml`, of the tasks and of the models that it names, declared once.

The models know nothing of YAML, of positions in a file, or of other files: `judges.files.grid` does.
"""

import re
from enum import StrEnum
from typing import Annotated, Any

from pydantic import (
    AfterValidator,
    Discriminator,
    Field,
    StrictBool,
    StrictInt,
    StrictStr,
    Tag,
    model_validator,
)

from judges.files.case_meta import MAX_REFERENCE
from judges.files.evaluation_meta import JudgeSpec, ModelChoice
from judges.files.model import FileModel
from judges.files.problems import found
from judges.files.prompt_meta import CriterionSpec, Thresholds

GOLDEN = "golden_label"
BLOCK_PATTERN = r"^[a-z][a-z0-9-]*$"
"""What the id of a gated block looks like."""


class Measure(StrEnum):
    """What is measured of an output."""

    LABEL = "label"
    SCORE = "score"


def _block_id(value: str) -> str:
    if not re.fullmatch(BLOCK_PATTERN, value):
        raise ValueError(
            f"expected a block's id: a small letter, then small letters, digits or '-', found {found(value)}"
        )
    return value


Text = Annotated[StrictStr, Field(min_length=1)]
BlockId = Annotated[StrictStr, AfterValidator(_block_id), Field(json_schema_extra={"pattern": BLOCK_PATTERN})]


class GridArmSpec(FileModel):
    """One variant under test: a prompt, or a fixture that runs a session."""

    prompt: Text | None = Field(
        None, description="a text, relative to this file; only {{input}} and the tasks' vars are substituted"
    )
    fixture: Text | None = Field(
        None, description="a *.fixture.md in place of a prompt, relative to this file"
    )
    control: StrictBool = Field(
        False, description="the arm that the others are compared with: exactly one is"
    )
    projected_from: BlockId | None = Field(
        None, description="the block in gated.yaml that the prompt is a projection of"
    )

    @model_validator(mode="after")
    def _one_way(self) -> "GridArmSpec":
        if (self.prompt is None) == (self.fixture is None):
            raise ValueError("needs exactly one of 'prompt' and 'fixture'")
        if self.projected_from is not None and self.prompt is None:
            raise ValueError("'projected_from' belongs to a 'prompt'")
        return self


def _place_tag(value: object) -> str:
    return "<list>" if isinstance(value, list | tuple) else "<file>"


Models = Annotated[tuple[ModelChoice, ...], Field(min_length=1)]
ModelsChoice = Annotated[
    Annotated[Text, Tag("<file>")] | Annotated[Models, Tag("<list>")], Discriminator(_place_tag)
]
LabelsChoice = Annotated[
    Annotated[Text, Tag("<file>")] | Annotated[tuple[StrictStr, ...], Tag("<list>")],
    Discriminator(_place_tag),
]


class GridMeta(FileModel):
    """A grid of arms, models and tasks."""

    name: Text = Field(description="the name of the suite")
    arms: dict[StrictStr, GridArmSpec] = Field(description="the variants by their names; one is the control")
    models: ModelsChoice = Field(
        description="the file that holds the models' names, relative to this file; or a list of them"
    )
    tasks: Text = Field(
        description='JSON lines {"input" | "vars", "golden_label", "id"}, relative to this file'
    )
    labels: LabelsChoice | None = Field(
        None,
        description="for measure label: all that may be answered; a file relative to this one (JSON, YAML, "
        "or text with a label a line), or a list",
    )
    repeat: Annotated[StrictInt, Field(ge=1, le=99)] = Field(
        3, description="how often each task is given to each model and arm"
    )
    measure: Measure = Field(
        Measure.LABEL, description="label: whether it is the golden one; score: as judged on criteria"
    )
    criteria: tuple[CriterionSpec, ...] = Field((), description="for measure score: as in prompt-meta.yaml")
    thresholds: Thresholds = Field(Thresholds(), description="for measure score: as in prompt-meta.yaml")
    judge: JudgeSpec = Field(JudgeSpec(), description="for measure score: as in prompt-meta.yaml")

    @model_validator(mode="after")
    def _keys_of_measure(self) -> "GridMeta":
        for key, measure in _MEASURE_OF_KEY.items():
            if key in self.model_fields_set and self.measure is not measure:
                raise ValueError(f"'{key}' belongs to measure '{measure}', not to '{self.measure}'")
        needed = "labels" if self.measure is Measure.LABEL else "criteria"
        if not getattr(self, needed):
            raise ValueError(f"measure '{self.measure}' needs '{needed}'")
        return self


_MEASURE_OF_KEY = {
    "labels": Measure.LABEL,
    "criteria": Measure.SCORE,
    "thresholds": Measure.SCORE,
    "judge": Measure.SCORE,
}


class TaskSpec(FileModel):
    """One task: what the arms are given, and what should come out."""

    input: StrictStr | None = Field(None, description="the same as vars: {input: …}")
    vars: dict[StrictStr, Any] | None = Field(None, description="what stands for {{name}} in the prompts")
    golden_label: StrictStr | None = Field(None, description="for measure label: the one that is right")
    id: Text | None = Field(None, description="default: the first words of the input")
    expected_behavior: StrictStr | None = Field(
        None, description="for measure score: what a good output does, in words"
    )
    reference: Annotated[StrictStr, Field(max_length=MAX_REFERENCE)] | None = Field(
        None, description="for measure score: an ideal answer, shown to the judge"
    )

    @model_validator(mode="before")
    @classmethod
    def _golden_inside(cls, value: Any) -> Any:
        """Take the golden label from among the variables, where other tools keep it."""
        if not isinstance(value, dict) or GOLDEN in value or not isinstance(value.get("vars"), dict):
            return value
        rest = {key: each for key, each in value["vars"].items() if key != GOLDEN}
        return {**value, "vars": rest, **({GOLDEN: value["vars"][GOLDEN]} if GOLDEN in value["vars"] else {})}

    @model_validator(mode="after")
    def _one_way(self) -> "TaskSpec":
        if (self.input is None) == (not self.vars):
            raise ValueError("needs exactly one of 'input' and 'vars'")
        return self

    @property
    def variables(self) -> dict[str, Any]:
        """What the arms are given, by name."""
        return {"input": self.input} if self.vars is None else self.vars
