"""The shape of `prompt-meta.yaml`, declared once.

The models validate, give the JSON Schema and the reference documentation. They know nothing of YAML, of
positions in a file, or of other files: `judges.files.load` does.
"""

from decimal import Decimal
from enum import StrEnum
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Discriminator, Field, StrictInt, StrictStr, Tag, model_validator

from judges.core.case import Category
from judges.files.model import FileModel, Name, Percent, Seconds, Temperature, Weight

MAX_REFERENCE = 20_000  # characters


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
    margin: Percent | None = Field(
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


class CriterionSpec(FileModel):
    """One weighted criterion. `rubric` is text, or the path of a file that holds it."""

    name: Name = Field(description="what outputs are scored on, in one word")
    weight: Weight = Field(
        Decimal(1),
        description="its share of the score; normalised to sum 1; required where outputs are scored",
    )
    rubric: Annotated[StrictStr, Field(min_length=1)] = Field(
        description="a question and its levels (`5: …`), or a file that holds them; for type binary a "
        "question whose YES is good, for comparison what makes an output the better one"
    )
    scale: Annotated[StrictInt, Field(ge=2, le=100)] = Field(5, description="levels run from 1 to this")


class Severity(StrEnum):
    """What a failed check does to a case."""

    ERROR = "error"
    WARN = "warn"


class Strategy(StrEnum):
    """A deterministic check that needs no code."""

    EXACT = "exact"
    CONTAINS = "contains"
    NOT_CONTAINS = "not_contains"
    REGEX = "regex"
    JSON_SCHEMA = "json_schema"
    MIN_LENGTH = "min_length"
    MAX_LENGTH = "max_length"
    MAX_LATENCY_MS = "max_latency_ms"
    MAX_COST_USD = "max_cost_usd"


class DeterministicCheck(FileModel):
    """A check by code: a JavaScript `rule`, or a `strategy` with its `value`."""

    name: Name = Field(description="unlike that of any other check")
    type: Literal["deterministic"] = Field(description="a check by code")
    rule: StrictStr | None = Field(
        None, description="JavaScript over output, input, json; or python:FILE:function"
    )
    strategy: Strategy | None = Field(None, description="a check that needs no code, in place of a rule")
    value: Any = Field(None, description="what the strategy compares the output with")
    severity: Severity = Field(Severity.ERROR, description="error: the case fails; warn: a pass becomes WARN")

    @model_validator(mode="after")
    def _one_way(self) -> "DeterministicCheck":
        if (self.rule is None) == (self.strategy is None):
            raise ValueError("needs exactly one of 'rule' and 'strategy'")
        if self.strategy is not None and self.value is None:
            raise ValueError(f"strategy '{self.strategy}' needs a 'value'")
        return self


class JudgedCheck(FileModel):
    """A yes-or-no question to the judge. It passes when the answer is `pass_condition`."""

    name: Name = Field(description="unlike that of any other check")
    type: Literal["llm_judge"] = Field(description="a question to the judge")
    prompt: Annotated[StrictStr, Field(min_length=1)] = Field(
        description="the question; {input} and {output} stand for the fields that the judge sees"
    )
    pass_condition: Literal["YES", "NO"] = Field(description="the answer that passes")
    severity: Severity = Field(Severity.ERROR, description="error: the case fails; warn: a pass becomes WARN")


CheckSpec = Annotated[DeterministicCheck | JudgedCheck, Field(discriminator="type")]


class Thresholds(FileModel):
    """Scores, 0..100, that decide. `warn` defaults to `pass`: then there is no WARN."""

    pass_: Percent = Field(
        Decimal(70),
        alias="pass",
        description="score >= this passes; for type binary: the share of cases that must pass; for type "
        "comparison: the share of cases that `b` must win (default 50)",
    )
    warn: Percent | None = Field(None, description="score below this is a critical failure")
    per_criterion: dict[StrictStr, Percent] = Field(
        {}, description="minimums that hold regardless of the score"
    )
    pass_rate: Percent | None = Field(None, description="share of cases, 0..100, that must pass")

    @model_validator(mode="after")
    def _ordered(self) -> "Thresholds":
        if self.warn is not None and self.warn > self.pass_:
            raise ValueError(f"warn ({self.warn}) must not be above pass ({self.pass_})")
        return self


class RangeSpec(FileModel):
    """The scores, 0..100, that a case is expected to reach."""

    min: Percent = Field(description="below this the case fails")
    max: Percent = Field(description="above this a zero_condition case fails; any other gets a remark")

    @model_validator(mode="after")
    def _ordered(self) -> "RangeSpec":
        if self.min > self.max:
            raise ValueError(f"min ({self.min}) must not be above max ({self.max})")
        return self


class ManualOverride(FileModel):
    """A correction inside a case: the legacy shape."""

    score: Percent = Field(description="the score that counts")
    timestamp: StrictStr = Field(description="when it was decided")
    reason: StrictStr = Field(description="why")


class CaseSpec(FileModel):
    """One test case."""

    title: Annotated[StrictStr, Field(min_length=1)] = Field(
        description="unlike that of any other case, unless it has an id"
    )
    id: Annotated[StrictStr, Field(min_length=1)] | None = Field(
        None, description="default: slug of the title"
    )
    category: Category = Category.ELEMENT
    input: dict[StrictStr, Any] = Field({}, description="the prompt's variables")
    expected_behavior: StrictStr | None = Field(None, description="what a good output does, in words")
    expected_score_range: RangeSpec | None = None
    reference: Annotated[StrictStr, Field(max_length=MAX_REFERENCE)] | None = Field(
        None, description=f"an ideal answer, shown to the judge; at most {MAX_REFERENCE:,} characters"
    )
    output: StrictStr | None = Field(None, description="a recorded output, judged as it is")
    tags: tuple[StrictStr, ...] = Field((), description="words to select cases by")
    skip: Annotated[StrictStr, Field(min_length=1)] | None = Field(None, description="why it is left out")
    manual_override: ManualOverride | None = None


class CasesSpec(FileModel):
    """Where the cases are: inline, or in files of their own."""

    source: Literal["inline", "external"] = Field(
        "inline", description="whether cases stand here, or in files of their own"
    )
    items: tuple[CaseSpec, ...] = Field((), description="the cases, for source inline")
    pattern: StrictStr | None = Field(None, description="glob relative to test_root")
    schema_: StrictStr | None = Field(
        None, alias="schema", description="JSON Schema that each case must meet"
    )

    @model_validator(mode="before")
    @classmethod
    def _legacy(cls, value: Any) -> Any:
        return {"items": value} if isinstance(value, list) else value

    @model_validator(mode="after")
    def _one_place(self) -> "CasesSpec":
        if self.source == "external" and not self.pattern:
            raise ValueError("source 'external' needs a 'pattern'")
        if self.source == "external" and self.items:
            raise ValueError("'items' belong to source 'inline'")
        if self.source == "inline" and self.pattern:
            raise ValueError("'pattern' belongs to source 'external'")
        return self


class Bind(StrEnum):
    """What a correction holds for: one output, or the case whatever its output."""

    OUTPUT = "output"
    CASE = "case"


class OverrideSpec(FileModel):
    """A person's correction of a score."""

    case_ref: Annotated[StrictStr, Field(min_length=1)] = Field(
        description="the ref of the case that is corrected"
    )
    criterion: StrictStr | None = Field(None, description="without it: the total")
    score: Percent = Field(description="the score that counts")
    timestamp: StrictStr = Field(description="when it was decided")
    reason: Annotated[StrictStr, Field(min_length=1)] = Field(description="why, for those who read it later")
    author: StrictStr | None = Field(None, description="who decided")
    bind: Bind = Bind.CASE
    output_sha256: StrictStr | None = Field(None, description="the output that it was decided for")
    rubric_sha256: StrictStr | None = Field(
        None, description="the rubric that it was decided for; a changed rubric makes it stale"
    )
    expires: StrictStr | None = Field(None, description="a day; after it the correction is not applied")
    status: Literal["active", "withdrawn"] = Field(
        "active", description="a withdrawn decision is kept, but not applied"
    )


class OverridesSpec(FileModel):
    """Where corrections are kept."""

    source: StrictStr = Field(
        "overrides/overrides.yaml", description="the file that holds them, relative to test_root"
    )
    items: tuple[OverrideSpec, ...] = Field((), description="corrections that stand here")


class SpecsSpec(FileModel):
    """Documents that define the evaluation in detail."""

    pattern: StrictStr = Field(description="glob relative to the project root")
    max_characters: Annotated[StrictInt, Field(ge=1)] = Field(
        60_000, description="the most that all of them together may hold; none is ever cut"
    )


class LogsSpec(FileModel):
    """Where a copy of the results goes."""

    directory: StrictStr = Field("logs/", description="relative to test_root")
    format: Literal["jsonl", "json", "csv"] = Field("jsonl", description="how records are written")


class AnalysisSpec(FileModel):
    """Where a summary of the results goes."""

    directory: StrictStr = Field("logs/analysis/", description="relative to test_root")


class PromptMeta(FileModel):
    """A suite of cases for one prompt."""

    target: StrictStr | None = Field(None, description="the prompt under test, relative to the project root")
    type: Literal["prompt"] = Field("prompt", description="what tells it from tests of code")
    prompt_name: Annotated[StrictStr, Field(min_length=1)] = Field(description="the name of the suite")
    last_updated: StrictStr | None = Field(None, description="a day")
    test_root: StrictStr | None = Field(None, description="default: the folder of this file")
    runner: StrictStr | None = Field(
        None, description="a program that produces the outputs, relative to test_root"
    )
    runner_timeout_seconds: Seconds = Field(
        Decimal(120), description="how long the runner may answer nothing while it has cases to answer"
    )
    config: StrictStr | None = Field(None, description="a .env file for the runner and the providers")
    model: ModelChoice | None = Field(None, description="the model that the prompt is sent to")
    judge: JudgeSpec = JudgeSpec()
    evaluation: Evaluation = Evaluation()
    criteria: tuple[CriterionSpec, ...] = ()
    specs: SpecsSpec | None = None
    checks: tuple[CheckSpec, ...] = ()
    thresholds: Thresholds = Thresholds()
    cases: CasesSpec
    overrides: OverridesSpec | None = None
    logs: LogsSpec | None = None
    analysis: AnalysisSpec | None = None
