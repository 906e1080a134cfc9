"""What the how-to pages show works as it is written."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from judges.check.context import CheckContext
from judges.core.verdict import Verdict
from judges.files.load import load_suite
from judges.run.checks import build_checks

PAGES = Path(__file__).parents[2] / "docs" / "how-to"
HEAD = "prompt_name: shown\ncriteria: [{name: safety, weight: 1, rubric: 'Is it safe?'}]\n"


def blocks(page: str, language: str) -> list[str]:
    text = (PAGES / page).read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def sections() -> Iterator[object]:
    for page in sorted(PAGES.glob("*.md")):
        for number, block in enumerate(blocks(page.name, "yaml")):
            yield pytest.param(block, id=f"{page.stem}-{number}")


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    """A project with the files that the pages speak of."""
    (tmp_path / ".omniscitus").mkdir()
    (tmp_path / "docs/prompt/specs").mkdir(parents=True)
    (tmp_path / "docs/prompt/specs/rules.md").write_text("Be kind.")
    (tmp_path / "runner.py").write_text("")
    (tmp_path / "checks").mkdir()
    (code,) = blocks("checks-in-python.md", "python")
    (tmp_path / "checks/prices.py").write_text(code)
    return tmp_path / "prompt-meta.yaml"


@pytest.mark.parametrize("section", list(sections()))
def test_sections_can_be_pasted(suite: Path, section: str) -> None:
    """Every section of a suite that a page shows is read, and its checks can be built."""
    cases = "" if section.startswith("cases:") else "cases: []\n"
    suite.write_text(HEAD + cases + section)
    build_checks(load_suite(suite))


def test_the_check_in_python_does_what_it_says(suite: Path) -> None:
    """The function passes what is known, and names what is not."""
    (section,) = blocks("checks-in-python.md", "yaml")
    suite.write_text(f"{HEAD}cases: []\n{section}")
    (check,) = build_checks(load_suite(suite))
    rows = [
        check(CheckContext(output=output, input={"prices": [3, 5]}))
        for output in ('{"prices": [3, 5]}', "no JSON", '{"prices": [3, 9]}')
    ]
    assert [row.verdict for row in rows] == [Verdict.PASS, Verdict.PASS, Verdict.WARN]
    assert rows[2].actual_excerpt == "prices_are_known failed: unknown prices: [9]"
