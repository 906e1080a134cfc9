"""What is known about one case when it is decided, by what it is known about."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from judges.core.question import Answer, Unanswered
from judges.core.row import Row
from judges.core.verdict import Verdict
from judges.reduce.overrides import Corrections

Arm: TypeAlias = str | None
"""One of several outputs of a case, or an order of them. None is the only output, or all together."""

Answers: TypeAlias = Mapping[str, Answer | Unanswered]
"""The judge's answers by question name."""

_WHY = {"output": "there is no output to judge", "judge": "the judge cannot be relied on"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """The rows of the deterministic checks, the judge's answers, and people's corrections, each by arm.

    An arm without answers is one that the judge was not asked about; an output that there is none of has a
    row that says so in place of its checks.
    """

    checked: Mapping[Arm, tuple[Row, ...]]
    answers: Mapping[Arm, Answers] = field(default_factory=dict)
    corrections: Mapping[Arm, Corrections] = field(default_factory=dict)

    def why_unasked(self) -> str:
        """Return why the judge was not asked: the first row that did not pass."""
        failed = (row for rows in self.checked.values() for row in rows if did_not_pass(row))
        first = next(failed, None)
        if first is None:
            return "the judge was not asked yet"
        return _WHY.get(first.kind, f"the judge was not asked, since {first.id} did not pass")


def did_not_pass(row: Row) -> bool:
    """Whether a row keeps the judge from being asked."""
    return row.verdict in (Verdict.FAIL, Verdict.ERROR)
