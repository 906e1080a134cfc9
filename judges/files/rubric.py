"""Rubrics: the text of a criterion, taken apart into instructions and the description of each level."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from judges.core.case import digest

_BULLET = r"\s*(?:[-*•]\s+)?"
_ANCHOR = re.compile(_BULLET + r"(\d{1,3})\s*(?:[:=](?!\d)|[-\u2013\u2014](?=\s|$))\s*(.*)")
_LIST_ITEM = re.compile(_BULLET + r"(\d{1,3})[.)](?=\s|$)\s*(.*)")

_Anchors: TypeAlias = dict[int, tuple[int, str]]  # by line: the level, and the first line of its description


@dataclass(frozen=True, slots=True)
class Mistake:
    """Something wrong in one line of a rubric; `line` counts from 0."""

    line: int
    message: str


@dataclass(frozen=True, slots=True)
class Rubric:
    """A rubric. `levels[0]` describes level 1; an undescribed level is ""."""

    instructions: str
    levels: tuple[str, ...]
    sha256: str
    mistakes: tuple[Mistake, ...] = ()


def parse_rubric(text: str, scale: int) -> Rubric:
    """Take a rubric apart. Levels run from 1 to `scale`.

    A level is described by a line such as `5: …`, `5 - …`, `5 = …`, `5. …` or `5) …`, and by the lines that
    continue it: those indented deeper, and those before the next such line. All else is instructions.
    """
    text = re.sub(r"\r\n?", "\n", text)
    lines = text.split("\n")
    anchors = _find_anchors(lines, scale)
    instructions, described = _sort_lines(lines, anchors)
    return Rubric(
        instructions="\n".join(instructions).strip(),
        levels=tuple("\n".join(described.get(level, ())).strip() for level in range(1, scale + 1)),
        sha256=digest(f"scale {scale}\n{text.strip()}"),
        mistakes=tuple(_find_mistakes(anchors, scale)),
    )


def _find_anchors(lines: Sequence[str], scale: int) -> _Anchors:
    anchors = _match(_ANCHOR, lines)
    if anchors:
        return anchors
    items = _match(_LIST_ITEM, lines)
    levels = {level for level, _ in items.values()}
    return items if {1, scale} <= levels else {}  # else a numbered list in the instructions


def _match(pattern: re.Pattern[str], lines: Sequence[str]) -> _Anchors:
    found = ((index, pattern.fullmatch(line)) for index, line in enumerate(lines))
    return {index: (int(match[1]), match[2]) for index, match in found if match}


def _sort_lines(lines: Sequence[str], anchors: _Anchors) -> tuple[list[str], dict[int, list[str]]]:
    """Return the lines of the instructions, and those of each level."""
    instructions: list[str] = []
    described: dict[int, list[str]] = {}
    last = max(anchors, default=-1)
    current, indent, gap = instructions, 0, False
    for index, line in enumerate(lines):
        if index in anchors:
            level, first = anchors[index]
            current, indent, gap = described.setdefault(level, []), _indent(line), False
            current.append(first)
            continue
        gap = gap or not line.strip()
        continues = _indent(line) > indent or (index < last and not gap)
        if current is not instructions and line.strip() and not continues:
            current = instructions
        current.append(line if current is instructions else line.strip())
    return instructions, described


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _find_mistakes(anchors: _Anchors, scale: int) -> Iterator[Mistake]:
    count = Counter[int]()
    for index, (level, _) in anchors.items():
        count[level] += 1
        if not 1 <= level <= scale:
            yield Mistake(index, f"level {level} is outside the scale 1..{scale}")
        elif count[level] == 2:
            yield Mistake(index, f"level {level} is described twice")
