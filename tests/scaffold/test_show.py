"""`scaffold show`."""

import json
from collections.abc import Callable, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from judges.core.encode import encode_case, encode_suite, encode_totals, encode_usage, render_line
from judges.core.report import CaseReport, SuiteKind, SuiteReport, Totals
from judges.core.row import Row
from judges.core.usage import Usage
from judges.core.verdict import Verdict
from scaffold.__main__ import run

Show = Callable[..., tuple[int, str, str]]
OLD, NEW = "20261129T101500Z-00ff", "20261130T131400Z-ab12"


def make_case(ref: str, verdict: Verdict, model: str | None = None) -> CaseReport:
    """Return a case whose one row says why."""
    row = Row(
        id="score",
        kind="score",
        verdict=verdict,
        score=Decimal(65),
        actual_excerpt=f"Scored 65 on {ref} (threshold: 70)",
        spec={"pass": 70.0},
    )
    return CaseReport(
        ref=ref,
        title=ref.upper(),
        category=None,
        verdict=verdict,
        rows=(row,),
        score=Decimal(65),
        model=model,
    )


def make_record(case: CaseReport) -> dict[str, Any]:
    """Return the line of records.jsonl for a case."""
    return {
        "ref": case.ref,
        "arm": None,
        "model": case.model,
        "replica": 1,
        "output": f"output of {case.ref} by {case.model}\x1b[2J",
        "source": case.model or "recorded",
        "error": None,
        "latency_ms": None,
        "usage": encode_usage(Usage()),
        "input": {"question": "Where?"},
        "expected_behavior": "Tells where.",
        "judge": [
            {
                "messages": [{"role": "user", "content": f"Grade {case.ref}\u202e"}],
                "reply": "{}",
                "complaint": None,
                "effective": {},
            }
        ],
    }


def write_suite(run_dir: Path, name: str, cases: Sequence[CaseReport]) -> None:
    """Write the folder of one suite."""
    folder = run_dir / name
    folder.mkdir(parents=True)
    (folder / "rows.jsonl").write_text(
        "".join(
            render_line({"index": index, **encode_case(case), "output": make_record(case)["output"]}) + "\n"
            for index, case in enumerate(cases)
        ),
        "utf-8",
    )
    (folder / "records.jsonl").write_text(
        "".join(render_line(make_record(case)) + "\n" for case in cases), "utf-8"
    )
    suite = SuiteReport(
        name=name,
        kind=SuiteKind.PROMPT,
        path=Path(f"{name}.yaml"),
        verdict=Verdict.FAIL,
        run_dir=folder,
        cases=cases,
        totals=Totals(cases=len(cases), failed=1, passed=len(cases) - 1),
    )
    (folder / "grade.json").write_text(json.dumps(encode_suite(suite)), "utf-8")


def write_run(run_dir: Path, suites: Sequence[str]) -> None:
    """Write run.json, which ends a run."""
    info = {
        "suites": list(suites),
        "verdict": "FAIL",
        "exit_code": 1,
        "totals": encode_totals(Totals()),
        "usage": encode_usage(Usage()),
        "notices": [],
    }
    (run_dir / "run.json").write_text(json.dumps(info), "utf-8")


