"""The workflows that the page on CI shows: they are YAML, and keep what their commands write."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

PAGE = Path(__file__).parents[2] / "docs/how-to/ci.md"
BLOCKS = re.findall(r"^```yml\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


def texts(value: Any) -> Iterator[str]:
    """The texts in a workflow."""
    if isinstance(value, dict):
        yield from (text for item in value.values() for text in texts(item))
    elif isinstance(value, list):
        yield from (text for item in value for text in texts(item))
    elif isinstance(value, str):
        yield value


COMMANDS = [text for block in BLOCKS for text in texts(yaml.safe_load(block)) if text.startswith("scaffold ")]


def test_artifacts_are_written() -> None:
    """What is kept of a job is what its command writes, on GitHub and on GitLab."""
    assert (len(BLOCKS), len(COMMANDS)) == (2, 4)
    for block in BLOCKS:
        (run,) = [line for line in COMMANDS if line in block and line.startswith("scaffold run")]
        files = re.findall(r"--(?:junit|csv|json) (\S+)", run)
        assert files[0] == "junit.xml"
        assert all(block.count(file) == 2 for file in files)
