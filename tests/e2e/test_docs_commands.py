"""Every command that README and docs show is run by a test, or at least read by the program's own parser."""

import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import click
import pytest
from command_line import SUITE, Cli
from loopback import Loopback, anthropic_text
from markdown_it import MarkdownIt
from test_private import answer

from scaffold.cli import cli as group

ROOT = Path(__file__).parents[2]
PAGES = sorted({ROOT / "README.md", *(ROOT / "docs").rglob("*.md")} - {ROOT / "docs/reference/cli.md"})
FOLLOWED = (Path(__file__).parent / "test_docs.py").read_text("utf-8")
"""The tests that run whole pages, script by script; they name each page."""
GREETING = Path(".omniscitus/tests/prompts/greeting/prompt-meta.yaml")

IN_THE_EXAMPLE = {
    "scaffold run --quiet": 1,
    "scaffold run --yes": 1,
    "scaffold run --dry-run": 0,
    "scaffold run --failed": 1,
    "scaffold run --judge gpt-4o": 1,
    "scaffold run --max-cost-usd 2 --junit junit.xml": 1,
    "scaffold run --max-cost-usd 5 --junit prompt-tests.xml": 1,
    "scaffold run --record-all": 1,
    "scaffold run --recorded": 1,
    "scaffold run --recorded --junit prompt-tests.xml": 1,
    "scaffold run --resume RUN": 1,
    "scaffold validate --strict": 0,
    "scaffold show where-is-my-order": 0,
    "scaffold show where-is-my-order --prompt": 0,
    "scaffold compare RUN RUN": 0,
    "scaffold qualify SUITE": 4,  # 12 outputs are too few to tell
    "scaffold qualify support-reply": 4,
    "scaffold review list": 0,
    "scaffold report --html report.html": 0,
    "scaffold report 20261130T131400Z-ab12 20261201T090000Z-cd34 --html both.html": 0,
    "scaffold report --against 20261130T131400Z-ab12 --html report.html": 0,
}
"""Exit codes in a copy of the example that was run twice, with models that answer."""
WITH_MODELS = {
    "scaffold baseline accept RUN": 0,
    "scaffold baseline show": 0,
    "scaffold init": 0,
    "scaffold add-prompt support-reply --target prompts/support-reply.md": 0,
    "scaffold run notes": 1,
    "scaffold run greeting --model openai:gpt-4.1-mini --model anthropic:claude-haiku-4-5": 0,
}
"""Exit codes in a project with suites of several types, with models that answer."""
ELSEWHERE = {
    "scaffold run smoke-echo --live": "the real client: test_fixture_docs.py",
    "scaffold show smoke-echo": "the real client: test_fixture_real_client.py",
    "scaffold show smoke-echo --prompt": "the real client: test_fixture_real_client.py",
    "scaffold bench --live": "sessions: test_fixture_runs.py",
    "scaffold grade RUN": "test_fixture_grade.py",
    "scaffold gate plan --target NAME": "test_gate.py",
    "scaffold project --check": "test_docs.py",
    "scaffold gate run --target triage --candidate-file '$edit/commands/triage.md' --target-task "
    "'$edit/target.json' --null-control --max-cost-usd 2 --quiet": "test_docs.py, in its workflow",
    "scaffold model install": "130 MB: make test-local",
    "scaffold run --judge local:smollm2": "130 MB: test_local_judge.py",
    "scaffold run --judge 'local:~/models/qwen3-8b-q4_k_m.gguf'": "a model of the reader's own",
}
"""What is not run here, and why; its options are parsed."""
_LINE = re.compile(r"^\s*(?:- )?(?:run: )?(?:\$ )?(?:[A-Z_]+=\S+ )*(scaffold [^#\n]*)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Shown:
    """A command in a page: in a script that is run with it, in any other block, or within a sentence."""

    page: str
    command: str
    place: str


def followed(page: str) -> bool:
    """Tell whether a test runs the scripts of a page, all in turn."""
    return f'"{page.removeprefix("docs/")}"' in FOLLOWED


def shown() -> Iterator[Shown]:
    """Yield all commands of all pages."""
    for path in PAGES:
        page = str(path.relative_to(ROOT))
        for token in MarkdownIt().parse(path.read_text("utf-8")):
            if token.type in ("fence", "code_block") and token.info != "text":
                script = token.info == "sh" and followed(page)
                for command in _LINE.findall(token.content.replace("\\\n", " ")):
                    yield Shown(page, _cut(command), "script" if script else "block")
            for inner in token.children or ():
                found = _LINE.match(inner.content) if inner.type == "code_inline" else None
                if found:
                    yield Shown(page, found[1].strip(), "sentence")


def _cut(command: str) -> str:
    """A command without what the shell makes of its output, or runs after it."""
    words = shlex.shlex(command, posix=True, punctuation_chars=True)
    words.whitespace_split = True
    mine: list[str] = []
    for word in words:
        if set(word) <= set("();<>|&"):
            break
        mine.append(word)
    return shlex.join(mine)


ALL = list(shown())
BLOCKS = {each.command for each in ALL if each.place == "block"}
SENTENCES = {each.command for each in ALL if each.place == "sentence" and "--debug" not in each.command}


def test_every_command_is_accounted_for() -> None:
    """One that is new in a page is run here, or says why not; one that has left the pages leaves here."""
    assert {*IN_THE_EXAMPLE, *WITH_MODELS, *ELSEWHERE} == BLOCKS
    assert len(ELSEWHERE) == 11
    assert len(SENTENCES) > 40


def test_pages_are_followed_as_they_are_written() -> None:
    """All that have scripts, but one: the ids of runs in it are those of nobody else."""
    scripts = {path.relative_to(ROOT) for path in PAGES if "\n```sh\n" in path.read_text("utf-8")}
    assert [str(page) for page in scripts if not followed(str(page))] == ["docs/how-to/share-a-report.md"]


def find(words: list[str]) -> tuple[click.Command, click.Context, list[str]]:
    """The command that the words name, its context, and the words that are left for it."""
    found: click.Command = group
    context = click.Context(group, info_name="scaffold", **group.context_settings)
    while words and isinstance(found, click.Group):
        name, *words = words
        inner = found.get_command(context, name)
        assert inner is not None, name
        found, context = inner, click.Context(inner, context, info_name=name)
    return found, context, words


@pytest.mark.parametrize("command", sorted(SENTENCES))
def test_what_a_sentence_names_is_there(command: str) -> None:
    """The command, and its options, be it without their values."""
    found, context, words = find(shlex.split(command)[1:])
    options = {name for each in found.get_params(context) for name in (*each.opts, *each.secondary_opts)}
    assert {word for word in words if word.startswith("-")} <= options


@pytest.mark.parametrize("command", ELSEWHERE)
def test_what_is_not_run_here_is_parsed(command: str) -> None:
    """The command takes these options and arguments."""
    found, context, words = find(shlex.split(command)[1:])
    found.make_context(found.name, words, parent=context.parent)


@pytest.fixture
def models(loopback: Loopback, monkeypatch: pytest.MonkeyPatch) -> None:
    """Models of both vendors; as judges they say what is offered first, or highest."""
    server = loopback(
        lambda body: (
            anthropic_text("Hello Ann")
            if body["model"].startswith("claude") and "output_config" not in body
            else answer(body)
        )
    )
    for vendor in ("OPENAI", "ANTHROPIC"):
        monkeypatch.setenv(f"{vendor}_BASE_URL", server.url)
        monkeypatch.setenv(f"{vendor}_API_KEY", "sk-test")


@pytest.fixture(scope="module")
def example(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the example, run twice, with its ratings as if they had been given blindly."""
    folder = tmp_path_factory.mktemp("commands") / "example"
    shutil.copytree(ROOT / "examples/support-reply", folder, ignore=shutil.ignore_patterns("runs", "cache"))
    ratings = folder / ".omniscitus/tests/prompts/support-reply/ratings.jsonl"
    ratings.write_text(re.sub(r'"blind": ?false', '"blind": true', ratings.read_text("utf-8")))
    for _ in range(2):
        command = [sys.executable, "-m", "scaffold", "run", "--quiet"]
        assert subprocess.run(command, cwd=folder, capture_output=True, check=False).returncode == 1
    return folder


def fill_in(command: str, folder: Path) -> list[str]:
    """The words of a command, with names for its placeholders: the two oldest runs, in turn."""
    runs = [path.name for path in sorted((folder / ".omniscitus/runs").iterdir())]
    names = {"SUITE": "support-reply", "20261130T131400Z-ab12": runs[0], "20261201T090000Z-cd34": runs[-1]}
    turn = iter(runs)
    return [next(turn) if word == "RUN" else names.get(word, word) for word in shlex.split(command)[1:]]


@pytest.mark.usefixtures("models")
@pytest.mark.parametrize("command", IN_THE_EXAMPLE)
def test_it_works_in_the_example(
    cli: Cli, example: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    """What README and pages show of any project."""
    monkeypatch.chdir(example)
    done = cli(*fill_in(command, example))
    assert done.code == IN_THE_EXAMPLE[command], done.err


@pytest.mark.usefixtures("models")
def test_it_works_with_models(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What takes a key, or a suite of another type, one after the other in a project of its own."""
    monkeypatch.chdir(tmp_path)
    Path("prompts").mkdir()
    Path("prompts/support-reply.md").write_text("Answer {message}.")
    Path("prompt.md").write_text("Greet {name}.")
    for suite in (["notes"], ["summary", "--type", "regression"]):
        assert cli("add-prompt", *suite, "--no-input").code == 0
    GREETING.parent.mkdir()
    GREETING.write_text(SUITE)
    cli("run", "summary", "-q")
    codes = {command: cli(*fill_in(command, tmp_path)).code for command in WITH_MODELS}
    assert codes == WITH_MODELS
