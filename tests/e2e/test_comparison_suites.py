"""Suites of type comparison, end to end with a real client: two arms, asked about in both orders."""

import json
from pathlib import Path
from typing import Any

import pytest
from command_line import Cli
from comparison_project import CHECKS, FIELD, HEAD, PAIRS, RECORDED, judge, write
from loopback import Loopback, Reply, Server, openai_text


@pytest.fixture
def server(play_openai: Loopback, project: Path) -> Server:
    return play_openai(judge)


def shown(server: Server) -> list[dict[str, str]]:
    found = (FIELD.findall(request.json["messages"][1]["content"]) for request in server.requests)
    return sorted(map(dict, found), key=str)


def cases(report: Any) -> dict[str, Any]:
    return {case["ref"]: case for case in report["suites"][0]["cases"]}


def row(case: Any, row_id: str) -> Any:
    return next(each for each in case["rows"] if each["id"] == row_id)


def test_both_orders_are_asked_and_the_win_rate_decides(cli: Cli, project: Path, server: Server) -> None:
    """Two calls a case; a tie counts half, and so does a judge that the order sways."""
    write(project, HEAD + RECORDED)
    result = cli("run", "-q", "--json", "-")
    (suite,) = result.report["suites"]
    assert (result.code, suite["verdict"]) == (0, "PASS")
    assert {ref: (case["verdict"], case["score"]) for ref, case in cases(result.report).items()} == {
        "better": ("PASS", 100),
        "worse": ("FAIL", 0),
        "same": ("PASS", 50),
        "swayed": ("PASS", 50),
    }
    assert suite["summary"] == {
        "wins": 1,
        "ties": 2,
        "losses": 1,
        "win_rate": 50.0,
        "interval": [pytest.approx(15.0, abs=0.1), pytest.approx(85.0, abs=0.1)],
        "threshold": 50.0,
        "judged": 4,
        "position_bias": 1,
    }
    assert len(server.requests) == 8
    assert shown(server)[:2] == [{"A": "first!", "B": "first"}, {"A": "first", "B": "first!"}]


@pytest.mark.usefixtures("server")
def test_a_case_tells_both_outputs_and_both_orders(cli: Cli, project: Path) -> None:
    """The report has the outputs of both arms, and what the judge chose in each order, as arms."""
    write(project, HEAD + RECORDED)
    found = cases(cli("run", "-q", "--json", "-").report)
    assert (found["better"]["output"], found["better"]["outputs"]) == (
        "good 3",
        {"a": "good 1", "b": "good 3"},
    )
    assert found["better"]["criteria"]["tone"]["percent"] == 100
    overall = row(found["swayed"], "overall")
    assert (overall["ab"], overall["ba"], overall["orders_agree"]) == ("a", "b", False)
    found_by = row(found["swayed"], "score")["actual_excerpt"]
    assert found_by.startswith("a tie, since the order sways the judge: a is better when a comes first, b is")
    assert [each["id"] for each in found["better"]["rows"]] == [
        "criteria.tone",
        "criteria.safety",
        "overall",
        "score",
    ]


@pytest.mark.usefixtures("server")
def test_the_table_and_show_say_who_won(cli: Cli, project: Path) -> None:
    """Wins, losses, ties, the rate with its interval, the position bias; a case whole, and what was sent."""
    write(project, HEAD + RECORDED)
    lines = " ".join(cli("run", "-q").out.split())
    assert (
        "b is better in 1, a in 1, neither in 2: b wins 50 % (95 % interval 15 to 85); 50 % must be won"
        in lines
    )
    assert "the order swayed the judge in 1 of 4 cases, which count as ties" in lines
    case = cli("show", "worse").out
    assert "a is better: A it is" in case
    assert "Output of a\n  good 3\n\nOutput of b\n  good 1\n" in case
    prompt = cli("show", "worse", "--prompt").out
    assert "user (call 1 of 2, a shown as A)" in prompt
    assert "user (call 2 of 2, b shown as A)" in prompt
    assert "You compare two pieces of work" in prompt


