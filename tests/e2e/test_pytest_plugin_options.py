"""What the ini file and the options of the pytest plugin ask for, and what a run may lack."""

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from loopback import Server
from plugin_project import FILE, Run, collected


@pytest.mark.parametrize(
    ("lines", "code", "shown"),
    [
        pytest.param(
            "scaffold_suites = greting",
            4,
            "ERROR: there is no suite 'greting' (did you mean 'greeting'?)",
            id="a typo",
        ),
        pytest.param(f"scaffold_suites = {FILE}\ntestpaths = nowhere", 0, "scaffold: 1 suite", id="a path"),
        pytest.param("scaffold_suites = .omniscitus/tests", 0, "scaffold: 1 suite", id="a folder"),
    ],
)
def test_names(run_pytest: Run, ini: Any, table_judge: Server, lines: str, code: int, shown: str) -> None:
    """The ini file names suites as the command line does, and a name that fits none is a usage error."""
    ini(*lines.replace("nowhere", "tests").splitlines())
    Path("tests").mkdir()
    result = run_pytest("-k", "ann")
    assert result.ret == code
    assert shown in result.outlines + result.errlines


def test_no_suite(run_pytest: Run, ini: Any) -> None:
    """A project without one has nothing to run."""
    ini()
    shutil.rmtree(".omniscitus/tests")
    result = run_pytest("--scaffold")
    assert (result.ret, "scaffold: 0 suites" in result.outlines) == (pytest.ExitCode.NO_TESTS_COLLECTED, True)


def test_recorded_answers_ask_for_the_suites(run_pytest: Run, ini: Any) -> None:
    """The option alone collects them: it would do nothing otherwise, and it costs nothing."""
    ini()
    result = run_pytest("--scaffold-recorded", "-rs")
    assert "scaffold: 1 suite" in result.outlines
    assert result.parseoutcomes() == {"skipped": 17}
    assert run_pytest().ret == pytest.ExitCode.NO_TESTS_COLLECTED


def test_tests_and_suites_side_by_side(run_pytest: Run, ini: Any, table_judge: Server) -> None:
    """`testpaths` are run as before, and the suites besides; who names paths runs these alone."""
    ini("scaffold_suites = all", "testpaths = tests")
    Path("tests").mkdir()
    Path("tests/test_own.py").write_text("def test_own(): pass\n")
    assert len(collected(run_pytest("--collect-only", "-q"))) == 18
    assert collected(run_pytest("--collect-only", "-q", "tests")) == ["tests/test_own.py::test_own"]


def test_what_a_run_lacks(run_pytest: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """A suite that cannot be run is an error of each item, with the reason."""
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    result = run_pytest("-k", "ann")
    result.assert_outcomes(errors=4)
    result.stdout.fnmatch_lines(["could not be measured: *OPENAI_API_KEY is not set*"])


def test_no_output(run_pytest: Run, table_judge: Server, project: Path) -> None:
    """Where there is no output none of its rows passes, and none is merely skipped."""
    suite = project / FILE
    suite.write_text(
        suite.read_text()
        .replace("model: openai:gpt-4o-mini\n", "runner: runner.py\n")
        .replace(", output: Hello Ann", "")
    )
    (suite.parent / "runner.py").write_text("import sys\nsys.exit('no idea')\n")
    result = run_pytest("-k", "ann")
    result.assert_outcomes(errors=4)
    result.stdout.fnmatch_lines(["could not be measured: *runner*"])
    assert table_judge.requests == []


def test_another_judge_and_several_models(run_pytest: Run, table_judge: Server, project: Path) -> None:
    """The judge may be a file of recorded answers; with several models each item names its own."""
    entries = [{"ref": "ann", "question": f"criteria.{name}", "answer": 1} for name in ("tone", "safety")]
    (project / "answers.jsonl").write_text("".join(json.dumps(entry) + "\n" for entry in entries))
    result = run_pytest("--scaffold-judge", "replay:answers.jsonl", "-k", "ann")
    result.assert_outcomes(passed=3, failed=1)
    models = ("--scaffold-model", "openai:gpt-4o", "--scaffold-model", "openai:gpt-4.1")
    names = collected(run_pytest(*models, "--collect-only", "-q", "-k", "ann and score"))
    assert names == [f"{FILE}::ann[score-openai:gpt-4o]", f"{FILE}::ann[score-openai:gpt-4.1]"]
    assert table_judge.requests == []


def test_recorded_suites(
    run_pytest: Run, table_judge: Server, project: Path, ini: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is recorded beside a suite stands for models and judges; a suite without is skipped, and why."""
    suite = project / FILE
    suite.write_text(suite.read_text().partition("  - {title: Cid")[0])
    skipped = run_pytest("--scaffold-recorded", "-rs")
    skipped.assert_outcomes(skipped=8)
    skipped.stdout.fnmatch_lines(
        ["*there is no replay.jsonl; to record it: scaffold run greeting --record-all"]
    )
    command = [sys.executable, "-m", "scaffold", "run", "-q", "--record-all"]
    assert subprocess.run(command, check=False, timeout=60).returncode == 1
    monkeypatch.delenv("OPENAI_BASE_URL")
    monkeypatch.delenv("OPENAI_API_KEY")
    shutil.rmtree(project / ".omniscitus/cache")
    asked = len(table_judge.requests)
    ini("scaffold_suites = all", "scaffold_recorded = true")
    result = run_pytest()
    result.assert_outcomes(passed=7, failed=1)
    assert len(table_judge.requests) == asked


def test_the_budget(run_pytest: Run, table_judge: Server) -> None:
    """What would cost more than the session may spend is not called, and not measured."""
    result = run_pytest("--scaffold-max-cost-usd", "0", "-k", "ann")
    result.assert_outcomes(passed=1, errors=3)
    assert table_judge.requests == []
    assert run_pytest("--scaffold-max-cost-usd", "-1").ret == pytest.ExitCode.USAGE_ERROR
