"""One replica run into a folder, and grading what was run: edited, moved, half-written, damaged."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from command_line import Cli
from fixture_project import SEMANTIC, Notes, Write, latest
from loopback import Server

pytestmark = pytest.mark.usefixtures("scripted_claude")


@pytest.fixture
def out(cli: Cli, fixtures: Write) -> Path:
    """A run of three replicas, of which the second says something else."""
    fixtures("say STATUS: OK | say BAD | say STATUS: OK", runs=3)
    assert cli("bench", "demo", "--live", "--run-dir", "out", "--stop-early", "-q").code == 0
    return Path("out")


def test_one_replica(cli: Cli, fixtures: Write, notes: Notes) -> None:
    """It runs into a folder, is not graded, and says how to grade it."""
    fixtures("say BAD", runs=3)
    done = cli("bench-one", "demo", "x/r2", "--live")
    assert done.code == 0
    assert done.out.splitlines()[0].startswith("Replica: r2, ")
    assert done.out.splitlines()[1:] == ["Stream:  x/r2/stream.jsonl", "Next:    scaffold grade x/r2"]
    assert sorted(each.name for each in Path("x/r2").iterdir()) == [
        *("run.meta.json", "stderr.txt", "stream.jsonl", "workspace")
    ]
    graded = cli("grade", "x/r2")
    assert graded.code == 1
    assert graded.out.startswith(
        "FAIL  demo\ndemo\n0 of 1 replica passed every row, model claude-haiku-4-5\n"
    )
    assert 'result.must_match: result="BAD"' in graded.out
    assert json.loads(Path("x/r2/grade.json").read_text())["overall"] == "FAIL"
    assert not Path("x/grade.json").exists()
    refused = cli("bench-one", "demo", "x/r2", "--live")
    assert (refused.code, "is not empty" in refused.err) == (2, True)
    assert len(notes.sessions) == 1


def test_one_replica_with_a_number_and_a_model(cli: Cli, fixtures: Write, notes: Notes) -> None:
    """Both may be given; without --live it is told what would be run."""
    fixtures("say STATUS: OK")
    done = cli("bench-one", "demo", "one", "--model", "anthropic:claude-a")
    assert (done.code, done.out) == (4, "demo: 1 session, model claude-a: what it costs is not known yet\n")
    assert not Path("one").exists()
    assert cli("bench-one", "demo", "one", "--model", "claude-a", "--replica-id", "7", "--live").code == 0
    meta = json.loads(Path("one/run.meta.json").read_text())
    assert (meta["replica_id"], meta["model"]) == (7, "claude-a")
    assert "--model claude-a" in " ".join(notes.sessions[0]["flags"])


def test_one_replica_that_does_not_come_to_its_end(cli: Cli, fixtures: Write) -> None:
    """The exit code says that nothing can be measured by it, and so does grading."""
    fixtures("exit 5")
    done = cli("bench-one", "demo", "r1", "--live")
    assert (done.code, "the client exited with 5" in done.err) == (3, True)
    assert cli("grade", "r1").code == 3


def test_replicas_in_a_folder_become_a_run(cli: Cli, fixtures: Write, notes: Notes) -> None:
    """As with the older harness: run replicas one by one, then grade all; the folder is a run then."""
    fixtures("say STATUS: OK | say BAD", runs=3)
    for number in (1, 2):
        cli("bench-one", "demo", f"out/r{number}", "--live")
    undecided = cli("grade", "out")
    assert (undecided.code, "1 of 3 trials were not run" in undecided.out) == (3, True)
    cli("bench-one", "demo", "out/r3", "--live")
    graded = cli("grade", "out")
    assert (graded.code, "PASS  demo, 2 rows of 3 replicas: 2 passed" in graded.out) == (0, True)
    assert json.loads(Path("out/grade.json").read_text())["rows"][1]["pass_rate"] == "2/3"
    assert "FAIL  r2:" in cli("show", "out", "demo").out
    assert len(notes.sessions) == 3


def test_grading_again_gives_the_same(cli: Cli, out: Path, notes: Notes) -> None:
    """A run is graded by its folder, by its id, and by the folder of its fixture; no session is run."""
    before = {path: path.read_bytes() for path in out.glob("**/grade.json")}
    report = cli("show", "out", "--json").report
    done = cli("grade", "out", "--json", "-")
    assert done.code == 0
    assert {path: path.read_bytes() for path in out.glob("**/grade.json")} == before
    assert done.report["suites"][0]["cases"] == report["suites"][0]["cases"]
    cli("bench", "demo", "--live", "--stop-early", "-q")
    run = latest(Path.cwd())
    codes = {cli("grade", run.name).code, cli("grade", run).code, cli("grade", run / "demo").code}
    assert codes == {0}
    assert len(notes.sessions) == 6


def test_an_edited_fixture(cli: Cli, out: Path, fixtures: Write) -> None:
    """It is graded by what it says now, and told that it has changed; show and run.json agree."""
    fixtures("say STATUS: OK | say BAD | say STATUS: OK", runs=3, quorum="all")
    done = cli("grade", "out")
    assert done.code == 1
    assert "the fixture has changed since r1, r2, r3 ran: graded by what it says now" in " ".join(
        done.out.split()
    )
    assert "FAIL  demo, 2 rows" in cli("show", "out").out
    assert json.loads((out / "run.json").read_text())["verdict"] == "FAIL"
    fixtures("say STATUS: OK", runs=1)
    fewer = cli("grade", "out")
    assert (fewer.code, "not graded: r2, r3, as the fixture has runs: 1" in fewer.out) == (0, True)


def test_a_fixture_that_has_moved(cli: Cli, out: Path, fixtures: Write) -> None:
    """It has to be named, and may be."""
    path = fixtures("say STATUS: OK", runs=3)
    path.rename("moved.fixture.md")
    done = cli("grade", "out")
    assert (done.code, done.err) == (
        2,
        "Error: .omniscitus/tests/fixtures/demo.fixture.md: the fixture is not there any more "
        "(name it: --fixture FILE)\n",
    )
    assert cli("grade", "out", "--fixture", "moved.fixture.md").code == 0
    assert cli("grade", "out/r2", "--fixture", "moved.fixture.md").code == 1


def test_judges_are_asked_once(cli: Cli, fixtures: Write, anthropic_judge: Server) -> None:
    """What a judge has answered is kept; another judge is asked anew."""
    fixtures("say STATUS: OK", runs=2, conditions=SEMANTIC)
    cli("bench", "--live", "--run-dir", "out", "-q")
    assert len(anthropic_judge.requests) == 2
    assert (cli("grade", "out").code, cli("grade", "out/r1").code, len(anthropic_judge.requests)) == (0, 0, 2)
    done = cli("grade", "out", "--judge", "anthropic:claude-sonnet-4-5")
    assert (done.code, len(anthropic_judge.requests)) == (0, 4)
    assert cli("grade", "out", "--no-cache").code == 0
    assert len(anthropic_judge.requests) == 6
    broke = cli("grade", "out", "--no-cache", "--max-cost-usd", "0")
    assert (broke.code, len(anthropic_judge.requests)) == (3, 6)


def edit(name: str, text: str) -> Callable[[Path], None]:
    """Write something else into a file of the second replica."""

    def act(out: Path) -> None:
        (out / "r2" / name).write_text(text)

    return act


def change(key: str, value: object) -> Callable[[Path], None]:
    """Set a key of the second replica's record."""

    def act(out: Path) -> None:
        path = out / "r2/run.meta.json"
        path.write_text(json.dumps({**json.loads(path.read_text()), key: value}))

    return act


