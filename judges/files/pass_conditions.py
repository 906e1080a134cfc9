"""The pass conditions of a fixture, declared once: what every replica of its session is graded on.

The models validate, and give the JSON Schema and the reference documentation. Whether a pattern is a
JavaScript regular expression is found out where the engine is: `judges.run.fixture_checks`.
"""

from pathlib import PurePosixPath
from typing import Annotated

from pydantic import AfterValidator, Field, StrictBool, StrictInt, StrictStr, WithJsonSchema, model_validator

from judges.core.session import ViewName
from judges.files.evaluation_meta import QuorumChoice
from judges.files.model import FileModel, Seconds, Usd
from judges.files.problems import found


def _filled(text: str) -> str:
    if not text.strip():
        raise ValueError("must not be empty")
    return text


def _only_true(value: bool) -> bool:
    if not value:
        raise ValueError("false would check nothing: leave the key out, or write true")
    return value


def _different(items: tuple[str, ...]) -> tuple[str, ...]:
    twice = next((each for each in items if items.count(each) > 1), None)
    if twice is not None:
        raise ValueError(f"{found(twice)} is named twice")
    return items


def _inside(path: str) -> str:
    place = PurePosixPath(path)
    if place.is_absolute() or ".." in place.parts or not place.parts:
        raise ValueError(f"expected the path of a file inside the workspace, found {found(path)}")
    return path


Filled = Annotated[StrictStr, AfterValidator(_filled), Field(json_schema_extra={"minLength": 1})]
OnlyTrue = Annotated[
    StrictBool, AfterValidator(_only_true), WithJsonSchema({"type": "boolean", "enum": [True]})
]
Count = Annotated[StrictInt, Field(ge=0)]
Names = Annotated[tuple[Filled, ...], AfterValidator(_different)]


class Pattern(FileModel):
    """A JavaScript regular expression, and whether capitals matter to it."""

    pattern: Annotated[StrictStr, Field(min_length=1)] = Field(description="as in `RegExp(pattern)`")
    case_sensitive: StrictBool = Field(description="false: capitals do not matter")


class RunConditions(FileModel):
    """What must hold of the session as a whole."""

    must_succeed: OnlyTrue | None = Field(None, description="the session must end in success")
    max_duration_ms: Count | None = Field(None, description="the longest that it may take, start to end")
    max_parse_errors: Count | None = Field(None, description="lines of its stream that are no JSON")
    max_cost_usd: Usd | None = Field(None, description="the most that it may cost, as the client reports it")


class ViewConditions(FileModel):
    """What a view must hold, and what it must not."""

    must_include: tuple[Pattern, ...] = Field((), description="each must match somewhere")
    must_not_include: tuple[Pattern, ...] = Field((), description="none may match anywhere")


class ViewsConditions(FileModel):
    """Patterns on what was said and done."""

    thinking: ViewConditions = Field(ViewConditions(), description="the blocks of thinking")
    assistant_text: ViewConditions = Field(ViewConditions(), description="the blocks of text")
    tool_inputs: ViewConditions = Field(
        ViewConditions(), description="the input of each tool call as JSON, top-level keys sorted, one a line"
    )
    tool_outputs: ViewConditions = Field(ViewConditions(), description="the text of all tool results")
    everything: ViewConditions = Field(
        ViewConditions(), description="thinking, text, tool inputs, tool outputs, result, in this order"
    )
    result: ViewConditions = Field(ViewConditions(), description="the final text of the session")
    transcript: ViewConditions = Field(
        ViewConditions(), description="all of it in the order in which it happened, with the names of tools"
    )


class CountCondition(FileModel):
    """How often a tool must be called: a range, or an exact number."""

    min: Count | None = Field(None, description="at least this often")
    max: Count | None = Field(None, description="at most this often")
    exact: Count | None = Field(None, description="exactly this often; not with min or max")

    @model_validator(mode="after")
    def _one_way(self) -> "CountCondition":
        if self.exact is None and self.min is None and self.max is None:
            raise ValueError("needs 'min', 'max' or 'exact'")
        if self.exact is not None and (self.min is not None or self.max is not None):
            raise ValueError("'exact' cannot be mixed with 'min' or 'max'")
        if self.min is not None and self.max is not None and self.min > self.max:
            raise ValueError(f"min ({self.min}) must not be above max ({self.max})")
        return self


class InputCondition(FileModel):
    """What the inputs of a tool's calls must match: each as JSON, top-level keys sorted."""

    tool: Filled = Field(description="the name of the tool")
    must_match: Pattern | None = Field(None, description="the input of at least one call must match")
    must_not_match: Pattern | None = Field(None, description="the input of no call may match")

    @model_validator(mode="after")
    def _one_at_least(self) -> "InputCondition":
        if self.must_match is None and self.must_not_match is None:
            raise ValueError("needs 'must_match' or 'must_not_match'")
        return self


