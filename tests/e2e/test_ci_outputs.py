"""What `scaffold run` leaves for CI: files that servers read, and what GitHub's pages show."""

import csv
import json
from pathlib import Path
from typing import Any

import pytest
from command_line import Cli, levels
from grid_project import FOLDER, by_rules
from hardening import breaches
from hardening.attacks import OWN
from junitparser import JUnitXml
from loopback import Loopback, Reply, anthropic_text, openai_text
from test_run import judge_by_word, write_cases

SUITE = ".omniscitus/tests/prompts/greeting/prompt-meta.yaml"
SECRET = "sk-test-Xv92mLpR4tYw8KdJ"
FILES = ("--junit", "junit.xml", "--csv", "cases.csv", "--markdown", "summary.md")


@pytest.fixture
def server(project: Path, loopback: Loopback, monkeypatch: pytest.MonkeyPatch) -> None:
    """A judge of six cases, of which two fail."""
    write_cases(project, 6)
    monkeypatch.setenv("OPENAI_BASE_URL", loopback(judge_by_word).url)
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)


@pytest.fixture
def github(project: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """GitHub Actions around the project; the path of the job summary."""
    summary = project.parent / f"{project.name}-summary.md"
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    monkeypatch.setenv("GITHUB_WORKSPACE", str(project))
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    return summary


def commands(err: str) -> list[tuple[str, dict[str, str], str]]:
    return [breaches.read_command(line) for line in err.splitlines() if line.startswith("::")]


@pytest.mark.usefixtures("server")
def test_files(cli: Cli) -> None:
    """Each file says what the exit code and the table say."""
    result = cli("run", "--quiet", *FILES)
    assert (result.code, result.err) == (1, "")
    (suite,) = JUnitXml.fromfile("junit.xml")
    failed = [each.classname for each in suite if each.is_failure and each.name == "score"]
    assert (suite.tests, suite.failures, failed) == (24, 2, ["greeting.c2", "greeting.c5"])
    with Path("cases.csv").open(encoding="utf-8", newline="") as file:
        rows = [(row["suite"], row["ref"], row["verdict"]) for row in csv.DictReader(file)]
    assert rows == [
        ("greeting", f"c{each}", "FAIL" if each in (2, 5) else "PASS") for each in (2, 5, 0, 1, 3, 4)
    ]
    assert Path("summary.md").read_text().startswith("# FAIL: 1 suite, 6 cases: 2 failed, 4 passed\n")


@pytest.mark.usefixtures("server")
def test_github(cli: Cli, project: Path, github: Path) -> None:
    """The lines of the cases that failed are annotated, and the job summary is the Markdown of the run."""
    result = cli("run", "--quiet", "--markdown", "summary.md")
    lines = (project / SUITE).read_text().splitlines()
    found = commands(result.err)
    assert [(level, properties["title"]) for level, properties, _ in found] == [
        ("error", "FAIL greeting: c2"),
        ("error", "FAIL greeting: c5"),
    ]
    for _, properties, message in found:
        ref = properties["title"].removeprefix("FAIL greeting: ")
        assert properties["file"] == SUITE
        assert f"title: {ref}," in lines[int(properties["line"]) - 1]
        assert message.startswith("Scored 25 ")
    assert github.read_text() == Path("summary.md").read_text()


@pytest.mark.usefixtures("server", "github")
def test_cases_in_files_of_their_own(cli: Cli, project: Path) -> None:
    """The line is that of the case's own file, named from the root of the repository."""
    suite = project / SUITE
    head, _, _ = suite.read_text().partition("cases:")
    suite.write_text(head + "cases: {source: external, pattern: 'cases/*.jsonl'}\n")
    (suite.parent / "cases").mkdir()
    rows = [{"title": f"t{number}", "output": word} for number, word in enumerate(("kind", "kind", "rude"))]
    (suite.parent / "cases/a.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    ((_, properties, _),) = commands(cli("run", "--quiet").err)
    assert (properties["file"], properties["line"]) == (
        ".omniscitus/tests/prompts/greeting/cases/a.jsonl",
        "3",
    )


@pytest.mark.usefixtures("server", "github")
def test_standard_output_stays_a_report(cli: Cli) -> None:
    """Annotations go to standard error, which GitHub's runner reads, too."""
    result = cli("run", "--quiet", "--json", "-")
    assert result.report["totals"]["failed"] == 2
    assert len(commands(result.err)) == 2


@pytest.mark.usefixtures("server", "github")
@pytest.mark.parametrize("flag", [["--no-github"], ["--dry-run"]], ids=["not wanted", "nothing run"])
def test_github_is_not_told(cli: Cli, github: Path, flag: list[str]) -> None:
    """With --no-github, or where nothing is run, nothing is annotated or added."""
    assert commands(cli("run", "--quiet", *flag).err) == []
    assert not github.exists()


@pytest.mark.usefixtures("server", "github")
def test_a_grid(cli: Cli, project: Path, loopback: Loopback, monkeypatch: pytest.MonkeyPatch) -> None:
    """A cell of a grid is annotated on its task; every repeat is a testcase."""
    from gated_project import write
    from grid_project import FILES as GRID_FILES

    for path, text in GRID_FILES.items():
        write(path, text)

    def answer(body: Any) -> Reply:
        prompt = body["messages"][-1]["content"]
        prompt = prompt if isinstance(prompt, str) else prompt[0]["text"]
        said = "none of them" if "slow" in prompt else by_rules(prompt)
        return openai_text(said) if body["model"].startswith("gpt") else anthropic_text(said)

    url = loopback(answer).url
    monkeypatch.setenv("OPENAI_BASE_URL", url)
    monkeypatch.setenv("ANTHROPIC_BASE_URL", url)
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-test")
    result = cli("run", "triage", "--quiet", "--arm", "skill", "--arm", "baseline", *FILES)
    found = commands(result.err)
    assert {(each["file"], each["line"]) for _, each, _ in found if "slow" in each["title"]} == {
        (f"{FOLDER}/tasks.jsonl", "2")
    }
    (suite,) = JUnitXml.fromfile("junit.xml")
    assert {each.name for each in suite if "slow" in each.classname} == {
        f"{kind}[{number}]" for kind in ("measure", "gate") for number in range(3)
    }
    assert suite.failures == 4 * 3


@pytest.mark.usefixtures("github")
@pytest.mark.parametrize("json_file", ["report.json", "-"], ids=["table", "JSON"])
def test_attacks(
    cli: Cli,
    project: Path,
    loopback: Loopback,
    monkeypatch: pytest.MonkeyPatch,
    github: Path,
    json_file: str,
) -> None:
    """Whatever outputs and a judge say, GitHub's runner reads annotations and no other command."""
    suite = project / SUITE
    head, _, _ = suite.read_text().partition("cases:")
    suite.write_text(head + "cases: {source: external, pattern: cases.jsonl}\n")
    cases = [{"id": f"a{at}", "title": each.text, "output": each.text} for at, each in enumerate(OWN)]
    (suite.parent / "cases.jsonl").write_text("".join(f"{json.dumps(case)}\n" for case in cases))
    texts = iter([each.text for each in OWN] * 2)
    said = levels(1, 2)
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)

    def answer(_: Any) -> Reply:
        said["criteria.tone"]["reasoning"] = next(texts)
        return openai_text(json.dumps(said))

    monkeypatch.setenv("OPENAI_BASE_URL", loopback(answer).url)
    result = cli("run", "--quiet", "--concurrency", 1, "--json", json_file, *FILES)
    told = [line + "\n" for line in result.err.splitlines() if line.startswith("::")]
    rest = "".join(f"{line}\n" for line in result.err.splitlines() if not line.startswith("::"))
    assert (result.code, len(told)) == (1, 11)
    assert list(breaches.annotations("".join(told))) == []
    assert [*breaches.terminal_commands(result.out), *breaches.terminal_commands(rest)] == []
    assert list(breaches.junit(Path("junit.xml").read_text(), 4 * len(OWN))) == []
    headings = ["greeting (prompt): FAIL", f"FAIL: 1 suite, {len(OWN)} cases: {len(OWN)} failed"]
    assert list(breaches.markdown(github.read_text(), headings)) == []


@pytest.mark.usefixtures("github")
def test_secrets_are_nowhere(
    cli: Cli, project: Path, loopback: Loopback, monkeypatch: pytest.MonkeyPatch, github: Path
) -> None:
    """A key that a model or a judge repeats is in no file, annotation or table."""
    write_cases(project, 1)
    suite = project / SUITE
    suite.write_text(suite.read_text().replace("output: kind 0", f'output: "rude {SECRET}"'))
    said = levels(1, 2)
    said["criteria.tone"]["reasoning"] = f"It has {SECRET}"
    (project / "prompt.md").write_text("Greet {name}.")
    monkeypatch.setenv("OPENAI_BASE_URL", loopback(openai_text(json.dumps(said))).url)
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    result = cli("run", "--quiet", *FILES)
    written = [Path(name).read_text() for name in FILES[1::2]]
    assert result.code == 1
    assert not [text for text in (*written, github.read_text(), result.out, result.err) if SECRET in text]
    assert "rude [OPENAI_API_KEY]" in written[0]
    assert "rude [OPENAI_API_KEY]" in written[1]


@pytest.mark.usefixtures("server")
def test_a_resumed_run_writes_the_files_of_now(cli: Cli) -> None:
    """What a run was started with does not say where its end is written."""
    first = cli("run", "--quiet", "--json", "-", "--junit", "then.xml").report
    Path("then.xml").unlink()
    cli("run", "--quiet", "--resume", Path(first["run_dir"]).name, "--junit", "now.xml")
    assert (Path("then.xml").exists(), Path("now.xml").exists()) == (False, True)
