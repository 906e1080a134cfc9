"""Suites as pytest items: one for each row, each suite run once, and nothing at all where nobody asks."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias
from xml.etree import ElementTree

import pytest
from command_line import levels
from fixture_project import Notes, Write
from grid_project import by_rules
from loopback import Loopback, Reply, Server, openai_text
from test_interrupted import wait_for

pytest_plugins = ["pytester"]

FILE = ".omniscitus/tests/prompts/greeting/prompt-meta.yaml"
CASES = """\
cases:
  - {title: Ann, input: {name: Ann}, output: Hello Ann, expected_behavior: Greets Ann.}
  - {title: Bob, input: {name: Bob}, output: "Hello Bob\\e[31m\\n::error::red"}
  - {title: Cid, input: {name: Cid}, output: Hello Cid}
  - {title: Dan, input: {name: Dan}, output: Hello Dan, skip: on holiday}
  - {title: The eve, id: eve, tags: [late], input: {name: Eve}, output: Hello Eve}
"""
CALLS = {"Ann": 1, "Bob": 1, "Cid": 2, "Eve": 1}
"""What each case takes: the judge is asked again after a reply that is none."""
LEVELS = {"Ann": (3, 2), "Bob": (1, 1), "Eve": (2, 2)}

Run: TypeAlias = Callable[..., pytest.RunResult]


def judge(body: Any) -> Reply:
    """Says of each output what the table says, and nothing of use of Cid's."""
    name = asked_about(body)
    return openai_text(json.dumps(levels(*LEVELS[name])) if name in LEVELS else "fine, I think")


def asked_about(body: Any) -> str:
    found = re.search(r"\nHello (\w+)", body["messages"][1]["content"])
    assert found
    return found[1]


@pytest.fixture
def ini(project: Path) -> Callable[..., None]:
    """Write the ini file."""

    def write(*lines: str) -> None:
        (project / "pytest.ini").write_text("\n".join(["[pytest]", "filterwarnings = error", *lines]))

    return write


