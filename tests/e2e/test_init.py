"""A project from nothing to tests in CI, on the command line."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from command_line import Cli
from small_disk import Disk, require_namespaces

FILES = [
    ".github/workflows/prompt-tests.yml",
    ".omniscitus/.gitignore",
    ".omniscitus/config.yaml",
    ".pre-commit-config.yaml",
    ".vscode/settings.json",
]
WORKFLOW = Path(FILES[0])


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder as the working directory."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def tree(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and ".git" not in path.relative_to(folder).parts
    }


def test_an_empty_folder_without_git(cli: Cli, here: Path) -> None:
    """Everything is written, each file is told, and the next step is named."""
    done = cli("init")
    assert done.code == 0
    assert done.out == (
        f"Project     {here}\n"
        "new         .omniscitus/config.yaml\n"
        "new         .omniscitus/.gitignore\n"
        "new         .github/workflows/prompt-tests.yml\n"
        "new         .pre-commit-config.yaml\n"
        "new         .vscode/settings.json\n"
        "new         .omniscitus/schemas/ (14 files)\n"
        "\n"
        "Next:\n"
        "  scaffold add-prompt NAME\n"
    )
    assert [name for name in tree(here) if "/schemas/" not in name] == FILES


def test_a_second_run_changes_nothing(cli: Cli, here: Path) -> None:
    """It says so, and no file is touched: neither its content nor its time."""
    cli("init", "--claude-code")
    before = {path: path.stat().st_mtime_ns for path in here.rglob("*")}
    done = cli("init", "--claude-code")
    assert (done.code, "Nothing changed. Next:" in done.out) == (0, True)
    assert {line.split()[0] for line in done.out.splitlines()[1:9]} == {"unchanged"}
    assert {path: path.stat().st_mtime_ns for path in here.rglob("*")} == before
    done = cli("init", "--claude-code", "--dry-run")
    assert (done.code, done.out, done.err) == (0, "", "Nothing was written.\n")


def test_a_project_with_suites(cli: Cli, project: Path) -> None:
    """What suites brought stays, the rest comes; the next step is to check them, and that works."""
    assert cli("add-prompt", "notes", "--no-input").code == 0
    before = tree(project)
    done = cli("init")
    assert done.code == 0
    assert "new         .omniscitus/config.yaml" in done.out
    assert done.out.endswith("Next:\n  scaffold validate --strict\n")
    assert before.items() <= tree(project).items()
    assert cli("validate", "notes", "--strict").code == 0
    assert cli("init").out.endswith("Nothing changed. Next:\n  scaffold validate --strict\n")


def test_suites_that_come_later_find_their_schemas(cli: Cli, here: Path) -> None:
    """There is one place for schemas, and all commands write the same there."""
    cli("init")
    before = tree(here)
    for command in ("add-prompt", "add-grid", "add-fixture"):
        done = cli(command, "notes", "--no-input")
        assert (done.code, "of another version" in done.out) == (0, False)
    assert before.items() <= tree(here).items()
    for name in ("prompts/notes/prompt-meta.yaml", "grids/notes/notes.grid.yaml"):
        suite = here / ".omniscitus/tests" / name
        (schema,) = (
            line.partition("$schema=")[2]
            for line in suite.read_text().splitlines()
            if line.startswith("# yaml-language-server:")
        )
        assert (suite.parent / schema).resolve().is_file()


def test_existing_files_stay_and_the_difference_can_be_seen(cli: Cli, here: Path) -> None:
    """A workflow of one's own is not touched; the diff says what the setup would have there."""
    cli("init")
    WORKFLOW.write_text("name: Ours\n")
    Path(".omniscitus/schemas/grid.schema.json").write_text("{}\n")
    done = cli("init")
    assert done.code == 0
    assert "differs     .github/workflows/prompt-tests.yml\n" in done.out
    assert "differs     .omniscitus/schemas/grid.schema.json\n" in done.out
    assert "What differs stays as it is: --dry-run shows how." in done.out
    assert WORKFLOW.read_text() == "name: Ours\n"
    done = cli("init", "--dry-run")
    assert done.out.startswith(
        "--- a/.github/workflows/prompt-tests.yml\n+++ b/.github/workflows/prompt-tests.yml\n@@ -1 +1,"
    )
    assert ("-name: Ours\n" in done.out, "+name: Prompt tests\n" in done.out) == (True, True)
    assert "omniscitus/config.yaml" not in done.out


