"""What differs between the evaluation types: what the judge is asked, and how its answers decide."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from judges.ask.questions import (
    build_check_questions,
    build_choices,
    build_evidence,
    build_pair_evidence,
    build_predicates,
    build_questions,
)
from judges.core.case import Case, digest
from judges.core.question import Evidence, Question
from judges.core.report import CaseReport, Totals
from judges.files.evaluation_meta import EvaluationType
from judges.reduce import binary, comparison, regression, score, suite
from judges.reduce.decision import Decision, Rules
from judges.reduce.facts import Arm, Facts
from judges.reduce.overrides import NO_CORRECTIONS
from judges.reduce.suite import SuiteDecision

Outputs: TypeAlias = Mapping[Arm, str]
"""The outputs of a case that are worth a judge's time, by arm."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Inquiry:
    """What the judge is asked in one call: about the output of an arm, or about two in an order."""

    arm: Arm
    questions: tuple[Question, ...]
    evidence: Evidence
    output_sha256: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """One evaluation type: three functions, and the arm whose output stands for a case in reports.

    With `against_baseline` an accepted earlier output stands beside the one of now.
    """

    inquire: Callable[[Rules, Case, Outputs], tuple[Inquiry, ...]]
    decide: Callable[[Rules, Case, Facts], Decision]
    decide_suite: Callable[[Rules, Totals, Iterable[CaseReport]], SuiteDecision]
    shown: Arm = None
    against_baseline: bool = False


def join_digests(digests: Iterable[str]) -> str:
    """Return what a judgement of several outputs is bound to."""
    return "+".join(digests)


def _ask_scores(rules: Rules, case: Case, outputs: Outputs) -> tuple[Inquiry, ...]:
    questions = build_questions(rules.criteria, rules.checks, case)
    return tuple(_ask(None, questions, case, outputs[None]) for _ in outputs)


def _decide_scores(rules: Rules, case: Case, facts: Facts) -> Decision:
    checked, answers = facts.checked.get(None, ()), facts.answers.get(None)
    if answers is None:
        return score.decide_unjudged(rules, case, checked, facts.why_unasked())
    return score.decide_case(rules, case, checked, answers, facts.corrections.get(None, NO_CORRECTIONS))


def _ask_yes_or_no(rules: Rules, case: Case, outputs: Outputs) -> tuple[Inquiry, ...]:
    if not outputs:
        return ()
    if case.declines_expected and rules.criteria:
        return (_ask(None, build_questions((), rules.checks, case), case, outputs[None]),)
    questions = build_predicates(rules.criteria, rules.checks, case)
    return (_ask(None, questions, case, outputs[None], expected=True),)


def _ask_both_orders(rules: Rules, case: Case, outputs: Outputs) -> tuple[Inquiry, ...]:
    """A check is about one output, and is asked about it alone."""
    if not outputs.keys() >= set(comparison.ARMS):
        return ()
    choices = build_choices(rules.criteria, case)
    checks = build_check_questions(rules.checks, case.input)
    alone = (_ask(arm, checks, case, outputs[arm]) for arm in comparison.ARMS if rules.checks)
    both = join_digests(digest(outputs[arm]) for arm in comparison.ARMS)
    orders = (
        Inquiry(
            arm=order,
            questions=choices,
            evidence=build_pair_evidence(case, *(outputs[arm] for arm in order)),
            output_sha256=both,
        )
        for order in comparison.ORDERS
    )
    return (*alone, *orders)


def _ask_scores_of_both(rules: Rules, case: Case, outputs: Outputs) -> tuple[Inquiry, ...]:
    """The baseline goes first: whether the new output drops can only be told once that is known."""
    if None not in outputs:
        return ()
    criteria = () if case.declines_expected else rules.criteria
    questions = build_questions(criteria, rules.checks, case)
    order = (regression.BASELINE, None)
    return tuple(_ask(arm, questions, case, outputs[arm]) for arm in order if arm in outputs)


def _ask(
    arm: Arm, questions: tuple[Question, ...], case: Case, output: str, *, expected: bool | None = None
) -> Inquiry:
    evidence = build_evidence(case, output, expected=expected)
    return Inquiry(arm=arm, questions=questions, evidence=evidence, output_sha256=digest(output))


KINDS: Mapping[EvaluationType, Kind] = {
    EvaluationType.MULTI_CRITERIA: Kind(
        inquire=_ask_scores,
        decide=_decide_scores,
        decide_suite=lambda rules, totals, _: SuiteDecision(
            verdict=suite.decide_suite(totals, rules.thresholds)
        ),
    ),
    EvaluationType.BINARY: Kind(
        inquire=_ask_yes_or_no,
        decide=binary.decide_case,
        decide_suite=lambda rules, totals, _: binary.decide_suite(rules, totals),
    ),
    EvaluationType.COMPARISON: Kind(
        inquire=_ask_both_orders,
        decide=lambda rules, _, facts: comparison.decide_case(rules, facts),
        decide_suite=comparison.decide_suite,
        shown="b",
    ),
    EvaluationType.REGRESSION: Kind(
        inquire=_ask_scores_of_both,
        decide=regression.decide_case,
        decide_suite=regression.decide_suite,
        against_baseline=True,
    ),
}
