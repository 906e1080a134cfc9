"""Adding a person's decision to an overrides file: at its end, with every byte before it as it was.

Nothing is ever changed or taken out: a decision that is withdrawn or renewed is a further one, and the newest
counts.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from pathlib import Path
from typing import Any

import yaml

from judges.core.errors import ConfigError, Problem
from judges.core.rating import RaterKind
from judges.core.score_text import render_exact
from judges.files.case_meta import OverridesSpec
from judges.files.dates import later, parse_end
from judges.files.lock import locked
from judges.files.overrides import LIFETIME_DAYS, parse_overrides
from judges.files.project import resolve
from judges.files.suite import Override, PromptSuite
from judges.files.text import MAX_BYTES, display_path, read_text
from judges.files.whole import write_whole
from judges.files.yaml import is_blank, parse_yaml

_HINT = "write the decisions as a list, each starting with '- ' on a line of its own"
_MARK = "\ufeff"
_LARGE = MAX_BYTES // 2  # characters: beyond, the whole is read again, as it may be too large now


def overrides_path(suite: PromptSuite) -> Path:
    """Return the file that new decisions about a suite go to, which need not exist.

    Raises:
        ConfigError: it leaves the project root, and that is not allowed.
    """
    spec = suite.meta.overrides or OverridesSpec()
    return resolve(spec.source, suite.test_root, suite.root, allow_outside=suite.allow_outside)


def read_decisions(path: Path) -> tuple[Override, ...]:
    """Return the decisions of an overrides file, in its order; none where there is no file.

    Raises:
        ConfigError: the file cannot be read, or entries are wrong; with all problems.
    """
    text = read_text(path) if path.exists() else ""
    return () if is_blank(text) else _read(text, display_path(path)).decisions


def append_decision(path: Path, decision: Override) -> None:
    """Add a decision, which has an author, to an overrides file, which is made where there is none.

    Several processes may do so at once: none of their decisions is lost, and a reader sees whole files only.

    Raises:
        ConfigError: the file is wrong, or the decision would not read back as it is; it has not changed.
        OSError: it cannot be written; it has not changed.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with locked(path):
        text = insert_decision(read_text(path) if path.exists() else "", display_path(path), decision)
        mark = _MARK if path.exists() and path.read_bytes().startswith(_MARK.encode()) else ""
        with write_whole(path) as file:
            file.write(mark + text)


def insert_decision(text: str, file: str, decision: Override) -> str:
    """Return the text of an overrides file with a further decision; `file` names it in messages.

    Raises:
        ConfigError: the text is wrong, or the decision would not read back as it is.
    """
    entry = _entry(decision)
    before: tuple[Override, ...] = ()
    ways = iter([_Way(_at(text, len(text), _block(entry, 0)))])
    if not is_blank(text):
        known = _read(text, file)
        before, ways = known.decisions, _ways(text, known, entry)
    ends = decision.expires or later(decision.timestamp, days=LIFETIME_DAYS)
    after = (*before, replace(decision, expires=ends))
    for way in ways:
        if _holds(way.text[way.start :], after[way.known :]):
            return way.text
    raise ConfigError(
        [Problem("the decision cannot be added so that it reads back as it is", file, hint=_HINT)]
    )


@dataclass(frozen=True, slots=True)
class _List:
    """The decisions of a file that is right, and where their list is in its text.

    `last` is where the line of the last entry begins, or the text where there is none.
    """

    decisions: tuple[Override, ...]
    in_brackets: bool
    column: int
    end: int
    last: int


@dataclass(frozen=True, slots=True)
class _Way:
    """A text with the entry in it. It is to be read from `start` on, before which are `known` entries."""

    text: str
    start: int = 0
    known: int = 0


