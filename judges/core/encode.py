"""The results of a run as plain JSON values, and back: the shapes of the run directory and the JSON report.

Decimals become numbers. What JSON cannot hold (an infinite number) becomes null. Keys may be added here,
none may be renamed: other tools read them.
"""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import date
from decimal import Decimal
from pathlib import Path, PurePath
from typing import Any, cast

from pydantic_core import PydanticSerializationError, to_json

from judges.core.case import Category
from judges.core.report import (
    CaseReport,
    CriterionResult,
    JudgeReport,
    ModelSummary,
    SuiteKind,
    SuiteReport,
    Totals,
)
from judges.core.row import Notice, Row
from judges.core.usage import Usage
from judges.core.verdict import Verdict

_encode = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode
_PLAIN = frozenset((str, int, bool, type(None)))
_ROW_KEYS = ("id", "kind", "verdict", "score", "actual_excerpt", "spec", "error")


def encode_row(row: Row) -> dict[str, Any]:
    """Return the seven keys of a row, then its extra keys; an extra key never replaces one of the seven."""
    encoded: dict[str, Any] = {
        "id": row.id,
        "kind": row.kind,
        "verdict": row.verdict.value,
        "score": _encode_number(row.score),
        "actual_excerpt": row.actual_excerpt,
        "spec": encode_value(row.spec),
        "error": row.error,
    }
    for key, value in row.extra.items():
        if key not in encoded:
            encoded[key] = encode_value(value)
    return encoded


def encode_case(case: CaseReport) -> dict[str, Any]:
    """Return one case."""
    return {
        "ref": case.ref,
        "title": case.title,
        "category": None if case.category is None else case.category.value,
        "model": case.model,
        "verdict": case.verdict.value,
        "score": _encode_number(case.score),
        "judged_score": _encode_number(case.judged_score),
        "criteria": {name: _encode_criterion(result) for name, result in case.criteria.items()},
        "rows": [encode_row(row) for row in case.rows],
        "override": encode_value(case.override),
        "stability": encode_value(case.stability),
        "notices": encode_notices(case.notices),
        "usage": encode_usage(case.usage),
        "output_usage": encode_usage(case.output_usage),
        "output": case.output,
        "outputs": dict(case.outputs),
    }


def encode_suite(suite: SuiteReport) -> dict[str, Any]:
    """Return all of a suite but its cases."""
    return {
        "name": suite.name,
        "kind": suite.kind.value,
        "path": str(suite.path),
        "verdict": suite.verdict.value,
        "run_dir": str(suite.run_dir),
        "totals": encode_totals(suite.totals),
        "usage": encode_usage(suite.usage),
        "models": {name: _encode_model(summary) for name, summary in suite.models.items()},
        "summary": encode_value(suite.summary),
        "judge": None if suite.judge is None else asdict(suite.judge),
        "notices": encode_notices(suite.notices),
    }


def encode_usage(usage: Usage) -> dict[str, Any]:
    """Return what was used; an unknown cost is null."""
    return {
        "calls": usage.calls,
        "cached": usage.cached,
        "input_tokens": usage.input_tokens,
        "output_tokens": usage.output_tokens,
        "cost_usd": _encode_number(usage.cost_usd),
    }


def encode_totals(totals: Totals) -> dict[str, int]:
    """Return how many cases ended how."""
    return {name: getattr(totals, name) for name in Totals.__slots__}


def encode_notices(notices: Sequence[Notice]) -> list[dict[str, Any]]:
    """Return the remarks, each with the case it is about or null."""
    return [{"text": notice.text, "ref": notice.ref} for notice in notices]


def render_line(value: Any) -> str:
    """Return a JSON value on one line, without a line end: text as it is, half a surrogate pair escaped."""
    try:
        return to_json(value, inf_nan_mode="null").decode("utf-8")  # a third of the time of `json`
    except PydanticSerializationError:
        return _encode(value).encode("utf-8", "backslashreplace").decode("utf-8")


def encode_value(value: Any) -> Any:  # noqa: C901, PLR0911  (one return for each shape)
    """Return a value of the engine as JSON can hold it."""
    kind = type(value)
    if kind in _PLAIN:
        return value
    if kind is float:  # with `dict` most of what there is: the checks below take ten times as long
        return value if math.isfinite(value) else None
    if kind is dict:
        return {str(key): item if type(item) in _PLAIN else encode_value(item) for key, item in value.items()}
    if kind is list or kind is tuple:
        return [encode_value(item) for item in value]
    match value:
        case Decimal() | float():
            return _encode_number(value)
        case int():
            return int(value)
        case str() | PurePath():
            return str(value)
        case Mapping():
            return encode_value(dict(value))
        case list() | tuple() | set() | frozenset():
            return [encode_value(item) for item in value]
        case date():
            return value.isoformat()
    raise TypeError(f"no JSON shape for {type(value).__name__}")


