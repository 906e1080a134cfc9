"""comparison: from what a judge prefers, asked in both orders, to the better of two outputs.

The score of a case is the share, 0..100, that the second arm, `b`, has won: 0, 50 for a tie, or 100. Where
the two orders disagree there is no preference: it is a tie, and counted as the judge's position bias.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TypeAlias

from judges.core.question import Answer, Unanswered
from judges.core.report import CaseReport, Totals
from judges.core.row import Row, excerpt
from judges.core.score_text import render_score
from judges.core.verdict import Verdict, worst
from judges.files.suite import Override
from judges.reduce.decision import UNJUDGED, Decision, Rules
from judges.reduce.facts import Facts
from judges.reduce.overrides import (
    NO_CORRECTIONS,
    Corrections,
    correct_result,
    describe_corrections,
    set_aside,
)
from judges.reduce.percent import Scored, as_decimal, report_criteria
from judges.reduce.rows import answer_facts, check_row, skipped_row, unjudge
from judges.reduce.suite import SuiteDecision, not_measured, percent_interval

ARMS = ("a", "b")
ORDERS = ("ab", "ba")
"""Which output the judge was shown as A, and which as B."""
OVERALL = "overall"
TIE = "tie"

_EVEN = Fraction(50)
_SHARES = {"a": Fraction(0), TIE: _EVEN, "b": Fraction(100)}
_WORDS = {"a": "a is better", TIE: "neither is better", "b": "b is better"}


@dataclass(frozen=True, slots=True)
class Preference:
    """What the judge chose when shown `a` first, and when shown `b` first."""

    ab: Answer
    ba: Answer

    @property
    def chosen(self) -> tuple[str, str]:
        """The arms that were chosen, or ties: with `a` shown first, and with `b` shown first."""
        return (
            {"A": "a", "B": "b"}.get(str(self.ab.value), TIE),
            {"A": "b", "B": "a"}.get(str(self.ba.value), TIE),
        )

    @property
    def agrees(self) -> bool:
        """Whether the order made no difference."""
        return self.chosen[0] == self.chosen[1]

    @property
    def winner(self) -> str:
        """The arm that is better in both orders; else a tie."""
        return self.chosen[0] if self.agrees else TIE

    def describe(self) -> str:
        """Return who is better, or how the judge was swayed."""
        if self.agrees:
            return _WORDS[self.winner]
        ab, ba = (_WORDS[each] for each in self.chosen)
        return f"a tie, since the order sways the judge: {ab} when a comes first, {ba} when b comes first"


Preferences: TypeAlias = Mapping[str, Preference | Unanswered]


def decide_case(rules: Rules, facts: Facts) -> Decision:
    """Decide which output of a case is better. The verdict is FAIL where `a` is, or a check of `b` failed.

    An output that fails a check loses against one that does not; two that fail are a tie. Then the judge was
    not asked, unless it was to be asked anyway.
    """
    corrections = facts.corrections.get(None, NO_CORRECTIONS)
    checked = [*facts.checked.get(None, ()), *_prefix(facts.checked)]
    preferences = _read_preferences(rules, facts)
    judged = {
        name.removeprefix("criteria."): _score(each) for name, each in preferences.items() if name != OVERALL
    }
    checks = [*_prefix({arm: _check_rows(rules, facts, arm) for arm in ARMS})]
    rows = [*checks, *_judged_rows(rules, facts, preferences, corrections)]
    total = _by_checks([*checked, *checks]) or _by_judge(rules, preferences)
    judged_score = None if total.score is None else Fraction(total.score)
    if corrections.total is not None and not _by_checks(checked):
        rows = [set_aside(row) for row in rows]
        share = Fraction(corrections.total.score)
        by = corrections.total.rater_kind
        total = _share_row(share, f"b has {render_score(as_decimal(share))} of 100, as a {by} set it")
    everything = (*checked, *rows, total)
    results = {name: correct_result(each, corrections.criteria.get(name)) for name, each in judged.items()}
    return Decision(
        verdict=worst(row.verdict for row in everything if _counts(row)),
        rows=everything,
        score=None if total.score is None else Fraction(total.score),
        judged_score=judged_score,
        criteria=report_criteria(results),
        override=describe_corrections(corrections, judged, judged_score) if preferences else None,
        notices=corrections.notices,
    )


def decide_suite(rules: Rules, totals: Totals, cases: Iterable[CaseReport]) -> SuiteDecision:
    """Decide by the share of cases that `b` wins, ties counting half."""
    wins = ties = losses = judged = swayed = 0
    for case in cases:
        if case.score is not None:
            wins += case.score > _EVEN
            ties += case.score == _EVEN
            losses += case.score < _EVEN
        for row in case.rows:
            if row.id == OVERALL and "orders_agree" in row.extra:
                judged += 1
                swayed += not row.extra["orders_agree"]
    compared = wins + ties + losses
    won = wins + ties / 2
    verdict = not_measured(totals)
    if verdict is None:
        enough = Fraction(100 * won) >= Fraction(rules.thresholds.pass_) * compared
        verdict = Verdict.PASS if enough else Verdict.FAIL
    summary = {
        "wins": wins,
        "ties": ties,
        "losses": losses,
        "win_rate": 100 * won / compared if compared else None,
        "interval": percent_interval(won, compared),
        "threshold": float(rules.thresholds.pass_),
        "judged": judged,
        "position_bias": swayed,
    }
    return SuiteDecision(verdict=verdict, summary=summary)


def _prefix(by_arm: Mapping[str | None, Iterable[Row]]) -> Iterator[Row]:
    """Yield the rows about one arm each, with the arm at the start of all that they say."""
    for arm in ARMS:
        for row in by_arm.get(arm, ()):
            yield replace(
                row,
                id=f"{arm}.{row.id}",
                actual_excerpt=row.actual_excerpt and f"{arm}: {row.actual_excerpt}",
                error=row.error and f"{arm}: {row.error}",
            )


def _check_rows(rules: Rules, facts: Facts, arm: str) -> list[Row]:
    """Return what the judge found in the output of one arm by itself."""
    answers = facts.answers.get(arm)
    if answers is None:
        return [skipped_row(f"checks.{check.name}", facts.why_unasked()) for check in rules.checks]
    rows = [check_row(check, answers[f"checks.{check.name}"]) for check in rules.checks]
    return [unjudge(row, UNJUDGED) for row in rows] if rules.smoke else rows


def _counts(row: Row) -> bool:
    """What is wrong with `a` is no fault of `b`; that something was not measured concerns both."""
    return row.verdict is Verdict.ERROR or not row.id.startswith("a.")


def _read_preferences(rules: Rules, facts: Facts) -> Preferences:
    """Return what the judge prefers by question; nothing where it was not asked."""
    if not facts.answers.keys() >= set(ORDERS):
        return {}
    return {name: _prefer(*(facts.answers[order][name] for order in ORDERS)) for name in _names(rules)}


def _names(rules: Rules) -> list[str]:
    return [*(f"criteria.{each.name}" for each in rules.criteria), OVERALL]


def _prefer(ab: Answer | Unanswered, ba: Answer | Unanswered) -> Preference | Unanswered:
    if isinstance(ab, Unanswered):
        return ab
    return ba if isinstance(ba, Unanswered) else Preference(ab, ba)


def _score(preference: Preference | Unanswered) -> Scored | Unanswered:
    if isinstance(preference, Unanswered):
        return preference
    return Scored(percent=_SHARES[preference.winner], answer=preference.ab)


def _judged_rows(rules: Rules, facts: Facts, preferences: Preferences, corrections: Corrections) -> list[Row]:
    if not preferences:
        return [skipped_row(name, facts.why_unasked()) for name in _names(rules)]
    rows = [_preference_row(name, each) for name, each in preferences.items()]
    if rules.smoke:
        rows = [unjudge(row, UNJUDGED) for row in rows]
    return [_correct_row(row, corrections.criteria.get(row.id.removeprefix("criteria."))) for row in rows]


def _correct_row(row: Row, override: Override | None) -> Row:
    if override is None:
        return row
    by = override.rater_kind
    found = f"{override.criterion}: b has {render_score(override.score)} of 100, as a {by} set it"
    return replace(row, verdict=Verdict.PASS, score=override.score, actual_excerpt=found, error=None)


def _preference_row(name: str, preference: Preference | Unanswered) -> Row:
    """Return the row of one question. It decides nothing: the score does."""
    kind, _, criterion = name.partition(".")
    if isinstance(preference, Unanswered):
        return Row(id=name, kind=kind, verdict=Verdict.ERROR, error=preference.reason)
    ab, ba = preference.chosen
    return Row(
        id=name,
        kind=kind,
        verdict=Verdict.PASS,
        score=as_decimal(_SHARES[preference.winner]),
        actual_excerpt=f"{criterion or kind}: {preference.describe()}",
        extra={
            "ab": ab,
            "ba": ba,
            "orders_agree": preference.agrees,
            **answer_facts(preference.ab),
            **{f"{key}_ba": value for key, value in answer_facts(preference.ba).items()},
        },
    )


def _by_checks(checked: Iterable[Row]) -> Row | None:
    """Return the decision where checks have made it, or have kept it from being made."""
    failed: dict[str, Row] = {}
    for row in checked:
        if row.verdict is Verdict.ERROR:
            return skipped_row("score", f"nothing was decided, since {row.id} could not be measured")
        if row.verdict is Verdict.FAIL:
            failed.setdefault(row.id[0], row)
    if not failed:
        return None
    if len(failed) == len(ARMS):
        return _share_row(_EVEN, "a tie: both failed a check")
    ((loser, row),) = failed.items()
    winner = "b" if loser == "a" else "a"
    return _share_row(_SHARES[winner], f"{winner} wins: {row.id} failed")


def _by_judge(rules: Rules, preferences: Preferences) -> Row:
    if rules.smoke or not preferences:
        return Row(id="score", kind="score", verdict=Verdict.ERROR, error=UNJUDGED)
    preference = preferences[OVERALL]
    if isinstance(preference, Unanswered):
        reason = "nothing was decided, since the judge did not say which output is better"
        return Row(id="score", kind="score", verdict=Verdict.ERROR, error=reason)
    found = preference.describe()
    if preference.winner == "a" and preference.ab.reasoning:
        found += f": {excerpt(preference.ab.reasoning)}"
    return _share_row(_SHARES[preference.winner], found)


def _share_row(share: Fraction, found: str) -> Row:
    verdict = Verdict.FAIL if share < _EVEN else Verdict.PASS
    return Row(id="score", kind="score", verdict=verdict, score=as_decimal(share), actual_excerpt=found)
