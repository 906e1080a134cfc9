"""The JSON report, which other tools read: what `judges.out.json_report` writes, key by key.

Scores are 0..100, shares 0..1, costs in USD. Null is what is not there or not known, never 0.
"""

from typing import Literal

from pydantic import Field, StrictBool, StrictInt, StrictStr
from pydantic.json_schema import SkipJsonSchema

from judges.core.case import Category
from judges.core.rating import RaterKind
from judges.core.report import SuiteKind
from judges.core.verdict import ExitCode, Verdict
from judges.files.model import Number, Percent, Share
from judges.files.report_parts import Count, NoticeEntry, ReportModel, TotalsEntry, UsageEntry
from judges.files.report_row import RowEntry
from judges.files.report_summary import SummaryEntry

_Absent = SkipJsonSchema[None]


class CriterionEntry(ReportModel):
    """The result of one criterion of a case."""

    level: StrictInt | None = Field(
        description="the level, from 1; null: it has none, or the percent was corrected"
    )
    percent: Percent = Field(
        description="(level - 1) / (levels - 1) * 100, what a correction says, or 100, 0 and in a tie 50"
    )
    reasoning: StrictStr | None = Field(description="why, in the judge's words; null: it gave no reason")
    confidence: Number | None = Field(description="how sure the judge is, 0..1; null: it does not tell")


class CorrectionEntry(ReportModel):
    """What a person, or a model that corrects the judge, decided in its place."""

    score: Percent = Field(description="what counts")
    judged_score: Percent | None = Field(description="what the judge had said; null: nothing")
    author: StrictStr | None = Field(description="who decided; null: not told")
    rater_kind: RaterKind = Field(description="whether a person or a model decided")
    timestamp: StrictStr = Field(description="when, in ISO 8601")
    reason: StrictStr = Field(description="why")
    expires: StrictStr | None = Field(description="until when it is applied, in ISO 8601; null: for good")


class OverrideEntry(ReportModel):
    """What was corrected about a case. All keys but `criteria` are there where the total was corrected."""

    score: Percent | _Absent = Field(None, description="the total that counts")
    judged_score: Percent | None = Field(None, description="the judge's total; null: there is none")
    author: StrictStr | None = Field(None, description="who decided; null: not told")
    rater_kind: RaterKind | _Absent = Field(None, description="whether a person or a model decided")
    timestamp: StrictStr | _Absent = Field(None, description="when, in ISO 8601")
    reason: StrictStr | _Absent = Field(None, description="why")
    expires: StrictStr | None = Field(
        None, description="until when it is applied, in ISO 8601; null: for good"
    )
    criteria: dict[StrictStr, CorrectionEntry] | _Absent = Field(
        None, description="by criterion, where one was corrected"
    )


class StabilityEntry(ReportModel):
    """How steady the judge was, where it was asked again (`evaluation.replicas`)."""

    asked: Count = Field(description="how often")
    flips: Count = Field(description="how many of the answers alone would lead to another verdict")
    agreement: Share | None = Field(
        description="the share of answers that agree with what they came to; null: there were none"
    )


class CaseEntry(ReportModel):
    """One case. Of a fixture it is the fixture with one model, its rows by quorum; of a grid it is a cell."""

    ref: StrictStr = Field(
        description="what names the case in its suite; with several models each has a case of this ref; "
        "a fixture's name; `ARM/MODEL/TASK` in a grid"
    )
    title: StrictStr = Field(description="what people call it")
    category: Category | None = Field(description="null: fixtures and grids have none")
    model: StrictStr | None = Field(
        description="what made the output; null: it was recorded, is a runner's, or no model was named"
    )
    verdict: Verdict = Field(description="that of the row that decided it; ERROR: could not be measured")
    score: Percent | None = Field(
        description="the total that counts: in a binary suite 100 or 0, in a comparison what `b` won, in a "
        "grid the mean of what was measured; null: there is none, as in fixtures"
    )
    judged_score: Percent | None = Field(description="the judge's total, before corrections; null: none")
    criteria: dict[StrictStr, CriterionEntry] = Field(
        description="by name: those with a result; empty in fixtures and grids"
    )
    rows: tuple[RowEntry, ...] = Field(description="every assertion, in a fixed order")
    override: OverrideEntry | None = Field(description="what was corrected; null: nothing")
    stability: StabilityEntry | None = Field(description="null: the judge was asked once")
    notices: tuple[NoticeEntry, ...] = Field(description="remarks on this case")
    usage: UsageEntry = Field(description="what outputs and judging took")
    output_usage: UsageEntry = Field(description="the part of `usage` that outputs took")
    output: StrictStr | None = Field(
        description="the output, whole; `b`'s of a comparison, the first replica's or repeat's of several; "
        "null: there is none"
    )
    outputs: dict[StrictStr, StrictStr | None] = Field(
        description="of a comparison, those of both arms; null: there is none; else empty"
    )


class ModelEntry(ReportModel):
    """The cases of one model."""

    totals: TotalsEntry = Field(description="how its cases ended")
    mean_score: Percent | None = Field(description="over the cases that have a score; null: none has")
    output_usage: UsageEntry = Field(description="what making the outputs took, without judging them")


class JudgeEntry(ReportModel):
    """Who judged, and whether they are better than chance at it (`scaffold qualify`)."""

    model: StrictStr = Field(description="the judge's name; several are joined by `, `")
    qualified: StrictBool | None = Field(
        description="false: no better than chance, so that nothing it says settles a case; null: not measured"
    )
    n: StrictInt | None = Field(description="how many outputs people had rated; null: not measured")
    accuracy: Share | None = Field(
        description="share of pairs in the order of people, by chance 0.5; null: not measured"
    )
    low: Share | None = Field(description="lower end of its 95 % interval; null: not measured")
    high: Share | None = Field(description="upper end of its 95 % interval; null: not measured")


class SuiteEntry(ReportModel):
    """One suite."""

    name: StrictStr = Field(description="what people call it")
    kind: SuiteKind = Field(description="what sort of suite it is")
    path: StrictStr = Field(description="the suite's file, as it was named or found")
    verdict: Verdict = Field(description="as the suite decides by its cases; SKIP: none was measured")
    run_dir: StrictStr | None = Field(
        description="the suite's folder in the run directory; null: nothing was started"
    )
    totals: TotalsEntry = Field(description="how its cases ended")
    usage: UsageEntry = Field(description="what all cases took, and what came before them, as a canary")
    models: dict[StrictStr, ModelEntry] = Field(description="by the models that made outputs")
    summary: SummaryEntry = Field(description="the figures that the suite was decided by")
    judge: JudgeEntry | None = Field(description="null: nobody judges the whole of it")
    notices: tuple[NoticeEntry, ...] = Field(description="remarks on the suite, and those of its cases")
    cases: tuple[CaseEntry, ...] = Field(description="in the order of the suite")


class ReportFile(ReportModel):
    """A run, with all that came of it."""

    schema_: Literal[1] = Field(alias="schema", description="the version of this format")
    verdict: Verdict = Field(description="that of the worst suite")
    exit_code: ExitCode = Field(description="what the process exits with; 2 and 70 are in no report")
    run_dir: StrictStr | None = Field(description="the run directory; null: nothing was started")
    totals: TotalsEntry = Field(description="the sum over all suites")
    usage: UsageEntry = Field(description="the sum over all suites")
    notices: tuple[NoticeEntry, ...] = Field(description="remarks on the run, without those of its suites")
    suites: tuple[SuiteEntry, ...] = Field(description="in the order in which they were run")
