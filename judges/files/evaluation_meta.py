"""The sections of `prompt-meta.yaml` that say who writes the outputs, who judges them, and how."""

from decimal import Decimal
from enum import StrEnum
from typing import Annotated, Literal

from pydantic import BaseModel, Discriminator, Field, StrictInt, StrictStr, Tag, model_validator

from judges.files.model import FileModel, Margin, Percent, Seconds, Temperature


class EvaluationType(StrEnum):
    """How outputs are scored."""

    MULTI_CRITERIA = "multi_criteria"
    BINARY = "binary"
    COMPARISON = "comparison"
    REGRESSION = "regression"

    @property
    def scores(self) -> bool:
        """Whether outputs are scored on levels with weights, not answered YES or NO or compared."""
        return self in (EvaluationType.MULTI_CRITERIA, EvaluationType.REGRESSION)


class CanarySpec(FileModel):
    """Two outputs, one better than the other, that a judge must tell apart before it judges any case."""

    good: Annotated[StrictStr, Field(min_length=1)] = Field(description="an output that deserves high levels")
    bad: Annotated[StrictStr, Field(min_length=1)] = Field(description="an output that deserves low levels")


class JudgeSpec(FileModel):
    """Which model judges, and how it is asked."""

    model: StrictStr = Field("gpt-4o", description="provider:model, or a bare name that is resolved")
    temperature: Temperature | None = Field(
        Decimal(0), description="asked for; left out where the model does not take it"
    )
    max_retries: Annotated[StrictInt, Field(ge=0, le=10)] = Field(
        2, description="how often an unusable reply is asked for again"
    )
    base_url: StrictStr | None = Field(None, description="another server with the same API")
    timeout_seconds: Seconds = Field(Decimal(120), description="for one call")
    max_tokens: Annotated[StrictInt, Field(ge=64)] = Field(
        4096, description="the most that one reply may use"
    )
    score: Literal["level", "expected"] = Field(
        "level", description="what decides: the chosen level, or the probability-weighted one"
    )
    canary: CanarySpec | None = Field(
        None,
        description="scored on the criteria before the cases are; a judge that does not score `good` above "
        "`bad` judges nothing, and every case ends as ERROR",
    )
    panel: tuple[StrictStr, ...] = Field(
        (), description="several judges in place of `model`: the lower median of levels, the majority else"
    )
    meta: StrictStr | None = Field(
        None, description="a model that checks whether the judge's reasoning supports its answer"
    )

    @model_validator(mode="after")
    def _several(self) -> "JudgeSpec":
        if len(self.panel) == 1 or len(set(self.panel)) < len(self.panel):
            raise ValueError("a 'panel' has at least two judges, each named once")
        if self.panel and "model" in self.model_fields_set:
            raise ValueError("'model' and 'panel' both name who judges: give one of them")
        return self


class ModelSpec(FileModel):
    """The model that the prompt under test is sent to."""

    name: StrictStr = Field(description="provider:model, or a bare name that is resolved")
    temperature: Temperature | None = Field(None, description="the endpoint's own unless given")
    max_tokens: Annotated[StrictInt, Field(ge=1)] | None = Field(
        None, description="the most that one output may use"
    )
    system: StrictStr | None = Field(None, description="a system message in front of the prompt")
    base_url: StrictStr | None = Field(None, description="another server with the same API")


def _model_tag(value: object) -> str:
    return "<mapping>" if isinstance(value, dict | BaseModel) else "<text>"


ModelChoice = Annotated[
    Annotated[StrictStr, Tag("<text>")] | Annotated[ModelSpec, Tag("<mapping>")], Discriminator(_model_tag)
]


class ArmSpec(FileModel):
    """One of the two variants that are compared. What it does not name is the suite's own."""

    target: StrictStr | None = Field(None, description="its prompt, relative to the project root")
    runner: StrictStr | None = Field(
        None, description="its program, relative to test_root; every runner is told the arm"
    )
    outputs: StrictStr | None = Field(
        None, description='its recorded outputs, relative to test_root: JSON lines {"ref", "output"}'
    )
    model: ModelChoice | None = Field(None, description="the model that its prompt is sent to")

    @model_validator(mode="after")
    def _one_way(self) -> "ArmSpec":
        given = [key for key in ("target", "runner", "outputs") if getattr(self, key) is not None]
        if len(given) > 1:
            raise ValueError(f"needs one of 'target', 'runner' and 'outputs', found {' and '.join(given)}")
        if self.outputs is not None and self.model is not None:
            raise ValueError("'outputs' are recorded: no 'model' makes them")
        return self


class ArmsSpec(FileModel):
    """The two variants that are compared: `a` is what there is, `b` what may take its place."""

    a: ArmSpec
    b: ArmSpec


class ReplicasSpec(FileModel):
    """Ask again, but only where it could change the verdict."""

    max: Annotated[StrictInt, Field(ge=2, le=99)] = Field(description="how often at the most")
    when: Literal["fragile"] = Field(description="again only where one level of one criterion decides")


def _replicas_tag(value: object) -> str:
    return "<mapping>" if isinstance(value, dict | BaseModel) else "<number>"


ReplicasChoice = Annotated[
    Annotated[StrictInt, Field(ge=1, le=99), Tag("<number>")] | Annotated[ReplicasSpec, Tag("<mapping>")],
    Discriminator(_replicas_tag),
]


def _quorum_tag(value: object) -> str:
    return "<text>" if isinstance(value, str) else "<number>"


QuorumChoice = Annotated[
    Annotated[Literal["all", "majority"], Tag("<text>")] | Annotated[StrictInt, Field(ge=1), Tag("<number>")],
    Discriminator(_quorum_tag),
]


class Evaluation(FileModel):
    """The evaluation type and its settings."""

    type: EvaluationType = EvaluationType.MULTI_CRITERIA
    arms: ArmsSpec | None = Field(None, description="type comparison: what is compared")
    max_drop: Percent | None = Field(
        None,
        description="type regression: the most that one case may lose against the baseline; default: one "
        "level of the heaviest criterion",
    )
    margin: Margin | None = Field(
        None, description="type regression: the mean loss that does not matter; without it any counts"
    )
    replicas: ReplicasChoice = Field(
        1, description="how often the judge is asked: levels count by their lower median"
    )
    quorum: QuorumChoice = Field(
        "majority", description="how many replicas must agree that a yes-or-no question passes"
    )

    @model_validator(mode="after")
    def _keys_of_type(self) -> "Evaluation":
        for key, kind in _TYPE_OF_KEY.items():
            if getattr(self, key) is not None and self.type is not kind:
                raise ValueError(f"'{key}' belongs to type '{kind}', not to '{self.type}'")
        if self.type is EvaluationType.COMPARISON and self.arms is None:
            raise ValueError("type 'comparison' needs 'arms', such as {a: {model: …}, b: {model: …}}")
        most = self.replicas if isinstance(self.replicas, int) else self.replicas.max
        if isinstance(self.quorum, int) and self.quorum > most:
            raise ValueError(f"a quorum of {self.quorum} cannot be reached with {most} replicas")
        return self


_TYPE_OF_KEY = {
    "arms": EvaluationType.COMPARISON,
    "max_drop": EvaluationType.REGRESSION,
    "margin": EvaluationType.REGRESSION,
}
