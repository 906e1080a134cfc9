"""Runners as producers of outputs: real programs that answer, and what is told of their answers."""

import json
from decimal import Decimal
from pathlib import Path

import pytest
from runner_scripts import HELLO, Start, ask, ask_at_once, pids, results, script, trial

from judges.core.usage import Usage
from judges.providers.budget import Budget
from judges.run.runner.runner import Runner

PROGRAMS = {
    "runner.py": script(HELLO),
    "runner.mjs": """
        import { createInterface } from "node:readline";
        for await (const line of createInterface({ input: process.stdin })) {
          const { id, input } = JSON.parse(line);
          console.log(JSON.stringify({ id, output: `Hello ${input.name}` }));
        }
    """,
    "runner.js": """
        require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
          const { id, input } = JSON.parse(line);
          console.log(JSON.stringify({ id, output: `Hello ${input.name}` }));
        });
    """,
    "runner": """#!/usr/bin/env bash
        while IFS= read -r line; do
          id=$(sed -E 's/.*"id": "([0-9]+)".*/\\1/' <<< "$line")
          name=$(sed -E 's/.*"name": "([^"]+)".*/\\1/' <<< "$line")
          printf '{"id": "%s", "output": "Hello %s"}\\n' "$id" "$name"
        done
    """,
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_programs(start: Start, name: str) -> None:
    """Python, both kinds of JavaScript, and an executable of any kind answer alike."""
    runner = start(PROGRAMS[name], name)
    assert results(ask(runner, "Ann", "Bob")) == ["Hello Ann", "Hello Bob"]


def test_one_process_for_all(start: Start, tmp_path: Path) -> None:
    """A hundred trials at once are answered, each with its own output, by one process in any order."""
    runner = start(
        script(
            """
            held.append((id, name))
            if len(held) == 100:
                for id, name in reversed(held):
                    answer(id=id, output=name)
            """,
            "held = []\n",
        )
    )
    names = [f"name {number}" for number in range(100)]
    assert results(ask_at_once(runner, *names)) == names
    assert len(pids(tmp_path)) == 1


def test_request(start: Start) -> None:
    """The request has the input, the arm, the replica and the model."""
    runner = start(script("del request['id']\nanswer(id=id, output=json.dumps(request))"))
    sent = json.loads(str(runner(trial("Ann", model="gpt-4o", arm="a", replica=2)).output))
    assert sent == {"input": {"name": "Ann"}, "arm": "a", "replica": 2, "model": "gpt-4o"}
    sent = json.loads(str(runner(trial("Ann")).output))
    assert (sent["arm"], sent["replica"], sent["model"]) == (None, 1, None)


def test_what_it_took(start: Start) -> None:
    """Tokens, cost and time are those that the runner tells; what it does not tell is not made up."""
    told = "usage={'input_tokens': 7, 'output_tokens': 3}, cost_usd=0.002, latency_ms=12.5, events=[{'a': 1}]"
    runner = start(
        script(
            f"""
            if name == "full": answer(id=id, output="", {told})
            elif name == "tokens": answer(id=id, output="", usage={{"input_tokens": 7, "output_tokens": 3}})
            else: answer(id=id, output="")
            """
        )
    )
    full, tokens, bare = ask(runner, "full", "tokens", "bare")
    assert full.usage == Usage(calls=1, input_tokens=7, output_tokens=3, cost_usd=Decimal("0.002"))
    assert (full.output, full.latency_ms, full.source) == ("", 12.5, "runner.py")
    assert (full.events, bare.events) == (({"a": 1},), ())
    assert tokens.usage == Usage(calls=1, input_tokens=7, output_tokens=3, cost_usd=None)
    assert (bare.usage, bare.latency_ms) == (Usage(), None)


@pytest.mark.parametrize(
    "text",
    ['Grüße, 你好 🙂 \u2028 \x00 "quoted" \\ \r\n end', "x" * 5_000_000, "🙂" * 1_250_000],
    ids=["unicode", "5 MB", "5 MB of emoji"],
)
def test_texts_arrive_as_they_are(start: Start, text: str) -> None:
    """Whatever characters, and however many, an input and an output have."""
    runner = start(script("answer(id=id, output=name)"))
    assert runner(trial(text)).output == text


def test_a_flood_on_standard_error(start: Start, tmp_path: Path) -> None:
    """A runner that writes far more than a pipe holds to its standard error answers all the same."""
    runner = start(script("print('x' * 3_000_000, file=sys.stderr)\n" + HELLO))
    assert results(ask_at_once(runner, "Ann", "Bob")) == ["Hello Ann", "Hello Bob"]
    runner.close()
    assert (tmp_path / "runner.stderr.log").stat().st_size == 6_000_002


def test_errors_in_words(start: Start) -> None:
    """An error that the runner gives is the trial's, and no other trial's; null is nothing given."""
    runner = start(
        script(
            """
            if name == "Bob": answer(id=id, output=None, error="no such person")
            else: answer(id=id, output="Hello", error=None)
            """
        )
    )
    assert results(ask(runner, "Ann", "Bob", "Cid")) == ["Hello", "(runner.py: no such person)", "Hello"]


def test_budget(start: Start) -> None:
    """What the runner spends counts: once the budget is passed, nothing more is asked."""
    budget = Budget(Decimal("0.01"))
    runner = start(script("answer(id=id, output='x', cost_usd=0.006)"), budget=budget)
    said = results(ask(runner, "Ann", "Bob", "Cid"))
    assert said[:2] == ["x", "x"]
    assert "the budget of 0.01 USD is used up: 0.0120 USD are spent" in said[2]
    assert budget.spent == Decimal("0.012")


def test_secrets_are_masked(start: Start, tmp_path: Path) -> None:
    """Neither messages nor the log show a secret, wherever the runner writes it."""
    secret = "hunter2-hunter2"

    def mask(text: str) -> str:
        return text.replace(secret, "[PASSWORD]")

    runner = start(
        script(
            f"""
            print("key {secret}", file=sys.stderr)
            if name == "error": answer(id=id, error="not {secret}")
            elif name == "rubbish": print("{secret}")
            else: os._exit(1)
            """
        ),
        mask=mask,
    )
    said = results(ask(runner, "error", "rubbish", "crash"))
    assert said[0] == "(runner.py: not [PASSWORD])"
    assert "Expecting value: '[PASSWORD]'" in said[1]
    assert said[2].endswith("Its standard error says: key [PASSWORD])")
    runner.close()
    assert secret not in (tmp_path / "runner.stderr.log").read_text()


def test_many_threads_start_one_process(start: Start, tmp_path: Path) -> None:
    """Whoever is first starts it; the others wait for that one."""
    runner: Runner = start(script(HELLO, "time.sleep(0.3)\n"))
    ask_at_once(runner, *(str(number) for number in range(30)))
    assert len(pids(tmp_path)) == 1
