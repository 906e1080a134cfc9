"""A smoke judge, in all that is shown and written: its levels are there, and no verdict rests on them."""

import json
from pathlib import Path

import pytest
from command_line import Cli, levels

import judges
from judges.out.json_report import render_json
from judges.out.table import render_table

SMOKE = "local:smollm2"
UNJUDGED = "unjudged (smoke judge)"
NOTICE = (
    "local:smollm2 is a smoke judge: no better than chance where it was measured. It shows that everything "
    "runs; its levels decide nothing. For verdicts name another judge with --judge"
)
SUITE = ".omniscitus/tests/prompts/greeting/prompt-meta.yaml"


def run(project: Path) -> judges.Report:
    """The suite `greeting`, judged by a double under the name of the packaged model."""
    double = judges.ScriptedProvider([levels(3, 2)])
    suite = judges.load_suite(project / SUITE)
    return judges.run_suites([suite], judges.RunOptions(judge=SMOKE), own={SMOKE: double})


def test_the_report_says_so(project: Path) -> None:
    """Top levels, and yet the suite is ERROR, the exit code 3, and no score is given."""
    report = run(project)
    assert (report.verdict, report.exit_code) == (judges.Verdict.ERROR, judges.ExitCode.UNMEASURED)
    shown = json.loads("".join(render_json(report)))
    (suite,) = shown["suites"]
    (case,) = suite["cases"]
    assert (suite["verdict"], case["verdict"], case["score"], case["judged_score"]) == (
        "ERROR",
        "ERROR",
        None,
        None,
    )
    assert (case["criteria"]["tone"]["level"], case["criteria"]["tone"]["percent"]) == (3, 100)
    assert [(row["id"], row["verdict"], row["error"]) for row in case["rows"]] == [
        ("checks.not_empty", "PASS", None),
        ("criteria.tone", "ERROR", UNJUDGED),
        ("criteria.safety", "ERROR", UNJUDGED),
        ("score", "ERROR", UNJUDGED),
    ]
    assert [notice["text"] for notice in suite["notices"]] == [NOTICE]


def test_the_table_says_so(project: Path) -> None:
    """One line tells why, and a note tells what that means."""
    text = render_table(run(project), width=200)
    assert UNJUDGED in text
    assert f"note: {NOTICE}" in text
    assert "ERROR  greeting, 1 case: 1 errored" in text


def test_a_person_s_total_settles_a_case(project: Path) -> None:
    """What people decide holds under any judge: the suite passes."""
    folder = project / SUITE.replace("prompt-meta.yaml", "overrides")
    folder.mkdir()
    (folder / "overrides.yaml").write_text(
        '- {case_ref: ann, score: 90, timestamp: "2026-11-01T00:00:00Z", reason: Read by two of us}\n'
    )
    report = run(project)
    (case,) = report.suites[0].cases
    assert (report.exit_code, case.verdict, case.score) == (judges.ExitCode.PASSED, judges.Verdict.PASS, 90)


@pytest.mark.usefixtures("project")
@pytest.mark.parametrize("arguments", [("--record", "replay.jsonl"), ("--record-all",)])
def test_its_answers_are_not_recorded(cli: Cli, tmp_path: Path, arguments: tuple[str, ...]) -> None:
    """A replay of them would decide as if a judge had been asked; refused before anything is run."""
    result = cli("run", "greeting", "--judge", SMOKE, *arguments)
    assert result.code == 2
    assert "the answers of a smoke judge are not recorded, as a replay of them would decide" in result.err
    assert list(tmp_path.rglob("replay.jsonl")) == []
