"""What `scaffold grade` leaves for CI: the files of a run, and what GitHub's pages show."""

import json
from pathlib import Path

import pytest
from command_line import Cli
from fixture_project import Write
from junitparser import JUnitXml

pytestmark = pytest.mark.usefixtures("scripted_claude")

SECRET = "sk-ant-Xv92mLpR4tYw8KdJ"
FILES = ("--junit", "junit.xml", "--csv", "cases.csv", "--markdown", "summary.md", "--json", "report.json")


@pytest.fixture
def out(cli: Cli, fixtures: Write, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A run of two replicas that say a key, and what a runner would take for a command."""
    monkeypatch.setenv("ANTHROPIC_API_KEY", SECRET)
    fixtures(f"say BAD {SECRET} ##[error]now", runs=2)
    assert cli("bench", "demo", "--live", "--run-dir", "out", "-q").code == 1
    return Path("out")


@pytest.mark.parametrize(("place", "name"), [("out", "(0/2)"), ("out/r2", "")], ids=["a run", "a replica"])
def test_files(cli: Cli, out: Path, place: str, name: str) -> None:
    """Each says what the exit code says, of all replicas and of one; keys are in the JSON report alone."""
    done = cli("grade", place, *FILES)
    assert (done.code, done.err) == (1, "")
    (suite,) = JUnitXml.fromfile("junit.xml")
    assert [each.name for each in suite if each.is_failure] == [f"result.must_match {name}".strip()]
    assert Path("cases.csv").read_text("utf-8").splitlines()[1].startswith("demo,fixture,demo,")
    assert Path("summary.md").read_text("utf-8").startswith("# FAIL: 1 suite, 1 case: 1 failed\n")
    assert json.loads(Path("report.json").read_text("utf-8"))["verdict"] == "FAIL"
    said = done.out + "".join(Path(file).read_text("utf-8") for file in FILES[1:6:2])
    assert SECRET not in said
    assert "BAD [ANTHROPIC_API_KEY]" in said
    assert SECRET in Path("report.json").read_text("utf-8")


def test_github(cli: Cli, out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The fixture is annotated and the job summary added to, unless that is not wanted."""
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", "job.md")
    assert "::" not in cli("grade", "out", "--no-github").err
    assert not Path("job.md").exists()
    done = cli("grade", "out")
    title = "title=FAIL demo%3A demo::"
    assert f"::error file=.omniscitus/tests/fixtures/demo.fixture.md,line=1,{title}" in done.err
    assert Path("job.md").read_text("utf-8").startswith("# FAIL: 1 suite, 1 case: 1 failed\n")


def test_a_file_that_cannot_be_written_is_told_first(cli: Cli, out: Path) -> None:
    """Nothing is graded then, and no two options share a file."""
    (out / "grade.json").unlink()
    done = cli("grade", "out", "--csv", "nowhere/cases.csv")
    assert (done.code, "nowhere/cases.csv: there is no such folder" in done.err) == (2, True)
    assert cli("grade", "out", "--csv", "a", "--junit", "a").code == 2
    assert not (out / "grade.json").exists()


@pytest.mark.parametrize(
    "arguments",
    [("grade", "out", "--json", "-"), ("show", "out", "--json"), ("show", "out", "demo", "--json")],
    ids=["grade", "show a run", "show a case"],
)
def test_json_holds_no_command_to_a_runner(cli: Cli, out: Path, arguments: tuple[str, ...]) -> None:
    """It says the same, with the mark that a runner looks for as an escape."""
    done = cli(*arguments)
    assert "##[" not in done.out
    assert "##[error]now" in json.dumps(done.report)