DAMAGE = [
    pytest.param(
        lambda out: (out / "r2/stream.jsonl").unlink(), "stream.jsonl: cannot be read", id="no stream"
    ),
    pytest.param(edit("stream.jsonl", ""), "no result event", id="an empty stream"),
    pytest.param(edit("stream.jsonl", "{}\nnothing"), "no result event", id="no stream of events"),
    pytest.param(edit("run.meta.json", "{"), "cannot be read as part of a run", id="half a record"),
    pytest.param(edit("run.meta.json", "[]"), "not a JSON object", id="a list for a record"),
    pytest.param(edit("run.meta.json", "[" * 100_000), "cannot be read as part of a run", id="a deep record"),
    pytest.param(change("exit", "0"), "'exit' is '0': this is no record", id="a text for a code"),
    pytest.param(change("timed_out", None), "'timed_out' is None", id="nothing for a flag"),
    pytest.param(change("elapsed_ms", -1), "'elapsed_ms' is -1", id="a negative time"),
    pytest.param(change("elapsed_ms", float("nan")), "'elapsed_ms' is nan", id="no number for a time"),
    pytest.param(change("timed_out", True), "took longer than its time limit", id="a session that timed out"),
    pytest.param(
        change("signal", "SIGKILL"), "the client was ended by SIGKILL", id="a session that was killed"
    ),
]


