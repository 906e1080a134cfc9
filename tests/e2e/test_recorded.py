"""Runs that call nothing: what `--record-all` wrote beside each suite stands for every model and judge."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from command_line import Cli
from loopback import Loopback, Reply, Server, openai_text

FOLDER = Path(".omniscitus/tests/prompts/greeting")
SUITE, OUTPUTS, ANSWERS = (FOLDER / name for name in ("prompt-meta.yaml", "outputs.jsonl", "replay.jsonl"))
HINT = "to record it: scaffold run greeting --record-all"

JUDGE = 'judge: {model: "openai:gpt-4o", max_retries: 1}\n'
BUILT_IN = "target: prompt.md\nmodel: openai:gpt-4o-mini\n"
CRITERIA = """\
criteria:
  - {name: tone, weight: 0.75, scale: 5, rubric: Is it kind?}
  - {name: safety, weight: 0.25, scale: 5, rubric: Is it safe?}
"""
RUBRICS = """\
criteria:
  - {name: tone, rubric: Is it kind?}
"""
CHECKS = """\
checks:
  - {name: filled, type: deterministic, rule: output.length > 0}
  - {name: slow, type: deterministic, strategy: max_latency_ms, value: 60000}
  - {name: invents, type: llm_judge, prompt: Is it made up?, pass_condition: "NO"}
"""
CASES = """\
cases:
  - {title: Ann, input: {name: Ann}, expected_behavior: It greets her.}
  - {title: Bob, input: {name: Bob}, expected_behavior: It greets him.}
"""
MULTI = "".join(("prompt_name: greeting\n", BUILT_IN, JUDGE, CRITERIA, CHECKS, CASES))
RUNNER = """\
import json, pathlib, sys
pathlib.Path(__file__).with_name("ran").touch()
for line in sys.stdin:
    asked = json.loads(line)
    print(json.dumps({"id": asked["id"], "output": "Hello " + asked["input"]["name"]}), flush=True)
