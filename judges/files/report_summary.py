"""The figures of a suite in the JSON report, which go by its kind and type."""

from typing import Literal

from pydantic import Field, StrictStr
from pydantic.json_schema import SkipJsonSchema

from judges.files.model import Number, Percent
from judges.files.report_parts import Count, Interval, ReportModel

_Absent = SkipJsonSchema[None]


class RateEntry(ReportModel):
    """What an arm of a grid reached."""

    arm: StrictStr = Field(description="the arm by name")
    model: StrictStr | None = Field(description="the model by its full name; null: all of several together")
    tasks: Count = Field(description="how many tasks could be measured")
    samples: Count = Field(description="how many outputs those are")
    mean: Percent = Field(description="every task counts the same")
    median: Percent = Field(description="of the rates of the single repeats")
    interval: Interval = Field(description="95 % interval of the mean over tasks: two percents")


class UpliftEntry(ReportModel):
    """How far an arm of a grid is above the control."""

    arm: StrictStr = Field(description="the arm by name")
    model: StrictStr | None = Field(description="the model by its full name; null: all of several together")
    tasks: Count = Field(description="how many tasks were measured for both")
    mean: Number = Field(description="-100..100, in points of percent")
    interval: Interval | None = Field(
        description="95 % interval of the mean over tasks: two numbers; null: a single task, or no spread"
    )


class FlatTaskEntry(ReportModel):
    """A task that tells no arm from another, since all outputs were worth the same."""

    task: StrictStr = Field(description="the task by its id")
    outcome: Literal["right", "wrong", "alike"] = Field(description="worth all, worth nothing, or in between")


class OutOfEnumEntry(ReportModel):
    """A model with outputs that gave none of the labels."""

    model: StrictStr = Field(description="the model by its full name")
    outputs: Count = Field(description="how many outputs it made")
    count: Count = Field(description="how many of them gave no label")
    answers: dict[StrictStr, Count] = Field(description="how often each was given in its place")


class CellEntry(ReportModel):
    """What one arm and one model made of one task."""

    arm: StrictStr = Field(description="the arm by name")
    model: StrictStr = Field(description="the model by its full name")
    task: StrictStr = Field(description="the task by its id")
    repeats: Count = Field(description="how many outputs could be measured")
    mean: Percent | None = Field(description="null: none could be measured")
    median: Percent | None = Field(description="null: none could be measured")
    interval: Interval | None = Field(
        description="95 % interval of the mean over repeats: two percents; null: none could be measured"
    )


class SummaryEntry(ReportModel):
    """The figures that decided a suite, or that it is run for. Which there are goes by what suite it is.

    That is said before the colon. A fixture has none, nor has a suite of type multi_criteria: their worst
    case decides, or the share of `totals`. A regression without a baseline has `baseline` alone.
    """

    pass_rate: Percent | None = Field(
        None, description="binary: percent of the measured cases that pass; null: none was measured"
    )
    warn_rate: Percent | None = Field(
        None, description="binary: percent that pass but for a warning; null: none was measured"
    )
    threshold: Percent | _Absent = Field(
        None, description="binary, comparison: the percent that `pass_rate` or `win_rate` must reach"
    )
    wins: Count | _Absent = Field(None, description="comparison: cases in which `b` is better")
    ties: Count | _Absent = Field(None, description="comparison: cases in which neither is")
    losses: Count | _Absent = Field(None, description="comparison: cases in which `a` is better")
    win_rate: Percent | None = Field(
        None, description="comparison: percent that `b` wins, a tie being half; null: nothing was compared"
    )
    judged: Count | _Absent = Field(None, description="comparison: cases that the judge compared")
    position_bias: Count | _Absent = Field(
        None, description="comparison: those of them in which the order swayed the judge"
    )
    baseline: StrictStr | None = Field(
        None, description="regression: the accepted run; null: there is none yet"
    )
    compared: Count | _Absent = Field(None, description="regression: cases with a score on both sides")
    drops: Count | _Absent = Field(
        None, description="regression: cases that dropped by more than `max_drop`, or newly fail a check"
    )
    max_drop: Number | _Absent = Field(None, description="regression: by how much a case may drop, 0..100")
    mean_difference: Number | None = Field(
        None, description="regression: mean of now less the baseline, -100..100; null: nothing was compared"
    )
    margin: Number | None = Field(
        None, description="regression: the mean loss that is allowed, 0..100; null: none is set"
    )
    detectable: Number | None = Field(
        None, description="regression: the mean loss that 4 of 5 such runs would show; null: not to be told"
    )
    interval: Interval | None = Field(
        None,
        description="binary, comparison, regression: 95 % interval of `pass_rate`, `win_rate` or "
        "`mean_difference`, two numbers; null: too few cases",
    )
    control: StrictStr | _Absent = Field(None, description="grid: the arm that the others are held against")
    tasks: Count | _Absent = Field(None, description="grid: how many tasks there are")
    rates: tuple[RateEntry, ...] | _Absent = Field(
        None, description="grid: by arm and model, then by arm; without those that nothing was measured of"
    )
    uplift: tuple[UpliftEntry, ...] | _Absent = Field(
        None, description="grid: by arm but the control, and model, then by arm"
    )
    flat_tasks: tuple[FlatTaskEntry, ...] | _Absent = Field(None, description="grid: tasks that tell nothing")
    out_of_enum: tuple[OutOfEnumEntry, ...] | _Absent = Field(
        None, description="grid: models that gave answers which are no labels"
    )
    cells: tuple[CellEntry, ...] | _Absent = Field(None, description="grid: all cells, as in `cases`")
