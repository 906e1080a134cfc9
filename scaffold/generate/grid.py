"""A new grid: the choices it is made from, and its files."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from judges.core.errors import ConfigError, Problem
from judges.core.report import SuiteKind
from judges.files.json_schema import render_schema, schema_file
from judges.files.project import MARKER, SUFFIXES
from scaffold.generate.filters import render_yaml
from scaffold.generate.install import Installed, Taken, install
from scaffold.generate.render import find_template, render_template
from scaffold.generate.shared import install_shared

SCHEMA = Path("schemas", schema_file("grid"))
MODELS = Path("models.yaml")
"""The models of all grids of a project, below `.omniscitus/`."""

_UP = "../../.."  # from the folder of a grid to `.omniscitus/`
_HEAD = "# The models that all grids of this project ask: PROVIDER:MODEL, or a well-known name alone.\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class NewGrid:
    """What somebody chose."""

    name: str
    root: Path
    models: Sequence[str]
    repeat: int
    template: Path | None = None

    @property
    def folder(self) -> Path:
        """Where the grid goes."""
        return self.root / MARKER / "tests" / "grids" / self.name

    @property
    def path(self) -> Path:
        """Its file."""
        return self.folder / f"{self.name}{SUFFIXES[SuiteKind.GRID]}"


@dataclass(frozen=True, slots=True, kw_only=True)
class CreatedGrid:
    """What was made.

    `first`: there was no `.omniscitus/` before. `files` and `shared` say what became of the files of the grid
    and of those that all grids share.
    """

    first: bool
    files: Installed
    shared: Installed


def create_grid(new: NewGrid, taken: Taken) -> CreatedGrid:
    """Write the grid; with the first one the file of models, and the schema for editors.

    Raises:
        ConfigError: the template is broken, or files are in the way.
        ScaffoldError: the files cannot be written; nothing has changed.
    """
    template = new.template or find_template("grid")
    values = {
        "prompt_name": new.name,
        "schema": f"{_UP}/{SCHEMA.as_posix()}",
        "models": f"{_UP}/{MODELS.as_posix()}",
        "repeat": new.repeat,
    }
    shared = {
        MODELS: _HEAD + "".join(f"- {render_yaml(model)}\n" for model in new.models),
        SCHEMA: render_schema("grid"),
    }
    with TemporaryDirectory() as place:
        made = render_template(template, values, Path(place, "grid"))
        if not (made / new.path.name).is_file():
            raise ConfigError(
                [Problem(f"makes no {new.path.name}", file=str(template), hint="mend the template")]
            )
        first, project = install_shared(new.root, Path(place, "shared"), shared)
        return CreatedGrid(first=first, files=install(made, new.folder, taken), shared=project)
