import errno
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from judges.core.errors import ConfigError, Problem, ProcessError, ProviderError, ReplyError, ScaffoldError
from judges.core.verdict import ExitCode
from scaffold import process as process_module
from scaffold.__main__ import run
from scaffold.cli import COMMANDS, cli

HEAVY = {
    "anthropic", "cookiecutter", "genai_prices", "jinja2", "jsonschema", "openai", "pydantic", "quickjs",
    "rich", "tabulate", "yaml",
}  # fmt: skip


def _commands() -> Iterator[tuple[str, click.Command]]:
    context = click.Context(cli)
    for name in COMMANDS:
        command = cli.get_command(context, name)
        assert command is not None
        yield name, command


def _tree(name: str, command: click.Command) -> Iterator[tuple[str, click.Command]]:
    """The command, and all that are below it."""
    yield name, command
    if isinstance(command, click.Group):
        context = click.Context(command)
        for word in command.list_commands(context):
            inner = command.get_command(context, word)
            assert inner is not None
            yield from _tree(f"{name} {word}", inner)


def _raise(monkeypatch: pytest.MonkeyPatch, error: BaseException | int) -> None:
    """Put a command line in place whose only command raises this, or returns it."""

    @click.command()
    @click.option("--debug", is_flag=True)
    def command(debug: bool) -> int:
        if isinstance(error, BaseException):
            raise error
        return error

    monkeypatch.setattr(process_module, "cli", command)


