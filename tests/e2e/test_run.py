"""`scaffold run` and what it leaves behind: selection, recording, repeating, interrupting, going on."""

import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest
from command_line import Cli, levels
from loopback import Loopback, Reply, Server, openai_text

GOOD = json.dumps(levels(3, 2))
BAD = json.dumps(levels(1, 2))


def write_cases(project: Path, count: int, *, outputs: bool = True) -> None:
    """Give the suite this many cases, `c0` and so on, of which every third is bad."""
    suite = project / ".omniscitus/tests/prompts/greeting/prompt-meta.yaml"
    head, _, _ = suite.read_text().partition("cases:")
    lines = ["cases:"]
    for number in range(count):
        output = "rude" if number % 3 == 2 else "kind"
        category = ("element", "mixed", "edge")[number % 3]
        told = f", output: {output} {number}" if outputs else ""
        lines.append(
            f"  - {{title: c{number}, category: {category}, tags: [t{number % 2}], "
            f"input: {{name: n{number}}}{told}}}"
        )
    suite.write_text(head + "\n".join(lines) + "\n")


def judge_by_word(body: Any) -> Reply:
    """A judge that likes what is kind."""
    return openai_text(BAD if "rude" in body["messages"][1]["content"] else GOOD)


@pytest.fixture
def server(play_openai: Loopback) -> Server:
    return play_openai(judge_by_word)


def refs(report: Any) -> list[str]:
    return [case["ref"] for case in report["suites"][0]["cases"]]


@pytest.mark.usefixtures("server")
@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        pytest.param([], ["c0", "c1", "c2", "c3", "c4", "c5"], id="all, in the suite's order"),
        pytest.param(["-k", "C3"], ["c3"], id="by text"),
        pytest.param(["-k", "c3", "-k", "c1"], ["c1", "c3"], id="by one of two texts"),
        pytest.param(["--category", "edge"], ["c2", "c5"], id="by category"),
        pytest.param(
            ["--category", "edge", "--category", "mixed"], ["c1", "c2", "c4", "c5"], id="two categories"
        ),
        pytest.param(["--tag", "t1"], ["c1", "c3", "c5"], id="by tag"),
        pytest.param(["--tag", "t1", "--category", "edge"], ["c5"], id="by both"),
    ],
)
def test_selection(cli: Cli, project: Path, arguments: list[str], expected: list[str]) -> None:
    """Cases are selected by text, category and tag; the report keeps the order of the suite."""
    write_cases(project, 6)
    assert refs(cli("run", "--json", "-", *arguments).report) == expected


@pytest.mark.parametrize(
    "argument", ["greeting", ".omniscitus/tests/prompts/greeting/prompt-meta.yaml", ".omniscitus"]
)
@pytest.mark.usefixtures("server", "project")
def test_suites_by_name_file_and_folder(cli: Cli, argument: str) -> None:
    """A suite goes by its name, its file, or a folder around it."""
    assert cli("run", argument, "-q").code == 0


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        (["nope"], 2, "there is no suite 'nope' (suites of this project: greeting)"),
        (["greetin"], 2, "did you mean 'greeting'?"),
        (["-k", "zzz", "--tag", "t"], 4, "Nothing was run: no case is selected by -k zzz --tag t."),
        (["--category", "edges"], 2, "'edges' is not one of"),
        (["--judge", "gpt4"], 2, "the model 'gpt4' names no provider"),
        (["--judge", "replay:none.jsonl"], 2, "none.jsonl: does not exist"),
        (["--outputs", "none.jsonl"], 2, "none.jsonl: does not exist"),
        (["--resume", "none"], 2, "there is no run 'none'"),
        (
            ["--resume", "none", "-q", "-k", "a", "--model", "m"],
            2,
            "was started with: leave out -k, --model.",
        ),
        (
            ["--resume", "none", "--failed", "greeting"],
            2,
            "was started with: leave out [SUITE]..., --failed.",
        ),
        (["--failed"], 2, "there is no finished run"),
        (["--json", "no/such/file.json"], 2, "there is no such folder"),
        (["--concurrency", "0"], 2, "0 is not in the range"),
        (["--wat"], 2, "No such option"),
    ],
)
@pytest.mark.usefixtures("project")
def test_mistakes(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, arguments: list[str], code: int, sentence: str
) -> None:
    """A mistake is one sentence and its exit code, before anything is called."""
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
    result = cli("run", *arguments)
    assert result.code == code
    assert sentence in result.err


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ("", "holds no output"),
        (
            '{"ref": "c1", "output": "a"}\n{"ref": "c01", "output": "a"}\n{"ref": "x", "output": "a"}\n',
            "no case of a prompt suite that is run has the ref c01, x (did you mean 'c1'?)",
        ),
    ],
    ids=["none", "two of other cases"],
)
@pytest.mark.usefixtures("project")
def test_outputs_of_no_case(cli: Cli, project: Path, server: Server, lines: str, message: str) -> None:
    """A ref that no case has is refused: a model would be paid for an output that nobody wanted judged."""
    write_cases(project, 2)
    Path("outputs.jsonl").write_text(lines)
    result = cli("run", "--outputs", "outputs.jsonl", "-k", "c0")
    assert (result.code, result.err) == (2, f"Error: outputs.jsonl: {message}\n")
    assert server.requests == []


