"""The shape of `prompt-meta.yaml`, declared once.

The models validate, give the JSON Schema and the reference documentation. They know nothing of YAML, of
positions in a file, or of other files: `judges.files.load` does.
"""

from decimal import Decimal
from enum import StrEnum
from typing import Annotated, Any, Literal

from pydantic import Field, StrictInt, StrictStr, model_validator

from judges.files.case_meta import CasesSpec, OverridesSpec
from judges.files.evaluation_meta import Evaluation, JudgeSpec, ModelChoice
from judges.files.model import FileModel, Name, Percent, Seconds, Share, Weight


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
    min_agreement: Share | None = Field(  # on the scale of a kappa: a 60 is refused, a 0.6 of 100 would pass
        None,
        description="the quadratic weighted kappa, 0..1, that judge and people must reach: what "
        "`scaffold calibrate` fails below",
    )

    @model_validator(mode="after")
    def _ordered(self) -> "Thresholds":
        if self.warn is not None and self.warn > self.pass_:
            raise ValueError(f"warn ({self.warn}) must not be above pass ({self.pass_})")
        return self


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
