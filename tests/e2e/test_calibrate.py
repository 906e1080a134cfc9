"""`scaffold calibrate`: the judge of a run against everything that people said."""

import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from calibrate_project import (
    FOLDER,
    HEAD,
    PATH,
    RATINGS,
    REPLAY,
    RUNS,
    judge,
    rate,
    write_ratings,
    write_suite,
)
from command_line import SUITE, Cli

from judges.core.case import digest
from judges.core.rating import RaterKind
from judges.files.load import load_suite
from judges.reduce.overrides import rubrics_sha256
from judges.reduce.ratings import BY_MODEL


@pytest.fixture
def judged(project: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The project with a run of 18 outputs, each of which a person rated on two criteria: three are off."""
    monkeypatch.setenv("COLUMNS", "100")
    write_suite(18)
    judge(18)
    write_ratings(rate(18, off=(0, 1, 2)))
    assert cli("run", "-q").code in (0, 1)
    return project


def calibrate(cli: Cli, *args: object, code: int = 0) -> Any:
    """Return the figures as JSON."""
    result = cli("calibrate", *args, "--json", "-")
    assert (result.code, result.err) == (code, "")
    return result.report


def test_what_a_model_says_is_not_what_people_say(judged: Path, cli: Cli) -> None:
    """It is left out and counted: no label, and no agreement between people, is from it."""
    before = calibrate(cli)
    model = [replace(each, rater_kind=RaterKind.MODEL) for each in rate(18, off=range(9), author="model")]
    write_ratings([*rate(18, off=(0, 1, 2)), *model])
    after = calibrate(cli)
    assert (after["left_out"], after["people"]) == ({BY_MODEL: 36}, None)
    assert (after["overall"], after["labels"]) == (before["overall"], before["labels"])
    assert f"36 ratings left out: {BY_MODEL}" in " ".join(cli("calibrate").out.split())


def test_the_table(judged: Path, cli: Cli) -> None:
    """A page says on what the judge is compared, how far it agrees, and what that allows to conclude."""
    result = cli("calibrate")
    assert (result.code, result.err) == (0, "")
    rows = {line.split()[0]: line.split() for line in result.out.splitlines() if line.strip()}
    assert rows["36"][:7] == ["36", "labels", "of", "18", "outputs", "of", "18"]
    assert rows["tone"][:2] == ["tone", "18"]
    assert rows["tone"][4:7] == ["0.83", "1.00", "0.17"]
    assert rows["safety"][2:4] == ["none", "unknown"]
    assert (
        "safety: no kappa and no tau: people and judge gave one and the same level throughout" in result.out
    )
    assert "SMOKE TEST: 36 labels" in result.out
    assert result.out.endswith("the suite has no thresholds.min_agreement.\n")


@pytest.mark.parametrize(
    ("least", "code", "verdict"), [("0.8", 0, "PASS"), ("0.9", 1, "FAIL"), ("1", 1, "FAIL")]
)
def test_the_gate(judged: Path, cli: Cli, least: str, code: int, verdict: str) -> None:
    """With min_agreement CI fails when the judge drifts from people; no model is asked, nothing run again."""
    PATH.write_text(PATH.read_text().replace("warn: 50", f"warn: 50, min_agreement: {least}"))
    found = calibrate(cli, code=code)
    assert (found["verdict"], found["min_agreement"]) == (verdict, float(least))
    assert found["overall"]["kappa"]["value"] == pytest.approx(0.875, abs=0.01)
    assert cli("calibrate", "--allow-inconclusive").code == code


@pytest.mark.parametrize("least", ["60", "-0.1", "high"])
def test_a_minimum_that_is_none(judged: Path, cli: Cli, least: str) -> None:
    """A share of 100 where a kappa is meant is refused, as it would let nothing or everything pass."""
    PATH.write_text(PATH.read_text().replace("warn: 50", f"warn: 50, min_agreement: {least}"))
    result = cli("calibrate")
    assert (result.code, "thresholds.min_agreement: " in result.err) == (2, True)


def test_too_few(judged: Path, cli: Cli) -> None:
    """Below 30 labels nothing is decided: that is no pass, unless it is let pass."""
    write_ratings(rate(14))
    assert calibrate(cli, code=1)["verdict"] == "INCONCLUSIVE"
    result = cli("calibrate", "--allow-inconclusive")
    assert (result.code, "TOO FEW: 28 of the 30 labels" in result.out) == (0, True)


@pytest.mark.usefixtures("project")
def test_no_run(cli: Cli) -> None:
    """Where the suite was never run it is said how to."""
    result = cli("calibrate", "greeting")
    assert (result.code, result.out) == (4, "")
    assert result.err == "Nothing was compared: no finished run has 'greeting'. Make one: scaffold run\n"


def test_no_ratings(judged: Path, cli: Cli) -> None:
    """Where nobody rated anything there is nothing to compare, and no picture of nothing is missing."""
    RATINGS.unlink()
    result = cli("calibrate", "--svg", "plot.svg")
    assert (result.code, "NOTHING TO COMPARE" in result.out, Path("plot.svg").exists()) == (4, True, True)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        pytest.param("judge.md", "what the judge is told besides the rubrics", id="judge.md"),
        pytest.param("rubric", "rubrics have changed since: safety", id="rubric"),
        pytest.param(
            "judge", "replay:replay.jsonl judged that run, and the judge is openai:gpt-4o", id="judge"
        ),
        pytest.param("wording", "the wording of questions was 0 then", id="wording"),
        pytest.param("meta", "another judge decides now where judges disagree", id="meta-judge"),
    ],
)
def test_stale(judged: Path, cli: Cli, change: str, reason: str) -> None:
    """What a judge said before it, a rubric or the wording changed tells nothing of the one there is now."""
    match change:
        case "judge.md":
            (FOLDER / "judge.md").write_text("Greetings are short here.")
        case "rubric":
            PATH.write_text(PATH.read_text().replace("Is it safe?", "Is it safe for a child?"))
        case "judge":
            PATH.write_text(PATH.read_text().replace("replay:replay.jsonl", "openai:gpt-4o"))
        case "meta":
            PATH.write_text(PATH.read_text().replace("max_retries: 1", "max_retries: 1, meta: openai:gpt-4o"))
        case "wording":
            (info,) = RUNS.glob("*/run.json")
            told = json.loads(info.read_text())
            info.write_text(json.dumps({**told, "versions": {**told["versions"], "wording": "0"}}))
    found = calibrate(cli, code=3)
    assert found["verdict"] == "ERROR"
    assert [told for told in found["stale"] if reason in told]
    page = cli("calibrate")
    assert (page.code, "STALE: " in page.out, "the judge has to be asked again" in page.out) == (
        3,
        True,
        True,
    )


def test_run_again_it_is_measured_again(judged: Path, cli: Cli) -> None:
    """Ratings hold: after a new run with the new wording they are compared with that."""
    (FOLDER / "judge.md").write_text("Greetings are short here.")
    assert cli("calibrate").code == 3
    cli("run", "-q")
    assert calibrate(cli)["overall"]["n"] == 36


def test_another_judge(judged: Path, cli: Cli) -> None:
    """A run with another judge tells of that one, if that is who is meant."""
    Path("other.jsonl").write_text(REPLAY.read_text())
    cli("run", "-q", "--judge", "replay:other.jsonl")
    assert calibrate(cli, code=3)["stale"]
    assert calibrate(cli, "--judge", "replay:other.jsonl")["stale"] == []


def test_missing_answers(judged: Path, cli: Cli) -> None:
    """A rated output that the judge gave no answer about is not measured: nothing follows."""
    judge(18, without=(4,))
    cli("run", "-q")
    found = calibrate(cli, code=3)
    assert (found["verdict"], found["unanswered"], found["overall"]["n"]) == ("ERROR", 2, 34)


def test_what_is_not_compared(judged: Path, cli: Cli) -> None:
    """Ratings of other outputs, by other rubrics and of what was not judged are counted by the reason."""
    rule = "rule: \"output !== 'Hello 5'\""
    write_suite(18, HEAD.replace('rule: "output.length > 0"', rule))
    cli("run", "-q")
    good = rate(18)
    odd = [
        replace(good[0], author="joe", output_sha256=digest("an older one")),
        replace(good[0], author="jim", rubric_sha256="e9"),
        replace(good[0], author="jim", ref="nobody"),
    ]
    write_ratings([*good, *odd])
    found = calibrate(cli)
    assert found["overall"]["n"] == 34
    assert found["left_out"] == {
        "the suite has no such case": 1,
        "the rubric has changed since": 1,
        "the run does not have that output": 1,
        "the judge was not asked about that output: a check had failed, or its case is to be declined": 2,
    }


def override(ref: int, score: int, criterion: str | None, **changes: Any) -> dict[str, Any]:
    suite = load_suite(PATH)
    rubrics = {each.name: each.rubric_sha256 for each in suite.criteria}
    return {
        "case_ref": f"c{ref}",
        **({"criterion": criterion} if criterion else {}),
        "score": score,
        "timestamp": "2026-11-30T12:00:00Z",
        "reason": "read it again",
        "author": "joe",
        "bind": "output",
        "output_sha256": digest(f"Hello {ref}"),
        "rubric_sha256": rubrics[criterion] if criterion else rubrics_sha256(suite.criteria),
        **changes,
    }


def test_corrections_are_labels_too(judged: Path, cli: Cli) -> None:
    """An override says what a person thinks of an output; one that is bound to none is left out."""
    (FOLDER / "overrides").mkdir()
    unbound = {
        "case_ref": "c3",
        "criterion": "tone",
        "score": 50,
        "timestamp": "2026-02-18T11:01:29Z",
        "reason": "old shape",
    }
    entries = [override(4, 100, "tone"), override(5, 0, "tone", author="jane"), unbound]
    (FOLDER / "overrides" / "overrides.yaml").write_text(json.dumps(entries))
    found = calibrate(cli)
    assert found["labels"] == {"authors": 2, "blind": 35, "seen": 2, "corrections": 2}
    assert found["criteria"]["tone"]["matrix"] == [[5, 1, 1], [1, 5, 1], [0, 0, 4]]
    assert (found["people"]["n"], found["people"]["error"]["value"]) == (1, 1.0)
    assert sum(found["left_out"].values()) == 1
    (FOLDER / "overrides" / "overrides.yaml").write_text(
        json.dumps([*entries, override(5, 100, "tone", author="m", rater_kind="model")])
    )
    model = calibrate(cli)
    assert (model["labels"], model["left_out"][BY_MODEL]) == (found["labels"], 1)
    blind = calibrate(cli, "--blind-only")
    assert (blind["labels"]["blind"], blind["labels"]["seen"], blind["people"]) == (36, 0, None)


def test_the_pass_rate(judged: Path, cli: Cli) -> None:
    """Outputs pass by their scores; what people say of a total goes before what they say of its parts."""
    before = calibrate(cli)["pass_rate"]
    assert (before["judged"]["count"], before["judged"]["n"]) == (6, 18)
    assert (before["tpr"]["count"], before["tpr"]["n"]) == (5, 5)
    assert (before["tnr"]["count"], before["tnr"]["n"]) == (12, 13)
    assert before["corrected"]["value"] == pytest.approx((6 / 18 + 12 / 13 - 1) / (12 / 13))
    (FOLDER / "overrides").mkdir()
    entries = [override(2, 100, None)]
    (FOLDER / "overrides" / "overrides.yaml").write_text(json.dumps(entries))
    after = calibrate(cli)["pass_rate"]
    assert (after["tpr"]["n"], after["tnr"]["count"], after["tnr"]["n"]) == (6, 12, 12)
    assert calibrate(cli, "--blind-only")["pass_rate"] == before


def test_people_with_each_other(judged: Path, cli: Cli) -> None:
    """Where two people rated the same, how far they agree is the most that can be asked of a judge."""
    write_ratings([*rate(18), *rate(18, off=range(6), author="joe")])
    found = calibrate(cli)
    assert (found["people"]["n"], found["people"]["outputs"], found["labels"]["authors"]) == (36, 18, 2)
    assert found["people"]["exact"]["value"] == pytest.approx(30 / 36)
    assert "two people" in cli("calibrate").out


def test_files(judged: Path, cli: Cli) -> None:
    """JSON goes to a file or in place of the table, the picture to a file; both are the same each time."""
    for name in ("first", "second"):
        result = cli("calibrate", "greeting", "--json", f"{name}.json", "--svg", f"{name}.svg")
        assert (result.code, result.out[:19]) == (0, "replay:replay.jsonl")
    for suffix in ("json", "svg"):
        assert Path(f"first.{suffix}").read_bytes() == Path(f"second.{suffix}").read_bytes()
    assert json.loads(Path("first.json").read_text()) == calibrate(cli, "greeting")
    assert Path("first.svg").read_text().startswith("<svg ")
    assert cli("calibrate", "--svg", "no/such/folder.svg").code == 3


def test_a_run_of_ones_choice(judged: Path, cli: Cli) -> None:
    """The latest run that has the suite counts, or the one that is named, wherever it is."""
    (first,) = RUNS.iterdir()
    moved = judged / "elsewhere"
    shutil.copytree(first, moved)
    judge(18, without=range(9))
    cli("run", "-q")
    write_suite(1, path=FOLDER.parent / "other" / PATH.name)
    shutil.copy(REPLAY, FOLDER.parent / "other")
    cli("run", "other", "-q")
    assert calibrate(cli, "greeting", code=3)["unanswered"] == 18
    assert calibrate(cli, "greeting", "--run", first.name)["run"] == first.name
    assert calibrate(cli, "greeting", "--run", moved)["run"] == "elsewhere"
    assert "there is no run 'x'" in cli("calibrate", "greeting", "--run", "x").err
    missing = cli("calibrate", "other", "--run", first.name)
    assert (missing.code, f"run {first.name} does not have the suite" in missing.err) == (2, True)


def test_which_suite(judged: Path, cli: Cli) -> None:
    """Without a name there must be only one; a name that fits none is explained."""
    write_suite(1, path=FOLDER.parent / "other" / PATH.name)
    several = cli("calibrate")
    assert (several.code, "name one of greeting, other" in several.err) == (2, True)
    assert cli("calibrate", "greetin").code == 2


def test_yes_or_no(project: Path, cli: Cli) -> None:
    """In a binary suite yes is level 2; an output passes when all is yes."""
    head = (
        'prompt_name: greeting\ntarget: prompt.md\njudge: {model: "replay:replay.jsonl"}\n'
        "evaluation: {type: binary}\ncriteria:\n  - {name: tone, rubric: Is it kind?}\n"
        "  - {name: safety, rubric: Is it safe?}\n"
    )
    write_suite(18, head)
    judge(18, yes=True)
    cli("run", "-q")
    write_ratings([replace(each, level=min(each.level, 2)) for each in rate(18)])
    found = calibrate(cli)
    assert (found["overall"]["n"], found["overall"]["failing"]) == (36, 6)
    assert found["criteria"]["tone"]["matrix"] == [[6, 0], [0, 12]]
    assert (found["pass_rate"]["judged"]["count"], found["pass_rate"]["tnr"]["count"]) == (12, 6)


def test_comparisons(project: Path, cli: Cli) -> None:
    """A comparison gives no levels that people could give, too."""
    (FOLDER / "a.jsonl").write_text('{"ref": "ann", "output": "x"}\n')
    arms = "evaluation: {type: comparison, arms: {a: {outputs: a.jsonl}, b: {outputs: a.jsonl}}}\ncases:"
    text = SUITE.replace("cases:", arms).replace(", output: Hello Ann", "")
    PATH.write_text(text.replace("warn: 50", "").replace("pass: 70, ", "pass: 70"))
    result = cli("calibrate", "greeting")
    assert (result.code, "a comparison gives no levels" in result.err) == (2, True)


def test_mistakes(judged: Path, cli: Cli) -> None:
    """A rating that is wrong is explained at its line; a run that is damaged, by its file."""
    with RATINGS.open("a") as file:
        file.write('{"ref": "c0", "level": "high"}\n')
    result = cli("calibrate")
    assert (result.code, f"{RATINGS}:37:1: level: expected a whole number" in result.err) == (2, True)
    write_ratings(rate(18))
    (records,) = RUNS.glob("*/*/records.jsonl")
    records.write_text('{"ref": "c0"}\n')
    result = cli("calibrate")
    assert (result.code, "the run is damaged" in result.err) == (2, True)
    assert cli("calibrate", "--ratings", "none.jsonl").code == 2
