"""What a caller can ask of a run."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from judges.core.case import Case, Category


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """Which cases to run; an empty field selects all.

    `keyword` is looked for in the ref and the title, whatever its case. `categories` and `tags` select a case
    that has any of them.
    """

    keyword: str = ""
    categories: frozenset[Category] = frozenset()
    tags: frozenset[str] = frozenset()

    def matches(self, case: Case) -> bool:
        """Whether the case is selected."""
        return (
            self.keyword.casefold() in f"{case.ref}\n{case.title}".casefold()
            and (not self.categories or case.category in self.categories)
            and (not self.tags or not self.tags.isdisjoint(case.tags))
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOptions:
    """The settings of one run. `judge` and `models` replace what the suites say.

    `outputs` are recorded outputs by case ref. `judge_all` asks the judge even where a deterministic check
    failed. The two `allow` flags change the exit code, never a verdict.
    """

    judge: str | None = None
    models: tuple[str, ...] = ()
    outputs: Mapping[str, str] = field(default_factory=dict)
    select: Selection = field(default_factory=Selection)
    concurrency: int = 8
    judge_all: bool = False
    allow_warn: bool = False
    allow_inconclusive: bool = False
