"""One trial from start to end: get the output, check it, judge it, decide."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TypeAlias

from judges.ask.judge import JudgeCall, Judgement
from judges.ask.questions import build_evidence, build_questions
from judges.ask.suspicion import suspicions, unfounded_quotes
from judges.check.build import Check
from judges.check.context import CheckContext
from judges.core.case import RunRecord, Trial
from judges.core.question import Answer, Question, Subject, Unanswered
from judges.core.report import CaseReport
from judges.core.row import Notice, Row
from judges.core.verdict import Verdict
from judges.files.suite import PromptSuite
from judges.reduce.decision import Decision, Rules
from judges.reduce.overrides import Newest, select_overrides
from judges.reduce.percent import as_decimal
from judges.reduce.score import decide_case, decide_unjudged
from judges.run.asking import Asker, Replication, Stability, ask_again
from judges.run.runner.runner import Runner

Producer: TypeAlias = Callable[[Trial], RunRecord]

NOT_RELIED_ON = "the judge cannot be relied on"
UNASKED = Judgement(answers={})


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What one trial led to: the record, what the judge was asked and said, and the report of the case."""

    trial: Trial
    record: RunRecord
    case: CaseReport
    calls: tuple[JudgeCall, ...] = ()
    answers: Mapping[str, Answer | Unanswered] = field(default_factory=dict)
    questions: tuple[Question, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Bench:
    """Everything that the trials of one suite share. Calling it runs one trial; safe in several threads.

    With `judge_all` the judge is asked even where a deterministic check has failed already. `runner` is the
    program behind `produce`, if there is one: who runs the bench opens it. `refusal` is why nothing is to be
    produced or judged at all.
    """

    suite: PromptSuite
    rules: Rules
    checks: tuple[Check, ...]
    produce: Producer
    judge: Asker
    replication: Replication
    overrides: Mapping[str, Newest]
    now: datetime
    judge_all: bool = False
    runner: Runner | None = None
    refusal: str | None = None

    def __call__(self, trial: Trial) -> Outcome:
        """Run one trial. What goes wrong becomes a row."""
        case = trial.case
        if case.skip is not None:
            row = Row(id="case", kind="case", verdict=Verdict.SKIP, error=case.skip)
            nothing = RunRecord(output=None, source="skipped")
            return self._outcome(trial, nothing, Decision(verdict=Verdict.SKIP, rows=(row,)))
        if self.refusal is not None:
            return self._refuse(trial, self.refusal)
        record = self.produce(trial)
        if record.output is None:
            row = Row(id="output", kind="output", verdict=Verdict.ERROR, error=record.error)
            reason = "there is no output to judge"
            return self._outcome(trial, record, decide_unjudged(self.rules, case, (row,), reason))
        return self._check_and_judge(trial, record, record.output)

    def _refuse(self, trial: Trial, reason: str) -> Outcome:
        row = Row(id="judge", kind="judge", verdict=Verdict.ERROR, error=reason)
        nothing = RunRecord(output=None, source="not run", error=reason)
        return self._outcome(trial, nothing, decide_unjudged(self.rules, trial.case, (row,), NOT_RELIED_ON))

    def _check_and_judge(self, trial: Trial, record: RunRecord, output: str) -> Outcome:
        context = CheckContext(
            output=output,
            input=trial.case.input,
            latency_ms=record.latency_ms,
            cost_usd=record.usage.cost_usd if record.usage.calls else None,
        )
        checked = tuple(check(context) for check in self.checks)
        failed = [row.id for row in checked if row.verdict in (Verdict.FAIL, Verdict.ERROR)]
        if failed and not self.judge_all:
            reason = f"the judge was not asked, since {failed[0]} did not pass"
            return self._outcome(trial, record, decide_unjudged(self.rules, trial.case, checked, reason))
        return self._judge(trial, record, output, checked)

    def _judge(self, trial: Trial, record: RunRecord, output: str, checked: tuple[Row, ...]) -> Outcome:
        case = trial.case
        questions = build_questions(self.rules.criteria, self.rules.checks, case)
        evidence = build_evidence(case, output)
        subject = Subject(
            ref=case.ref, arm=trial.arm, replica=trial.replica, output_sha256=record.output_sha256
        )
        corrections = select_overrides(
            self.overrides.get(case.ref, {}),
            ref=case.ref,
            output_sha256=record.output_sha256,
            criteria=self.rules.criteria,
            now=self.now,
        )
        judgement, stability = ask_again(
            lambda subject: self.judge.ask(questions, evidence, subject),
            questions,
            subject,
            self.replication,
            lambda answers: decide_case(self.rules, case, checked, answers, corrections).verdict,
            self.rules.good_answers,
        )
        decision = decide_case(self.rules, case, checked, judgement.answers, corrections)
        remarks = (
            *suspicions(evidence),
            *unfounded_quotes(judgement.answers, output),
            *judgement.remarks,
        )
        judgement = replace(judgement, remarks=remarks)
        return self._outcome(trial, record, decision, judgement, questions, stability)

    def _outcome(
        self,
        trial: Trial,
        record: RunRecord,
        decision: Decision,
        judgement: Judgement = UNASKED,
        questions: tuple[Question, ...] = (),
        stability: Stability | None = None,
    ) -> Outcome:
        case = trial.case
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
            notices=(*decision.notices, *(Notice(remark, case.ref) for remark in judgement.remarks)),
            output=record.output,
            usage=record.usage + judgement.usage,
            output_usage=record.usage,
            stability=stability.encode() if stability else None,
        )
        return Outcome(
            trial=trial,
            record=record,
            case=report,
            calls=judgement.calls,
            answers=judgement.answers,
            questions=questions,
        )
