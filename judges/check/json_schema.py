"""The `json_schema` strategy: the output is JSON that a schema describes.

Nothing is ever fetched: a `$ref` must lead into the schema itself or to a meta-schema. A `pattern` matches as
in JavaScript, as JSON Schema wants it, and under a time limit: an output cannot make one run for long.
"""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from judges.check.context import Assertion, CheckContext
from judges.check.javascript import js_regex
from judges.check.wording import describe
from judges.core.errors import ConfigError, Problem, RunError
from judges.core.row import excerpt

if TYPE_CHECKING:
    from jsonschema.protocols import Validator
    from referencing import Resource

_matcher = lru_cache(maxsize=256)(js_regex)


def matches_schema(schema: Any) -> Assertion:
    """Return the assertion that an output is JSON that the schema describes.

    Raises:
        ConfigError: this is no JSON Schema, or one of its references leads nowhere.
    """
    from jsonschema.exceptions import best_match

    validator = _build_validator(schema)

    def check(context: CheckContext) -> str | None:
        try:
            error = best_match(validator.iter_errors(context.json))
        except ValueError as mistake:
            return f"expected JSON ({mistake}); {describe(context.output)}"
        except RecursionError:
            raise RunError("the output or the schema is nested too deeply") from None
        return None if error is None else excerpt(f"at {error.json_path}: {error.message}")

    return check


def _build_validator(schema: Any) -> "Validator":
    from jsonschema import Draft202012Validator, SchemaError, validators
    from jsonschema_specifications import REGISTRY
    from referencing.jsonschema import DRAFT202012, specification_with

    if not isinstance(schema, dict | bool):
        raise ConfigError([Problem("is not a JSON Schema", hint="write the schema as a mapping")])
    base: Any = validators.validator_for(schema, default=Draft202012Validator)
    try:
        base.check_schema(schema)
    except SchemaError as error:
        message = f"is not a JSON Schema: at {error.json_path}: {excerpt(error.message)}"
        raise ConfigError([Problem(message)]) from None
    dialect = specification_with(base.META_SCHEMA.get("$schema", ""), default=DRAFT202012)
    resource = dialect.create_resource(schema)
    _check_parts(resource, REGISTRY.resolver_with_root(resource))
    extended: Any = validators.extend(base, {"pattern": _pattern})  # type: ignore[no-untyped-call]
    validator: Validator = extended(schema, registry=REGISTRY)
    return validator


def _check_parts(resource: "Resource[Any]", resolver: Any) -> None:
    """Look at every schema inside the schema for what its meta-schema cannot tell."""
    from referencing.exceptions import Unresolvable

    contents = resource.contents
    for keyword in ("$ref", "$dynamicRef"):
        if isinstance(contents, Mapping) and keyword in contents:
            try:
                resolver.lookup(contents[keyword])
            except Unresolvable:
                hint = "references stay inside the schema; nothing is fetched"
                message = f"{keyword} '{contents[keyword]}' leads nowhere"
                raise ConfigError([Problem(message, hint=hint)]) from None
    if isinstance(contents, Mapping) and "pattern" in contents:
        _matcher(contents["pattern"])
    for part in resource.subresources():
        _check_parts(part, resolver.in_subresource(part))


def _pattern(validator: Any, pattern: str, instance: Any, schema: Any) -> Iterator[Any]:  # noqa: ARG001
    from jsonschema import ValidationError

    if validator.is_type(instance, "string") and not _matcher(pattern)(instance):
        yield ValidationError(f"{instance!r} does not match {pattern!r}")