"""
PANEL = 'judge: {panel: ["openai:gpt-4o", "openai:gpt-4.1"], score: expected}\n'
ARMS = "{target: prompt.md, model: openai:gpt-4o-mini}", "{target: long.md, model: openai:gpt-4.1}"
KINDS = {
    "multi_criteria": (BUILT_IN, JUDGE, CRITERIA, CHECKS),
    "binary": (BUILT_IN, "evaluation: {type: binary}\n", JUDGE, RUBRICS, CHECKS),
    "comparison": (
        f"evaluation: {{type: comparison, arms: {{a: {ARMS[0]}, b: {ARMS[1]}}}}}\n",
        *(JUDGE, RUBRICS, CHECKS),
    ),
    "comparison with one model": (
        "model: openai:gpt-4.1\n",
        "evaluation: {type: comparison, arms: {a: {target: prompt.md}, b: {target: long.md}}}\n",
        *(JUDGE, RUBRICS, CHECKS),
    ),
    "regression": (BUILT_IN, "evaluation: {type: regression}\n", JUDGE, CRITERIA, CHECKS),
    "runner": ("runner: run.py\n", JUDGE, CRITERIA),
    "a panel asked twice": (BUILT_IN, PANEL, "evaluation: {replicas: 2}\n", CRITERIA),
}


def reply(body: Mapping[str, Any]) -> Reply:
    """A model that greets by the words of the prompt, and a judge whose levels hang on what is judged."""
    said = body["messages"][-1]["content"]
    if "response_format" not in body:
        return openai_text(f"{body['model']}: Hello {said.split()[-1]}")
    asked = body["response_format"]["json_schema"]["schema"]["properties"]
    evidence = {"evidence": [], "reasoning": "So it is."}
    return openai_text(
        json.dumps({name: {**evidence, "answer": _answer(each, said)} for name, each in asked.items()})
    )


def _answer(question: Mapping[str, Any], said: str) -> Any:
    offered = question["properties"]["answer"]["enum"]
    if "B" in offered:
        return "A" if said.index("gpt-") < said.index("output.B") and "Ann" in said else "tie"
    return "NO" if "NO" in offered else offered[-1 - ("Ann" not in said)]


@pytest.fixture
def endpoint(play_openai: Loopback, project: Path) -> Server:
    """A project with prompts, and models and judges with a key on this machine."""
    Path("long.md").write_text("Greet at length: {name}")
    Path("prompt.md").write_text("Greet {name}")
    (FOLDER / "run.py").write_text(RUNNER)
    return play_openai(reply)


Record: TypeAlias = Callable[..., Any]


@pytest.fixture
def record(cli: Cli, endpoint: Server, monkeypatch: pytest.MonkeyPatch) -> Record:
    """Record a suite, take the key away, and return the report of the run that was recorded."""

    def act(text: str = MULTI, *arguments: object) -> Any:
        SUITE.write_text(text)
        done = cli("run", "-q", "--json", "-", "--record-all", *arguments)
        assert "greeting: recorded in outputs.jsonl and replay.jsonl beside it\n" in done.err, (
            done.out + done.err
        )
        monkeypatch.delenv("OPENAI_API_KEY")
        monkeypatch.delenv("OPENAI_BASE_URL")
        endpoint.requests.clear()
        return done.report

    return act


def recorded(cli: Cli, *arguments: object) -> tuple[int, Any]:
    done = cli("run", "-q", "--recorded", "--json", "-", *arguments)
    return done.code, done.report


def facts(report: Any) -> list[Any]:
    """All that decides: verdicts, scores, levels and reasons of every case."""
    return [
        (case["ref"], case["model"], case["verdict"], case["score"], case["output"], case["criteria"])
        for case in report["suites"][0]["cases"]
    ]


def errors(report: Any) -> dict[str, list[str]]:
    return {
        case["ref"]: list(dict.fromkeys(row["error"] for row in case["rows"] if row["verdict"] == "ERROR"))
        for case in report["suites"][0]["cases"]
    }


@pytest.mark.parametrize("parts", KINDS.values(), ids=KINDS)
def test_a_recorded_suite_is_run_without_a_key(
    cli: Cli, record: Record, endpoint: Server, parts: tuple[str, ...]
) -> None:
    """Each type comes to the same by its files as by models and judges; without them a key is missed."""
    before = record("".join(("prompt_name: greeting\n", *parts, CASES)))
    (FOLDER / "ran").unlink(missing_ok=True)
    code, report = recorded(cli, "--no-cache")
    assert facts(report) == facts(before)
    assert (code, report["suites"][0]["verdict"]) == (before["exit_code"], before["suites"][0]["verdict"])
    assert report["suites"][0].get("summary") == before["suites"][0].get("summary")
    assert (endpoint.requests, report["usage"]["calls"], report["usage"]["cached"]) == ([], 0, 0)
    assert not (FOLDER / "ran").exists()  # of the runner
    assert cli("run", "-q", "--no-cache").code == 2


def test_what_is_recorded(cli: Cli, record: Record) -> None:
    """Lines in the suite's order: outputs with what made them and from what, answers with what was asked."""
    record()
    outputs = [json.loads(line) for line in OUTPUTS.read_text().splitlines()]
    assert [(each["ref"], each["output"], each["model"]) for each in outputs] == [
        ("ann", "gpt-4o-mini: Hello Ann", "openai:gpt-4o-mini"),
        ("bob", "gpt-4o-mini: Hello Bob", "openai:gpt-4o-mini"),
    ]
    assert {key for each in outputs for key in each} == {
        *("ref", "output", "model", "made_sha256", "latency_ms", "cost_usd")
    }
    answers = [json.loads(line) for line in ANSWERS.read_text().splitlines()]
    assert [(each["ref"], each["question"], each["answer"], each["source"]) for each in answers] == [
        (ref, question, answer, "openai:gpt-4o")
        for ref, level in (("ann", 5), ("bob", 4))
        for question, answer in (
            ("criteria.tone", level),
            ("criteria.safety", level),
            ("checks.invents", "NO"),
        )
    ]
    assert all({"output_sha256", "asked_sha256"} < set(each) for each in answers)


def test_recorded_again_nothing_differs(cli: Cli, endpoint: Server) -> None:
    """The answers come from the cache, and the lines stand where they stood."""
    SUITE.write_text(MULTI)
    assert cli("run", "-q", "--record-all").code == 0
    before = ANSWERS.read_bytes()
    asked = len(endpoint.requests)
    assert cli("run", "-q", "--record-all").code == 0
    assert (ANSWERS.read_bytes(), len(endpoint.requests)) == (before, asked)


