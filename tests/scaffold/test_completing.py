"""What a shell offers: by click's own protocol, in process."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.shell_completion import get_completion_class

from scaffold.cli import COMMANDS, COMPLETE_VARIABLE, cli

RUNS = ("20261129T101500Z-00ff", "20261130T131400Z-ab12")


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with a suite of each kind, one elsewhere, and two runs, in a shell that completes."""
    root = tmp_path / "root"
    tests = root / ".omniscitus" / "tests"
    for name in (
        "prompts/reply/prompt-meta.yaml",
        "prompts/$(touch x)/prompt-meta.yaml",
        "f/echo.fixture.md",
    ):
        _write(tests / name, "")
    _write(tests / "g/routing.grid.yaml", "")
    _write(root / "evals/chat/prompt-meta.yaml", "")
    _write(root / ".omniscitus/config.yaml", "judge: gpt-4o\nsuites: [evals, gone]\n")
    for run, refs in zip(RUNS, (("old",), ("en/first", "en/second", 'a "b"')), strict=True):
        rows = "".join(f"{json.dumps({'index': 0, 'ref': ref, 'title': 'x'})}\n" for ref in refs)
        _write(root / ".omniscitus/runs" / run / "reply/rows.jsonl", rows)
        _write(root / ".omniscitus/runs" / run / "routing/rows.jsonl", '{"index":0,"ref":"part"}\n')
        _write(root / ".omniscitus/runs" / run / "routing/cases.jsonl", '{"ref":"skill/gpt/t1"}\n')
        _write(root / ".omniscitus/runs" / run / "run.json", "{}")
    monkeypatch.chdir(root)
    monkeypatch.setenv(COMPLETE_VARIABLE, "bash_complete")
    return root


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def offered(*words: str) -> list[str]:
    """What may stand for the last word, with the kind of path that a shell is to look for itself."""
    kind = get_completion_class("bash")
    assert kind is not None
    *before, last = words
    items = kind(cli, {}, "scaffold", COMPLETE_VARIABLE).get_completions(before, last)
    return [item.value if item.type == "plain" else item.type for item in items]


SUITES = ["echo", "routing", "reply", "chat"]
CASES = ["en/first", "en/second", "skill/gpt/t1"]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        pytest.param(("",), list(COMMANDS), id="commands"),
        pytest.param(("val",), ["validate"], id="a command"),
        pytest.param(("--de",), ["--debug"], id="an option of all"),
        pytest.param(("run", "--allow-w"), ["--allow-warn"], id="an option"),
        pytest.param(("run", "--category", "e"), ["element", "edge"], id="a choice"),
        pytest.param(("run", ""), SUITES, id="suites"),
        pytest.param(("run", "chat", "r"), ["routing", "reply"], id="more suites"),
        pytest.param(("run", "./ev"), ["file"], id="the path of a suite"),
        pytest.param(("run", "-k", "en/"), CASES[:2], id="cases by a word"),
        pytest.param(("run", "--resume", ""), [*reversed(RUNS)], id="a run to go on with"),
        pytest.param(("bench", ""), ["echo"], id="fixtures"),
        pytest.param(("show", ""), [*CASES, *reversed(RUNS)], id="a case or a run"),
        pytest.param(("show", RUNS[0], ""), ["old", "skill/gpt/t1"], id="a case of a run"),
        pytest.param(("show", "--suite", "rep"), ["reply"], id="the suite of a run"),
        pytest.param(("compare", RUNS[0], "20261130"), [RUNS[1]], id="a second run"),
        pytest.param(("review", "list", ""), [*reversed(RUNS)], id="a run of a subcommand"),
        pytest.param(("review", "show", "--run", RUNS[0], ""), ["old", "skill/gpt/t1"], id="a ref"),
        pytest.param(("schema", "gr"), ["grid"], id="a format"),
        pytest.param(("completion", ""), ["bash", "zsh", "fish"], id="a shell"),
    ],
)
def test_names_are_offered(project: Path, words: tuple[str, ...], expected: list[str]) -> None:
    """Those that fit the place, and none that a shell would take for more than a word."""
    assert sorted(offered(*words)) == sorted(expected)


@pytest.mark.parametrize(
    "config", ["suites: [", "suites: 3", "suites: {a: 1}", "\nsuites:\n- 3", "[]"], ids=str
)
def test_a_broken_project_offers_what_it_can(project: Path, config: str) -> None:
    """A shell is no place for complaints."""
    (project / ".omniscitus/config.yaml").write_text(config)
    assert sorted(offered("run", "")) == sorted(SUITES[:3])


def test_outside_of_a_project_there_is_nothing(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor where there has been no run."""
    monkeypatch.chdir(tmp_path)
    assert [offered("run", ""), offered("show", ""), offered("bench", "")] == [[], [], []]


@pytest.mark.parametrize("command", ["run", "validate", "show", "review", "bench", "compare", "report"])
def test_no_file_format_is_loaded(project: Path, command: str) -> None:
    """Every press of the key starts the program: it loads neither pydantic nor a client."""
    code = (
        "import sys, scaffold.__main__ as m; m.run([]); "
        "heavy = {'pydantic', 'openai', 'anthropic', 'jinja2', 'quickjs', 'rich'} & set(sys.modules); "
        "sys.exit(str(heavy) if heavy else len(sys.modules) // 200)"
    )
    environment = {
        COMPLETE_VARIABLE: "bash_complete",
        "COMP_WORDS": f"scaffold {command} ",
        "COMP_CWORD": "2",
    }
    (project / ".omniscitus/config.yaml").unlink()
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={"PATH": "", **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("plain,")