@pytest.mark.usefixtures("server")
@pytest.mark.parametrize(("threshold", "code"), [(50, 0), (50.1, 1), (0, 0)])
def test_the_threshold_decides(cli: Cli, project: Path, threshold: float, code: int) -> None:
    """The share that b must win may be set; the threshold itself passes."""
    write(project, HEAD + RECORDED + f"thresholds: {{pass: {threshold}}}\n")
    assert cli("run", "-q").code == code


def test_an_output_that_fails_a_check_loses_without_a_call(cli: Cli, project: Path, server: Server) -> None:
    """Against one that passes it loses, against another that fails it ties; the judge is not asked."""
    pairs = {
        "only-a": ("", "good 1"),
        "only-b": ("good 1", ""),
        "both": ("", ""),
        "none": ("good 1", "good 2"),
    }
    write(project, HEAD + CHECKS + RECORDED, pairs)
    found = cases(cli("run", "-q", "--json", "-").report)
    assert {ref: (case["verdict"], case["score"]) for ref, case in found.items()} == {
        "only-a": ("PASS", 100),
        "only-b": ("FAIL", 0),
        "both": ("FAIL", 50),
        "none": ("PASS", 100),
    }
    assert row(found["only-a"], "score")["actual_excerpt"] == "b wins: a.checks.filled failed"
    assert row(found["only-a"], "overall")["error"] == (
        "the judge was not asked, since checks.filled did not pass"
    )
    assert len(server.requests) == 4


def test_a_judged_check_is_asked_about_each_output_alone(cli: Cli, project: Path, server: Server) -> None:
    """A question about one output is asked without the other, in a call of its own."""
    write(project, HEAD + CHECKS + RECORDED, {"one": ("good 3 invented", "good 1")})
    (found,) = cases(cli("run", "-q", "--json", "-").report).values()
    assert (found["verdict"], found["score"]) == ("PASS", 100)
    assert row(found, "a.checks.invents")["verdict"] == "FAIL"
    assert row(found, "b.checks.invents")["verdict"] == "PASS"
    assert shown(server) == [
        {"": "good 1"},
        {"": "good 3 invented"},
        {"A": "good 1", "B": "good 3 invented"},
        {"A": "good 3 invented", "B": "good 1"},
    ]


def under_test(server: Server) -> list[tuple[str, str]]:
    """The requests that are not to the judge: the model and the prompt."""
    return sorted(
        (request.json["model"], request.json["messages"][0]["content"])
        for request in server.requests
        if "response_format" not in request.json
    )


@pytest.fixture
def prompts(play_openai: Loopback, project: Path) -> Server:
    """A model under test that answers with the length of its prompt, and the judge."""

    def reply(body: Any) -> Reply:
        if "response_format" in body:
            return judge(body)
        return openai_text(f"good {len(body['messages'][0]['content'])}, says {body['model']}")

    server = play_openai(reply)
    (project / "long.md").write_text("Greet {name} warmly.")
    return server


@pytest.mark.parametrize(
    ("arms", "arguments", "sent"),
    [
        pytest.param(
            "model: openai:small\n"
            "evaluation: {type: comparison, arms: {a: {target: prompt.md}, b: {target: long.md}}}",
            [],
            [("small", "Greet one warmly."), ("small", "Greet one.")],
            id="two prompts",
        ),
        pytest.param(
            "target: prompt.md\nmodel: openai:small\n"
            "evaluation: {type: comparison, arms: {a: {}, b: {model: openai:large, target: long.md}}}",
            [],
            [("large", "Greet one warmly."), ("small", "Greet one.")],
            id="another model and prompt against the suite's",
        ),
        pytest.param(
            "model: openai:small\n"
            "evaluation: {type: comparison, arms: {a: {target: prompt.md}, b: {target: long.md}}}",
            ["--model", "openai:one", "--model", "openai:two"],
            [
                ("one", "Greet one warmly."),
                ("one", "Greet one."),
                ("two", "Greet one warmly."),
                ("two", "Greet one."),
            ],
            id="two models, one after the other",
        ),
        pytest.param(
            "target: long.md\nmodel: openai:small\n"
            "evaluation: {type: comparison, arms: {a: {outputs: a.jsonl}, b: {}}}",
            [],
            [("small", "Greet one warmly.")],
            id="recorded against live",
        ),
        pytest.param(
            "target: long.md\nevaluation: {type: comparison, arms: {a: {outputs: a.jsonl}, b: {}}}",
            ["--model", "openai:one", "--model", "openai:two"],
            [("one", "Greet one warmly."), ("two", "Greet one warmly.")],
            id="recorded against two models",
        ),
    ],
)
def test_arms_that_are_run(
    cli: Cli, project: Path, prompts: Server, arms: str, arguments: list[str], sent: list[tuple[str, str]]
) -> None:
    """Each arm has its own prompt or model, or that of the suite; --model stands in for the suite's."""
    write(project, f"{HEAD}{arms}\n", {"one": ("good 1", "unused")})
    estimate = cli("run", "--dry-run", *arguments).out
    assert prompts.requests == []
    result = cli("run", "-q", "--json", "-", *arguments)
    assert under_test(prompts) == sent
    assert {case["score"] for case in result.report["suites"][0]["cases"]} == {100}
    assert f"about {len(prompts.requests)} calls" in estimate


