from collections.abc import Callable
from decimal import Decimal
from pathlib import Path

import pytest

from judges.core.errors import ConfigError
from judges.files.config import BaseUrls, Project, ProjectConfig, apply_config, read_project
from judges.files.evaluation_meta import ModelSpec
from judges.files.load import load_suite
from judges.files.suite import PromptSuite

SUITE = """\
prompt_name: greeting
{keys}
criteria: [{{name: tone, weight: 1, rubric: "Kind?"}}]
cases: []
"""


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write(tmp_path / ".omniscitus/tests/prompts/greeting/prompt-meta.yaml", "")
    return tmp_path


@pytest.fixture
def config(root: Path) -> Callable[[str], Project]:
    """Read a project whose settings are this text."""

    def read(text: str) -> Project:
        write(root / ".omniscitus/config.yaml", text)
        return read_project(root)

    return read


@pytest.fixture
def suite(root: Path) -> Callable[[str], PromptSuite]:
    """Load a suite with these keys."""

    def load(keys: str) -> PromptSuite:
        write(root / "prompt.md", "Greet.")
        write(root / "run.py", "")
        return load_suite(write(root / "prompt-meta.yaml", SUITE.format(keys=keys)))

    return load


def test_outside_a_project() -> None:
    """Nothing is set, and there is no suite."""
    assert read_project(None) == Project(None, ProjectConfig(), ())


@pytest.mark.parametrize("text", [None, "", "# judge: openai:gpt-4.1\n"], ids=["none", "empty", "comments"])
def test_without_settings(root: Path, text: str | None) -> None:
    """A project needs no settings; a file of comments has none."""
    if text is not None:
        write(root / ".omniscitus/config.yaml", text)
    suites = (root / ".omniscitus/tests/prompts/greeting/prompt-meta.yaml",)
    assert read_project(root) == Project(root, ProjectConfig(), suites)


def test_all_settings(root: Path, config: Callable[[str], Project]) -> None:
    """Every key is read, exact numbers as such; keys of the author are left alone."""
    write(root / "evals/one/prompt-meta.yaml", "")
    write(root / "evals/two.yaml", "")
    project = config(
        """\
judge: anthropic:claude-haiku-4-5
model: gpt-4.1-mini
concurrency: 20
http_retries: 0
max_cost_usd: 0.1
base_url: {openai: "http://localhost:11434/v1"}
suites: [evals, ./evals/two.yaml, .omniscitus/tests]
x-owner: jane
"""
    )
    assert project.config == ProjectConfig(
        judge="anthropic:claude-haiku-4-5",
        model="gpt-4.1-mini",
        concurrency=20,
        http_retries=0,
        max_cost_usd=Decimal("0.1"),
        base_url=BaseUrls(openai="http://localhost:11434/v1"),
        suites=("evals", "./evals/two.yaml", ".omniscitus/tests"),
    )
    assert [str(path.relative_to(root)) for path in project.suites] == [
        ".omniscitus/tests/prompts/greeting/prompt-meta.yaml",
        "evals/one/prompt-meta.yaml",
        "evals/two.yaml",
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        pytest.param("juge: x", "1:1: juge: unknown key (did you mean 'judge'?)", id="typo"),
        pytest.param("judge: 4", "1:8: judge: expected a text, found 4 (put it in quotes)", id="number"),
        pytest.param("judge: ''", "1:8: judge: must not be empty", id="empty"),
        pytest.param(
            "concurrency: 0", "1:14: concurrency: must be at least 1, found 0", id="no call at a time"
        ),
        pytest.param(
            "http_retries: 21", "1:15: http_retries: must be at most 20, found 21", id="too many retries"
        ),
        pytest.param("max_cost_usd: -1", "1:15: max_cost_usd: must be at least 0, found -1", id="budget"),
        pytest.param("max_cost_usd: .inf", "expected a finite number, found inf", id="infinite budget"),
        pytest.param(
            "base_url: {openai: 'ftp://jane:secret@host'}",
            "1:20: base_url.openai: expected the address of a server, such as http://localhost:11434/v1",
            id="address",
        ),
        pytest.param("base_url: {openai: 'http://[::1'}", "expected the address of a server", id="bracket"),
        pytest.param("base_url: {opnai: x}", "(did you mean 'openai'?)", id="unknown API"),
        pytest.param(
            "suites:\n  - nowhere",
            "2:5: suites[0]: 'nowhere': no such file or folder (paths start at the project root)",
            id="no such path",
        ),
        pytest.param(
            "suites: [src]",
            "1:10: suites[0]: 'src': no suite below it "
            "(a suite is a file named prompt-meta.yaml, *.fixture.md or *.grid.yaml)",
            id="no suite",
        ),
        pytest.param("suites: [..]", "suites[0]: '..' leaves the project root", id="outside"),
        pytest.param("- judge", "1:1: expected a mapping, found a list", id="list"),
        pytest.param("judge: a\njudge: b", "the key 'judge' is given twice", id="twice"),
    ],
)
def test_mistakes(root: Path, config: Callable[[str], Project], text: str, message: str) -> None:
    """What is wrong is said with its place; an address is not repeated, as it may hold a password."""
    (root / "src").mkdir()
    with pytest.raises(ConfigError) as caught:
        config(text)
    assert str(caught.value).startswith(".omniscitus/config.yaml:")
    assert message in str(caught.value)
    assert "secret" not in str(caught.value)


