"""What the page says of all cases of a suite together, gathered in one pass: spreads, bars, the order."""

from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal

from judges.core.report import CaseReport
from judges.core.verdict import Verdict
from judges.out.analysis import Analysis, analyze

BINS = 10
SHOWN_FIRST = (
    Verdict.ERROR,
    Verdict.FAIL,
    Verdict.INCONCLUSIVE,
    Verdict.WARN,
    Verdict.SKIP,
    Verdict.PASS,
)
MOST_CASES = 10_000

_MOST_TEXT = 20_000
_LEAST_TEXT = 1_000
_ALL_TEXTS = 10_000_000  # characters: with all cases' inputs and outputs the page stays below 100 MB


@dataclass(frozen=True, slots=True)
class Overview:
    """What the cases of one suite say together.

    `scores` are how many cases ended how, by tenths of the score; `criteria` how many cases each criterion
    has in its tenths. `numbers` are those of the cases, by verdict, worst first.
    """

    analysis: Analysis
    scores: Sequence[Mapping[Verdict, int]]
    criteria: Mapping[str, Sequence[int]]
    numbers: Mapping[Verdict, Sequence[int]]

    @property
    def order(self) -> Iterator[int]:
        """The numbers of the cases to show: all of them, unless they are too many to open."""
        numbers = (number for found in self.numbers.values() for number in found)
        return (number for number, _ in zip(numbers, range(MOST_CASES), strict=False))

    @property
    def count(self) -> int:
        """How many cases there are."""
        return sum(map(len, self.numbers.values()))

    @property
    def room(self) -> int:
        """The most characters that one text of a case can take."""
        return min(_MOST_TEXT, max(_LEAST_TEXT, _ALL_TEXTS // max(self.count, 1)))


@dataclass(slots=True)
class _Gathered:
    scores: list[dict[Verdict, int]] = field(default_factory=lambda: [{} for _ in range(BINS)])
    criteria: dict[str, list[int]] = field(default_factory=dict)
    numbers: dict[Verdict, "array[int]"] = field(
        default_factory=lambda: {verdict: array("q") for verdict in SHOWN_FIRST}
    )

    def note(self, cases: Iterable[CaseReport]) -> Iterator[CaseReport]:
        for number, case in enumerate(cases):
            self.numbers[case.verdict].append(number)
            if case.score is not None:
                tenth = self.scores[_tenth(case.score)]
                tenth[case.verdict] = tenth.get(case.verdict, 0) + 1
            for name, result in case.criteria.items():
                self.criteria.setdefault(name, [0] * BINS)[_tenth(result.percent)] += 1
            yield case


def survey(cases: Iterable[CaseReport]) -> Overview:
    """Return what the cases say together. They are read once, and few are kept."""
    gathered = _Gathered()
    analysis = analyze(gathered.note(cases))
    return Overview(analysis, gathered.scores, gathered.criteria, gathered.numbers)


def _tenth(score: Decimal) -> int:
    """100 belongs to the last tenth."""
    return min(max(int(score) * BINS // 100, 0), BINS - 1)
