"""The accepted run that a regression is measured against: its outputs, and the answers that still hold."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from judges.ask.render import render_context, render_messages
from judges.core.baseline import BaselineCase
from judges.core.case import RunRecord, Trial, digest
from judges.core.encode import encode_value
from judges.core.row import Notice
from judges.files.suite import PromptSuite
from judges.reduce.facts import Answers
from judges.reduce.regression import BASELINE
from judges.run.kinds import Inquiry
from judges.run.outputs import Producer

MOST_NAMED = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """Answers from an earlier run, by the digest of what was asked, which `digest` computes."""

    answers: Mapping[str, Answers]
    digest: Callable[[Inquiry], str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Accepted:
    """The accepted outputs of a suite. `several` tells that a case is run with several models."""

    suite: PromptSuite
    several: bool
    by_ref: Mapping[str, Sequence[BaselineCase]]

    def beside(self, produce: Producer) -> Producer:
        """Return what produces the outputs of now, and puts the accepted one beside them."""
        return lambda trial: {**produce(trial), BASELINE: self.record(trial)}

    def known(self, judges: tuple[str, ...]) -> Known:
        """Return the accepted answers: they hold for as long as these judges would be asked the same."""
        context = render_context(self.suite.context, self.suite.specs)
        cases = (case for cases in self.by_ref.values() for case in cases)
        return Known(
            answers={case.asked_sha256: case.answers for case in cases if case.asked_sha256},
            digest=partial(_digest, (*judges, str(self.suite.meta.judge.temperature)), context),
        )

    def record(self, trial: Trial) -> RunRecord:
        """Return the accepted output, or why there is none to compare with."""
        baseline = self.suite.baseline
        if baseline is None:
            return _absent("there is no baseline yet")
        found = self._find(trial)
        if found is None:
            return _absent("it is not in the baseline")
        if found.input_sha256 != digest_input(trial.case.input):
            return _absent("its input has changed since the baseline")
        return RunRecord(output=found.output, source=f"baseline {baseline.run}", accepted=True)

    def _find(self, trial: Trial) -> BaselineCase | None:
        """That of the same model, or else the only one where only one is wanted."""
        known = self.by_ref.get(trial.case.ref, ())
        same = [each for each in known if each.model == trial.model]
        if not same and len(known) == 1 and not self.several:
            return known[0]
        return same[0] if same else None


def find_accepted(suite: PromptSuite, *, several: bool) -> Accepted:
    """Return the accepted outputs of a suite; none where no run was accepted yet."""
    by_ref: dict[str, list[BaselineCase]] = {}
    for case in suite.baseline.cases if suite.baseline else ():
        by_ref.setdefault(case.ref, []).append(case)
    return Accepted(suite=suite, several=several, by_ref=by_ref)


def digest_input(variables: Mapping[str, Any]) -> str:
    """Return the digest of what an output was made from."""
    return digest(json.dumps(encode_value(variables), sort_keys=True))


def _digest(asked: tuple[str, ...], context: str, inquiry: Inquiry) -> str:
    """Return the digest of all that an inquiry asks, and of whom: equal ones need no second answer."""
    messages = render_messages(inquiry.questions, inquiry.evidence, context=context)
    return digest(json.dumps([*asked, *(message.content for message in messages)]))


def describe_baseline(suite: PromptSuite, judge: str) -> Iterator[Notice]:
    """Yield what a person should know of the baseline: what it lacks, and what must be judged again."""
    baseline = suite.baseline
    if baseline is None:
        yield Notice("there is no baseline yet, so nothing is compared: scaffold baseline accept")
        return
    known = {case.ref for case in baseline.cases}
    wanted = {case.ref for case in suite.cases if case.skip is None}
    if new := [case.ref for case in suite.cases if case.ref in wanted - known]:
        yield Notice(f"not in the baseline, so not compared: {_some(new)}")
    here = {case.ref for case in suite.cases}
    if gone := list(dict.fromkeys(case.ref for case in baseline.cases if case.ref not in here)):
        yield Notice(f"in the baseline, but no longer in the suite: {_some(gone)}")
    changed = list(_changes(suite, judge))
    if changed:
        yield Notice(f"the baseline's outputs are judged again, since {' and '.join(changed)} changed")


def _changes(suite: PromptSuite, judge: str) -> Iterator[str]:
    baseline = suite.baseline
    if baseline is None:
        return
    if baseline.judge != judge:
        yield f"the judge ({baseline.judge} before)"
    rubrics = {each.name: each.rubric_sha256 for each in suite.criteria}
    if rubrics != baseline.rubrics:
        yield "the rubrics"


def _absent(reason: str) -> RunRecord:
    return RunRecord(output=None, source="baseline", error=reason)


def _some(names: Sequence[str]) -> str:
    more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    return ", ".join(names[:MOST_NAMED]) + more
