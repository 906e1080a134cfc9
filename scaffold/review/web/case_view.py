"""A result as the page shows it: the evidence, the criteria with what may be seen of the judge, decisions."""

import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from judges.core.row import Row
from judges.core.score_text import render_exact, render_score
from judges.files.suite import Override
from judges.out.case_text import render_value
from judges.out.case_words import render_case_score, render_row_score
from judges.out.row_words import describe_row
from judges.reduce.percent import as_decimal, percent_of_level
from judges.reduce.regression import BASELINE
from scaffold.review.item import ReviewedCriterion, ReviewItem
from scaffold.review.text import describe_decision, describe_rating
from scaffold.review.web.desk import own_levels
from scaffold.review.web.quotes import Piece, find_quote, split_quotes

LONGEST = 200_000
"""The most characters of one text that are shown."""


@dataclass(frozen=True, slots=True)
class Text:
    """A text under a heading, in pieces; `left` is how many characters were cut."""

    name: str
    pieces: Sequence[Piece]
    left: int = 0


@dataclass(frozen=True, slots=True)
class Level:
    """A level of a criterion: what it stands for, who chose it, and the score, 0..100, that it makes."""

    number: int
    anchor: str
    own: bool
    judged: bool
    percent: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CriterionView:
    """A criterion, the best level first. `texts` are what the judge said; `differs` where a person does."""

    number: int
    name: str
    weight: str
    instructions: str
    minimum: str
    levels: tuple[Level, ...]
    judged: str
    texts: tuple[tuple[str, str], ...]
    missing: tuple[str, ...]
    differs: Level | None


@dataclass(frozen=True, slots=True)
class RowView:
    """Another row of a result: its score and what is said of it."""

    id: str
    verdict: str
    score: str
    texts: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class HeldView:
    """A correction that counts, or would: of which criterion, by number or `total`, and what it says."""

    about: str
    name: str
    words: str
    lapsed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseView:
    """A result, ready to be shown. What the judge said is in it only where it is `open`.

    `whole` is the command that prints all of it.
    """

    item: ReviewItem
    open: bool
    score: str
    inputs: tuple[Text, ...]
    texts: tuple[Text, ...]
    outputs: tuple[Text, ...]
    criteria: tuple[CriterionView, ...]
    rows: tuple[RowView, ...]
    notices: tuple[str, ...]
    held: tuple[HeldView, ...]
    history: tuple[str, ...]
    whole: str

    @property
    def can_rate(self) -> bool:
        """Whether there is anything to rate."""
        return self.item.output_sha256 is not None and any(each.levels for each in self.criteria)


def view_case(item: ReviewItem, author: str | None, lapsed: set[str | None], *, is_open: bool) -> CaseView:
    """Return a result ready to be shown.

    `lapsed` are the criteria, or None for the total, whose correction is not applied any more.
    """
    own = own_levels(item, author)
    quotes = {each.name: each.quotes for each in item.criteria} if is_open else {}
    return CaseView(
        item=item,
        open=is_open,
        score=render_case_score(item.case) if is_open else "",
        inputs=tuple(
            _text(name, value if isinstance(value, str) else render_value(value))
            for name, value in item.input.items()
        ),
        texts=tuple(
            _text(name, text)
            for name, text in (("Expected behavior", item.expected_behavior), ("Reference", item.reference))
            if text
        ),
        outputs=tuple(_outputs(item, quotes)),
        criteria=tuple(
            _criterion(number, each, own.get(each.name), item.output, is_open=is_open)
            for number, each in enumerate(item.criteria)
        ),
        rows=tuple(map(_row, _other_rows(item))) if is_open else (),
        notices=tuple(dict.fromkeys(each.text for each in item.case.notices)) if is_open else (),
        held=tuple(_held(item, lapsed)) if is_open else (),
        history=tuple(_history(item)) if is_open else (),
        whole=f"scaffold review show {shlex.quote(item.ref)} --run {item.run}",
    )


