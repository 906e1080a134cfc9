"""`judges` without the command line: the same engine, typed, in a program of one's own."""

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from command_line import Cli, levels
from loopback import Loopback, openai_error, openai_text

import judges
from judges.out.json_report import render_json

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "how-to" / "library.md"
EXAMPLE = ROOT / "examples" / "support-reply"
SUITE = ".omniscitus/tests/prompts/greeting/prompt-meta.yaml"
_BLOCK = re.compile(r"^```(python|text)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
GOOD = json.dumps(levels(3, 2))


@pytest.fixture
def example(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the example project as the working directory."""
    ignored = shutil.ignore_patterns("runs", "cache")
    folder = Path(shutil.copytree(EXAMPLE, tmp_path / "support-reply", ignore=ignored))
    monkeypatch.chdir(folder)
    return folder


def steps() -> Iterator[tuple[str, str]]:
    """Each example of the page, and what it shows."""
    blocks = _BLOCK.findall(PAGE.read_text(encoding="utf-8"))
    for (kind, code), (shows, text) in zip(blocks[::2], blocks[1::2], strict=True):
        assert (kind, shows) == ("python", "text")
        yield code, text


@pytest.mark.usefixtures("example")
def test_the_page_works_as_it_is_written(capsys: pytest.CaptureFixture[str]) -> None:
    """Its examples, run one after the other in the example project, show what the page says."""
    names: dict[str, Any] = {}
    for code, shown in steps():
        exec(compile(code, PAGE.name, "exec"), names)
        lines = ("(?:.*\n)*?" if line == "…" else re.escape(line) + "\n" for line in shown.splitlines())
        printed = capsys.readouterr().out
        assert re.fullmatch("".join(lines), printed), f"{code}\nshowed\n{printed}"


@pytest.mark.usefixtures("example")
def test_the_readme_shows_it_as_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    """The short program in the README runs in the example project."""
    (code,) = re.findall(
        r"^```python\n(.*?)^```$", (ROOT / "README.md").read_text(), re.MULTILINE | re.DOTALL
    )
    exec(compile(code, "README.md", "exec"), {})
    assert capsys.readouterr().out.startswith("FAIL Totals(cases=12, passed=7, warned=1, failed=4, ")


def test_the_page_is_well_typed(tmp_path: Path) -> None:
    """A type checker knows every name that a program uses."""
    program = tmp_path / "program.py"
    program.write_text("\n".join(code for code, _ in steps()))
    command = [
        sys.executable,
        "-m",
        "mypy",
        "--strict",
        "--cache-dir",
        str(ROOT / ".mypy_cache"),
        str(program),
    ]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
    assert done.stdout.startswith("Success: no issues found"), done.stdout + done.stderr


def test_it_says_what_the_command_says(example: Path, cli: Cli, capsys: pytest.CaptureFixture[str]) -> None:
    """A program gets the report that the command prints, and prints nothing itself."""
    (path,) = example.glob(".omniscitus/tests/prompts/*/prompt-meta.yaml")
    report = judges.run_suites([judges.load_suite(path)])
    assert capsys.readouterr() == ("", "")
    told = json.loads("".join(render_json(report)))
    whole = cli("run", "--json", "-", "--quiet").report
    shown = cli("show", report.run_dir.name, "--json").report
    assert shown == told
    for each in (told, whole):
        del each["run_dir"], each["suites"][0]["run_dir"]
        each["suites"][0]["path"] = Path(each["suites"][0]["path"]).resolve()
    assert told == whole


def test_own_providers_judge_and_produce(project: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    """A program brings models along by any name; results go to the folder that it names."""
    folder = tmp_path_factory.mktemp("results")
    suite = judges.load_suite(SUITE)
    writer = judges.ScriptedProvider(["Hello Ann, scripted"])
    judge = judges.ScriptedProvider([GOOD])
    options = judges.RunOptions(judge="the judge", models=("the writer",))
    report = judges.run_suites([suite], options, own={"the judge": judge, "the writer": writer}, root=folder)
    (case,) = report.suites[0].cases
    assert (report.verdict, report.exit_code) == (judges.Verdict.PASS, judges.ExitCode.PASSED)
    assert (case.output, case.criteria["tone"].level, case.model) == ("Hello Ann, scripted", 3, "the writer")
    assert [message.content for message in writer.requests[0].messages] == ["Greet Ann."]
    assert report.run_dir.parent == folder / ".omniscitus/runs"
    assert not (project / ".omniscitus/runs").exists()
    assert not (project / ".omniscitus/cache").exists()


@pytest.mark.usefixtures("project")
def test_a_provider_that_fails_is_a_row() -> None:
    """What goes wrong while measuring is in the report, never an exception and never a verdict."""
    judge = judges.ScriptedProvider([judges.ProviderError("out of order", status=503)])
    options = judges.RunOptions(judge="mine")
    report = judges.run_suites([judges.load_suite(SUITE)], options, own={"mine": judge})
    (case,) = report.suites[0].cases
    assert (report.exit_code, case.verdict) == (judges.ExitCode.UNMEASURED, judges.Verdict.ERROR)
    assert case.reasons[0] == "out of order"


def test_the_settings_of_the_project_hold(
    project: Path, loopback: Loopback, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Judge, address and retries come from config.yaml; answers are kept where the command keeps them."""
    server = loopback([openai_error(500, "down"), openai_text(GOOD)])
    (project / ".omniscitus/config.yaml").write_text(
        f"judge: openai:gpt-4.1\nhttp_retries: 1\nbase_url: {{openai: '{server.url}'}}\n"
    )
    suite_file = project / SUITE
    suite_file.write_text(suite_file.read_text().replace('judge: {model: "openai:gpt-4o", ', "judge: {"))
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
    reports = [judges.run_suites([judges.load_suite(SUITE)]) for _ in range(2)]
    assert [report.verdict for report in reports] == ["PASS", "PASS"]
    assert [(report.usage.calls, report.usage.cached) for report in reports] == [(1, 0), (0, 1)]
    assert [request.json["model"] for request in server.requests] == ["gpt-4.1"] * 2
    assert (project / ".omniscitus/cache/answers.sqlite").exists()


@pytest.mark.usefixtures("project")
def test_mistakes_are_raised_before_anything_is_called(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a caller can put right is a ConfigError that holds all problems."""
    suite = judges.load_suite(SUITE)
    with pytest.raises(judges.ConfigError, match="OPENAI_API_KEY is not set"):
        judges.run_suites([suite])
    with pytest.raises(judges.ConfigError, match="there is no suite to run"):
        judges.run_suites([])
    with pytest.raises(judges.ConfigError, match="names the unknown provider 'nope'"):
        judges.run_suites([suite], judges.RunOptions(judge="nope:x"))
    with pytest.raises(judges.ConfigError) as caught:
        judges.run_suites([suite, suite], judges.RunOptions(models=("nope:x",), judge="gpt-4o"))
    assert isinstance(caught.value, judges.ScaffoldError)
    stranger = judges.RunOptions(outputs={"ann": "a", "anne": "b"})
    with pytest.raises(judges.ConfigError, match="has the ref anne \\(did you mean 'ann'\\?\\)"):
        judges.run_suites([suite], stranger)
    assert not Path(".omniscitus/runs").exists()


@pytest.mark.usefixtures("project")
def test_an_interrupt_is_reported(cli: Cli) -> None:
    """Ctrl-C ends the run with what is finished; only its program knows how to go on."""

    class Impatient(judges.Watch):
        def case(self, case: judges.CaseReport) -> None:
            raise KeyboardInterrupt

    options = judges.RunOptions(judge="mine")
    own = {"mine": judges.ScriptedProvider([GOOD])}
    report = judges.run_suites([judges.load_suite(SUITE)], options, own=own, watch=Impatient())
    assert report.exit_code is judges.ExitCode.INTERRUPTED
    assert [notice.text for notice in report.notices] == ["the run was interrupted"]
    assert [case.verdict for case in report.suites[0].cases] == [judges.Verdict.PASS]
    resumed = cli("run", "--resume", report.run_dir.name)
    assert (resumed.code, "a program started this run" in resumed.err) == (2, True)


def run_python(code: str) -> str:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout.strip()


LOADED = "sorted(name for name in sys.modules if name.split('.')[0] in {})"


@pytest.mark.parametrize("name", ["judges", "judges.core.verdict"])
def test_importing_it_is_light(name: str) -> None:
    """Importing the package, or its core, imports no more than that."""
    loaded = run_python(
        f"import sys, {name}; print(*{LOADED.format(['judges', 'pydantic', 'openai', 'yaml'])})"
    )
    assert set(loaded.split()) <= {"judges", "judges.core", "judges.core.verdict"}


@pytest.mark.usefixtures("project")
def test_the_command_line_is_not_needed() -> None:
    """A program that runs a suite imports neither the application nor its libraries, nor any SDK."""
    code = f"""
import sys, judges
own = {{"mine": judges.ScriptedProvider([{GOOD!r}])}}
report = judges.run_suites([judges.load_suite({SUITE!r})], judges.RunOptions(judge="mine"), own=own)
print(report.verdict, *{LOADED.format(["scaffold", "click", "cookiecutter", "rich", "openai", "anthropic"])})
"""
    assert run_python(code) == "PASS"


def test_every_name_is_there() -> None:
    """All public names can be had, are listed, and say what they are; no other is invented."""
    assert set(judges.__all__) <= set(dir(judges))
    assert all(getattr(judges, name).__doc__ for name in judges.__all__)
    with pytest.raises(AttributeError, match="module 'judges' has no attribute 'lode_suite'"):
        judges.lode_suite  # type: ignore[attr-defined]  # noqa: B018
