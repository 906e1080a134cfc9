"""Suites as pytest items: one for each row, each suite run once, and nothing at all where nobody asks."""

import re
import subprocess
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from loopback import Server
from plugin_project import CALLS, FILE, Run, asked, collected, forget, runs


def test_nobody_asked(run_pytest: Run, ini: Any, project: Path, pytester: pytest.Pytester) -> None:
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


def test_items_are_known_without_a_call(run_pytest: Run, table_judge: Server) -> None:
    """Each row has an item, named as in the report, and nothing is called or written for that."""
    result = run_pytest("--collect-only", "-q")
    rows = ("checks.not_empty", "criteria.tone", "criteria.safety", "score")
    names = [f"{ref}[{row}]" for ref in ("ann", "bob", "cid") for row in rows]
    names += ["dan[case]", *(f"eve[{row}]" for row in rows)]
    assert collected(result) == [f"{FILE}::{name}" for name in names]
    assert (table_judge.requests, runs()) == ([], [])


@pytest.mark.parametrize(
    ("ini_lines", "passed", "failed"),
    [
        pytest.param([], 11, 2, id="a WARN fails"),
        pytest.param(["scaffold_allow_warn = true"], 12, 1, id="or not"),
    ],
)
def test_verdicts(
    run_pytest: Run, ini: Any, table_judge: Server, ini_lines: list[str], passed: int, failed: int
) -> None:
    """PASS passes, FAIL fails, what could not be measured is an error, SKIP is skipped with its reason."""
    ini("scaffold_suites = greeting", *ini_lines)
    result = run_pytest("-rs")
    result.assert_outcomes(passed=passed, failed=failed, errors=3, skipped=1)
    assert (result.ret, asked(table_judge), len(runs())) == (1, CALLS, 1)
    result.stdout.fnmatch_lines([f"SKIPPED [[]1[]] {FILE}:*: on holiday"])


def test_what_is_shown(run_pytest: Run, table_judge: Server) -> None:
    """Of a row that did not pass: what was found, where, how to see more; nothing acts on the terminal."""
    result = run_pytest()
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
    run_pytest: Run, table_judge: Server, selection: list[str], cases: dict[str, int]
) -> None:
    """Calls are made for the cases alone of which a row is selected."""
    run_pytest(*selection)
    assert asked(table_judge) == cases


def test_stop_at_the_first_and_go_on_with_the_last(run_pytest: Run, table_judge: Server) -> None:
    """`-x` stops after an item; `--lf` runs the items that failed, and makes no calls for the others."""
    run_pytest("-x").assert_outcomes(passed=7, failed=1)
    run_pytest().assert_outcomes(passed=11, failed=2, errors=3, skipped=1)
    forget()
    table_judge.requests.clear()
    run_pytest("--lf").assert_outcomes(failed=2, errors=3)
    assert asked(table_judge) == {"Bob": 1, "Cid": 2, "Eve": 1}


def test_junit(run_pytest: Run, table_judge: Server) -> None:
    """The testcases have the scores, and the kinds of results that the verdicts are."""
    run_pytest("--junitxml", "junit.xml")
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


def test_a_broken_suite(run_pytest: Run, table_judge: Server, project: Path) -> None:
    """Its mistakes are shown at their places as an error of collection; nothing is run."""
    suite = project / FILE
    suite.write_text(suite.read_text().replace("weight:", "wieght:"))
    result = run_pytest()
    result.assert_outcomes(errors=1)
    assert (result.ret, table_judge.requests) == (pytest.ExitCode.INTERRUPTED, [])
    result.stdout.fnmatch_lines(
        [
            f"*ERROR collecting {FILE}*",
            f"{FILE}:7:5: criteria[[]0[]].wieght: unknown key (did you mean 'weight'?)",
        ]
    )
