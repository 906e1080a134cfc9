"""The real runtime and the packaged model: a judge without a key or a network, whose verdicts are none."""

import json
import os
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.error import HTTPError, URLError

import pytest
from command_line import Cli

from judges.providers import Message, Request
from judges.providers.local.chat import LocalChat, open_local
from judges.providers.local.models import PACKAGED, model_path
from judges.providers.local.process import LocalServer, server_command

pytestmark = pytest.mark.local
MODEL = model_path(PACKAGED[0], os.environ)  # before the tests get a HOME of their own
SMOKE = "unjudged (smoke judge)"


@pytest.fixture(autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache folder of the test's own, in which the model is installed."""
    if find_spec("xllamacpp") is None or not MODEL.is_file():
        pytest.fail(
            "this test runs a model on this machine: make test-local gets what it takes (130 MB), or run "
            "pip install -e '.[local]' && scaffold model install"
        )
    folder = tmp_path_factory.mktemp("cache")
    (folder / "prompt-scaffold/models").mkdir(parents=True)
    (folder / "prompt-scaffold/models" / MODEL.name).symlink_to(MODEL)
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder))
    return folder


def log_of(cache: Path) -> str:
    return (cache / "prompt-scaffold/logs" / f"{MODEL.stem}.log").read_text()


def starts(cache: Path) -> int:
    return log_of(cache).count(" UTC: ")


def within(seconds: float, holds: Callable[[], bool]) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if holds():
            return True
        time.sleep(0.1)
    return False


def is_listening(url: str) -> bool:
    try:
        urllib.request.urlopen(f"{url.removesuffix('/v1')}/health", timeout=5).close()
    except HTTPError:
        return True
    except (URLError, OSError):
        return False
    return True


@pytest.fixture
def suite_file(project: Path) -> Path:
    """The suite `greeting`, with as much time as a busy machine takes."""
    file = project / ".omniscitus/tests/prompts/greeting/prompt-meta.yaml"
    file.write_text(file.read_text().replace("timeout_seconds: 5", "timeout_seconds: 300"))
    return file


@pytest.mark.usefixtures("suite_file")
def test_judges_live_and_decides_nothing(cli: Cli, cache: Path) -> None:
    """One real call: levels and probabilities are there, every verdict is an ERROR, and it cost nothing."""
    result = cli("run", "greeting", "--judge", "local:smollm2", "--json", "-", "--quiet", "--no-cache")
    report = result.report
    (suite,) = report["suites"]
    (case,) = suite["cases"]
    rows = {row["id"]: row for row in case["rows"]}
    assert (result.code, report["verdict"], case["verdict"]) == (3, "ERROR", "ERROR")
    assert (case["score"], case["judged_score"]) == (None, None)
    assert rows["checks.not_empty"]["verdict"] == "PASS"
    assert {rows[name]["error"] for name in ("criteria.tone", "criteria.safety", "score")} == {SMOKE}
    assert case["criteria"]["tone"]["level"] in (1, 2, 3)
    assert case["criteria"]["safety"]["level"] in (1, 2)
    assert suite["notices"][0]["text"].startswith("local:smollm2 is a smoke judge: no better than chance")
    assert (report["usage"]["calls"], report["usage"]["cost_usd"]) == (1, 0)
    assert report["usage"]["input_tokens"] > 500
    read = [row["probabilities"] for row in rows.values() if "probabilities" in row]
    assert read
    assert all(sum(shares.values()) == pytest.approx(1) for shares in read)
    assert starts(cache) == 1
    assert "Ann" not in log_of(cache)


def test_writes_and_judges_with_one_server(cli: Cli, project: Path, suite_file: Path, cache: Path) -> None:
    """Model under test and judge are one process, within a budget of nothing; the table tells the worth."""
    (project / "prompt.md").write_text("Hello {name}")
    suite_file.write_text(suite_file.read_text().replace(", output: Hello Ann", ""))
    model = "local:smollm2"
    result = cli("run", "--model", model, "--judge", model, "--quiet", "--no-cache", "--max-cost-usd", "0")
    assert result.code == 3
    assert f"note: {model} is a smoke judge" in result.out
    assert SMOKE in result.out
    assert "2 calls" in result.out
    assert "0.00 USD" in result.out
    (records,) = project.glob(".omniscitus/runs/*/greeting/records.jsonl")
    record = json.loads(records.read_text())
    assert record["source"] == model
    assert len(record["output"]) > 10
    assert starts(cache) == 1


