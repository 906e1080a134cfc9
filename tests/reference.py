"""The public reference data that some tests measure with. It is no part of the project.

A test marked `reference` is skipped where SCAFFOLD_REFERENCE_DATA is unset, and says how to get the data.
Where it is set, as in CI, what is missing is a failure.
"""

import json
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeAlias

import pytest

VARIABLE = "SCAFFOLD_REFERENCE_DATA"
UNSET = (
    f"needs the public reference data: set {VARIABLE} to the folder that holds data/*.jsonl "
    "(docs/explanation/evidence.md names the sources)"
)

ReadReference: TypeAlias = Callable[[str], list[dict[str, Any]]]


def pytest_collection_modifyitems(items: Sequence[pytest.Item]) -> None:
    """Skip what needs the data, with the reason, where nobody says where it is."""
    if os.environ.get(VARIABLE):
        return
    for item in items:
        if item.get_closest_marker("reference"):
            item.add_marker(pytest.mark.skip(reason=UNSET))


@pytest.fixture
def reference_data() -> Path:
    """The folder of the data files."""
    return Path(os.environ[VARIABLE]) / "data"


@pytest.fixture
def read_reference(reference_data: Path) -> ReadReference:
    """Read the records of a data file."""

    def read(name: str) -> list[dict[str, Any]]:
        with (reference_data / name).open(encoding="utf-8") as file:
            return [json.loads(line) for line in file]

    return read