def _modules_after(*arguments: str) -> set[str]:
    """Names of the top-level modules that a fresh interpreter has loaded after the command."""
    code = (
        "import json, sys; from scaffold.__main__ import run; "
        f"run({list(arguments)!r}); print(json.dumps(sorted(sys.modules)), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return {name.split(".")[0] for name in json.loads(done.stderr)}


@pytest.mark.parametrize("argument", ["--help", "--version"])
def test_help_loads_nothing_heavy(argument: str) -> None:
    """No SDK, no model of a file format, no template engine: the first answer comes at once."""
    assert not _modules_after(argument) & HEAVY


def test_help_loads_few_modules() -> None:
    """Counted, since time depends on the machine: Python itself has some 35, click needs most others."""
    code = "import sys; from scaffold.__main__ import run; run(['--help']); sys.exit(len(sys.modules))"
    assert (
        subprocess.run([sys.executable, "-c", code], stdout=subprocess.DEVNULL, check=False).returncode < 150
    )


def test_help_names_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    """The table of contents is the order in which people meet the commands."""
    assert run(["--help"]) == 0
    listed = capsys.readouterr().out.split("Commands:")[1].split("\n")
    names = [line.split()[0] for line in listed if line.startswith("  ") and line[2] != " "]
    assert names == list(COMMANDS)


def test_a_summary_is_the_command_s_own() -> None:
    """The table, which spares an import, says the same as each command."""
    assert {name: command.short_help for name, command in _commands()} == COMMANDS


def test_every_command_has_its_name() -> None:
    """A module of a command offers it under the name that they all have."""
    assert {command.name for _, command in _commands()} == {"command"}


TREE = dict(_tree("scaffold", cli))


def test_the_tree_has_the_commands_of_groups() -> None:
    """What is looked at is all that can be called."""
    assert {"scaffold", "scaffold run", "scaffold cache prune", "scaffold review serve"} <= TREE.keys()
    assert len(TREE) > len(COMMANDS) + 10


@pytest.mark.parametrize("name", TREE)
def test_everything_has_a_help_text(name: str) -> None:
    """Commands explain themselves in more than their summary's place, and no option is silent."""
    command = TREE[name]
    assert command.help
    options = [option for option in command.params if isinstance(option, click.Option)]
    silent = [option.opts for option in options if not (option.help or "").rstrip().endswith((".", "]"))]
    assert not silent


@pytest.mark.parametrize("name", TREE)
def test_every_command_shows_its_help(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """With both spellings, whole at 80 columns."""
    for flag in ("-h", "--help"):
        assert run([*name.split()[1:], flag]) == 0
        shown = capsys.readouterr().out
        assert shown.startswith(f"Usage: {name} ")
        assert max(map(len, shown.splitlines())) <= 80


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["rum"], "No such command 'rum'. Did you mean 'run'?"),
        (["addprompt"], "Did you mean 'add-prompt'?"),
        (["xyzzy"], "No such command 'xyzzy'. See 'scaffold --help' for the commands."),
        (["--verbos"], "No such option '--verbos'."),
        (["run", "--dry-rum"], "No such option '--dry-rum'. Did you mean '--dry-run'?"),
        (["validate", "--strikt"], "Did you mean '--strict'?"),
        (["run", "--concurrency", "none"], "'none' is not a valid integer range."),
        (["schema", "prompt-meta", "more"], "Got unexpected extra argument (more)"),
        (["schema", "confg"], "'confg' is not one of 'prompt-meta', 'cases', 'overrides', 'outputs',"),
    ],
)
def test_a_wrong_word_is_named_with_what_was_meant(
    capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    """Usage errors exit 2 and show the right word where there is one."""
    assert run(arguments) == 2
    shown = capsys.readouterr()
    assert message in shown.err
    assert shown.out == ""


PROBLEMS = ConfigError(
    [Problem("is wrong", "a.yaml", 3, 7, "judge.model", "mend it"), Problem("is gone", "b.yaml")]
)


@pytest.mark.parametrize(
    ("error", "code", "shown"),
    [
        pytest.param(
            PROBLEMS,
            2,
            "Error: a.yaml:3:7: judge.model: is wrong (mend it)\nError: b.yaml: is gone\n",
            id="configuration",
        ),
        pytest.param(ScaffoldError("no templates"), 3, "Error: no templates\n", id="any of ours"),
        pytest.param(ProviderError("HTTP 500", status=500), 3, "Error: HTTP 500\n", id="endpoint"),
        pytest.param(ProcessError("crashed", exit_code=9), 3, "Error: crashed\n", id="process"),
        pytest.param(ReplyError("no JSON"), 3, "Error: no JSON\n", id="reply"),
        pytest.param(
            PermissionError(errno.EACCES, "Permission denied", "/x/y"),
            3,
            "Error: /x/y: Permission denied\n",
            id="file",
        ),
        pytest.param(
            OSError(errno.ENOSPC, "No space left on device"), 3, "Error: No space left on device\n", id="disk"
        ),
        pytest.param(OSError("odd"), 3, "Error: odd\n", id="system, without a number"),
        pytest.param(
            click.UsageError("what?"),
            2,
            "Usage: scaffold [OPTIONS]\nTry 'scaffold --help' for help.\n\nError: what?\n",
            id="usage",
        ),
        pytest.param(
            click.FileError("f", "is locked"), 2, "Error: Could not open file 'f': is locked\n", id="open"
        ),
        pytest.param(click.Abort(), 130, "Interrupted.\n", id="abort"),
        pytest.param(KeyboardInterrupt(), 130, "\nInterrupted.\n", id="ctrl-c"),
        pytest.param(EOFError(), 130, "\nInterrupted.\n", id="end of input"),
        pytest.param(BrokenPipeError(errno.EPIPE, "Broken pipe"), 3, "", id="closed pipe"),
        pytest.param(
            KeyError("x"),
            70,
            "Internal error: KeyError: 'x'\nThis is a defect of scaffold, not of your files. Run the command "
            "again as 'scaffold --debug …' and report what it prints.\n",
            id="defect",
        ),
    ],
)
def test_every_error_has_an_exit_code_and_a_sentence(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    error: BaseException,
    code: int,
    shown: str,
) -> None:
    """No traceback, nothing on standard output."""
    monkeypatch.setattr(sys, "stdout", sys.stdout)  # click replaces it when a pipe is closed
    monkeypatch.setattr(sys, "stderr", sys.stderr)
    _raise(monkeypatch, error)
    assert run([]) == code
    assert capsys.readouterr() == ("", shown)


@pytest.mark.parametrize("code", ExitCode)
def test_what_a_command_returns_is_the_exit_code(monkeypatch: pytest.MonkeyPatch, code: ExitCode) -> None:
    """Verdicts are no errors: they are returned."""
    _raise(monkeypatch, code)
    assert run([]) == code


@pytest.mark.parametrize("way", ["flag", "environment"])
def test_debug_shows_the_traceback(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], way: str
) -> None:
    """For those who report a defect, in addition to the sentence."""
    _raise(monkeypatch, ConfigError("is wrong"))
    if way == "environment":
        monkeypatch.setenv("SCAFFOLD_DEBUG", "1")
    assert run(["--debug"] if way == "flag" else []) == 2
    shown = capsys.readouterr().err
    assert shown.startswith("Traceback")
    assert shown.endswith("Error: is wrong\n")


