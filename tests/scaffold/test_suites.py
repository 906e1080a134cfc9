from collections.abc import Sequence
from pathlib import Path

import pytest

from judges.core.errors import ConfigError
from judges.core.report import SuiteKind
from scaffold.suites import locate_suite, locate_suites

GREETING = ".omniscitus/tests/prompts/greeting/prompt-meta.yaml"
OTHER = "evals/greeting/prompt-meta.yaml"
SMOKE = ".omniscitus/tests/fixtures/smoke.fixture.md"
FAREWELL = "evals/farewell/prompt-meta.yaml"


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with three prompt suites, two of them of the same name, and a fixture."""
    for name in (GREETING, OTHER, FAREWELL, SMOKE):
        (tmp_path / name).parent.mkdir(parents=True)
        (tmp_path / name).touch()
    (tmp_path / ".omniscitus/config.yaml").write_text("suites: [evals]\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("names", "found"),
    [
        pytest.param([], [GREETING, FAREWELL, OTHER], id="all"),
        pytest.param(["farewell"], [FAREWELL], id="by name"),
        pytest.param(["greeting"], [GREETING, OTHER], id="a name that two have"),
        pytest.param(["farewell", "greeting", "farewell"], [FAREWELL, GREETING, OTHER], id="each once"),
        pytest.param([OTHER], [OTHER], id="a file"),
        pytest.param(["evals"], [FAREWELL, OTHER], id="a folder"),
    ],
)
def test_locate_suites(project: Path, names: list[str], found: list[str]) -> None:
    """Names of suites, files and folders; no suite of a name is passed over."""
    assert [str(path.resolve().relative_to(project)) for path in locate_suites(names)] == found


@pytest.mark.parametrize(
    ("names", "messages"),
    [
        (["farewel"], ["there is no suite 'farewel' (did you mean 'farewell'?)"]),
        (
            ["x", "y"],
            [f"there is no suite '{name}' (suites of this project: farewell, greeting)" for name in "xy"],
        ),
        (
            ["empty"],
            [
                "no suite in the folder 'empty' "
                "(a suite is a file named prompt-meta.yaml, *.fixture.md or *.grid.yaml)"
            ],
        ),
    ],
)
def test_nothing_found(project: Path, names: list[str], messages: list[str]) -> None:
    """Every name that fits nothing is told, with what was probably meant."""
    (project / "empty").mkdir()
    with pytest.raises(ConfigError) as caught:
        locate_suites(names)
    assert [str(problem) for problem in caught.value.problems] == messages


def test_the_name_in_the_file(project: Path) -> None:
    """What tables call a suite names it, too; where that is another one's folder it names neither."""
    (project / FAREWELL).write_text("prompt_name: Good bye\n")
    assert [path.name for path in locate_suites(["Good bye"])] == ["prompt-meta.yaml"]
    with pytest.raises(ConfigError, match=r"there is no suite 'Good bey' \(did you mean 'Good bye'\?\)"):
        locate_suites(["Good bey"])
    (project / FAREWELL).write_text("prompt_name: smoke\n")
    assert [path.parent.name for path in locate_suites(["smoke"])] == ["farewell"]
    with pytest.raises(ConfigError) as caught:
        locate_suites(["smoke"], EVERY)
    assert str(caught.value) == (
        "'smoke' is the name of one suite's folder, and the name in the file of another "
        f"(say which one: {SMOKE}, {FAREWELL})"
    )


EVERY = tuple(SuiteKind)