@pytest.mark.parametrize(("damage", "why"), DAMAGE)
def test_a_damaged_replica(cli: Cli, fixtures: Write, damage: Callable[[Path], None], why: str) -> None:
    """It could not be measured, and why is told; what it was graded as before does not stay."""
    fixtures("say STATUS: OK", runs=2)
    cli("bench", "demo", "--live", "--run-dir", "out", "-q")
    damage(Path("out"))
    done = cli("grade", "out", "--json", "-")
    (case,) = done.report["suites"][0]["cases"]
    assert (done.code, case["verdict"]) == (3, "ERROR")
    assert [row["pass_rate"] for row in case["rows"]] == ["1/2", "1/2"]
    assert why in case["rows"][0]["error"]
    one = cli("grade", "out/r2")
    assert (one.code, why in " ".join(one.out.split())) == (3, True)
    assert json.loads(Path("out/r2/grade.json").read_text())["overall"] == "ERROR"


@pytest.mark.parametrize(
    ("file", "text"),
    [("plan.json", "{"), ("plan.json", '{"suites": 3}'), ("plan.json", '{"suites": [{"kind": "fixture"}]}')],
)
def test_a_damaged_run(cli: Cli, out: Path, file: str, text: str) -> None:
    """It is said which file of the run cannot be used."""
    (out / file).write_text(text)
    done = cli("grade", "out")
    assert (done.code, done.out) == (2, "")
    assert f"out/{file}" in done.err


@pytest.mark.parametrize("name", ["grade.json", "rows.jsonl", "records.jsonl", "cases.jsonl", "run.json"])
def test_what_grading_writes_may_be_lost(cli: Cli, out: Path, name: str) -> None:
    """Grading needs nothing of it, and makes it anew."""
    (out / name).write_text("{")
    assert cli("grade", "out").code == 0
    assert "PASS  demo, 2 rows of 3 replicas" in cli("show", "out").out
    (out / name).unlink()
    assert cli("grade", "out").code == 0
    assert "FAIL  r2:" in cli("show", "out", "demo").out


def test_replicas_that_are_gone(cli: Cli, out: Path) -> None:
    """Those that are left decide where they can; where none is left there is nothing to grade."""
    shutil.rmtree(out / "r2")
    assert cli("grade", "out", "--json", "-").report["suites"][0]["cases"][0]["rows"][1]["pass_rate"] == "2/3"
    (out / "r3/run.meta.json").unlink()
    half = cli("grade", "out")
    assert half.code == 3
    assert "not graded: r3, cut off before the end of the session" in half.out
    assert "2 of 3 trials were not run" in half.out
    for name in ("r1", "r3"):
        shutil.rmtree(out / name)
    none = cli("grade", "out")
    assert (none.code, "there are no replicas here" in none.err) == (2, True)


def test_nothing_to_grade(cli: Cli, fixtures: Write) -> None:
    """A folder without replicas, a name without a run, a run without fixtures: each has its own sentence."""
    fixtures("say STATUS: OK")
    Path("empty/r1").mkdir(parents=True)
    assert "there is no run 'nowhere'" in cli("grade", "nowhere").err
    for place in ("empty", "empty/r1"):
        done = cli("grade", place)
        assert (done.code, done.out) == (2, "")
        assert "Error: " in done.err


def test_a_fixture_that_has_become_invalid(cli: Cli, out: Path, fixtures: Write) -> None:
    """Its mistakes are told where they stand, and nothing is written."""
    before = (out / "grade.json").read_bytes()
    fixtures("say STATUS: OK", conditions='result: {must_match: {pattern: "(", case_sensitive: true}}')
    done = cli("grade", "out")
    assert (done.code, "is not a JavaScript regular expression" in done.err) == (2, True)
    assert (out / "grade.json").read_bytes() == before
