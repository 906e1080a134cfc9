"""One trial of a prompt suite from start to end: get the outputs, check them, judge them, decide."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from judges.ask.judge import Judgement
from judges.ask.suspicion import suspicions, unfounded_quotes
from judges.check.build import Check
from judges.check.context import CheckContext
from judges.core.case import Case, RunRecord, Trial
from judges.core.question import Subject
from judges.core.report import CaseReport
from judges.core.row import Notice, Row
from judges.core.usage import NOTHING, Usage
from judges.core.verdict import Verdict
from judges.files.suite import PromptSuite
from judges.reduce.decision import Decision, Rules
from judges.reduce.facts import Answers, Arm, Facts, did_not_pass
from judges.reduce.overrides import Corrections, Newest, select_overrides
from judges.reduce.percent import as_decimal
from judges.run.asking import Asker, Replication, ask_again, merge_stability
from judges.run.baseline import Known
from judges.run.canary import Canary
from judges.run.kinds import Inquiry, Kind, join_digests
from judges.run.outcome import Asked, Outcome
from judges.run.outputs import Producer, Records
from judges.run.runner.runner import Runner


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptBench:
    """Everything that the trials of one suite share. Calling it runs one trial; safe in several threads.

    `canary` is what the judge is asked before any trial, if anything. With `judge_all` the judge is asked
    even where a deterministic check has failed already. `known` are answers that are not asked for again.
    `runners` are the programs behind `produce`. `refusal` is why nothing is to be produced or judged at all.
    """

    suite: PromptSuite
    kind: Kind
    rules: Rules
    checks: tuple[Check, ...]
    produce: Producer
    judge: Asker
    canary: Canary
    replication: Replication
    overrides: Mapping[str, Newest]
    now: datetime
    judge_all: bool = False
    known: Known | None = None
    runners: tuple[Runner, ...] = ()
    refusal: str | None = None

    def prepare(self, folder: Path) -> tuple["PromptBench", Usage]:
        """Put the judge to the test; one that fails it judges nothing.

        Raises:
            OSError: what was found cannot be kept in the suite's folder.
        """
        found = self.canary.check(self.judge, folder)
        if found.failure is None:
            return self, found.usage
        return replace(self, refusal=f"the judge failed its canary: {found.failure}"), found.usage

    @contextmanager
    def opened(self, folder: Path) -> Iterator[None]:
        """Start what makes outputs, and end it; its files go to the suite's folder."""
        with ExitStack() as stack:
            for runner in self.runners if self.refusal is None else ():
                stack.enter_context(runner.opened(folder))
            yield

    def __call__(self, trial: Trial) -> Outcome:
        """Run one trial. What goes wrong becomes a row."""
        case = trial.case
        if case.skip is not None:
            row = Row(id="case", kind="case", verdict=Verdict.SKIP, error=case.skip)
            return self._outcome(trial, _none("skipped"), Decision(verdict=Verdict.SKIP, rows=(row,)))
        if self.refusal is not None:
            row = Row(id="judge", kind="judge", verdict=Verdict.ERROR, error=self.refusal)
            refused = self.kind.decide(self.rules, case, Facts(checked={None: (row,)}))
            return self._outcome(trial, _none("not run", self.refusal), refused)
        return self._judge(trial, self.produce(trial))

    def _judge(self, trial: Trial, records: Records) -> Outcome:
        case = trial.case
        checked = {arm: self._check(case, record) for arm, record in records.items()}
        outputs = {
            arm: record.output
            for arm, record in records.items()
            if record.output is not None and (self.judge_all or not any(map(did_not_pass, checked[arm])))
        }
        corrections = {arm: self._correct(case, sha256) for arm, sha256 in _digests(records).items()}
        answers: dict[Arm, Answers] = {}
        facts = Facts(checked=checked, corrections=corrections, answers=answers)
        asked: list[Asked] = []
        for inquiry in self.kind.inquire(self.rules, case, outputs):
            asked.append(self._ask(trial, inquiry, facts))
            answers[inquiry.arm] = asked[-1].judgement.answers
        return self._outcome(trial, records, self.kind.decide(self.rules, case, facts), asked)

    def _check(self, case: Case, record: RunRecord) -> tuple[Row, ...]:
        if record.output is None:
            return (Row(id="output", kind="output", verdict=Verdict.ERROR, error=record.error),)
        context = CheckContext(
            output=record.output,
            input=case.input,
            latency_ms=record.latency_ms,
            cost_usd=record.usage.cost_usd if record.usage.calls else record.cost_usd,
        )
        rows = (check(context) for check in self.checks)
        # how long an accepted output took is not known any more: that is no reason not to compare it
        return tuple(row for row in rows if not (record.accepted and row.verdict is Verdict.ERROR))

    def _correct(self, case: Case, output_sha256: str | None) -> Corrections:
        return select_overrides(
            self.overrides.get(case.ref, {}),
            ref=case.ref,
            output_sha256=output_sha256,
            criteria=self.rules.criteria,
            now=self.now,
        )

    def _ask(self, trial: Trial, inquiry: Inquiry, facts: Facts) -> Asked:
        sha256 = self.known.digest(inquiry) if self.known else None
        known = self.known.answers.get(sha256) if self.known and sha256 else None
        if known is not None:
            return Asked(inquiry=inquiry, judgement=Judgement(answers=known), sha256=sha256)

        def decide(answers: Answers) -> Verdict:
            assumed = replace(facts, answers={**facts.answers, inquiry.arm: answers})
            return self.kind.decide(self.rules, trial.case, assumed).verdict

        judgement, stability = ask_again(
            lambda subject: self.judge.ask(inquiry.questions, inquiry.evidence, subject),
            inquiry.questions,
            Subject(
                ref=trial.case.ref,
                arm=inquiry.arm,
                replica=trial.replica,
                output_sha256=inquiry.output_sha256,
            ),
            self.replication,
            decide,
            self.rules.good_answers,
        )
        return Asked(inquiry=inquiry, judgement=judgement, stability=stability, sha256=sha256)

    def _outcome(
        self, trial: Trial, records: Records, decision: Decision, asked: Sequence[Asked] = ()
    ) -> Outcome:
        case, record = trial.case, records.get(self.kind.shown) or records[None]
        stability = merge_stability(each.stability for each in asked)
        produced = sum((each.usage for each in records.values()), NOTHING)
        report = CaseReport(
            ref=case.ref,
            title=case.title,
            category=case.category,
            model=trial.model,
            verdict=decision.verdict,
            rows=decision.rows,
            score=None if decision.score is None else as_decimal(decision.score),
            judged_score=None if decision.judged_score is None else as_decimal(decision.judged_score),
            criteria=decision.criteria,
            override=decision.override,
            notices=(*decision.notices, *(Notice(remark, case.ref) for remark in _remarks(asked))),
            output=record.output,
            outputs={arm: each.output for arm, each in records.items() if arm and self.kind.shown},
            usage=sum((each.judgement.usage for each in asked), produced),
            output_usage=produced,
            stability=stability.encode() if stability else None,
        )
        return Outcome(
            trial=trial,
            records=records,
            record=record,
            output_sha256=_digests(records)[None],
            case=report,
            asked=tuple(asked),
        )


def _none(source: str, error: str | None = None) -> Records:
    return {None: RunRecord(output=None, source=source, error=error)}


def _digests(records: Records) -> dict[Arm, str | None]:
    """Return what judgements and corrections are bound to, by arm; those of all arms together to all."""
    by_arm = {arm: record.output_sha256 for arm, record in records.items()}
    if None not in by_arm:
        known = [each for each in by_arm.values() if each is not None]
        by_arm[None] = join_digests(known) if len(known) == len(by_arm) else None
    return by_arm


def _remarks(asked: Iterable[Asked]) -> Iterable[str]:
    """Return what a person should know of the evidence and the answers; each piece of evidence once."""
    remarks: dict[str, None] = {}
    seen: set[frozenset[str]] = set()
    for each in asked:
        fields = each.inquiry.evidence.fields
        if (texts := frozenset(fields.values())) not in seen:
            seen.add(texts)
            remarks.update(dict.fromkeys(suspicions(each.inquiry.evidence)))
        outputs = (text for name, text in fields.items() if name.split(".")[0] == "output")
        remarks.update(dict.fromkeys(unfounded_quotes(each.judgement.answers, *outputs)))
        remarks.update(dict.fromkeys(each.judgement.remarks))
    return remarks
