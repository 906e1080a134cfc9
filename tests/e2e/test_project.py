"""`scaffold project`: prompts are what their blocks give, and markers and registry match both ways."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from command_line import Cli

from judges.files.blocks import default_markers

REPOSITORY = Path(__file__).parents[2]
REGISTRY = ".omniscitus/gated.yaml"
START, END = "<!-- eval-gate:block:go-routing:start -->", "<!-- eval-gate:block:go-routing:end -->"
SOURCE = f"# Go\n\n{START}\n| a request | a route |\nUse {{x}}, not {{{{input}}}}.\n{END}\n\nMore.\n"
BLOCK = "| a request | a route |\nUse {x}, not {{input}}."
TEMPLATE = "Rules: {}\n\n{{ block }}\n\nRequest: {{input}} {block} {{block_id}}\nLabel:"
PROMPT = f"Rules: {{}}\n\n{BLOCK}\n\nRequest: {{{{input}}}} {{block}} {{{{block_id}}}}\nLabel:"


def write(path: str, text: str) -> Path:
    whole = Path(path)
    whole.parent.mkdir(parents=True, exist_ok=True)
    whole.write_bytes(text.encode("utf-8"))
    return whole


def entry(**changes: str) -> str:
    keys = {
        "source_file": "commands/go.md",
        "block_id": "go-routing",
        "target": "go",
        "projected_prompt_path": "prompts/go-skill.txt",
        **changes,
    }
    return f"- {json.dumps(keys)}\n"


@pytest.fixture
def gated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with one gated block, not yet projected; it is no git repository."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    write(REGISTRY, entry(template="prompts/go.tmpl"))
    write("commands/go.md", SOURCE)
    write("prompts/go.tmpl", TEMPLATE)
    return tmp_path


def git(*arguments: str) -> None:
    subprocess.run(["git", *arguments], check=True, capture_output=True)


def test_a_prompt_is_written_once(cli: Cli, gated: Path) -> None:
    """The block stands in the template, every other brace is as it was, and nothing is written again."""
    first = cli("project")
    assert (first.code, first.out) == (0, "go: wrote prompts/go-skill.txt\n")
    prompt = gated / "prompts/go-skill.txt"
    assert prompt.read_bytes() == PROMPT.encode()
    written = prompt.stat()
    again = cli("project", "--all")
    assert (again.code, again.out) == (0, "go: prompts/go-skill.txt is current\n")
    assert (prompt.stat().st_mtime_ns, prompt.stat().st_ino) == (written.st_mtime_ns, written.st_ino)
    check = cli("project", "--check")
    assert (check.code, check.out, check.err) == (0, "1 projection is current.\n", "")


@pytest.mark.usefixtures("gated")
def test_without_a_template_the_prompt_is_the_block(cli: Cli) -> None:
    """The block and a line end, in a folder that is made."""
    write(REGISTRY, entry(projected_prompt_path="new/folder/go.txt"))
    assert cli("project", "go").code == 0
    assert Path("new/folder/go.txt").read_bytes() == f"{BLOCK}\n".encode()


@pytest.mark.usefixtures("gated")
def test_line_ends_and_letters(cli: Cli) -> None:
    """A checkout with CRLF gives the same prompt; letters of any script stay as they are."""
    text = SOURCE.replace("a request", "une requête 日本 \U0001f600")
    write("commands/go.md", "\ufeff" + text.replace("\n", "\r\n"))
    write("prompts/go.tmpl", TEMPLATE.replace("\n", "\r\n"))
    cli("project")
    prompt = Path("prompts/go-skill.txt").read_bytes()
    assert prompt == PROMPT.replace("a request", "une requête 日本 \U0001f600").encode()
    write("commands/go.md", text)
    write("prompts/go.tmpl", TEMPLATE)
    assert cli("project", "--check").code == 0
    write("prompts/go-skill.txt", prompt.decode().replace("\n", "\r\n"))
    assert cli("project", "--check").code == 1


@pytest.mark.usefixtures("gated")
def test_stdout(cli: Cli) -> None:
    """The prompt is printed byte for byte, and nothing is written."""
    result = cli("project", "go", "--stdout")
    assert (result.code, result.out) == (0, PROMPT)
    assert not Path("prompts/go-skill.txt").exists()


STALE = (
    "Error: prompts/go-skill.txt:3: is stale: the block 'go-routing' of commands/go.md gives another prompt "
    "from here on (run: scaffold project go)\n"
)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        pytest.param("a request", "A request", STALE, id="another block"),
        pytest.param(
            START, "", "Error: commands/go.md: start marker not found: " + START, id="no start marker"
        ),
        pytest.param(
            "More.",
            START,
            f"Error: commands/go.md:8:1: start marker found twice, first in line 3: {START}",
            id="doubled",
        ),
        pytest.param(
            SOURCE, f"{END}\n{START}", f"Error: commands/go.md:1:1: end marker {END} precedes", id="reversed"
        ),
        pytest.param(
            "More.",
            "<!-- eval-gate:block:other:start -->",
            "Error: commands/go.md:8:1: the block 'other' is not in the registry .omniscitus/gated.yaml (add",
            id="not registered",
        ),
    ],
)
@pytest.mark.usefixtures("gated")
def test_what_the_check_fails_on(cli: Cli, old: str, new: str, said: str) -> None:
    """Each is said with its place and what mends it, and nothing is written."""
    cli("project")
    before = Path("prompts/go-skill.txt").read_bytes()
    assert old in SOURCE
    write("commands/go.md", SOURCE.replace(old, new))
    result = cli("project", "--check")
    assert (result.code, result.out) == (1, "")
    assert said in result.err
    assert Path("prompts/go-skill.txt").read_bytes() == before


@pytest.mark.usefixtures("gated")
def test_the_named_command_mends_it(cli: Cli) -> None:
    """What the check says to run makes the check pass."""
    result = cli("project", "--check")
    assert result.code == 1
    missing = "does not exist; it is projected from the block 'go-routing' of commands/go.md"
    assert result.err == f"Error: prompts/go-skill.txt: {missing} (run: scaffold project go)\n"
    command = result.err.partition("(run: scaffold ")[2].partition(")")[0]
    assert cli(*command.split()).code == 0
    assert cli("project", "--check").code == 0


@pytest.mark.parametrize("text", ["", "[]\n", "# none yet\n"])
@pytest.mark.usefixtures("gated")
def test_an_empty_registry(cli: Cli, text: str) -> None:
    """A check of nothing is no pass, and writing nothing is said."""
    write(REGISTRY, text)
    check = cli("project", "--check")
    assert (check.code, check.out) == (1, "")
    assert ".omniscitus/gated.yaml: the registry is empty: nothing is checked" in check.err
    assert cli("project").code == 4


@pytest.mark.usefixtures("gated")
def test_a_marker_in_another_file(cli: Cli) -> None:
    """A copy of a block is no source, and an entry that names the wrong file is seen."""
    cli("project")
    write("commands/old.md", SOURCE)
    result = cli("project", "--check")
    assert result.code == 1
    assert result.err == (
        "Error: commands/old.md:3:1: the block 'go-routing' is marked here, but the registry has it from "
        "commands/go.md (correct source_file, or remove the markers here)\n"
    )


@pytest.mark.usefixtures("gated")
def test_what_holds_no_markers(cli: Cli) -> None:
    """Mentions in documents, binary and huge files, links and the folders of tools mark nothing."""
    cli("project")
    other = "<!-- eval-gate:block:other:start -->"
    write("README.md", f"Mark it with `{other}` … `:end`, or <!-- eval-gate:block:ID:start -->.")
    write("code.py", f"START = '{other}'\n")
    write("image.bin", f"\0{other}")
    write("huge.txt", other + " " * 10_000_000)
    write("node_modules/a/b.md", other)
    write(".omniscitus/runs/1/records.md", other)
    write(".omniscitus/cache/x.md", other)
    Path("link.md").symlink_to("commands/go.md")
    assert cli("project", "--check").code == 0
    write(".claude/commands/x.md", other)
    result = cli("project", "--check")
    assert (result.code, ".claude/commands/x.md:1:1: the block 'other'" in result.err) == (1, True)


@pytest.mark.usefixtures("gated")
def test_in_a_repository_only_tracked_files_count(cli: Cli) -> None:
    """What git does not track is not searched; what is added is, whatever its name."""
    cli("project")
    git("init", "-q")
    other = write("é notes/a b.md", "<!-- eval-gate:block:other:end -->")
    git("add", "commands", "prompts", ".omniscitus")
    assert cli("project", "--check").code == 0
    git("add", ".")
    assert "é notes/a b.md:1:1: the block 'other'" in cli("project", "--check").err
    other.unlink()
    assert cli("project", "--check").code == 0


@pytest.mark.usefixtures("gated")
def test_another_registry(cli: Cli) -> None:
    """The seed's JSON serves as well; its commands name it, and it shares the project with gated.yaml."""
    keys = {"block_start_marker": START, "block_end_marker": END, "projected_prompt_path": "prompts/b.txt"}
    (value,) = yaml.safe_load(entry(**keys))
    write("evals/gated-skills.json", json.dumps([value], indent=2))
    registry = ("--registry", "evals/gated-skills.json")
    result = cli("project", "--check", *registry)
    assert (result.code, result.err.rpartition("(run: ")[2]) == (
        1,
        "scaffold project go --registry evals/gated-skills.json)\n",
    )
    assert cli("project", *registry).out == "go: wrote prompts/b.txt\n"
    assert cli("project", "--check", *registry).code == 0
    assert cli("project", "--check").code == 1
    cli("project")
    assert cli("project", "--check").code == 0


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("nope",), ".omniscitus/gated.yaml: there is no target 'nope' in the registry (it has: go)"),
        (("go", "--all"), "Give TARGET or --all, not both."),
        (("--stdout",), "--stdout prints one prompt: name its TARGET."),
        (("go", "--stdout", "--check"), "Give --check or --stdout, not both."),
        (("--registry", "no.yaml"), "no.yaml: does not exist"),
    ],
    ids=["unknown", "a target and all", "no target", "print and check", "no such registry"],
)
@pytest.mark.usefixtures("gated")
def test_wrong_usage(cli: Cli, arguments: tuple[str, ...], said: str) -> None:
    """What cannot be meant is refused."""
    result = cli("project", *arguments)
    assert (result.code, said in result.err) == (2, True)


