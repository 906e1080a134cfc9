"""The run directory: what a run writes as it goes, and how it is read again.

    <run>/plan.json                 written first: what is going to be run, so that it can be resumed
    <run>/run.json                  written last: versions, parameters, verdict, totals
    <run>/<suite>/records.jsonl     a line a trial: what it produced, and what the judge was asked and said
    <run>/<suite>/messages/         what the judge was told in many calls, each text once
    <run>/<suite>/rows.jsonl        a line a trial: the case as in the JSON report
    <run>/<suite>/cases.jsonl       a line a case as in the JSON report, where one is made of several trials
    <run>/<suite>/grade.json        the suite's verdict, totals, usage and notices

Where the caller named the place, a single suite has its files right in the run's folder. The first two .jsonl
files have the same order, in which trials finished; the `index` that every row begins with is the trial's
place in its suite. A trial counts as finished once its line in rows.jsonl is whole; its record is written
before. A line that was cut by a crash is passed over.
"""

import json
import secrets
import shlex
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from datetime import datetime
from pathlib import Path
from typing import IO, Any, overload

from slugify import slugify

from judges.ask.judge import JudgeCall
from judges.core.case import RunRecord
from judges.core.encode import decode_case, encode_case, encode_usage, encode_value, render_line
from judges.core.errors import ConfigError, Problem
from judges.core.question import Answer
from judges.core.report import CaseReport, run_name
from judges.core.row import excerpt
from judges.files.whole import LineWriter, write_whole
from judges.run.messages import SharedMessages, read_messages
from judges.run.outcome import Asked, Outcome


def create_run_dir(root: Path, now: datetime, place: Path | None = None) -> Path:
    """Create and return `place`, which may be there already, or `<root>/.omniscitus/runs/<UTC>-<4 hex>`."""
    runs = root / ".omniscitus" / "runs"
    path = place or runs / f"{now:%Y%m%dT%H%M%SZ}-{secrets.token_hex(2)}"
    path.mkdir(parents=True, exist_ok=place is not None)
    return path


def suite_folder_name(name: str) -> str:
    """Return the name of the folder of a suite, unless another suite of the run has it."""
    return slugify(name, max_length=80) or "suite"


def create_suite_dir(run_dir: Path, name: str) -> Path:
    """Create and return a folder for a suite, named after it."""
    base = suite_folder_name(name)
    number = 1
    while True:
        path = run_dir / (base if number == 1 else f"{base}-{number}")
        try:
            path.mkdir()
        except FileExistsError:
            number += 1
        else:
            return path


PLAN = "plan.json"
RUN = "run.json"
RECORDS = "records.jsonl"
ROWS = "rows.jsonl"
CASES = "cases.jsonl"
GRADE = "grade.json"


class SuiteWriter:
    """Appends the finished trials of one suite to its folder. Used from one thread."""

    def __init__(self, folder: Path) -> None:
        self.path = folder
        self._records = LineWriter(folder / RECORDS)
        self._rows = LineWriter(folder / ROWS)
        self._messages = SharedMessages(folder)

    def write(self, finished: Sequence[tuple[int, Outcome]]) -> list[int]:
        """Write trials, each with its number in the suite (from 0); return where their rows start."""
        self._records.append_all(
            render_line(encode_record(outcome, self._messages)) for _, outcome in finished
        )
        return self._rows.append_all(_render_row(index, outcome) for index, outcome in finished)

    def close(self) -> None:
        """Close the files."""
        self._records.close()
        self._rows.close()


def _render_row(index: int, outcome: Outcome) -> str:
    place = {"index": index, "arm": outcome.trial.arm, "replica": outcome.trial.replica}
    return render_line(place | encode_case(outcome.case))


def store_merged(folder: Path, cases: Iterable[CaseReport]) -> Iterator[tuple[CaseReport, int]]:
    """Write cases that are made of several trials; yield each with where its line starts.

    Raises:
        OSError: they cannot be written.
    """
    path = folder / CASES
    path.unlink(missing_ok=True)  # a run that was cut off here goes on with what it has now
    with closing(LineWriter(path)) as file:
        for case in cases:
            yield case, file.append(render_line(encode_case(case)))


class StoredCases(Sequence[CaseReport]):
    """The cases of one suite in a given order, read from the run directory as they are asked for.

    `places` are where their lines start in the file.
    """

    def __init__(self, path: Path, places: Iterable[int]) -> None:
        self._path = path
        self._places = array("q", places)

    @property
    def places(self) -> Sequence[int]:
        """Where the lines start."""
        return self._places

    def __len__(self) -> int:
        return len(self._places)

    @overload
    def __getitem__(self, index: int) -> CaseReport: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[CaseReport]: ...
    def __getitem__(self, index: int | slice) -> CaseReport | Sequence[CaseReport]:
        if isinstance(index, slice):
            return [self[at] for at in range(*index.indices(len(self)))]
        with self._path.open("rb") as rows:
            return self._read(rows, self._places[index])

    def __iter__(self) -> Iterator[CaseReport]:
        with self._path.open("rb") as rows:
            for place in self._places:
                yield self._read(rows, place)

    def _read(self, rows: IO[bytes], place: int) -> CaseReport:
        rows.seek(place)
        try:
            return decode_case(json.loads(rows.readline()))
        except ValueError as error:
            raise ConfigError([_damaged(self._path, error)]) from error