def test_a_dry_run_is_a_patch(cli: Cli, here: Path) -> None:
    """Nothing is written, and what is printed makes the same files as the command."""
    Path(".pre-commit-config.yaml").write_text("repos:\n- repo: meta\n  hooks: [{id: identity}]\n")
    before = tree(here)
    patch = cli("init", "--dry-run").out
    assert tree(here) == before
    subprocess.run(["git", "apply", "-"], input=patch, text=True, check=True, cwd=here)
    applied = tree(here)
    assert set(FILES) < set(applied)
    assert cli("init").out.count("unchanged") == 6
    assert tree(here) == applied


def test_lists_get_what_they_lack(cli: Cli, here: Path) -> None:
    """Hooks, ignored files and settings are added to, and all that was there is still there."""
    Path(".omniscitus").mkdir()
    Path(".vscode").mkdir()
    Path(".omniscitus/.gitignore").write_text("mine\nruns/")
    Path(".pre-commit-config.yaml").write_text("repos:\n- repo: meta  # ours\n  hooks: [{id: identity}]\n")
    Path(".vscode/settings.json").write_text('{"editor.rulers": [80]}\n')
    done = cli("init")
    assert [line for line in done.out.splitlines() if line.startswith("added")] == [
        "added to    .omniscitus/.gitignore",
        "added to    .pre-commit-config.yaml",
        "added to    .vscode/settings.json",
    ]
    assert Path(".omniscitus/.gitignore").read_text() == "mine\nruns/\ncache/\n"
    hooks = Path(".pre-commit-config.yaml").read_text()
    assert hooks.startswith("repos:\n- repo: meta  # ours\n  hooks: [{id: identity}]\n- repo: local\n")
    assert [hook["repo"] for hook in yaml.safe_load(hooks)["repos"]] == ["meta", "local"]
    settings = json.loads(Path(".vscode/settings.json").read_text())
    assert (settings["editor.rulers"], len(settings["yaml.schemas"])) == ([80], 6)


def test_what_cannot_be_added_is_printed(cli: Cli, here: Path) -> None:
    """Settings with comments stay as they are; the text to add is on the screen."""
    Path(".vscode").mkdir()
    Path(".vscode/settings.json").write_text("{\n  // ours\n}\n")
    done = cli("init")
    assert done.code == 0
    assert (
        "by hand     .vscode/settings.json: holds comments, or is no JSON. Add to it:\n"
        "            {\n"
        '                "yaml.schemas": {\n' in done.out
    )
    assert Path(".vscode/settings.json").read_text() == "{\n  // ours\n}\n"
    done = cli("init", "--dry-run")
    assert done.out == ""
    assert done.err == ".vscode/settings.json: holds comments, or is no JSON\nNothing was written.\n"


def test_gitlab(cli: Cli, here: Path) -> None:
    """The jobs are in a file of their own; a pipeline that is there is left to its author."""
    assert "new         .gitlab-ci.yml\n" in cli("init", "--ci", "gitlab").out
    assert yaml.safe_load(Path(".gitlab-ci.yml").read_text()) == {
        "include": [{"local": ".gitlab/prompt-tests.yml"}]
    }
    Path(".gitlab-ci.yml").write_text("stages: [test]\n")
    done = cli("init")
    assert "unchanged   .gitlab/prompt-tests.yml\n" in done.out
    assert (
        "by hand     .gitlab-ci.yml: does not include .gitlab/prompt-tests.yml. Add to it:\n"
        "            include:\n"
        "              - local: .gitlab/prompt-tests.yml\n" in done.out
    )
    assert not WORKFLOW.exists()


