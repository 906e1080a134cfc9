"""What a caller can ask of a run."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from judges.core.case import Case, Category


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """Which cases to run; an empty field selects all.

    `keywords` are looked for in the ref and the title, whatever their case. Keywords, `categories` and `tags`
    select a case that has any of them. `refs` are case refs by the path of their suite; a suite that it does
    not name is selected whole.
    """

    keywords: tuple[str, ...] = ()
    categories: frozenset[Category] = frozenset()
    tags: frozenset[str] = frozenset()
    refs: Mapping[str, frozenset[str]] | None = None

    def matches(self, case: Case, suite: Path) -> bool:
        """Whether a case of the suite at this path is selected."""
        if self.refs is not None and case.ref not in self.refs.get(str(suite), (case.ref,)):
            return False
        text = f"{case.ref}\n{case.title}".casefold()
        return (
            (not self.keywords or any(word.casefold() in text for word in self.keywords))
            and (not self.categories or case.category in self.categories)
            and (not self.tags or not self.tags.isdisjoint(case.tags))
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOptions:
    """The settings of one run. `judge` and `models` replace what the suites say.

    `arms` are those of grids to be run, all if there are none, and `repeat` how often each task is. `outputs`
    are recorded outputs by case ref. `judge_all` asks the judge even where a deterministic check failed.
    With `recorded` nothing is called: outputs and answers come from the files beside each suite.
    Without `live` no session of a fixture is run; with `stop_early` none is once every row of its fixture is
    decided. The two `allow` flags change the exit code, never a verdict. `run_dir` is a place for the run
    directory in place of one in the project: an empty folder, or one to be made; a single suite has its files
    right in it. `arguments` are kept in the run directory for a caller that resumes the run; they mean
    nothing here.
    """

    judge: str | None = None
    models: tuple[str, ...] = ()
    arms: tuple[str, ...] = ()
    repeat: int | None = None
    outputs: Mapping[str, str] = field(default_factory=dict)
    select: Selection = field(default_factory=Selection)
    concurrency: int = 8
    judge_all: bool = False
    recorded: bool = False
    live: bool = False
    stop_early: bool = False
    allow_warn: bool = False
    allow_inconclusive: bool = False
    run_dir: Path | None = None
    arguments: Mapping[str, Any] = field(default_factory=dict)
