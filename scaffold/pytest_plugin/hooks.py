"""The hooks of a session with suites: which are collected, that each stays in one process, what is told."""

from collections.abc import Generator, Iterator
from contextlib import chdir
from pathlib import Path
from typing import Any

import pytest

from judges.core.errors import ConfigError
from judges.core.report import SuiteKind
from judges.core.verdict import Verdict
from judges.files.project import is_suite_file
from judges.out.summary import render_count
from scaffold.pytest_plugin.nodes import FAILING, RUNS, SuiteFile, SuiteItem
from scaffold.pytest_plugin.runs import Runs
from scaffold.suites import locate_suites

ALL = "all"
NEWS = "scaffold_news"
"""The attribute in which a report carries news from the process that ran the suite."""
_SCATTERING = ("each", "worksteal")
"""The ways of distributing items that cannot keep those of one suite together."""


def activate(config: pytest.Config) -> None:
    """Collect the suites that are asked for.

    Raises:
        UsageError: a name fits no suite, or the project's settings are wrong.
    """
    suites = frozenset(_locate(config))
    allowed = {
        verdict
        for verdict, key in (
            (Verdict.WARN, "scaffold_allow_warn"),
            (Verdict.INCONCLUSIVE, "scaffold_allow_inconclusive"),
        )
        if config.getini(key)
    }
    config.stash[FAILING] = {Verdict.FAIL, Verdict.WARN, Verdict.INCONCLUSIVE} - allowed
    config.stash[RUNS] = _build_runs(config)
    if config.args_source is not config.ArgsSource.ARGS and config.invocation_params.dir == config.rootpath:
        known = [Path(argument).absolute() for argument in config.args]
        config.args += [
            str(path) for path in sorted(suites) if not any(path.is_relative_to(each) for each in known)
        ]
    config.pluginmanager.register(Hooks(config, suites), "scaffold-suites")


class Hooks:
    """What pytest asks while suites are collected and run. `suites` are their files, as absolute paths."""

    def __init__(self, config: pytest.Config, suites: frozenset[Path]) -> None:
        ignored = {Path(path).absolute() for path in config.getoption("ignore") or ()}
        self._suites = suites
        self._folders = {folder for path in suites for folder in path.parents} - ignored
        self._runs = config.stash[RUNS]
        self._news: list[str] = []
        self._skipped = False
        self._ran = False

    def pytest_report_header(self) -> str:
        """Say how many suites were asked for."""
        return f"scaffold: {render_count(len(self._suites), 'suite')}"

    def pytest_ignore_collect(self, collection_path: Path) -> bool | None:
        """Look into folders with suites, though pytest passes over .omniscitus, which is hidden."""
        return False if collection_path in self._folders else None

    def pytest_collect_file(self, file_path: Path, parent: pytest.Collector) -> SuiteFile | None:
        """Take a suite that was asked for, by the ini file or on the command line."""
        wanted = file_path in self._suites or parent.session.isinitpath(file_path)
        if not wanted or not is_suite_file(file_path.name):
            return None
        file: SuiteFile = SuiteFile.from_parent(parent, path=file_path)
        return file

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Show what was found, and send what became known of a run along."""
        report = yield
        if isinstance(item, SuiteItem):
            item.complete(report, call.excinfo and call.excinfo.value)
            vars(report)[NEWS], item.file.news = item.file.news, ()
        return report

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Collect what became known of runs, and whether anything was run, in whichever process."""
        self._news += vars(report).get(NEWS, ())
        if report.failed or hasattr(report, "wasxfail") or (report.passed and report.when == "call"):
            self._ran = True
        elif report.skipped and NEWS in vars(report):
            self._skipped = True

    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int | pytest.ExitCode) -> None:
        """Let a session whose suites were all skipped, and that ran nothing else, be no success."""
        if self._skipped and not self._ran and exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.NO_TESTS_COLLECTED
            self._news.append("Nothing was run, so this is no success: every test was skipped.")

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Tell what each suite came to, what it took, and how to see more."""
        if self._news:
            terminalreporter.section("suites")
            for line in self._news:
                terminalreporter.line(line)

    def pytest_unconfigure(self) -> None:
        """End what is still waiting."""
        self._runs.close()

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_make_scheduler(self, config: pytest.Config, log: Any) -> Any:
        """Give all items of a suite to one process, which makes its calls once.

        Raises:
            UsageError: the items are to be distributed in a way that does not allow it.
        """
        from xdist.scheduler import LoadGroupScheduling

        class TogetherScheduling(LoadGroupScheduling):  # type: ignore[misc]  # it has no type information
            def _split_scope(self, nodeid: str) -> str:
                file = nodeid.partition("::")[0]
                return file if is_suite_file(Path(file).name) else super()._split_scope(nodeid)

        mode = config.getoption("dist")
        if mode in _SCATTERING:
            why = f"--dist {mode} would run a suite in several processes, and each would pay for it"
            raise pytest.UsageError(f"{why}: use --dist loadgroup")
        return TogetherScheduling(config, log) if mode in ("load", "loadgroup") else None


def _locate(config: pytest.Config) -> Iterator[Path]:
    """Yield the suites that are asked for; names and paths are those of pytest's root folder."""
    names = config.getini("scaffold_suites")
    try:
        with chdir(config.rootpath):
            for path in locate_suites([] if ALL in names else names, tuple(SuiteKind)):
                yield path.absolute()
    except ConfigError as error:
        raise pytest.UsageError(str(error)) from None


def _build_runs(config: pytest.Config) -> Runs:
    most = config.getoption("--scaffold-max-cost-usd")
    asked = {
        "judge": config.getoption("--scaffold-judge"),
        "models": tuple(config.getoption("--scaffold-model") or ()),
        "recorded": config.getoption("--scaffold-recorded") or config.getini("scaffold_recorded"),
        **({} if most is None else {"max_cost_usd": most}),
    }
    workers = getattr(config, "workerinput", {}).get("workercount", 1)
    return Runs(asked, workers)