def test_no_registry(cli: Cli, gated: Path) -> None:
    """A project without a registry is told how to write one."""
    (gated / REGISTRY).unlink()
    result = cli("project", "--check")
    assert result.code == 2
    assert "Error: .omniscitus/gated.yaml: there is no registry of gated blocks (write a list" in result.err


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        pytest.param(
            {"source_file": "gone.md"}, "Error: gone.md: does not exist (check the path)", id="no source"
        ),
        pytest.param({"template": "gone.tmpl"}, "Error: gone.tmpl: does not exist", id="no template"),
        pytest.param(
            {"template": "commands/other.md"},
            "commands/other.md: the template must have {{block}} once, found it 0 times",
            id="no place for the block",
        ),
    ],
)
@pytest.mark.usefixtures("gated")
def test_a_missing_file_stops_before_anything_is_written(
    cli: Cli, changes: dict[str, str], said: str
) -> None:
    """With several entries, one that is wrong leaves all prompts as they are."""
    write("commands/b.md", "".join(default_markers("b")))
    write("commands/other.md", "no block")
    keys = {"source_file": "commands/b.md", "block_id": "b", "target": "b", "projected_prompt_path": "b.txt"}
    write(REGISTRY, entry() + entry(**keys | changes))
    result = cli("project")
    assert (result.code, said in result.err) == (2, True)
    assert not Path("prompts/go-skill.txt").exists()
    assert said in cli("project", "--check").err


