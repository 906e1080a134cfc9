"""A judge's stored answers held against everything that people said of the same outputs."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from typing import TypeAlias

from judges.core.case import Case
from judges.core.question import Answer
from judges.core.rating import Rating
from judges.core.verdict import Verdict
from judges.files.evaluation_meta import EvaluationType
from judges.files.suite import Criterion, PromptSuite
from judges.reduce.calibration import Calibration, calibrate
from judges.reduce.calibration_labels import Frame, label_judge, label_people, rate_corrections
from judges.reduce.calibration_rate import PassRate, Share, correct_pass_rate, passes
from judges.reduce.overrides import rubrics_sha256
from judges.reduce.percent import Scored, percent_of_level, score_criterion
from judges.reduce.ratings import (
    Item,
    Opinions,
    Output,
    Scale,
    collect_opinions,
    level_of,
    median_level,
)
from judges.run.judged import JudgedRun, StoredAnswers, describe_changes, read_answers
from judges.run.qualify import scales_of

_Percents: TypeAlias = Mapping[Output, Mapping[str, Fraction]]
"""What outputs come to on each criterion, 0..100."""
_ALL = Fraction(100)
_NOT_ASKED = "the judge was not asked about that output: a check had failed, or its case is to be declined"


@dataclass(frozen=True, slots=True, kw_only=True)
class People:
    """Whose labels these are: how many people gave them, and how many had not seen what the judge said.

    Of one label by several people each counts. `corrections` are those that are overrides of verdicts.
    """

    authors: int
    blind: int
    seen: int
    corrections: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibrated:
    """How far the judge of a run agrees with people.

    `levels` says how many each criterion has. `pass_rate` is None where no output passes or fails by itself.
    `left_out` counts what people said that is not compared, by the reason, `unanswered` the labels that the
    judge had no answer to. `stale` says why the run tells nothing of the judge that there is now. `least` is
    the kappa, 0..1, that the judge has to reach.
    """

    suite: str
    run: str
    judge: str
    wording: str
    levels: Mapping[str, int]
    calibration: Calibration
    pass_rate: PassRate | None
    people: People
    left_out: Mapping[str, int]
    unanswered: int
    stale: tuple[str, ...]
    least: float | None

    @property
    def verdict(self) -> Verdict:
        """Whether the judge agrees as far as it has to; ERROR where that was not measured."""
        if self.stale or self.unanswered:
            return Verdict.ERROR
        return self.calibration.decide(self.least)


def calibrate_run(
    suite: PromptSuite, run: JudgedRun, ratings: Iterable[Rating], *, judge: str, blind_only: bool = False
) -> Calibrated:
    """Hold what the judge said in a run against people's ratings and corrections.

    `judge` is whom it should tell of: the one that the suite has now, unless the caller means another.

    Raises:
        ConfigError: the run is damaged.
    """
    scales, cases = scales_of(suite), {case.ref: case for case in suite.cases}
    stored = read_answers(suite, run)
    corrections, totals, unbound = rate_corrections(suite.overrides, scales, rubrics_sha256(suite.criteria))
    opinions, unfit = collect_opinions((*ratings, *corrections), scales, cases, blind_only=blind_only)
    matched, unmatched = _match(opinions, stored)
    frame = Frame({ref: case.category for ref, case in cases.items()}, scales, _bar_of_levels(suite))
    levels = {item: level_of(answer) for item, answer in stored.answers.items()}
    least = suite.thresholds.min_agreement
    return Calibrated(
        suite=suite.name,
        run=run.run,
        judge=run.judge,
        wording=run.wording,
        levels={name: scale.levels for name, scale in scales.items()},
        calibration=calibrate(
            label_judge(frame, matched, levels),
            label_people(frame, opinions),
            {cases[ref].category for (ref, _), _ in levels},
        ),
        pass_rate=_pass_rate(
            suite,
            _judged_percents(suite, stored.answers),
            _rated_percents(scales, opinions),
            {} if blind_only else totals,
        ),
        people=_describe_people(matched, frozenset(corrections)),
        left_out=Counter(unbound) + Counter(unfit) + unmatched,
        unanswered=sum(item in stored.unanswered for item in opinions),
        stale=tuple(describe_changes(suite, run, judge)),
        least=None if least is None else float(least),
    )


def _match(opinions: Opinions, stored: StoredAnswers) -> tuple[Opinions, Counter[str]]:
    """Return the opinions of what the judge has answered, and how many others there are, by the reason."""
    left_out: Counter[str] = Counter()
    for item, by_author in opinions.items():
        if item[0] not in stored.outputs:
            left_out["the run does not have that output"] += len(by_author)
        elif item not in stored.answers and item not in stored.unanswered:
            left_out[_NOT_ASKED] += len(by_author)
    return {item: said for item, said in opinions.items() if item in stored.answers}, left_out


def _describe_people(opinions: Opinions, corrections: Collection[Rating]) -> People:
    ratings = [rating for by_author in opinions.values() for rating in by_author.values()]
    blind = sum(rating.blind for rating in ratings)
    return People(
        authors=len({rating.author for rating in ratings}),
        blind=blind,
        seen=len(ratings) - blind,
        corrections=sum(rating in corrections for rating in ratings),
    )


def _bar_of_levels(suite: PromptSuite) -> Fraction:
    """Return the percent from which on a level passes; of a yes-or-no question only yes does."""
    binary = suite.evaluation is EvaluationType.BINARY
    return _ALL if binary else Fraction(suite.thresholds.pass_)


def _pass_rate(
    suite: PromptSuite, judged: _Percents, rated: _Percents, totals: Mapping[Output, Fraction]
) -> PassRate | None:
    """Compare what passes. A case that is to be declined passes by declining, which people do not rate."""
    if suite.evaluation is EvaluationType.REGRESSION:
        return None
    cases = {case.ref: case for case in suite.cases if not case.declines_expected}
    by_judge = _decide(suite, cases, judged)
    by_people = _decide(suite, cases, rated)
    for (ref, sha256), total in totals.items():
        if ref in cases:
            by_people[ref, sha256] = total >= _bar(suite, cases[ref])
    both = [(by_people[output], passed) for output, passed in by_judge.items() if output in by_people]
    return correct_pass_rate(Share(sum(by_judge.values()), len(by_judge)), both)


def _decide(suite: PromptSuite, cases: Mapping[str, Case], percents: _Percents) -> dict[Output, bool]:
    """Return whether outputs pass, as far as all criteria have a percent."""
    criteria = suite.criteria
    if suite.evaluation is EvaluationType.BINARY:
        criteria = tuple(replace(each, minimum=Decimal(100)) for each in criteria)
    return {
        output: passes(criteria, _bar(suite, cases[output[0]]), found)
        for output, found in percents.items()
        if output[0] in cases and found.keys() == {each.name for each in criteria}
    }


def _bar(suite: PromptSuite, case: Case) -> Fraction:
    """Return the total from which on a case passes; of yes-or-no questions each has to be yes."""
    if suite.evaluation is EvaluationType.BINARY:
        return _ALL
    expected = case.expected_score_range
    return Fraction(suite.thresholds.pass_ if expected is None else expected.min)


def _judged_percents(suite: PromptSuite, answers: Mapping[Item, Answer]) -> _Percents:
    """Return what the judge's answers come to in a run: the chosen levels, or the expected ones."""
    criteria = {each.name: each for each in suite.criteria}
    expected = suite.meta.judge.score == "expected"
    percents: dict[Output, dict[str, Fraction]] = defaultdict(dict)
    for (output, name), answer in answers.items():
        percents[output][name] = _percent(criteria[name], answer, expected=expected)
    return percents


def _percent(criterion: Criterion, answer: Answer, *, expected: bool) -> Fraction:
    scored = score_criterion(criterion, answer, expected=expected) if criterion.levels else None
    return scored.percent if isinstance(scored, Scored) else percent_of_level(level_of(answer), 2)


def _rated_percents(scales: Mapping[str, Scale], opinions: Opinions) -> _Percents:
    percents: dict[Output, dict[str, Fraction]] = defaultdict(dict)
    for (output, name), by_author in opinions.items():
        percents[output][name] = percent_of_level(median_level(by_author.values()), scales[name].levels)
    return percents
