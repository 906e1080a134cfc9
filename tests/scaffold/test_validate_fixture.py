"""`scaffold validate` on fixtures, beside prompt suites."""

from collections.abc import Callable
from pathlib import Path

import pytest

from scaffold.__main__ import run

FOLDER = Path(".omniscitus/tests/fixtures")
FRONT = """\
model: m
runs: 3
pass_conditions:
  run: {must_succeed: true}
  result: {must_match: {pattern: "a|b", case_sensitive: true}}
  semantic: [{id: a, view: result, judges: [gpt-4o, claude-haiku-4-5], rubric: Is it?}]
"""
GOOD = f"---\n{FRONT}---\n# Prompt body\n\nSay a.\n"
SUMMARY = "smoke: 3 runs, quorum majority; conditions: run, result, semantic; 9 calls\n"

Validate = Callable[..., tuple[int, str, str]]


@pytest.fixture
def validate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Validate:
    """Run the command in a project with a good fixture; return exit code, output and errors."""
    (tmp_path / FOLDER).mkdir(parents=True)
    monkeypatch.chdir(tmp_path)
    (FOLDER / "smoke.fixture.md").write_text(GOOD)

    def validate(*args: str) -> tuple[int, str, str]:
        code = run(["validate", *args])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return validate


@pytest.mark.parametrize("names", [(), ("smoke",), (str(FOLDER),), (str(FOLDER / "smoke.fixture.md"),)])
def test_a_good_fixture_gives_one_line(validate: Validate, names: tuple[str, ...]) -> None:
    """Replicas, quorum, the families of its conditions, and what it will cost in calls."""
    assert validate(*names, "--strict") == (0, SUMMARY, "")


def test_a_fixture_that_config_names_is_checked(validate: Validate) -> None:
    """Extra paths of the project may hold fixtures."""
    Path("probes").mkdir()
    Path("probes/other.fixture.md").write_text(GOOD)
    Path(".omniscitus/config.yaml").write_text("suites: [probes]\n")
    assert validate("--strict") == (0, SUMMARY + SUMMARY.replace("smoke", "other"), "")


def test_remarks_are_notices_and_mistakes_when_strict(validate: Validate) -> None:
    """In the front matter and in the prompt, each at its place."""
    path = FOLDER / "smoke.fixture.md"
    path.write_text(GOOD.replace("runs: 3", "runs: 2").replace("Say a.", "Notes.\nSee @a.md"))
    remarks = [
        f"{path}:3:7: runs: a majority of 2 is both: one replica more lets one of them fail",
        f"{path}:12: '@a.md' is not sent as it stands where there is such a file: the client attaches it",
    ]
    code, out, err = validate()
    assert (code, out) == (0, SUMMARY.replace("3 runs", "2 runs").replace("9", "6"))
    assert err.splitlines() == [f"Notice: {remark}" for remark in reversed(remarks)]
    assert validate("--strict") == (2, "", "".join(f"Error: {remark}\n" for remark in remarks))


def test_what_is_not_sent_is_a_notice(validate: Validate) -> None:
    """It is no mistake, even to who is strict."""
    path = FOLDER / "smoke.fixture.md"
    path.write_text(GOOD.replace("# Prompt", "Notes.\n# Prompt"))
    notice = f"Notice: {path}: what stands between the front matter and '# Prompt body' is not sent\n"
    assert validate("--strict") == (0, SUMMARY, notice)


def test_mistakes_of_all_suites_are_told_at_once(validate: Validate) -> None:
    """A bad fixture, a bad pattern and a bad prompt suite hide neither each other nor a good fixture."""
    (FOLDER / "typo.fixture.md").write_text(GOOD.replace("model", "modle"))
    (FOLDER / "pattern.fixture.md").write_text(GOOD.replace("a|b", "(a|b"))
    Path(".omniscitus/tests/greet").mkdir()
    Path(".omniscitus/tests/greet/prompt-meta.yaml").write_text("prompt_name: greet\n")
    code, out, err = validate()
    assert (code, out) == (2, SUMMARY)
    assert err.splitlines() == [
        f"Error: {FOLDER}/pattern.fixture.md:6:34: pass_conditions.result.must_match.pattern: is not a "
        "JavaScript regular expression: expecting ')'",
        f"Error: {FOLDER}/typo.fixture.md:2:1: modle: unknown key (did you mean 'model'?)",
        "Error: .omniscitus/tests/greet/prompt-meta.yaml:1:1: cases: the key is missing",
    ]


def test_outside_files_can_be_allowed(validate: Validate) -> None:
    """`--allow-outside` lets a fixture name a folder beside the project."""
    (FOLDER / "smoke.fixture.md").write_text(GOOD.replace("model: m", "model: m\nworkspace: .."))
    assert validate()[0] == 2
    assert validate("--allow-outside") == (0, SUMMARY, "")


def test_no_suite_of_another_kind_is_run_by_accident(
    validate: Validate, capsys: pytest.CaptureFixture[str]
) -> None:
    """A command for prompt suites says that the name is a fixture's."""
    assert run(["qualify", "smoke"]) == 2
    assert capsys.readouterr().err == "Error: 'smoke' names a fixture, where a prompt suite is needed\n"
