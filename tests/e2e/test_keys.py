"""Keys: none is needed for what is not run, and all that are missing are told at once."""

from pathlib import Path

import pytest
from command_line import SUITE, Cli
from test_run import refs

META = ".omniscitus/tests/prompts/greeting/prompt-meta.yaml"


@pytest.fixture(autouse=True)
def _without_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY"):
        monkeypatch.delenv(name, raising=False)


def write_suite(text: str, name: str = "greeting") -> None:
    """Write a suite of this name."""
    path = Path(META.replace("greeting", name))
    path.parent.mkdir(exist_ok=True)
    path.write_text(text.replace("prompt_name: greeting", f"prompt_name: {name}"))


def lacking(err: str) -> list[str]:
    """The models that errors say to lack a key, each with the key's variable."""
    lines = [line.partition(" (")[0] for line in err.splitlines()]
    return [line.removeprefix("Error: ").replace(" needs a key, and", "") for line in lines]


@pytest.mark.parametrize("output", [", output: Hello Ann", ""], ids=["recorded", "of a model"])
@pytest.mark.usefixtures("project")
def test_what_is_skipped_needs_none(cli: Cli, output: str) -> None:
    """Nobody is asked about cases that all are skipped, so nobody needs to be reached, nor is a cost told."""
    write_suite(SUITE.replace(", output: Hello Ann}", f"{output}, skip: later}}"))
    assert "about 0 calls" in cli("run", "--dry-run").out
    result = cli("run", "-q", "--json", "-")
    (case,) = result.report["suites"][0]["cases"]
    assert (result.code, case["verdict"], case["rows"][0]["error"]) == (4, "SKIP", "later")


@pytest.mark.usefixtures("project")
def test_what_is_not_selected_needs_none(cli: Cli) -> None:
    """A suite of which no case is selected keeps no other one from being run."""
    write_suite(SUITE.replace("title: Ann", "title: Bob"), "other")
    write_suite(SUITE.replace("Hello Ann}", "Hello Ann, skip: later}"))
    result = cli("run", "-q", "-k", "Ann", "--json", "-")
    assert (result.code, refs(result.report)) == (4, ["ann"])


@pytest.mark.usefixtures("project")
def test_all_that_are_missing_are_told(cli: Cli) -> None:
    """Those of the prompt's models, of the judges, and of all suites; of models with the same key one."""
    write_suite(SUITE.replace(", output: Hello Ann", ""))
    assert lacking(cli("run", "-q").err) == ["openai:gpt-4o-mini OPENAI_API_KEY is not set"]
    both = [
        "openai:gpt-4o-mini OPENAI_API_KEY is not set",
        "anthropic:claude-haiku-4-5 ANTHROPIC_API_KEY is not set",
    ]
    assert lacking(cli("run", "-q", "--judge", "anthropic:claude-haiku-4-5").err) == both
    models = ("--model", "openai:gpt-4o-mini", "--model", "anthropic:claude-haiku-4-5")
    assert lacking(cli("run", "-q", "--judge", "openai:gpt-4o", *models).err) == both
    write_suite(SUITE.replace('"openai:gpt-4o"', '"anthropic:claude-haiku-4-5"'), "other")
    result = cli("run", "-q")
    assert (result.code, lacking(result.err)) == (2, both)


@pytest.mark.usefixtures("project")
def test_those_of_a_panel(cli: Cli) -> None:
    """Every judge is somebody to be reached."""
    panel = 'panel: ["openai:gpt-4o", "anthropic:claude-haiku-4-5"]'
    write_suite(SUITE.replace('model: "openai:gpt-4o"', panel))
    assert lacking(cli("run", "-q").err) == [
        "openai:gpt-4o OPENAI_API_KEY is not set",
        "anthropic:claude-haiku-4-5 ANTHROPIC_API_KEY is not set",
    ]
