from pathlib import Path

from scaffold.generate.fixture import NewFixture
from scaffold.generate.install import Installed
from scaffold.written import describe_written

NEW = NewFixture(name="echo", root=Path("/work"), description="d", model="m", runs=3)


def test_what_was_written() -> None:
    """The name, the project and the files, one thing a line, with where the old ones are."""
    file = Path("echo.fixture.md")
    files = Installed(written=(file, Path("more.txt")), kept=((file, Path("echo.fixture.md.bak-1")),))
    assert list(describe_written("Fixture", NEW, files, first=True)) == [
        "Fixture     echo",
        "Project     /work (.omniscitus/ is new)",
        "Files       .omniscitus/tests/fixtures/",
        "  echo.fixture.md (the old one is now echo.fixture.md.bak-1)",
        "  more.txt",
    ]


def test_a_project_that_is_not_new() -> None:
    """Nothing is said of what was there."""
    said = list(describe_written("Fixture", NEW, Installed(()), first=False))
    assert said[1:] == ["Project     /work", "Files       .omniscitus/tests/fixtures/"]
