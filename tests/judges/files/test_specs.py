"""Documents with rules, found by a pattern and read whole."""

from collections.abc import Callable
from pathlib import Path

import pytest

from judges.files.load import load_suite
from judges.files.specs import MOST_SIZES

WriteSuite = Callable[..., Path]
ProblemsOf = Callable[..., list[str]]

HEAD = "prompt_name: greet\ncriteria: [{name: safety, weight: 1, rubric: 'Is it safe?'}]\ncases: []\n"


def specs(pattern: str, more: str = "") -> str:
    return f"{HEAD}specs:\n  pattern: {pattern!r}\n{more}"


@pytest.fixture
def docs(project: Path) -> Path:
    """Some documents in the project."""
    for name, content in {
        "docs/b.md": "Rule B\r\n",
        "docs/deep/a.md": "\ufeffRule A: 한\n",
        "docs/c.txt": "Rule C",
        "docs/.hidden.md": "none",
        "docs/folder.md/x.txt": "none",
    }.items():
        path = project / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode())
    return project / "docs"


@pytest.mark.usefixtures("docs")
@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        pytest.param("docs/b.md", {"docs/b.md": "Rule B\r\n"}, id="one file"),
        pytest.param(
            "docs/**/*.md",
            {"docs/b.md": "Rule B\r\n", "docs/deep/a.md": "Rule A: 한\n"},
            id="any depth, no folders, nothing hidden",
        ),
        pytest.param(
            "docs/{c.txt,b.md}", {"docs/b.md": "Rule B\r\n", "docs/c.txt": "Rule C"}, id="either, sorted"
        ),
    ],
)
def test_documents_are_read_whole(write_suite: WriteSuite, pattern: str, expected: dict[str, str]) -> None:
    """Each document by its path from the project root, in the order of the paths, to the letter."""
    read = load_suite(write_suite(specs(pattern))).specs
    assert (read, list(read)) == (expected, list(expected))


def test_without_specs_there_is_none(write_suite: WriteSuite) -> None:
    """The section may be left out."""
    assert load_suite(write_suite(HEAD)).specs == {}


@pytest.mark.usefixtures("docs")
@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        pytest.param("docs/*.rst", "no document matches 'docs/*.rst' (it starts at {root})", id="nothing"),
        pytest.param("docs/d*", "no document matches 'docs/d*' (it starts at {root})", id="only a folder"),
        pytest.param(
            "../*.md",
            "'..' leaves the project root {root} (move it inside, or pass --allow-outside)",
            id="outside",
        ),
        pytest.param(
            "/etc/*.md",
            "'/etc' leaves the project root {root} (move it inside, or pass --allow-outside)",
            id="absolute",
        ),
        pytest.param("{a,b}" * 10, "the braces stand for more than 1000 patterns", id="too many patterns"),
    ],
)
def test_patterns_that_name_no_document(
    project: Path, write_suite: WriteSuite, problems_of: ProblemsOf, pattern: str, expected: str
) -> None:
    """A pattern that gives nothing, or leads away, is an error at its place: no rule goes missing quietly."""
    place = "prompt-meta.yaml:5:12: specs.pattern: "
    assert problems_of(write_suite(specs(pattern))) == [place + expected.format(root=project)]


def test_what_cannot_be_read_is_named(docs: Path, write_suite: WriteSuite, problems_of: ProblemsOf) -> None:
    """Each document that is no text, or leads outside, is told at once."""
    (docs / "picture.md").write_bytes(b"\x89PNG\0")
    (docs / "z.md").symlink_to("/etc/hostname")
    assert problems_of(write_suite(specs("docs/*.md"))) == [
        "prompt-meta.yaml:5:12: specs.pattern: docs/picture.md: is binary, not text (name a text file)",
        f"prompt-meta.yaml:5:12: specs.pattern: 'docs/z.md' leaves the project root {docs.parent} "
        "(move it inside, or pass --allow-outside)",
    ]


def test_too_much_is_refused_with_its_sizes(
    docs: Path, write_suite: WriteSuite, problems_of: ProblemsOf
) -> None:
    """Beyond the budget of characters, not bytes, the sizes are listed, the largest first; nothing is cut."""
    (docs / "long.md").write_text("한" * 59_992)
    pattern = "docs/{long,b}.md"
    assert load_suite(write_suite(specs(pattern))).specs["docs/long.md"] == "한" * 59_992
    (docs / "long.md").write_text("한" * 59_993)
    assert problems_of(write_suite(specs(pattern))) == [
        "prompt-meta.yaml:5:12: specs.pattern: the documents hold 60,001 characters, more than the 60,000 "
        "that the judge may be given: docs/long.md 59,993, docs/b.md 8 "
        "(narrow the pattern, or raise specs.max_characters)"
    ]


def test_the_budget_is_the_authors(docs: Path, write_suite: WriteSuite, problems_of: ProblemsOf) -> None:
    """`max_characters` raises or lowers it; a long list of documents is cut, its sum is not."""
    for number in range(MOST_SIZES + 2):
        (docs / f"n{number:02}.md").write_text("x" * 10)
    pattern = "docs/n*.md"
    assert len(load_suite(write_suite(specs(pattern, "  max_characters: 220\n"))).specs) == 22
    (problem,) = problems_of(write_suite(specs(pattern, "  max_characters: 219\n")))
    assert "hold 220 characters, more than the 219 that" in problem
    assert "docs/n02.md 10 and 2 more (narrow" in problem
