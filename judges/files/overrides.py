"""People's corrections: from `overrides.yaml`, from the suite file, and from inside legacy cases."""

from collections.abc import Callable, Collection, Iterator
from datetime import datetime

from judges.core.errors import ConfigError, Problem
from judges.core.row import Notice
from judges.files.case_meta import Bind, CaseSpec, OverrideSpec, OverridesSpec
from judges.files.dates import later, parse_end, parse_time
from judges.files.document import Document, Loc
from judges.files.problems import did_you_mean, found, gather, raise_any
from judges.files.shape import parse_model
from judges.files.source import Source
from judges.files.suite import Override
from judges.files.text import display_path, read_text
from judges.files.yaml import is_blank, parse_yaml

LIFETIME_DAYS = 180
SIGNS = ("author", "output_sha256", "rubric_sha256", "expires")
"""Keys that the seed's shape does not have: an entry with any of them was made for an output and a rubric."""


def read_overrides(source: Source) -> tuple[Override, ...]:
    """Return all corrections of a suite, in the order of the files.

    Raises:
        ConfigError: a file that is named is missing, or entries are wrong; with all problems.
    """
    problems: list[Problem] = []
    overrides: list[Override] = []
    spec = source.meta.overrides or OverridesSpec()
    with gather(problems):
        overrides += _read_file(source, spec)
    for index, item in enumerate(spec.items):
        with gather(problems):
            overrides.append(_build(item, source.document, ("overrides", "items", index)))
    raise_any(problems)
    return tuple(overrides)


def manual_overrides(spec: CaseSpec, ref: str, document: Document, loc: Loc) -> list[Override]:
    """Return the correction that stands inside a case, if any: the legacy shape.

    Raises:
        ConfigError: its timestamp is wrong.
    """
    manual = spec.manual_override
    if manual is None:
        return []
    entry = OverrideSpec(
        case_ref=ref,
        score=manual.score,
        timestamp=manual.timestamp,
        reason=manual.reason,
        rater_kind=manual.rater_kind,
    )
    return [_build(entry, document, (*loc, "manual_override"))]


def notice_overrides(overrides: Collection[Override], refs: Collection[str]) -> Iterator[Notice]:
    """Yield remarks on corrections that nothing can make stale, and on those of unknown cases."""
    unbound = sum(1 for each in overrides if not _has_signs(each))
    if unbound:
        yield Notice(
            f"overrides without author, digest and expiry, which hold whatever the output: {unbound}"
        )
    for ref in dict.fromkeys(each.case_ref for each in overrides if each.case_ref not in refs):
        hint = did_you_mean(ref, refs)
        yield Notice(
            f"an override names the case '{ref}', which does not exist" + (f"; {hint}" if hint else "")
        )


def _read_file(source: Source, spec: OverridesSpec) -> Iterator[Override]:
    loc = ("overrides", "source")
    path = source.resolve(spec.source, loc)
    if "source" not in spec.model_fields_set and not path.exists():
        return
    try:
        text = read_text(path)
    except ConfigError as error:
        raise source.document.blame(loc, error) from None
    if not is_blank(text):
        yield from parse_overrides(parse_yaml(text, display_path(path)))


def parse_overrides(document: Document) -> list[Override]:
    """Return the corrections of a file: a list of entries, or a mapping that holds it as `items`.

    Raises:
        ConfigError: entries are wrong; with the problems of all entries.
    """
    base: Loc = ("items",) if isinstance(document.value, dict) and "items" in document.value else ()
    items = document.value["items"] if base else document.value
    if not isinstance(items, list):
        raise document.error(base, f"expected a list of overrides, found {found(items)}")
    problems: list[Problem] = []
    overrides: list[Override] = []
    for index in range(len(items)):
        loc = (*base, index)
        with gather(problems):
            overrides.append(_build(parse_model(OverrideSpec, document, loc), document, loc))
    raise_any(problems)
    return overrides


def _build(spec: OverrideSpec, document: Document, loc: Loc) -> Override:
    problems: list[Problem] = []
    with gather(problems):
        timestamp = _time(parse_time, spec.timestamp, document, (*loc, "timestamp"))
    with gather(problems):
        expires = _time(parse_end, spec.expires, document, (*loc, "expires")) if spec.expires else None
    bind = spec.bind if "bind" in spec.model_fields_set else _bind(spec)
    if bind is Bind.OUTPUT and not spec.output_sha256:
        problems.append(document.problem((*loc, "output_sha256"), "bind 'output' needs the output's digest"))
    raise_any(problems)
    if expires is None and _has_signs(spec):
        expires = later(timestamp, days=LIFETIME_DAYS)
    return Override(
        case_ref=spec.case_ref,
        criterion=spec.criterion,
        score=spec.score,
        timestamp=timestamp,
        reason=spec.reason,
        author=spec.author,
        bind=bind,
        output_sha256=spec.output_sha256,
        rubric_sha256=spec.rubric_sha256,
        expires=expires,
        active=spec.status == "active",
        rater_kind=spec.rater_kind,
    )


def _time(parse: Callable[[str], datetime], text: str, document: Document, loc: Loc) -> datetime:
    try:
        return parse(text)
    except ValueError as error:
        raise document.error(loc, str(error)) from None


def _bind(spec: OverrideSpec) -> Bind:
    return Bind.OUTPUT if spec.output_sha256 else Bind.CASE


def _has_signs(entry: OverrideSpec | Override) -> bool:
    return any(getattr(entry, sign) for sign in SIGNS)
