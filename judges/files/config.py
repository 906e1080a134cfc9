"""`.omniscitus/config.yaml`: what holds for every suite of a project that does not say otherwise."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated
from urllib.parse import urlsplit

from pydantic import AfterValidator, Field, StrictInt, StrictStr

from judges.core.errors import ConfigError, Problem
from judges.files.document import Document
from judges.files.evaluation_meta import ModelSpec
from judges.files.model import FileModel, Usd
from judges.files.problems import gather, raise_any
from judges.files.project import MARKER, WHAT_IS_A_SUITE, find_suites, find_suites_below, resolve
from judges.files.shape import parse_model
from judges.files.suite import PromptSuite
from judges.files.text import display_path, read_text
from judges.files.yaml import is_blank, parse_yaml

CONFIG_FILE = "config.yaml"


def _url(value: str) -> str:
    try:
        parts = urlsplit(value)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        usable = False
    if not usable:  # the value is not repeated: it may hold a password
        raise ValueError("expected the address of a server, such as http://localhost:11434/v1")
    return value


Text = Annotated[StrictStr, Field(min_length=1)]
Url = Annotated[StrictStr, AfterValidator(_url)]


class BaseUrls(FileModel):
    """Servers to use in place of a vendor's own, by the API that they speak."""

    openai: Url | None = Field(None, description="for `openai:` and `openai-decisions:` models")
    anthropic: Url | None = Field(None, description="for `anthropic:` models")


class ProjectConfig(FileModel):
    """Defaults for all suites of a project. A flag goes before the suite, the suite before this file."""

    judge: Text | None = Field(None, description="the model that judges where a suite names none")
    model: Text | None = Field(
        None, description="the model that prompts are sent to where a suite names neither model nor runner"
    )
    concurrency: Annotated[StrictInt, Field(ge=1, le=1000)] = Field(8, description="calls at once")
    http_retries: Annotated[StrictInt, Field(ge=0, le=20)] = Field(
        5, description="how often a call is sent again when the endpoint fails"
    )
    max_cost_usd: Usd | None = Field(None, description="make no call that could exceed this in a run")
    base_url: BaseUrls = BaseUrls()
    suites: tuple[Text, ...] = Field(
        (), description="suite files and folders with suites, besides `.omniscitus/tests/`; from the root"
    )


@dataclass(frozen=True, slots=True)
class Project:
    """A project: its settings, and its suite files. Outside any project `root` is None."""

    root: Path | None = None
    config: ProjectConfig = field(default_factory=ProjectConfig)
    suites: tuple[Path, ...] = ()


def read_config(root: Path | None) -> ProjectConfig:
    """Return the settings of the project whose root this is; all defaults where it has none.

    Raises:
        ConfigError: they are wrong; with all problems.
    """
    settings = read_settings(root)
    return settings[0] if settings else ProjectConfig()


def read_settings(root: Path | None) -> tuple[ProjectConfig, Document] | None:
    """Return the settings of a project, and the document that they stand in; None where it has none.

    Raises:
        ConfigError: they are wrong; with all problems.
    """
    document = _read_document(root)
    return None if document is None else (parse_model(ProjectConfig, document), document)


def read_project(root: Path | None) -> Project:
    """Return the project whose root this is.

    Raises:
        ConfigError: its settings are wrong, or name paths without a suite; with all problems.
    """
    if root is None:
        return Project()
    settings = read_settings(root)
    if settings is None:
        return Project(root, suites=tuple(find_suites(root)))
    config, document = settings
    suites = dict.fromkeys((*find_suites(root), *_extra_suites(config, document, root)))
    return Project(root, config, tuple(suites))


def apply_config(suite: PromptSuite, config: ProjectConfig) -> PromptSuite:
    """Return the suite with the project's judge and model where it names none."""
    judge, model = suite.meta.judge, suite.model
    if config.judge and "model" not in judge.model_fields_set:
        judge = judge.model_copy(update={"model": config.judge})
    if config.model and model is None and suite.target and not suite.meta.runner:
        model = ModelSpec(name=config.model)
    return replace(suite, meta=suite.meta.model_copy(update={"judge": judge}), model=model)


def _read_document(root: Path | None) -> Document | None:
    if root is None:
        return None
    path = root / MARKER / CONFIG_FILE
    if not path.exists() and not path.is_symlink():
        return None
    text = read_text(path)
    return None if is_blank(text) else parse_yaml(text, display_path(path))


def _extra_suites(config: ProjectConfig, document: Document, root: Path) -> list[Path]:
    suites: list[Path] = []
    problems: list[Problem] = []
    for index, name in enumerate(config.suites):
        with gather(problems):
            suites += _suites_at(name, document, index, root)
    raise_any(problems)
    return suites


def _suites_at(name: str, document: Document, index: int, root: Path) -> Iterator[Path]:
    loc = ("suites", index)
    try:
        path = resolve(name, root, root)
    except ConfigError as error:
        raise document.error(loc, error.problems[0].message, "move it inside the project") from None
    found = find_suites_below(path) if path.is_dir() else [path] if path.is_file() else []
    if not found and path.is_dir():
        raise document.error(loc, f"'{name}': no suite below it", WHAT_IS_A_SUITE)
    if not found:
        raise document.error(loc, f"'{name}': no such file or folder", "paths start at the project root")
    yield from found
