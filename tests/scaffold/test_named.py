"""Suites by the two names that each has."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from judges.core.errors import ConfigError
from scaffold.named import Names, pick_named, read_own_name, say_apart

TESTS = Path("/p/.omniscitus/tests")


def suite(place: str, own: str, folder: str = "") -> Names:
    """The names of a suite in a folder, with a name of its own, and the folder of its results in a run."""
    return Names(TESTS / place / "prompt-meta.yaml", own, folder or own)


A, B, C = suite("a", "Ann"), suite("b", "Bob"), suite("Ann", "c")


@pytest.mark.parametrize(
    ("name", "suites", "expected"),
    [
        pytest.param(None, [A, B], [A, B], id="none named"),
        pytest.param("a", [A, B], [A], id="folder"),
        pytest.param("Bob", [A, B], [B], id="name in the file"),
        pytest.param(str(B.path), [A, B], [B], id="file"),
        pytest.param("bob-2", [A, suite("b", "Bob", "bob-2")], [suite("b", "Bob", "bob-2")], id="results"),
        pytest.param("Ann", [A, suite("b", "Ann")], [A, suite("b", "Ann")], id="a name that two have"),
        pytest.param("Ann", [suite("b", "Ann"), suite("Ann", "Ann")], [suite("Ann", "Ann")], id="a copy"),
        pytest.param("x", [A, B], [], id="neither"),
    ],
)
def test_pick_named(name: str | None, suites: Sequence[Names], expected: list[Names]) -> None:
    """A suite goes by its folder, the name in its file, and its path; in a run by its results, too."""
    assert pick_named(name, suites, lambda each: each) == expected


def test_a_name_of_two_sorts_is_refused() -> None:
    """What is the folder of one and the name of another names neither; both are told apart."""
    with pytest.raises(ConfigError) as caught:
        pick_named("Ann", [A, B, C], lambda each: each)
    assert str(caught.value) == (
        "'Ann' is the name of one suite's folder, and the name in the file of another (say which one: a, c)"
    )


def test_say_apart() -> None:
    """Each is told by a name that no other has; where there is none, by its file."""
    twins = [suite("x/Ann", "Ann"), suite("y/Ann", "Ann"), B]
    assert say_apart(twins, twins, lambda each: each) == [str(twins[0].path), str(twins[1].path), "b"]


@pytest.mark.parametrize(
    ("file", "text", "name"),
    [
        pytest.param("prompt-meta.yaml", "# ours\nprompt_name: 'Ann Lee'\n", "Ann Lee", id="prompt"),
        pytest.param("a.grid.yaml", "name: Ann\n", "Ann", id="grid"),
        pytest.param("a.fixture.md", "---\nname: Ann\n---\n# Prompt body\n\nx: [\n", "Ann", id="fixture"),
        pytest.param("a.fixture.md", "---\nruns: 3\n---\n# Prompt body\n", None, id="none"),
        pytest.param("prompt-meta.yaml", "prompt_name: [\n", None, id="broken"),
        pytest.param("prompt-meta.yaml", "- a\n", None, id="a list"),
    ],
)
def test_read_own_name(tmp_path: Path, file: str, text: str, name: str | None) -> None:
    """Each kind of suite says it in its own way; who reads a broken one says what is wrong."""
    (tmp_path / file).write_text(text)
    assert read_own_name(tmp_path / file) == name
    assert read_own_name(tmp_path / file, "Zoe") is None
