"""What the page on fixtures shows is what happens."""

import re
from pathlib import Path

import pytest
from claude_client import RealClaude
from claude_stub import ClaudeStub, Variants, say, tool
from command_line import Cli

from judges.files.fixture import parse_fixture
from judges.run.fixture_checks import check_patterns

PAGE = Path(__file__).parents[2].joinpath("docs/how-to/fixtures.md").read_text(encoding="utf-8")
(EXAMPLE,) = re.findall(r"^```markdown\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
(SHOWN,) = re.findall(
    r"^```console\n\$ scaffold run smoke-echo --live [^\n]*\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL
)


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
