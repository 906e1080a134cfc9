"""What the models of the JSON report share. They describe what is written; nothing here writes or reads it.

A reader is told to pass over keys that it does not know, so no model forbids any.
"""

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, StrictInt, StrictStr

from judges.files.model import Number, Usd

Count = Annotated[StrictInt, Field(ge=0)]
Interval = Annotated[tuple[Number, ...], Field(min_length=2, max_length=2)]
"""The lower and the upper end."""


def _without_defaults(schema: dict[str, Any]) -> None:
    """A key that may be absent stands for nothing when it is: no value is to be taken in its place."""
    for key in schema["properties"].values():
        key.pop("default", None)


class ReportModel(BaseModel):
    """A mapping with at least these keys."""

    model_config = ConfigDict(
        frozen=True,
        extra="ignore",
        populate_by_name=True,
        defer_build=True,
        json_schema_extra=_without_defaults,
    )


class TotalsEntry(ReportModel):
    """How many cases ended how. The verdicts add up to `cases`."""

    cases: Count = Field(description="all of them")
    passed: Count = Field(description="PASS")
    warned: Count = Field(description="WARN")
    failed: Count = Field(description="FAIL")
    errored: Count = Field(description="ERROR: could not be measured")
    inconclusive: Count = Field(description="INCONCLUSIVE")
    skipped: Count = Field(description="SKIP: not run, for a reason that is told")
    overridden: Count = Field(description="those of all verdicts that were corrected")


class UsageEntry(ReportModel):
    """What model calls used."""

    calls: Count = Field(description="calls that were made; a session of a fixture is one")
    cached: Count = Field(description="calls that were answered from the cache, which cost nothing")
    input_tokens: Count = Field(description="tokens read, those of a vendor's prompt cache included")
    output_tokens: Count = Field(description="tokens written")
    cost_usd: Usd | None = Field(description="cost in USD; null: a price is not known, which is not 0")


class NoticeEntry(ReportModel):
    """A remark. It changes no verdict and no exit code."""

    text: StrictStr = Field(description="a sentence for a person")
    ref: StrictStr | None = Field(description="the case that it is about; null: none in particular")
