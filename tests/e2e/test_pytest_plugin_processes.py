"""Suites as pytest items in several processes, and when the session is interrupted."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from loopback import Loopback, Reply, Server
from plugin_project import CALLS, FILE, Run, asked, runs
from test_interrupted import wait_for


def test_several_processes(run_pytest: Run, table_judge: Server, project: Path) -> None:
    """All of a suite is run in one process, so its calls are made once; results come from all processes."""
    other = project / ".omniscitus/tests/prompts/other/prompt-meta.yaml"
    other.parent.mkdir()
    other.write_text((project / FILE).read_text().replace("Is it kind?", "Is it polite?"))
    result = run_pytest("-n", "2", "--dist", "loadgroup")
    result.assert_outcomes(passed=22, failed=4, errors=6, skipped=2)
    assert asked(table_judge) == {name: 2 * calls for name, calls in CALLS.items()}
    found = ["Scored 0 (threshold: 70), critical*", "*suites*", "*: ERROR, *5 calls*", "*: ERROR, *5 calls*"]
    result.stdout.fnmatch_lines(found)
    assert len(runs()) == 2


@pytest.mark.parametrize(
    ("mode", "groups"),
    [("load", {"a/b.fixture.md", "test_a.py::a", "test_a.py::b"}), ("loadgroup", {"a/b.fixture.md", "g"})],
)
@pytest.mark.usefixtures("run_pytest")
def test_items_of_a_suite_stay_together(pytester: pytest.Pytester, mode: str, groups: set[str]) -> None:
    """However tests are distributed, rows of a suite are one unit of work."""
    config = pytester.parseconfigure("--tx", "2*popen", "--dist", mode)
    scheduler = config.hook.pytest_xdist_make_scheduler(config=config, log=None)
    group = "@g" if mode == "loadgroup" else ""
    tests = [f"test_a.py::{name}{group}" for name in "ab"]
    rows = [f"a/b.fixture.md::b[{row}]{group}" for row in ("run.completed", "files[0]@x")]
    assert {scheduler._split_scope(nodeid) for nodeid in (*tests, *rows)} == groups


@pytest.mark.parametrize("mode", ["each", "worksteal"])
@pytest.mark.usefixtures("run_pytest")
def test_ways_of_distributing_that_would_cost_more(pytester: pytest.Pytester, mode: str) -> None:
    """Where the rows of a suite could not be kept together nothing is run."""
    config = pytester.parseconfigure("--tx", "2*popen", "--dist", mode)
    with pytest.raises(pytest.UsageError, match=f"--dist {mode} would run a suite in several processes"):
        config.hook.pytest_xdist_make_scheduler(config=config, log=None)


@pytest.mark.parametrize("mode", [[], ["-n", "1"]], ids=["one process", "workers"])
def test_ctrl_c(run_pytest: Run, play_openai: Loopback, mode: list[str]) -> None:
    """The session ends at once, and says how to go on with the run."""
    server = play_openai(Reply(delay=60))
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *mode]
    pipe = subprocess.PIPE
    process = subprocess.Popen(
        command, stdout=pipe, stderr=subprocess.STDOUT, text=True, start_new_session=True
    )
    try:
        wait_for(lambda: len(server.requests) >= 1)
        os.killpg(process.pid, signal.SIGINT)
        out, _ = process.communicate(timeout=30)
    finally:
        process.kill()
    assert process.returncode == pytest.ExitCode.INTERRUPTED
    assert "Traceback" not in out
    assert mode or "the run was interrupted: scaffold run --resume 2" in out