@pytest.mark.parametrize(
    ("names", "kinds", "found"),
    [
        pytest.param([], EVERY, [SMOKE, GREETING, FAREWELL, OTHER], id="all"),
        pytest.param([], [SuiteKind.FIXTURE], [SMOKE], id="all fixtures"),
        pytest.param(["smoke", "farewell"], EVERY, [SMOKE, FAREWELL], id="by name"),
        pytest.param([".omniscitus"], EVERY, [SMOKE, GREETING], id="a folder"),
        pytest.param([".omniscitus"], [SuiteKind.PROMPT], [GREETING], id="a folder that has others too"),
        pytest.param([SMOKE], [SuiteKind.FIXTURE], [SMOKE], id="a file"),
    ],
)
def test_suites_of_other_kinds(
    project: Path, names: list[str], kinds: Sequence[SuiteKind], found: list[str]
) -> None:
    """A fixture goes by the name of its file; only suites of the kinds that are wanted are given."""
    assert [str(path.resolve().relative_to(project)) for path in locate_suites(names, kinds)] == found


GRID = """\
name: routes
arms: {a: {prompt: a.txt, control: true}, b: {fixture: fixtures/smoke.fixture.md}}
models: [m]
tasks: t.jsonl
labels: [x]
"""
ROUTES = ".omniscitus/tests/routes.grid.yaml"
SAME_NAME = ".omniscitus/tests/smoke.grid.yaml"


@pytest.mark.parametrize(
    ("names", "kinds", "found"),
    [
        pytest.param([], EVERY, [GREETING, ROUTES, SAME_NAME, FAREWELL, OTHER], id="all"),
        pytest.param([], [SuiteKind.FIXTURE], [], id="all fixtures"),
        pytest.param([".omniscitus"], EVERY, [GREETING, ROUTES, SAME_NAME], id="a folder"),
        pytest.param([".omniscitus/tests/fixtures"], EVERY, [SMOKE], id="its folder, without the grid"),
        pytest.param(["smoke"], EVERY, [SAME_NAME], id="the grid's own name"),
        pytest.param(["smoke"], [SuiteKind.FIXTURE], [SMOKE], id="its name, where fixtures are wanted"),
        pytest.param([SMOKE, "routes"], EVERY, [SMOKE, ROUTES], id="its file, and the grid's name"),
    ],
)
def test_arms_of_grids(project: Path, names: list[str], kinds: Sequence[SuiteKind], found: list[str]) -> None:
    """A fixture that a grid runs is not found beside it, and is had where it is named."""
    for grid in (ROUTES, SAME_NAME):
        (project / grid).write_text(GRID)
    assert [str(path.resolve().relative_to(project)) for path in locate_suites(names, kinds)] == found


@pytest.mark.parametrize(
    ("name", "kinds", "message"),
    [
        ("smoke", [SuiteKind.PROMPT], "'smoke' names a fixture, where a prompt suite is needed"),
        (
            "farewell",
            [SuiteKind.FIXTURE, SuiteKind.GRID],
            "'farewell' names a prompt suite, where a fixture or grid is needed",
        ),
        ("smok", EVERY, "there is no suite 'smok' (did you mean 'smoke'?)"),
        ("smok", [SuiteKind.GRID], "there is no suite 'smok' (write one with: scaffold add-grid smok)"),
    ],
)
def test_the_wrong_kind_is_told(name: str, kinds: Sequence[SuiteKind], message: str) -> None:
    """A suite that is there but cannot be used is not called unknown."""
    with pytest.raises(ConfigError) as caught:
        locate_suites([name], kinds)
    assert str(caught.value) == message


def test_without_a_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """There is nothing, and the hint is how to begin."""
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / ".omniscitus").rename(tmp_path / "hidden")
    monkeypatch.chdir(tmp_path / "elsewhere")
    assert locate_suites([]) == ()
    with pytest.raises(ConfigError, match=r"there is no suite 'a' \(write one with: scaffold add-prompt a\)"):
        locate_suites(["a"])


def test_one_suite(project: Path) -> None:
    """A name that several have is no single suite."""
    assert locate_suite("farewell") == project / FAREWELL
    with pytest.raises(ConfigError, match=r"'greeting' stands for several suites \(name one of .*, .*\)"):
        locate_suite("greeting")