@pytest.fixture
def runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with an older and a newer run; the working directory is inside it."""
    runs = tmp_path / ".omniscitus" / "runs"
    write_suite(runs / OLD, "reply", [make_case("old-case", Verdict.FAIL)])
    write_run(runs / OLD, ["reply"])
    reply = [
        make_case("greeting", Verdict.PASS),
        make_case("refund", Verdict.FAIL, "gpt-x"),
        make_case("refund", Verdict.PASS, "claude-y"),
    ]
    write_suite(runs / NEW, "reply", reply)
    write_suite(runs / NEW, "summary", [make_case("long", Verdict.FAIL)])
    write_run(runs / NEW, ["reply", "summary"])
    (tmp_path / "src").mkdir()
    monkeypatch.chdir(tmp_path / "src")
    return runs


@pytest.fixture
def show(capsys: pytest.CaptureFixture[str]) -> Show:
    """Run `scaffold show` and return exit code, standard output and standard error."""

    def call(*args: str) -> tuple[int, str, str]:
        code = run(["show", *args])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return call


def test_without_arguments_the_latest_run_is_shown(runs: Path, show: Show) -> None:
    """The table of the newest run, worst first."""
    code, out, err = show()
    assert (code, err) == (0, "")
    assert "Scored 65 on refund (threshold: 70)" in out
    assert f"Next: scaffold show {NEW} refund --suite reply" in out
    assert "old-case" not in out


@pytest.mark.parametrize("name", [OLD, f"../.omniscitus/runs/{OLD}"], ids=["id", "path"])
def test_a_run_goes_by_its_id_or_its_path(runs: Path, show: Show, name: str) -> None:
    """An older run can be looked at again."""
    code, out, _ = show(name)
    assert code == 0
    assert "old-case" in out


def test_a_single_argument_that_is_no_run_is_a_case(runs: Path, show: Show) -> None:
    """The case of the latest run is shown whole."""
    code, out, err = show("greeting")
    assert (code, err) == (0, "")
    assert out.startswith("PASS  greeting  65\nGREETING\noutput recorded\n")
    assert "\n\nInput\n  question: Where?\n\nExpected behavior\n  Tells where.\n\n" in out
    assert "\n\nOutput\n  output of greeting by None\\x1b[2J\n\n" in out


def test_a_case_of_an_older_run(runs: Path, show: Show) -> None:
    """Run and case together."""
    assert show(OLD, "old-case")[1].startswith("FAIL  old-case  65\n")


def test_every_trial_of_a_case_is_shown_with_its_own_output(runs: Path, show: Show) -> None:
    """Two models answered the same case."""
    out = show("refund")[1]
    first, second = out.split("\n== reply, model claude-y, replica 1 ==\n")
    assert first.startswith("== reply, model gpt-x, replica 1 ==\n\nFAIL  refund")
    assert "output of refund by gpt-x" in first
    assert "output of refund by claude-y" in second


def test_the_prompt_is_shown_safely(runs: Path, show: Show) -> None:
    """What the judge saw and said, with nothing that acts on a terminal."""
    assert show("greeting", "--prompt")[1] == "user\n  Grade greeting\\u202e\n\nreply\n  {}\n"


def test_json_holds_the_prompt_exactly(runs: Path, show: Show) -> None:
    """A program gets every character as it was sent."""
    (line,) = show("greeting", "--prompt", "--json")[1].splitlines()
    assert json.loads(line)[0]["messages"] == [{"role": "user", "content": "Grade greeting\u202e"}]


def test_json_of_a_case_is_one_line_a_trial(runs: Path, show: Show) -> None:
    """Suite, report and record, with the output whole."""
    lines = [json.loads(line) for line in show("refund", "--json")[1].splitlines()]
    assert [(each["suite"], each["case"]["model"], each["record"]["model"]) for each in lines] == [
        ("reply", "gpt-x", "gpt-x"),
        ("reply", "claude-y", "claude-y"),
    ]
    assert lines[0]["case"]["output"] == "output of refund by gpt-x\x1b[2J"


def test_json_of_a_run_is_its_report(runs: Path, show: Show) -> None:
    """The report of the run, outputs included."""
    report = json.loads(show("--json")[1])
    assert [suite["name"] for suite in report["suites"]] == ["reply", "summary"]
    assert [case["output"] for case in report["suites"][1]["cases"]] == ["output of long by None\x1b[2J"]


def test_one_suite_of_a_run(runs: Path, show: Show) -> None:
    """The others are left out."""
    assert [suite["name"] for suite in json.loads(show("--suite", "summary", "--json")[1])["suites"]] == [
        "summary"
    ]


def test_an_unfinished_newer_run_is_mentioned(runs: Path, show: Show) -> None:
    """Nobody takes yesterday's run for today's."""
    write_suite(runs / "20261201T000000Z-0001", "reply", [make_case("half", Verdict.FAIL)])
    code, out, err = show()
    assert code == 0
    assert NEW in out
    assert err == f"The newer run 20261201T000000Z-0001 has not finished; this is {NEW}.\n"


@pytest.mark.parametrize(
    ("args", "message"),
    [
        pytest.param(["refunt"], f"run {NEW} has no case 'refunt' (did you mean 'refund'?)", id="case"),
        pytest.param(
            ["zzz"], f"run {NEW} has no case 'zzz' (it has: greeting, refund, refund, long)", id="other"
        ),
        pytest.param([f"{OLD}0", "x"], f"there is no run '{OLD}0' (did you mean {OLD}?)", id="run"),
        pytest.param(["zzz", "x"], f"there is no run 'zzz' (the latest is {NEW})", id="other run"),
        pytest.param(
            ["--suite", "sumary"], f"run {NEW} has no suite 'sumary' (did you mean 'summary'?)", id="suite"
        ),
    ],
)
def test_unknown_names_exit_2_with_a_hint(runs: Path, show: Show, args: list[str], message: str) -> None:
    """A typo is told apart from an empty result."""
    assert show(*args) == (2, "", f"Error: {message}\n")


def test_the_prompt_needs_a_case(runs: Path, show: Show) -> None:
    """There is no prompt of a whole run."""
    code, _, err = show("--prompt")
    assert code == 2
    assert "--prompt needs a CASE" in err


def test_no_run_yet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, show: Show) -> None:
    """Outside a project, and in one without runs, the next step is named."""
    monkeypatch.chdir(tmp_path)
    assert show()[2].endswith("holds .omniscitus/ (make one: scaffold run)\n")
    (tmp_path / ".omniscitus").mkdir()
    assert show() == (2, "", f"Error: there is no finished run below {tmp_path} (make one: scaffold run)\n")


ROWS_DAMAGED = [
    pytest.param("run.json", "{", id="cut run.json"),
    pytest.param("run.json", "[]", id="another run.json"),
    pytest.param("run.json", '{"verdict": "FAIL"}', id="run.json without suites"),
    pytest.param("run.json", '{"suites": ["gone"], "verdict": "FAIL"}', id="a suite that is gone"),
    pytest.param("reply/rows.jsonl", "\x00\n", id="binary rows"),
    pytest.param("reply/rows.jsonl", "[]\n", id="rows of another kind"),
    pytest.param("reply/rows.jsonl", "{}\n", id="an empty row"),
]
SUMMARY_DAMAGED = [
    pytest.param("run.json", '{"suites": ["reply"]}', id="run.json without a verdict"),
    pytest.param("reply/grade.json", "{}", id="empty grade.json"),
    pytest.param("reply/grade.json", "", id="no grade.json"),
]


@pytest.mark.parametrize(("file", "text"), [*ROWS_DAMAGED, *SUMMARY_DAMAGED])
@pytest.mark.parametrize("args", [[], ["--json"]], ids=["table", "json"])
def test_a_damaged_run_is_said_to_be_damaged(
    runs: Path, show: Show, file: str, text: str, args: list[str]
) -> None:
    """No traceback: where the damage is, and what to do."""
    (runs / NEW / file).write_text(text, "utf-8")
    code, _, err = show(*args)
    assert code == 2
    assert NEW in err
    assert "run the suite again" in err


@pytest.mark.parametrize(("file", "text"), ROWS_DAMAGED)
def test_a_damaged_case_is_said_to_be_damaged(runs: Path, show: Show, file: str, text: str) -> None:
    """A case is never shown in part."""
    (runs / NEW / file).write_text(text, "utf-8")
    code, out, err = show("greeting")
    assert (code, out) == (2, "")
    assert NEW in err
    assert "run the suite again" in err


@pytest.mark.parametrize(("file", "text"), SUMMARY_DAMAGED)
def test_a_case_does_not_need_the_summary(runs: Path, show: Show, file: str, text: str) -> None:
    """What can still be read is shown."""
    (runs / NEW / file).write_text(text, "utf-8")
    assert show("greeting")[1].startswith("PASS  greeting")


def test_a_missing_record_is_said_to_be_missing(runs: Path, show: Show) -> None:
    """A case without what it was judged on is not shown as if it were whole."""
    (runs / NEW / "reply" / "records.jsonl").write_text("", "utf-8")
    code, _, err = show("greeting")
    assert code == 2
    assert "records.jsonl: the record of this case is missing" in err


def test_a_line_cut_by_a_crash_is_passed_over(runs: Path, show: Show) -> None:
    """What was finished before stays readable."""
    with (runs / NEW / "reply" / "rows.jsonl").open("a", encoding="utf-8") as file:
        file.write('{"ref": "half')
    assert show("greeting")[0] == 0
    assert show()[0] == 0
