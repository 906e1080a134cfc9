"""Patterns of fixtures: all are tried, and what is wrong with one is told where it stands."""

from pathlib import Path

import pytest

from judges.core.errors import ConfigError
from judges.files.fixture import load_fixture
from judges.run.fixture_checks import check_patterns, find_patterns

TEXT = """\
---
pass_conditions:
  views:
    result:
      must_include:
        - {{pattern: "^a(?=b)$", case_sensitive: true}}
        - {{pattern: "{0}", case_sensitive: true}}
  tool_calls:
    inputs:
      - tool: Bash
        must_match:
          pattern: '{0}'
          case_sensitive: false
  result: {{must_not_match: {{pattern: "{0}", case_sensitive: true}}}}
  files: [{{path: a, must_match: {{pattern: "{0}", case_sensitive: true}}}}]
---
# Prompt body

Hi
"""
KEYS = (
    "views.result.must_include[1].pattern",
    "tool_calls.inputs[0].must_match.pattern",
    "result.must_not_match.pattern",
    "files[0].must_match.pattern",
)


@pytest.fixture(autouse=True)
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the fixture goes; its folder is the working directory."""
    monkeypatch.chdir(tmp_path)
    return Path("a.fixture.md")


def test_good_patterns_pass(path: Path) -> None:
    """What JavaScript takes is taken, and every pattern is looked at."""
    path.write_text(TEXT.format("(?<year>[0-9]{4})"))
    fixture = load_fixture(path)
    check_patterns(fixture)
    found = [each.pattern for _, each in find_patterns(fixture.meta.pass_conditions)]
    assert found == ["^a(?=b)$", *["(?<year>[0-9]{4})"] * 4]


def test_bad_patterns_are_told_at_their_places(path: Path) -> None:
    """All at once: file, line, column and key; Python's own dialect is none."""
    path.write_text(TEXT.format("(?P<year>x"))
    with pytest.raises(ConfigError) as caught:
        check_patterns(load_fixture(path))
    places = [(each.file, each.line, each.column, each.key) for each in caught.value.problems]
    assert places == [
        ("a.fixture.md", line, column, f"pass_conditions.{key}")
        for key, line, column in zip(KEYS, (7, 12, 14, 15), (21, 20, 38, 43), strict=True)
    ]
    assert all("is not a JavaScript regular expression" in each.message for each in caught.value.problems)