def _text(name: str, text: str, quotes: Mapping[str, Sequence[str]] | None = None) -> Text:
    return Text(name, split_quotes(text[:LONGEST], quotes or {}), max(len(text) - LONGEST, 0))


def _outputs(item: ReviewItem, quotes: Mapping[str, Sequence[str]]) -> Iterator[Text]:
    """Yield the outputs of a comparison, or else the output and, where there is one, the accepted one."""
    if item.outputs.keys() <= {BASELINE}:
        yield _output("Output", item.output, quotes, item.record.get("error"))
    for arm, output in item.outputs.items():
        yield _output(f"Output of {'the baseline' if arm == BASELINE else arm}", output, quotes)


def _output(
    name: str, output: str | None, quotes: Mapping[str, Sequence[str]], error: str | None = None
) -> Text:
    return _text(f"No {name.lower()}", error or "") if output is None else _text(name, output, quotes)


def _criterion(
    number: int, criterion: ReviewedCriterion, own: int | None, output: str | None, *, is_open: bool
) -> CriterionView:
    judged = criterion.judged_level if is_open else None
    levels = tuple(reversed(list(_levels(criterion, own, judged))))
    quotes = criterion.quotes if is_open else ()
    return CriterionView(
        number=number,
        name=criterion.name,
        weight=render_exact(criterion.weight),
        instructions=criterion.instructions,
        minimum="" if criterion.minimum is None else render_exact(criterion.minimum),
        levels=levels,
        judged=_judged(criterion) if is_open else "",
        texts=tuple(_said(criterion)) if is_open else (),
        missing=tuple(each for each in quotes if find_quote(output or "", each) is None),
        differs=next((each for each in levels if each.own), None) if judged not in (None, own) else None,
    )


def _levels(criterion: ReviewedCriterion, own: int | None, judged: int | None) -> Iterator[Level]:
    for number, anchor in enumerate(criterion.anchors, 1):
        percent = render_score(as_decimal(percent_of_level(number, len(criterion.anchors))))
        yield Level(number, anchor, own == number, judged == number, percent)


def _judged(criterion: ReviewedCriterion) -> str:
    if criterion.judged_level is None and criterion.judged_percent is None:
        return criterion.error or "no answer"
    percent = criterion.judged_percent
    parts = (
        f"level {criterion.judged_level}" if criterion.judged_level is not None else "",
        "" if percent is None else f"score {render_score(percent)}",
        "" if criterion.confidence is None else f"confidence {criterion.confidence:.2f}",
        "not supported by the output, says the meta-judge" if criterion.supported is False else "",
    )
    return ", ".join(filter(None, parts))


def _said(criterion: ReviewedCriterion) -> Iterator[tuple[str, str]]:
    if criterion.reasoning:
        yield "", criterion.reasoning
    yield from (("quote", each) for each in criterion.quotes)
    for vote in criterion.votes:
        answer = str(vote["answer"]) if "answer" in vote else f"no answer: {vote.get('error')}"
        yield f"vote of {vote['judge']}", answer


def _other_rows(item: ReviewItem) -> Sequence[Row]:
    """Criteria of a prompt suite have a place of their own."""
    named = {f"criteria.{each.name}" for each in item.criteria if each.anchors}
    return [row for row in item.case.rows if row.id not in named]


def _row(row: Row) -> RowView:
    return RowView(row.id, row.verdict.value, render_row_score(row), tuple(describe_row(row)))


def _held(item: ReviewItem, lapsed: set[str | None]) -> Iterator[HeldView]:
    numbers = {each.name: str(number) for number, each in enumerate(item.criteria)}
    newest: dict[str | None, Override] = {each.criterion: each for each in item.decisions}
    for criterion, each in newest.items():
        if each.active and (criterion is None or criterion in numbers):
            about = "total" if criterion is None else numbers[criterion]
            yield HeldView(about, criterion or "the total", describe_decision(each), criterion in lapsed)


def _history(item: ReviewItem) -> Iterator[str]:
    yield from map(describe_decision, item.decisions)
    yield from map(describe_rating, item.ratings)
