"""A suite that is being reviewed: as a run had it, and as its files are now."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from pathlib import Path

from judges.core.errors import ConfigError, Problem
from judges.core.rating import Rating
from judges.core.report import SuiteKind
from judges.files.config import apply_config, read_config
from judges.files.load import load_suite
from judges.files.overrides_store import overrides_path, read_decisions
from judges.files.ratings import RATINGS_FILE, read_ratings
from judges.files.suite import Override, PromptSuite
from judges.reduce.overrides import Newest, newest_overrides
from judges.run.decide_again import Decider, build_decider
from judges.run.review import ReviewedSuite
from judges.run.runner.cases import case_reader


@dataclass(frozen=True, slots=True)
class OpenSuite:
    """A suite of a run. Only prompt suites have a `suite` and a `decider`: others have no corrections."""

    stored: ReviewedSuite
    suite: PromptSuite | None = None
    decider: Decider | None = None

    def overrides(self) -> Mapping[str, Newest]:
        """Return the newest decisions by case ref, as the files have them now.

        Raises:
            ConfigError: the overrides file is wrong.
        """
        return {} if self.suite is None else newest_overrides(all_decisions(self.suite))

    def ratings(self) -> tuple[Rating, ...]:
        """Return people's ratings.

        Raises:
            ConfigError: the file of ratings is wrong.
        """
        if self.suite is None or not (path := ratings_path(self.suite)).exists():
            return ()
        return read_ratings(path)


def open_suite(
    stored: ReviewedSuite, root: Path | None, now: datetime, *, allow_outside: bool = False
) -> OpenSuite:
    """Open a suite of a run, whose files may be elsewhere now than where it was run.

    Raises:
        ConfigError: its file is gone, or wrong.
    """
    if stored.kind is not SuiteKind.PROMPT:
        return OpenSuite(stored)
    suite = load_prompt_suite(_find_file(stored, root), allow_outside=allow_outside)
    return OpenSuite(stored, suite, build_decider(suite, smoke=stored.smoke, now=now))


def load_prompt_suite(path: Path, *, allow_outside: bool = False) -> PromptSuite:
    """Read a suite with the project's settings.

    Raises:
        ConfigError: it is wrong.
    """
    suite = load_suite(path, allow_outside=allow_outside, read_cases=case_reader(os.environ))
    return apply_config(suite, read_config(suite.root))


def all_decisions(suite: PromptSuite) -> tuple[Override, ...]:
    """Return the decisions that the suite was read with, and those of its file now, which may be more.

    Raises:
        ConfigError: the overrides file is wrong.
    """
    path = overrides_path(suite)
    if not path.exists():
        return suite.overrides
    state = path.stat()
    return (*suite.overrides, *_read(path, (state.st_ino, state.st_mtime_ns, state.st_size)))


def ratings_path(suite: PromptSuite) -> Path:
    """Return the file of ratings beside the suite."""
    return suite.path.parent / RATINGS_FILE


@lru_cache(maxsize=16)
def _read(path: Path, state: tuple[int, ...]) -> tuple[Override, ...]:  # noqa: ARG001  (the key)
    """Of a thousand decisions a page asks at every step; a file that is written anew is another one."""
    return read_decisions(path)


def _find_file(stored: ReviewedSuite, root: Path | None) -> Path:
    """A run that was made elsewhere has the suite at the same place below its project's root."""
    parts = stored.path.parts
    below = [root.joinpath(*parts[start:]) for start in range(1, len(parts) - 1)] if root else []
    found = next((path for path in (*below, stored.path) if path.is_file()), None)
    if found is None:
        message = f"the suite '{stored.name}' of run {stored.run} is not here any more"
        raise ConfigError([Problem(message, str(stored.path), hint="review a run of this project")])
    return found