def test_parts_that_nobody_wants(cli: Cli, here: Path) -> None:
    """Each can be left out; to want CI and not is a mistake."""
    assert cli("init", "--no-ci", "--no-pre-commit", "--no-editor").code == 0
    assert {name.split("/")[0] for name in tree(here)} == {".omniscitus"}
    done = cli("init", "--ci", "github", "--no-ci")
    assert (done.code, "--ci and --no-ci exclude each other." in done.err) == (2, True)


def test_what_ci_installs(cli: Cli, here: Path) -> None:
    """A requirement of one's own is in the workflow and the hook; what a shell would act upon is refused."""
    done = cli("init", "--requirement", "prompt-scaffold==1 $(rm -r .)")
    assert (done.code, done.out, tree(here)) == (2, "", {})
    assert "expected what pip installs, such as prompt-scaffold==1.2.3, or " in done.err
    wanted = "prompt-scaffold @ git+https://git.example.com/scaffold@v1"
    assert cli("init", "--requirement", wanted).code == 0
    assert WORKFLOW.read_text().count(f'run: python -m pip install "{wanted}"\n') == 2
    assert f"additional_dependencies:\n          - {wanted}\n" in Path(".pre-commit-config.yaml").read_text()


def test_a_folder_inside_a_repository(cli: Cli, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The project is at the top, from wherever it is set up; one of its own below has no workflow there."""
    Path(".git").mkdir()
    Path("app/src").mkdir(parents=True)
    monkeypatch.chdir(here / "app/src")
    assert cli("init").out.startswith(f"Project     {here}\n")
    shutil.rmtree(here / ".omniscitus")
    (here / "app/.omniscitus").mkdir()
    done = cli("init")
    assert done.code == 0
    assert f"top of the repository, {here};\nno workflow and no hook was written.\n" in done.out
    assert {name.split("/")[1] for name in tree(here) if name.startswith("app/")} == {
        ".omniscitus",
        ".vscode",
    }


@pytest.mark.parametrize(("kilobytes", "read_only"), [(1024, True), (48, False)], ids=["read-only", "full"])
def test_a_folder_that_cannot_be_written(
    here: Path, tmp_path_factory: pytest.TempPathFactory, kilobytes: int, read_only: bool
) -> None:
    """It is told, with the file, and nothing at all has changed."""
    require_namespaces()
    (here / ".pre-commit-config.yaml").write_text("repos:\n- repo: meta\n")
    disk = Disk(here, tmp_path_factory.mktemp("result"), kilobytes=kilobytes, read_only=read_only)
    done = disk.run("init")
    assert (done.returncode, done.stdout) == (3, "")
    assert "cannot be written" in done.stderr
    assert "no file was changed" in done.stderr
    assert disk.files == {".pre-commit-config.yaml": b"repos:\n- repo: meta\n"}


def test_pre_commit_takes_the_hooks(cli: Cli, here: Path) -> None:
    """The file of the setup, and the hooks that the repository publishes, are such files to pre-commit."""
    assert cli("init").code == 0
    program = str(Path(sys.executable).parent / "pre-commit")
    hooks = Path(__file__).parents[2] / ".pre-commit-hooks.yaml"
    for arguments in (["validate-config", ".pre-commit-config.yaml"], ["validate-manifest", str(hooks)]):
        subprocess.run([program, *arguments], check=True)


def test_git_ignores_what_runs_leave_behind(cli: Cli, here: Path) -> None:
    """Runs and answers are no part of the repository; the setup is."""
    subprocess.run(["git", "init", "-q"], check=True)
    cli("init")
    for name in ("runs/x", "cache/answers.sqlite"):
        (here / ".omniscitus" / name).parent.mkdir()
        (here / ".omniscitus" / name).write_text("")
    listed = subprocess.run(
        ["git", "ls-files", "--others", "--exclude-standard"], capture_output=True, text=True, check=True
    )
    names = listed.stdout.split()
    assert set(FILES) <= set(names)
    assert [name for name in names if "/runs/" in name or "/cache/" in name] == []
