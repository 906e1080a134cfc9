"""Completion as shells use it."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from command_line import Cli

from scaffold.__main__ import run

BIN = Path(sys.executable).parent
ASK = """
source /dev/stdin <<< "$SCRIPT"
COMP_WORDS=(scaffold run gre); COMP_CWORD=2; COMPREPLY=()
_scaffold_completion scaffold
printf '%s\\n' "${COMPREPLY[@]}"
complete -p scaffold
"""


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_script_for_each_shell(cli: Cli, shell: str) -> None:
    """It asks the program in its own way, and ends with one line feed."""
    done = cli("completion", shell)
    assert (done.code, done.err) == (0, "")
    assert f"_SCAFFOLD_COMPLETE={shell}_complete" in done.out
    assert "_scaffold_completion" in done.out


def test_a_shell_that_it_does_not_know(cli: Cli) -> None:
    """It says which it knows."""
    done = cli("completion", "tcsh")
    assert (done.code, "'tcsh' is not one of 'bash', 'zsh', 'fish'." in done.err) == (2, True)


@pytest.mark.parametrize(
    ("shell", "word", "shown"),
    [
        ("bash", "gre", "plain,greeting\n"),
        ("zsh", "gre", "plain\ngreeting\n_\n"),
        ("fish", "gre", "plain,greeting\n"),
        ("bash", "x", "\n"),
    ],
)
def test_the_protocol(
    project: Path,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    shell: str,
    word: str,
    shown: str,
) -> None:
    """What a shell asks by variables is answered on standard output, and is no failure."""
    monkeypatch.setenv("_SCAFFOLD_COMPLETE", f"{shell}_complete")
    monkeypatch.setenv("COMP_WORDS", f"scaffold run {word}")
    monkeypatch.setenv("COMP_CWORD", word if shell == "fish" else "2")
    assert run([]) == 0
    assert capfd.readouterr() == (shown, "")


def test_bash_itself_completes(cli: Cli, project: Path) -> None:
    """A real bash reads the script and offers the suite."""
    bash = shutil.which("bash")
    assert bash, "needs bash"
    environment = {
        **os.environ,
        "PATH": f"{BIN}:{os.environ['PATH']}",
        "SCRIPT": cli("completion", "bash").out,
    }
    done = subprocess.run(
        [bash, "--norc", "-c", ASK], env=environment, capture_output=True, text=True, check=False, timeout=60
    )
    assert done.stderr == ""
    assert done.stdout.splitlines() == ["greeting", "complete -o nosort -F _scaffold_completion scaffold"]
