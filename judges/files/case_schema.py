"""The JSON Schema that an author's `cases.schema` names, and whether cases meet it."""

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

from judges.core.errors import ConfigError
from judges.files.document import Document, Loc
from judges.files.problems import raise_any
from judges.files.shape import without_extensions
from judges.files.source import Source
from judges.files.yaml import read_yaml

if TYPE_CHECKING:
    from jsonschema.protocols import Validator

CaseCheck: TypeAlias = Callable[[Document, Loc], None]
"""Raises a ConfigError with all that is wrong with the case at a place."""


def read_case_check(source: Source) -> CaseCheck:
    """Return the check of the suite's schema; without a schema, one that all cases pass.

    Raises:
        ConfigError: the schema cannot be read, or is no JSON Schema.
    """
    name = source.meta.cases.schema_
    if name is None:
        return lambda _document, _loc: None
    loc = ("cases", "schema")
    path = source.resolve(name, loc)
    try:
        document = read_yaml(path)
    except ConfigError as error:
        raise source.document.blame(loc, error) from None
    validator = _validator(document)
    return lambda document, loc: _check(validator, document, loc)


def _validator(document: Document) -> "Validator":
    from jsonschema import Draft202012Validator, SchemaError
    from jsonschema.validators import validator_for
    from referencing import Registry

    schema = document.value
    if not isinstance(schema, dict):
        raise document.error((), "expected a JSON Schema, a mapping")
    kind = validator_for(schema, default=Draft202012Validator)
    try:
        kind.check_schema(schema)
    except SchemaError as error:
        raise document.error(tuple(error.path), f"not a JSON Schema: {error.message}") from None
    return kind(schema, registry=Registry())  # an empty registry: references are never fetched


def _check(validator: "Validator", document: Document, loc: Loc) -> None:
    from referencing.exceptions import Unresolvable

    try:
        errors = list(validator.iter_errors(without_extensions(document.at(loc))))
    except Unresolvable as error:
        raise document.error(loc, f"the schema refers to '{error.ref}', which is not in it") from None
    raise_any(document.problem((*loc, *error.path), f"by the schema: {error.message}") for error in errors)
