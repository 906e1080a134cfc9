"""What pytest collects: a suite file, an item for each row of its cases, and one for its verdict."""

from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

import pytest
from _pytest._code.code import (
    ReprEntryNative,
    ReprExceptionInfo,
    ReprFileLocation,
    ReprTraceback,
)

from judges.core.errors import ScaffoldError
from judges.core.verdict import Verdict
from judges.out.printable import printable
from scaffold.pytest_plugin.findings import Finding, describe_case_row, describe_suite
from scaffold.pytest_plugin.foreseen import ForeseenCase, foresee, informs_only
from scaffold.pytest_plugin.runs import InterruptedRun, Runs, SuiteResult, UnmeasuredSuite

RUNS = pytest.StashKey[Runs]()
FAILING = pytest.StashKey[Collection[Verdict]]()
"""The verdicts that fail an item, but for ERROR, which is an error."""
SUITE = "suite"
"""The name of the item that stands for the verdict of a whole suite."""


class NotPassed(Exception):  # noqa: N818  (it is what was looked for, no error)
    """An item that did not pass, and why."""

    def __init__(self, finding: Finding) -> None:
        super().__init__(finding.headline)
        self.finding = finding


class SuiteFile(pytest.File):
    """A suite. Its items are known without a call; the first one that is run has it run.

    `idle` is why none of it is run, such as that sessions were not asked for. `news` is what became known of
    its run and was not told yet.
    """

    idle: str | None = None
    news: tuple[str, ...] = ()

    def collect(self) -> Iterator["SuiteItem"]:
        """Yield an item for each row, then one for the suite where its rows decide nothing."""
        try:
            plan, _ = self.config.stash[RUNS].plan(self.path)
        except ScaffoldError as error:
            raise self.CollectError(str(error)) from None
        self.idle = plan.why_idle
        informs, several = informs_only(plan), len(plan.model_names) > 1
        cases = list(foresee(plan))
        for case in cases:
            for row in case.rows:
                name = _item_name(case, row, several=several)
                nodeid = f"{self.nodeid}::{name}"  # as a text: built from a name it is not found by --lf
                yield RowItem.from_parent(self, name=name, nodeid=nodeid, case=case, row=row, informs=informs)
        if informs and cases:
            yield VerdictItem.from_parent(self, name=SUITE)

    def run(self) -> SuiteResult:
        """Return what the suite's run found.

        Raises:
            NotPassed: it could not be run.
        """
        runs = self.config.stash[RUNS]
        known = runs.is_known(self.path)
        try:
            result = runs.run(self.path, self._wanted)
        except UnmeasuredSuite as error:
            raise NotPassed(Finding(Verdict.ERROR, str(error))) from None
        except InterruptedRun as interrupted:
            pytest.exit(str(interrupted))
        if not known:
            self.news = result.news
        return result

    def _wanted(self) -> Collection[str] | None:
        """Return the refs of the cases that are selected; None for all, which the suite's verdict takes."""
        items = [
            each for each in self.session.items if isinstance(each, SuiteItem) and each.path == self.path
        ]
        if any(isinstance(each, VerdictItem) for each in items):
            return None
        return {each.foreseen.case.ref for each in items if isinstance(each, RowItem)}


class SuiteItem(pytest.Item):
    """What every item of a suite does. What was skipped or not measured comes to light in its setup.

    An item that only `informs` never fails.
    """

    informs = False

    @property
    def place(self) -> tuple[str, int]:
        """Its file, relative to pytest's root folder, and its line, counted from 1."""
        path, line, _ = self.location
        return path, (line or 0) + 1

    @property
    def file(self) -> SuiteFile:
        """The suite."""
        assert isinstance(self.parent, SuiteFile)
        return self.parent

    def find(self, result: SuiteResult) -> Finding:
        """Return what a run found for this item."""
        raise NotImplementedError

    def setup(self) -> None:
        """Have the suite run, and see what was found."""
        if self.file.idle is not None:
            pytest.skip(self.file.idle)
        self.finding = self.find(self.file.run())
        self.user_properties += self.finding.properties.items()
        if self.finding.verdict is Verdict.SKIP:
            pytest.skip(self.finding.headline)
        if self.finding.verdict is Verdict.ERROR:
            raise NotPassed(self.finding)

    def runtest(self) -> None:
        """Pass, or not."""
        if self.finding.verdict not in self.config.stash[FAILING]:
            return
        if self.informs:
            pytest.xfail(f"informs only, the suite decides: {self.finding.headline}")
        raise NotPassed(self.finding)

    def complete(self, report: pytest.TestReport, error: BaseException | None) -> None:
        """Show a finding as one and not as a traceback, in any phase; say of a skip where the case stands."""
        if isinstance(error, NotPassed):
            report.longrepr = _explain(error.finding, *self.place)
        elif isinstance(report.longrepr, tuple):
            report.longrepr = (*self.place, report.longrepr[2])

    def reportinfo(self) -> tuple[Path, int, str]:
        """Return the suite's first line, counted from 0."""
        return self.path, 0, self.name


class RowItem(SuiteItem):
    """One row of one case."""

    def __init__(self, *, case: ForeseenCase, row: str, informs: bool, **known: Any) -> None:
        super().__init__(**known)
        self.foreseen = case
        self.row = row
        self.informs = informs
        self.extra_keyword_matches.update((case.case.title, case.case.category, *case.case.tags))

    def reportinfo(self) -> tuple[Path, int, str]:
        """Return where the case stands, in a file of the suite."""
        case = self.foreseen.case
        if case.file is None or case.line is None:
            return super().reportinfo()
        return Path(case.file).absolute(), case.line - 1, self.name

    def find(self, result: SuiteResult) -> Finding:
        """Return the row."""
        case = self.foreseen.case
        return describe_case_row(self.row, case, result.case(case.ref, self.foreseen.model), result.run)


class VerdictItem(SuiteItem):
    """The verdict of a suite whose rows decide nothing by themselves."""

    def find(self, result: SuiteResult) -> Finding:
        """Return the verdict."""
        return describe_suite(result)


def _item_name(case: ForeseenCase, row: str, *, several: bool) -> str:
    """Return `ref[row]`, or `ref[row-model]` where a case is run with several models.

    Two colons would divide the id.
    """
    model = f"-{case.model}" if several and case.model else ""
    return printable(f"{case.case.ref}[{row}{model}]").replace("::", ":")


def _explain(finding: Finding, path: str, line: int) -> ReprExceptionInfo:
    """Return what is shown of a finding, in place of a traceback, in a form that passes between processes."""
    text = f"{finding.text}\n\n{path}:{line}\n"
    shown = ReprTraceback([ReprEntryNative([text])], None, "native")
    return ReprExceptionInfo(shown, ReprFileLocation(path, line, finding.headline))
