"""`scaffold qualify`: a judge against people's ratings."""

import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from command_line import Cli, levels
from loopback import Loopback, Reply, openai_error, openai_text

from judges.core.case import digest
from judges.core.rating import RaterKind, Rating
from judges.files.load import load_suite
from judges.files.ratings import read_ratings, render_rating
from judges.reduce.ratings import BY_MODEL

FOLDER = Path(".omniscitus/tests/prompts/greeting")
SUITE, RATINGS, KEPT = (
    FOLDER / name for name in ("prompt-meta.yaml", "ratings.jsonl", "qualifications.json")
)
WORDS = {1: "rude", 2: "short", 3: "kind"}


def judge_by_word(body: Any) -> Reply:
    """A judge that sees what people see: the word that an output begins with."""
    output = body["messages"][1]["content"].rpartition('name="output">\n')[2]
    level = next(level for level, word in WORDS.items() if output.startswith(word))
    return openai_text(json.dumps(levels(level, 2)))


def judge_contrary(body: Any) -> Reply:
    """A judge that likes what people do not."""
    reply = json.loads(judge_by_word(body).body["choices"][0]["message"]["content"])
    return openai_text(json.dumps(levels(4 - reply["criteria.tone"]["answer"], 2)))


def write_cases(count: int, *, recorded: bool = True) -> list[str]:
    """Give the suite this many cases, and return their outputs: rude, short and kind in turn."""
    outputs = [f"{WORDS[1 + number % 3]} {number}" for number in range(count)]
    head, _, _ = SUITE.read_text().partition("cases:")
    cases = "".join(
        f"  - {{title: c{number}, input: {{name: n{number}}}{f', output: {output}' if recorded else ''}}}\n"
        for number, output in enumerate(outputs)
    )
    SUITE.write_text(f"{head}cases:\n{cases}")
    return outputs


def rate(outputs: Sequence[str]) -> list[Rating]:
    """What a person says of the tone of these outputs."""
    rubrics = {each.name: each.rubric_sha256 for each in load_suite(SUITE).criteria}
    return [
        Rating(
            ref=f"c{number}",
            criterion="tone",
            level=next(level for level, word in WORDS.items() if output.startswith(word)),
            output_sha256=digest(output),
            rubric_sha256=rubrics["tone"],
            author="jane@example.com",
            timestamp=datetime(2026, 11, 30, tzinfo=UTC),
            blind=True,
        )
        for number, output in enumerate(outputs)
    ]


def write_ratings(ratings: Sequence[Rating], path: Path = RATINGS) -> None:
    path.write_text("".join(render_rating(rating) + "\n" for rating in ratings))


