"""The project root, its suites, and paths that stay inside."""

from pathlib import Path

import pytest

from judges.core.errors import ConfigError
from judges.core.report import SuiteKind
from judges.files.project import find_root, find_suites, resolve, suite_kind, suite_name


def test_the_root_is_found_upwards(tmp_path: Path) -> None:
    """The nearest folder with `.omniscitus/` counts; a file of that name does not."""
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    (tmp_path / ".omniscitus").mkdir()
    (inner / ".omniscitus").touch()
    assert find_root(inner) == tmp_path
    (tmp_path / "a" / ".omniscitus").mkdir()
    assert find_root(inner) == tmp_path / "a"


def test_no_root_is_none(tmp_path: Path) -> None:
    """Outside any project there is no root."""
    assert find_root(tmp_path) is None


def test_suites_are_found_sorted_and_broken_ones_too(tmp_path: Path) -> None:
    """A suite file that is a folder or a dangling link is found, so that it can be complained about."""
    tests = tmp_path / ".omniscitus" / "tests"
    for name in ("b", "a/inner", "c"):
        (tests / name).mkdir(parents=True)
    (tests / "b" / "prompt-meta.yaml").touch()
    (tests / "a" / "inner" / "prompt-meta.yaml").symlink_to("nowhere")
    (tests / "c" / "prompt-meta.yaml").mkdir()
    (tmp_path / "prompt-meta.yaml").touch()
    found = [path.relative_to(tests).as_posix() for path in find_suites(tmp_path)]
    assert found == ["a/inner/prompt-meta.yaml", "b/prompt-meta.yaml", "c/prompt-meta.yaml"]


def test_suites_of_all_kinds_are_found(tmp_path: Path) -> None:
    """By the ends of their names, wherever they are below the folder of tests."""
    tests = tmp_path / ".omniscitus" / "tests"
    names = ["a/b.grid.yaml", "a/prompt-meta.yaml", "c.fixture.md", "fixture.md", "a/d.fixture.md.bak-1"]
    for name in names:
        (tests / name).parent.mkdir(parents=True, exist_ok=True)
        (tests / name).touch()
    found = [path.relative_to(tests).as_posix() for path in find_suites(tmp_path)]
    assert found == ["a/b.grid.yaml", "a/prompt-meta.yaml", "c.fixture.md"]


@pytest.mark.parametrize(
    ("path", "kind", "name"),
    [
        ("x/smoke.fixture.md", SuiteKind.FIXTURE, "smoke"),
        ("x/routes.v2.grid.yaml", SuiteKind.GRID, "routes.v2"),
        ("x/prompt-meta.yaml", SuiteKind.PROMPT, "x"),
        ("x/other.yaml", SuiteKind.PROMPT, "x"),
    ],
)
def test_a_suite_file_tells_its_kind_and_name(path: str, kind: SuiteKind, name: str) -> None:
    """A prompt suite goes by its folder, others by their file."""
    assert (suite_kind(Path(path)), suite_name(Path(path))) == (kind, name)


def test_a_project_without_tests_has_no_suites(tmp_path: Path) -> None:
    """A missing folder is no error."""
    assert find_suites(tmp_path) == []


@pytest.mark.parametrize(
    ("path", "base", "allowed"),
    [
        ("a.md", "sub", True),
        ("../a.md", "sub", True),
        ("missing/../a.md", "sub", True),
        ("../../a.md", "sub", False),
        ("/etc/passwd", "sub", False),
        ("out/secret.md", "sub", False),
        ("in/a.md", "sub", True),
    ],
)
def test_paths_stay_inside_the_root(path: str, base: str, allowed: bool, tmp_path: Path) -> None:
    """Neither `..`, nor an absolute path, nor a link leads outside, unless that is allowed."""
    root = tmp_path / "root"
    (root / base).mkdir(parents=True)
    (root / base / "out").symlink_to(tmp_path)
    (root / base / "in").symlink_to(root)
    if allowed:
        assert resolve(path, root / base, root) == root / base / path
    else:
        with pytest.raises(ConfigError) as caught:
            resolve(path, root / base, root)
        expected = f"'{path}' leaves the project root {root} (move it inside, or pass --allow-outside)"
        assert str(caught.value) == expected
    assert resolve(path, root / base, root, allow_outside=True) == root / base / path


def test_paths_that_cannot_be_are_explained(tmp_path: Path) -> None:
    """A loop of links and a NUL byte give sentences."""
    (tmp_path / "loop").symlink_to("loop")
    with pytest.raises(ConfigError, match="'loop/a' cannot be a path: Symlink loop"):
        resolve("loop/a", tmp_path, tmp_path)
    with pytest.raises(ConfigError, match="cannot be a path: embedded null byte"):
        resolve("a\0b", tmp_path, tmp_path)
