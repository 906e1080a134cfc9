"""The documentation says what the program does."""

import importlib.util
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest
import yaml
from click.testing import CliRunner
from labelling import Models

from judges.core.verdict import ExitCode, Verdict, exit_code
from scaffold.__main__ import run
from scaffold.cli import COMMANDS

DOCS = Path(__file__).parents[2] / "docs"
_BLOCK = re.compile(r"^```(sh|text)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def generate() -> ModuleType:
    """The script that writes the reference."""
    spec = importlib.util.spec_from_file_location("docs_generate", DOCS / "generate.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_reference_is_current(generate: ModuleType) -> None:
    """Whoever changes a command or a key writes the pages again: `make docs`."""
    result = CliRunner().invoke(generate.main, ["--check"])
    assert (result.exit_code, result.output) == (0, "")


def test_a_stale_page_is_found_and_renewed(
    generate: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The check writes nothing; without it the page is written."""
    monkeypatch.setattr(generate, "REFERENCE", tmp_path)
    for name in generate.PAGES:
        (tmp_path / name).write_text("stale")
    result = CliRunner().invoke(generate.main, ["--check"])
    assert (result.exit_code, "make docs" in result.output) == (1, True)
    assert (tmp_path / "cli.md").read_text() == "stale"
    assert CliRunner().invoke(generate.main, []).exit_code == 0
    assert CliRunner().invoke(generate.main, ["--check"]).exit_code == 0


def test_every_key_is_explained(generate: ModuleType) -> None:
    """No row of the reference ends in an empty cell, and every nested mapping has a section."""
    page = generate.render_prompt_meta()
    rows = [line for line in page.splitlines() if line.startswith("| `")]
    assert len(rows) > 70
    assert [row for row in rows if row.endswith("|  |")] == []
    assert "## `cases.items[].expected_score_range`" in page
    assert "| `warn` | number, 0..100 | none | score below this is a critical failure |" in page


def test_every_command_has_a_section(generate: ModuleType) -> None:
    """Subcommands too, with their options."""
    page = generate.render_cli()
    sections = re.findall(r"^##+ scaffold (.*)$", page, re.MULTILINE)
    assert [name for name in sections if " " not in name] == list(COMMANDS)
    assert {"review list", "gate run", "baseline accept", "cache prune", "model install"} <= set(sections)
    assert "| `--candidate-file FILE` | The source file as the edit has it, in another place.  [req" in page


def test_every_exit_code_is_explained(generate: ModuleType) -> None:
    """All codes are on the page, and in the order of precedence."""
    assert set(generate.EXIT_CODES) == set(generate.PRECEDENCE) == set(ExitCode)


def test_the_precedence_is_that_of_the_program(generate: ModuleType) -> None:
    """Of the verdicts of a run the code that comes first on the page wins."""
    codes = {
        exit_code([verdict]): verdict for verdict in (Verdict.ERROR, Verdict.FAIL, Verdict.PASS, Verdict.SKIP)
    }
    ranked = [code for code in generate.PRECEDENCE if code in codes and code is not ExitCode.NOTHING_RUN]
    assert [exit_code(codes[each] for each in ranked[start:]) for start in range(len(ranked))] == ranked


def _steps(page: str) -> Iterator[tuple[str, str | None]]:
    """Yield each script of the page with the output that follows it, if one does."""
    blocks = _BLOCK.findall(page)
    for index, (kind, text) in enumerate(blocks):
        if kind == "sh":
            following = blocks[index + 1 : index + 2]
            yield text, following[0][1] if following and following[0][0] == "text" else None


def _shown_as(expected: str) -> re.Pattern[str]:
    """An ellipsis stands for any text within a line; alone in its line, for any lines."""
    lines = expected.splitlines()
    patterns = ("(?:.*\n)*?" if line == "…" else re.escape(line).replace("…", ".*") + "\n" for line in lines)
    return re.compile("".join(patterns))


@pytest.mark.parametrize(
    ("page", "shown"),
    [
        ("index.md", 1),
        ("tutorial.md", 8),
        ("how-to/binary.md", 1),
        ("how-to/comparison.md", 2),
        ("how-to/regression.md", 3),
        ("how-to/set-up-a-project.md", 3),
        ("how-to/ci.md", 2),
        ("how-to/pytest.md", 3),
        ("how-to/fixtures.md", 1),
        ("how-to/review-scores.md", 5),
        ("reference/report.md", 1),
        ("reference/run-directory.md", 1),
    ],
)
def test_a_page_works_as_it_is_written(tmp_path: Path, page: str, shown: int) -> None:
    """Its scripts, run one after the other in an empty folder, show what the page says."""
    assert _follow(page, tmp_path) == shown


def test_a_page_works_on_the_example(tmp_path: Path) -> None:
    """What is said of the example is what it shows, in a copy of it."""
    shutil.copytree(
        DOCS.parent / "examples" / "support-reply",
        tmp_path / "examples" / "support-reply",
        ignore=shutil.ignore_patterns("runs", "cache"),
    )
    assert _follow("how-to/calibrate-a-judge.md", tmp_path) == 3


def route(prompt: str) -> str:
    """A model for the page on grids: without rules it takes what it reads for billing."""
    task = prompt.partition("Message: ")[2]
    if "charged" in task:
        return "billing"
    if "export" in task or ("Rules" in prompt and "page" in task):
        return "technical"
    if "locked" in task:
        return "account" if "Rules" in prompt else "login"
    return "billing"


def triage(prompt: str) -> str:
    """A model for the pages on gates: it knows leaks and what a P2 is where the prompt tells of them."""
    task = prompt.partition("Ticket: ")[2]
    if "invoice of another" in task:
        return "P1" if "leaked" in prompt else "P3"
    if "locked" in task or "print the form" in task:
        return "P2" if "P2:" in prompt else "P3"
    return "P1" if "None of us" in task or "twice" in task else "P3"


def test_the_page_on_grids_works_as_it_is_written(tmp_path: Path, models: Models) -> None:
    """With a model that answers as its figures say, the page shows what is shown."""
    models(route)
    assert _follow("how-to/grid.md", tmp_path) == 4


def test_the_pages_on_gates_work_as_they_are_written(tmp_path: Path, models: Models) -> None:
    """A target is added, and edits of it are gated, in the same folder."""
    models(triage)
    assert _follow("how-to/gated-target.md", tmp_path) == 3
    assert _follow("how-to/gate-edits.md", tmp_path) == 3


def test_the_workflow_of_a_gate_works(tmp_path: Path, models: Models) -> None:
    """Its script, in a checkout of a pull request, compares the base branch with it."""
    models(triage)
    origin, checkout = tmp_path / "origin", tmp_path / "checkout"
    origin.mkdir()
    _follow("how-to/gated-target.md", origin)
    page = (DOCS / "how-to/gate-edits.md").read_text(encoding="utf-8")
    job = yaml.safe_load(re.findall(r"^```yml\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)[0])
    (step,) = [step for step in job["jobs"]["gate"]["steps"] if "gate run" in step.get("run", "")]
    git = "git -c user.name=a -c user.email=a@example.com"
    prepare = f"""
        cd {origin} && git init -q -b main && git add . && {git} commit -q -m base
        git clone -q {origin} {checkout} && cd {checkout}
        sed -i 's/^P1: nobody can work,/P1: nobody can work, data has leaked,/' commands/triage.md
        echo '{{"input": "I see the invoice of another customer.", "golden_label": "P1"}}' > target.json
        scaffold project && scaffold project --check
    """
    environment = {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "GITHUB_BASE_REF": "main",
    }
    subprocess.run(["sh", "-ec", prepare], env=environment, capture_output=True, timeout=120, check=True)
    done = subprocess.run(
        ["sh", "-ec", step["run"]],
        cwd=checkout,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert '"accept":true' in done.stdout
    assert "note:" not in done.stderr


def _follow(page: str, folder: Path) -> int:
    """Run the scripts of a page, and return how many show what the page says; what shows nothing succeeds."""
    environment = {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "COLUMNS": "80",
    }
    seen = 0
    for script, expected in _steps((DOCS / page).read_text(encoding="utf-8")):
        done = subprocess.run(
            ["sh", "-c", script],
            cwd=folder,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=120,
            check=False,
        )
        if expected is not None:
            seen += 1
            assert _shown_as(expected).fullmatch(done.stdout), f"{script}\nshowed\n{done.stdout}"
        else:
            assert (done.returncode, done.stdout) == (0, "")
    return seen


def test_the_variables_of_a_template_are_documented(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The page on own templates names what a template is given: no more, no less."""
    page = (DOCS / "how-to" / "own-template.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| ((?:`\w+`(?:, )?)+) \|", page, re.MULTILINE)
    folder = tmp_path / "house" / "{{ cookiecutter.prompt_name }}"
    folder.mkdir(parents=True)
    (tmp_path / "house" / "cookiecutter.json").write_text("{}")
    (folder / "prompt-meta.yaml").write_text("{{ cookiecutter | list | join(' ') }}")
    monkeypatch.chdir(tmp_path)
    assert run(["add-prompt", "demo", "--template", "house"]) == 0
    given = (tmp_path / ".omniscitus/tests/prompts/demo/prompt-meta.yaml").read_text().split()
    assert sorted(re.findall(r"\w+", " ".join(rows))) == sorted(name for name in given if name[0] != "_")
