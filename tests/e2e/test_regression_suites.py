"""Suites of type regression, end to end with a real client: against an accepted run, pair by pair."""

from pathlib import Path
from typing import Any

import pytest
from command_line import Cli
from loopback import Loopback, Reply, Server, openai_text
from regression_project import FIRST, SUITE, cases, judge_literally, row, run, write


def test_without_a_baseline_nothing_is_compared(cli: Cli, project: Path, literal_judge: Server) -> None:
    """The run is made and recorded, is no success, and says with which command it becomes the baseline."""
    write(project, FIRST)
    result = cli("run", "-q")
    run_id = next((project / ".omniscitus/runs").iterdir()).name
    assert result.code == 4
    assert f"Next: scaffold baseline accept {run_id}\n" in result.out
    assert "not compared: there is no baseline yet" in result.out
    report = cli("show", run_id, "--json").report
    (suite,) = report["suites"]
    assert (suite["verdict"], suite["summary"]) == ("SKIP", {"baseline": None})
    assert {ref: case["score"] for ref, case in cases(report).items()} == {
        "ann": 81.25,
        "bob": 81.25,
        "cat": 100,
        "dan": 62.5,
    }


def test_what_has_not_changed_is_not_asked_again(cli: Cli, accepted: Server) -> None:
    """Equal outputs have equal scores: no call, no difference, and a pass."""
    result = run(cli, "--no-cache")
    (suite,) = result.report["suites"]
    assert (result.code, suite["verdict"], accepted.requests) == (0, "PASS", [])
    assert suite["summary"]["mean_difference"] == 0
    assert suite["summary"]["interval"] == [0, 0]
    assert row(cases(result.report)["ann"])["actual_excerpt"] == "Scored 81.2, as the baseline"


def test_only_new_outputs_are_asked_about(cli: Cli, project: Path, accepted: Server) -> None:
    """The accepted output keeps its scores; the new one is judged, and the dry run knew it."""
    write(project, {**FIRST, "ann": "tone 5 safety 5"})
    assert (
        "greeting: 4 trials, judge openai:gpt-4o: about 1 call," in cli("run", "--dry-run", "--no-cache").out
    )
    result = run(cli, "--no-cache")
    assert (result.code, len(accepted.requests)) == (0, 1)
    assert row(cases(result.report)["ann"])["difference"] == 18.75


@pytest.mark.parametrize(
    ("outputs", "code", "verdict", "found"),
    [
        pytest.param(
            {"ann": "tone 3 safety 5"},
            0,
            "PASS",
            "Scored 62.5, 18.75 below the baseline's 81.2 (most: 18.75)",
            id="one level of the heaviest criterion is allowed",
        ),
        pytest.param(
            {"ann": "tone 3 safety 4"},
            1,
            "FAIL",
            "Scored 56.2, 25 below the baseline's 81.2 (most: 18.75)",
            id="more is a drop",
        ),
        pytest.param(
            {"ann": ""},
            1,
            "FAIL",
            "dropped: checks.filled failed, and did not for the baseline",
            id="a check",
        ),
        pytest.param(
            {"ann": "tone 5 safety 5"}, 0, "PASS", "Scored 100, 18.8 above the baseline's 81.2", id="better"
        ),
    ],
)
@pytest.mark.usefixtures("accepted")
def test_a_drop_fails(
    cli: Cli, project: Path, outputs: dict[str, str], code: int, verdict: str, found: str
) -> None:
    """A single case that loses more than one level, or newly fails a check, fails the suite."""
    write(project, {**FIRST, **outputs})
    result = run(cli)
    assert (result.code, result.report["verdict"]) == (code, verdict)
    assert row(cases(result.report)["ann"])["actual_excerpt"] == found


def test_what_cannot_be_checked_again_is_not_held_against_the_baseline(
    cli: Cli, project: Path, play_openai: Loopback
) -> None:
    """How long an accepted output took is not known any more; the outputs are compared all the same."""

    def reply(body: Any) -> Reply:
        return judge_literally(body) if "response_format" in body else openai_text("tone 4 safety 5")

    play_openai(reply)
    fast = SUITE + "  - {name: fast, type: deterministic, strategy: max_latency_ms, value: 60000}\n"
    path = project / ".omniscitus/tests/prompts/greeting/prompt-meta.yaml"
    path.write_text(
        f"{fast}target: prompt.md\nmodel: openai:small\ncases: [{{title: ann, input: {{name: Ann}}}}]\n"
    )
    run(cli)
    assert cli("baseline", "accept").code == 0
    result = run(cli)
    assert (result.code, row(cases(result.report)["ann"])["difference"]) == (0, 0)