def test_all_mistakes_at_once(config: Callable[[str], Project]) -> None:
    """Two mistakes are two sentences."""
    with pytest.raises(ConfigError) as caught:
        config("judge: 1\nmodel: 2\n")
    assert [problem.line for problem in caught.value.problems] == [1, 2]


def test_a_link_to_nothing_is_no_missing_file(root: Path) -> None:
    """Settings that were meant to be there are not passed over."""
    (root / ".omniscitus/config.yaml").symlink_to(root / "gone.yaml")
    with pytest.raises(ConfigError, match=r"is a link to .*gone\.yaml, which does not exist"):
        read_project(root)


@pytest.mark.parametrize(
    ("keys", "judge", "model"),
    [
        pytest.param("target: prompt.md", "openai:gpt-4.1", ModelSpec(name="openai:o3"), id="says nothing"),
        pytest.param(
            "target: prompt.md\njudge: {temperature: 1}",
            "openai:gpt-4.1",
            ModelSpec(name="openai:o3"),
            id="says how to judge, not who",
        ),
        pytest.param("judge: {model: gpt-4o}", "gpt-4o", None, id="says the default, and has no prompt"),
        pytest.param(
            "target: prompt.md\nmodel: {name: gpt-4.1, temperature: 1}",
            "openai:gpt-4.1",
            ModelSpec(name="gpt-4.1", temperature=Decimal(1)),
            id="says the model",
        ),
        pytest.param("target: prompt.md\nrunner: run.py", "openai:gpt-4.1", None, id="has a runner"),
    ],
)
def test_the_suite_goes_before_the_project(
    suite: Callable[[str], PromptSuite], keys: str, judge: str, model: ModelSpec | None
) -> None:
    """The project's judge and model are for suites that name none, even if they would be the default."""
    applied = apply_config(suite(keys), ProjectConfig(judge="openai:gpt-4.1", model="openai:o3"))
    assert (applied.meta.judge.model, applied.model) == (judge, model)


def test_other_settings_of_the_judge_stay(suite: Callable[[str], PromptSuite]) -> None:
    """Only the model is replaced."""
    applied = apply_config(suite("judge: {max_retries: 0}"), ProjectConfig(judge="openai:gpt-4.1"))
    assert applied.meta.judge.max_retries == 0


def test_a_project_without_models_changes_nothing(suite: Callable[[str], PromptSuite]) -> None:
    """Neither judge nor model are made up."""
    loaded = suite("target: prompt.md")
    assert apply_config(loaded, ProjectConfig(concurrency=2)) == loaded
