from pathlib import Path

import pytest

from judges.core.errors import ConfigError
from scaffold.generate.place import find_project, find_target


@pytest.mark.parametrize(
    ("markers", "expected"),
    [
        pytest.param([], "top/middle/here", id="nothing: here"),
        pytest.param(["top/.git/"], "top", id="the git repository"),
        pytest.param(["top/middle/.git"], "top/middle", id="a git worktree"),
        pytest.param(["top/.omniscitus/", "top/middle/.git/"], "top", id="the project wins over git"),
        pytest.param(["top/.omniscitus/", "top/middle/.omniscitus/"], "top/middle", id="the nearest project"),
    ],
)
def test_the_project_is_found_upwards(tmp_path: Path, markers: list[str], expected: str) -> None:
    """A project's own folder counts first, then git, then the current folder."""
    here = tmp_path / "top" / "middle" / "here"
    here.mkdir(parents=True)
    for marker in markers:
        if marker.endswith("/"):
            (tmp_path / marker).mkdir()
        else:
            (tmp_path / marker).write_text("gitdir: elsewhere")
    assert find_project(here) == tmp_path / expected


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with two prompts of one name, the current folder being a subfolder; a third file outside."""
    root = tmp_path / "project"
    for name in ("p.md", "sub/p.md", "prompts/q.md"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("text")
    (tmp_path / "outside.md").write_text("text")
    monkeypatch.chdir(root / "sub")
    return root


@pytest.mark.parametrize(
    ("text", "expected"),
    [("p.md", "sub/p.md"), ("../p.md", "p.md"), ("prompts/q.md", "prompts/q.md"), ("./p.md", "sub/p.md")],
)
def test_a_target_is_seen_from_here_and_then_from_the_root(root: Path, text: str, expected: str) -> None:
    """What the shell completes works, and so does what files of the project say."""
    assert find_target(text, root) == root / expected


def test_a_target_may_be_an_absolute_path(root: Path) -> None:
    """As long as it is inside the project."""
    assert find_target(str(root / "p.md"), root) == root / "p.md"


def test_a_link_inside_the_project_keeps_its_name(root: Path) -> None:
    """`current.md` stays `current.md`, whatever version it points to today."""
    (root / "current.md").symlink_to("p.md")
    assert find_target("current.md", root) == root / "current.md"


def test_a_project_reached_through_a_link_is_the_same_project(root: Path, tmp_path: Path) -> None:
    """The path is written relative to the real root."""
    (tmp_path / "link").symlink_to(root)
    assert find_target(str(tmp_path / "link" / "p.md"), root) == root / "p.md"


@pytest.mark.parametrize("text", ["gone.md", "prompts", "p.md/x", "\0"])
def test_what_is_no_file_is_refused(root: Path, text: str) -> None:
    """A folder, a missing file and an impossible path get the same clear answer."""
    with pytest.raises(ConfigError, match="no such file"):
        find_target(text, root)


@pytest.mark.parametrize("link", [False, True])
def test_a_target_outside_the_project_is_refused(root: Path, tmp_path: Path, link: bool) -> None:
    """A suite names its target relative to the root; links do not lead out either."""
    text = "../../outside.md"
    if link:
        (root / "inside.md").symlink_to(tmp_path / "outside.md")
        text = "inside.md"
    with pytest.raises(ConfigError, match="outside the project root"):
        find_target(text, root)