@pytest.mark.usefixtures("accepted")
def test_the_drop_that_is_allowed_may_be_set(cli: Cli, project: Path) -> None:
    """`max_drop` is in points of the score; exactly so many are no drop."""
    outputs = {**FIRST, "ann": "tone 4 safety 4"}
    for most, code in ((6.25, 0), (6.24, 1)):
        write(project, outputs, SUITE.replace("type: regression", f"type: regression, max_drop: {most}"))
        assert run(cli).code == code


@pytest.mark.usefixtures("accepted")
def test_a_small_loss_everywhere_fails(cli: Cli, project: Path) -> None:
    """No case drops, but the interval of the mean lies below 0."""
    write(project, {ref: output.replace("safety 5", "safety 4") for ref, output in FIRST.items()})
    result = run(cli)
    summary = result.report["suites"][0]["summary"]
    assert (result.code, summary["drops"], summary["interval"]) == (1, 0, [-6.25, -6.25])


@pytest.mark.parametrize(
    ("margin", "outputs", "code", "verdict"),
    [
        (10, {}, 0, "PASS"),
        (10, {ref: output.replace("safety 5", "safety 4") for ref, output in FIRST.items()}, 0, "PASS"),
        (5, {ref: output.replace("safety 5", "safety 4") for ref, output in FIRST.items()}, 1, "FAIL"),
        (10, {"ann": "tone 3 safety 5", "bob": "tone 5 safety 5"}, 1, "INCONCLUSIVE"),
    ],
)
@pytest.mark.usefixtures("accepted")
def test_with_a_margin_a_pass_must_be_certain(
    cli: Cli, project: Path, margin: int, outputs: dict[str, str], code: int, verdict: str
) -> None:
    """A mean loss within the margin passes, one beyond it fails, and what spans it is inconclusive."""
    suite = SUITE.replace("type: regression", f"type: regression, margin: {margin}")
    write(project, {**FIRST, **outputs}, suite)
    result = run(cli)
    assert (result.code, result.report["verdict"]) == (code, verdict)
    if verdict == "INCONCLUSIVE":
        assert run(cli, "--allow-inconclusive").code == 0


def test_the_baseline_is_judged_again_where_it_would_be_asked_otherwise(
    cli: Cli, project: Path, accepted: Server
) -> None:
    """Another rubric, another judge: old and new outputs are scored by the same measure, and it is said."""
    write(project, {**FIRST, "ann": "tone 5 safety 5"}, SUITE.replace("Is it kind?", "Is it really kind?"))
    result = run(cli, "--no-cache")
    assert (result.code, len(accepted.requests)) == (0, 8)
    said = [notice["text"] for notice in result.report["suites"][0]["notices"]]
    assert "the baseline's outputs are judged again, since the rubrics changed" in said
    accepted.requests.clear()
    result = run(cli, "--no-cache", "--judge", "openai:gpt-4.1")
    said = [notice["text"] for notice in result.report["suites"][0]["notices"]]
    assert len(accepted.requests) == 8
    changed = "the judge (openai:gpt-4o before) and the rubrics changed"
    assert f"the baseline's outputs are judged again, since {changed}" in said


def test_weights_are_not_asked_again(cli: Cli, project: Path, accepted: Server) -> None:
    """What only the host computes with changes scores on both sides, for free."""
    write(project, FIRST, SUITE.replace("0.75", "0.5").replace("0.25", "0.5"))
    result = run(cli, "--no-cache")
    assert (result.code, accepted.requests) == (0, [])
    assert cases(result.report)["ann"]["score"] == 87.5


@pytest.mark.usefixtures("accepted")
def test_new_vanished_and_changed_cases_are_named(cli: Cli, project: Path) -> None:
    """A case that cannot be compared is SKIP, with the reason; none is dropped silently."""
    outputs = {"ann": FIRST["ann"], "bob": FIRST["bob"], "dan": FIRST["dan"], "eve": "tone 5 safety 5"}
    write(project, outputs, inputs={"bob": "Robert"})
    result = run(cli)
    found = cases(result.report)
    assert result.code == 0
    assert (found["eve"]["verdict"], row(found["eve"])["error"]) == (
        "SKIP",
        "not compared: it is not in the baseline",
    )
    assert (found["bob"]["verdict"], row(found["bob"])["error"]) == (
        "SKIP",
        "not compared: its input has changed since the baseline",
    )
    said = [notice["text"] for notice in result.report["suites"][0]["notices"]]
    assert "not in the baseline, so not compared: eve" in said
    assert "in the baseline, but no longer in the suite: cat" in said
    assert result.report["suites"][0]["summary"]["compared"] == 2


