"""Disks that are full or cannot be written: a clear error, nothing half-written, nothing paid for in vain."""

import json
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import TypeAlias

import pytest
from command_line import Cli
from loopback import Loopback, Server
from small_disk import Disk, require_namespaces
from test_run import judge_by_word, write_cases

CASES = 60
FILES = ["--json", "--record", "--junit", "--csv", "--markdown"]
FULL, READ_ONLY = "No space left on device", "Read-only file system"
MakeDisk: TypeAlias = Callable[..., Disk]


@pytest.fixture
def server(project: Path, play_openai: Loopback) -> Server:
    write_cases(project, CASES)
    return play_openai(judge_by_word)


@pytest.fixture
def disk(project: Path, tmp_path_factory: pytest.TempPathFactory) -> MakeDisk:
    """Make a disk of a folder of the project."""
    require_namespaces()

    def make(folder: str, *, kilobytes: int = 1024, read_only: bool = False) -> Disk:
        (project / folder).mkdir(parents=True, exist_ok=True)
        return Disk(project / folder, tmp_path_factory.mktemp("result"), kilobytes, read_only)

    return make


@pytest.mark.parametrize("kilobytes", [4, 8, 16, 64])
def test_full_while_running(project: Path, server: Server, cli: Cli, disk: MakeDisk, kilobytes: int) -> None:
    """A run that can no longer be written ends; what it wrote is whole, and it can be resumed."""
    small = disk(".omniscitus/runs", kilobytes=kilobytes)
    done = small.run("run", "--quiet", "--no-cache")
    error, advice = done.stderr.splitlines()
    assert (done.returncode, done.stdout) == (3, "")
    assert error.endswith(FULL)
    run = next(iter(small.files)).partition("/")[0]
    assert f"scaffold run --resume {run} goes on with it" in advice
    written = {name.partition("/")[2]: content for name, content in small.files.items()}
    messages = [name for name in written if name.startswith("greeting/messages/")]
    assert sorted(written) == [*messages, "greeting/records.jsonl", "greeting/rows.jsonl", "plan.json"]
    for name in messages:
        assert name == f"greeting/messages/{sha256(written.pop(name)).hexdigest()}.txt"
    for content in written.values():
        assert not content or content.endswith(b"\n")
    rows = [json.loads(line) for line in written["greeting/rows.jsonl"].splitlines()]
    asked = len(server.requests)
    assert len(rows) <= asked < CASES
    small.result.rename(project / "kept")  # more room
    (project / ".omniscitus/runs").rmdir()
    (project / "kept").rename(project / ".omniscitus/runs")
    resumed = cli("run", "--resume", run, "--quiet", "--no-cache", "--json", "-").report
    assert resumed["totals"] == {**resumed["totals"], "cases": 60, "passed": 40, "failed": 20}
    assert len(server.requests) == asked + CASES - len(rows)


@pytest.mark.parametrize(
    ("kilobytes", "read_only", "why"),
    [
        pytest.param(64, False, "database or disk is full", id="full"),
        pytest.param(4, False, "database or disk is full", id="full from the start"),
        pytest.param(64, True, "unable to open database file", id="read-only"),
    ],
)
def test_no_place_for_the_cache(
    server: Server, disk: MakeDisk, kilobytes: int, read_only: bool, why: str
) -> None:
    """The run goes on without a cache that cannot be written, and says so once."""
    small = disk(".omniscitus/cache", kilobytes=kilobytes, read_only=read_only)
    done = small.run("run", "--quiet", "--json", "-")
    report = json.loads(done.stdout)
    assert (done.returncode, done.stderr) == (1, "")
    assert (report["totals"]["passed"], report["totals"]["failed"]) == (40, 20)
    assert [
        notice["text"].partition(" is off for the rest of the run: ")[2] for notice in report["notices"]
    ] == [why]
    assert len(server.requests) == CASES


def test_a_cache_that_filled_its_disk(project: Path, server: Server, cli: Cli, disk: MakeDisk) -> None:
    """What was kept before the disk was full is whole, and is used again."""
    small = disk(".omniscitus/cache", kilobytes=160)
    small.run("run", "--quiet")
    small.result.rename(project / "kept")
    (project / ".omniscitus/cache").rmdir()
    (project / "kept").rename(project / ".omniscitus/cache")
    usage = cli("run", "--quiet", "--json", "-").report["usage"]
    assert 0 < usage["cached"] < CASES
    assert usage["calls"] == CASES - usage["cached"]


def test_a_read_only_cache(server: Server, cli: Cli, disk: MakeDisk) -> None:
    """A cache that cannot be shrunk says so."""
    cli("run", "--quiet")
    done = disk(".omniscitus/cache", read_only=True).run("cache", "prune", "--older-than", "0")
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr.startswith("Error: the cache at ")
    assert "cannot be used: " in done.stderr


@pytest.mark.parametrize("folder", [".omniscitus/runs", ".omniscitus"])
def test_a_run_directory_on_a_read_only_disk(server: Server, disk: MakeDisk, folder: str) -> None:
    """Where no run directory can be made, nothing is called."""
    done = disk(folder, read_only=True).run("run")
    assert (done.returncode, done.stdout, server.requests) == (3, "", [])
    assert done.stderr.startswith("Error: ")
    assert done.stderr.endswith(f": {READ_ONLY}\n")


@pytest.mark.parametrize("flag", FILES)
def test_a_report_on_a_read_only_disk(project: Path, server: Server, disk: MakeDisk, flag: str) -> None:
    """A file that cannot be written is found out before anything is called."""
    done = disk("out", read_only=True).run("run", flag, "out/file")
    assert (done.returncode, done.stdout, server.requests) == (2, "", [])
    assert done.stderr == "Error: out/file: cannot be written (name a place that you may write)\n"
    assert not (project / ".omniscitus/runs").exists()


@pytest.mark.parametrize("flag", FILES)
def test_a_report_on_a_full_disk(project: Path, server: Server, disk: MakeDisk, flag: str) -> None:
    """The result is shown before a file cannot be written; an earlier file is as it was."""
    (project / "out").mkdir()
    (project / "out/file").write_text("the earlier one")
    small = disk("out", kilobytes=4)
    done = small.run("run", flag, "out/file", "--quiet")
    assert (done.returncode, done.stderr) == (3, f"Error: out/file: {FULL}\n")
    assert "60 cases: 20 failed, 40 passed" in done.stdout
    assert small.files == {"file": b"the earlier one"}


@pytest.mark.parametrize(
    ("kilobytes", "read_only", "why"), [(1024, True, READ_ONLY), (8, False, FULL)], ids=["read-only", "full"]
)
def test_no_place_for_a_new_suite(disk: MakeDisk, kilobytes: int, read_only: bool, why: str) -> None:
    """A suite is written whole or not at all."""
    small = disk(".omniscitus/tests", kilobytes=kilobytes, read_only=read_only)
    before = {name: path.read_bytes() for path in small.folder.rglob("*.yaml") for name in [path.name]}
    done = small.run("add-prompt", "support-reply", "--no-input")
    assert (done.returncode, done.stdout) == (3, "")
    assert f"cannot be written ({why}); no file was changed" in done.stderr
    assert {Path(name).name: content for name, content in small.files.items()} == before
