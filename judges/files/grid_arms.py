"""Which fixtures are arms of grids: whoever looks for suites finds these with their grid, not beside it."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from judges.core.errors import ConfigError
from judges.core.report import SuiteKind
from judges.files.grid_meta import GridMeta
from judges.files.project import suite_kind
from judges.files.shape import parse_model
from judges.files.text import display_path, read_text
from judges.files.yaml import parse_yaml


def leave_out_arms(suites: Sequence[Path]) -> list[Path]:
    """Return suite files but for the fixtures that a grid among them has as arms.

    A grid that cannot be read has none: whoever loads it tells what is wrong.
    """
    kinds = {path: suite_kind(path) for path in suites}
    if SuiteKind.FIXTURE not in kinds.values():
        return list(suites)
    arms = set(find_arms(suites))
    return [
        path for path, kind in kinds.items() if kind is not SuiteKind.FIXTURE or path.resolve() not in arms
    ]


def find_arms(suites: Iterable[Path]) -> Iterator[Path]:
    """Yield the resolved paths of the fixtures that grids among these suite files have as arms."""
    for path in (each for each in suites if suite_kind(each) is SuiteKind.GRID):
        with suppress(ConfigError):
            meta = parse_model(GridMeta, parse_yaml(read_text(path), display_path(path)))
            fixtures = (arm.fixture for arm in meta.arms.values() if arm.fixture is not None)
            yield from ((path.parent / name).resolve() for name in fixtures)
