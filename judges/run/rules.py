"""What a prompt suite says about its cases, as the values that judging and deciding take."""

from dataclasses import replace
from fractions import Fraction

from judges.files.evaluation_meta import EvaluationType
from judges.files.prompt_meta import JudgedCheck
from judges.files.suite import PromptSuite, heaviest_step
from judges.reduce.decision import Rules
from judges.run.asking import Replication


def build_rules(suite: PromptSuite, *, smoke: bool) -> Rules:
    """Return what decides the suite's cases; nothing that a `smoke` judge says settles any."""
    evaluation = suite.meta.evaluation
    absolute = evaluation.type is EvaluationType.MULTI_CRITERIA
    drop = evaluation.max_drop
    return Rules(
        criteria=tuple(each if absolute else replace(each, minimum=None) for each in suite.criteria),
        checks=tuple(check for check in suite.meta.checks if isinstance(check, JudgedCheck)),
        thresholds=suite.thresholds,
        expected=suite.meta.judge.score == "expected",
        smoke=smoke,
        max_drop=heaviest_step(suite.criteria) if drop is None else Fraction(drop),
        margin=evaluation.margin,
        baseline=suite.baseline.run if suite.baseline else None,
    )


def build_replication(suite: PromptSuite) -> Replication:
    """Return how often the judge is asked about each output."""
    evaluation = suite.meta.evaluation
    replicas = evaluation.replicas
    if isinstance(replicas, int):
        return Replication(most=replicas, quorum=evaluation.quorum)
    return Replication(most=replicas.max, fragile=True, quorum=evaluation.quorum)