def _script(body: str) -> list[str]:
    """Return the command that runs the program with `command()` as the whole command line."""
    head = (
        "import click, sys, time\nfrom scaffold import __main__, process\n@click.command()\ndef command():\n"
    )
    return [sys.executable, "-c", f"{head}    {body}\nprocess.cli = command\n__main__.main()\n"]


@pytest.mark.parametrize(
    ("body", "code"),
    [
        pytest.param("sys.stdout.write('x'); return 0", 0, id="passed"),
        pytest.param("sys.stdout.write('x'); return 1", 1, id="failed"),
        pytest.param("click.echo('x'); return 0", 3, id="not finished"),
        pytest.param("sys.stdout.write('x' * 10**6); return 0", 3, id="not finished, more than a buffer"),
    ],
)
def test_a_reader_who_has_gone_never_makes_a_pass(
    monkeypatch: pytest.MonkeyPatch, body: str, code: int
) -> None:
    """`scaffold run | head`: a known verdict stands, an unfinished command is no success, all is quiet."""
    monkeypatch.delenv("PYTHONUNBUFFERED", raising=False)
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(_script(body), stdout=writer, stderr=subprocess.PIPE, timeout=60, check=False)
    os.close(writer)
    assert (done.returncode, done.stderr) == (code, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="/dev/full is a device of Linux")
@pytest.mark.parametrize("write", ["sys.stdout.write('x')", "click.echo('x')", "click.echo('x' * 10**6)"])
def test_a_full_disk_is_told(monkeypatch: pytest.MonkeyPatch, write: str) -> None:
    """Output that cannot be written is an error, even if the verdict was good, and is named."""
    monkeypatch.delenv("PYTHONUNBUFFERED", raising=False)
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(_script(write), stdout=full, stderr=subprocess.PIPE, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (3, b"Error: standard output: No space left on device\n")


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "utf-8"])
def test_any_text_can_be_printed(monkeypatch: pytest.MonkeyPatch, encoding: str) -> None:
    """A pipe gets UTF-8, whatever the system has; half a surrogate pair, which has none, is an escape."""
    monkeypatch.setenv("PYTHONIOENCODING", encoding)
    script = _script(r"click.echo('\u00fc \U0001f600 \ud800')")
    done = subprocess.run(script, capture_output=True, timeout=60, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "ü 😀 \\ud800\n".encode(), b"")


def test_a_terminal_keeps_its_encoding(monkeypatch: pytest.MonkeyPatch) -> None:
    """What it cannot show becomes an escape there."""
    monkeypatch.setenv("PYTHONIOENCODING", "latin-1")
    ours, theirs = os.openpty()
    script = _script(r"click.echo('\u00fc \U0001f600')")
    done = subprocess.run(script, stdout=theirs, stderr=subprocess.PIPE, timeout=60, check=False)
    os.close(theirs)
    assert (done.returncode, os.read(ours, 100), done.stderr) == (0, b"\xfc \\U0001f600\r\n", b"")
    os.close(ours)


def test_ctrl_c_ends_with_130() -> None:
    """A signal in the middle of work gives one word and the usual code."""
    script = _script("click.echo('ready'); time.sleep(60)")
    with subprocess.Popen(script, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        process.send_signal(signal.SIGINT)
        _, shown = process.communicate(timeout=60)
    assert (process.returncode, shown.split()) == (130, [b"Interrupted."])


@pytest.mark.parametrize(
    "module", ["click", "judges.core.errors", "scaffold.cli.validate", "judges.files.yaml"]
)
def test_ctrl_c_while_modules_are_imported(module: str) -> None:
    """Who is that quick sees no traceback either, whatever was about to be imported."""
    script = f"""
import sys
from importlib.abc import MetaPathFinder

class Interrupted(MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name == {module!r}:
            raise KeyboardInterrupt

sys.meta_path.insert(0, Interrupted())
sys.argv = ["scaffold", "validate"]
from scaffold.__main__ import main
main()
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, timeout=60, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (130, b"", b"\nInterrupted.\n")