def test_no_suite(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where there is no suite nothing is run, and that is not a success."""
    monkeypatch.chdir(tmp_path)
    result = cli("run")
    assert (result.code, "scaffold add-prompt NAME" in result.err) == (4, True)


def test_table_says_what_failed(cli: Cli, project: Path, server: Server) -> None:
    """The table begins with what did not pass, in the seed's words, and ends with totals and the run."""
    write_cases(project, 4)
    result = cli("run", "-q")
    assert result.code == 1
    assert "Scored 25 (threshold: 70), critical" in result.out
    assert result.out.index("c2") < result.out.index("c0")
    assert "4 cases: 1 failed, 3 passed" in result.out
    assert "4 calls, 400 tokens in, 80 out" in result.out
    assert ".omniscitus/runs/" in result.out


def test_dry_run_calls_nothing(cli: Cli, project: Path, server: Server) -> None:
    """A dry run says calls, tokens and cost, needs no key, and calls nothing."""
    write_cases(project, 4, outputs=False)
    os.environ.pop("OPENAI_API_KEY")
    result = cli("run", "--dry-run")
    assert (result.code, server.requests) == (0, [])
    assert "greeting: 4 trials, judge openai:gpt-4o: about 8 calls" in result.out
    assert "USD" in result.out
    assert not (project / ".omniscitus/runs").exists()


def test_allow_warn(cli: Cli, project: Path, play_openai: Loopback) -> None:
    """A warning gates unless it is allowed."""
    play_openai(openai_text(json.dumps(levels(2, 2))))
    suite = project / ".omniscitus/tests/prompts/greeting/prompt-meta.yaml"
    suite.write_text(suite.read_text().replace("weight: 0.75", "weight: 0.8").replace("0.25", "0.2"))
    assert cli("run", "-q", "--json", "-").report["verdict"] == "WARN"
    assert cli("run", "-q").code == 1
    assert cli("run", "-q", "--allow-warn").code == 0


def test_given_outputs(cli: Cli, project: Path, server: Server) -> None:
    """Outputs from a file replace those of the suite, by ref; other cases keep their own."""
    write_cases(project, 2)
    Path("outputs.jsonl").write_text('{"ref": "c1", "output": "rude, given"}\n')
    report = cli("run", "--outputs", "outputs.jsonl", "--json", "-").report
    assert [case["output"] for case in report["suites"][0]["cases"]] == ["kind 0", "rude, given"]
    assert [case["verdict"] for case in report["suites"][0]["cases"]] == ["PASS", "FAIL"]


def test_record_and_replay(cli: Cli, project: Path, server: Server) -> None:
    """What a judge said can be recorded and replayed: the same result, with no call."""
    write_cases(project, 6)
    first = cli("run", "--record", "said.jsonl", "--json", "-")
    calls = len(server.requests)
    again = cli("run", "--judge", "replay:said.jsonl", "--json", "-")
    assert len(server.requests) == calls
    assert again.code == first.code
    told = [
        [(c["ref"], c["verdict"], c["score"], c["rows"]) for c in r.report["suites"][0]["cases"]]
        for r in (first, again)
    ]
    assert told[0] == told[1]


def test_replay_of_a_changed_output(cli: Cli, project: Path, server: Server) -> None:
    """A recorded answer holds for the output it was given for, and for no other."""
    cli("run", "--record", "said.jsonl", "-q")
    suite = project / ".omniscitus/tests/prompts/greeting/prompt-meta.yaml"
    suite.write_text(suite.read_text().replace("Hello Ann", "Hello Anna"))
    result = cli("run", "--judge", "replay:said.jsonl", "--json", "-")
    assert result.code == 3
    assert "no recorded answer" in result.report["suites"][0]["cases"][0]["rows"][1]["error"]


def test_failed_only(cli: Cli, project: Path, server: Server) -> None:
    """`--failed` runs what did not pass last time, and says when that is nothing."""
    write_cases(project, 6)
    cli("run", "-q")
    assert refs(cli("run", "--failed", "--json", "-").report) == ["c2", "c5"]
    Path("outputs.jsonl").write_text("".join(f'{{"ref": "c{n}", "output": "kind"}}\n' for n in (2, 5)))
    assert cli("run", "--failed", "-q", "--outputs", "outputs.jsonl").code == 0
    assert cli("run", "--failed", "-q").code == 4


def test_failed_are_those_of_the_last_run(cli: Cli, project: Path, server: Server) -> None:
    """Of its suites alone, however they are named; what passed and is gone by now is not missed."""
    write_cases(project, 3)
    suite, other = (Path(f".omniscitus/tests/prompts/{name}") for name in ("greeting", "farewell"))
    shutil.copytree(suite, other)
    (other / "prompt-meta.yaml").write_text(
        (other / "prompt-meta.yaml").read_text().replace("prompt_name: greeting", "prompt_name: farewell")
    )
    assert cli("run", suite, "-q").code == 1
    again = cli("run", "--failed", "--json", "-").report
    assert [(each["name"], [case["ref"] for case in each["cases"]]) for each in again["suites"]] == [
        ("greeting", ["c2"])
    ]
    assert refs(cli("run", "--failed", suite / "prompt-meta.yaml", "--json", "-").report) == ["c2"]
    none = cli("run", "--failed", "farewell")
    assert (none.code, none.err) == (4, "Nothing was run: no case did not pass last time.\n")
    cli("run", "farewell", "-k", "c1", "-q")
    shutil.rmtree(other)
    assert cli("run", "--failed").err == none.err