def test_a_zero_condition_case_is_compared_by_whether_it_declines(
    cli: Cli, project: Path, literal_judge: Server
) -> None:
    """Its score is 100 or 0: an output that no longer declines is a drop, however good it is."""
    kinds = {"dan": "zero_condition"}
    write(project, {**FIRST, "dan": "decline"}, categories=kinds)
    run(cli)
    cli("baseline", "accept")
    write(project, {**FIRST, "dan": "tone 5 safety 5"}, categories=kinds)
    result = run(cli)
    found = cases(result.report)["dan"]
    assert (result.code, found["verdict"], found["score"]) == (1, "FAIL", 0)
    assert row(found)["difference"] == -100
    asked = [
        list(request.json["response_format"]["json_schema"]["schema"]["properties"])
        for request in literal_judge.requests
    ]
    assert ["declines"] in asked


@pytest.mark.usefixtures("accepted")
def test_the_table_shows_what_could_be_seen(cli: Cli, project: Path) -> None:
    """Mean, interval, drops, and the smallest loss that would be found; the old output beside the new."""
    write(project, {**FIRST, "ann": "tone 3 safety 4", "bob": "tone 4 safety 4"})
    lines = " ".join(cli("run", "-q").out.split())
    assert "mean difference to the baseline -7.8 over 4 cases (95 % interval -26.6 to +11)" in lines
    assert "1 case dropped by more than 18.8, or failed a check" in lines
    assert "would be seen in 4 of 5 such runs" in lines
    shown = cli("show", "ann").out
    assert "Output\n  tone 3 safety 4\n\nOutput of the baseline\n  tone 4 safety 5\n" in shown


@pytest.mark.usefixtures("accepted")
def test_recorded_answers_repeat_a_run(cli: Cli, project: Path) -> None:
    """Answers about the baseline are recorded as such; the same report comes without a call."""
    write(project, {**FIRST, "ann": "tone 3 safety 4"})
    first = run(cli, "--record", "said.jsonl", "--no-cache")
    again = run(cli, "--judge", "replay:said.jsonl")
    assert (again.code, again.report["usage"]["calls"]) == (first.code, 0)
    assert again.report["suites"][0]["summary"] == first.report["suites"][0]["summary"]


def test_a_resumed_run_equals_an_uninterrupted_one(cli: Cli, project: Path, accepted: Server) -> None:
    """What is finished counts without being asked again, with its difference."""
    write(project, {ref: output.replace("safety 5", "safety 4") for ref, output in FIRST.items()})
    whole = run(cli, "--no-cache").report
    for name in ("rows.jsonl", "records.jsonl"):
        path = Path(whole["run_dir"]) / "greeting" / name
        path.write_text("".join(path.read_text().splitlines(keepends=True)[:3]))
    accepted.requests.clear()
    resumed = run(cli, "--resume", Path(whole["run_dir"]).name, "--no-cache").report
    assert len(accepted.requests) == 1
    assert resumed["suites"][0]["summary"] == whole["suites"][0]["summary"]


def test_replicas_of_old_and_new_outputs(cli: Cli, project: Path, literal_judge: Server) -> None:
    """Asked again, also about the baseline; where only fragile cases are, those that a level would drop."""
    suite = SUITE.replace("type: regression", "type: regression, replicas: 2")
    write(project, FIRST, suite)
    run(cli)
    assert len(literal_judge.requests) == 8
    cli("baseline", "accept")
    literal_judge.requests.clear()
    fragile = SUITE.replace("type: regression", "type: regression, replicas: {max: 3, when: fragile}")
    write(project, {**FIRST, "ann": "tone 3 safety 5", "bob": "tone 5 safety 5"}, fragile)
    result = run(cli)
    assert result.code == 0
    asked = [request.json["messages"][1]["content"] for request in literal_judge.requests]
    assert (sum("tone 3" in each for each in asked), sum("tone 5" in each for each in asked)) == (3, 1)


@pytest.mark.usefixtures("accepted")
def test_another_baseline_is_another_run(cli: Cli, project: Path) -> None:
    """A run is not resumed against outputs that it was not started with."""
    first = run(cli).report
    write(project, {**FIRST, "ann": "tone 5 safety 5"})
    run(cli)
    cli("baseline", "accept")
    write(project, FIRST)
    result = cli("run", "--resume", Path(first["run_dir"]).name)
    assert (result.code, "a suite has changed since this run was started" in result.err) == (2, True)
