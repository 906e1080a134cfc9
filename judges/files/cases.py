"""The cases of a suite: from their shape in a file to values with a ref each."""

import re
from collections.abc import Collection
from typing import NamedTuple

from judges.core.case import Case, ScoreRange
from judges.core.errors import Problem
from judges.files.case_meta import CaseSpec
from judges.files.case_schema import read_case_check
from judges.files.document import Document, Loc
from judges.files.overrides import manual_overrides
from judges.files.problems import gather, raise_any
from judges.files.source import Source
from judges.files.suite import Override

_PLAIN = re.compile(r"[A-Za-z0-9 ]+")


class CaseSet(NamedTuple):
    """The cases of a suite, and the corrections that stand inside them."""

    cases: Collection[Case]
    overrides: tuple[Override, ...]


def read_inline(source: Source) -> CaseSet:
    """Return the cases that stand in the suite file itself.

    Raises:
        ConfigError: cases are wrong, or a ref is given twice; with the problems of all cases.
    """
    check = read_case_check(source)
    refs = Refs()
    problems: list[Problem] = []
    cases: list[Case] = []
    overrides: list[Override] = []
    for index, spec in enumerate(source.meta.cases.items):
        loc = (*source.case_items, index)
        with gather(problems):
            ref = case_id(spec, source.document, loc)
            refs.add(ref, source.document, loc)
            check(source.document, loc)
            cases.append(build_case(spec, ref, source.document, loc))
            overrides += manual_overrides(spec, ref, source.document, loc)
    raise_any(problems)
    return CaseSet(tuple(cases), tuple(overrides))


class Refs:
    """The refs given so far, and where."""

    def __init__(self) -> None:
        self._places: dict[str, tuple[str, int]] = {}

    def __len__(self) -> int:
        return len(self._places)

    def add(self, ref: str, document: Document, loc: Loc) -> None:
        """Take a ref.

        Raises:
            ConfigError: it is given already.
        """
        line, _ = document.position(loc)
        if ref in self._places:
            file, before = self._places[ref]
            where = f"in line {before}" if file == document.file else f"in {file}:{before}"
            hint = "give one of the two another 'id'"
            raise document.error(loc, f"the case '{ref}' is there already, {where}", hint)
        self._places[ref] = (document.file, line)


def case_id(spec: CaseSpec, document: Document, loc: Loc) -> str:
    """Return the id of a case: as given, or the slug of its title.

    Raises:
        ConfigError: the title has no letter or digit to make an id of.
    """
    name = spec.id or _slug(spec.title)
    if not name:
        raise document.error(
            (*loc, "title"), "the title has no letter or digit to make an id of", "add 'id:'"
        )
    return name


def _slug(title: str) -> str:
    if _PLAIN.fullmatch(title):  # what slugify would do, at a tenth of its time
        return "-".join(title.lower().split())
    from slugify import slugify

    return slugify(title)


def build_case(spec: CaseSpec, ref: str, document: Document, loc: Loc) -> Case:
    """Return the case that stands at `loc` of a document."""
    limits = spec.expected_score_range
    return Case(
        ref=ref,
        title=spec.title,
        category=spec.category,
        input=spec.input,
        expected_behavior=spec.expected_behavior,
        expected_score_range=ScoreRange(limits.min, limits.max) if limits else None,
        reference=spec.reference,
        output=spec.output,
        tags=spec.tags,
        skip=spec.skip,
        file=document.file,
        line=document.position(loc)[0],
    )
