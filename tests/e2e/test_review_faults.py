"""`scaffold review` among wrong files, damaged runs, full disks and other processes: nothing is lost."""

import subprocess
import sys
from pathlib import Path

import pytest
from command_line import Cli
from review_project import FINE, JANE, OVERRIDES, Run
from small_disk import Disk, require_namespaces


def test_a_wrong_file_is_not_added_to(run_outputs: Run, cli: Cli) -> None:
    """A file that nobody can read is refused before anything is written."""
    run_outputs("kind", "short")
    OVERRIDES.parent.mkdir()
    OVERRIDES.write_text("- {case_ref: c1}\n")
    result = cli("review", "set", "c1", "--score", "9", *FINE)
    assert (result.code, f"{OVERRIDES}:1:3: [0].score: the key is missing" in result.err) == (2, True)
    assert OVERRIDES.read_text() == "- {case_ref: c1}\n"


@pytest.mark.parametrize("damage", ["{}\n", "[]\n", "{\n", '{"index":0,"ref":"c0"}\n'])
@pytest.mark.parametrize("file", ["rows.jsonl", "records.jsonl"])
def test_a_damaged_run(run_outputs: Run, cli: Cli, file: str, damage: str) -> None:
    """A run that was damaged is said to be; there is no traceback."""
    name = run_outputs("short")
    Path(".omniscitus/runs", name, "greeting", file).write_text(damage)
    for command in (("list",), ("show", "c0"), ("set", "c0", "--score", "9", *FINE)):
        result = cli("review", *command)
        assert (result.code, result.out) == (2, "")
        assert "run the suite again" in result.err


def test_processes_lose_nothing(run_outputs: Run, cli: Cli) -> None:
    """Decisions of several people at once are all there."""
    run_outputs(*(f"short {number}" for number in range(6)))
    command = [sys.executable, "-m", "scaffold", "review", "set"]
    processes = [
        subprocess.Popen([*command, f"c{number}", "--score", "90", *FINE], stdout=subprocess.DEVNULL)
        for number in range(6)
    ]
    assert [process.wait(120) for process in processes] == [0] * 6
    assert OVERRIDES.read_text().count("- case_ref: ") == 6
    assert cli("review", "check").out == "greeting: 6 corrections, 0 of them overdue\n"


@pytest.mark.parametrize(
    ("kilobytes", "read_only", "why"),
    [
        pytest.param(8, False, "No space left on device", id="full"),
        pytest.param(1024, True, "Read-only file system", id="read-only"),
    ],
)
def test_a_disk_that_takes_nothing(
    run_outputs: Run,
    project: Path,
    tmp_path_factory: pytest.TempPathFactory,
    kilobytes: int,
    read_only: bool,
    why: str,
) -> None:
    """A decision that cannot be written is told, and the file is as it was, whole."""
    require_namespaces()
    run_outputs("kind", "short")
    OVERRIDES.parent.mkdir()
    OVERRIDES.write_text("# none yet\n")
    disk = Disk(project / OVERRIDES.parent, tmp_path_factory.mktemp("result"), kilobytes, read_only)
    reason = "x" * 9000
    done = disk.run("review", "set", "c1", "--score", "9", "--reason", reason, *JANE)
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr == f"Error: {project / OVERRIDES}: {why}\n"
    assert disk.files == {"overrides.yaml": b"# none yet\n"}
