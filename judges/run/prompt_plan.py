"""What a run is going to do with a prompt suite, before anything is spent."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path

from judges.check.build import Check
from judges.core.case import Case, Trial
from judges.core.errors import ConfigError, Problem
from judges.core.report import JudgeReport, SuiteKind
from judges.core.row import Notice
from judges.files.evaluation_meta import ModelSpec
from judges.files.lint import describe_unset, find_unset
from judges.files.suite import PromptSuite
from judges.reduce.decision import Rules
from judges.reduce.facts import Arm
from judges.run.asking import Replication
from judges.run.baseline import Accepted, describe_baseline, find_accepted
from judges.run.checks import build_checks
from judges.run.kinds import KINDS, Kind
from judges.run.options import RunOptions
from judges.run.outputs import OutputSource, find_sources
from judges.run.recorded import Recording, find_recording
from judges.run.rules import build_replication, build_rules
from judges.run.standing import describe_standing, find_standing, is_replay
from judges.run.unused import describe_unused


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptPlan:
    """A prompt suite that can be run with these options: all about it has been checked but the endpoints.

    The names in `judges`, `meta` and `models` are full model names; for a runner they are what it is told.
    `models` are those that a case is run with, one after the other; there are none where every output is
    recorded, or comes from an arm with a model of its own. `recording` is there where nothing is to be
    called: what stands in for it. `trial_count` is how many trials there will be,
    `skipped_count` how many of them only say that their case is skipped, `trials_sha256` the digest of their
    cases and recorded outputs.
    """

    suite: PromptSuite
    options: RunOptions
    evaluation: Kind
    rules: Rules
    checks: tuple[Check, ...]
    judges: tuple[str, ...]
    standing: JudgeReport
    meta: str | None
    replication: Replication
    recording: Recording | None = None
    sources: tuple[OutputSource, ...] = ()
    trial_count: int = 0
    skipped_count: int = 0
    trials_sha256: str = ""

    @property
    def kind(self) -> SuiteKind:
        """What tells it from the plans of other suites."""
        return SuiteKind.PROMPT

    @property
    def judge(self) -> str:
        """Who judges, in words."""
        return ", ".join(self.judges)

    @property
    def replayed(self) -> Recording | None:
        """What stands in for the judges, where they are not to be called; None also where nobody would be."""
        return None if all(map(is_replay, self.consulted)) else self.recording

    @property
    def consulted(self) -> tuple[str, ...]:
        """The judges, and whoever decides where they disagree."""
        return (*self.judges, *((self.meta,) if self.meta else ()))

    @property
    def accepted(self) -> Accepted | None:
        """The accepted outputs that those of now are measured against, for the type that does so."""
        several = len(self.arrangements) > 1
        return find_accepted(self.suite, several=several) if self.evaluation.against_baseline else None

    @property
    def models(self) -> tuple[ModelSpec, ...]:
        """The models that each case is run with."""
        shared = (source.models for source in self.sources if source.shares_models)
        return next(filter(None, shared), ())

    @property
    def model_names(self) -> tuple[str, ...]:
        """The names of the models that each case is run with."""
        return tuple(model.name for model in self.models)

    @property
    def runners(self) -> tuple[Path, ...]:
        """The programs that make outputs, each once."""
        return tuple(dict.fromkeys(source.runner for source in self.sources if source.runner))

    @property
    def formula(self) -> str:
        """It is a trial a case and model."""
        return ""

    @property
    def why_idle(self) -> str | None:
        """Why all trials would be skipped: they are to be run from files that are not there."""
        if self.recording is None:
            return None
        live = any(source.live for source in self.sources)
        return self.recording.why_idle(outputs=live, answers=self.replayed is not None)

    @property
    def asks_nobody(self) -> bool:
        """Whether every trial only says that its case is skipped."""
        return self.skipped_count == self.trial_count

    @property
    def unpriced(self) -> str:
        """What will be spent besides the estimate, in words."""
        return "what the runner spends itself" if self.runners else ""

    @property
    def arrangements(self) -> tuple[str | None, ...]:
        """The names of the models that each case is run with; None where a trial names none."""
        return self.model_names or ((None,) if any(source.live for source in self.sources) else ())

    def trials(self) -> Iterator[Trial]:
        """Yield the selected trials in the suite's order; a case with recorded outputs alone only once."""
        for case in self.suite.cases:
            if not self.options.select.matches(case, self.suite.path):
                continue
            if case.skip is not None or all(each is not None for each in self.recorded(case)):
                yield Trial(case)
                continue
            for model in self.arrangements:
                yield Trial(case, model=model)

    def recorded(self, case: Case) -> tuple[str | None, ...]:
        """Return the recorded outputs of a case by source."""
        return tuple(source.recorded(case) for source in self.sources)