@lru_cache(maxsize=4)
def _read(text: str, file: str) -> _List:
    """Whoever adds a decision has just read the file: with hundreds in it that takes longer than all else."""
    document = parse_yaml(text, file)
    decisions = tuple(parse_overrides(document))
    node = _find_list(document.node)
    last = node.value[-1].start_mark.index if node.value else 0
    return _List(
        decisions,
        in_brackets=bool(node.flow_style),
        column=node.start_mark.column,
        end=node.end_mark.index,
        last=text.rfind("\n", 0, last) + 1,
    )


def _ways(text: str, known: _List, entry: Mapping[str, str]) -> Iterator[_Way]:
    """Yield the text with the entry at the end of a list: in brackets there may be a last comma.

    What follows an entry at the end of a text changes no entry but the one before, so no more is read again.
    """
    end = known.end
    if known.in_brackets:
        pairs = ", ".join(f'"{key}": {value}' for key, value in entry.items())
        for comma in (", ", "") if known.decisions else ("",):
            yield _Way(f"{text[: end - 1]}{comma}{{{pairs}}}{text[end - 1 :]}")
        return
    after = text[end:].strip()
    start = text.rfind("\n", 0, end) + 1 if after else len(text)
    whole = _at(text, start, _block(entry, known.column))
    if not after and len(whole) < _LARGE:
        yield _Way(whole, known.last, len(known.decisions) - 1)
    yield _Way(whole)


def _at(text: str, place: int, block: str) -> str:
    newline = "\r\n" if "\r\n" in text else "\n"
    before = text[:place]
    gap = newline if before and not before.endswith("\n") else ""
    return before + gap + block.replace("\n", newline) + text[place:]


def _block(entry: Mapping[str, str], column: int) -> str:
    lines = (f"{key}: {value}\n" for key, value in entry.items())
    margin = " " * column
    return "".join(f"{margin}{'  ' if number else '- '}{line}" for number, line in enumerate(lines))


def _holds(text: str, decisions: Sequence[Override]) -> bool:
    try:
        return parse_overrides(parse_yaml(text, "")) == list(decisions)
    except ConfigError:
        return False


def _find_list(root: Any) -> yaml.SequenceNode:
    """Return the list of a file that is right: the whole, or what stands under `items`."""
    if isinstance(root, yaml.MappingNode):
        root = next(value for key, value in root.value if key.value == "items")
    assert isinstance(root, yaml.SequenceNode)
    return root


def _entry(decision: Override) -> dict[str, str]:
    """Return the keys of an entry and their values in YAML; what there is none of is left out."""
    values = {
        "case_ref": _render_text(decision.case_ref),
        "criterion": decision.criterion and _render_text(decision.criterion),
        "score": render_exact(decision.score),
        "timestamp": _render_text(_render_time(decision.timestamp)),
        "reason": _render_text(decision.reason),
        "author": decision.author and _render_text(decision.author),
        "rater_kind": "" if decision.rater_kind is RaterKind.PERSON else decision.rater_kind.value,
        "bind": decision.bind.value,
        "output_sha256": decision.output_sha256 and _render_text(decision.output_sha256),
        "rubric_sha256": decision.rubric_sha256 and _render_text(decision.rubric_sha256),
        "expires": decision.expires and _render_text(_render_end(decision.expires)),
        "status": "active" if decision.active else "withdrawn",
    }
    return {key: value for key, value in values.items() if value}


def _render_text(text: str) -> str:
    """Return a text in double quotes, on one line and with nothing that YAML takes for something else."""
    quoted = json.dumps(text, ensure_ascii=False)
    return "".join(char if char.isprintable() else _escape(char) for char in quoted)


def _escape(char: str) -> str:
    return f"\\U{ord(char):08x}"


def _render_time(time: datetime) -> str:
    return time.astimezone(UTC).isoformat().replace("+00:00", "Z")


def _render_end(time: datetime) -> str:
    """Return the day whose last moment it is, or else the time."""
    day = (time.astimezone(UTC) - timedelta(days=1)).date().isoformat()
    return day if parse_end(day) == time else _render_time(time)
