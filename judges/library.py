"""The engine for programs: suites are loaded and run, and the report comes back as typed values.

    import judges

    suite = judges.load_suite(".omniscitus/tests/prompts/support-reply/prompt-meta.yaml")
    report = judges.run_suites([suite], judges.RunOptions(judge="gpt-4o"))
    print(report.verdict, report.totals.failed)

The project's settings hold as they do on the command line, and runs and answers are kept in the same places.
Nothing is printed and nobody is asked. What is named in `judges/__init__.py` is the public surface.
"""

import os
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from judges.core.errors import ConfigError, Problem
from judges.core.report import Report
from judges.files.any_suite import AnySuite, load_any
from judges.files.config import read_config
from judges.files.problems import build_all
from judges.files.project import CACHE_FILE
from judges.providers.base import Provider
from judges.providers.budget import Budget
from judges.providers.gate import SystemClock
from judges.providers.limit import Terms
from judges.providers.store import Store
from judges.run.connections import Connections, addresses
from judges.run.execute import Watch, execute
from judges.run.given_outputs import refuse_strangers
from judges.run.options import RunOptions
from judges.run.procedures import plan_suite
from judges.run.runner.cases import case_reader


def load_suite(
    path: str | os.PathLike[str], *, environ: Mapping[str, str] | None = None, allow_outside: bool = False
) -> AnySuite:
    """Read a suite of any kind, with the project's judge and model where it names none.

    `environ` (by default that of the process) is for a runner that must be asked for its cases. Paths that
    leave the project are refused, unless they are allowed.

    Raises:
        ConfigError: anything is wrong, in this file or in one that it names; with all problems.
    """
    read_cases = case_reader(os.environ if environ is None else environ)
    return load_any(Path(path), allow_outside=allow_outside, read_cases=read_cases)


def run_suites(
    suites: Sequence[AnySuite],
    options: RunOptions | None = None,
    *,
    own: Mapping[str, Provider] | None = None,
    connections: Connections | None = None,
    root: Path | None = None,
    watch: Watch | None = None,
) -> Report:
    """Run suites and return the report; the cases in it are read from the run directory as they are iterated.

    `own` are your own providers by the names that suites or options call them, such as a `ScriptedProvider`
    in a test; their answers are not kept. `connections` hold keys, addresses, limits and the cache: by
    default those of the environment, the project's settings and the project. `root` is the folder whose
    `.omniscitus/runs/` gets the run directory, by default the project of the first suite. `watch` is told of
    every case as it finishes.

    What goes wrong while measuring is an ERROR row, not an exception. Ctrl-C ends the run early, with what is
    finished in the report and `ExitCode.INTERRUPTED`.

    Raises:
        ConfigError: a suite cannot be run so, an output is of no case of the suites, or a model cannot be
            connected to; nothing was called.
        OSError: the run directory cannot be written.
    """
    if not suites:
        raise ConfigError([Problem("there is no suite to run", hint="load one with load_suite")])
    options = options or RunOptions()
    plans = build_all(lambda suite: plan_suite(suite, options), suites)
    refuse_strangers(options.outputs, plans)
    root = root or suites[0].root
    with _open_connections(root, options) as default:
        used = connections or default
        used = replace(used, own={**used.own, **(own or {})})
        return execute(plans, options, used, root=root, watch=watch)


@contextmanager
def _open_connections(root: Path, options: RunOptions) -> Iterator[Connections]:
    """Connect as the command line does; when the run ends, so do all waits for a retry."""
    config = read_config(root)
    stop = threading.Event()
    terms = Terms(
        concurrency=options.concurrency,
        http_retries=config.http_retries,
        budget=None if config.max_cost_usd is None else Budget(config.max_cost_usd),
        clock=SystemClock(stop),
    )
    store = Store(root / CACHE_FILE)
    try:
        yield Connections(environ={**os.environ, **addresses(config)}, terms=terms, store=store)
    finally:
        stop.set()
        store.close()
