"""Glob patterns with `**` and braces."""

from pathlib import Path, PurePosixPath

import pytest

from judges.files.patterns import expand_braces, find_matches, fixed_folder


@pytest.mark.parametrize(
    ("pattern", "expanded"),
    [
        ("a.yaml", ["a.yaml"]),
        ("*.{yaml,json}", ["*.yaml", "*.json"]),
        ("{a,b}/{c,d}", ["a/c", "a/d", "b/c", "b/d"]),
        ("x{a,{b,c}}", ["xa", "xb", "xa", "xc"]),
        ("{one}", ["{one}"]),
        ("{,a}b", ["b", "ab"]),
    ],
)
def test_braces_are_expanded(pattern: str, expanded: list[str]) -> None:
    """Each choice gives its own pattern; braces without a comma are plain characters."""
    assert sorted(expand_braces(pattern)) == sorted(expanded)


def test_too_many_braces_are_refused() -> None:
    """A pattern cannot stand for millions."""
    with pytest.raises(ValueError, match="more than 1000 patterns"):
        expand_braces("{a,b}" * 30)


@pytest.mark.parametrize(
    ("pattern", "folder"),
    [
        ("test-cases/**/*.yaml", "test-cases"),
        ("a/b/c.yaml", "a/b"),
        ("*.yaml", "."),
        ("a/{b,c}/d.yaml", "a"),
        ("./a/*/b.yaml", "a"),
    ],
)
def test_the_fixed_folder_is_what_precedes_the_pattern(pattern: str, folder: str) -> None:
    """Refs start below the folder that every match is in."""
    assert fixed_folder(pattern) == PurePosixPath(folder)


def test_matches_are_sorted_without_hidden_files(tmp_path: Path) -> None:
    """`**` reaches all folders but hidden ones."""
    for name in ("b.yaml", "x/a.json", "x/y/c.yaml", ".hidden/d.yaml", "x/.e.yaml", "x/f.txt"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    found = [str(path) for path in find_matches("**/*.{yaml,json}", tmp_path)]
    assert found == ["b.yaml", "x/a.json", "x/y/c.yaml"]