def test_a_runner_is_told_the_arm(cli: Cli, project: Path, server: Server) -> None:
    """One program may be both arms: it is started once, and told which of the two it is."""
    write(
        project,
        HEAD + "runner: run.py\nevaluation: {type: comparison, arms: {a: {}, b: {}}}\n",
        {"one": ("", "")},
    )
    (project / ".omniscitus/tests/prompts/greeting/run.py").write_text(
        "import json, os, sys\n"
        "for line in sys.stdin:\n"
        "    asked = json.loads(line)\n"
        "    output = f\"good {ord(asked['arm'])} {os.getpid()}\"\n"
        "    print(json.dumps({'id': asked['id'], 'output': output}), flush=True)\n"
    )
    (found,) = cases(cli("run", "-q", "--json", "-").report).values()
    (a, first), (b, second) = (output.split()[1:] for output in found["outputs"].values())
    assert (a, b, first == second, found["score"]) == ("97", "98", True, 100)


@pytest.mark.usefixtures("server")
def test_recorded_answers_repeat_a_run(cli: Cli, project: Path) -> None:
    """An order goes by "ab" or "ba"; what was recorded gives the same report without a call."""
    write(project, HEAD + CHECKS + RECORDED)
    first = cli("run", "-q", "--json", "-", "--record", "said.jsonl", "--no-cache")
    said = [json.loads(line) for line in (project / "said.jsonl").read_text().splitlines()]
    assert {line["arm"] for line in said} == {"a", "b", "ab", "ba"}
    again = cli("run", "-q", "--json", "-", "--judge", "replay:said.jsonl")
    assert (again.code, again.report["usage"]["calls"]) == (first.code, 0)
    assert again.report["suites"][0]["summary"] == first.report["suites"][0]["summary"]


def test_a_resumed_comparison_equals_an_uninterrupted_one(cli: Cli, project: Path, server: Server) -> None:
    """What is finished is not asked again, and counts: wins, ties and the position bias are the same."""
    write(project, HEAD + RECORDED)
    whole = cli("run", "-q", "--json", "-", "--no-cache").report
    run = Path(whole["run_dir"])
    for name in ("rows.jsonl", "records.jsonl"):
        path = run / "greeting" / name
        path.write_text("".join(path.read_text().splitlines(keepends=True)[:2]))
    before = len(server.requests)
    resumed = cli("run", "--resume", run.name, "-q", "--json", "-", "--no-cache").report
    assert len(server.requests) - before == 4
    assert resumed["suites"][0]["summary"] == whole["suites"][0]["summary"]
    assert resumed["totals"] == whole["totals"]


def test_a_case_that_is_skipped_is_no_part_of_the_rate(cli: Cli, project: Path, server: Server) -> None:
    """It is there with its reason, without outputs, and counts for neither arm."""
    write(project, HEAD + RECORDED, {"better": ("good 1", "good 3")})
    path = project / ".omniscitus/tests/prompts/greeting/prompt-meta.yaml"
    path.write_text(path.read_text() + "  - {title: later, skip: no outputs yet}\n")
    result = cli("run", "-q", "--json", "-")
    found = cases(result.report)["later"]
    assert (result.code, found["verdict"], found["outputs"]) == (0, "SKIP", {})
    assert result.report["suites"][0]["summary"]["win_rate"] == 100
    assert len(server.requests) == 2


