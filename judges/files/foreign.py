"""Files called `prompt-meta.yaml` of another shape: older ones, and those of other programs."""

from collections.abc import Iterable, Iterator
from typing import Any

from judges.core.errors import ConfigError, Problem
from judges.files.document import Document

OTHER_PROGRAMS = ({"id", "version", "immutable"}, {"id", "version", "source"}, {"template_sha256"})
"""Sets of keys by which files of other programs are known."""

SHARES = {"min_agreement"}
"""Thresholds that are on 0..1 now, too."""

OLDER = "this is an older shape of the file"


def refuse_foreign(document: Document) -> None:
    """Refuse a file of another shape, naming the command that converts it where there is one.

    Raises:
        ConfigError: the file belongs to another program, or to an older version.
    """
    value = document.value
    if not isinstance(value, dict):
        return
    if "cases" not in value and any(keys <= value.keys() for keys in OTHER_PROGRAMS):
        message = "this prompt-meta.yaml belongs to another program: it describes a prompt, not a test suite"
        raise ConfigError([Problem(message, document.file, 1, 1, hint="move it out of .omniscitus/tests/")])
    older = [
        document.problem(
            loc, f"{OLDER}: {what}", f"convert it: scaffold migrate {document.file}", at_key=True
        )
        for loc, what in _find_older(value)
    ]
    if older:
        raise ConfigError(older)


def _find_older(value: dict[str, Any]) -> Iterator[tuple[tuple[str, ...], str]]:
    if isinstance(value.get("prompts"), list):
        yield ("prompts",), "it holds several suites; now each has its own file"
    for key in ("evaluation", "cases", "logs"):
        if isinstance(value.get(key), str):
            yield (key,), f"'{key}' is a mapping now"
    evaluation = value.get("evaluation")
    if isinstance(evaluation, dict) and "criteria" in evaluation:
        yield ("evaluation", "criteria"), "'criteria' stand at the top level now"
    if is_fraction(value.get("thresholds")):
        yield ("thresholds",), "scores run from 0 to 100 now, not from 0 to 1"


def is_fraction(thresholds: Any) -> bool:
    """Tell whether all thresholds that are scores are numbers of at most 1, and not all are 0."""
    scores = thresholds.items() if isinstance(thresholds, dict) else ()
    numbers = list(_numbers(value for key, value in scores if key not in SHARES))
    return bool(numbers) and max(numbers) > 0 and max(numbers) <= 1


def _numbers(values: Iterable[Any]) -> Iterator[float]:
    for value in values:
        if isinstance(value, dict):
            yield from _numbers(value.values())
        elif isinstance(value, int | float) and not isinstance(value, bool):
            yield value
