"""`scaffold run` with a runner: its outputs are judged, and what it tells of them counts."""

import json
from pathlib import Path

import pytest
from command_line import Cli
from loopback import Server
from runner_project import HELLO, SUITE, WriteRunner, cases, errors, run, script


def test_outputs_are_judged(cli: Cli, project: Path, write_runner: WriteRunner) -> None:
    """The runner's outputs reach the checks and the judge; what it spent is in the totals."""
    told = "usage={'input_tokens': 5, 'output_tokens': 2}, cost_usd=0.25, latency_ms=7, events=[{'a': 1}]"
    write_runner(
        script(f"answer(output=f'Hello {{name}}', {told})"),
        names="Ann Bob",
    )
    result = run(cli)
    assert result.code == 0
    assert [case["output"] for case in cases(result)] == ["Hello Ann", "Hello Bob"]
    usage = result.report["usage"]
    assert (usage["calls"], usage["input_tokens"]) == (4, 2 * 5 + 2 * 100)
    assert usage["cost_usd"] == pytest.approx(0.5009)
    (records,) = project.glob(".omniscitus/runs/*/greeting/records.jsonl")
    first = json.loads(records.read_text().splitlines()[0])
    assert (first["source"], first["latency_ms"]) == ("runner.py", 7.0)
    assert first["events"] == [{"a": 1}]


@pytest.mark.parametrize(
    ("latency", "cost", "code"),
    [(90, 0.02, 0), (110, 0.02, 1), (90, 0.04, 1)],
    ids=["within", "slow", "dear"],
)
def test_checks_of_what_it_took(
    cli: Cli, write_runner: WriteRunner, latency: int, cost: float, code: int
) -> None:
    """max_latency_ms and max_cost_usd look at what the runner tells."""
    path = write_runner(script(f"answer(output='x', cost_usd={cost}, latency_ms={latency})"))
    suite = path.with_name("prompt-meta.yaml")
    checks = (
        "checks:\n  - {name: fast, type: deterministic, strategy: max_latency_ms, value: 100}\n"
        "  - {name: cheap, type: deterministic, strategy: max_cost_usd, value: 0.03}\n"
    )
    suite.write_text(suite.read_text().replace("checks:\n", checks))
    assert run(cli).code == code


def test_standard_error_is_kept(cli: Cli, project: Path, write_runner: WriteRunner) -> None:
    """What the runner says of itself is a file of the run."""
    write_runner(script(f"print('for', name, file=sys.stderr)\n{HELLO}"), names="Ann Bob")
    run(cli, "--concurrency", "1")
    (log,) = project.glob(".omniscitus/runs/*/greeting/runner.stderr.log")
    assert log.read_text() == "for Ann\nfor Bob\n"


def test_recorded_outputs_come_first(cli: Cli, project: Path, write_runner: WriteRunner) -> None:
    """A case's own output is judged as it is; with --model the runner is told the model and asked for all."""
    path = write_runner(script("answer(output=f'{name} by {model}')"), names="Ann Bob")
    suite = path.with_name("prompt-meta.yaml")
    suite.write_text(suite.read_text().replace("{name: Bob}", "{name: Bob}, output: recorded"))
    assert [case["output"] for case in cases(run(cli))] == ["Ann by None", "recorded"]
    told = cases(run(cli, "--model", "mine-7b", "--model", "gpt-4o"))
    assert [(case["model"], case["output"]) for case in told] == [
        ("mine-7b", "Ann by mine-7b"),
        ("gpt-4o", "Ann by gpt-4o"),
        ("mine-7b", "Bob by mine-7b"),
        ("gpt-4o", "Bob by gpt-4o"),
    ]


def test_recorded_outputs_need_no_runner(cli: Cli, project: Path, write_runner: WriteRunner) -> None:
    """Where every output is given the runner is not started, and need not be startable."""
    write_runner("", "runner.rb", mode=0o644)
    (project / "outputs.jsonl").write_text('{"ref": "ann", "output": "Hello"}\n')
    assert run(cli, "--outputs", "outputs.jsonl").code == 0


def test_a_suites_own_model(cli: Cli, write_runner: WriteRunner) -> None:
    """The suite's `model:` is what the runner is told."""
    write_runner(script("answer(output=str(model))"), more="model: gpt-4.1-mini")
    assert [case["output"] for case in cases(run(cli))] == ["gpt-4.1-mini"]


def test_dry_run(cli: Cli, write_runner: WriteRunner, kind_judge: Server) -> None:
    """An estimate starts nothing and asks nobody."""
    path = write_runner(script(HELLO), more="model: my-own-thing")
    result = cli("run", "greeting", "--dry-run")
    assert result.code == 0
    assert result.out.startswith("greeting: 1 trial, judge openai:gpt-4o: about 1 call")
    assert ", without what the runner spends itself\n" in result.out
    assert not (path.parent / "pids").exists()
    assert kind_judge.requests == []


def test_budget(cli: Cli, write_runner: WriteRunner) -> None:
    """What the runner tells that it spent counts against --max-cost-usd."""
    write_runner(script("answer(output='x', cost_usd=0.6)"), names="Ann Bob Cid")
    result = run(cli, "--concurrency", "1", "--max-cost-usd", "1")
    assert result.code == 3
    assert "the budget of 1" in str(errors(result)[2])


def test_a_changed_runner_is_not_resumed(cli: Cli, project: Path, write_runner: WriteRunner) -> None:
    """A run is resumed only by the runner that it was started with."""
    path = write_runner(script(HELLO))
    run(cli)
    (folder,) = project.glob(".omniscitus/runs/*")
    path.write_text(script("answer(output='other')"))
    result = cli("run", "--resume", folder.name)
    assert result.code == 2
    assert "has changed since this run was started" in result.err


def test_many_at_once(cli: Cli, write_runner: WriteRunner, project: Path) -> None:
    """A hundred cases at once go through one process."""
    write_runner(script(HELLO), names=" ".join(f"N{number}" for number in range(100)))
    result = run(cli, "--concurrency", "100")
    assert (result.code, result.report["totals"]["passed"]) == (0, 100)
    assert [case["output"] for case in cases(result)] == [f"Hello N{number}" for number in range(100)]
    assert len((project / SUITE / "pids").read_text().split()) == 1


def test_the_runner_of_the_how_to_page(cli: Cli, write_runner: WriteRunner) -> None:
    """The runner that the documentation shows works as it is written."""
    page = Path(__file__).parents[2].joinpath("docs/how-to/runners.md").read_text("utf-8")
    path = write_runner(page.partition("```python\n")[2].partition("```")[0], names="Ann Nobody")
    suite = path.with_name("prompt-meta.yaml")
    suite.write_text(suite.read_text().replace("{name: Nobody}", '{name: ""}'))
    result = run(cli)
    assert [case["output"] for case in cases(result)] == ["Hello Ann", None]
    assert errors(result)[1] == "runner.py: there is nobody to greet"
