"""What goes wrong with sessions: it is told, nothing passes by it, nothing is left running."""

import json
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from command_line import Cli
from fixture_project import Notes, Write, is_alive, latest
from small_disk import Disk, require_namespaces
from test_interrupted import wait_for

from judges.providers.claude.client import VARIABLE

pytestmark = pytest.mark.usefixtures("scripted_claude")

MEASURE = """
import resource, subprocess, sys
done = subprocess.run([sys.executable, "-m", "scaffold", *sys.argv[1:]], stdout=subprocess.DEVNULL)
print(done.returncode, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""


def run_case(cli: Cli, *more: str) -> dict[str, Any]:
    """Run the fixture live, and return its one case."""
    report = cli("bench", "--live", "--json", "-", "-q", *more).report
    (case,) = report["suites"][0]["cases"]
    return dict(case)


@pytest.mark.parametrize(
    ("program", "message"),
    [
        pytest.param("", "SCAFFOLD_CLAUDE is not the path of a program", id="missing"),
        pytest.param("#!/bin/sh\nexit 3\n", "--version` fails, or says nothing", id="crashing"),
    ],
)
def test_a_client_that_cannot_be_used(
    cli: Cli, fixtures: Write, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, program: str, message: str
) -> None:
    """Before anything is run, it is said what is wrong and how to install it."""
    fixtures("say STATUS: OK", runs=3)
    path = tmp_path / "client"
    if program:
        path.write_text(program)
        path.chmod(0o755)
    monkeypatch.setenv(VARIABLE, str(path))
    for command in (["bench", "demo", "--live"], ["bench-one", "demo", "r1", "--live"]):
        done = cli(*command)
        assert (done.code, done.out) == (2, "")
        assert message in done.err
        assert "npm install --global @anthropic-ai/claude-code" in done.err
    assert not Path(".omniscitus/runs").exists()


def test_nobody_is_logged_in(
    cli: Cli, fixtures: Write, notes: Notes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without key and token a sealed session is not begun; what to set, and the way around, are named."""
    fixtures("say STATUS: OK", runs=3)
    monkeypatch.delenv("ANTHROPIC_API_KEY")
    done = cli("bench", "--live")
    assert (done.code, notes.sessions) == (2, [])
    for name in ("ANTHROPIC_API_KEY", "CLAUDE_CODE_OAUTH_TOKEN", "isolation: host"):
        assert name in done.err
    fixtures("say STATUS: OK", isolation="host")
    assert (cli("bench", "--live", "-q").code, len(notes.sessions)) == (0, 1)


@pytest.mark.parametrize(
    ("order", "why"),
    [
        pytest.param("crash", "no result event; the client was ended by SIGKILL", id="killed"),
        pytest.param("exit 7", "no result event; the client exited with 7", id="exits"),
        pytest.param("sleep 30", "it took longer than its time limit", id="hangs"),
    ],
)
def test_a_session_that_does_not_come_to_its_end(cli: Cli, fixtures: Write, order: str, why: str) -> None:
    """All its rows are ERROR: nothing passes because nothing was said. Its own files tell how it ended."""
    none = "result: {must_not_match: {pattern: BAD, case_sensitive: true}}"
    fixtures(order, conditions=none, timeout_seconds=1)
    case = run_case(cli)
    assert [row["verdict"] for row in case["rows"]] == ["ERROR", "ERROR"]
    assert all(why in row["error"] for row in case["rows"])
    assert cli("bench", "--live", "-q").code == 3
    one = json.loads((latest(Path.cwd()) / "demo/r1/grade.json").read_text())
    assert one["overall"] == "ERROR"


def test_one_lost_replica_of_three(cli: Cli, fixtures: Write) -> None:
    """The others decide where they can; where they cannot, what is missing is counted and named."""
    fixtures("say STATUS: OK | crash | say STATUS: OK", runs=3)
    case = run_case(cli, "--jobs", "1")
    assert [(row["verdict"], row["pass_rate"]) for row in case["rows"]] == [("PASS", "2/3"), ("PASS", "2/3")]
    fixtures("say STATUS: OK | crash | say BAD", runs=3, quorum="2")
    case = run_case(cli, "--jobs", "1")
    assert [row["verdict"] for row in case["rows"]] == ["PASS", "ERROR"]
    assert case["rows"][1]["error"].startswith("1 passed of 2 needed, and 1 could not be measured")


def test_bytes_that_are_no_text(cli: Cli, fixtures: Write) -> None:
    """They are read as what stands for them, and the session is graded."""
    fixtures(
        "garbage",
        "say STATUS: OK",
        conditions='views: {assistant_text: {must_include: [{pattern: "caf\\ufffd", case_sensitive: true}]}}',
    )
    assert run_case(cli)["verdict"] == "PASS"