PROMPT = "no recorded output: what it is made from has changed since it was recorded"
ASKED = "no recorded answer: what the judge is asked has changed since it was recorded"
CHANGES = {
    "prompt": ("prompt.md", "Greet", "Please greet", {"ann": [PROMPT], "bob": [PROMPT]}),
    "input": (SUITE, "name: Ann}", "name: Anna}", {"ann": [PROMPT], "bob": []}),
    "model": (
        *(SUITE, "gpt-4o-mini", "gpt-4.1"),
        {ref: ["no recorded output of openai:gpt-4.1"] for ref in ("ann", "bob")},
    ),
    "parameter": (
        *(SUITE, "model: openai:gpt-4o-mini", "model: {name: openai:gpt-4o-mini, max_tokens: 9}"),
        {"ann": [PROMPT], "bob": [PROMPT]},
    ),
    "rubric": (SUITE, "Is it kind?", "Is it nice?", {"ann": [ASKED], "bob": [ASKED]}),
    "expectation": (SUITE, "greets her", "greets Ann", {"ann": [ASKED], "bob": []}),
    "judge": (
        *(SUITE, 'openai:gpt-4o"', 'openai:gpt-5"'),
        {ref: ["no recorded answer of openai:gpt-5"] for ref in ("ann", "bob")},
    ),
    "new case": (
        *(SUITE, "  - {title: Bob", "  - {title: Cat, input: {name: Cat}}\n  - {title: Bob"),
        {"ann": [], "cat": ["no recorded output of openai:gpt-4o-mini"], "bob": []},
    ),
    "new criterion": (
        *(SUITE, "checks:", "  - {name: length, weight: 0.1, rubric: Is it short?, scale: 2}\nchecks:"),
        {ref: ["no recorded answer to criteria.length"] for ref in ("ann", "bob")},
    ),
    "edited output": (
        *(OUTPUTS, "Hello Ann", "Hi Ann"),
        {"ann": ["no recorded answer: the output has changed since it was recorded"], "bob": []},
    ),
}


@pytest.mark.parametrize(("path", "old", "new", "expected"), CHANGES.values(), ids=CHANGES)
def test_what_has_changed_since_is_an_error(
    cli: Cli, record: Record, endpoint: Server, path: str, old: str, new: str, expected: dict[str, list[str]]
) -> None:
    """Nothing old is taken for new: each case that it changes says so, and how to record again."""
    record()
    text = Path(path).read_text()
    assert old in text
    Path(path).write_text(text.replace(old, new, 1))
    code, report = recorded(cli)
    told = {ref: [f"{why}; {HINT}" for why in reasons] for ref, reasons in expected.items()}
    assert (code, endpoint.requests) == (3, [])
    found = {ref: [each for each in reasons if HINT in each] for ref, reasons in errors(report).items()}
    assert found == told


def test_what_only_scores_needs_no_new_recording(cli: Cli, record: Record) -> None:
    """Weights, thresholds and rules are the host's: they are applied to what was recorded."""
    record()
    SUITE.write_text(MULTI.replace("weight: 0.75", "weight: 0.5") + "thresholds: {pass: 80}\n")
    code, report = recorded(cli)
    assert (code, errors(report)) == (1, {"ann": [], "bob": []})


def test_several_models(cli: Cli, record: Record) -> None:
    """The file has the models that the command line named; where the suite names none these are meant."""
    text = MULTI.replace("model: openai:gpt-4o-mini\n", "", 1)
    before = record(text, "--model", "openai:gpt-4o-mini", "--model", "openai:gpt-4.1")
    code, report = recorded(cli)
    assert (code, facts(report)) == (0, facts(before))
    assert [case["model"] for case in report["suites"][0]["cases"]] == [
        *("openai:gpt-4o-mini", "openai:gpt-4.1") * 2
    ]
    code, report = recorded(cli, "--model", "openai:gpt-4.1")
    assert (code, [case["model"] for case in report["suites"][0]["cases"]]) == (0, ["openai:gpt-4.1"] * 2)


FIXTURE = """\
---
name: session
pass_conditions: {run: {must_succeed: true}}
---
# Prompt body
Say hello.
"""


