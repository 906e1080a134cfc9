"""The files beside a suite that stand for all calls: the outputs of its prompt, and the judge's answers."""

import json
import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from judges.core.case import RunRecord, Trial, digest
from judges.core.encode import encode_value
from judges.core.report import SuiteKind
from judges.files.evaluation_meta import ModelSpec
from judges.files.outputs import RecordedOutputs
from judges.files.project import suite_kind, suite_name
from judges.files.replay import read_replay
from judges.providers.replay import Replay
from judges.run.connections import Endpoint
from judges.run.produce import Template

OUTPUTS = "outputs.jsonl"
ANSWERS = "replay.jsonl"
SOURCE = "recorded"
"""What the record of an output says that was not made now."""


@dataclass(frozen=True, slots=True)
class Recording:
    """Where what was recorded of a suite is, and the command that records it. Nothing need be there yet."""

    outputs: Path
    answers: Path
    command: str

    @property
    def hint(self) -> str:
        """What to do about a record that is missing or does not fit any more."""
        return f"to record it: {self.command}"

    def why_idle(self, *, outputs: bool, answers: bool) -> str | None:
        """Return why a suite that needs these files cannot be run from them; None where they are there."""
        needed = {self.outputs: outputs, self.answers: answers}
        missing = [path.name for path, is_needed in needed.items() if is_needed and not path.exists()]
        return f"not recorded: there is no {' and no '.join(missing)}; {self.hint}" if missing else None

    def sha256(self) -> str:
        """Return the digest of what was recorded."""
        known = (path for path in (self.outputs, self.answers) if path.exists())
        return digest(repr([sha256(path.read_bytes()).hexdigest() for path in known]))

    def connect(self) -> Callable[[str], Endpoint]:
        """Return what gives, by the name of a judge, who says again what this judge has said.

        Raises:
            ConfigError: the file of answers cannot be read.
        """
        entries = read_replay(self.answers)
        return lambda name: Endpoint(Replay(entries, source=name, hint=self.hint), self.answers.name)

    def read_outputs(self) -> "OutputsBeside":
        """Return the recorded outputs.

        Raises:
            ConfigError: the file of outputs is wrong.
        """
        return OutputsBeside(RecordedOutputs(self.outputs), self.hint)


@dataclass(frozen=True, slots=True)
class OutputsBeside:
    """The recorded outputs of a suite; `hint` says how to have what is missing."""

    lines: RecordedOutputs
    hint: str

    def find(self, trial: Trial, made_sha256: str | None) -> RunRecord:
        """Return the output of a trial, or why there is none that was made from the same."""
        line = self.lines.find(trial.case.ref, trial.arm, trial.model, trial.replica)
        if line is None:
            of = f" of {trial.model}" if trial.model else ""
            return self._none(f"no recorded output{of}")
        if line.made_sha256 not in (None, made_sha256):
            return self._none("no recorded output: what it is made from has changed since it was recorded")
        return RunRecord(
            output=line.output,
            source=SOURCE,
            latency_ms=None if line.latency_ms is None else float(line.latency_ms),
            cost_usd=line.cost_usd,
        )

    def _none(self, why: str) -> RunRecord:
        return RunRecord(output=None, source=SOURCE, error=f"{why}; {self.hint}")


def find_recording(suite: Path) -> Recording:
    """Return where the recorded files of a suite file are: a prompt suite has its folder for itself."""
    name = suite_name(suite)
    start = "" if suite_kind(suite) is SuiteKind.PROMPT else f"{name}."
    folder = suite.parent
    command = f"scaffold run {shlex.quote(name)} --record-all"
    return Recording(folder / f"{start}{OUTPUTS}", folder / f"{start}{ANSWERS}", command)


def digest_prompt(template: Template, model: ModelSpec, variables: Mapping[str, Any]) -> str:
    """Return the digest of what a model is sent to make an output, its name apart.

    Raises:
        RunError: the prompt cannot be rendered with these variables.
    """
    parameters = [model.system, encode_value(model.temperature), model.max_tokens]
    return digest(json.dumps([parameters, template.render(variables)]))


def digest_program(program: Path, variables: Mapping[str, Any]) -> str:
    """Return the digest of what a program makes an output from: its own text, and the input."""
    text = sha256(program.read_bytes()).hexdigest()
    return digest(json.dumps([text, encode_value(variables)], sort_keys=True))
