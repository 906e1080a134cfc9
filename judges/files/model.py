"""What the models of all file formats share: strict keys, exact numbers, names."""

import math
import re
from decimal import Decimal
from typing import Annotated

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, StrictStr, WithJsonSchema

from judges.files.problems import found

NAME_PATTERN = r"^[A-Za-z][A-Za-z0-9_-]{0,47}$"


def _exact(value: object) -> object:
    """Turn a YAML number into an exact decimal; leave everything else to be refused."""
    if isinstance(value, float) and not math.isfinite(value):
        raise ValueError(f"expected a finite number, found {value}")
    if isinstance(value, int | float) and not isinstance(value, bool):
        return Decimal(value if isinstance(value, int) else str(value))
    return value


def _name(value: str) -> str:
    if not re.fullmatch(NAME_PATTERN, value):
        raise ValueError(
            f"expected a letter, then up to 47 letters, digits, '_' or '-', found {found(value)}"
        )
    return value


_NUMBER = {"type": "number"}
Number = Annotated[Decimal, BeforeValidator(_exact), Field(strict=True), WithJsonSchema(_NUMBER)]
Weight = Annotated[Number, Field(ge=0), WithJsonSchema({**_NUMBER, "minimum": 0})]
Seconds = Annotated[Number, Field(gt=0), WithJsonSchema({**_NUMBER, "exclusiveMinimum": 0})]
Usd = Annotated[Number, Field(ge=0), WithJsonSchema({**_NUMBER, "minimum": 0})]
Percent = Annotated[Number, Field(ge=0, le=100), WithJsonSchema({**_NUMBER, "minimum": 0, "maximum": 100})]
Share = Annotated[Number, Field(ge=0, le=1), WithJsonSchema({**_NUMBER, "minimum": 0, "maximum": 1})]
Margin = Annotated[
    Number, Field(gt=0, le=100), WithJsonSchema({**_NUMBER, "exclusiveMinimum": 0, "maximum": 100})
]
Temperature = Annotated[Number, Field(ge=0, le=2), WithJsonSchema({**_NUMBER, "minimum": 0, "maximum": 2})]
Name = Annotated[StrictStr, AfterValidator(_name), Field(json_schema_extra={"pattern": NAME_PATTERN})]


class FileModel(BaseModel):
    """A mapping with exactly these keys; `x-…` keys are dropped before validation."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        populate_by_name=True,
        defer_build=True,  # a model that stands inside another one is built with it, not twice
        json_schema_extra={"patternProperties": {"^x-": {}}},
    )
