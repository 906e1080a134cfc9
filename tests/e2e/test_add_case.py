"""`scaffold add-case`: a log becomes cases that run, and nothing else in the suite changes."""

import errno
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from command_line import Cli, levels
from loopback import Loopback, openai_text

SUITE = ".omniscitus/tests/prompts/greeting/prompt-meta.yaml"
CASES = "cases:\n  - {title: Ann, input: {name: Ann}, output: Hello Ann}\n"

Log: TypeAlias = Callable[..., None]


@pytest.fixture
def log(project: Path) -> Log:
    """Write `traffic.jsonl` with these lines."""

    def write(*lines: Any) -> None:
        text = "".join(f"{line if isinstance(line, str) else json.dumps(line)}\n" for line in lines)
        (project / "traffic.jsonl").write_text(text, encoding="utf-8")

    return write


def suite_text(project: Path) -> str:
    return (project / SUITE).read_text(encoding="utf-8")


def edit(project: Path, old: str, new: str) -> None:
    assert old in suite_text(project)
    (project / SUITE).write_text(suite_text(project).replace(old, new), encoding="utf-8")


ADD = ("add-case", "greeting", "--from", "traffic.jsonl")


def test_cases_are_added_and_run(
    cli: Cli, project: Path, log: Log, loopback: Loopback, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The new cases stand behind the old one, byte for byte apart from it, and are judged like it."""
    log(
        {"input": {"name": "Bea"}, "output": "Hello Bea"}, {"prompt": "Cid", "completion": "Hi\nCid", "ms": 9}
    )
    old = suite_text(project)
    result = cli(*ADD)
    assert (result.code, result.err) == (0, "Notice: passed over, as no case has these keys: ms\n")
    assert result.out == (
        f"2 cases added to {SUITE}\n  line 1: Bea\n  line 2: Cid\n\nNext:\n  scaffold validate greeting\n"
    )
    assert suite_text(project) == old + (
        "  - title: Bea\n    category: element\n    input:\n      name: Bea\n    output: Hello Bea\n"
        "  - title: Cid\n    category: element\n    input:\n      name: Cid\n"
        "    output: |-\n      Hi\n      Cid\n"
    )
    monkeypatch.setenv("OPENAI_BASE_URL", loopback(openai_text(json.dumps(levels(3, 2)))).url)
    report = cli("run", "-q", "--json", "-").report
    assert [case["ref"] for case in report["suites"][0]["cases"]] == ["ann", "bea", "cid"]
    assert report["verdict"] == "PASS"


def test_once_more_adds_nothing(cli: Cli, project: Path, log: Log) -> None:
    """What is there already is skipped and said; the file is not touched."""
    log({"prompt": "Bea"}, {"prompt": "Ann"}, {"prompt": "Bea"})
    first = cli(*ADD)
    assert first.err == (
        "Notice: skipped, as the input is there already: "
        "line 2 is like the case 'ann', line 3 is like line 1\n"
    )
    before = (project / SUITE).stat()
    second = cli(*ADD)
    assert (second.code, second.out) == (0, "Nothing was added: every input is there already.\n")
    assert (project / SUITE).stat() == before


def test_flags(cli: Cli, project: Path, log: Log) -> None:
    """Category and tags for all, and no more than wanted; the old file is kept where that is asked for."""
    log(*({"prompt": f"N{number}"} for number in range(5)))
    old = suite_text(project)
    result = cli(*ADD, "--category", "edge", "--tag", "logs", "--tag", "may", "--limit", "2", "--backup")
    assert f"The old file is kept as {SUITE}.bak\n" in result.out
    assert (project / f"{SUITE}.bak").read_text() == old
    item = "  - title: {0}\n    category: edge\n    input:\n      name: {0}\n    tags: [logs, may]\n"
    assert suite_text(project) == old + item.format("N0") + item.format("N1")


def test_dry_run(cli: Cli, project: Path, log: Log) -> None:
    """It shows what would be added, safe for a terminal, and writes nothing."""
    log({"prompt": "Bea \x1b[31m"})
    old = suite_text(project)
    result = cli(*ADD, "--dry-run")
    assert (result.code, suite_text(project)) == (0, old)
    assert result.out.startswith(f"1 case would be added in {SUITE}:\n\n- title: ")
    assert result.out.endswith("\nNothing was written.\n")
    assert "\x1b" not in result.out


def test_personal_data_is_remarked_on(cli: Cli, log: Log) -> None:
    """Only the kind is named, not the data."""
    log({"prompt": "Bea", "title": "T", "completion": "Write to bea@corp.com"})
    result = cli(*ADD)
    assert result.err == (
        "Notice: looks like personal data: line 1: an e-mail address. "
        "Replace it before the suite is shared.\n"
    )


def test_a_chat(cli: Cli, project: Path, log: Log) -> None:
    """The system's message is the prompt itself; the assistant's last one is the output."""
    messages = [
        {"role": "system", "content": "Greet."},
        {"role": "user", "content": "I am Bea"},
        {"role": "assistant", "content": "Hello Bea"},
    ]
    log({"messages": messages})
    assert cli(*ADD).code == 0
    assert suite_text(project).endswith(
        "  - title: I am Bea\n    category: element\n    input:\n      messages:\n        - role: user\n"
        "          content: I am Bea\n    output: Hello Bea\n"
    )


@pytest.mark.parametrize(
    ("prompt", "flags", "given"),
    [
        pytest.param("Greet {name}.", [], "name: Bea", id="the only variable"),
        pytest.param("Greet {name} in {place}.", ["--variable", "place"], "place: Bea", id="the one named"),
        pytest.param(
            "Greet.", [], "messages:\n        - role: user\n          content: Bea", id="none: a message"
        ),
    ],
)
def test_plain_texts(cli: Cli, project: Path, log: Log, prompt: str, flags: list[str], given: str) -> None:
    """A text is the value of the prompt's variable."""
    (project / "prompt.md").write_text(prompt)
    log({"prompt": "Bea"})
    assert cli(*ADD, *flags).code == 0
    assert f"    input:\n      {given}\n" in suite_text(project)


def test_source_code_takes_the_variable_of_the_cases(cli: Cli, project: Path, log: Log) -> None:
    """Where the prompt cannot be asked, the cases can."""
    (project / "prompt.py").write_text("pass")
    edit(project, "target: prompt.md", "target: prompt.py")
    log({"prompt": "Bea"})
    assert cli(*ADD).code == 0
    assert "input:\n      name: Bea\n" in suite_text(project)


EXTERNAL = 'cases: {{source: external, pattern: "{pattern}"}}\n'


@pytest.mark.parametrize(
    ("pattern", "name", "text"),
    [
        pytest.param(
            "cases/**/*.{yaml,jsonl}",
            "cases/traffic.jsonl",
            '{"title":"Bea","category":"element","input":{"name":"Bea"}}\n',
            id="JSON lines",
        ),
        pytest.param(
            "cases/*.yaml",
            "cases/traffic.yaml",
            "- title: Bea\n  category: element\n  input:\n    name: Bea\n",
            id="YAML",
        ),
        pytest.param(
            "../cases/*.json",
            "../cases/traffic.json",
            '[\n{"title":"Bea","category":"element","input":{"name":"Bea"}}\n]\n',
            id="JSON, elsewhere",
        ),
    ],
)
def test_cases_in_files_of_their_own(
    cli: Cli, project: Path, log: Log, pattern: str, name: str, text: str
) -> None:
    """They go to a new file that the pattern finds; the suite and the files there stay as they are."""
    edit(project, CASES, EXTERNAL.format(pattern=pattern))
    folder = (project / SUITE).parent / Path(name).parent
    folder.mkdir()
    first = folder / f"first{Path(name).suffix}"
    first.write_text('[{"title": "Ann", "input": {"name": "Ann"}}]' if first.suffix != ".jsonl" else "")
    if first.suffix == ".jsonl":
        first.write_text('{"title": "Ann", "input": {"name": "Ann"}}\n')
    log({"prompt": "Bea"}, {"prompt": "Ann"})
    old = suite_text(project)
    dry = cli(*ADD, "--dry-run")
    assert f"traffic{first.suffix}:\n\n{text}" in dry.out
    result = cli(*ADD)
    assert (result.code, " (a new file)\n" in result.out) == (0, True)
    assert ((project / SUITE).parent / name).read_text() == text
    assert suite_text(project) == old
    assert sorted(path.name for path in folder.iterdir()) == [first.name, f"traffic{first.suffix}"]
    log({"prompt": "Cid"})
    assert cli(*ADD).code == 0
    assert (folder / f"traffic-2{first.suffix}").exists()
    assert "2 element" not in cli("validate").out
    assert "3 cases (3 element)" in cli("validate").out


def test_a_pattern_that_finds_no_new_file(cli: Cli, project: Path, log: Log) -> None:
    """Nothing is written where it would not be read."""
    edit(project, CASES, EXTERNAL.format(pattern="cases/*/smoke-*.csv"))
    folder = (project / SUITE).parent / "cases/english"
    folder.mkdir(parents=True)
    (folder / "smoke-1.csv").write_text("title,input.name\nAnn,Ann\n")
    log({"prompt": "Bea"})
    result = cli(*ADD)
    assert result.code == 2
    assert "a new file in cases would not be found by the pattern 'cases/*/smoke-*.csv'" in result.err
    assert [path.name for path in (project / SUITE).parent.rglob("*.*")] == [
        "prompt-meta.yaml",
        "smoke-1.csv",
    ]


@pytest.mark.parametrize("pattern", [None, "cases/*.yaml"], ids=["inline", "external"])
def test_the_author_s_schema_holds(cli: Cli, project: Path, log: Log, pattern: str | None) -> None:
    """Cases that the suite would refuse are not added, and a new file is taken away again."""
    folder = (project / SUITE).parent
    (folder / "schema.json").write_text('{"required": ["reference"]}')
    case = "{title: Ann, input: {name: Ann}, output: Hello Ann, reference: Hi}"
    if pattern:
        edit(project, CASES, f'cases: {{source: external, pattern: "{pattern}", schema: schema.json}}\n')
        (folder / "cases").mkdir()
        (folder / "cases/a.yaml").write_text(f"- {case}\n")
    else:
        edit(project, CASES, f"cases:\n  schema: schema.json\n  items:\n    - {case}\n")
    log({"prompt": "Bea"})
    old = suite_text(project)
    result = cli(*ADD)
    assert (result.code, suite_text(project)) == (2, old)
    assert (
        "nothing was added, since with the new cases: by the schema: 'reference' is a required" in result.err
    )
    assert not (folder / "cases/traffic.yaml").exists()


@pytest.mark.parametrize(
    ("arguments", "lines", "message"),
    [
        pytest.param(("greting",), [], "there is no suite 'greting' (did you mean 'greeting'?)", id="suite"),
        pytest.param(("greeting", "--limit", "0"), [], "0 is not in the range x>=1", id="limit"),
        pytest.param(("greeting", "--category", "odd"), [], "'odd' is not one of", id="category"),
        pytest.param(("greeting",), ["{", {"input": 7}], "traffic.jsonl:2", id="lines"),
        pytest.param(
            ("greeting",), [{"question": "x"}], "expected one of the keys input, messages", id="form"
        ),
        pytest.param(("greeting", "--from", "none.jsonl"), [], "none.jsonl: does not exist", id="no log"),
        pytest.param(("greeting", "--from", "."), [], ".: is a folder", id="a folder"),
    ],
)
def test_mistakes(
    cli: Cli, project: Path, log: Log, arguments: tuple[str, ...], lines: list[Any], message: str
) -> None:
    """Exit 2, what to do, and nothing is written."""
    log(*lines)
    old = suite_text(project)
    result = cli("add-case", "--from", "traffic.jsonl", *arguments)
    assert (result.code, result.out, suite_text(project)) == (2, "", old)
    assert message in result.err


def test_several_variables(cli: Cli, project: Path, log: Log) -> None:
    """It is not guessed which one a text belongs to; the question is asked once, not for every line."""
    (project / "prompt.md").write_text("Greet {name} in {place}.")
    log({"prompt": "Bea"}, {"prompt": "Cid"})
    result = cli(*ADD)
    assert (result.code, result.err) == (
        2,
        "Error: a text of the log could be the value of name or place (name it with --variable NAME)\n",
    )


def test_a_suite_with_mistakes(cli: Cli, project: Path, log: Log) -> None:
    """It is not added to, as nothing could be checked."""
    edit(project, "prompt_name", "prompt_nam")
    log({"prompt": "Bea"})
    assert cli(*ADD).code == 2


def test_cases_in_brackets(cli: Cli, project: Path, log: Log) -> None:
    """Where a line cannot be added without touching others, it is refused."""
    edit(project, CASES, "cases: [{title: Ann, input: {name: Ann}}]\n")
    log({"prompt": "Bea"})
    old = suite_text(project)
    result = cli(*ADD)
    assert (result.code, suite_text(project)) == (2, old)
    assert "cannot be added without changing something else" in result.err


def test_an_empty_log(cli: Cli, log: Log) -> None:
    """There is nothing to add, and that is said."""
    log("", " ")
    result = cli(*ADD)
    assert (result.code, result.out) == (0, "Nothing was added: the log is empty.\n")


def test_outside_a_project(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a project there is no suite of that name."""
    monkeypatch.chdir(tmp_path)
    result = cli(*ADD)
    assert (result.code, "there is no suite 'greeting'" in result.err) == (2, True)


def test_a_disk_that_is_full(cli: Cli, project: Path, log: Log, monkeypatch: pytest.MonkeyPatch) -> None:
    """The file stays as it was."""

    def fail(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    log({"prompt": "Bea"})
    old = suite_text(project)
    monkeypatch.setattr(Path, "replace", fail)
    result = cli(*ADD)
    told = f"Error: {project / SUITE}: No space left on device\n"
    assert (result.code, result.err, suite_text(project)) == (3, told, old)
    assert [path.name for path in (project / SUITE).parent.iterdir()] == ["prompt-meta.yaml"]
