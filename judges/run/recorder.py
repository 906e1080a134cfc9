"""`--record`: a judge's answers as a file that `replay:FILE` reads, to repeat a run for free."""

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from judges.core.question import Answer, Predicate, Question
from judges.core.replay import ReplayEntry
from judges.files.replay import render_replay_entry
from judges.files.whole import write_whole
from judges.run.outcome import Outcome


class Recorder:
    """Collects answers on disk while a run goes on, and writes the file when it is asked to."""

    def __init__(self, source: str) -> None:
        self._source = source
        self._lines = tempfile.TemporaryFile("w+", encoding="utf-8")  # noqa: SIM115  (lives as long as this)

    def add(self, outcome: Outcome) -> None:
        """Take note of the answers about one trial."""
        self._lines.writelines(
            render_replay_entry(entry) + "\n" for entry in replay_entries(outcome, self._source)
        )

    def close(self) -> None:
        """Forget what was collected."""
        self._lines.close()

    def save(self, path: Path) -> None:
        """Write the file.

        Raises:
            OSError: it cannot be written; an earlier file is as it was.
        """
        self._lines.seek(0)
        with write_whole(path) as file:
            shutil.copyfileobj(self._lines, file)


def replay_entries(outcome: Outcome, source: str) -> Iterator[ReplayEntry]:
    """Yield what the judge answered about one trial; a question without an answer has no entry."""
    for asked in outcome.asked:
        for question in asked.inquiry.questions:
            answer = asked.judgement.answers[question.name]
            if isinstance(answer, Answer):
                yield ReplayEntry(
                    ref=outcome.case.ref,
                    question=question.name,
                    answer=_said(question, answer),
                    arm=asked.inquiry.arm,
                    replica=outcome.trial.replica,
                    output_sha256=asked.inquiry.output_sha256,
                    reasoning=answer.reasoning,
                    quotes=answer.quotes,
                    source=source,
                )


def _said(question: Question, answer: Answer) -> int | bool | str:
    if isinstance(question, Predicate):
        return question.labels[0] if answer.value else question.labels[1]
    return answer.value
