"""Recording: the outputs of a suite and the judge's answers, as files that a run without any call reads."""

import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from judges.core.case import TrialKey
from judges.core.question import Answer, Predicate, Question, Statement, Subject
from judges.core.replay import ReplayEntry, digest_asked
from judges.core.verdict import Verdict
from judges.files.outputs import render_output
from judges.files.replay import render_replay_entry
from judges.files.whole import write_whole
from judges.reduce.regression import BASELINE
from judges.run.outcome import Asked, Outcome
from judges.run.plan import Plan
from judges.run.procedures import procedure_of
from judges.run.prompt_plan import PromptPlan
from judges.run.recorded import find_recording
from judges.run.standing import is_replay


class Lines:
    """Lines of a file to be, kept on disk by the trial that they are from."""

    def __init__(self) -> None:
        self._file = tempfile.TemporaryFile("w+b")  # noqa: SIM115  (lives as long as this)
        self._places: dict[TrialKey, tuple[int, int]] = {}

    def __bool__(self) -> bool:
        return any(length for _, length in self._places.values())

    def add(self, key: TrialKey, lines: Iterable[str]) -> None:
        """Keep the lines of one trial."""
        start = self._file.tell()
        self._file.writelines(f"{line}\n".encode() for line in lines)
        self._places[key] = start, self._file.tell() - start

    def save(self, path: Path, order: Iterable[TrialKey]) -> None:
        """Write the file, trial by trial in this order: recorded again, it differs only where it must.

        Raises:
            OSError: it cannot be written; an earlier file is as it was.
        """
        with write_whole(path) as file:
            for start, length in (self._places[key] for key in order if key in self._places):
                self._file.seek(start)
                file.write(self._file.read(length).decode())

    def close(self) -> None:
        """Forget them."""
        self._file.close()


class Recorder:
    """Collects what the run of one suite gives, and writes files when it is asked to."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self._procedure = procedure_of(plan.kind)
        self._told = self._procedure.told(plan)
        self._times = plan.replication.most if isinstance(plan, PromptPlan) else 1
        self._answers, self._outputs = Lines(), Lines()
        self._gaps = 0

    def add(self, outcome: Outcome) -> None:
        """Take note of the output and the answers of one trial."""
        key, lines = outcome.trial.key, self._procedure.lines
        entries = replay_entries(self._statements(outcome), self._told)
        self._answers.add(key, map(render_replay_entry, entries))
        self._outputs.add(key, map(render_output, lines(self.plan, outcome)) if lines else ())
        self._gaps += _lacks(outcome)

    def close(self) -> None:
        """Forget what was collected."""
        self._answers.close()
        self._outputs.close()

    def save_answers(self, path: Path) -> None:
        """Write the judge's answers to a file.

        Raises:
            OSError: it cannot be written; an earlier file is as it was.
        """
        self._answers.save(path, self._order())

    def save_beside(self) -> str | None:
        """Write what the suite's own files do not hold beside it; return what was done, if anything was.

        Where an output or an answer is missing the files stay as they are.

        Raises:
            OSError: a file cannot be written; an earlier one is as it was.
        """
        name, files = self.plan.suite.name, find_recording(self.plan.suite.path)
        kept = {files.outputs: self._outputs} if self._outputs else {}
        if not all(map(is_replay, self.plan.consulted)):
            kept[files.answers] = self._answers
        if self._procedure.lines is None or not (kept or self._gaps):
            return None
        if self._gaps:
            return f"{name}: not recorded (trials without an output or an answer: {self._gaps}); {files.hint}"
        for path, lines in kept.items():
            lines.save(path, self._order())
        return f"{name}: recorded in {' and '.join(path.name for path in kept)} beside it"

    def _statements(self, outcome: Outcome) -> Iterator[Statement]:
        """Yield who said what. What a baseline has known is as if said each time that is asked for."""
        for asked in outcome.asked:
            known = _known(outcome.case.ref, asked, self.plan.judge)
            each_time = (
                replace(known, subject=replace(known.subject, replica=replica))
                for replica in range(1, self._times + 1)
            )
            yield from asked.judgement.statements or each_time

    def _order(self) -> Iterator[TrialKey]:
        return (trial.key for trial in self.plan.trials())


def replay_entries(statements: Iterable[Statement], told: str) -> Iterator[ReplayEntry]:
    """Yield what was answered, by each judge and each time; a question without an answer has no entry.

    `told` is what a judge is told in all of its calls.
    """
    for statement in statements:
        for question in statement.questions:
            answer = statement.answers[question.name]
            if isinstance(answer, Answer):
                yield _entry(statement, question, answer, told)


def _known(ref: str, asked: Asked, judge: str) -> Statement:
    inquiry = asked.inquiry
    return Statement(
        judge=judge,
        questions=inquiry.questions,
        evidence=inquiry.evidence,
        subject=Subject(ref=ref, arm=inquiry.arm, output_sha256=inquiry.output_sha256),
        answers=asked.judgement.answers,
    )


def _entry(statement: Statement, question: Question, answer: Answer, told: str) -> ReplayEntry:
    subject = statement.subject
    return ReplayEntry(
        ref=subject.ref,
        question=question.name,
        answer=_said(question, answer),
        arm=subject.arm,
        replica=subject.replica,
        output_sha256=subject.output_sha256,
        asked_sha256=digest_asked(question, statement.evidence, told),
        reasoning=answer.reasoning,
        quotes=answer.quotes,
        probabilities=answer.probabilities,
        confidence=answer.confidence,
        source=statement.judge,
        panel=statement.panel,
    )


def _said(question: Question, answer: Answer) -> int | bool | str:
    if isinstance(question, Predicate):
        return question.labels[0] if answer.value else question.labels[1]
    return answer.value


def _lacks(outcome: Outcome) -> bool:
    """Whether a run without calls could not be told what this trial came to. A baseline may be missing."""
    if outcome.case.verdict is Verdict.SKIP:
        return False
    outputs = (record.output for arm, record in outcome.records.items() if arm != BASELINE)
    answers = (answer for asked in outcome.asked for answer in asked.judgement.answers.values())
    return None in outputs or not all(isinstance(answer, Answer) for answer in answers)
