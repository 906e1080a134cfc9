"""The runs behind the items of one pytest session: each suite is run once, when its first item is."""

import os
import shlex
import threading
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from judges.core.errors import ScaffoldError
from judges.core.report import CaseReport, Report, SuiteReport
from judges.core.verdict import ExitCode
from judges.files.project import find_root
from judges.out.masked import mask_report
from judges.out.printable import printable
from judges.out.summary import render_totals, render_usage
from judges.providers.limit import Terms
from judges.run.connections import Connections
from judges.run.execute import execute
from judges.run.plan import Plan
from scaffold.caching import open_store
from scaffold.ci_outputs import build_run_mask
from scaffold.copies import write_copies
from scaffold.request import RunRequest, build_terms, complete, plan_request
from scaffold.run_flags import NOTHING_ASKED

_YES = ("1", "true", "t", "yes", "y", "on")


class InterruptedRun(Exception):  # noqa: N818  (it is no error)
    """Somebody pressed Ctrl-C while a suite was run."""


class UnmeasuredSuite(Exception):  # noqa: N818  (it says which)
    """A suite could not be run at all."""


@dataclass(frozen=True, slots=True)
class SuiteResult:
    """What running a suite found. `run` is what commands call the run; `news` are lines about the whole."""

    run: str
    suite: SuiteReport
    news: tuple[str, ...]
    _places: Mapping[tuple[str, str | None], int]

    def case(self, ref: str, model: str | None) -> CaseReport | None:
        """Return the report of a case, read from the run directory; None where it was not run."""
        place = self._places.get((ref, model))
        return None if place is None else self.suite.cases[place]


@dataclass
class Runs:
    """Plans and runs suites as the command line does: with the project's settings, into the same places.

    `flags` are those of `scaffold run` that differ from its defaults. `workers` is the number of processes
    that share the session, each of which may spend its part of the budget.
    """

    flags: Mapping[str, Any]
    workers: int = 1
    _stop: threading.Event = field(default_factory=threading.Event)
    _connections: Connections | None = None
    _results: dict[Path, SuiteResult | UnmeasuredSuite] = field(default_factory=dict)

    def plan(self, path: Path, refs: Collection[str] | None = None) -> tuple[Plan, RunRequest]:
        """Return how a suite is run: with these cases, or all.

        Raises:
            ConfigError: the suite or a setting is wrong.
        """
        chosen = None if refs is None else {str(path): sorted(refs)}
        flags = {**NOTHING_ASKED, **self.flags, "live": _is_live(os.environ), "failed": chosen}
        request = complete(RunRequest(suites=(str(path),), flags=flags), path)
        (plan,) = plan_request([path], request)
        return plan, request

    def is_known(self, path: Path) -> bool:
        """Whether a suite was run already."""
        return path in self._results

    def run(self, path: Path, wanted: Callable[[], Collection[str] | None]) -> SuiteResult:
        """Return what a suite's run found. At the first call it is run, with the cases `wanted` or all.

        Raises:
            UnmeasuredSuite: it cannot be run, and so it is for every item.
            InterruptedRun: the user ended the run.
        """
        if path not in self._results:
            try:
                self._results[path] = self._run(*self.plan(path, wanted()))
            except (ScaffoldError, OSError) as error:
                self._results[path] = UnmeasuredSuite(str(error))
        result = self._results[path]
        if isinstance(result, UnmeasuredSuite):
            raise UnmeasuredSuite(*result.args)
        return result

    def close(self) -> None:
        """End all waits for a retry, and let go of the cache."""
        self._stop.set()
        if self._connections is not None and self._connections.store is not None:
            self._connections.store.close()

    def _run(self, plan: Plan, request: RunRequest) -> SuiteResult:
        root = find_root(Path.cwd()) or plan.suite.root
        if self._connections is None:
            store = open_store(root)
            self._connections = Connections(request.environ, self._terms(request.flags), store=store)
        mask = build_run_mask([plan], request.environ)
        report = execute([plan], plan.options, self._connections, root=root)
        if report.exit_code is ExitCode.INTERRUPTED:
            raise InterruptedRun(report.notices[0].text)
        not_copied = write_copies([plan.suite], report)
        return _index(report, mask_report(report, mask), not_copied)

    def _terms(self, flags: Mapping[str, Any]) -> Terms:
        """Each of several processes may spend its share."""
        most = flags["max_cost_usd"]
        share = None if most is None else float(most) / self.workers
        return build_terms({**flags, "max_cost_usd": share}, self._stop)


def _index(report: Report, shown: Report, not_copied: Sequence[str]) -> SuiteResult:
    (suite,) = shown.suites
    places = {(case.ref, case.model): place for place, case in enumerate(report.suites[0].cases)}
    more = shlex.join(("scaffold", "show", report.name))
    whole = (
        f"{suite.name}: {suite.verdict}, {render_totals(suite.totals)}; {render_usage(suite.usage)}; {more}"
    )
    notices = (notice.text for notice in (*suite.notices, *shown.notices) if notice.ref is None)
    news = (printable(whole), *(f"  {printable(text)}" for text in (*notices, *not_copied)))
    return SuiteResult(report.name, suite, news, places)


def _is_live(environ: Mapping[str, str]) -> bool:
    return environ.get("RUN_LLM_BENCH", "").strip().lower() in _YES
