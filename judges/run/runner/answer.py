"""What a runner writes: a line is an object with an id, the rest of it an answer."""

from decimal import Decimal
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, model_validator

from judges.core.errors import ConfigError, ProcessError
from judges.core.row import excerpt
from judges.core.usage import Usage
from judges.files.document import Document
from judges.files.jsonl import parse_json
from judges.files.model import Number
from judges.files.shape import parse_model

MAX_LINE_BYTES = 32_000_000

Count = Annotated[int, Field(ge=0, strict=True)]


class _Lenient(BaseModel):
    """Keys of the runner's own are free."""

    model_config = ConfigDict(frozen=True, strict=True, extra="ignore")


class TokenUsage(_Lenient):
    """The tokens that the runner's own calls to a model took."""

    input_tokens: Count
    output_tokens: Count


class Answer(_Lenient):
    """One answer: an output, the cases of a file, or why there is none."""

    output: str | None = None
    cases: Any = None
    error: Annotated[str, Field(min_length=1)] | None = None
    usage: TokenUsage | None = None
    cost_usd: Annotated[Number, Field(ge=0)] | None = None
    latency_ms: Annotated[Number, Field(ge=0)] | None = None
    events: list[Any] | None = None

    @model_validator(mode="after")
    def _one_thing(self) -> "Answer":
        given = [name for name in ("output", "cases", "error") if getattr(self, name) is not None]
        if len(given) != 1:
            found = " and ".join(given) or "neither"
            raise ValueError(f"expected one of 'output' and 'error', found {found}")
        return self

    @property
    def used(self) -> Usage:
        """What the runner says it used, as one call; nothing where it says nothing."""
        if self.usage is None and self.cost_usd is None:
            return Usage()
        tokens = self.usage or TokenUsage(input_tokens=0, output_tokens=0)
        return Usage(
            calls=1,
            input_tokens=tokens.input_tokens,
            output_tokens=tokens.output_tokens,
            cost_usd=None if self.cost_usd is None else Decimal(self.cost_usd),
        )


def parse_line(line: bytes) -> tuple[str, Document]:
    """Return the id of an answer, and the object that it stands in.

    Raises:
        ProcessError: the line is no such object.
    """
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError:
        raise ProcessError(f"not UTF-8 text: {_shown(line.decode('utf-8', 'replace'))}") from None
    try:
        document = parse_json(text, "")
    except ConfigError as error:
        raise ProcessError(f"{error.problems[0].message}: {_shown(text)}") from None
    if not isinstance(document.value, dict) or not isinstance(document.value.get("id"), str):
        raise ProcessError(f"no object with the id of a request: {_shown(text)}")
    return document.value["id"], document


def parse_answer(document: Document) -> Answer:
    """Return the answer that an object is.

    Raises:
        ProcessError: it has another shape.
    """
    try:
        return parse_model(Answer, document)
    except ConfigError as error:
        mistakes = (f"{each.key}: {each.message}" if each.key else each.message for each in error.problems)
        raise ProcessError("; ".join(mistakes)) from None


def _shown(text: str) -> str:
    return f"'{excerpt(text.strip(), 80)}'"
