"""A suite of any kind, read from its file with the project's defaults where it says nothing.

What reads a kind is imported with its first suite: a project seldom has all of them.
"""

from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias, Union

from judges.core.report import SuiteKind
from judges.files.project import suite_kind

if TYPE_CHECKING:
    from judges.files.fixture import FixtureSuite
    from judges.files.grid_suite import GridSuite
    from judges.files.source import CaseReader
    from judges.files.suite import PromptSuite

AnySuite: TypeAlias = Union["PromptSuite", "FixtureSuite", "GridSuite"]


def load_any(path: Path, *, allow_outside: bool = False, read_cases: "CaseReader | None" = None) -> AnySuite:
    """Read a suite; its file's name says of which kind it is.

    Paths that leave the project root are refused, unless they are allowed. `read_cases` reads files with
    cases that only a suite's runner can read.

    Raises:
        ConfigError: anything is wrong, in this file or in one that it names; with all problems.
    """
    match suite_kind(path):
        case SuiteKind.FIXTURE:
            from judges.files.fixture import load_fixture

            return load_fixture(path, allow_outside=allow_outside)
        case SuiteKind.GRID:
            from judges.files.grid import load_grid

            return load_grid(path, allow_outside=allow_outside)
        case SuiteKind.PROMPT:
            from judges.files.config import apply_config, read_config
            from judges.files.load import load_suite

            suite = load_suite(path, allow_outside=allow_outside, read_cases=read_cases)
            return apply_config(suite, read_config(suite.root))
