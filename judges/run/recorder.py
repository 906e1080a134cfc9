"""`--record`: a judge's answers as a file that `replay:FILE` reads, to repeat a run for free."""

from pathlib import Path

from judges.core.question import Answer, Predicate
from judges.core.replay import ReplayEntry
from judges.files.replay import render_replay_entry
from judges.run.trial import Outcome


class Recorder:
    """Collects answers beside the file, and puts them in its place when the run is complete.

    Raises:
        OSError: the file cannot be written.
    """

    def __init__(self, path: Path, source: str) -> None:
        self.path = path
        self.part = path.with_name(f"{path.name}.part")
        self._source = source
        self._file = self.part.open("w", encoding="utf-8")

    def add(self, outcome: Outcome) -> None:
        """Write the answers about one trial."""
        for question in outcome.questions:
            answer = (outcome.answers or {}).get(question.name)
            if isinstance(answer, Answer):
                said = answer.value
                if isinstance(question, Predicate):
                    said = question.labels[0] if said else question.labels[1]
                entry = ReplayEntry(
                    ref=outcome.case.ref,
                    question=question.name,
                    answer=said,
                    arm=outcome.trial.arm,
                    replica=outcome.trial.replica,
                    output_sha256=outcome.record.output_sha256,
                    reasoning=answer.reasoning,
                    quotes=answer.quotes,
                    source=self._source,
                )
                self._file.write(render_replay_entry(entry) + "\n")

    def close(self, *, complete: bool) -> Path:
        """Close the file and return where it is: in its place only when the run was complete."""
        self._file.close()
        return self.part.replace(self.path) if complete else self.part
