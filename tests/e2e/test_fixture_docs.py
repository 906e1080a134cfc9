"""What the pages on fixtures show is what happens."""

import re
import shlex
from pathlib import Path

import click
import pytest
from claude_client import RealClaude
from claude_stub import ClaudeStub, Variants, say, tool
from command_line import Cli

from judges.files.fixture import parse_fixture
from judges.run.fixture_checks import check_patterns
from scaffold.cli import cli as group

DOCS = Path(__file__).parents[2] / "docs"
PAGES = ("how-to/fixtures.md", "how-to/from-the-javascript-harness.md", "explanation/isolation.md")
PAGE = (DOCS / PAGES[0]).read_text(encoding="utf-8")
(EXAMPLE,) = re.findall(r"^```markdown\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
(SHOWN,) = re.findall(
    r"^```console\n\$ scaffold run smoke-echo --live [^\n]*\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL
)


def commands() -> list[str]:
    """The commands that the pages name in full."""
    text = "\n".join((DOCS / page).read_text(encoding="utf-8") for page in PAGES)
    shown = re.findall(r"^\$ (scaffold [^#\n]*)", text, re.MULTILINE)
    named = re.findall(r"`(?:RUN_LLM_BENCH=1 )?(scaffold [a-z-]+ [^`]*|scaffold bench)`", text)
    return sorted({each.strip() for each in (*shown, *named)})


@pytest.mark.parametrize("command", commands())
def test_commands_exist(command: str) -> None:
    """Every command line parses: the command and its options are there."""
    name, *arguments = shlex.split(command)[1:]
    context = click.Context(group, **group.context_settings)
    found = group.get_command(context, name)
    assert found is not None
    found.make_context(name, arguments, parent=context)


def test_there_are_commands_to_look_at() -> None:
    """The pages name those that they are about."""
    assert {shlex.split(each)[1] for each in commands()} >= {"bench", "bench-one", "grade", "run", "show"}


@pytest.mark.client
def test_the_example_gives_what_is_shown(
    cli: Cli,
    claude_stub: ClaudeStub,
    real_claude: RealClaude,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The fixture of the page, with a model that forgets the agreed form once in three times."""
    suite = parse_fixture(EXAMPLE, tmp_path / "smoke-echo.fixture.md")
    check_patterns(suite)
    call = say(tool("Bash", command="echo hello"))
    good, bad = [call, say("STATUS: OK")], [call, say("It printed hello.")]
    real_claude(claude_stub({suite.body.strip(): Variants(good, bad, good)}))
    suite.path.write_text(EXAMPLE)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    done = cli("run", suite.path, "--live", "-q")
    assert (done.code, done.out[: len(SHOWN)]) == (0, SHOWN)
