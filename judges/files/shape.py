"""Plain data to a model, with every mistake explained where it stands and in plain words.

The models are pydantic's; its words, its URLs and its ways of naming union branches end here.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any, TypeVar, get_args

from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails

from judges.core.errors import ConfigError, Problem
from judges.files.document import Document, Loc
from judges.files.problems import did_you_mean, found, one_of

Model = TypeVar("Model", bound=BaseModel)

FREE_KEYS = frozenset({"input", "value", "vars"})
"""Keys whose values belong to the author: `x-…` keys inside them are data."""

CHOICES = frozenset({"expected", "expected_tags"})
"""Keys of an error's context that list what is allowed, each in single quotes."""

_MESSAGES = {
    "string_type": "expected a text, found {found}",
    "string_unicode": "holds half of a character (a lone surrogate)",
    "string_too_short": "must not be empty",
    "string_too_long": "must be at most {max_length} characters long, found {found}",
    "int_type": "expected a whole number, found {found}",
    "is_instance_of": "expected a number, found {found}",
    "bool_type": "expected true or false, found {found}",
    "dict_type": "expected a mapping, found {found}",
    "model_type": "expected a mapping, found {found}",
    "model_attributes_type": "expected a mapping, found {found}",
    "tuple_type": "expected a list, found {found}",
    "greater_than_equal": "must be at least {ge}, found {found}",
    "greater_than": "must be more than {gt}, found {found}",
    "less_than_equal": "must be at most {le}, found {found}",
    "less_than": "must be less than {lt}, found {found}",
    "enum": "expected {expected}, found {found}",
    "literal_error": "expected {expected}, found {found}",
    "union_tag_invalid": "expected {expected_tags}, found {found}",
    "union_tag_not_found": "the key is missing",
    "missing": "the key is missing",
    "extra_forbidden": "unknown key",
    "value_error": "{error}",
}


def parse_model(model: type[Model], document: Document, base: Loc = ()) -> Model:
    """Return the part of a document at `base` as a model. `x-…` keys are dropped first.

    Raises:
        ConfigError: with all mistakes of the part.
    """
    value = document.at(base)
    try:
        return model.model_validate(without_extensions(value), by_alias=True, by_name=False)
    except ValidationError as error:
        details = error.errors(include_url=False)
        raise ConfigError(_explain(each, model, document, base, value) for each in details) from None


def without_extensions(value: Any) -> Any:
    """Return the value without the `x-…` keys of its mappings, at any depth outside `FREE_KEYS`."""
    if isinstance(value, list):
        return [without_extensions(each) for each in value]
    if not isinstance(value, dict):
        return value
    return {
        key: each if key in FREE_KEYS or isinstance(each, str) else without_extensions(each)
        for key, each in value.items()
        if not key.startswith("x-")
    }


def _explain(
    error: ErrorDetails, model: type[BaseModel], document: Document, base: Loc, value: Any
) -> Problem:
    kind, context = error["type"], error.get("ctx", {})
    loc = base + _as_written(error["loc"], value)
    if kind.startswith("union_tag"):
        loc += (context["discriminator"].strip("'"),)
    return document.problem(
        loc, _message(error, context), _hint(error, context, model), at_key=kind == "extra_forbidden"
    )


def _message(error: ErrorDetails, context: Mapping[str, Any]) -> str:
    words = {key: str(value) for key, value in context.items()}
    for key in CHOICES & words.keys():
        words[key] = one_of(_choices(words[key]))
    template = _MESSAGES.get(error["type"])
    return template.format(found=found(_input(error)), **words) if template else error["msg"]


def _hint(error: ErrorDetails, context: Mapping[str, Any], model: type[BaseModel]) -> str | None:
    value = _input(error)
    match error["type"]:
        case "extra_forbidden":
            known = sorted(_known_keys(model, error["loc"][:-1]))
            return did_you_mean(str(error["loc"][-1]), known) or f"known keys: {', '.join(known)}"
        case "string_type" if isinstance(value, int | float):
            return "put it in quotes"
        case _ if value is None:
            return "give it a value, or remove the key"
        case _ if isinstance(value, str):
            return did_you_mean(
                value, (each for key in CHOICES & context.keys() for each in _choices(context[key]))
            )
    return None


def _input(error: ErrorDetails) -> Any:
    return error.get("ctx", {}).get("tag", error["input"])


def _choices(expected: str) -> list[str]:
    return re.findall(r"'([^']*)'", expected)


def _as_written(loc: Loc, value: Any) -> Loc:
    """Return the way to a value without the steps that only pydantic knows: branches of unions, `items`."""
    way: Loc = ()
    for index, part in enumerate(loc):
        if _is_branch(part, value, after_index=index > 0 and isinstance(loc[index - 1], int)):
            continue
        inside = part in value if isinstance(value, dict) else isinstance(part, int)
        if inside:
            value = value[part]
        if inside or index == len(loc) - 1:
            way += (part,)
    return way


def _is_branch(part: str | int, value: Any, *, after_index: bool) -> bool:
    """Tell whether a step names a branch: `<text>`, or the `type` of an item right after the item's index."""
    if isinstance(part, int):
        return False
    return part.startswith("<") or (after_index and isinstance(value, dict) and value.get("type") == part)


def _known_keys(model: type[BaseModel], loc: Loc) -> set[str]:
    models: list[type[BaseModel]] = [model]
    for part in loc:
        fields = [field for each in models for key, field in _fields(each) if key == part]
        chosen = [each for each in models if part in _types(each)]
        models = [inner for field in fields for inner in _models(field.annotation)] or chosen or models
    return {key for each in models for key, _ in _fields(each)}


def _fields(model: type[BaseModel]) -> Iterator[tuple[str, FieldInfo]]:
    return ((field.alias or name, field) for name, field in model.model_fields.items())


def _types(model: type[BaseModel]) -> tuple[Any, ...]:
    """Return the values of `type` that choose this model in a union."""
    return get_args(model.model_fields["type"].annotation) if "type" in model.model_fields else ()


def _models(annotation: Any) -> list[type[BaseModel]]:
    """Return the models inside an annotation such as `tuple[Model, ...]` or `Model | None`."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return [annotation]
    return [model for inner in get_args(annotation) for model in _models(inner)]
