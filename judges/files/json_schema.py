"""The JSON Schema of the file formats, for editors and for the reference documentation."""

from decimal import Decimal
from typing import Any

from pydantic import BaseModel, TypeAdapter
from pydantic.json_schema import GenerateJsonSchema

from judges.files.config import CONFIG_FILE, ProjectConfig
from judges.files.fixture_meta import FixtureMeta
from judges.files.gated import REGISTRY_FILE
from judges.files.gated_meta import GatedSpec
from judges.files.grid_meta import GridMeta
from judges.files.prompt_meta import PromptMeta

DIALECT = "https://json-schema.org/draft/2020-12/schema"


class _Generator(GenerateJsonSchema):
    def encode_default(self, dft: Any) -> Any:
        """Write exact numbers as numbers, and a section that defaults to its own defaults as empty."""
        if isinstance(dft, Decimal):
            return int(dft) if dft == int(dft) else float(dft)
        return {} if isinstance(dft, BaseModel) else super().encode_default(dft)


def prompt_meta_schema() -> dict[str, Any]:
    """Return the JSON Schema of `prompt-meta.yaml`, the legacy list of `cases` included."""
    schema = PromptMeta.model_json_schema(by_alias=True, schema_generator=_Generator)
    legacy = {"type": "array", "items": {"$ref": "#/$defs/CaseSpec"}}
    schema["properties"]["cases"] = {"anyOf": [schema["properties"]["cases"], legacy]}
    return {"$schema": DIALECT, **schema, "title": "prompt-meta.yaml"}


def fixture_schema() -> dict[str, Any]:
    """Return the JSON Schema of the front matter of a `*.fixture.md`."""
    schema = FixtureMeta.model_json_schema(by_alias=True, schema_generator=_Generator)
    return {"$schema": DIALECT, **schema, "title": "*.fixture.md"}


def grid_schema() -> dict[str, Any]:
    """Return the JSON Schema of a `*.grid.yaml`."""
    schema = GridMeta.model_json_schema(by_alias=True, schema_generator=_Generator)
    return {"$schema": DIALECT, **schema, "title": "*.grid.yaml"}


def gated_schema() -> dict[str, Any]:
    """Return the JSON Schema of `gated.yaml`."""
    schema = TypeAdapter(list[GatedSpec]).json_schema(by_alias=True, schema_generator=_Generator)
    return {"$schema": DIALECT, **schema, "title": REGISTRY_FILE.name}


def config_schema() -> dict[str, Any]:
    """Return the JSON Schema of `.omniscitus/config.yaml`."""
    schema = ProjectConfig.model_json_schema(by_alias=True, schema_generator=_Generator)
    return {"$schema": DIALECT, **schema, "title": CONFIG_FILE}
