"""Asking a judge about outputs that people have rated, exactly as in a run, so that the cache has answers."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime
from functools import partial

from judges.ask.judge import Judgement
from judges.ask.wording import version
from judges.core.case import Case
from judges.core.question import Answer, Subject, Unanswered
from judges.core.usage import Usage
from judges.files.evaluation_meta import EvaluationType
from judges.files.qualifications import QualificationEntry
from judges.files.suite import PromptSuite
from judges.reduce.qualification import Qualification, Rated, Standing, qualify
from judges.reduce.ratings import Levels, Output, Scale, level_of
from judges.run.connections import Connections
from judges.run.judge import build_asker
from judges.run.kinds import Inquiry
from judges.run.pool import run_pool
from judges.run.prompt_plan import PromptPlan
from judges.run.standing import rubric_digest


@dataclass(frozen=True, slots=True)
class RatedOutput:
    """One output, and the levels that people gave it by criterion."""

    case: Case
    sha256: str
    text: str
    levels: Levels


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """What a judge is worth, over the outputs that it gave a level; and why it gave others none."""

    judge: str
    qualification: Qualification
    unanswered: Mapping[str, int] = field(default_factory=dict)
    usage: Usage = field(default_factory=Usage)

    @property
    def decided(self) -> bool:
        """Whether anything follows: everything was measured, and it was enough."""
        return not self.unanswered and self.qualification.standing is not Standing.TOO_FEW


def scales_of(suite: PromptSuite) -> dict[str, Scale]:
    """Return the scale of each criterion; one that is asked as yes or no has level 2 for yes."""
    binary = suite.evaluation is EvaluationType.BINARY
    return {
        each.name: Scale(each.rubric_sha256, 2 if binary else len(each.levels)) for each in suite.criteria
    }


def match_outputs(
    plan: PromptPlan, levels: Mapping[Output, Levels], texts: Mapping[Output, str]
) -> tuple[list[RatedOutput], Mapping[str, int]]:
    """Return the rated outputs that the judge can be asked about, and how many levels do not count by why."""
    cases = {case.ref: case for case in plan.suite.cases}
    rated: list[RatedOutput] = []
    left_out: Counter[str] = Counter()
    for (ref, sha256), given in levels.items():
        if (ref, sha256) not in texts:
            left_out["the output is neither in the suite nor in a run"] += len(given)
            continue
        output = RatedOutput(cases[ref], sha256, texts[ref, sha256], given)
        asked = {question.name for question in inquire(plan, output).questions}
        known = {name: level for name, level in given.items() if f"criteria.{name}" in asked}
        left_out["the judge is not asked about a zero_condition case"] += len(given) - len(known)
        rated += [replace(output, levels=known)] if known else []
    return rated, +left_out


def measure_judge(plan: PromptPlan, rated: Sequence[RatedOutput], connections: Connections) -> Measured:
    """Ask the plan's judge about each output, and return how its levels go with people's.

    Raises:
        ConfigError: an endpoint cannot be used as it is set up; nothing was called.
    """
    connections = connections.with_config(plan.suite.config)
    connect = partial(
        connections.endpoint, base_url=plan.suite.meta.judge.base_url, folder=plan.suite.test_root
    )
    asker = build_asker(plan, connect)

    def ask(output: RatedOutput) -> tuple[RatedOutput, Judgement]:
        inquiry = inquire(plan, output)
        subject = Subject(ref=output.case.ref, arm=inquiry.arm, output_sha256=output.sha256)
        return output, asker.ask(inquiry.questions, inquiry.evidence, subject)

    pairs: list[Rated] = []
    unanswered: Counter[str] = Counter()
    usage = Usage()
    for output, judgement in run_pool(rated, ask, concurrency=connections.terms.concurrency):
        usage += judgement.usage
        answers = (judgement.answers[f"criteria.{name}"] for name in output.levels)
        unanswered.update([each.reason for each in answers if isinstance(each, Unanswered)][:1])
        pairs += _pair(output, judgement)
    return Measured(judge=plan.judge, qualification=qualify(pairs), unanswered=unanswered, usage=usage)


def inquire(plan: PromptPlan, output: RatedOutput) -> Inquiry:
    """Return what the judge is asked about an output in a run."""
    *_, inquiry = plan.evaluation.inquire(plan.rules, output.case, {None: output.text})
    return inquiry


def build_entry(plan: PromptPlan, measured: Measured, now: datetime) -> QualificationEntry:
    """Return the entry to be kept of a measurement that has decided something."""
    found = measured.qualification
    assert found.accuracy is not None
    assert found.interval is not None
    return QualificationEntry(
        judge=measured.judge,
        wording=version(),
        rubric_sha256=rubric_digest(plan.suite),
        qualified=found.standing is Standing.QUALIFIED,
        n=found.n,
        pairs=found.pairs,
        accuracy=found.accuracy,
        low=found.interval.low,
        high=found.interval.high,
        measured=now,
        criteria={name: asdict(each) for name, each in found.criteria.items()},
    )


def _pair(output: RatedOutput, judgement: Judgement) -> Iterator[Rated]:
    """Yield the levels of people and judge on each criterion that both have judged."""
    for criterion, level in output.levels.items():
        answer = judgement.answers[f"criteria.{criterion}"]
        if isinstance(answer, Answer):
            yield Rated(
                case=output.case.ref,
                output_sha256=output.sha256,
                criterion=criterion,
                people=level,
                judge=level_of(answer),
            )
