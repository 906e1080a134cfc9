"""Suites of the other kinds as pytest items: by a share, against a baseline, fixtures and grids."""

import json
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest
from fixture_project import Notes, Write
from grid_project import by_rules
from loopback import Loopback, openai_text
from plugin_project import FILE, Run, runs

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
def by_rate(run_pytest: Run, project: Path) -> Callable[[int], None]:
    """Write a suite that passes when a share of its cases does; one of two does."""
    suite = project / FILE
    (suite.parent / "answers.jsonl").write_text("".join(json.dumps(each) + "\n" for each in ANSWERS))
    return lambda percent: suite.write_text(BINARY.replace("PERCENT", str(percent))) and None


def test_rows_that_only_inform(run_pytest: Run, by_rate: Callable[[int], None]) -> None:
    """Where a share decides, a row that failed is an expected failure; the suite has an item of its own."""
    by_rate(50)
    result = run_pytest("-rx", "--junitxml", "junit.xml")
    result.assert_outcomes(passed=3, xfailed=2)
    result.stdout.fnmatch_lines(
        ["XFAIL*bob[[]score[]] - *informs only, the suite decides: *It sends him away.*"]
    )
    (suite,) = [
        each for each in ElementTree.parse("junit.xml").iter("testcase") if each.get("name") == "suite"
    ]
    assert {each.get("name"): each.get("value") for each in suite.iter("property")}["pass_rate"] == "50.0"


def test_the_verdict_of_a_suite(run_pytest: Run, by_rate: Callable[[int], None]) -> None:
    """It fails where the suite does, and is of all cases, whichever rows are run besides."""
    by_rate(60)
    run_pytest().assert_outcomes(passed=2, xfailed=2, failed=1)
    result = run_pytest("--lf")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["50 % pass*60 % must", "greeting: FAIL, 2 cases: 1 failed, 1 passed*"])
    result = run_pytest(f"{FILE}::suite", f"{FILE}::ann[score]")
    result.stdout.fnmatch_lines(["greeting: FAIL, 2 cases: 1 failed, 1 passed*"])
    run_pytest("-k", "bob").assert_outcomes(xfailed=2)


def test_no_baseline_yet(run_pytest: Run, by_rate: Callable[[int], None], project: Path) -> None:
    """A regression without one is skipped, with the command that makes one."""
    by_rate(50)
    suite = project / FILE
    suite.write_text(
        suite.read_text().replace("binary", "regression").replace("thresholds: {pass: 50}\n", "")
    )
    entries = [{**each, "answer": 3} for each in ANSWERS]
    (suite.parent / "answers.jsonl").write_text("".join(json.dumps(each) + "\n" for each in entries))
    result = run_pytest("-rs")
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
    triage: Path, pytester: pytest.Pytester, play_openai: Loopback, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A cell has two rows for each repeat; calls are made for the selected cells alone."""
    server = play_openai(lambda body: openai_text(by_rules(body["messages"][-1]["content"])))
    (triage / ".omniscitus/models.yaml").write_text("- openai:gpt-4o-mini\n")
    monkeypatch.chdir(triage)
    result = pytester.runpytest_subprocess("--scaffold", "-v", "-k", "baseline and leak")
    result.assert_outcomes(passed=6)
    result.stdout.fnmatch_lines(
        ["*triage.grid.yaml::baseline/openai:gpt-4o-mini/leak[[]measure[[]0[]][]] PASSED*"]
    )
    assert len(server.requests) == 3