class RunDirectory:
    """A run directory, read.

    Raises:
        ConfigError: it is no run directory, the run has not finished, or it is damaged.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        if not (path / RUN).exists():
            raise ConfigError([_without_end(path)])
        self.info = read_json(path / RUN)
        if not isinstance(self.info.get("suites"), list):
            raise ConfigError([_damaged(path / RUN, "it does not list its suites")])

    @property
    def suites(self) -> tuple[str, ...]:
        """The folders of the suites, in the order they were run."""
        return tuple(self.info["suites"])

    def kind(self, suite: str) -> str | None:
        """Return the kind of a suite; None where the run does not tell."""
        planned = (each for each in self.info.get("parameters", ()) if each.get("folder") == suite)
        return next((each.get("kind") for each in planned), None)

    def grade(self, suite: str) -> Mapping[str, Any]:
        """Return the suite's summary."""
        return read_json(self.path / suite / GRADE)

    def trials(self, suite: str) -> Iterator[CaseReport]:
        """Yield the suite's trials in the order they finished."""
        return self._read_cases(self.path / suite / ROWS)

    def cases(self, suite: str) -> Iterator[CaseReport]:
        """Yield the suite's cases; where they are the trials themselves, in the order they finished."""
        merged = self.path / suite / CASES
        return self._read_cases(merged) if merged.exists() else self.trials(suite)

    def _read_cases(self, path: Path) -> Iterator[CaseReport]:
        for line in read_lines(path):
            try:
                case = decode_case(line)
            except ValueError as error:
                raise ConfigError([_damaged(path, error)]) from error
            yield case

    def records(self, suite: str, ref: str) -> Iterator[Mapping[str, Any]]:
        """Yield what the trials of one case produced, with the judge's calls."""
        folder = self.path / suite
        lines = (line for line in read_lines(folder / RECORDS) if line.get("ref") == ref)
        return (read_messages(line, folder) for line in lines)


def encode_record(outcome: Outcome, messages: SharedMessages) -> dict[str, Any]:
    """Return the line of records.jsonl for a trial.

    `output` stands for the case; `arms` has all outputs where there are several.

    Raises:
        OSError: a message cannot be written.
    """
    trial = outcome.trial
    return {
        "ref": trial.case.ref,
        "arm": trial.arm,
        "model": trial.model,
        "replica": trial.replica,
        **_encode_output(outcome.record),
        "output_sha256": outcome.output_sha256,
        "arms": {arm: _encode_output(each) for arm, each in outcome.records.items() if arm is not None},
        "input": encode_value(trial.case.input),
        "expected_behavior": trial.case.expected_behavior,
        "answers": [_encode_answers(asked) for asked in outcome.asked],
        "judge": [
            {"arm": asked.inquiry.arm, **_encode_call(call, messages)}
            for asked in outcome.asked
            for call in asked.judgement.calls
        ],
    }


def _encode_output(record: RunRecord) -> dict[str, Any]:
    return {
        "output": record.output,
        "output_sha256": record.output_sha256,
        "source": record.source,
        "error": record.error,
        "latency_ms": record.latency_ms,
        "events": encode_value(record.events),
        "usage": encode_usage(record.usage),
    }


def _encode_answers(asked: Asked) -> dict[str, Any]:
    """Return the answers to the questions of one inquiry; those that there are none of are left out."""
    return {
        "arm": asked.inquiry.arm,
        "asked_sha256": asked.sha256,
        "output_sha256": asked.inquiry.output_sha256,
        "values": {
            name: {"value": answer.value, "probabilities": encode_value(answer.probabilities)}
            for name, answer in asked.judgement.answers.items()
            if isinstance(answer, Answer)
        },
    }


def read_json(path: Path) -> Mapping[str, Any]:
    """Return the JSON object that a file of a run holds.

    Raises:
        ConfigError: there is none.
    """
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise ConfigError([_damaged(path, error)]) from error
    if not isinstance(value, dict):
        raise ConfigError([_damaged(path, "not a JSON object")])
    return value


def read_lines(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the JSON objects of a file of a run; a line that was cut by a crash is passed over.

    Raises:
        ConfigError: the file is missing or damaged.
    """
    try:
        with path.open("rb") as file:
            for line in file:
                if line.endswith(b"\n"):
                    value = json.loads(line)
                    if not isinstance(value, dict):
                        raise ValueError(f"a line that is no object: {excerpt(str(value), 40)}")
                    yield value
    except (OSError, ValueError) as error:
        raise ConfigError([_damaged(path, error)]) from error


def write_json(path: Path, value: Mapping[str, Any]) -> None:
    """Write a JSON file whole or not at all."""
    with write_whole(path) as file:
        file.write(json.dumps(value, indent=2, ensure_ascii=False) + "\n")


def _encode_call(call: JudgeCall, messages: SharedMessages) -> dict[str, Any]:
    return {
        "model": call.model,
        "replica": call.replica,
        "messages": [messages.encode(message) for message in call.messages],
        "reply": call.reply,
        "complaint": call.complaint,
        "effective": encode_value(call.effective),
    }


def how_to_resume(run_dir: Path) -> str:
    """Return the command that goes on with a run that a command line started."""
    return f"scaffold run --resume {shlex.quote(run_name(run_dir))}"


def _without_end(path: Path) -> Problem:
    """Say what a folder without run.json is: that file is written last, and plan.json first."""
    if not (path / PLAN).exists():
        return Problem("is no run: it holds neither plan.json nor run.json", file=str(path))
    hint = f"{how_to_resume(path)} goes on with it, unless it is still running"
    if not read_json(path / PLAN).get("arguments"):
        hint = "a program started it: run that again, unless it is still running"
    return Problem("the run has not finished", file=str(path), hint=hint)


def _damaged(path: Path, why: object) -> Problem:
    return Problem(f"cannot be read as part of a run: {why}", file=str(path), hint="run the suite again")
