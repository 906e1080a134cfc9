"""Criteria as older files have them: one-key maps, bare names, mappings by name."""

import re
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from judges.files.model import NAME_PATTERN
from judges.files.prompt_meta import CriterionSpec
from scaffold.generate.criteria import DEFAULT_CRITERIA, NewCriterion, normalise, parse_criteria

Spec = dict[str, Any]


def convert_criteria(given: Any, remarks: list[str]) -> Any:
    """Return criteria as a list of name, weight and rubric; anything unknown as it is, to be refused.

    What stands beside a name is a number, its weight, or a text, its rubric. Without any weights all are the
    same; without a rubric there is an example of one.
    """
    pairs = [_pair(each) for each in (given.items() if isinstance(given, dict) else given)]
    if None in pairs:
        return given
    specs = [_spec(*pair, remarks) for pair in pairs if pair]
    _fill_weights(specs)
    return specs


def example_criteria() -> list[Spec]:
    """Return the criteria that a new suite has."""
    return [_as_spec(each) for each in parse_criteria(DEFAULT_CRITERIA)]


def clean_name(name: str) -> str:
    """Return the name as it is, or one like it that is allowed."""
    if re.fullmatch(NAME_PATTERN, name):
        return name
    plain = re.sub(r"[^A-Za-z0-9_-]+", "_", name).strip("_-")
    return (plain if plain[:1].isalpha() else f"c_{plain}")[:48]


def _pair(each: Any) -> tuple[str, Any] | None:
    """Return a criterion's name and what is said of it."""
    match each:
        case str():
            return each, None
        case (str(name), told):
            return name, told
        case {"name": str(name), **rest}:
            return name, rest
        case dict() if len(each) == 1:
            return next(iter(each.items()))
    return None


def _spec(name: str, said: Any, remarks: list[str]) -> Spec:
    known = CriterionSpec.model_fields
    told: Mapping[str, Any] = _told(said)
    spec = {key if key in known or key.startswith("x-") else f"x-{key}": told[key] for key in told}
    clean = clean_name(name)
    if clean != name:
        remarks.append(f"the criterion '{name}' is called '{clean}' now")
    if not spec.get("rubric"):
        spec["rubric"] = _example(clean).rubric
        remarks.append(f"'{clean}' had no rubric: an example is written; say what its levels mean")
    return {"name": clean, "weight": None, **spec}


def _told(said: Any) -> Mapping[str, Any]:
    match said:
        case dict() if "rubric" not in said and isinstance(said.get("description"), str):
            return {"rubric" if key == "description" else key: each for key, each in said.items()}
        case dict():
            return said
        case str():
            return {"rubric": said}
        case int() | float() if not isinstance(said, bool):
            return {"weight": said}
        case None:
            return {}
    return {"value": said}


def _fill_weights(specs: list[Spec]) -> None:
    missing = [spec for spec in specs if spec["weight"] is None]
    if len(missing) == len(specs):
        for spec, weight in zip(specs, normalise([Decimal(1)] * len(specs)), strict=True):
            spec["weight"] = _number(weight)
        return
    given = [spec["weight"] for spec in specs if isinstance(spec["weight"], int | float)]
    for spec in missing:
        spec["weight"] = round(sum(given) / len(given), 3) if given else 1


def _example(name: str) -> NewCriterion:
    return parse_criteria([f"{name}:1"])[0]


def _as_spec(criterion: NewCriterion) -> Spec:
    return {
        "name": criterion.name,
        "weight": _number(criterion.weight),
        "rubric": criterion.rubric + "\n",
        "scale": 5,
    }


def _number(number: Decimal) -> int | float:
    return int(number) if number == int(number) else float(number)
