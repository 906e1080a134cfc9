"""A report without secrets, for what is published: texts of models and programs may hold a run's keys."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from decimal import Decimal
from functools import cache
from typing import Any, overload

from judges.core.report import CaseReport, Report, SuiteReport
from judges.core.usage import Usage
from judges.core.verdict import Verdict
from judges.run.runner.mask import Mask

_PLAIN = frozenset((int, float, bool, Decimal, Verdict, Usage))  # most of what there is


def mask_report(report: Report, mask: Mask) -> Report:
    """Return the report with every text masked. Its cases are still read as they are asked for."""
    suites = tuple(_mask_suite(suite, mask) for suite in report.suites)
    return replace(report, suites=suites, notices=_masked(report.notices, mask))


def _mask_suite(suite: SuiteReport, mask: Mask) -> SuiteReport:
    summary: SuiteReport = _masked(replace(suite, cases=()), mask)
    return replace(summary, cases=_MaskedCases(suite.cases, mask))


class _MaskedCases(Sequence[CaseReport]):
    def __init__(self, cases: Sequence[CaseReport], mask: Mask) -> None:
        self._cases = cases
        self._mask = mask

    def __len__(self) -> int:
        return len(self._cases)

    @overload
    def __getitem__(self, index: int) -> CaseReport: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[CaseReport]: ...
    def __getitem__(self, index: int | slice) -> CaseReport | Sequence[CaseReport]:
        found = self._cases[index]
        if isinstance(found, CaseReport):
            masked: CaseReport = _masked(found, self._mask)
            return masked
        return _MaskedCases(found, self._mask)

    def __iter__(self) -> Iterator[CaseReport]:
        return (_masked(case, self._mask) for case in self._cases)


def _masked(value: Any, mask: Mask) -> Any:
    """Return plain data, or a dataclass of it, with the texts in it masked; names of files stay."""
    kind: Any = type(value)
    if kind is str:
        return mask(value)
    if kind in _PLAIN or not value:
        return value
    if kind is list or kind is tuple:
        return kind(_masked(item, mask) for item in value)
    if is_dataclass(value):
        return kind(**{name: _masked(getattr(value, name), mask) for name in _names(kind)})
    if isinstance(value, Mapping):
        return {_masked(key, mask): _masked(item, mask) for key, item in value.items()}
    return value


@cache
def _names(kind: Any) -> tuple[str, ...]:
    return tuple(each.name for each in fields(kind))
