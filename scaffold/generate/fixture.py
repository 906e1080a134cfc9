"""A new fixture: the choices it is made from, and its one file."""

from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from judges.core.errors import ConfigError, Problem
from judges.core.report import SuiteKind
from judges.files.project import MARKER, SUFFIXES
from scaffold.generate.install import Installed, Taken, install
from scaffold.generate.render import find_template, render_template
from scaffold.generate.shared import install_shared


@dataclass(frozen=True, slots=True, kw_only=True)
class NewFixture:
    """What somebody chose."""

    name: str
    root: Path
    description: str
    model: str
    runs: int
    template: Path | None = None

    @property
    def folder(self) -> Path:
        """Where the file goes, beside other fixtures."""
        return self.root / MARKER / "tests" / "fixtures"

    @property
    def path(self) -> Path:
        """The file."""
        return self.folder / f"{self.name}{SUFFIXES[SuiteKind.FIXTURE]}"


@dataclass(frozen=True, slots=True)
class CreatedFixture:
    """What was made. `first`: there was no `.omniscitus/` before."""

    first: bool
    files: Installed


def create_fixture(new: NewFixture, taken: Taken) -> CreatedFixture:
    """Write the fixture.

    Raises:
        ConfigError: the template is broken, or a file is in the way.
        ScaffoldError: the file cannot be written; nothing has changed.
    """
    template = new.template or find_template("fixture")
    values = {
        "prompt_name": new.name,
        "description": new.description,
        "model": new.model,
        "runs": new.runs,
    }
    with TemporaryDirectory() as place:
        made = render_template(template, values, Path(place, "fixture"))
        if not (made / new.path.name).is_file():
            raise ConfigError(
                [Problem(f"makes no {new.path.name}", file=str(template), hint="mend the template")]
            )
        first, _ = install_shared(new.root, Path(place, "shared"), {})
        return CreatedFixture(first, install(made, new.folder, taken))
