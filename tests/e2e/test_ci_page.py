"""The workflows that pages show: those of the page on CI are a setup's, and all pin their actions."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from scaffold.init.wanted import Ci, Parts, list_wanted

DOCS = Path(__file__).parents[2] / "docs"
PAGE = DOCS / "how-to/ci.md"
USES = re.compile(r"^ *(?:- )?uses: (.+)$", re.MULTILINE)
PAGES = [page for page in sorted(DOCS.rglob("*.md")) if USES.search(page.read_text(encoding="utf-8"))]
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


def test_they_are_those_of_a_setup() -> None:
    """What is shown is what `scaffold init` writes, to the byte, so that neither falls behind the other."""
    written = {
        file.path.as_posix(): file.text for ci in (Ci.GITHUB, Ci.GITLAB) for file in list_wanted(Parts(ci=ci))
    }
    files = (".github/workflows/prompt-tests.yml", ".gitlab/prompt-tests.yml")
    assert [written[file] for file in files] == BLOCKS


def test_artifacts_are_written() -> None:
    """What is kept of a job is what its commands write, on GitHub and on GitLab."""
    assert len(COMMANDS) == 6
    assert {file for line in COMMANDS for file in re.findall(r"--junit (\S+)", line)} == {"prompt-tests.xml"}
    assert [re.findall(r"(?:path|junit): (\S+\.xml)$", block, re.MULTILINE) for block in BLOCKS] == [
        ["prompt-tests.xml", "prompt-tests.xml"],
        ["prompt-tests.xml"],
    ]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_actions_are_pinned(page: Path) -> None:
    """Every page names actions as the workflow of a setup does: by digest, with the version beside it."""
    assert set(USES.findall(page.read_text(encoding="utf-8"))) <= set(USES.findall(BLOCKS[0]))
