"""The sections of `prompt-meta.yaml` that hold the cases, and people's corrections of their scores."""

from enum import StrEnum
from typing import Annotated, Any, Literal

from pydantic import Field, StrictStr, model_validator

from judges.core.case import Category
from judges.core.rating import RaterKind
from judges.files.model import FileModel, Percent

MAX_REFERENCE = 20_000  # characters
DECIDED_BY = "who decided; what a model decided is no person's label for `scaffold calibrate`"


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
    rater_kind: RaterKind = Field(RaterKind.PERSON, description=DECIDED_BY)


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
    """A correction of a score."""

    case_ref: Annotated[StrictStr, Field(min_length=1)] = Field(
        description="the ref of the case that is corrected"
    )
    criterion: StrictStr | None = Field(None, description="without it: the total")
    score: Percent = Field(description="the score that counts")
    timestamp: StrictStr = Field(description="when it was decided")
    reason: Annotated[StrictStr, Field(min_length=1)] = Field(description="why, for those who read it later")
    author: StrictStr | None = Field(None, description="who decided")
    rater_kind: RaterKind = Field(RaterKind.PERSON, description=DECIDED_BY)
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
