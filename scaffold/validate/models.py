"""The names of models in suites and settings: whether each says whose model it is."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from judges.core.errors import ConfigError, Problem
from judges.files.config import read_settings
from judges.files.document import Document, Loc
from judges.files.evaluation_meta import JudgeSpec
from judges.files.problems import raise_any
from judges.providers.connect import parse_model


def check_models(names: Iterable[tuple[Loc, str]], document: Document) -> None:
    """Check names of models, each with its place in the document.

    Raises:
        ConfigError: one names no provider, an unknown one, or no model; with the problems of all.
    """
    problems: list[Problem] = []
    for loc, name in names:
        try:
            parse_model(name)
        except ConfigError as error:
            problems += document.blame(loc, error).problems
    raise_any(problems)


def check_settings(root: Path | None) -> None:
    """Check the models that a project's settings name for suites that name none.

    Raises:
        ConfigError: as `check_models`; or the settings are wrong.
    """
    if settings := read_settings(root):
        config, document = settings
        named = {"judge": config.judge, "model": config.model}
        check_models((((key,), name) for key, name in named.items() if name), document)


def named_by_judge(judge: JudgeSpec) -> Iterator[tuple[Loc, str]]:
    """Yield all models of a `judge:` section."""
    yield ("judge", "model"), judge.model
    for index, name in enumerate(judge.panel):
        yield ("judge", "panel", index), name
    if judge.meta is not None:
        yield ("judge", "meta"), judge.meta