class ToolCallConditions(FileModel):
    """Which tools are called, how often, in which order, with what. Calls of subagents count."""

    required: Names = Field((), description="tools that must be called at least once")
    forbidden: Names = Field((), description="tools that must not be called")
    counts: dict[Filled, CountCondition] = Field({}, description="how often tools are called, by name")
    order: tuple[Filled, ...] = Field((), description="calls in this order; others may stand between them")
    inputs: tuple[InputCondition, ...] = Field((), description="patterns on what tools are called with")


class ToolResultCondition(FileModel):
    """What must hold of the results of one tool."""

    must_succeed: OnlyTrue = Field(description="at least one result, and none is an error")


class ToolResultConditions(FileModel):
    """What tools gave back."""

    all_succeeded: OnlyTrue | None = Field(None, description="no result of any tool is an error")
    per_tool: dict[Filled, ToolResultCondition] = Field({}, description="conditions on tools, by name")


class ResultConditions(FileModel):
    """Patterns on the final text of the session."""

    must_match: Pattern | None = Field(None, description="must match somewhere")
    must_not_match: Pattern | None = Field(None, description="may match nowhere")


class FileCondition(FileModel):
    """What must hold of a file in the replica's workspace when the session has ended."""

    path: Annotated[Filled, AfterValidator(_inside)] = Field(description="relative to the workspace")
    exists: StrictBool | None = Field(None, description="whether there must be such a file")
    must_match: Pattern | None = Field(None, description="must match somewhere in its text")
    must_not_match: Pattern | None = Field(None, description="may match nowhere in its text")

    @model_validator(mode="after")
    def _one_at_least(self) -> "FileCondition":
        on_text = self.must_match is not None or self.must_not_match is not None
        if self.exists is None and not on_text:
            raise ValueError("needs 'exists', 'must_match' or 'must_not_match'")
        if self.exists is False and on_text:
            raise ValueError("a file that must not exist has no text to match")
        return self


class SemanticCondition(FileModel):
    """A question to a judge about one view: PASS or FAIL. One call for each replica and judge."""

    id: Filled = Field(description="unlike that of any other")
    view: ViewName = Field(description="what the judge sees")
    judge_model: Filled | None = Field(None, description="who judges: provider:model, or a bare name")
    judges: Names = Field((), description="several judges in place of `judge_model`")
    quorum: QuorumChoice = Field("majority", description="how many of the judges must say PASS")
    judge_timeout_seconds: Seconds | None = Field(
        None, description="for one call of a judge; default: the timeout of the fixture"
    )
    rubric: Filled = Field(description="what passes and what fails")

    @model_validator(mode="after")
    def _who_judges(self) -> "SemanticCondition":
        if self.judge_model is None and not self.judges:
            raise ValueError("needs a 'judge_model', or several 'judges'")
        if self.judge_model is not None and self.judges:
            raise ValueError("'judge_model' and 'judges' both name who judges: give one of them")
        if len(self.judges) == 1:
            raise ValueError("'judges' are at least two; a single one is the 'judge_model'")
        if isinstance(self.quorum, int) and self.quorum > max(len(self.judges), 1):
            raise ValueError(f"a quorum of {self.quorum} cannot be reached with {max(len(self.judges), 1)}")
        return self

    @property
    def asked(self) -> tuple[str, ...]:
        """The names of all judges."""
        return self.judges or tuple(filter(None, [self.judge_model]))


def _unlike(conditions: tuple[SemanticCondition, ...]) -> tuple[SemanticCondition, ...]:
    _different(tuple(each.id for each in conditions))
    return conditions


class PassConditions(FileModel):
    """What every replica is graded on: each condition is one row. At least one is needed."""

    run: RunConditions = RunConditions()
    views: ViewsConditions = ViewsConditions()
    tool_calls: ToolCallConditions = ToolCallConditions()
    tool_results: ToolResultConditions = ToolResultConditions()
    result: ResultConditions = ResultConditions()
    files: tuple[FileCondition, ...] = ()
    semantic: Annotated[tuple[SemanticCondition, ...], AfterValidator(_unlike)] = ()

    @model_validator(mode="after")
    def _any(self) -> "PassConditions":
        if asks_nothing(self):
            raise ValueError("there is no condition: a fixture that checks nothing would always pass")
        return self


def asks_nothing(section: FileModel) -> bool:
    """Tell whether a section, with all those in it, holds no condition."""
    values = (value for _, value in section)
    return all(
        asks_nothing(each) if isinstance(each, FileModel) else each in (None, (), {}) for each in values
    )
