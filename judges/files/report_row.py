"""A row of the JSON report: seven keys that are always there, and those that some rows have besides."""

from typing import Annotated, Any, Literal

from pydantic import Field, StrictBool, StrictInt, StrictStr
from pydantic.json_schema import SkipJsonSchema

from judges.core.verdict import Verdict
from judges.files.model import Number, Percent, Usd
from judges.files.report_parts import Count, ReportModel

_Absent = SkipJsonSchema[None]
_Arm = Literal["a", "b", "tie"]
_Texts = tuple[StrictStr, ...]


class VoteEntry(ReportModel):
    """One of several answers to the same question: it has an `answer`, or the `error` in its place."""

    judge: StrictStr = Field(description="the judge by name; `judge` where a single one was asked again")
    replica: Annotated[StrictInt, Field(ge=1)] = Field(description="the how-manieth time it was asked")
    answer: StrictBool | StrictInt | StrictStr | _Absent = Field(
        None, description="a level, whether the question's statement holds, or what was chosen"
    )
    error: StrictStr | _Absent = Field(None, description="why there is no answer")


class GridCriterionEntry(ReportModel):
    """What one output of a grid reached in a criterion."""

    level: StrictInt | None = Field(description="the level, from 1")
    percent: Percent = Field(description="(level - 1) / (levels - 1) * 100")
    reasoning: StrictStr | None = Field(description="the judge's; null: it gave none")


class AssertionKeys(ReportModel):
    """What every row has."""

    id: StrictStr = Field(
        description="which row of the case this is, such as `checks.short`, `criteria.tone`, `score`, "
        "`run.completed`, `gate[0]`; in a comparison `a.checks.short` is of one arm"
    )
    kind: StrictStr = Field(
        description="the sort of row, such as `checks`, `criteria`, `run.completed` or `gate`"
    )
    verdict: Verdict = Field(description="ERROR: could not be measured; SKIP: was not evaluated")
    score: Percent | None = Field(
        description="0..100; in a grid of labels 1 for right and 0 for wrong; null: the row has none"
    )
    actual_excerpt: StrictStr | None = Field(
        description="what was found, for a person; null or empty where there is nothing to say"
    )
    spec: dict[StrictStr, Any] = Field(
        description="what was asked for, by the keys of the suite's file; empty where that is all in the id"
    )
    error: StrictStr | None = Field(
        description="why it could not be measured (ERROR) or was not evaluated (SKIP); else null"
    )


class JudgedKeys(ReportModel):
    """What rows have that a judge's answer is behind."""

    reasoning: StrictStr | _Absent = Field(None, description="judged: why, in its words; may be empty")
    quotes: _Texts | _Absent = Field(None, description="judged: what the judge quoted from the evidence")
    confidence: Number | _Absent = Field(
        None, description="judged: how sure the judge is, or the share of several that agree, 0..1"
    )
    probabilities: dict[StrictStr, Number] | _Absent = Field(
        None, description="judged: 0..1 by level, label or choice, from a judge that gives them"
    )
    supported: StrictBool | _Absent = Field(
        None, description="judged, with a meta-judge: whether that finds the answer supported"
    )
    votes: tuple[VoteEntry, ...] | _Absent = Field(
        None, description="judged: every answer, where several judges were asked, or one several times"
    )
    level: StrictInt | _Absent = Field(None, description="`criteria.*`: the judge's level, from 1")
    judged_level: StrictInt | None = Field(
        None, description="`criteria.*` that was corrected: the judge's level"
    )
    judged_percent: Percent | _Absent = Field(
        None, description="`criteria.*` that was corrected: the judge's score"
    )


class ComparisonKeys(ReportModel):
    """What the judged rows of a comparison have: the keys of the judge's answer are of the order `ab`."""

    ab: _Arm | _Absent = Field(None, description="comparison: the better arm, when `a` was shown first")
    ba: _Arm | _Absent = Field(None, description="comparison: the better arm, when `b` was shown first")
    orders_agree: StrictBool | _Absent = Field(
        None, description="comparison: whether both orders led to the same; else the row is a tie"
    )
    reasoning_ba: StrictStr | _Absent = Field(None, description="comparison: `reasoning`, with `b` first")
    quotes_ba: _Texts | _Absent = Field(None, description="comparison: `quotes`, with `b` first")
    confidence_ba: Number | _Absent = Field(None, description="comparison: `confidence`, with `b` first")
    probabilities_ba: dict[StrictStr, Number] | _Absent = Field(
        None, description="comparison: `probabilities`, with `b` first"
    )
    supported_ba: StrictBool | _Absent = Field(None, description="comparison: `supported`, with `b` first")
    votes_ba: tuple[VoteEntry, ...] | _Absent = Field(None, description="comparison: `votes`, with `b` first")


class FixtureKeys(ReportModel):
    """What the rows of a fixture have: how the replicas came out, and how a single one ran."""

    pass_count: Count | _Absent = Field(None, description="fixture: how many replicas passed the row")
    runs: Count | _Absent = Field(None, description="fixture: how many replicas were planned")
    pass_rate: StrictStr | _Absent = Field(None, description="fixture: both as a text, such as `2/3`")
    actual_excerpts: _Texts | _Absent = Field(
        None, description="fixture: what was found in the replicas that did not pass, each once"
    )
    judge_model: StrictStr | _Absent = Field(
        None, description="`semantic.*` of a single replica: who judged; several are joined by `, `"
    )
    judge_duration_ms: Count | _Absent = Field(
        None, description="`semantic.*` of a single replica: how long judging took, in ms"
    )
    elapsed_ms: Number | None = Field(
        None,
        description="`run.completed` of a single replica: ms that the session took; null: not known",
    )
    exit: StrictInt | None = Field(
        None,
        description="`run.completed` of a single replica: the client's exit code; null: ended by a signal",
    )
    signal: StrictStr | None = Field(
        None, description="`run.completed` of a single replica: the signal that ended it; null: none"
    )
    timed_out: StrictBool | _Absent = Field(
        None, description="`run.completed` of a single replica: whether it was ended for want of time"
    )
    parse_errors: Count | _Absent = Field(
        None, description="`run.completed` of a single replica: lines of its stream that are no JSON object"
    )
    cost_usd: Usd | None = Field(
        None, description="`run.completed` of a single replica: what the client says it cost; null: nothing"
    )
    denials: _Texts | _Absent = Field(
        None, description="`run.completed` of a single replica: the tools that it was not allowed to use"
    )


class GridKeys(ReportModel):
    """What the measure rows of a grid have."""

    label: StrictStr | _Absent = Field(
        None, description="`measure[i]` of labels: the label of the output, or its first line if it has none"
    )
    criteria: dict[StrictStr, GridCriterionEntry] | _Absent = Field(
        None, description="`measure[i]` of scores: by criterion"
    )


class RowEntry(GridKeys, FixtureKeys, ComparisonKeys, JudgedKeys, AssertionKeys):
    """One assertion about a case: what was asked for, what was found, and the verdict.

    The keys up to `error` are always there. The others are there where they apply; which those are is said
    before the colon. A row that is no judge's has none of those of judged rows, and so on.
    """

    difference: Number | _Absent = Field(
        None, description="`score` of a regression: the score less the baseline's, -100..100"
    )
