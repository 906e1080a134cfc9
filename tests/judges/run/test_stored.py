"""Finding runs."""

import os
from pathlib import Path

import pytest

from judges.core.errors import ConfigError
from judges.run.stored import find_run, list_runs


def make_runs(root: Path, *names: str, finished: bool = True) -> None:
    """Create run directories in this order."""
    for number, name in enumerate(names):
        path = root / ".omniscitus" / "runs" / name
        path.mkdir(parents=True)
        if finished:
            (path / "run.json").write_text("{}", "utf-8")
        os.utime(path, (number, number))


def test_runs_are_listed_oldest_first(tmp_path: Path) -> None:
    """By their time, and by their making where two began in the same second; other things are no runs."""
    make_runs(tmp_path, "20260102T000000Z-aaaa", "20260101T000000Z-ffff", "20260101T000000Z-0000")
    (tmp_path / ".omniscitus" / "runs" / "notes-1.txt").write_text("", "utf-8")
    assert [run.name for run in list_runs(tmp_path)] == [
        "20260101T000000Z-ffff",
        "20260101T000000Z-0000",
        "20260102T000000Z-aaaa",
    ]


def test_a_project_without_runs_has_none(tmp_path: Path) -> None:
    """Nothing was run, nothing is found."""
    assert list_runs(tmp_path) == []


def test_the_latest_finished_run_is_the_default(tmp_path: Path) -> None:
    """A run that was killed is not taken for a result."""
    make_runs(tmp_path, "20260101T000000Z-0000", "20260102T000000Z-0000")
    make_runs(tmp_path, "20260103T000000Z-0000", finished=False)
    assert find_run(None, tmp_path).name == "20260102T000000Z-0000"


def test_an_unfinished_run_is_found_by_name(tmp_path: Path) -> None:
    """It can be looked at when it is asked for."""
    make_runs(tmp_path, "20260103T000000Z-0000", finished=False)
    assert find_run("20260103T000000Z-0000", tmp_path).name == "20260103T000000Z-0000"


def test_without_a_finished_run_the_latest_can_be_resumed(tmp_path: Path) -> None:
    """Nothing has come to its end yet: there is no need to begin anew."""
    make_runs(tmp_path, "20260103T000000Z-0000", "20260104T000000Z-0000", finished=False)
    with pytest.raises(ConfigError) as caught:
        find_run(None, tmp_path)
    assert (
        caught.value.problems[0].hint == "go on with the latest: scaffold run --resume 20260104T000000Z-0000"
    )


def test_a_path_needs_no_project(tmp_path: Path) -> None:
    """A run that was copied somewhere is found there."""
    assert find_run(str(tmp_path), None) == tmp_path


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("20260101T000000Z-0001", "did you mean 20260101T000000Z-0000?"),
        ("last", "the latest is 20260101T000000Z-0000"),
    ],
)
def test_an_unknown_run_gives_a_hint(tmp_path: Path, name: str, hint: str) -> None:
    """The nearest id, or the latest."""
    make_runs(tmp_path, "20260101T000000Z-0000")
    with pytest.raises(ConfigError) as caught:
        find_run(name, tmp_path)
    assert caught.value.problems[0].hint == hint