@pytest.fixture
def run(project: Path, pytester: pytest.Pytester, ini: Any, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run pytest in a project with a suite of five cases, which the ini file asks for."""
    suite = project / FILE
    suite.write_text(suite.read_text().partition("cases:")[0] + CASES)
    ini("scaffold_suites = all")
    monkeypatch.setenv("COLUMNS", "160")
    monkeypatch.chdir(project)

    def call(*arguments: str) -> pytest.RunResult:
        result = pytester.runpytest_subprocess(*arguments)
        assert "Traceback" not in result.stdout.str() + result.stderr.str()
        return result

    return call


@pytest.fixture
def server(loopback: Loopback, monkeypatch: pytest.MonkeyPatch) -> Server:
    """The judge of the suite."""
    return connect(loopback(judge), monkeypatch)


def connect(server: Server, monkeypatch: pytest.MonkeyPatch) -> Server:
    monkeypatch.setenv("OPENAI_BASE_URL", server.url)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
    return server


def asked(server: Server) -> dict[str, int]:
    """How often the judge was asked about each case."""
    names = [asked_about(request.json) for request in server.requests]
    return {name: names.count(name) for name in sorted(set(names))}


def collected(result: pytest.RunResult) -> list[str]:
    return [line for line in result.outlines if "::" in line]


def runs() -> list[Path]:
    return sorted(Path(".omniscitus/runs").glob("*"))


def forget() -> None:
    """Remove the answers that are kept."""
    shutil.rmtree(".omniscitus/cache")


def test_nobody_asked(run: Run, ini: Any, project: Path, pytester: pytest.Pytester) -> None:
    """Without the ini key and the option nothing is collected, printed or imported."""
    ini()
    (project / "test_own.py").write_text(
        "import sys\n"
        "def test_own():\n"
        "    heavy = {'judges', 'click', 'pydantic', 'yaml', 'openai'}\n"
        "    assert not heavy & {name.partition('.')[0] for name in sys.modules}\n"
    )
    result = pytester.runpytest_subprocess("-p", "no:hypothesispytest")
    result.assert_outcomes(passed=1)
    assert "scaffold" not in re.sub(r"(?m)^(plugins|rootdir):.*$", "", result.stdout.str())


def test_loading_it_takes_no_time() -> None:
    """What pytest loads in every project takes less than some milliseconds beside pytest itself."""
    code = (
        "import time, pytest, argparse, importlib\nbefore = time.perf_counter()\n"
        "importlib.import_module('scaffold.pytest_plugin.plugin')\nprint(time.perf_counter() - before)"
    )
    took = [float(subprocess.check_output([sys.executable, "-c", code])) for _ in range(2)]
    assert min(took) < 0.02


def test_items_are_known_without_a_call(run: Run, server: Server) -> None:
    """Each row has an item, named as in the report, and nothing is called or written for that."""
    result = run("--collect-only", "-q")
    rows = ("checks.not_empty", "criteria.tone", "criteria.safety", "score")
    names = [f"{ref}[{row}]" for ref in ("ann", "bob", "cid") for row in rows]
    names += ["dan[case]", *(f"eve[{row}]" for row in rows)]
    assert collected(result) == [f"{FILE}::{name}" for name in names]
    assert (server.requests, runs()) == ([], [])


@pytest.mark.parametrize(
    ("ini_lines", "passed", "failed"),
    [
        pytest.param([], 11, 2, id="a WARN fails"),
        pytest.param(["scaffold_allow_warn = true"], 12, 1, id="or not"),
    ],
)
def test_verdicts(run: Run, ini: Any, server: Server, ini_lines: list[str], passed: int, failed: int) -> None:
    """PASS passes, FAIL fails, what could not be measured is an error, SKIP is skipped with its reason."""
    ini("scaffold_suites = greeting", *ini_lines)
    result = run("-rs")
    result.assert_outcomes(passed=passed, failed=failed, errors=3, skipped=1)
    assert (result.ret, asked(server), len(runs())) == (1, CALLS, 1)
    result.stdout.fnmatch_lines([f"SKIPPED [[]1[]] {FILE}:*: on holiday"])


def test_what_is_shown(run: Run, server: Server) -> None:
    """Of a row that did not pass: what was found, where, how to see more; nothing acts on the terminal."""
    result = run()
    out = result.stdout.str()
    result.stdout.fnmatch_lines(
        [
            "*ERROR at setup of cid[[]criteria.tone[]]*",
            "could not be measured: *",
            "case: Cid",
            "more: scaffold show 2*Z-* cid",
            "*bob[[]score[]]*",
            "Scored 0 (threshold: 70), critical; lowest: tone 0",
            "pass 70, warn 50",
            "output: Hello Bob\\x1b[[]31m",
            "\\x3a:error::red",
            f"{FILE}:*",
            "*suites*",
            "greeting: ERROR, 5 cases: 1 errored, 1 failed, 1 warned, 1 passed, 1 skipped; 5 calls, *",
            f"FAILED {FILE}::bob[[]score[]] - Scored 0 (threshold: 70), critical; lowest: tone 0",
            f"FAILED {FILE}::eve[[]score[]] - WARN: Scored 62.5 (threshold: 70); lowest: tone 50",
        ]
    )
    assert ("\x1b" in out, "\n::error" in out) == (False, False)


@pytest.mark.parametrize(
    ("selection", "cases"),
    [
        pytest.param(["-k", "ann"], {"Ann": 1}, id="by ref"),
        pytest.param(["-k", "eve and not late"], {}, id="not by tag"),
        pytest.param(["-k", "late or bob"], {"Bob": 1, "Eve": 1}, id="by tag"),
        pytest.param([f"{FILE}::bob"], {"Bob": 1}, id="a case"),
        pytest.param([f"{FILE}::bob[score]", f"{FILE}::ann[score]"], {"Ann": 1, "Bob": 1}, id="rows"),
        pytest.param(
            [FILE, "--deselect", f"{FILE}::cid", "-k", "score"], {"Ann": 1, "Bob": 1, "Eve": 1}, id="a file"
        ),
        pytest.param([".omniscitus", "-k", "ann"], {"Ann": 1}, id="a folder"),
        pytest.param(["--ignore", ".omniscitus"], {}, id="none"),
    ],
)
def test_what_is_not_selected_is_not_called(
    run: Run, server: Server, selection: list[str], cases: dict[str, int]
) -> None:
    """Calls are made for the cases alone of which a row is selected."""
    run(*selection)
    assert asked(server) == cases


def test_stop_at_the_first_and_go_on_with_the_last(run: Run, server: Server) -> None:
    """`-x` stops after an item; `--lf` runs the items that failed, and makes no calls for the others."""
    run("-x").assert_outcomes(passed=7, failed=1)
    run().assert_outcomes(passed=11, failed=2, errors=3, skipped=1)
    forget()
    server.requests.clear()
    run("--lf").assert_outcomes(failed=2, errors=3)
    assert asked(server) == {"Bob": 1, "Cid": 2, "Eve": 1}


def test_several_processes(run: Run, server: Server, project: Path) -> None:
    """All of a suite is run in one process, so its calls are made once; results come from all processes."""
    other = project / ".omniscitus/tests/prompts/other/prompt-meta.yaml"
    other.parent.mkdir()
    other.write_text((project / FILE).read_text().replace("Is it kind?", "Is it polite?"))
    result = run("-n", "2", "--dist", "loadgroup")
    result.assert_outcomes(passed=22, failed=4, errors=6, skipped=2)
    assert asked(server) == {name: 2 * calls for name, calls in CALLS.items()}
    found = ["Scored 0 (threshold: 70), critical*", "*suites*", "*: ERROR, *5 calls*", "*: ERROR, *5 calls*"]
    result.stdout.fnmatch_lines(found)
    assert len(runs()) == 2


@pytest.mark.parametrize(
    ("mode", "groups"),
    [("load", {"a/b.fixture.md", "test_a.py::a", "test_a.py::b"}), ("loadgroup", {"a/b.fixture.md", "g"})],
)
@pytest.mark.usefixtures("run")
def test_items_of_a_suite_stay_together(pytester: pytest.Pytester, mode: str, groups: set[str]) -> None:
    """However tests are distributed, rows of a suite are one unit of work."""
    config = pytester.parseconfigure("--tx", "2*popen", "--dist", mode)
    scheduler = config.hook.pytest_xdist_make_scheduler(config=config, log=None)
    group = "@g" if mode == "loadgroup" else ""
    tests = [f"test_a.py::{name}{group}" for name in "ab"]
    rows = [f"a/b.fixture.md::b[{row}]{group}" for row in ("run.completed", "files[0]@x")]
    assert {scheduler._split_scope(nodeid) for nodeid in (*tests, *rows)} == groups


@pytest.mark.parametrize("mode", ["each", "worksteal"])
@pytest.mark.usefixtures("run")
def test_ways_of_distributing_that_would_cost_more(pytester: pytest.Pytester, mode: str) -> None:
    """Where the rows of a suite could not be kept together nothing is run."""
    config = pytester.parseconfigure("--tx", "2*popen", "--dist", mode)
    with pytest.raises(pytest.UsageError, match=f"--dist {mode} would run a suite in several processes"):
        config.hook.pytest_xdist_make_scheduler(config=config, log=None)


def test_junit(run: Run, server: Server) -> None:
    """The testcases have the scores, and the kinds of results that the verdicts are."""
    run("--junitxml", "junit.xml")
    found = {}
    for case in ElementTree.parse("junit.xml").iter("testcase"):
        properties = {each.get("name"): each.get("value") for each in case.iter("property")}
        result = next((each.tag for each in case if each.tag != "properties"), "passed")
        found[case.get("name")] = (result, properties.get("score"), properties.get("verdict"))
    assert found["ann[score]"] == ("passed", "100", "PASS")
    assert found["bob[score]"] == ("failure", "0", "FAIL")
    assert found["cid[score]"] == ("error", None, "ERROR")
    assert found["dan[case]"] == ("skipped", None, "SKIP")
    assert found["eve[score]"] == ("failure", "62.5", "WARN")


def test_a_broken_suite(run: Run, server: Server, project: Path) -> None:
    """Its mistakes are shown at their places as an error of collection; nothing is run."""
    suite = project / FILE
    suite.write_text(suite.read_text().replace("weight:", "wieght:"))
    result = run()
    result.assert_outcomes(errors=1)
    assert (result.ret, server.requests) == (pytest.ExitCode.INTERRUPTED, [])
    result.stdout.fnmatch_lines(
        [
            f"*ERROR collecting {FILE}*",
            f"{FILE}:7:5: criteria[[]0[]].wieght: unknown key (did you mean 'weight'?)",
        ]
    )


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
def test_names(run: Run, ini: Any, server: Server, lines: str, code: int, shown: str) -> None:
    """The ini file names suites as the command line does, and a name that fits none is a usage error."""
    ini(*lines.replace("nowhere", "tests").splitlines())
    Path("tests").mkdir()
    result = run("-k", "ann")
    assert result.ret == code
    assert shown in result.outlines + result.errlines


def test_no_suite(run: Run, ini: Any) -> None:
    """A project without one has nothing to run."""
    ini()
    shutil.rmtree(".omniscitus/tests")
    result = run("--scaffold")
    assert (result.ret, "scaffold: 0 suites" in result.outlines) == (pytest.ExitCode.NO_TESTS_COLLECTED, True)


def test_tests_and_suites_side_by_side(run: Run, ini: Any, server: Server) -> None:
    """`testpaths` are run as before, and the suites besides; who names paths runs these alone."""
    ini("scaffold_suites = all", "testpaths = tests")
    Path("tests").mkdir()
    Path("tests/test_own.py").write_text("def test_own(): pass\n")
    assert len(collected(run("--collect-only", "-q"))) == 18
    assert collected(run("--collect-only", "-q", "tests")) == ["tests/test_own.py::test_own"]


def test_what_a_run_lacks(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """A suite that cannot be run is an error of each item, with the reason."""
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    result = run("-k", "ann")
    result.assert_outcomes(errors=4)
    result.stdout.fnmatch_lines(["could not be measured: *OPENAI_API_KEY is not set*"])


def test_no_output(run: Run, server: Server, project: Path) -> None:
    """Where there is no output none of its rows passes, and none is merely skipped."""
    suite = project / FILE
    suite.write_text(
        suite.read_text()
        .replace("model: openai:gpt-4o-mini\n", "runner: runner.py\n")
        .replace(", output: Hello Ann", "")
    )
    (suite.parent / "runner.py").write_text("import sys\nsys.exit('no idea')\n")
    result = run("-k", "ann")
    result.assert_outcomes(errors=4)
    result.stdout.fnmatch_lines(["could not be measured: *runner*"])
    assert server.requests == []


def test_another_judge_and_several_models(run: Run, server: Server, project: Path) -> None:
    """The judge may be a file of recorded answers; with several models each item names its own."""
    entries = [{"ref": "ann", "question": f"criteria.{name}", "answer": 1} for name in ("tone", "safety")]
    (project / "answers.jsonl").write_text("".join(json.dumps(entry) + "\n" for entry in entries))
    result = run("--scaffold-judge", "replay:answers.jsonl", "-k", "ann")
    result.assert_outcomes(passed=3, failed=1)
    models = ("--scaffold-model", "openai:gpt-4o", "--scaffold-model", "openai:gpt-4.1")
    names = collected(run(*models, "--collect-only", "-q", "-k", "ann and score"))
    assert names == [f"{FILE}::ann[score-openai:gpt-4o]", f"{FILE}::ann[score-openai:gpt-4.1]"]
    assert server.requests == []


def test_recorded_suites(
    run: Run, server: Server, project: Path, ini: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is recorded beside a suite stands for models and judges; a suite without is skipped, and why."""
    suite = project / FILE
    suite.write_text(suite.read_text().partition("  - {title: Cid")[0])
    skipped = run("--scaffold-recorded", "-rs")
    skipped.assert_outcomes(skipped=8)
    skipped.stdout.fnmatch_lines(
        ["*there is no replay.jsonl; to record it: scaffold run greeting --record-all"]
    )
    command = [sys.executable, "-m", "scaffold", "run", "-q", "--record-all"]
    assert subprocess.run(command, check=False, timeout=60).returncode == 1
    monkeypatch.delenv("OPENAI_BASE_URL")
    monkeypatch.delenv("OPENAI_API_KEY")
    shutil.rmtree(project / ".omniscitus/cache")
    asked = len(server.requests)
    ini("scaffold_suites = all", "scaffold_recorded = true")
    result = run()
    result.assert_outcomes(passed=7, failed=1)
    assert len(server.requests) == asked


def test_the_budget(run: Run, server: Server) -> None:
    """What would cost more than the session may spend is not called, and not measured."""
    result = run("--scaffold-max-cost-usd", "0", "-k", "ann")
    result.assert_outcomes(passed=1, errors=3)
    assert server.requests == []
    assert run("--scaffold-max-cost-usd", "-1").ret == pytest.ExitCode.USAGE_ERROR


BINARY = """\
prompt_name: greeting
judge: {model: "replay:answers.jsonl"}
evaluation: {type: binary}
thresholds: {pass: PERCENT}
criteria: [{name: kind, weight: 1, rubric: Is it kind?}]
cases:
  - {title: Ann, output: Hello Ann}
  - {title: Bob, output: Go away}
"""
ANSWERS = [
    {"ref": "ann", "question": "criteria.kind", "answer": True},
    {"ref": "bob", "question": "criteria.kind", "answer": False, "reasoning": "It sends him away."},
]


@pytest.fixture
def by_rate(run: Run, project: Path) -> Callable[[int], None]:
    """Write a suite that passes when a share of its cases does; one of two does."""
    suite = project / FILE
    (suite.parent / "answers.jsonl").write_text("".join(json.dumps(each) + "\n" for each in ANSWERS))
    return lambda percent: suite.write_text(BINARY.replace("PERCENT", str(percent))) and None


def test_rows_that_only_inform(run: Run, by_rate: Callable[[int], None]) -> None:
    """Where a share decides, a row that failed is an expected failure; the suite has an item of its own."""
    by_rate(50)
    result = run("-rx", "--junitxml", "junit.xml")
    result.assert_outcomes(passed=3, xfailed=2)
    result.stdout.fnmatch_lines(
        ["XFAIL*bob[[]score[]] - *informs only, the suite decides: *It sends him away.*"]
    )
    (suite,) = [
        each for each in ElementTree.parse("junit.xml").iter("testcase") if each.get("name") == "suite"
    ]
    assert {each.get("name"): each.get("value") for each in suite.iter("property")}["pass_rate"] == "50.0"


def test_the_verdict_of_a_suite(run: Run, by_rate: Callable[[int], None]) -> None:
    """It fails where the suite does, and is of all cases, whichever rows are run besides."""
    by_rate(60)
    run().assert_outcomes(passed=2, xfailed=2, failed=1)
    result = run("--lf")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["50 % pass*60 % must", "greeting: FAIL, 2 cases: 1 failed, 1 passed*"])
    result = run(f"{FILE}::suite", f"{FILE}::ann[score]")
    result.stdout.fnmatch_lines(["greeting: FAIL, 2 cases: 1 failed, 1 passed*"])
    run("-k", "bob").assert_outcomes(xfailed=2)