def decode_case(data: Mapping[str, Any]) -> CaseReport:
    """Return the case that `encode_case` wrote, with or without its output.

    Raises:
        ValueError: the data is not such a case.
    """
    try:
        return _decode_case(data)
    except KeyError as error:
        raise ValueError(f"a case without {error}") from error
    except (TypeError, AttributeError) as error:
        raise ValueError(f"not a case: {error}") from error


def decode_suite(data: Mapping[str, Any], *, run_dir: Path, cases: Sequence[CaseReport]) -> SuiteReport:
    """Return the suite that `encode_suite` wrote, with its cases and where the run is now.

    Raises:
        ValueError: the data is not such a suite.
    """
    try:
        return SuiteReport(
            name=data["name"],
            kind=SuiteKind(data["kind"]),
            path=Path(data["path"]),
            verdict=Verdict(data["verdict"]),
            run_dir=run_dir,
            cases=cases,
            totals=decode_totals(data["totals"]),
            usage=decode_usage(data["usage"]),
            models={name: _decode_model(summary) for name, summary in data["models"].items()},
            summary=data.get("summary", {}),
            notices=decode_notices(data["notices"]),
            judge=JudgeReport(**data["judge"]) if data.get("judge") else None,
        )
    except KeyError as error:
        raise ValueError(f"a suite without {error}") from error
    except (TypeError, AttributeError) as error:
        raise ValueError(f"not a suite: {error}") from error


def decode_row(data: Mapping[str, Any]) -> Row:
    """Return the row that `encode_row` wrote; keys beyond the seven are its extra."""
    return Row(
        id=data["id"],
        kind=data["kind"],
        verdict=Verdict(data["verdict"]),
        score=_decode_number(data["score"]),
        actual_excerpt=data["actual_excerpt"],
        spec=data["spec"],
        error=data["error"],
        extra={key: value for key, value in data.items() if key not in _ROW_KEYS},
    )


def decode_usage(data: Mapping[str, Any]) -> Usage:
    """Return the usage that `encode_usage` wrote."""
    return Usage(**{**data, "cost_usd": _decode_number(data["cost_usd"])})


def decode_totals(data: Mapping[str, int]) -> Totals:
    """Return the totals that `encode_totals` wrote."""
    return Totals(**data)


def decode_notices(data: Sequence[Mapping[str, Any]]) -> tuple[Notice, ...]:
    """Return the remarks that `encode_notices` wrote."""
    return tuple(Notice(item["text"], item["ref"]) for item in data)


def _decode_case(data: Mapping[str, Any]) -> CaseReport:
    return CaseReport(
        ref=data["ref"],
        title=data["title"],
        category=None if data["category"] is None else Category(data["category"]),
        model=data["model"],
        verdict=Verdict(data["verdict"]),
        score=_decode_number(data["score"]),
        judged_score=_decode_number(data["judged_score"]),
        criteria={name: _decode_criterion(result) for name, result in data["criteria"].items()},
        rows=tuple(decode_row(row) for row in data["rows"]),
        override=data["override"],
        stability=data.get("stability"),
        notices=decode_notices(data["notices"]),
        usage=decode_usage(data["usage"]),
        output_usage=decode_usage(data["output_usage"]),
        output=data.get("output"),
        outputs=data.get("outputs", {}),
    )


def _encode_model(summary: ModelSummary) -> dict[str, Any]:
    return {
        "totals": encode_totals(summary.totals),
        "mean_score": _encode_number(summary.mean_score),
        "output_usage": encode_usage(summary.output_usage),
    }


def _decode_model(data: Mapping[str, Any]) -> ModelSummary:
    return ModelSummary(
        totals=decode_totals(data["totals"]),
        mean_score=_decode_number(data["mean_score"]),
        output_usage=decode_usage(data["output_usage"]),
    )


def _encode_criterion(result: CriterionResult) -> dict[str, Any]:
    return {
        "level": result.level,
        "percent": _encode_number(result.percent),
        "reasoning": result.reasoning,
        "confidence": _encode_number(result.confidence),
    }


def _decode_criterion(data: Mapping[str, Any]) -> CriterionResult:
    return CriterionResult(
        level=data["level"],
        percent=cast("Decimal", _decode_number(data["percent"])),
        reasoning=data["reasoning"],
        confidence=data["confidence"],
    )


def _encode_number(value: Decimal | float | None) -> float | None:
    if value is None:
        return None
    number = float(value)
    return number if math.isfinite(number) else None


def _decode_number(value: float | None) -> Decimal | None:
    if value is None or isinstance(value, int | float | Decimal):
        return None if value is None else Decimal(str(value))
    raise TypeError(f"{value!r} is not a number")
