"""`scaffold doctor`: the programs that suites need, which of them are there, and whether they answer."""

import sys
import time
from pathlib import Path

import pytest
from command_line import Cli
from doctor_findings import FIXTURE, KEY, SUITE, Install, edit, found, missing
from loopback import Server

from scaffold.doctor import tools as tools_module

pytestmark = pytest.mark.usefixtures("install")


@pytest.mark.parametrize(
    ("runner", "needed"),
    [
        pytest.param("run.py", [], id="Python"),
        pytest.param("run.mjs", ["node"], id="JavaScript"),
        pytest.param("run.ts", ["node", "tsx"], id="TypeScript"),
        pytest.param("run.sh", ["run.sh"], id="may not be executed"),
    ],
)
def test_programs_of_runners(
    cli: Cli, project: Path, seeing_judge: Server, runner: str, needed: list[str]
) -> None:
    """What a runner needs is missing where it is not installed."""
    edit(project, "model: openai:gpt-4o-mini", f"runner: {runner}")
    edit(project, ", output: Hello Ann", "")
    (project / SUITE).with_name(runner).write_text("")
    result = cli("doctor", "--offline", "--json")
    assert missing(result) == needed
    if needed == ["node", "tsx"]:
        assert found(result, "tsx") == (
            "missing", "not found, but greeting needs it", "npm install --save-dev tsx",
        )  # fmt: skip


def test_a_fixture_needs_claude(cli: Cli, project: Path, seeing_judge: Server) -> None:
    """Tests of headless sessions run the program itself."""
    fixture = project / ".omniscitus/tests/sessions/smoke.fixture.md"
    fixture.parent.mkdir()
    fixture.write_text(FIXTURE)
    assert missing(cli("doctor", "--offline", "--json")) == ["claude"]


CLAUDE = """
echo "$# $1 $HOME $CLAUDE_CONFIG_DIR" >> {said}
if test "$1" = --version; then echo "2.1.332 (Claude Code)"; else echo '{{"loggedIn": {logged_in}}}'; fi
"""


@pytest.mark.usefixtures("project")
def test_claude_is_asked_for_its_version_alone(
    cli: Cli, install: Install, seeing_judge: Server, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """With a home of its own: the user's settings of it are neither read nor changed."""
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "mine"))
    install("claude", CLAUDE.format(said=tmp_path / "said", logged_in="true"))
    _, text, _ = found(cli("doctor", "--offline", "--json"), "claude")
    assert text.startswith(
        "2.1.332 (for fixtures and claude-cli: models); no key is set, and it was not asked"
    )
    (line,) = (tmp_path / "said").read_text().splitlines()
    count, flag, home, settings = line.split()
    assert (count, flag) == ("1", "--version")
    assert home == settings
    assert "mine" not in settings
    assert not Path(home).exists()


@pytest.mark.parametrize(
    ("isolation", "logged_in", "key", "status", "words"),
    [
        pytest.param("host", "true", "", "ok", "logged in by itself", id="own login"),
        pytest.param("host", "false", "", "missing", "not logged in", id="no login"),
        pytest.param("sealed", "false", KEY, "ok", "logged in by a key", id="a key"),
        pytest.param(
            "host", "maybe", "", "ok", "it does not tell whether it is logged in", id="an old version"
        ),
        pytest.param(
            "sealed",
            "true",
            "",
            "missing",
            "a session with isolation: sealed needs a key or a token, and neither is set: smoke",
            id="a login that is shut out",
        ),
    ],
)
def test_the_login_of_claude(
    cli: Cli,
    project: Path,
    install: Install,
    seeing_judge: Server,
    monkeypatch: pytest.MonkeyPatch,
    isolation: str,
    logged_in: str,
    key: str,
    status: str,
    words: str,
) -> None:
    """Where a fixture needs it, it has to be logged in, by whatever it is."""
    monkeypatch.setenv("ANTHROPIC_API_KEY", key)
    fixture = project / ".omniscitus/tests/sessions/smoke.fixture.md"
    fixture.parent.mkdir()
    fixture.write_text(FIXTURE.replace("model:", f"isolation: {isolation}\nmodel:"))
    install("claude", CLAUDE.format(said=project / "said", logged_in=logged_in))
    found_status, text, _ = found(cli("doctor", "--json"), "claude")
    assert (found_status, words in text) == (status, True)


@pytest.mark.usefixtures("project")
@pytest.mark.parametrize(
    "script",
    ["exit 1", "true", "while true; do :; done", "(while true; do :; done) & wait"],
    ids=["fails", "says nothing", "hangs", "leaves a child that hangs"],
)
def test_a_program_that_does_not_answer(
    cli: Cli, install: Install, seeing_judge: Server, monkeypatch: pytest.MonkeyPatch, script: str
) -> None:
    """It counts as not found, and is not waited for."""
    monkeypatch.setattr(tools_module, "SECONDS", 0.5)
    install("node", script)
    started = time.monotonic()
    result = cli("doctor", "--offline", "--json")
    assert found(result, "node")[0] == "note"
    assert time.monotonic() - started < 20


@pytest.mark.usefixtures("project")
def test_this_python(cli: Cli) -> None:
    """Which program it is that speaks."""
    version = ".".join(map(str, sys.version_info[:3]))
    assert found(cli("doctor", "--offline", "--json"), "Python")[1] == f"{version} at {sys.executable}"
