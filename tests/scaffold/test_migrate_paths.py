from pathlib import Path

import pytest

from scaffold.migrate.paths import Paths


@pytest.fixture
def paths(tmp_path: Path) -> Paths:
    """A project with files at its root and in the suite's folder."""
    files = "evals/de.yaml evals/sub/en.json evals/notes.md ts/a.ts run.ts tests/s/own/x.csv empty/.keep"
    for name in files.split():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    return Paths(tmp_path, tmp_path / "tests/s")


@pytest.mark.parametrize(
    ("path", "rebased"),
    [
        ("run.ts", "../../run.ts"),
        ("own/x.csv", "own/x.csv"),
        ("nowhere/run.ts", "nowhere/run.ts"),
        ("evals/**/*.yaml", "../../evals/**/*.yaml"),
        ("own/*.csv", "own/*.csv"),
        ("nowhere/*.csv", "nowhere/*.csv"),
    ],
)
def test_rebased(paths: Paths, path: str, rebased: str) -> None:
    """A path from the root is one from the suite's folder now; others stay."""
    assert paths.rebased(path) == rebased


@pytest.mark.parametrize(
    ("path", "pattern"),
    [
        pytest.param("evals/", "../../evals/**/*.{json,yaml}", id="a folder, with the kinds of files in it"),
        pytest.param("own", "own/**/*.csv", id="a folder beside the suite"),
        pytest.param("ts", "../../ts/**/*.ts", id="files that a runner reads"),
        pytest.param("empty", "../../empty/**/*.yaml", id="an empty folder"),
        pytest.param("evals/de.yaml", "../../evals/de.yaml", id="a file"),
        pytest.param("evals/*.yaml", "../../evals/*.yaml", id="a pattern"),
        pytest.param("nowhere/", "nowhere", id="nothing there"),
    ],
)
def test_pattern(paths: Paths, path: str, pattern: str) -> None:
    """A folder means the files with cases in it."""
    assert paths.pattern(path) == pattern


def test_below(paths: Paths, tmp_path: Path) -> None:
    """A suite of several has a folder of its own, unless all share one."""
    assert paths.below("a", None).rebased("run.ts") == "../../../run.ts"
    assert paths.below("a", "evals").rebased("run.ts") == "../run.ts"
