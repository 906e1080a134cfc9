"""`scaffold doctor`: what is there, what is missing, how to mend it, and never a part of a key."""

import json
from pathlib import Path
from typing import Any

import pytest
from command_line import Cli
from doctor_findings import FIXTURE, KEY, SUITE, Install, edit, found, missing
from loopback import Loopback, Server, openai_error, openai_text

pytestmark = pytest.mark.usefixtures("install")


@pytest.mark.usefixtures("project")
def test_all_is_there(cli: Cli, seeing_judge: Server, install: Install) -> None:
    """One line a thing, section by section; what asking the judge cost; exit code 0."""
    install("node", "echo v20.1.0")
    result = cli("doctor")
    assert (result.code, result.err) == (0, "")
    sections = [line for line in result.out.splitlines() if line and not line.startswith(" ")]
    assert sections == [
        "Program", "Project", "Keys and addresses", "Models", "Judges", "Programs",
        "Asking took 1 call, 100 tokens in, 20 out, 0.0004 USD.", "Nothing is missing.",
    ]  # fmt: skip
    assert f"  ok        OPENAI_API_KEY    set; requests go to {seeing_judge.url}\n" in result.out
    assert "  ok        node              v20.1.0 (for JavaScript runners)\n" in result.out
    assert KEY[:5] not in result.out
    assert len(seeing_judge.requests) == 1


@pytest.mark.usefixtures("project")
def test_the_findings(cli: Cli, seeing_judge: Server, project: Path) -> None:
    """For programs: every finding with its status, text and what to do."""
    report = cli("doctor", "--json").report
    assert (report["schema"], report["ok"], report["usage"]["calls"]) == (1, True, 1)
    said = {each["name"]: each["text"] for each in report["findings"] if each["section"] != "Judges"}
    assert said["root"] == str(project)
    assert said["settings"] == "none (they would be in .omniscitus/config.yaml)"
    assert said["suites"] == "1 suite"
    assert said["cache"] == "empty, in .omniscitus/cache/answers.sqlite"
    assert said["openai:gpt-4o"] == (
        "judges greeting; 2.50 USD in, 10.00 USD out a million tokens; takes a temperature"
    )
    assert said["data"].startswith("prices of genai-prices ")
    assert said["data"].endswith("; parameters that models refuse, as of 2026-11-30")
    assert said["ANTHROPIC_API_KEY"] == "not set; requests go to https://api.anthropic.com"


@pytest.mark.usefixtures("project")
def test_the_question(cli: Cli, seeing_judge: Server) -> None:
    """The judge is asked as a suite would ask it; what it took is said."""
    status, text, fix = found(cli("doctor", "--json"), "openai:gpt-4o")
    assert (status, fix) == ("ok", None)
    assert text.startswith("answered in 0.")
    assert text.endswith(" s for 0.0004 USD; temperature 0")
    assert seeing_judge.requests[0].json["temperature"] == 0


def test_what_a_judge_does_not_take(cli: Cli, seeing_judge: Server, project: Path) -> None:
    """A parameter that was left out is an effective one, not the one that was asked for."""
    edit(project, 'openai:gpt-4o"', 'openai:o3"')
    result = cli("doctor", "--json")
    assert "; left out, as the model does not take it: temperature" in found(result, "openai:o3")[1]
    (listed,) = (
        each for each in result.report["findings"] if each["section"] == "Models" and "o3" in each["name"]
    )
    assert listed["text"].endswith("takes no temperature")


@pytest.mark.usefixtures("project")
def test_offline_asks_nobody(cli: Cli, seeing_judge: Server) -> None:
    """Nothing is sent, nothing is spent."""
    result = cli("doctor", "--offline", "--json")
    assert (result.code, seeing_judge.requests, result.report["usage"]["calls"]) == (0, [], 0)
    assert "Judges" not in {each["section"] for each in result.report["findings"]}


def test_suites_with_the_same_judge_ask_once(cli: Cli, seeing_judge: Server, project: Path) -> None:
    """One question a judge, whoever uses it."""
    other = project / ".omniscitus/tests/prompts/farewell/prompt-meta.yaml"
    other.parent.mkdir()
    other.write_text((project / SUITE).read_text().replace("prompt_name: greeting", "prompt_name: farewell"))
    result = cli("doctor", "--json")
    assert len(seeing_judge.requests) == 1
    (judge,) = (
        each for each in result.report["findings"] if each["section"] == "Models" and each["name"] != "data"
    )
    assert judge["text"].startswith("judges farewell, greeting; ")


