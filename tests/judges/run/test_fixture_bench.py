"""A replica from its session to its rows, and the replicas of a fixture to its result."""

import json
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from judges.core.case import Trial
from judges.core.encode import encode_case, render_line
from judges.core.errors import RunError
from judges.core.report import CaseReport
from judges.core.verdict import Verdict
from judges.files.fixture import FixtureSuite, parse_fixture
from judges.providers import ScriptedProvider
from judges.run.connections import Connections
from judges.run.fixture.bench import FixtureBench, Standings, Turns, outcome_without_session
from judges.run.fixture.grade import build_grader
from judges.run.fixture.plan import fixture_case
from judges.run.fixture.procedure import merge_replicas
from judges.run.fixture.replica import Replica, read_replica

TEXT = """\
---
runs: 3
pass_conditions:
  run: {must_succeed: true}
  result: {must_match: {pattern: OK, case_sensitive: true}}
  semantic: [{id: fine, view: result, judge_model: "local:smollm2", rubric: Is it fine?}]
---
# Prompt body

Hi
"""
IDS = ["run.completed", "run.must_succeed", "result.must_match", "semantic.fine"]


class Scripted:
    """Stands for the sessions: what each says, or why there is none."""

    def __init__(self, *said: str | Exception) -> None:
        self.said = list(said)
        self.ended = False

    def __call__(self, suite: FixtureSuite, model: str | None, folder: Path) -> Replica:
        text = self.said.pop(0)
        if isinstance(text, Exception):
            raise text
        folder.mkdir(parents=True)
        result = {"type": "result", "subtype": "success", "result": text, "stop_reason": "end_turn"}
        (folder / "stream.jsonl").write_text(json.dumps({**result, "total_cost_usd": 0.5}) + "\n")
        (folder / "run.meta.json").write_text('{"exit": 0, "elapsed_ms": 1200}')
        return read_replica(folder)

    def end(self) -> None:
        self.ended = True


MakeBench = Callable[..., FixtureBench]


@pytest.fixture
def suite(tmp_path: Path) -> FixtureSuite:
    return parse_fixture(TEXT, tmp_path / "a.fixture.md", root=tmp_path)


@pytest.fixture
def make(suite: FixtureSuite, tmp_path: Path) -> MakeBench:
    """Make a bench of these sessions, with a judge that says PASS."""
    judge = ScriptedProvider(lambda _: {"verdict": "PASS", "reasoning": "It is."})

    def make(sessions: Scripted, *, stop_early: bool = False) -> FixtureBench:
        return FixtureBench(
            suite=suite,
            grader=build_grader(suite, Connections(environ={}, own={"local:smollm2": judge})),
            run_session=sessions,
            stop_early=stop_early,
            models=(None,),
            standings=Standings(suite),
            folder=tmp_path,
        )

    return make


def run(bench: FixtureBench, *numbers: int) -> list[CaseReport]:
    """Run these replicas, one after the other."""
    return [bench(Trial(fixture_case(bench.suite), replica=number)).case for number in numbers]


def test_a_replica_without_a_session_has_all_its_rows(make: MakeBench) -> None:
    """None of them is absent: what could not be measured is said of each, in order."""
    (case,) = run(make(Scripted(RunError("it cannot be started"))), 1)
    assert [row.id for row in case.rows] == IDS
    assert {row.verdict for row in case.rows} == {Verdict.ERROR}
    assert {row.error for row in case.rows} == {"it cannot be started"}


def test_it_does_not_decide_about_the_others(suite: FixtureSuite, make: MakeBench) -> None:
    """Two that pass are enough of three, whatever kept the third from starting."""
    replicas = run(make(Scripted("OK", RunError("no"), "OK")), 1, 2, 3)
    merged = merge_replicas(suite, replicas)
    assert [(row.verdict, row.extra["pass_rate"]) for row in merged.rows[:3]] == [(Verdict.PASS, "2/3")] * 3


def test_remarks_on_judges_are_made_once(suite: FixtureSuite, make: MakeBench) -> None:
    """A judge that cannot judge is named, its verdicts count for nothing, and that is said once."""
    merged = merge_replicas(suite, run(make(Scripted("OK", "OK", "OK")), 1, 2, 3))
    assert merged.rows[3].verdict is Verdict.ERROR
    assert merged.rows[3].error == (
        "0 passed of 2 needed, and 3 could not be measured: unjudged (smoke judge)"
    )
    (notice,) = merged.notices
    assert "local:smollm2" in notice.text


def test_facts_of_a_session_are_in_its_first_row(make: MakeBench) -> None:
    """What people want to know beside its verdict is kept, and is in no other row."""
    (case,) = run(make(Scripted("OK")), 1)
    assert case.rows[0].extra == {
        "elapsed_ms": 1200,
        "exit": 0,
        "signal": None,
        "timed_out": False,
        "parse_errors": 0,
        "cost_usd": 0.5,
        "denials": [],
    }


def test_stopping_early_knows_what_was_run_before(make: MakeBench, tmp_path: Path) -> None:
    """A run that goes on counts the replicas of its earlier part, but not those that were skipped."""
    bench = make(Scripted("OK", "OK"), stop_early=True)
    finished = [
        replace(case, rows=tuple(row for row in case.rows if row.kind != "semantic"))
        for case in run(bench, 1, 2)
    ]
    folder = tmp_path / "suite"
    folder.mkdir()
    (folder / "rows.jsonl").write_text("".join(f"{render_line(encode_case(case))}\n" for case in finished))
    later, _ = make(Scripted(), stop_early=True).prepare(folder)
    (case,) = run(later, 3)
    assert {row.verdict for row in case.rows} == {Verdict.SKIP}
    assert {row.error for row in case.rows} == {"not started: every row was decided without it"}


def test_sessions_end_with_the_run(make: MakeBench, tmp_path: Path) -> None:
    """However the run is left, what is running is told to end."""
    sessions = Scripted()
    with pytest.raises(KeyboardInterrupt), make(sessions).opened(tmp_path):
        raise KeyboardInterrupt
    assert sessions.ended


def test_a_fixture_that_is_not_enabled(suite: FixtureSuite) -> None:
    """Each of its rows is skipped with the reason."""
    trial = Trial(fixture_case(suite))
    case = outcome_without_session(suite, trial, Verdict.SKIP, "not enabled").case
    assert [(row.id, row.verdict, row.error) for row in case.rows] == [
        (row, Verdict.SKIP, "not enabled") for row in IDS
    ]
    merged = merge_replicas(suite, [case, case, case])
    assert merged.verdict is Verdict.SKIP


def test_turns_are_taken_in_order() -> None:
    """Whoever comes first, of those that wait the first in order goes on."""
    turns, order, begun = Turns(), list[int](), threading.Semaphore(0)

    def take(number: int) -> None:
        begun.release()
        with turns.turn((0, number)):
            order.append(number)

    with turns.turn((0, 0)):
        threads = [threading.Thread(target=take, args=(number,)) for number in (3, 1, 2)]
        for thread in threads:
            thread.start()
            begun.acquire()
        while len(turns._waiting) < 3:
            time.sleep(0.001)
    for thread in threads:
        thread.join(5)
    assert order == [1, 2, 3]