def plan_prompt(suite: PromptSuite, options: RunOptions) -> PromptPlan:
    """Check that the suite can be run with these options, and return how.

    Raises:
        ConfigError: it cannot, for a reason that its author or the caller can remove.
    """
    _refuse_options(suite, options)
    return _counted(replace(plan_judging(suite, options), sources=find_sources(suite, options)))


def plan_judging(suite: PromptSuite, options: RunOptions) -> PromptPlan:
    """Return how outputs are judged, wherever they come from.

    Raises:
        ConfigError: a check cannot work, or the file of measurements beside the suite is wrong.
    """
    spec = suite.meta.judge
    judges = (options.judge,) if options.judge else spec.panel or (spec.model,)
    standing = find_standing(suite, judges)
    recording = find_recording(suite.path) if options.recorded else None
    evaluation = KINDS[suite.evaluation]
    beside = recording.answers if recording else None
    notices = (
        *suite.notices,
        *describe_standing(suite, judges, standing),
        *describe_unused(suite, judges, beside),
    )
    if evaluation.against_baseline:
        notices = (*notices, *describe_baseline(suite, ", ".join(judges)))
    return PromptPlan(
        suite=replace(suite, notices=notices),
        options=options,
        evaluation=evaluation,
        rules=build_rules(suite, smoke=standing.qualified is False),
        checks=build_checks(suite),
        judges=judges,
        standing=standing,
        # recorded answers stand for all that would be called
        meta=options.judge if spec.meta and options.judge and is_replay(options.judge) else spec.meta,
        replication=build_replication(suite),
        recording=recording,
    )


def _refuse_options(suite: PromptSuite, options: RunOptions) -> None:
    if suite.arms and options.outputs:
        hint = "name the file of each arm: evaluation.arms.a.outputs"
        raise _problem(suite, "--outputs does not say which arm its outputs are of", hint=hint)


def _counted(plan: PromptPlan) -> PromptPlan:
    """Count the trials and take their digest; refuse cases whose output nothing can produce."""
    recorded = live = skipped = 0
    trials = sha256()
    orphans: dict[str, list[Arm]] = {}
    for case in plan.suite.cases:
        if not plan.options.select.matches(case, plan.suite.path):
            continue
        outputs = plan.recorded(case)
        trials.update(repr((case, *outputs)).encode("utf-8", "surrogatepass"))
        lacking = [source.arm for source in plan.sources if source.recorded(case) is None and not source.live]
        if case.skip is not None:
            skipped += 1
        elif all(output is not None for output in outputs):
            recorded += 1
        elif lacking:
            orphans[case.ref] = lacking
        else:
            live += len(plan.arrangements)
    if orphans:
        raise _without_output(plan.suite, orphans)
    return replace(
        _prompted(plan) if live else _idle(plan),
        trial_count=skipped + recorded + live,
        skipped_count=skipped,
        trials_sha256=trials.hexdigest(),
    )


def _prompted(plan: PromptPlan) -> PromptPlan:
    """Refuse models without a prompt, and remark on what no case fills in of those that are sent."""
    if any(source.models and not (source.template or source.runner) for source in plan.sources):
        raise _problem(
            plan.suite, "a model is named but no target", hint="add target: with the prompt's path"
        )
    templates = [source.template for source in plan.sources if source.template]
    unset = (Notice(describe_unset(name)) for name in find_unset(plan.suite, templates))
    return replace(plan, suite=replace(plan.suite, notices=(*plan.suite.notices, *unset)))


def _idle(plan: PromptPlan) -> PromptPlan:
    return replace(plan, sources=tuple(source.idle() for source in plan.sources))


def _without_output(suite: PromptSuite, orphans: Mapping[str, Sequence[Arm]]) -> ConfigError:
    cases = f"{len(orphans)} cases have no output to judge"
    if not suite.arms:
        hint = (
            "name a model for the prompt (model: or --model) or a runner:, give --outputs FILE.jsonl, or "
            "record an output: in each case"
        )
        return _problem(suite, f"{cases}: {_some(list(orphans))}", hint)
    arms = sorted({str(arm) for lacking in orphans.values() for arm in lacking})
    hint = "put them into the arm's outputs: file, or name a runner:, or a target: and a model: for it"
    return _problem(suite, f"{cases} in arm {' and '.join(arms)}: {_some(list(orphans))}", hint)


def _some(names: list[str], most: int = 5) -> str:
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more


def _problem(suite: PromptSuite, message: str, hint: str | None = None) -> ConfigError:
    return ConfigError([Problem(message, file=str(suite.path), hint=hint)])