def test_a_model_under_test_is_listed_but_not_asked(cli: Cli, seeing_judge: Server, project: Path) -> None:
    """Only judges are asked; the other models need their keys all the same."""
    edit(project, ", output: Hello Ann", "")
    edit(project, "openai:gpt-4o-mini", "anthropic:claude-haiku-4-5")
    result = cli("doctor", "--json")
    status, text, fix = found(result, "anthropic:claude-haiku-4-5")
    assert (result.code, status) == (2, "missing")
    needs = "anthropic:claude-haiku-4-5 needs a key, and ANTHROPIC_API_KEY is not set"
    assert text == f"is tested by greeting, but {needs}"
    assert fix
    assert "set ANTHROPIC_API_KEY" in fix
    assert len(seeing_judge.requests) == 1


def test_recorded_answers_are_a_judge_that_is_not_asked(
    cli: Cli, seeing_judge: Server, project: Path
) -> None:
    """There is nobody to reach; the file must be there, though."""
    edit(
        project, '{model: "openai:gpt-4o", max_retries: 1, timeout_seconds: 5}', "{model: replay:judge.jsonl}"
    )
    assert missing(cli("doctor", "--json")) == ["replay:judge.jsonl"]
    (project / SUITE).with_name("judge.jsonl").write_text("")
    result = cli("doctor", "--json")
    assert (result.code, seeing_judge.requests) == (0, [])
    assert found(result, "replay:judge.jsonl")[1] == "judges greeting; recorded answers, without a call"


def test_a_model_that_is_not_installed(cli: Cli, project: Path) -> None:
    """A judge on this machine has to be there like any other."""
    edit(project, 'openai:gpt-4o"', 'local:smollm2"')
    result = cli("doctor", "--json")
    assert (result.code, missing(result)) == (2, ["local:smollm2"])
    assert found(result, "local:smollm2")[2]


@pytest.mark.usefixtures("project")
def test_no_key(cli: Cli) -> None:
    """What the suites need and is not there is missing: exit code 2, and how to get it."""
    result = cli("doctor", "--json")
    assert (result.code, missing(result)) == (2, ["openai:gpt-4o"])
    assert "OPENAI_API_KEY is not set" in found(result, "openai:gpt-4o")[1]
    assert found(result, "OPENAI_API_KEY")[0] == "note"
    shown = cli("doctor").out
    assert shown.endswith("\n\n1 thing is missing.\n")
    assert "-> set OPENAI_API_KEY" in shown


@pytest.mark.usefixtures("project")
@pytest.mark.parametrize(
    ("replies", "said"),
    [
        pytest.param(openai_error(401, f"bad key {KEY}"), "Check OPENAI_API_KEY.", id="wrong key"),
        pytest.param(openai_error(404, "no such model"), "no such model", id="no such model"),
        pytest.param(openai_text("Sure!"), "the judge's reply could not be used", id="prose"),
    ],
)
def test_a_judge_that_does_not_answer(
    cli: Cli, loopback: Loopback, monkeypatch: pytest.MonkeyPatch, replies: Any, said: str
) -> None:
    """A judge that is there but gives no answer is missing, too; the reason is the endpoint's."""
    server = loopback(replies)
    monkeypatch.setenv("OPENAI_BASE_URL", server.url)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    result = cli("doctor", "--json")
    status, text, fix = found(result, "openai:gpt-4o")
    assert (result.code, status) == (2, "missing")
    assert said in text
    assert fix
    assert KEY not in result.out