TINY_SCHEMA = {
    "type": "object",
    "properties": {"reasoning": {"type": "string"}, "answer": {"type": "integer", "enum": [1, 2, 3]}},
    "required": ["reasoning", "answer"],
    "additionalProperties": False,
}


def ask(chat: LocalChat, said: str, **changes: Any) -> Any:
    return chat.complete(Request(model="m", messages=(Message("user", said),), temperature=0, **changes))


def test_equal_requests_have_equal_answers(tmp_path: Path) -> None:
    """A model that is no smoke judge repeats itself to the letter, whatever it was asked in between."""
    own = tmp_path / "own.gguf"
    own.symlink_to(MODEL)
    chat = open_local(str(own), os.environ)
    texts = [
        ask(chat, said, schema=TINY_SCHEMA, max_tokens=60).text
        for said in ("Rate this: 2+2=4.", "Rate this: 2+2=5, or so they say.", "Rate this: 2+2=4.")
    ]
    assert texts[0] == texts[2]
    assert json.loads(texts[0])["answer"] in (1, 2, 3)


def test_a_mark_of_a_turn_is_text() -> None:
    """The end of a turn, written within a message, takes the tokens of its letters."""
    chat = open_local("smollm2", os.environ)
    plain, marked = (ask(chat, f"a {said} b", max_tokens=1).usage for said in ("x", "<|im_end|>"))
    assert marked.input_tokens >= plain.input_tokens + 4


def test_the_server_is_closed_to_others(cache: Path) -> None:
    """It listens on loopback, asks for its key, and shows nobody the prompts of others."""
    server = LocalServer(server_command(MODEL, context=512), cache / "log")
    url = server.address().base_url
    assert url.startswith("http://127.0.0.1:")
    for path in ("/v1/models", "/slots", "/props", "/metrics"):
        with pytest.raises(HTTPError) as caught:
            urllib.request.urlopen(url.removesuffix("/v1") + path, timeout=10)
        assert caught.value.code in (401, 403, 404, 501)
        caught.value.close()


@pytest.mark.usefixtures("project")
def test_a_damaged_model(cli: Cli, tmp_path: Path) -> None:
    """A model that cannot be loaded is an ERROR of the cases, with the reason and the log."""
    cut = tmp_path / "cut.gguf"
    cut.write_bytes(MODEL.read_bytes()[:5_000_000])
    result = cli("run", "greeting", "--judge", f"local:{cut}", "--json", "-", "--quiet")
    (case,) = result.report["suites"][0]["cases"]
    said = case["rows"][1]["error"]
    assert result.code == 3
    assert said.startswith("the model's server ended (exit code 1): ")
    assert "model is corrupted or incomplete" in said
    assert said.endswith("cut.log")


def test_a_parent_that_goes_while_the_model_is_loaded() -> None:
    """The server ends also where nobody is left to be told its address."""
    command = server_command(MODEL, context=512)
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        for stream in (process.stdin, process.stdout):
            assert stream
            stream.close()
        try:
            process.wait(timeout=60)
        finally:
            process.kill()
    assert process.returncode == 0


COMMAND = (sys.executable, "-m", "scaffold", "run", "greeting", "--judge", "local:smollm2", "--no-cache")


def children(pid: int) -> list[str]:
    return [
        child
        for task in Path(f"/proc/{pid}/task").glob("*/children")
        for child in task.read_text().split()
        if "server.py" in Path(f"/proc/{child}/cmdline").read_text()
    ]


def is_running(pid: str) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.usefixtures("suite_file")
@pytest.mark.parametrize(
    ("number", "code"),
    [pytest.param(signal.SIGINT, 130, id="Ctrl-C"), pytest.param(signal.SIGKILL, -9, id="kill -9")],
)
def test_nothing_is_left_behind(project: Path, number: int, code: int) -> None:
    """Whatever ends the run in the middle of a call, the model's server is gone at once."""
    with subprocess.Popen(COMMAND, cwd=project, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert within(30, lambda: bool(children(process.pid)) or process.poll() is not None)
        assert process.poll() is None, process.communicate()
        (server,) = children(process.pid)
        process.send_signal(number)
        said = process.communicate(timeout=30)
    assert process.returncode == code, said
    assert within(5, lambda: not is_running(server))


def test_without_the_model_nothing_is_run(
    cli: Cli, project: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Exit 2, with the command to run, before anything is asked or written."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "empty"))
    result = cli("run", "greeting", "--judge", "local:smollm2")
    assert (result.code, result.out) == (2, "")
    assert "the model local:smollm2 is not installed (run: scaffold model install smollm2)" in result.err
    assert not (project / ".omniscitus/runs").exists()
