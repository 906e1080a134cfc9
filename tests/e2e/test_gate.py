"""`scaffold gate check` and `plan`: what is gated, and what gating it will take."""

import json
from pathlib import Path

import pytest
from command_line import Cli
from gated_project import ENTRY, FOLDER, GRID, SOURCE, write

REGISTRY = ".omniscitus/gated.yaml"
YES = {"gated": True, "target": "go", "block_id": "go-routing"}
NO = {"gated": False, "target": None, "block_id": None}


@pytest.mark.parametrize(
    ("file", "said"),
    [
        ("commands/go.md", YES),
        ("./prompts/../commands//go.md", YES),
        ("{root}/commands/go.md", YES),
        ("link.md", YES),
        ("linked/go.md", YES),
        ("prompts/go.txt", NO),
        ("commands/gone.md", NO),
        ("commands", NO),
    ],
    ids=[
        "relative",
        "roundabout",
        "absolute",
        "a link",
        "a linked folder",
        "its prompt",
        "no file",
        "a folder",
    ],
)
def test_whether_a_file_is_gated(cli: Cli, gated: Path, file: str, said: dict[str, object]) -> None:
    """However a source file is named, it is the same file; the exit code is 0 either way."""
    Path("link.md").symlink_to("commands/go.md")
    Path("linked").symlink_to("commands")
    result = cli("gate", "check", file.format(root=gated))
    assert (result.code, result.report, result.out.count("\n")) == (0, said, 1)


@pytest.mark.usefixtures("gated")
@pytest.mark.parametrize(
    ("file", "said"),
    [
        pytest.param("commands/og.md", "note: there is no file commands/og.md\n", id="misspelled"),
        pytest.param("commands", "", id="there, and not gated"),
        pytest.param("commands/go.md", "", id="gated"),
    ],
)
def test_a_file_that_is_not_there(cli: Cli, file: str, said: str) -> None:
    """A misspelled name is not gated: who asks is told so beside the answer."""
    result = cli("gate", "check", file)
    assert (result.code, result.err) == (0, said)


