"""What a run says of its judge: measured against people's ratings or not, and with what result."""

import json
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from command_line import Cli, levels
from loopback import Loopback, openai_text

from judges.ask.wording import version
from judges.files.load import load_suite
from judges.files.qualifications import QualificationEntry, keep_qualification
from judges.run.standing import rubric_digest

FOLDER = Path(".omniscitus/tests/prompts/greeting")
SUITE = FOLDER / "prompt-meta.yaml"
FILE = FOLDER / "qualifications.json"
UNMEASURED = (
    "the judge openai:gpt-4o is unqualified: nobody has measured it against people's ratings "
    "(scaffold qualify greeting)"
)
STALE = (
    "the judge openai:gpt-4o is unqualified: it was measured with another wording or rubric against people's "
    "ratings (scaffold qualify greeting)"
)


@pytest.fixture
def judged(project: Path, play_openai: Loopback) -> Path:
    """The project, with a judge that likes everything."""
    play_openai(openai_text(json.dumps(levels(3, 2))))
    return project


def measured() -> QualificationEntry:
    return QualificationEntry(
        judge="openai:gpt-4o",
        wording=version(),
        rubric_sha256=rubric_digest(load_suite(SUITE)),
        qualified=True,
        n=40,
        pairs=612,
        accuracy=0.85,
        low=0.78,
        high=0.9,
        measured=datetime(2026, 11, 30, tzinfo=UTC),
    )


def run(cli: Cli, *options: str) -> tuple[int, Any, list[str]]:
    """Run the suite; return the exit code, who judged, and the notices."""
    result = cli("run", "-q", "--json", "-", *options)
    (suite,) = result.report["suites"]
    return result.code, suite["judge"], [notice["text"] for notice in suite["notices"]]


NOTHING = {"n": None, "accuracy": None, "low": None, "high": None}


@pytest.mark.usefixtures("judged")
def test_unmeasured(cli: Cli) -> None:
    """A judge that nobody has measured judges, and is marked once a suite."""
    assert run(cli) == (0, {"model": "openai:gpt-4o", "qualified": None, **NOTHING}, [UNMEASURED])
    assert "note: the judge openai:gpt-4o is unqualified" in cli("run", "-q").out


@pytest.mark.usefixtures("judged")
def test_qualified(cli: Cli) -> None:
    """A judge that was measured and is better than chance is named with its figures, and no remark."""
    keep_qualification(FILE, measured())
    figures = {"n": 40, "accuracy": 0.85, "low": 0.78, "high": 0.9}
    assert run(cli) == (0, {"model": "openai:gpt-4o", "qualified": True, **figures}, [])
    shown = json.loads(cli("show", "--json").out)
    assert shown["suites"][0]["judge"]["qualified"] is True


@pytest.mark.usefixtures("judged")
def test_no_better_than_chance(cli: Cli) -> None:
    """A judge that was measured and is no better than chance shows its levels and decides nothing."""
    keep_qualification(FILE, replace(measured(), qualified=False, accuracy=0.52, low=0.41, high=0.63))
    result = cli("run", "-q", "--json", "-")
    (suite,) = result.report["suites"]
    assert (result.code, suite["judge"]["qualified"]) == (3, False)
    assert [notice["text"].partition(":")[0] for notice in suite["notices"]] == ["openai"]
    assert "is a smoke judge" in suite["notices"][0]["text"]
    (case,) = suite["cases"]
    assert case["rows"][-1]["error"] == "unjudged (smoke judge)"
    assert case["criteria"]["tone"]["level"] == 3


@pytest.mark.usefixtures("judged")
@pytest.mark.parametrize("change", ["wording", "rubric", "context"])
def test_stale(cli: Cli, change: str) -> None:
    """What was measured with another wording, rubric or context counts for nothing."""
    keep_qualification(FILE, replace(measured(), **({"wording": "0-other"} if change == "wording" else {})))
    if change == "rubric":
        SUITE.write_text(SUITE.read_text().replace("Is it kind?", "Is it very kind?"))
    if change == "context":
        (FOLDER / "judge.md").write_text("We greet in English.")
    assert run(cli) == (0, {"model": "openai:gpt-4o", "qualified": None, **NOTHING}, [STALE])


@pytest.mark.usefixtures("judged")
def test_another_judge(cli: Cli) -> None:
    """A measurement is of one judge: another one is as unmeasured as before."""
    keep_qualification(FILE, measured())
    _, judge, notices = run(cli, "--judge", "openai:gpt-4.1")
    assert (judge["model"], judge["qualified"]) == ("openai:gpt-4.1", None)
    assert notices == [UNMEASURED.replace("gpt-4o", "gpt-4.1")]


@pytest.mark.usefixtures("judged")
def test_recorded_judgements(cli: Cli) -> None:
    """Recorded judgements are nobody to be measured: no remark."""
    cli("run", "-q", "--record", "said.jsonl")
    code, judge, notices = run(cli, "--judge", "replay:said.jsonl")
    assert (code, judge["qualified"], notices) == (0, None, [])


@pytest.mark.usefixtures("judged")
def test_a_damaged_file(cli: Cli) -> None:
    """A file of measurements that is wrong stops the run before anything is called."""
    FILE.write_text("{}")
    result = cli("run", "-q")
    assert result.code == 2
    assert "greeting/qualifications.json" in result.err
    assert "measure again: scaffold qualify SUITE" in result.err