def test_the_hook(gated: Path) -> None:
    """As a hook of pre-commit it passes on a current prompt, and fails on a stale one."""
    hooks = yaml.safe_load((REPOSITORY / ".pre-commit-hooks.yaml").read_text())
    (hook,) = [each for each in hooks if each["id"] == "scaffold-project"]
    commands = Path(sys.executable).parent
    local = {"repo": "local", "hooks": [{**hook, "language": "system"}]}  # needs no download
    write(".pre-commit-config.yaml", yaml.safe_dump({"repos": [local]}))
    git("init", "-q")
    environ = {**os.environ, "PATH": f"{commands}{os.pathsep}{os.environ['PATH']}"}

    def run() -> tuple[int, str]:
        git("add", ".")
        command = [str(commands / "pre-commit"), "run", "--all-files", "--color", "never"]
        done = subprocess.run(command, env=environ, capture_output=True, text=True, check=False)
        return done.returncode, done.stdout

    code, out = run()
    assert (code, "(run: scaffold project go)" in out) == (1, True), out
    subprocess.run([str(commands / "scaffold"), "project"], env=environ, check=True)
    code, out = run()
    assert (code, "Passed" in out) == (0, True), out


def test_the_hook_is_well_formed() -> None:
    """pre-commit accepts the file that other repositories read."""
    command = [str(Path(sys.executable).parent / "pre-commit"), "validate-manifest"]
    done = subprocess.run([*command, str(REPOSITORY / ".pre-commit-hooks.yaml")], check=False)
    assert done.returncode == 0