def test_no_baseline_yet(run: Run, by_rate: Callable[[int], None], project: Path) -> None:
    """A regression without one is skipped, with the command that makes one."""
    by_rate(50)
    suite = project / FILE
    suite.write_text(
        suite.read_text().replace("binary", "regression").replace("thresholds: {pass: 50}\n", "")
    )
    entries = [{**each, "answer": 3} for each in ANSWERS]
    (suite.parent / "answers.jsonl").write_text("".join(json.dumps(each) + "\n" for each in entries))
    result = run("-rs")
    assert result.parseoutcomes()["skipped"] == 3
    result.stdout.fnmatch_lines(
        [f"SKIPPED [[]1[]] {FILE}:1: there is no baseline yet*scaffold baseline accept*"]
    )


def test_a_fixture_that_is_not_live(
    fixtures: Write, pytester: pytest.Pytester, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its rows are skipped with what would have them run, and there is no run."""
    fixtures("say STATUS: OK")
    monkeypatch.chdir(tmp_path)
    result = pytester.runpytest_subprocess("--scaffold", "-rs")
    result.assert_outcomes(skipped=2)
    result.stdout.fnmatch_lines(["SKIPPED [[]2[]] *demo.fixture.md:1: *RUN_LLM_BENCH=1*"])
    assert runs() == []


@pytest.mark.usefixtures("scripted_claude")
def test_a_live_fixture(
    fixtures: Write, notes: Notes, pytester: pytest.Pytester, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its sessions are run once for all rows, which have how many replicas passed."""
    fixtures("say STATUS: OK | say no | say STATUS: OK", runs=3, quorum="majority")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RUN_LLM_BENCH", "1")
    result = pytester.runpytest_subprocess("--scaffold", "--junitxml", "junit.xml", "-v")
    result.assert_outcomes(passed=2)
    (row,) = [
        each for each in ElementTree.parse("junit.xml").iter("testcase") if "result" in str(each.get("name"))
    ]
    assert {each.get("name"): each.get("value") for each in row.iter("property")}["pass_rate"] == "2/3"
    assert len(notes.sessions) == 3


def test_a_grid(
    triage: Path, pytester: pytest.Pytester, loopback: Loopback, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A cell has two rows for each repeat; calls are made for the selected cells alone."""
    server = connect(
        loopback(lambda body: openai_text(by_rules(body["messages"][-1]["content"]))), monkeypatch
    )
    (triage / ".omniscitus/models.yaml").write_text("- openai:gpt-4o-mini\n")
    monkeypatch.chdir(triage)
    result = pytester.runpytest_subprocess("--scaffold", "-v", "-k", "baseline and leak")
    result.assert_outcomes(passed=6)
    result.stdout.fnmatch_lines(
        ["*triage.grid.yaml::baseline/openai:gpt-4o-mini/leak[[]measure[[]0[]][]] PASSED*"]
    )
    assert len(server.requests) == 3


@pytest.mark.parametrize("mode", [[], ["-n", "1"]], ids=["one process", "workers"])
def test_ctrl_c(run: Run, loopback: Loopback, monkeypatch: pytest.MonkeyPatch, mode: list[str]) -> None:
    """The session ends at once, and says how to go on with the run."""
    server = connect(loopback(Reply(delay=60)), monkeypatch)
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