def test_each_order_may_be_asked_again(cli: Cli, project: Path, server: Server) -> None:
    """Replicas are of an order: what most of them say is the choice in that order."""
    write(project, HEAD + RECORDED.replace("comparison,", "comparison, replicas: 3,"))
    report = cli("run", "-q", "--json", "-").report
    assert len(server.requests) == 4 * 2 * 3
    found = cases(report)
    assert [found[ref]["score"] for ref in PAIRS] == [100, 0, 50, 50]
    assert found["better"]["stability"] == {"asked": 3, "flips": 0, "agreement": 1.0}
    assert len(row(found["better"], "overall")["votes_ba"]) == 3


def test_a_meta_judge_checks_each_order_each_time(cli: Cli, project: Path, play_openai: Loopback) -> None:
    """Of an answer that was given twice the row tells in both orders whether it is supported."""

    def answer(body: Any) -> Reply:
        if body["model"] == "gpt-4o":
            return judge(body)
        names = body["response_format"]["json_schema"]["schema"]["properties"]
        first = dict(FIELD.findall(body["messages"][1]["content"]))["A"]
        label = "YES" if first == "good 3" else "NO"
        said = {"evidence": [], "reasoning": "It is so.", "answer": label}
        return openai_text(json.dumps(dict.fromkeys(names, said)))

    play_openai(answer)
    text = HEAD.replace("max_retries: 1", "meta: gpt-4.1")
    write(
        project, text + RECORDED.replace("comparison,", "comparison, replicas: 2,"), {"one": PAIRS["better"]}
    )
    overall = row(cases(cli("run", "-q", "--json", "-").report)["one"], "overall")
    assert (overall["ab"], overall["supported"], overall["supported_ba"]) == ("b", False, True)


def test_no_preference_is_made_up(cli: Cli, project: Path, play_openai: Loopback) -> None:
    """Where one order has no usable answer there is no tie, but an error."""

    def silent_in_one_order(body: Any) -> Reply:
        outputs = dict(FIELD.findall(body["messages"][1]["content"]))
        return openai_text("Well.") if outputs["A"] == "good 3" else judge(body)

    play_openai(silent_in_one_order)
    write(project, HEAD + RECORDED, {"better": ("good 1", "good 3"), "same": ("good 2", "good 2!")})
    result = cli("run", "-q", "--json", "-")
    assert (result.code, result.report["verdict"]) == (3, "ERROR")
    found = cases(result.report)
    assert (found["better"]["verdict"], found["better"]["score"]) == ("ERROR", None)
    assert (found["same"]["verdict"], found["same"]["score"]) == ("PASS", 50)


@pytest.mark.parametrize(
    ("evaluation", "arguments", "sentence"),
    [
        ("{type: comparison}", [], "evaluation: type 'comparison' needs 'arms'"),
        ("{type: comparison, arms: {a: {}}}", [], "evaluation.arms.b: the key is missing"),
        ("{type: comparison, arms: {a: {}, b: {}}}", [], "4 cases have no output to judge"),
        ("{type: comparison, arms: {a: {outputs: a.jsonl}, b: {outputs: none.jsonl}}}", [], "does not exist"),
        ("{type: comparison, arms: {a: {model: m}, b: {outputs: b.jsonl}}}", [], "no target"),
        (
            "{type: comparison, arms: {a: {outputs: a.jsonl}, b: {outputs: b.jsonl}}}",
            ["--outputs", ".omniscitus/tests/prompts/greeting/a.jsonl"],
            "--outputs does not say which arm its outputs are of (name the file of each arm",
        ),
    ],
)
@pytest.mark.usefixtures("server")
def test_mistakes(cli: Cli, project: Path, evaluation: str, arguments: list[str], sentence: str) -> None:
    """What cannot be compared is told before anything is called."""
    write(project, f"{HEAD}evaluation: {evaluation}\n")
    result = cli("run", *arguments)
    assert result.code == 2
    assert sentence in result.err
