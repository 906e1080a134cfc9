"""The house style, where a tool can check it and no linter does."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
MODULES = sorted(path for folder in ("judges", "scaffold") for path in (ROOT / folder).rglob("*.py"))
TESTS = sorted((ROOT / "tests").rglob("test_*.py"))


def functions(path: Path) -> list[ast.FunctionDef]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_modules_and_functions_stay_small(path: Path) -> None:
    """A module has at most 400 lines, a function at most 60."""
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 400
    long = {f.name: f.end_lineno - f.lineno for f in functions(path) if f.end_lineno is not None}
    assert not {name: lines for name, lines in long.items() if lines > 60}


@pytest.mark.parametrize("path", TESTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_test_says_what_it_shows(path: Path) -> None:
    """Every test has a docstring."""
    silent = [f.name for f in functions(path) if f.name.startswith("test_") and not ast.get_docstring(f)]
    assert not silent
