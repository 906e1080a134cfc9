"""Which lines of a log become cases: those whose input no case has yet, each with an id of its own."""

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from slugify import slugify

from judges.core.case import Case, Category, digest
from judges.core.errors import ConfigError, Problem
from judges.files.jsonl import parse_json, read_lines
from judges.files.problems import gather, raise_any
from judges.files.text import display_path
from scaffold.add_case.personal import find_personal
from scaffold.add_case.shapes import KEYS, TextInput, name_input, passed_over, read_case


@dataclass(frozen=True, slots=True, kw_only=True)
class Wishes:
    """What all new cases have: a category where the line names none, further tags; and how many at most."""

    category: str | None = None
    tags: tuple[str, ...] = ()
    limit: int | None = None


@dataclass(slots=True)
class Chosen:
    """The new cases by the line that each came from, and what is to be said about the others.

    `twins` are lines whose input is that of an earlier line or case, which is named. `passed_over` counts the
    keys that no case has. `personal` are lines with what looks like personal data.
    """

    cases: dict[int, dict[str, Any]] = field(default_factory=dict)
    twins: dict[int, str] = field(default_factory=dict)
    passed_over: Counter[str] = field(default_factory=Counter)
    personal: dict[int, tuple[str, ...]] = field(default_factory=dict)


def choose_cases(log: Path, existing: Iterable[Case], text_input: TextInput, wishes: Wishes) -> Chosen:
    """Read the lines of a log as cases, and keep those that are new, as many as are wished for.

    Raises:
        ConfigError: the log cannot be read, or lines of it are wrong; with the problems of all lines.
    """
    known, ids, texts = _index(existing)
    chosen = Chosen()
    untitled: set[int] = set()
    problems: list[Problem] = []
    for line in read_lines(log):
        if wishes.limit is not None and len(chosen.cases) >= wishes.limit:
            break
        with gather(problems):
            document = parse_json(line.text, display_path(log), line.number)
            case = read_case(document, text_input)
            _check_text(case, document.file, line.number)
            key = _key(case["input"])
            if key in known:
                chosen.twins[line.number] = known[key]
                continue
            known[key] = f"line {line.number}"
            chosen.cases[line.number] = case
            if not document.value.get("title"):
                untitled.add(line.number)
                texts.add(case["input"])
            chosen.passed_over.update(passed_over(document.value))
            if found := tuple(find_personal([case["input"], case.get("output")])):
                chosen.personal[line.number] = found
    raise_any(problems)
    for number, case in chosen.cases.items():
        if number in untitled:
            case["title"] = name_input(case["input"], number, texts.telling)
        chosen.cases[number] = _finish(case, ids, wishes)
    return chosen


@dataclass(slots=True)
class _Texts:
    """The texts of inputs by variable: how many there are, and how long all are together."""

    distinct: dict[str, set[int]] = field(default_factory=lambda: defaultdict(set))
    length: Counter[str] = field(default_factory=Counter)

    def add(self, given: Mapping[str, Any]) -> None:
        for name, text in given.items():
            if isinstance(text, str):
                self.distinct[name].add(hash(text))
                self.length[name] += len(text)

    @property
    def telling(self) -> str | None:
        """The variable that tells most of a case: the one with most texts, or with longer ones."""
        return max(
            self.distinct, key=lambda name: (len(self.distinct[name]), self.length[name]), default=None
        )


def _index(cases: Iterable[Case]) -> tuple[dict[str, str], set[str], _Texts]:
    """Return who has which input already, the ids that are taken, and the texts that there are."""
    known: dict[str, str] = {}
    ids: set[str] = set()
    texts = _Texts()
    for case in cases:
        texts.add(case.input)
        known.setdefault(_key(case.input), f"the case '{case.ref}'")
        ids |= {case.ref, case.ref.rpartition("/")[2]}
    return known, ids, texts


def _key(given: Mapping[str, Any]) -> str:
    return digest(json.dumps(given, sort_keys=True, default=str))


def _finish(case: dict[str, Any], ids: set[str], wishes: Wishes) -> dict[str, Any]:
    """Return the case with category and tags, and with an id where that of its title is taken."""
    name = base = case.get("id") or slugify(case["title"]) or "case"
    number = 1
    while name in ids:
        number += 1
        name = f"{base}-{number}"
    ids.add(name)
    added: dict[str, Any] = {"category": case.get("category") or wishes.category or Category.ELEMENT.value}
    if name != slugify(case["title"]):
        added["id"] = name
    if tags := list(dict.fromkeys((*case.get("tags", ()), *wishes.tags))):
        added["tags"] = tags
    whole = {**case, **added}
    return {key: whole[key] for key in KEYS if key in whole}


def _check_text(case: Mapping[str, Any], file: str, line: int) -> None:
    try:
        json.dumps(case, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        problem = Problem("holds half of a character (a lone surrogate)", file, line, 1, hint="mend the log")
        raise ConfigError([problem]) from None
