"""The two lists that a grid names by a file: the models that it asks, and the labels that may be answered."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TypeAlias

from judges.core.errors import Problem
from judges.files.document import Document, Loc
from judges.files.evaluation_meta import ModelSpec
from judges.files.problems import did_you_mean, found, gather, raise_any
from judges.files.shape import parse_model
from judges.files.text import display_path, read_text
from judges.files.yaml import read_yaml

Place: TypeAlias = tuple[Document, Loc]
"""Where one item of a list stands."""

STRUCTURED = (".json", ".yaml", ".yml")
"""Files that are read as YAML, which JSON is as well: so every item has a place."""
MODELS = "models"

_API = re.compile(r"^(anthropic):messages:|^(openai):(?:chat|responses):")  # as promptfoo names models


def read_models(path: Path) -> tuple[ModelSpec, ...]:
    """Return the models of a file: a list of names, or of mappings with a `name`, alone or under `models:`.

    A name of promptfoo's such as `anthropic:messages:MODEL` is read as `anthropic:MODEL`.

    Raises:
        ConfigError: the file cannot be read, holds something else, or a model twice.
    """
    document = read_yaml(path)
    if isinstance(document.value, dict):
        raise_any(_unknown_keys(document))
    base = _find_list(document)
    problems: list[Problem] = []
    models: list[ModelSpec] = []
    for index in range(len(document.at(base))):
        with gather(problems):
            models.append(_read_model(document, (*base, index)))
    if not document.at(base):
        problems.append(document.problem(base, "there is no model", "name one, such as openai:gpt-4.1-mini"))
    raise_any(problems or find_twins(document, base, models))
    return tuple(models)


def find_twins(document: Document, base: Loc, models: Sequence[ModelSpec]) -> Iterator[Problem]:
    """Yield a problem for each model that the list at `base` names again."""
    first: dict[str, int] = {}
    for index, model in enumerate(models):
        before = first.setdefault(model.name, index)
        if before != index:
            line, _ = document.position((*base, before))
            yield document.problem((*base, index), f"'{model.name}' is there already, in line {line}")


def plain_model(model: str | ModelSpec) -> ModelSpec:
    """Return a model under the name that the rest of the program knows it by."""
    spec = ModelSpec(name=model) if isinstance(model, str) else model
    return spec.model_copy(update={"name": _API.sub(lambda api: f"{api[1] or api[2]}:", spec.name)})


def read_labels(path: Path) -> tuple[str, ...]:
    """Return the labels of a file: JSON or YAML with a list, or else text with a label a line.

    The list may stand in a mapping, under any key, where it is the only list.

    Raises:
        ConfigError: the file cannot be read, or something in it cannot be a label.
    """
    if path.suffix.lower() in STRUCTURED:
        document = read_yaml(path)
        return check_labels(document, _find_list(document))
    name = display_path(path)
    lines = enumerate(read_text(path).splitlines(), start=1)
    places = [(Document(text.strip(), name, line=line), ()) for line, text in lines if text.strip()]
    return _check_labels(places, Document("", name), ())


def check_labels(document: Document, base: Loc) -> tuple[str, ...]:
    """Return the labels of the list at `base` of a document.

    Raises:
        ConfigError: there is none, one is no text or has blanks around it, or two differ by case at most.
    """
    places = [(document, (*base, index)) for index in range(len(document.at(base)))]
    return _check_labels(places, document, base)


def _check_labels(places: Sequence[Place], document: Document, base: Loc) -> tuple[str, ...]:
    if not places:
        raise document.error(base, "there is no label", "list everything that may be answered")
    problems: list[Problem] = []
    first: dict[str, Place] = {}
    for each, loc in places:
        label = each.at(loc)
        if not isinstance(label, str) or not label.strip():
            hint = "put it in quotes" if isinstance(label, int | float) else None
            problems.append(each.problem(loc, f"expected a label, found {found(label)}", hint))
        elif label != label.strip() or "\n" in label:
            problems.append(each.problem(loc, f"{found(label)} has blanks around it, or several lines"))
        elif (before := first.setdefault(label.casefold(), (each, loc))) != (each, loc):
            line, _ = before[0].position(before[1])
            message = f"'{label}' is there already, in line {line}: case does not count"
            problems.append(each.problem(loc, message))
    raise_any(problems)
    return tuple(each.at(loc) for each, loc in places)


def _read_model(document: Document, loc: Loc) -> ModelSpec:
    value = document.at(loc)
    if isinstance(value, dict):
        return plain_model(parse_model(ModelSpec, document, loc))
    if not isinstance(value, str) or not value.strip():
        raise document.error(loc, f"expected the name of a model, found {found(value)}")
    return plain_model(value)


def _unknown_keys(document: Document) -> Iterator[Problem]:
    for key in document.value:
        if key != MODELS and not key.startswith("x-"):
            hint = did_you_mean(key, [MODELS]) or f"known keys: {MODELS}"
            yield document.problem((key,), "unknown key", hint, at_key=True)


def _find_list(document: Document) -> Loc:
    """Return the way to the one list of a document: the document itself, or under a key of its mapping."""
    value = document.value
    if isinstance(value, list):
        return ()
    lists = [key for key, each in value.items() if isinstance(each, list)] if isinstance(value, dict) else []
    if len(lists) == 1:
        return (lists[0],)
    what = f"a mapping with {len(lists) or 'no'} lists" if isinstance(value, dict) else found(value)
    raise document.error((), f"expected a list, or a mapping with one list, found {what}")