def test_a_line_of_50_megabytes(cli: Cli, fixtures: Write) -> None:
    """It is not read, so nothing about the session is known whole: ERROR, and why."""
    fixtures("line 50", "say STATUS: OK")
    case = run_case(cli)
    assert [row["verdict"] for row in case["rows"]] == ["PASS", "ERROR"]
    assert "a line of the stream is longer than 16 MB and was not read" in case["rows"][1]["error"]


def test_a_stream_of_200_megabytes(fixtures: Write, cli: Cli) -> None:
    """It goes to the disk and is read in bounded memory; the views that fit are graded."""
    fixtures("stream 200", "say STATUS: OK", timeout_seconds=60)
    command = [sys.executable, "-c", MEASURE, "bench", "--live", "-q"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    code, kilobytes = map(int, done.stdout.split())
    stream = latest(Path.cwd()) / "demo/r1/stream.jsonl"
    assert (code, stream.stat().st_size > 199_000_000) == (0, True)
    assert kilobytes < 400_000


def start(*arguments: str) -> "subprocess.Popen[str]":
    """Start a run as a process of its own."""
    command = [sys.executable, "-m", "scaffold", "bench", "demo", "--live", "-q", *arguments]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def test_ctrl_c(cli: Cli, fixtures: Write, notes: Notes) -> None:
    """All sessions end with everything they have started; --resume runs what was cut, and nothing else."""
    fixtures("say STATUS: OK", "child | child | child | say STATUS: OK", "sleep 0 | sleep 60", runs=3)
    process = start("--jobs", "1")
    rows = Path(".omniscitus/runs")
    wait_for(lambda: any(each.stat().st_size for each in rows.glob("*/demo/rows.jsonl")))
    wait_for(lambda: len(notes.children) == 2)
    process.send_signal(signal.SIGINT)
    before = time.monotonic()
    out, err = process.communicate(timeout=30)
    assert (process.returncode, "Traceback" in err) == (130, False)
    assert time.monotonic() - before < 10
    assert not any(map(is_alive, [*notes.children, *(each["pid"] for each in notes.sessions)]))
    run = latest(Path.cwd())
    assert f"scaffold run --resume {run.name} goes on with it" in out
    assert "2 of 3 trials were not run" in out
    (cut,) = (each for each in run.glob("demo/r*/run.meta.json") if '"interrupted": true' in each.read_text())
    assert len(list(run.glob("demo/r?"))) == 2
    graded = cli("grade", run.name)
    assert (graded.code, f"not graded: {cut.parent.name}, cut off before" in graded.out) == (3, True)
    (notes.folder / "2").touch()
    (notes.folder / "3").touch()
    (notes.folder / "5").touch()
    done = cli("run", "--resume", run.name, "--json", "-", "-q", "--jobs", "1")
    (case,) = done.report["suites"][0]["cases"]
    assert (done.code, [row["pass_rate"] for row in case["rows"]]) == (0, ["3/3", "3/3"])
    assert json.loads(cut.read_text())["interrupted"] is False


def test_a_run_that_is_killed(cli: Cli, fixtures: Write, notes: Notes) -> None:
    """After kill -9 the session is ended too; its half-written folder is replaced when the run goes on."""
    fixtures("child", "say STATUS: OK", "sleep 60 | sleep 0", runs=2)
    process = start("--jobs", "1", "--run-dir", "out")
    wait_for(lambda: len(notes.children) == 1)
    process.kill()
    process.communicate(timeout=10)
    wait_for(lambda: not any(map(is_alive, [*notes.children, notes.sessions[0]["pid"]])))
    assert len(list(Path("out").glob("r?/stream.jsonl"))) == 1
    assert cli("show", "out").code == 2
    (notes.folder / "2").touch()
    done = cli("run", "--resume", "out", "-q", "--jobs", "1")
    assert (done.code, "PASS  demo, 2 rows of 2 replicas: 2 passed" in done.out) == (0, True)


def test_a_folder_that_cannot_be_made(cli: Cli, fixtures: Write, notes: Notes, tmp_path: Path) -> None:
    """Nothing is run where nothing can be kept."""
    fixtures("say STATUS: OK")
    (tmp_path / "file").write_text("")
    done = cli("bench", "--live", "--run-dir", "file/out")
    assert (done.code, notes.sessions) == (3, [])
    assert done.err == f"Error: {tmp_path}/file/out: Not a directory\n"
    assert cli("bench", "--live", "--run-dir", "file").code == 2


def test_a_full_disk(fixtures: Write, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    """A session that cannot be kept ends the run, which says how to go on with it."""
    require_namespaces()
    fixtures("stream 2", "say STATUS: OK", runs=2)
    runs = tmp_path / ".omniscitus/runs"
    runs.mkdir()
    disk = Disk(runs, tmp_path_factory.mktemp("result"), kilobytes=1024)
    done = disk.run("bench", "demo", "--live", "-q", "--jobs", "1")
    assert done.returncode == 3
    assert "Traceback" not in done.stderr
    assert "PASS" not in done.stdout
