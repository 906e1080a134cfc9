"""Which results the list shows: as the address of the page says it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, TypeVar

from judges.core.case import Category
from judges.core.verdict import Verdict
from judges.reduce.queue import QueueItem
from judges.reduce.reasons import Reason, ReasonKind

_Closed = TypeVar("_Closed", bound=StrEnum)


@dataclass(frozen=True, slots=True, kw_only=True)
class Filters:
    """What a result must be to be shown; `every` result, or those worth a person's minute alone."""

    text: str = ""
    reason: ReasonKind | None = None
    verdict: Verdict | None = None
    category: Category | None = None
    suite: str = ""
    every: bool = False
    unreviewed: bool = False

    @property
    def tell(self) -> bool:
        """Whether what they let through says what the judge thinks, as every verdict and reason does."""
        return self.verdict is not None or self.reason is not None

    @property
    def query(self) -> dict[str, Any]:
        """The part of an address that `parse_filters` reads as these filters."""
        return dict(self._pairs())

    def _pairs(self) -> Iterator[tuple[str, str]]:
        for name in self.__slots__:
            if value := getattr(self, name):
                yield name, "1" if value is True else str(value)

    def let_through(self, item: QueueItem, reasons: tuple[Reason, ...]) -> bool:
        """Return whether a result is shown, whatever its text."""
        return (
            self.verdict in (None, item.verdict)
            and self.category in (None, item.category)
            and self.suite in ("", item.suite)
            and not (self.unreviewed and item.reviewed)
            and (self.reason is None or any(each.kind is self.reason for each in reasons))
        )


def parse_filters(values: Mapping[str, str]) -> Filters:
    """Return the filters that an address names; what it names wrongly filters nothing."""
    return Filters(
        text=values.get("text", "").strip(),
        reason=_one_of(ReasonKind, values.get("reason")),
        verdict=_one_of(Verdict, values.get("verdict")),
        category=_one_of(Category, values.get("category")),
        suite=values.get("suite", ""),
        every="every" in values,
        unreviewed="unreviewed" in values,
    )


def _one_of(kind: type[_Closed], value: str | None) -> _Closed | None:
    return kind(value) if value in list(kind) else None
