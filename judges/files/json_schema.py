"""The JSON Schema of the file formats, for editors and for the reference documentation."""

import json
from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any

from pydantic import BaseModel, TypeAdapter
from pydantic.json_schema import GenerateJsonSchema

from judges.files.case_meta import CaseSpec, OverrideSpec
from judges.files.config import CONFIG_FILE, ProjectConfig
from judges.files.evaluation_meta import ModelChoice
from judges.files.fixture_meta import FixtureMeta
from judges.files.gated import REGISTRY_FILE
from judges.files.gated_meta import GatedSpec
from judges.files.grid_meta import GridMeta, TaskSpec
from judges.files.outputs import OutputLine
from judges.files.prompt_meta import PromptMeta
from judges.files.qualifications import QUALIFICATIONS_FILE, QualificationsFile
from judges.files.ratings import RATINGS_FILE, RatingLine
from judges.files.replay import ReplayLine
from judges.files.report_file import ReportFile

DIALECT = "https://json-schema.org/draft/2020-12/schema"


class _Generator(GenerateJsonSchema):
    def encode_default(self, dft: Any) -> Any:
        """Write exact numbers as numbers, and a section that defaults to its own defaults as empty."""
        if isinstance(dft, Decimal):
            return int(dft) if dft == int(dft) else float(dft)
        return {} if isinstance(dft, BaseModel) else super().encode_default(dft)


def render_schema(name: str) -> str:
    """Return the JSON Schema of a format, by its name in `SCHEMAS`, as the text of a file."""
    return json.dumps(SCHEMAS[name](), indent=2) + "\n"


def schema_file(name: str) -> str:
    """Return what the file with the JSON Schema of a format is called, here and in every project."""
    return f"{name}.schema.json"


def prompt_meta_schema() -> dict[str, Any]:
    """Return the JSON Schema of `prompt-meta.yaml`, the legacy list of `cases` included."""
    schema = _schema(PromptMeta, "prompt-meta.yaml")
    legacy = {"type": "array", "items": {"$ref": "#/$defs/CaseSpec"}}
    schema["properties"]["cases"] = {"anyOf": [schema["properties"]["cases"], legacy]}
    return schema


def cases_schema() -> dict[str, Any]:
    """Return the JSON Schema of a file of cases: one, or a list of them."""
    return _schema(CaseSpec | list[CaseSpec], "cases")


def overrides_schema() -> dict[str, Any]:
    """Return the JSON Schema of `overrides.yaml`."""
    return _list_schema(OverrideSpec, "items", "overrides.yaml")


def fixture_schema() -> dict[str, Any]:
    """Return the JSON Schema of the front matter of a `*.fixture.md`."""
    return _schema(FixtureMeta, "*.fixture.md")


def grid_schema() -> dict[str, Any]:
    """Return the JSON Schema of a `*.grid.yaml`."""
    return _schema(GridMeta, "*.grid.yaml")


def models_schema() -> dict[str, Any]:
    """Return the JSON Schema of the file that names a grid's models."""
    return _list_schema(ModelChoice, "models", "models.yaml")


def tasks_schema() -> dict[str, Any]:
    """Return the JSON Schema of a line of a grid's tasks."""
    return _schema(TaskSpec, "a line of a grid's tasks")


def gated_schema() -> dict[str, Any]:
    """Return the JSON Schema of `gated.yaml`."""
    return _schema(list[GatedSpec], REGISTRY_FILE.name)


def config_schema() -> dict[str, Any]:
    """Return the JSON Schema of `.omniscitus/config.yaml`."""
    return _schema(ProjectConfig, CONFIG_FILE)


def outputs_schema() -> dict[str, Any]:
    """Return the JSON Schema of a line of recorded outputs."""
    return _schema(OutputLine, "a line of outputs.jsonl")


def replay_schema() -> dict[str, Any]:
    """Return the JSON Schema of a line of recorded answers."""
    return _schema(ReplayLine, "a line of replay.jsonl")


def ratings_schema() -> dict[str, Any]:
    """Return the JSON Schema of a line of people's ratings."""
    return _schema(RatingLine, f"a line of {RATINGS_FILE}")


def qualifications_schema() -> dict[str, Any]:
    """Return the JSON Schema of `qualifications.json`."""
    return _schema(QualificationsFile, QUALIFICATIONS_FILE)


def report_schema() -> dict[str, Any]:
    """Return the JSON Schema of the JSON report. It is open: a report with more keys is one, too."""
    return _schema(ReportFile, "the JSON report")


SCHEMAS: Mapping[str, Callable[[], dict[str, Any]]] = {
    "prompt-meta": prompt_meta_schema,
    "cases": cases_schema,
    "overrides": overrides_schema,
    "outputs": outputs_schema,
    "replay": replay_schema,
    "ratings": ratings_schema,
    "qualifications": qualifications_schema,
    "fixture": fixture_schema,
    "grid": grid_schema,
    "models": models_schema,
    "tasks": tasks_schema,
    "gated": gated_schema,
    "config": config_schema,
    "report": report_schema,
}
"""The schemas of all formats, by the names that the command line knows them by."""


def _schema(kind: Any, title: str) -> dict[str, Any]:
    schema = TypeAdapter(kind).json_schema(by_alias=True, schema_generator=_Generator)
    return {"$schema": DIALECT, **schema, "title": title}


def _list_schema(item: Any, key: str, title: str) -> dict[str, Any]:
    """Return the schema of a list that may also stand in a mapping, under a key."""
    schema = _schema(list[item], title)
    entries = {"type": schema.pop("type"), "items": schema.pop("items")}
    inside = {"type": "object", "properties": {key: entries}, "required": [key]}
    return {**schema, "anyOf": [entries, inside]}
