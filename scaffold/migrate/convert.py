"""An older suite file as plain data, in the current shape. What has no place there is kept under `x-…`."""

from collections.abc import Callable
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from pydantic import BaseModel

from judges.files.evaluation_meta import Evaluation, EvaluationType
from judges.files.foreign import SHARES, is_fraction
from judges.files.problems import did_you_mean
from judges.files.prompt_meta import PromptMeta
from scaffold.migrate.criteria import clean_name, convert_criteria, example_criteria

Data = dict[str, Any]
Glob = Callable[[str], str]
"""Makes a pattern for cases of the path or pattern that an older file names."""

SHORTHANDS = {
    "evaluation": "type",
    "judge": "model",
    "logs": "directory",
    "analysis": "directory",
    "specs": "pattern",
    "overrides": "source",
}
"""Sections that a single text stood for, and the key that it is now."""

SCORED = (EvaluationType.MULTI_CRITERIA, EvaluationType.REGRESSION)
"""Evaluation types that need criteria."""

SCORES = ("expected_score_range", "manual_override")
"""Keys of a case that hold scores."""


@dataclass(slots=True)
class Draft:
    """A suite on its way to the current shape, and remarks on what its author should look at."""

    value: Data
    remarks: list[str] = field(default_factory=list)

    def insert(self, key: str, item: Any, *, after: str) -> None:
        """Put a new section after another one, or at the end where that is missing."""
        keys = list(self.value)
        at = keys.index(after) + 1 if after in keys else len(keys)
        pairs = list(self.value.items())
        self.value = dict([*pairs[:at], (key, item), *pairs[at:]])


def convert(value: Data, name: str, glob: Glob, *, older: bool = False) -> Draft:
    """Return a suite in the current shape, with `name` where it has none.

    One of the current shape is returned as it is, unless it is known to be `older`: then what it cannot do
    without is added, and what means nothing is set aside. What cannot be known stays missing or wrong.
    """
    draft = Draft(
        {
            key: {SHORTHANDS[key]: item} if key in SHORTHANDS and isinstance(item, str) else item
            for key, item in value.items()
        }
    )
    _lift_criteria(draft)
    _gather_cases(draft, glob)
    _raise_scores(draft)
    if older or draft.value != value:  # else its mistakes are not for us to hide
        _add_what_is_missing(draft, name)
        draft.value = _renamed("", draft.value, PromptMeta, draft.remarks)
    return draft


def _lift_criteria(draft: Draft) -> None:
    """Bring the criteria to the top level, each with name, weight and rubric."""
    evaluation = draft.value.get("evaluation")
    if isinstance(evaluation, dict) and "criteria" in evaluation:
        inner = evaluation["criteria"]
        rest = {key: item for key, item in evaluation.items() if key != "criteria"}
        if inner and draft.value.get("criteria"):
            rest["x-criteria"] = inner
            draft.remarks.append("there are criteria in two places: those inside 'evaluation' are set aside")
        elif inner:
            draft.insert("criteria", inner, after="evaluation")
        draft.value["evaluation"] = rest or {"type": EvaluationType.MULTI_CRITERIA.value}
    if isinstance(draft.value.get("evaluation"), dict):
        draft.value["evaluation"] = _renamed(
            "evaluation.", draft.value["evaluation"], Evaluation, draft.remarks
        )
    given = draft.value.get("criteria")
    if given and not _are_current(given):
        draft.value["criteria"] = convert_criteria(given, draft.remarks)


def _are_current(criteria: Any) -> bool:
    return isinstance(criteria, list) and all(
        isinstance(each, dict) and {"name", "weight", "rubric"} <= each.keys() for each in criteria
    )


def _gather_cases(draft: Draft, glob: Glob) -> None:
    """Put what was said of the cases at the top level into their section."""
    value, cases = draft.value, draft.value.get("cases")
    if not isinstance(cases, str) and ("cases" in value or not isinstance(value.get("pattern"), str)):
        return
    beside: Data = {key: value.pop(key) for key in ("pattern", "schema", "items") if key in value}
    if cases == "inline":
        section: Data = {"source": "inline", "items": beside.get("items", [])}
    else:
        section = {"source": "external", **beside}
        pattern = beside.get("pattern") if cases in (None, "external") else cases
        if isinstance(pattern, str):
            section["pattern"] = glob(pattern)
    value["cases"] = section


def _raise_scores(draft: Draft) -> None:
    """Bring scores on 0..1 to 0..100: thresholds, and what else in the file is on the same scale."""
    if not is_fraction(draft.value.get("thresholds")):
        return
    thresholds = draft.value["thresholds"]
    shares = {key: value for key, value in thresholds.items() if key in SHARES}
    draft.value["thresholds"] = {**_hundredfold(thresholds), **shares}
    cases = draft.value.get("cases")
    if isinstance(cases, dict) and cases.get("source") == "external":
        draft.remarks.append("scores in files of cases are left as they are: they are on 0..100 now")
    items = cases.get("items") if isinstance(cases, dict) else cases
    if not isinstance(items, list) or not all(isinstance(case, dict) for case in items):
        return
    scores = [case[key] for case in items for key in SCORES if key in case]
    if is_fraction(dict(enumerate(scores))):
        new = [{key: _hundredfold(it) if key in SCORES else it for key, it in case.items()} for case in items]
        draft.value["cases"] = {**cases, "items": new} if isinstance(cases, dict) else new


def _hundredfold(value: Any) -> Any:
    """Return the value with every number in it, a hundred times as large, exactly."""
    if isinstance(value, dict):
        return {key: _hundredfold(item) for key, item in value.items()}
    if isinstance(value, bool) or not isinstance(value, int | float):
        return value
    number = Decimal(str(value)) * 100
    return int(number) if number == int(number) else float(number)


def _add_what_is_missing(draft: Draft, name: str) -> None:
    """Give the suite what it cannot do without."""
    if not draft.value.get("prompt_name"):
        draft.value = {"prompt_name": name, **{k: v for k, v in draft.value.items() if k != "prompt_name"}}
    evaluation = draft.value.get("evaluation", {})
    kind = evaluation.get("type", SCORED[0]) if isinstance(evaluation, dict) else None
    if kind in SCORED and not draft.value.get("criteria"):
        draft.value.pop("criteria", None)
        draft.insert("criteria", example_criteria(), after="evaluation")
        draft.remarks.append("there were no criteria: four common ones are written; make them your own")
    if "cases" not in draft.value:
        draft.value["cases"] = {"source": "inline", "items": []}
        draft.remarks.append("there are no cases: write some, or take them from a log with scaffold add-case")
    thresholds = draft.value.get("thresholds")
    if isinstance(thresholds, dict) and isinstance(thresholds.get("per_criterion"), dict):
        minimums = {clean_name(key): item for key, item in thresholds["per_criterion"].items()}
        draft.value["thresholds"] = {**thresholds, "per_criterion": minimums}


def _renamed(place: str, section: Data, model: type[BaseModel], remarks: list[str]) -> Data:
    """Return a section in which keys that it does not have are free ones."""
    known = [each.alias or key for key, each in model.model_fields.items()]
    for key in section:
        if key not in known and not key.startswith("x-"):
            hint = did_you_mean(key, known)
            remarks.append(
                f"'{place}{key}' means nothing now: it is kept as 'x-{key}'" + (f"; {hint}" if hint else "")
            )
    return {key if key in known or key.startswith("x-") else f"x-{key}": it for key, it in section.items()}
