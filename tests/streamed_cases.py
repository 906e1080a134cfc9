"""Cases that exist only while they are read: a run of any size that takes no memory."""

from collections.abc import Callable, Iterator, Sequence
from typing import overload

from judges.core.report import CaseReport


class StreamedCases(Sequence[CaseReport]):
    """So many cases, each made when it is read; `read` is how far the reader has come."""

    def __init__(self, length: int, make: Callable[[int], CaseReport]) -> None:
        self.length, self.make, self.read = length, make, 0

    def __len__(self) -> int:
        return self.length

    @overload
    def __getitem__(self, index: int) -> CaseReport: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[CaseReport]: ...
    def __getitem__(self, index: int | slice) -> CaseReport | Sequence[CaseReport]:
        raise AssertionError("cases are read in order")

    def __iter__(self) -> Iterator[CaseReport]:
        for number in range(self.length):
            self.read += 1
            yield self.make(number)