def test_from_a_subfolder(cli: Cli, gated: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Names count from the working directory, and as in the registry from the root."""
    monkeypatch.chdir(gated / "commands")
    assert cli("gate", "check", "go.md").report == YES
    assert cli("gate", "check", "commands/go.md").report == YES


@pytest.mark.usefixtures("gated")
def test_a_file_with_several_blocks(cli: Cli) -> None:
    """The first is named, the others are listed."""
    other = {**ENTRY, "block_id": "b", "target": "second", "projected_prompt_path": "b.txt"}
    write(REGISTRY, json.dumps([ENTRY, other]))
    more = {"more": [{"target": "second", "block_id": "b"}]}
    assert cli("gate", "check", "commands/go.md").report == {**YES, **more}


@pytest.mark.usefixtures("gated")
def test_another_registry(cli: Cli) -> None:
    """Which registry counts can be said; without one, and without the project's, nothing is gated."""
    write("evals/gated-skills.json", json.dumps([{**ENTRY, "source_file": "README.md"}]))
    registry = ("--registry", "evals/gated-skills.json")
    assert cli("gate", "check", "README.md", *registry).report["gated"] is True
    assert cli("gate", "check", "commands/go.md", *registry).report == NO
    assert cli("gate", "check", "README.md").report == NO
    Path(REGISTRY).unlink()
    assert cli("gate", "check", "commands/go.md").report == NO
    assert cli("gate", "check", "commands/go.md", "--registry", REGISTRY).code == 2


@pytest.mark.parametrize(
    ("arguments", "arms", "repeat", "calls"),
    [
        pytest.param((), ["current", "candidate"], 3, 48, id="the grid's repeat"),
        pytest.param(("--repeat", "5"), ["current", "candidate"], 5, 80, id="repeat"),
        pytest.param(
            ("--null-control",), ["current", "candidate", "null-control"], 3, 72, id="a null control"
        ),
    ],
)
@pytest.mark.usefixtures("gated")
def test_the_plan(cli: Cli, arguments: tuple[str, ...], arms: list[str], repeat: int, calls: int) -> None:
    """Calls are arms x 2 models x (3 + 1) tasks x repeat; tokens and cost are those of the prompts."""
    result = cli("gate", "plan", "--target", "go", *arguments)
    report = result.report
    cost = report["usage"].pop("cost_usd")
    tokens = report["usage"].pop("input_tokens")
    power = report.pop("power")
    assert (power["tasks"], power["samples_per_task"], power["current_rate"]) == (3, 2 * repeat, 0.9)
    assert result.err == power["words"] + "\n"
    assert (result.code, report) == (
        0,
        {
            "target": "go",
            "block_id": "go-routing",
            "grid": f"{FOLDER}/go.grid.yaml",
            "arms": arms,
            "models": 2,
            "corpus_tasks": 3,
            "target_tasks": 1,
            "repeat": repeat,
            "estimated_api_calls": calls,
            "formula": f"{len(arms)} ({' + '.join(arms)}) x models x (corpus_tasks + 1) x repeat",
            "usage": {"calls": calls, "cached": 0, "output_tokens": 500 * calls},
            "note": "an estimate: nothing was sent",
        },
    )
    assert tokens == calls * 47 // 4
    assert 0.001 * calls < cost < 0.003 * calls


@pytest.mark.usefixtures("gated")
def test_an_unknown_price(cli: Cli) -> None:
    """The cost is null where a price is unknown, never 0."""
    write(f"{FOLDER}/models.yaml", "- openai:of-my-own\n")
    assert cli("gate", "plan", "--target", "go").report["usage"]["cost_usd"] is None


NO_ARM = GRID.replace(", projected_from: go-routing", "").replace("../../../prompts/go.txt", "prompts/b.txt")


@pytest.mark.parametrize(
    ("files", "said"),
    [
        pytest.param({REGISTRY: "[]"}, "there is no target 'go' in the registry (it is empty)", id="empty"),
        pytest.param(
            {f"{FOLDER}/go.grid.yaml": NO_ARM},
            "no grid has an arm that is projected from the block 'go-routing' (give the arm with the prompt "
            "prompts/go.txt 'projected_from: go-routing')",
            id="no such arm",
        ),
        pytest.param(
            {f"{FOLDER}/go.grid.yaml": GRID.replace("labels", "label")},
            "go.grid.yaml:7:1: label: unknown key (did you mean 'labels'?)",
            id="a wrong grid",
        ),
        pytest.param(
            {f"{FOLDER}/go.grid.yaml": GRID.replace("../../../prompts/go.txt", "prompts/baseline.txt")},
            "go.grid.yaml:4:57: arms.skill.projected_from: the block 'go-routing' is projected to "
            f"prompts/go.txt, not to {FOLDER}/prompts/baseline.txt",
            id="another prompt",
        ),
        pytest.param(
            {
                f"{FOLDER}/a.grid.yaml": GRID,
                f"{FOLDER}/go.grid.yaml": "name: x",
                f"{FOLDER}/b.grid.yaml": GRID,
            },
            f"several arms are projected from the block 'go-routing': skill of {FOLDER}/a.grid.yaml, "
            f"skill of {FOLDER}/b.grid.yaml (call one of the grids 'go', with one such arm)",
            id="several arms",
        ),
    ],
)
@pytest.mark.usefixtures("gated")
def test_what_cannot_be_planned(cli: Cli, files: dict[str, str], said: str) -> None:
    """What is wrong is named, and how the grid of a target is found."""
    for path, text in files.items():
        write(path, text)
    result = cli("gate", "plan", "--target", "go")
    assert (result.code, result.out, said in result.err) == (2, "", True)


@pytest.mark.usefixtures("gated")
def test_which_grid_measures_a_target(cli: Cli) -> None:
    """The arm need not say what it is projected from; of several grids, the target's namesake counts."""
    write(f"{FOLDER}/go.grid.yaml", GRID.replace(", projected_from: go-routing", ""))
    assert cli("gate", "plan", "--target", "go").report["repeat"] == 3
    write(f"{FOLDER}/other.grid.yaml", GRID.replace("repeat: 3", "repeat: 9"))
    assert cli("gate", "plan", "--target", "go").report["repeat"] == 3
    write(f"{FOLDER}/other.grid.yaml", "broken: [")
    assert cli("gate", "plan", "--target", "go").report["repeat"] == 3


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        pytest.param(
            "projected_from: go-routing",
            "projected_from: go-rooting",
            "go.grid.yaml:4:60: arms.skill.projected_from: the block 'go-rooting' is not in the registry "
            ".omniscitus/gated.yaml (did you mean 'go-routing'?)",
            id="not registered",
        ),
        pytest.param(
            "../../../prompts/go.txt",
            "prompts/baseline.txt",
            "the block 'go-routing' is projected to prompts/go.txt, not to",
            id="another prompt",
        ),
        pytest.param("tasks:", "task:", "go.grid.yaml:6:1: task: unknown key", id="a wrong grid"),
    ],
)
@pytest.mark.usefixtures("gated")
def test_arms_and_registry_match(cli: Cli, old: str, new: str, said: str) -> None:
    """`scaffold project --check` also fails on an arm that is a projection of nothing."""
    assert cli("project", "--check").code == 0
    write(f"{FOLDER}/go.grid.yaml", GRID.replace(old, new))
    result = cli("project", "--check")
    assert (result.code, said in result.err) == (1, True)


@pytest.mark.usefixtures("gated")
def test_a_source_with_crlf(cli: Cli) -> None:
    """A checkout with other line ends changes neither what is gated nor the projection."""
    write("commands/go.md", SOURCE.replace("\n", "\r\n"))
    assert cli("gate", "check", "commands/go.md").report == YES
    assert cli("project", "--check").code == 0
