"""The cases of a suite: from their shape in a file to values with a ref each."""

from collections.abc import Collection

from judges.core.case import Case, ScoreRange
from judges.core.errors import Problem
from judges.files.document import Document, Loc
from judges.files.problems import gather, raise_any
from judges.files.prompt_meta import CaseSpec
from judges.files.source import Source


def read_cases(source: Source) -> Collection[Case]:
    """Return the cases of a suite.

    Raises:
        ConfigError: cases are wrong, or a ref is given twice; with the problems of all cases.
    """
    refs = Refs()
    problems: list[Problem] = []
    cases: list[Case] = []
    for index, spec in enumerate(source.meta.cases.items):
        loc = (*source.case_items, index)
        with gather(problems):
            ref = case_id(spec, source.document, loc)
            refs.add(ref, source.document, loc)
            cases.append(build_case(spec, ref, source.document, loc))
    raise_any(problems)
    return tuple(cases)


class Refs:
    """The refs given so far, and where."""

    def __init__(self) -> None:
        self._places: dict[str, str] = {}

    def add(self, ref: str, document: Document, loc: Loc) -> None:
        """Take a ref.

        Raises:
            ConfigError: it is given already.
        """
        place = f"{document.file}:{document.position(loc)[0]}"
        before = self._places.setdefault(ref, place)
        if before != place:
            hint = "give one of the two another 'id'"
            raise document.error(loc, f"the case '{ref}' is there already, in {before}", hint)


def case_id(spec: CaseSpec, document: Document, loc: Loc) -> str:
    """Return the id of a case: as given, or the slug of its title.

    Raises:
        ConfigError: the title has no letter or digit to make an id of.
    """
    from slugify import slugify

    name = spec.id or slugify(spec.title)
    if not name:
        raise document.error(
            (*loc, "title"), "the title has no letter or digit to make an id of", "add 'id:'"
        )
    return name


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