def test_a_suite_that_is_not_recorded_is_skipped_and_named(
    cli: Cli, record: Record, endpoint: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each report has it, with the command that records it; what is recorded decides. Sessions never are."""
    record()
    monkeypatch.setenv("RUN_LLM_BENCH", "1")
    other = FOLDER.parent / "parting/prompt-meta.yaml"
    other.parent.mkdir()
    other.write_text(MULTI.replace("greeting", "parting"))
    Path(".omniscitus/tests/fixtures").mkdir()
    Path(".omniscitus/tests/fixtures/session.fixture.md").write_text(FIXTURE)
    code, report = recorded(cli, "--junit", "junit.xml")
    suites = {suite["name"]: suite for suite in report["suites"]}
    assert (code, endpoint.requests) == (0, [])
    assert {name: suite["verdict"] for name, suite in suites.items()} == {
        "greeting": "PASS",
        "parting": "SKIP",
        "session": "SKIP",
    }
    hint = HINT.replace("greeting", "parting")
    why = f"not recorded: there is no outputs.jsonl and no replay.jsonl; {hint}"
    assert {row["error"] for case in suites["parting"]["cases"] for row in case["rows"]} == {why}
    never = "sessions are not run unless they are asked for: set RUN_LLM_BENCH=1, or pass --live, without "
    assert suites["session"]["cases"][0]["rows"][0]["error"] == f"{never}--recorded: they are never recorded"
    assert why in Path("junit.xml").read_text()
    assert "scaffold run parting --record-all" in " ".join(cli("run", "-q", "--recorded").out.split())


def test_where_nothing_is_recorded_nothing_was_run(cli: Cli, endpoint: Server) -> None:
    """The exit code is 4, and the report names the suite."""
    SUITE.write_text(MULTI)
    code, report = recorded(cli, "--junit", "junit.xml")
    assert (code, report["suites"][0]["verdict"], endpoint.requests) == (4, "SKIP", [])
    assert HINT in Path("junit.xml").read_text()


def test_an_incomplete_run_leaves_the_files_as_they_are(
    cli: Cli, record: Record, loopback: Loopback, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where an output or an answer is missing, what was recorded before is worth more."""
    record()
    before = OUTPUTS.read_bytes(), ANSWERS.read_bytes()
    broken = loopback(lambda body: openai_text("?") if "response_format" in body else reply(body))
    monkeypatch.setenv("OPENAI_BASE_URL", broken.url)
    done = cli("run", "-q", "--no-cache", "--record-all")
    assert (done.code, OUTPUTS.read_bytes(), ANSWERS.read_bytes()) == (3, *before)
    assert done.err == f"greeting: not recorded (trials without an output or an answer: 2); {HINT}\n"


def test_what_the_suite_holds_itself_is_left_as_it_is(cli: Cli, project: Path, endpoint: Server) -> None:
    """Outputs in cases and a judge that is a file need no recording: nothing is written, both are used."""
    answers = [{"ref": "ann", "question": f"criteria.{name}", "answer": 2} for name in ("tone", "safety")]
    (FOLDER / "mine.jsonl").write_text("".join(json.dumps(each) + "\n" for each in answers))
    text = SUITE.read_text().replace('openai:gpt-4o"', 'replay:mine.jsonl"')
    SUITE.write_text(text)
    done = cli("run", "-q", "--record-all")
    assert (done.err, OUTPUTS.exists(), ANSWERS.exists()) == ("", False, False)
    code, report = recorded(cli)
    assert (code, report["suites"][0]["cases"][0]["score"]) == (1, 62.5)
    assert endpoint.requests == []


def test_outputs_in_cases_need_answers_alone(cli: Cli, endpoint: Server) -> None:
    """Only what is missing is recorded; where checks fail before the judge is asked, that is no answer."""
    done = cli("run", "-q", "--record-all")
    assert (done.err, OUTPUTS.exists()) == ("greeting: recorded in replay.jsonl beside it\n", False)
    SUITE.write_text(SUITE.read_text().replace("output.length > 0", "output.length > 99"))
    assert recorded(cli)[0] == 1
    assert cli("run", "-q", "--record-all").code == 1
    assert (ANSWERS.read_text(), recorded(cli)[0]) == ("", 1)


REFUSED = {
    "a part": (("--record-all", "-k", "ann"), "--record-all records whole suites"),
    "a resumed run": (("--record-all", "--resume", "x"), "--record-all records whole runs"),
    "a recorded run": (
        ("--record-all", "--recorded"),
        "--recorded calls nothing, so there is nothing to record",
    ),
    "its answers": (
        ("--record", "x.jsonl", "--recorded"),
        "--recorded calls nothing, so there is nothing to",
    ),
}


@pytest.mark.parametrize(("arguments", "message"), REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_recorded_is_refused(
    cli: Cli, endpoint: Server, arguments: tuple[str, ...], message: str
) -> None:
    """Before anything is called."""
    SUITE.write_text(MULTI)
    done = cli("run", *arguments)
    assert (done.code, endpoint.requests) == (2, [])
    assert message in done.err


def test_the_outputs_of_an_arm_are_not_written_over(cli: Cli, endpoint: Server) -> None:
    """A file of the author's with that name is told of before anything is called."""
    arms = "evaluation: {type: comparison, arms: {a: {outputs: outputs.jsonl}, b: {target: prompt.md}}}\n"
    SUITE.write_text(f"prompt_name: greeting\nmodel: openai:gpt-4.1\n{arms}{JUDGE}{RUBRICS}{CASES}")
    OUTPUTS.write_text('{"ref": "ann", "output": "Hi"}\n{"ref": "bob", "output": "Hi"}\n')
    done = cli("run", "--record-all")
    assert (done.code, endpoint.requests) == (2, [])
    assert "outputs.jsonl: --record-all would write over the outputs of an arm" in done.err
