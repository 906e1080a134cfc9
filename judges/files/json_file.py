"""JSON files whose values know where they stand."""

from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from judges.core.errors import ConfigError
from judges.files.document import Document
from judges.files.jsonl import parse_json
from judges.files.text import display_path, read_text
from judges.files.yaml import compose_yaml


def read_json(path: Path) -> Document:
    """Read a JSON file. Positions are known where the text is YAML, too, as nearly all JSON is.

    Raises:
        ConfigError: the file cannot be read, or is not JSON.
    """
    text, name = read_text(path), display_path(path)
    document = parse_json(text, name)
    with suppress(ConfigError):
        return replace(document, node=compose_yaml(text, name).node, text=text)
    return document
