"""What is checked before a run, and how the outputs for CI are masked and added."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click
import pytest

from judges.core.errors import ConfigError
from judges.core.report import Report, SuiteKind, SuiteReport, Totals
from judges.core.verdict import ExitCode, Verdict
from judges.files.load import load_suite
from judges.run.options import RunOptions
from judges.run.prompt_plan import plan_prompt
from scaffold.ci_outputs import build_run_mask, check_files, failing_verdicts, tell_github
from scaffold.output_flags import OUTPUT_OPTIONS, output_options

TOKEN = "t0ken-of-the-suite"


def report(name: str = "greet") -> Report:
    """A run of one suite of no case, which failed by its rate."""
    suite = SuiteReport(
        name=name,
        kind=SuiteKind.PROMPT,
        path=Path("prompt-meta.yaml"),
        verdict=Verdict.FAIL,
        run_dir=Path("run/greet"),
        cases=(),
        totals=Totals(),
        summary={"pass_rate": 0.0, "threshold": 80, "warn_rate": 0, "interval": None},
    )
    return Report(verdict=Verdict.FAIL, exit_code=ExitCode.FAILED, run_dir=Path("run"), suites=(suite,))


@pytest.mark.parametrize(
    ("flags", "problem"),
    [
        pytest.param({"junit_file": "no/such.xml"}, "no/such.xml: there is no such folder", id="no folder"),
        pytest.param({"csv_file": "file/x.csv"}, "file/x.csv: there is no such folder", id="below a file"),
        pytest.param({"csv_file": "x", "junit_file": "./x"}, "x: is named twice", id="two of the same name"),
        pytest.param({"json_file": "link", "markdown_file": "file"}, "file: is named twice", id="by a link"),
        pytest.param({"record": "x", "csv_file": "x"}, "x: is named twice", id="with the record"),
    ],
)
def test_files_that_cannot_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, flags: Mapping[str, str], problem: str
) -> None:
    """They are told before anything is spent."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_text("")
    (tmp_path / "link").symlink_to("file")
    with pytest.raises(ConfigError) as raised:
        check_files(flags)
    assert str(raised.value).startswith(f"{problem} (")


@pytest.mark.parametrize(
    "flags",
    [
        pytest.param({}, id="none"),
        pytest.param({"json_file": "-", "junit_file": None, "csv_file": "x.csv"}, id="standard output"),
        pytest.param({"json_file": "/dev/null", "junit_file": "/dev/null"}, id="a device"),
    ],
)
def test_files_that_can_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, flags: Mapping[str, Any]
) -> None:
    """Nothing is said, and nothing is written yet."""
    monkeypatch.chdir(tmp_path)
    check_files(flags)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("flags", "expected"),
    [
        pytest.param({}, {"FAIL", "ERROR", "WARN", "INCONCLUSIVE"}, id="strict"),
        pytest.param({"allow_warn": True}, {"FAIL", "ERROR", "INCONCLUSIVE"}, id="warnings allowed"),
        pytest.param({"allow_inconclusive": True}, {"FAIL", "ERROR", "WARN"}, id="inconclusive allowed"),
    ],
)
def test_what_fails_is_what_the_exit_code_says(flags: Mapping[str, Any], expected: set[str]) -> None:
    """A verdict fails where the program would not exit 0."""
    assert failing_verdicts(flags) == expected


def test_secrets_of_a_suite_are_hidden(tmp_path: Path) -> None:
    """The values of its `.env` file, and of variables that are named as secrets."""
    (tmp_path / ".omniscitus").mkdir()
    (tmp_path / ".env").write_text(f"SERVICE_USER={TOKEN}\n")
    path = tmp_path / "prompt-meta.yaml"
    path.write_text(
        "prompt_name: greet\ncriteria: [{name: safety, weight: 1, rubric: 'Is it safe?'}]\ncases: []\n"
        "config: .env\n"
    )
    plan = plan_prompt(load_suite(path), RunOptions())
    mask = build_run_mask([plan], {"OPENAI_API_KEY": "sk-1234567890", "HOME": "/home/someone"})
    assert mask(f"{TOKEN} sk-1234567890 /home/someone") == "[SERVICE_USER] [OPENAI_API_KEY] /home/someone"


@pytest.mark.parametrize(
    ("flag", "environ", "told"),
    [
        pytest.param(None, {"GITHUB_ACTIONS": "true"}, True, id="under GitHub Actions"),
        pytest.param(None, {}, False, id="elsewhere"),
        pytest.param(None, {"GITHUB_ACTIONS": "false"}, False, id="not quite under GitHub Actions"),
        pytest.param(True, {}, True, id="where it is asked for"),
        pytest.param(False, {"GITHUB_ACTIONS": "true"}, False, id="where it is not wanted"),
    ],
)
def test_when_github_is_told(
    capsys: pytest.CaptureFixture[str], flag: bool | None, environ: dict[str, str], told: bool
) -> None:
    """By itself under GitHub Actions, else as the flag says; always on standard error."""
    tell_github(report(), {"github": flag}, {**environ, "GITHUB_WORKSPACE": str(Path.cwd())})
    said = capsys.readouterr()
    expected = "::error file=prompt-meta.yaml,line=1,title=FAIL greet::0 %25 pass; 80 %25 must\n"
    assert (said.out, said.err) == ("", expected if told else "")


def test_a_summary_is_added(tmp_path: Path) -> None:
    """Several commands of a step share its summary."""
    path = tmp_path / "summary.md"
    path.write_text("earlier\n")
    for name in ("one", "two"):
        tell_github(report(name), {"github": True}, {"GITHUB_STEP_SUMMARY": str(path)})
    lines = path.read_text().splitlines()
    assert lines[0] == "earlier"
    assert [line for line in lines if line.startswith("##")] == [
        "## one (prompt): FAIL",
        "## two (prompt): FAIL",
    ]


@pytest.mark.parametrize("there", [1024 * 1024 - 300, 1024 * 1024])
def test_a_summary_stays_within_what_is_shown(tmp_path: Path, there: int) -> None:
    """GitHub shows none of a summary that is too large: what is there already counts."""
    path = tmp_path / "summary.md"
    path.write_bytes(b"x" * (there - 1) + b"\n")
    tell_github(report("n" * 1000), {"github": True}, {"GITHUB_STEP_SUMMARY": str(path)})
    text = path.read_text()
    assert len(text) <= 1024 * 1024
    assert ("does not fit" in text) == (there < 1024 * 1024)


def test_a_summary_that_cannot_be_written_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It is a copy, so that nothing fails for it."""
    tell_github(report(), {"github": True}, {"GITHUB_STEP_SUMMARY": str(tmp_path)})
    assert capsys.readouterr().err.splitlines()[1:] == [
        f"Notice: no job summary in {tmp_path}: Is a directory"
    ]


def test_the_options_are_given_in_order() -> None:
    """A command that has a result has all of them, in the order of the list."""

    @click.command()
    @output_options
    def command(**flags: Any) -> Any:
        return flags

    assert [each.name for each in command.params] == ["junit_file", "csv_file", "markdown_file", "github"]
    assert len(OUTPUT_OPTIONS) == len(command.params)
    assert command.main(["--csv", "x", "--no-github"], standalone_mode=False) == {
        "junit_file": None,
        "csv_file": "x",
        "markdown_file": None,
        "github": False,
    }
