"""A review on the command line: the queue, one result, and what a decision changed."""

from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Any

from judges.core.encode import encode_value
from judges.core.rating import RaterKind, Rating
from judges.core.score_text import render_exact, render_score
from judges.files.case_meta import Bind
from judges.files.suite import Override
from judges.out.case_text import render_case
from judges.out.fit import wrap
from judges.out.printable import printable, shield
from judges.out.style import Style, plain
from judges.out.summary import render_count
from judges.reduce.queue import QueueItem
from judges.reduce.reasons import ReasonKind
from scaffold.review.check import Checked
from scaffold.review.decisions import last_day
from scaffold.review.item import ReviewedCriterion, ReviewItem
from scaffold.review.session import VerdictChange

_INDENT = "  "
_DEEP = "      "


def render_queue(
    items: Sequence[QueueItem], most: int | None, *, several: bool, width: int, style: Style = plain
) -> str:
    """Return the first `most` results of a queue, a block each; `several` says that suites must be named."""
    lines: list[str] = []
    for item in items[:most]:
        lines += _render_item(item, several, width, style)
    if most is not None and len(items) > most:
        lines.append(f"… and {len(items) - most:,} more: --limit {len(items)}")
    return shield("\n".join(lines) + "\n")


def summarize_queue(items: Sequence[QueueItem], results: int) -> str:
    """Return how much of a run there is to look at."""
    drawn = sum(item.reasons[0].kind is ReasonKind.SAMPLE for item in items)
    open_ones = sum(not item.reviewed for item in items)
    chosen = f"{len(items):,} of {render_count(results, 'result')}"
    return f"{chosen} to look at, {drawn:,} drawn at random, {open_ones:,} not reviewed yet"


def encode_queue_item(item: QueueItem) -> dict[str, Any]:
    """Return one result of a queue as JSON values."""
    return {
        "id": item.id,
        "run": item.run,
        "suite": item.suite,
        "ref": item.ref,
        "model": item.model,
        "verdict": item.verdict.value,
        "score": encode_value(item.score),
        "confidence": item.confidence,
        "reviewed": item.reviewed,
        "reasons": [
            {"kind": each.kind.value, "criterion": each.criterion, "text": each.text} for each in item.reasons
        ],
    }


def render_item(item: ReviewItem, *, width: int, style: Style = plain) -> str:
    """Return everything about one result, with the anchors of its criteria and what people have decided."""
    blocks = [
        render_case(item.case, item.record, width=width, style=style).rstrip("\n"),
        _block("Criteria", (line for each in item.criteria for line in _render_criterion(each, width))),
        _block("Decisions", _wrap_all(map(describe_decision, item.decisions), width)),
        _block("Ratings", _wrap_all(map(describe_rating, item.ratings), width)),
    ]
    return shield("\n\n".join(filter(None, blocks)) + "\n")


def render_change(change: VerdictChange) -> str:
    """Return what a decision changed of one result."""
    model = f" [{change.model}]" if change.model else ""
    before = f"{change.before}{_shown(change.score_before)}"
    after = f"{change.after}{_shown(change.score_after)}"
    same = " (no change)" if before == after else ""
    why = f": {'; '.join(change.reasons)}" if change.reasons else ""
    return shield(printable(f"{change.ref}{model}: {before} -> {after}{same}{why}"))


def describe_decision(decision: Override) -> str:
    """Return a decision in one sentence: when, who, what, for how long, and why."""
    about = decision.criterion or "the total"
    by = f" by {_rater(decision.author, decision.rater_kind)}" if decision.author else ""
    bound = "for this output alone" if decision.bind is Bind.OUTPUT else "whatever the output"
    ends = f", until {last_day(decision.expires)}" if decision.expires else ""
    said = f"set to {render_exact(decision.score)} {bound}{ends}" if decision.active else "withdrawn"
    return f"{decision.timestamp:%Y-%m-%d %H:%M}{by}: {about} {said}: {decision.reason}"


def render_check(checked: Checked, width: int) -> str:
    """Return what is wrong with the corrections of a suite, and what to do about each."""
    lines: list[str] = []
    for each in checked.overdue:
        told = f"{checked.suite}: {each.ref}: the correction of {each.criterion or 'the total'}: {each.why}"
        lines += wrap(printable(told), width, indent=_INDENT)
        lines.append(_INDENT + printable(each.advice))
    held = render_count(checked.held, "correction")
    lines += wrap(printable(f"{checked.suite}: {held}, {len(checked.overdue)} of them overdue"), width)
    return shield("\n".join(lines))


def _render_item(item: QueueItem, several: bool, width: int, style: Style) -> Iterator[str]:
    names = [item.ref, f"[{item.model}]" if item.model else "", f"({item.suite})" if several else ""]
    done = "  reviewed" if item.reviewed else ""
    name = printable(" ".join(filter(None, names)))
    yield f"{style(item.verdict.value, item.verdict)}  {name}{_shown(item.score, '  ')}{done}"
    for reason in item.reasons:
        yield from wrap(f"{_DEEP}{reason.kind}: {printable(reason.text)}", width, indent=_DEEP)


def _render_criterion(criterion: ReviewedCriterion, width: int) -> Iterator[str]:
    """The level that the judge gave is marked."""
    weight = f"{criterion.name} (weight {render_exact(criterion.weight)})"
    yield from wrap(f"{_INDENT}{weight}: {printable(criterion.instructions)}", width, indent=_DEEP)
    for level, anchor in reversed(list(enumerate(criterion.anchors, 1))):
        mark = ">" if level == criterion.judged_level else " "
        yield from wrap(f"    {mark} {level}  {printable(anchor)}".rstrip(), width, indent=_DEEP + "   ")


def describe_rating(rating: Rating) -> str:
    """Return a rating in one sentence: when, who, what, and whether the judge had been seen."""
    author = _rater(rating.author, rating.rater_kind)
    seen = "blind" if rating.blind else "with the judge's in sight"
    return f"{rating.timestamp:%Y-%m-%d %H:%M} by {author}: {rating.criterion} {rating.level}, {seen}"


def _rater(author: str, kind: RaterKind) -> str:
    return f"{author} (a model)" if kind is RaterKind.MODEL else author


def _shown(score: Decimal | None, gap: str = " ") -> str:
    return "" if score is None else f"{gap}{render_score(score)}"


def _block(title: str, lines: Iterator[str]) -> str:
    body = "\n".join(lines)
    return f"{title}\n{body}" if body else ""


def _wrap_all(texts: Iterator[str], width: int) -> Iterator[str]:
    for text in texts:
        yield from wrap(_INDENT + printable(text), width, indent=_DEEP)