@pytest.mark.usefixtures("project")
def test_a_dead_server(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody listens: said soon, with the address."""
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    result = cli("doctor", "--json")
    assert (result.code, missing(result)) == (2, ["openai:gpt-4o"])
    assert "http://127.0.0.1:9" in found(result, "openai:gpt-4o")[1]


@pytest.mark.usefixtures("project")
def test_a_judge_that_is_wrong(cli: Cli, loopback: Loopback, monkeypatch: pytest.MonkeyPatch) -> None:
    """It answers, but says that a greeting is none: a remark, since it can be reached."""
    said = {"greeting": {"evidence": [], "reasoning": "No.", "answer": "NO"}}
    monkeypatch.setenv("OPENAI_BASE_URL", loopback(openai_text(json.dumps(said))).url)
    result = cli("doctor", "--json")
    status, text, fix = found(result, "openai:gpt-4o")
    assert (result.code, status, fix) == (0, "note", "take a stronger model as the judge")
    assert "does not see that 'Good morning, Ann!' greets somebody" in text


@pytest.mark.usefixtures("project")
def test_a_password_in_an_address_is_not_shown(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only where requests go."""
    monkeypatch.setenv("OPENAI_BASE_URL", "http://jane:hunter2@127.0.0.1:9/v1")
    result = cli("doctor", "--offline")
    assert "requests go to http://127.0.0.1:9/v1" in result.out
    assert "hunter2" not in result.out


def test_broken_suites_and_settings(cli: Cli, project: Path) -> None:
    """One that cannot be run does not hide the rest."""
    broken = project / ".omniscitus/tests/prompts/broken/prompt-meta.yaml"
    broken.parent.mkdir()
    broken.write_text("prompt_name: broken\nspeed: 9\nsize: 7\n")
    orphan = project / ".omniscitus/tests/prompts/orphan/prompt-meta.yaml"
    orphan.parent.mkdir()
    text = (project / SUITE).read_text().replace("model: openai:gpt-4o-mini\n", "")
    orphan.write_text(text.replace(", output: Hello Ann", ""))
    (project / ".omniscitus/config.yaml").write_text("juge: x\n")
    result = cli("doctor", "--offline", "--json")
    assert result.code == 2
    assert missing(result) == ["settings", "broken", "orphan", "openai:gpt-4o"]
    assert "juge: unknown key (did you mean 'judge'?)" in found(result, "settings")[1]
    assert found(result, "broken")[1].endswith("(and 2 more)")
    assert found(result, "broken")[2] == "scaffold validate broken"
    assert found(result, "orphan")[2].startswith("name a model for the prompt")  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("name", "text", "said", "fix"),
    [
        pytest.param(
            "odd.fixture.md",
            FIXTURE.replace("views", "vews"),
            "odd.fixture.md:4:3: pass_conditions.vews: unknown key",
            "did you mean 'views'?",
            id="a fixture",
        ),
        pytest.param(
            "odd.fixture.md",
            FIXTURE.replace("OK", "("),
            "odd.fixture.md:4:45: pass_conditions.views.result.must_include[0].pattern: is not a JavaScript",
            None,
            id="a pattern of one",
        ),
        pytest.param(
            "odd.grid.yaml",
            "name: odd\narms: {a: {prompt: a.txt}}\nmodels: [gpt-4o]\ntasks: t.jsonl\nlabels: [x]\n",
            "odd.grid.yaml:2:7: arms: a grid compares at least two arms",
            "scaffold validate odd",
            id="a grid",
        ),
    ],
)
def test_every_kind_of_broken_suite(
    cli: Cli, project: Path, name: str, text: str, said: str, fix: str | None
) -> None:
    """Fixtures and grids are read as prompt suites are: what is wrong is told with its place."""
    path = project / ".omniscitus/tests" / name
    path.write_text(text)
    result = cli("doctor", "--offline", "--json")
    status, reason, remedy = found(result, "odd")
    assert (status, result.code) == ("missing", 2)
    assert reason.startswith(f"cannot be run: .omniscitus/tests/{said}")
    assert fix is None or remedy == fix
    path.unlink()
    assert "odd" not in missing(cli("doctor", "--offline", "--json"))


def test_outside_a_project(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seeing_judge: Server
) -> None:
    """Nothing is needed, so nothing is missing; the judge of a first suite is asked if there is a key."""
    monkeypatch.chdir(tmp_path)
    result = cli("doctor", "--json")
    assert (result.code, len(seeing_judge.requests)) == (0, 1)
    assert found(result, "root")[2] == "scaffold add-prompt NAME makes a first suite"
    assert found(result, "gpt-4o")[1].startswith("answered in ")


def test_outside_a_project_without_a_key(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A key is only missing where something needs it."""
    monkeypatch.chdir(tmp_path)
    result = cli("doctor", "--json")
    assert (result.code, found(result, "gpt-4o")[0]) == (0, "note")


def test_a_folder_that_cannot_be_written(cli: Cli, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs and the cache need a place."""
    monkeypatch.setattr("os.access", lambda *_: False)
    result = cli("doctor", "--offline", "--json")
    assert found(result, "root")[0] == "missing"


def test_the_cache(cli: Cli, project: Path) -> None:
    """How much is kept; a file that is no cache is a remark."""
    cache = project / ".omniscitus/cache/answers.sqlite"
    cache.parent.mkdir()
    cache.write_text("no database")
    status, text, fix = found(cli("doctor", "--offline", "--json"), "cache")
    assert (status, "file is not a database" in text) == ("note", True)
    assert fix


@pytest.mark.usefixtures("project")
def test_all_known_models(cli: Cli) -> None:
    """Prices and what each model takes, with the date of the data."""
    result = cli("doctor", "--models", "--json")
    said = {each["name"]: each["text"] for each in result.report["findings"]}
    assert result.code == 0
    assert said["openai:gpt-4o"] == "2.50 USD in, 10.00 USD out a million tokens; takes a temperature"
    assert said["openai:o3"].endswith("takes no temperature")
    assert said["anthropic:claude-haiku-4-5"].startswith("1.00 USD in, 5.00 USD out")
    assert len(said) > 50
    assert "as of 2026-11-30" in said["data"]
