"""Fixtures that are arms of grids."""

from pathlib import Path

import pytest

from judges.files.grid_arms import leave_out_arms

GRID = """\
name: triage
arms:
  baseline: {prompt: baseline.txt, control: true}
  command: {fixture: arms/command.fixture.md}
  agent: {fixture: ../agent.fixture.md}
models: [m]
tasks: tasks.jsonl
labels: [a]
"""
ALL = [
    "agent.fixture.md",
    "greeting/prompt-meta.yaml",
    "grids/arms/command.fixture.md",
    "grids/arms/other.fixture.md",
    "grids/triage.grid.yaml",
]


def left(folder: Path, names: list[str]) -> list[str]:
    return [str(path.relative_to(folder)) for path in leave_out_arms([folder / name for name in names])]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A grid, which alone need be there."""
    (tmp_path / "grids/arms").mkdir(parents=True)
    (tmp_path / "grids/triage.grid.yaml").write_text(GRID)
    return tmp_path


def test_arms_are_left_out(folder: Path) -> None:
    """Wherever they stand; other fixtures and all other suites stay, in their order."""
    assert left(folder, ALL) == [ALL[1], ALL[3], ALL[4]]


def test_without_the_grid_nothing_is_left_out(folder: Path) -> None:
    """Only a grid among the suites runs them."""
    assert left(folder, ALL[:4]) == ALL[:4]


@pytest.mark.parametrize("text", ["arms: {a: {fixture: ", "arms: 3", "", GRID.replace("labels", "lables")])
def test_a_broken_grid_has_no_arms(folder: Path, text: str) -> None:
    """It is told by whoever loads it."""
    (folder / ALL[4]).write_text(text)
    assert left(folder, ALL) == ALL


def test_a_link_to_an_arm_is_that_arm(folder: Path) -> None:
    """The same file under another name is not run twice either."""
    (folder / ALL[2]).touch()
    (folder / "linked.fixture.md").symlink_to(folder / ALL[2])
    assert left(folder, ["linked.fixture.md", ALL[4]]) == [ALL[4]]
