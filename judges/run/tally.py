"""The sums over the cases of a suite, taken as the cases come."""

from collections.abc import Iterable, Mapping

from judges.core.report import CaseReport, ModelSummary, Totals
from judges.core.row import Notice
from judges.core.usage import NOTHING
from judges.reduce.suite import Count, Tally


class SuiteTally:
    """Totals, usage, models and notices of cases; `place` tells the cases apart."""

    def __init__(self, model_names: Iterable[str]) -> None:
        self.usage = NOTHING
        self._count = Count()
        self._models = {name: Tally() for name in model_names}
        self._notices: dict[int, tuple[Notice, ...]] = {}

    def add(self, case: CaseReport, place: int) -> None:
        """Count a case."""
        self._count.add(case)
        self.usage += case.usage
        if case.model is not None:
            self._models[case.model] = self._models.get(case.model, Tally()).add(case)
        if case.notices:
            self._notices[place] = case.notices

    @property
    def totals(self) -> Totals:
        """How many cases ended how."""
        return self._count.totals

    @property
    def models(self) -> Mapping[str, ModelSummary]:
        """The summary of each model's cases."""
        return {name: tally.summarize() for name, tally in self._models.items()}

    def notices(self, places: Iterable[int]) -> tuple[Notice, ...]:
        """Return the notices of the cases at these places, in this order."""
        return tuple(notice for place in places for notice in self._notices.get(place, ()))
