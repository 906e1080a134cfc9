"""A runner as a producer of outputs: started when it is first needed, and afresh after a failure."""

import threading
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from decimal import Decimal
from pathlib import Path
from typing import Any

from judges.core.case import RunRecord, Trial
from judges.core.errors import ProcessError, RunError
from judges.core.row import excerpt
from judges.providers.budget import Budget
from judges.run.runner.answer import Answer
from judges.run.runner.command import Command
from judges.run.runner.mask import Mask
from judges.run.runner.price import Price, unpriced
from judges.run.runner.process import Gone, Process
from judges.run.runner.stderr import ErrorLog

MOST_BARREN = 3
"""So many processes in a row may end without an answer."""
ERROR_LENGTH = 1000


class Runner:
    """Asks one process at a time for outputs. Calling it runs one trial; safe in several threads.

    `silence_seconds` is how long a process may answer nothing while requests are open, `patience_seconds` how
    long it may take to end by itself once its input has ended. `price` completes the usage that it reports.
    What it has spent counts against the budget, after the fact.
    """

    def __init__(
        self,
        command: Command,
        *,
        silence_seconds: float,
        patience_seconds: float = 5.0,
        mask: Mask = str,
        price: Price = unpriced,
        budget: Budget | None = None,
    ) -> None:
        self._command = command
        self._silence = silence_seconds
        self._patience = patience_seconds
        self._mask = mask
        self._price = price
        self._budget = budget
        self._log = ErrorLog()
        self._lock = threading.Lock()
        self._closed = False
        self._barren = 0
        self._processes: list[Process] = []

    @contextmanager
    def opened(self, folder: Path | None = None) -> Iterator[None]:
        """Keep its standard error in a file of this folder, and end all that it has started at the end."""
        if folder is not None:
            self._log.open(folder)
        try:
            yield
        finally:
            self.close()

    def __call__(self, trial: Trial) -> RunRecord:
        """Return the output, or why there is none."""
        try:
            if self._budget:
                self._budget.reserve(Decimal(0))  # what it will spend is not known
            answer = self.ask(encode_trial(trial))
        except RunError as error:
            return RunRecord(output=None, source=self._command.name, error=str(error))
        used = self._price(answer.used, trial.model)
        if self._budget:
            self._budget.settle(Decimal(0), used.cost_usd)
        return RunRecord(
            output=answer.output,
            error=None if answer.output is not None else self.explain(answer),
            source=self._command.name,
            usage=used,
            latency_ms=None if answer.latency_ms is None else float(answer.latency_ms),
            events=tuple(answer.events or ()),
        )

    def ask(self, request: Mapping[str, Any]) -> Answer:
        """Send a request to the process that runs, or to a fresh one, and wait for its answer.

        Raises:
            ProcessError: there is none.
        """
        while True:
            try:
                return self._process().ask(request)
            except Gone:
                continue

    def explain(self, answer: Answer) -> str:
        """Return why an answer holds nothing of use, in the runner's words if it has any."""
        if answer.error is None:
            return f"{self._command.name} answered something else than was asked for"
        return excerpt(self._mask(f"{self._command.name}: {answer.error}"), ERROR_LENGTH)

    def close(self) -> None:
        """End every process, and all that they have started. Nothing can be asked any more."""
        with self._lock:
            self._closed = True
        with ExitStack() as ends:  # an interrupt meanwhile hurries one, and leaves out none
            ends.callback(self._log.close)
            for process in self._processes:
                ends.callback(process.end, self._patience)

    def _process(self) -> Process:
        """Return the process to ask."""
        with self._lock:
            if self._closed:
                raise ProcessError(f"{self._command.name} was stopped")
            if self._processes and self._processes[-1].usable:
                return self._processes[-1]
            self._check_hope()
            self._processes = [process for process in self._processes if not process.gone]
            self._processes.append(self._start())
            return self._processes[-1]

    def _check_hope(self) -> None:
        if not self._processes:
            return
        last = self._processes[-1]
        self._barren = 0 if last.answered else self._barren + 1
        if self._barren >= MOST_BARREN:
            starts = f"{MOST_BARREN} starts in a row without an answer"
            raise ProcessError(f"{self._command.name} was given up after {starts}: {last.fault}")

    def _start(self) -> Process:
        try:
            return Process(self._command, self._silence, self._mask, self._log)
        except OSError as error:
            hint = "its first line must name the program that runs it, as #!/usr/bin/env bash does"
            message = f"{self._command.name} cannot be started: {error.strerror or error} ({hint})"
            raise ProcessError(message) from None


def encode_trial(trial: Trial) -> dict[str, Any]:
    """Return the request for a trial's output."""
    return {
        "input": trial.case.input,
        "arm": trial.arm,
        "replica": trial.replica,
        "model": trial.model,
    }