@pytest.fixture
def rated(project: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The project, with 30 rated outputs, on a terminal that is wide enough for the table."""
    monkeypatch.setenv("COLUMNS", "100")
    write_ratings(rate(write_cases(30)))
    return project


@pytest.mark.usefixtures("rated")
def test_a_good_judge(cli: Cli, play_openai: Loopback) -> None:
    """A judge that orders outputs as people do is qualified; the run then says so and has no remark."""
    server = play_openai(judge_by_word)
    result = cli("qualify", "greeting")
    assert (result.code, result.err, len(server.requests)) == (0, "", 30)
    assert "openai:gpt-4o and people, on 30 outputs of 30 cases" in result.out
    assert "accuracy 1.00 over 300 pairs (95 % interval: 0.89 to 1.00; chance: 0.5)" in result.out
    row = next(line for line in result.out.splitlines() if line.startswith("tone"))
    assert row.split() == ["tone", "30", "300", "1.00", "1.00", "0.00", "+0.00", "0.33"]
    assert "QUALIFIED: openai:gpt-4o orders outputs as people do, better than chance." in result.out
    assert result.out.endswith(f"Kept in {KEPT}\n")
    suite = cli("run", "-q", "--json", "-").report["suites"][0]
    figures = {"n": 30, "accuracy": 1.0, "low": pytest.approx(0.886, abs=1e-3), "high": 1.0}
    assert suite["judge"] == {"model": "openai:gpt-4o", "qualified": True, **figures}
    assert not [notice for notice in suite["notices"] if "judge openai" in notice["text"]]
    assert len(server.requests) == 30  # the run asked nothing anew


@pytest.mark.usefixtures("rated")
def test_a_model_qualifies_no_judge(cli: Cli, play_openai: Loopback) -> None:
    """What a model rated is left out and counted: alone nobody is asked, beside people nothing changes."""
    server = play_openai(judge_by_word)
    people = read_ratings(RATINGS)
    model = [replace(each, author="model", level=3, rater_kind=RaterKind.MODEL) for each in people]
    write_ratings(model)
    alone = cli("qualify", "greeting")
    assert (alone.code, server.requests, KEPT.exists()) == (4, [], False)
    assert f"30 left out: {BY_MODEL}\n" in alone.err
    write_ratings([*people, *model])
    both = cli("qualify", "greeting", "--json")
    assert (both.code, both.report["accuracy"], both.report["left_out"]) == (0, 1.0, {BY_MODEL: 30})
    assert f"30 ratings left out: {BY_MODEL}" in " ".join(cli("qualify", "greeting").out.split())


@pytest.mark.usefixtures("rated")
def test_a_smoke_judge(cli: Cli, play_openai: Loopback) -> None:
    """A judge that is no better than chance is a smoke judge: runs show its levels and decide nothing."""
    play_openai(judge_contrary)
    result = cli("qualify", "greeting")
    assert result.code == 1
    assert "accuracy 0.00 over 300 pairs (95 % interval: 0.00 to 0.11; chance: 0.5)" in result.out
    assert "SMOKE JUDGE: openai:gpt-4o is no better than chance." in result.out
    run = cli("run", "-q", "--json", "-")
    (suite,) = run.report["suites"]
    assert (run.code, suite["judge"]["qualified"], suite["totals"]["errored"]) == (3, False, 30)


def test_too_few(cli: Cli, project: Path, play_openai: Loopback) -> None:
    """With fewer than 30 rated outputs the figures are shown, and nothing changes."""
    write_ratings(rate(write_cases(29)))
    play_openai(judge_contrary)
    result = cli("qualify", "greeting")
    assert (result.code, KEPT.exists()) == (4, False)
    assert "TOO FEW ratings to tell: it takes 30 rated outputs. Nothing changes." in result.out
    assert "accuracy 0.00 over 280 pairs" in result.out
    assert cli("run", "-q", "--json", "-").report["suites"][0]["judge"]["qualified"] is None


def test_ratings_that_do_not_differ(cli: Cli, project: Path, play_openai: Loopback) -> None:
    """Where people put everything on one level there is nothing to order."""
    write_ratings([replace(rating, level=2) for rating in rate(write_cases(30))])
    play_openai(judge_by_word)
    result = cli("qualify", "greeting")
    assert (result.code, KEPT.exists()) == (4, False)
    assert "No two outputs were put on different levels of a criterion" in result.out
    assert "TOO FEW ratings to tell: the ratings hardly differ." in result.out


@pytest.mark.usefixtures("project")
def test_no_ratings(cli: Cli) -> None:
    """Where nobody has rated anything it is said where ratings belong; no key is needed."""
    result = cli("qualify", "greeting")
    assert (result.code, result.out) == (4, "")
    assert result.err == f"Nothing was measured: no rating counts. People's ratings are lines of {RATINGS}\n"


@pytest.mark.usefixtures("rated")
def test_what_does_not_count(cli: Cli, play_openai: Loopback) -> None:
    """Ratings of something else, or that are not blind, are left out and told."""
    good = rate(write_cases(30))
    more = [
        replace(good[0], author="joe", blind=False),
        replace(good[1], author="joe", rubric_sha256="e9"),
        replace(good[2], author="joe", output_sha256=digest("gone")),
        replace(good[3], ref="nobody"),
    ]
    write_ratings([*good, *more])
    play_openai(judge_by_word)
    result = cli("qualify", "greeting")
    assert result.code == 0
    for reason in (
        "not blind: whoever gave it had seen what a judge said",
        "the rubric has changed since",
        "the output is neither in the suite nor in a run",
        "the suite has no such case",
    ):
        assert f"1 rating left out: {reason}" in result.out


def test_outputs_of_earlier_runs(cli: Cli, project: Path, play_openai: Loopback) -> None:
    """Outputs that a model made are found in the runs that people have rated, and answers in the cache."""
    write_cases(30, recorded=False)

    def both(body: Any) -> Reply:
        if "response_format" in body:
            return judge_by_word(body)
        number = int(body["messages"][0]["content"].removeprefix("Greet n").rstrip("."))
        return openai_text(f"{WORDS[1 + number % 3]} {number}")

    server = play_openai(both)
    outputs = [case["output"] for case in cli("run", "-q", "--json", "-").report["suites"][0]["cases"]]
    asked = len(server.requests)
    write_ratings(rate(outputs))
    result = cli("qualify", "greeting")
    assert (result.code, len(server.requests)) == (0, asked)
    assert "0 calls, 30 from the cache" in result.out


@pytest.mark.usefixtures("rated")
def test_answers_that_are_missing(cli: Cli, play_openai: Loopback) -> None:
    """While the judge has not answered about all outputs nothing follows; asked again, the rest is cached."""
    broken = True

    def reply(body: Any) -> Reply:
        failing = broken and "n7" in body["messages"][1]["content"]
        return openai_error(400, "no") if failing else judge_by_word(body)

    server = play_openai(reply)
    result = cli("qualify", "greeting")
    assert (result.code, KEPT.exists()) == (3, False)
    assert "1 output not judged: " in result.out
    assert "Nothing follows while outputs are not judged." in result.out
    broken, asked = False, len(server.requests)
    assert (cli("qualify", "greeting").code, len(server.requests)) == (0, asked + 1)


@pytest.mark.usefixtures("rated")
def test_json(cli: Cli, play_openai: Loopback) -> None:
    """The figures as JSON, alone on standard output."""
    play_openai(judge_by_word)
    result = cli("qualify", "greeting", "--json")
    told = json.loads(result.out)
    assert (result.code, result.err) == (0, f"Kept in {KEPT}\n")
    assert (told["judge"], told["standing"]) == ("openai:gpt-4o", "qualified")
    assert (told["n"], told["cases"], told["pairs"], told["accuracy"]) == (30, 30, 300, 1.0)
    assert told["interval"] == [pytest.approx(0.886, abs=1e-3), 1.0]
    assert told["criteria"]["tone"]["kappa"] == 1.0
    assert (told["left_out"], told["unanswered"], told["usage"]["calls"]) == ({}, {}, 30)


@pytest.mark.usefixtures("rated")
def test_another_judge_and_file(cli: Cli, play_openai: Loopback) -> None:
    """Another judge is measured for itself; ratings may be in any file."""
    play_openai(judge_by_word)
    RATINGS.rename("mine.jsonl")
    assert cli("qualify", "greeting", "--judge", "openai:gpt-4.1", "--ratings", "mine.jsonl").code == 0
    assert [each["judge"] for each in json.loads(KEPT.read_text())["judges"]] == ["openai:gpt-4.1"]
    assert cli("qualify", "greeting", "--ratings", "none.jsonl").code == 2


@pytest.mark.usefixtures("rated")
def test_recorded_judgements(cli: Cli, play_openai: Loopback) -> None:
    """Recorded judgements can be measured, without a call; nothing is kept of them."""
    server = play_openai(judge_by_word)
    cli("run", "-q", "--record", "said.jsonl")
    asked = len(server.requests)
    result = cli("qualify", "greeting", "--judge", "replay:said.jsonl")
    assert (result.code, len(server.requests), KEPT.exists()) == (0, asked, False)
    assert "accuracy 1.00 over 300 pairs" in result.out


def test_yes_or_no(cli: Cli, project: Path, play_openai: Loopback) -> None:
    """In a binary suite level 2 is yes; a judge of it is measured in the same way."""
    text = SUITE.read_text().replace("    scale: 3\n", "").replace("    weight: 0.75\n", "")
    text = text.replace("    scale: 2\n", "").replace("    weight: 0.25\n", "")
    text = text.replace("thresholds: {pass: 70, warn: 50}", "evaluation: {type: binary}")
    SUITE.write_text(
        "\n".join(line for line in text.split("\n") if not line.startswith("      ") or "?" in line)
    )
    ratings = rate(write_cases(30))
    write_ratings([replace(rating, level=2 if rating.level == 3 else 1) for rating in ratings])

    def yes_or_no(body: Any) -> Reply:
        said = json.loads(judge_by_word(body).body["choices"][0]["message"]["content"])
        answer = "YES" if said["criteria.tone"]["answer"] == 3 else "NO"
        return openai_text(json.dumps({name: {**each, "answer": answer} for name, each in said.items()}))

    play_openai(yes_or_no)
    result = cli("qualify", "greeting")
    assert result.code == 0
    assert "accuracy 1.00 over 200 pairs" in result.out


def test_comparisons(cli: Cli, project: Path) -> None:
    """A comparison gives no levels: there is nothing to be measured."""
    (FOLDER / "a.jsonl").write_text('{"ref": "ann", "output": "x"}\n')
    arms = "evaluation: {type: comparison, arms: {a: {outputs: a.jsonl}, b: {outputs: a.jsonl}}}\ncases:"
    text = SUITE.read_text().replace("cases:", arms).replace(", output: Hello Ann", "")
    SUITE.write_text(text.replace("warn: 50", "").replace("pass: 70, ", "pass: 70"))
    result = cli("qualify", "greeting")
    assert (result.code, "a comparison gives no levels" in result.err) == (2, True)


@pytest.mark.usefixtures("rated")
def test_mistakes(cli: Cli) -> None:
    """A rating that is wrong is explained at its line, before anything is asked."""
    with RATINGS.open("a") as file:
        file.write('{"ref": "c0", "level": "high"}\n')
    result = cli("qualify", "greeting")
    assert result.code == 2
    assert f"{RATINGS}:31:1: level: expected a whole number, found 'high'" in result.err
