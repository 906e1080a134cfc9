"""Fixtures run end to end: replicas, quorum, what is shown and kept."""

import json
from itertools import pairwise
from pathlib import Path

import pytest
from command_line import Cli
from fixture_project import SEMANTIC, Notes, Write, latest
from loopback import Server

pytestmark = pytest.mark.usefixtures("scripted_claude")

TWO = """\
views: {result: {must_include: [{pattern: never, case_sensitive: true}]}}
  result: {must_match: {pattern: "STATUS: OK", case_sensitive: true}}"""


def test_nothing_is_run_unless_it_is_asked_for(cli: Cli, fixtures: Write, notes: Notes) -> None:
    """Without --live the plan and what it costs are told, and the exit code says that nothing was run."""
    fixtures("say STATUS: OK", runs=3)
    done = cli("bench", "demo")
    assert (done.code, notes.sessions) == (4, [])
    assert done.out.startswith("demo: 3 trials (3 sessions x (1 + 0 calls of a judge)): about 3 calls")
    assert "set RUN_LLM_BENCH=1, or pass --live" in done.err
    assert cli("bench", "demo", "--dry-run", "--live").code == 0
    assert (notes.sessions, Path(".omniscitus/runs").exists()) == ([], False)


def test_the_variable_is_as_good_as_the_flag(
    cli: Cli, fixtures: Write, notes: Notes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """RUN_LLM_BENCH=1 runs sessions, RUN_LLM_BENCH=0 does not."""
    fixtures("say STATUS: OK")
    monkeypatch.setenv("RUN_LLM_BENCH", "0")
    assert cli("bench").code == 4
    monkeypatch.setenv("RUN_LLM_BENCH", "1")
    assert (cli("bench").code, len(notes.sessions)) == (0, 1)


def test_a_flaky_fixture_passes_by_its_quorum(cli: Cli, fixtures: Write, notes: Notes) -> None:
    """Two of three are enough; every row tells how many passed, and the next plan what it costs."""
    fixtures("say STATUS: OK | say STATUS: BAD | say STATUS: OK", "cost 0.02", runs=3)
    done = cli("bench", "--live", "--jobs", "1", "--quiet")
    lines = [" ".join(line.split()) for line in done.out.splitlines()]
    assert (done.code, len(notes.sessions)) == (0, 3)
    assert lines[2:10] == [
        "verdict row passed why",
        "--------- ----------------- -------- -----",
        "PASS run.completed 3/3",
        "PASS result.must_match 2/3",
        "",
        "PASS demo, 2 rows of 3 replicas: 2 passed",
        "",
        "3 calls, 0.0600 USD",
    ]
    assert cli("bench").out.startswith(
        "demo: 3 trials (3 sessions x (1 + 0 calls of a judge)): about 3 calls, 0.06"
    )


def test_failures_come_first_with_what_was_found(cli: Cli, fixtures: Write) -> None:
    """The table starts with what failed; `show` has every row, then every replica, then what to do next."""
    fixtures("say STATUS: OK | say BAD one | say BAD two", "deny Bash", "deny Bash", runs=3, conditions=TWO)
    done = cli("run", "--live", "--stop-early", "--quiet")
    assert done.code == 1
    assert [" ".join(line.split()) for line in done.out.splitlines()[4:8]] == [
        "FAIL views.result.must_include[0] 0/3 absent: never (case_sensitive=true)",
        'FAIL result.must_match 1/3 result="BAD one"',
        'result="BAD two"',
        "PASS run.completed 3/3",
    ]
    run = latest(Path.cwd())
    assert f"Next: scaffold show {run.name} demo\n" in done.out
    shown = cli("show", run.name, "demo").out
    assert '  FAIL  result.must_match  1/3\n      result="BAD one"\n      result="BAD two"\n' in shown
    replicas = shown.partition("Replicas\n")[2]
    assert replicas.index("FAIL  r1:") < replicas.index("FAIL  r2:") < replicas.index("FAIL  r3:")
    assert ", 0.0100 USD, exit 0\n      permission denied: Bash (2 times)\n" in replicas
    assert f"      {run / 'demo' / 'r3'}\n" in replicas
    assert "To look deeper\n  less " in shown
    assert max(map(len, cli("show", run.name, "demo").out.splitlines()[:12])) <= 100


def test_the_report_has_the_fixture_as_a_case(cli: Cli, fixtures: Write) -> None:
    """In JSON a case is the fixture, its rows are those over all replicas."""
    fixtures("say STATUS: OK | say BAD | say STATUS: OK", runs=3)
    report = cli("bench", "--live", "--stop-early", "--json", "-").report
    (suite,) = report["suites"]
    (case,) = suite["cases"]
    assert (report["verdict"], report["totals"]["cases"], suite["kind"]) == ("PASS", 1, "fixture")
    assert (case["ref"], case["model"], case["verdict"]) == ("demo", "claude-haiku-4-5", "PASS")
    completed, row = case["rows"]
    assert (completed["id"], completed["pass_rate"]) == ("run.completed", "3/3")
    assert row == {
        "id": "result.must_match",
        "kind": "result.must_match",
        "verdict": "PASS",
        "score": None,
        "actual_excerpt": "",
        "spec": {"pattern": "STATUS: OK", "case_sensitive": True},
        "error": None,
        "pass_count": 2,
        "runs": 3,
        "pass_rate": "2/3",
        "actual_excerpts": ['result="BAD"'],
    }
    shown = json.loads(cli("show", Path(report["run_dir"]).name, "demo", "--json").out)
    assert [each["case"]["verdict"] for each in shown["replicas"]] == ["PASS", "FAIL", "PASS"]
    assert [each["record"]["output"] for each in shown["replicas"]] == ["STATUS: OK", "BAD", "STATUS: OK"]


def test_the_run_directory_is_that_of_the_older_harness(cli: Cli, fixtures: Write, tmp_path: Path) -> None:
    """With --run-dir a fixture has r1/ … and grade.json right there; commands take the folder for a run."""
    fixtures("say STATUS: OK | say BAD | say STATUS: OK", runs=3)
    done = cli("bench", "demo", "--live", "--run-dir", "out", "--stop-early", "-q")
    assert done.code == 0
    out = tmp_path / "out"
    assert sorted(each.name for each in out.iterdir()) == [
        *(
            "cases.jsonl",
            "grade.json",
            "plan.json",
            "r1",
            "r2",
            "r3",
            "records.jsonl",
            "rows.jsonl",
            "run.json",
        )
    ]
    assert sorted(each.name for each in (out / "r1").iterdir()) == [
        *("grade.json", "run.meta.json", "stderr.txt", "stream.jsonl", "workspace")
    ]
    assert f"Next: scaffold show {out}\n" in done.out
    grade = json.loads((out / "grade.json").read_text())
    assert [grade[key] for key in ("fixture", "overall", "runs", "quorum")] == ["demo", "PASS", 3, "majority"]
    assert [row["pass_rate"] for row in grade["rows"]] == ["3/3", "2/3"]
    meta = json.loads((out / "r2/run.meta.json").read_text())
    assert meta.keys() >= {
        *("uuid", "fixture", "fixture_name", "claude_version", "started", "elapsed_ms", "exit", "signal"),
        *("timed_out", "permission_mode", "model", "replica_id", "cost_usd"),
    }
    assert (meta["replica_id"], meta["exit"], meta["cost_usd"]) == (2, 0, 0.01)
    assert "PASS  demo, 2 rows of 3 replicas" in cli("show", "out").out
    assert "FAIL  r2:" in cli("show", "out", "demo").out
    assert json.loads(cli("show", "out", "--json").out)["suites"][0]["name"] == "demo"
    cli("bench", "demo", "--live", "-q")
    compared = cli("compare", "out", latest(tmp_path).name)
    assert (compared.code, "demo" in compared.out) == (0, True)
    again = cli("bench", "demo", "--live", "--run-dir", "out")
    assert (again.code, again.err) == (2, "Error: out: is not empty (name a folder that is new or empty)\n")


def test_several_fixtures_in_a_run_directory(cli: Cli, fixtures: Write, tmp_path: Path) -> None:
    """Each has its own folder in it, and can be named."""
    fixtures("say STATUS: OK", name="one")
    fixtures("say BAD", name="two")
    (tmp_path / "out").mkdir()
    assert cli("bench", "one", "two", "--live", "--run-dir", "out", "-q").code == 1
    assert (tmp_path / "out/one/r1/grade.json").is_file()
    shown = cli("show", "out", "--suite", "two").out
    assert ("two (fixture)" in shown, "one (fixture)" in shown) == (True, False)
    refused = cli("grade", "out")
    assert refused.code == 2
    assert "this run has several fixtures (grade one of out/one, out/two)" in refused.err
    assert cli("grade", "out/two").code == 1
    assert json.loads((tmp_path / "out/run.json").read_text())["verdict"] == "FAIL"


def test_a_single_replica_is_not_aggregated(cli: Cli, fixtures: Write, anthropic_judge: Server) -> None:
    """With runs: 1 the layout is the same, and the rows are those of the replica, reasoning and all."""
    fixtures("say STATUS: OK", conditions=SEMANTIC)
    assert cli("bench", "--live", "--run-dir", "out", "-q").code == 0
    whole, one = (json.loads(Path(name).read_text()) for name in ("out/grade.json", "out/r1/grade.json"))
    assert {key: whole[key] for key in one.keys() - {"rows", "cost_usd"}} == {
        key: one[key] for key in one.keys() - {"rows", "cost_usd"}
    }
    for row, alone in zip(whole["rows"], one["rows"], strict=True):
        assert row.items() >= alone.items()
    assert whole["rows"][1]["reasoning"] == "It is a PASS."


def test_what_judges_saw_of_each_replica(cli: Cli, fixtures: Write, anthropic_judge: Server) -> None:
    """`show --prompt` has the calls of every replica; a semantic row costs a call for each."""
    fixtures("say STATUS: OK | say BAD | say BAD", runs=3, conditions=SEMANTIC)
    done = cli("bench", "--live", "--stop-early", "-q")
    assert (done.code, len(anthropic_judge.requests)) == (1, 3)
    assert "It is a FAIL." in done.out
    shown = cli("show", "demo", "--prompt").out
    assert [line for line in shown.splitlines() if line.startswith("==")] == [
        "== r1 ==",
        "== r2 ==",
        "== r3 ==",
    ]
    assert shown.count("Is it OK?") == 3
    assert "--prompt  what judges saw and said" in cli("show", "demo").out
    assert "semantic.ok: PASS, It is a PASS." in cli("show", "demo").out


def test_stop_early(cli: Cli, fixtures: Write, notes: Notes) -> None:
    """No session is started once every row is decided; those that were not are named and count."""
    fixtures("say STATUS: OK", runs=5)
    report = cli("bench", "--live", "--stop-early", "--json", "-").report
    (case,) = report["suites"][0]["cases"]
    assert (report["exit_code"], len(notes.sessions)) == (0, 3)
    assert case["rows"][1]["pass_rate"] == "3/5"
    assert case["notices"] == [{"text": "r4, r5 not started: every row was decided without it", "ref": None}]
    shown = cli("show", "demo").out
    assert "  SKIP  r4\n      not started: every row was decided without it\n" in shown


def test_several_models_side_by_side(cli: Cli, fixtures: Write, notes: Notes, tmp_path: Path) -> None:
    """Each model has its replicas in a folder of its own, and its own result."""
    fixtures("say STATUS: OK | say BAD", runs=1)
    models = ("--model", "anthropic:claude-a", "--model", "claude-b")
    report = cli("bench", "--live", "--stop-early", *models, "--json", "-").report
    (suite,) = report["suites"]
    assert [(case["model"], case["verdict"]) for case in suite["cases"]] == [
        ("claude-a", "PASS"),
        ("claude-b", "FAIL"),
    ]
    folder = Path(suite["run_dir"])
    assert (folder / "claude-a/r1/stream.jsonl").is_file()
    shown = cli("show", "demo").out
    assert "== demo, model claude-b ==" in shown
    assert f"      {folder}/claude-b/r1\n" in shown
    assert cli("grade", folder, "--json", "-").report["suites"][0]["cases"][1]["model"] == "claude-b"
    refused = cli("bench", "--live", "--model", "openai:gpt-4o")
    assert (refused.code, "cannot run the model openai:gpt-4o" in refused.err) == (2, True)


def test_a_mixed_run_skips_what_is_not_enabled(
    cli: Cli, project: Path, fixtures: Write, notes: Notes
) -> None:
    """A prompt suite runs, the fixture beside it is named as skipped, and changes no exit code."""
    fixtures("say STATUS: OK", runs=2)
    rated = "\n".join(
        json.dumps({"ref": "ann", "question": f"criteria.{name}", "answer": level})
        for name, level in (("tone", 3), ("safety", 2))
    )
    Path("rated.jsonl").write_text(rated)
    done = cli("run", "--judge", "replay:rated.jsonl", "-q")
    assert (done.code, notes.sessions) == (0, [])
    skipped = next(line for line in done.out.splitlines() if line.startswith("SKIP"))
    assert "run.completed" in skipped
    assert "SKIP  demo, 2 rows: 2 skipped" in done.out
    assert "set RUN_LLM_BENCH=1, or pass --live" in " ".join(done.out.split())


def test_sessions_run_side_by_side_but_where_they_may_not(cli: Cli, fixtures: Write, notes: Notes) -> None:
    """`--jobs` sessions at once; with `run: {serial: true}` one after the other, whatever it says."""
    fixtures("sleep 0.4", "say STATUS: OK", runs=3)
    assert cli("bench", "--live", "--jobs", "3", "-q").code == 0
    started = [each["started"] for each in notes.sessions]
    assert max(started) - min(started) < 0.4
    fixtures("sleep 0.4", "say STATUS: OK", runs=3, run="{serial: true}")
    assert cli("bench", "--live", "--jobs", "3", "-q").code == 0
    started = sorted(each["started"] for each in notes.sessions[3:])
    assert min(later - earlier for earlier, later in pairwise(started)) >= 0.4


@pytest.mark.parametrize("flags", [(), ("--max-cost-usd", "9")], ids=["jobs", "a budget"])
def test_one_after_the_other_is_in_order(cli: Cli, fixtures: Write, flags: tuple[str, ...]) -> None:
    """With a single job, replicas start by their numbers, as they are listed."""
    fixtures("sleep 0.25\nsay STATUS: OK", runs=6)
    assert cli("bench", "demo", "--live", "--run-dir", "out", "-q", "--jobs", "1", *flags).code == 0
    started = [json.loads(Path(f"out/r{i}/run.meta.json").read_text())["started"] for i in range(1, 7)]
    assert started == sorted(started)


def test_the_budget_ends_the_run(cli: Cli, fixtures: Write, notes: Notes) -> None:
    """A session is started while the budget is not spent; what was not started could not be measured."""
    fixtures("say STATUS: OK", "cost 0.5", runs=4)
    done = cli("bench", "--live", "--jobs", "1", "--max-cost-usd", "0.9", "--json", "-")
    (case,) = done.report["suites"][0]["cases"]
    assert (done.code, len(notes.sessions)) == (3, 2)
    assert case["rows"][1]["pass_rate"] == "2/4"
    assert "the budget of 0.9 USD is used up: 1.0000 USD are spent" in case["rows"][0]["actual_excerpts"][0]
    assert cli("bench", "--live", "--max-cost-usd", "0", "-q").code == 3
    assert len(notes.sessions) == 2


def test_what_is_known_of_the_cost_is_set_aside(cli: Cli, fixtures: Write, notes: Notes) -> None:
    """Once a run has told what a session costs, no more are begun at once than the budget has room for."""
    fixtures("say STATUS: OK", "cost 0.5", runs=1)
    assert cli("bench", "--live", "-q").code == 0
    fixtures("sleep 0.2", "say STATUS: OK", "cost 0.5", runs=4)
    done = cli("bench", "--live", "--jobs", "4", "--max-cost-usd", "1.1", "-q")
    assert (done.code, len(notes.sessions)) == (3, 3)


def test_answers_of_judges_are_recorded_and_replayed(
    cli: Cli, fixtures: Write, anthropic_judge: Server
) -> None:
    """`--record` keeps what judges said of each replica; `--judge replay:FILE` asks nobody."""
    fixtures("say STATUS: OK", runs=2, conditions=SEMANTIC)
    assert cli("bench", "--live", "--record", "said.jsonl", "-q").code == 0
    assert len(anthropic_judge.requests) == 2
    replayed = cli("bench", "--live", "--judge", "replay:said.jsonl", "--no-cache", "-q")
    assert (replayed.code, len(anthropic_judge.requests)) == (0, 2)


def test_files_and_flags_reach_the_session(cli: Cli, fixtures: Write, notes: Notes, tmp_path: Path) -> None:
    """What a session writes is graded; what the fixture says of it is on the command line."""
    files = "files: [{path: made.txt, must_match: {pattern: hello, case_sensitive: true}}]"
    fixtures("write made.txt", conditions=files, allowed_tools="Bash Read", permission_mode="acceptEdits")
    assert cli("bench", "--live", "-q").code == 0
    flags = " ".join(notes.sessions[0]["flags"])
    for part in (
        "-p --output-format stream-json",
        "--permission-mode acceptEdits",
        "--allowed-tools Bash Read",
    ):
        assert part in flags
    assert (latest(tmp_path) / "demo/r1/workspace/made.txt").read_text() == "hello\n"


def test_only_fixtures_are_benched(cli: Cli, project: Path) -> None:
    """A prompt suite is refused by its kind; without any fixture there is nothing to run."""
    assert "names a prompt suite, where a fixture is needed" in cli("bench", "greeting").err
    done = cli("bench", "--live")
    assert (done.code, "scaffold add-fixture NAME" in done.err) == (4, True)
