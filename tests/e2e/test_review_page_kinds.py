"""Runs of every kind on the review page: fixtures, grids, yes or no, two arms, an accepted run."""

import json
import re
from pathlib import Path

import pytest
from command_line import Cli
from fixture_project import Write
from flask.testing import FlaskClient
from grid_project import by_rules
from labelling import Models
from reviewed import build_pages, open_session, run_suite

from scaffold.review.web.app import build_app
from scaffold.review.web.filters import parse_filters
from scaffold.review.web.gate import Gate

HERE = "http://127.0.0.1:8000"
CASES = (
    {"title": "One", "output": "53 kind", "expected_behavior": "greets", "reference": "Dear Ann"},
    {"title": "Two", "output": "11 rude"},
)


def open_page(run: Path) -> FlaskClient:
    """A browser that is at the page of a run."""
    client = build_app(build_pages(open_session(run)), Gate("127.0.0.1", 8000, "secret")).test_client()
    client.get("/?token=secret", base_url=HERE)
    return client


def look(client: FlaskClient, path: str) -> str:
    """What a page shows, without its elements."""
    answer = client.get(path, base_url=HERE)
    assert answer.status_code == 200, answer.get_data(as_text=True)
    return " ".join(re.sub(r"<[^>]*>", " ", answer.get_data(as_text=True)).split())


@pytest.mark.usefixtures("scripted_claude")
def test_a_fixture(cli: Cli, fixtures: Write, tmp_path: Path) -> None:
    """Its rows and what the session said are shown; there is nothing to rate or to correct."""
    fixtures("say STATUS: OK | say STATUS: BAD | say STATUS: OK", runs=3)
    cli("bench", "--live", "--quiet")
    (run,) = (tmp_path / ".omniscitus/runs").iterdir()
    said = look(open_page(run), "/item/demo/0?every=1")
    assert "result.must_match" in said
    assert "Only results of prompt suites can be rated or corrected." in said
    assert "Set the score" not in said


@pytest.mark.usefixtures("triage")
def test_a_grid(cli: Cli, models: Models, tmp_path: Path) -> None:
    """A cell is shown with its repeats' rows."""
    models(by_rules)
    cli("run", "triage", "--yes", "--quiet")
    (run,) = (tmp_path / ".omniscitus/runs").iterdir()
    said = look(open_page(run), "/item/triage/0?every=1")
    assert "measure[0]" in said
    assert "Only results of prompt suites can be rated or corrected." in said


@pytest.mark.usefixtures("triage", "scripted_claude")
def test_words_of_what_is_made_of_several_trials(
    cli: Cli, models: Models, fixtures: Write, tmp_path: Path
) -> None:
    """What is shown of a cell or a fixture is found: its input, too."""
    models(by_rules)
    fixtures("say STATUS: OK | say STATUS: BAD", runs=2)
    cli("run", "--live", "--yes", "--quiet")
    (run,) = (tmp_path / ".omniscitus/runs").iterdir()
    listing = build_pages(open_session(run)).listing

    def found(words: str) -> list[str]:
        chosen = {each.item.ref for each in listing.choose(parse_filters({"text": words, "every": "1"}))}
        listed = cli("review", "list", "--json", "--sample", "100%", "--find", words).report["items"]
        assert {item["ref"] for item in listed} == chosen
        return sorted(chosen)

    assert found("became slow") == [
        f"{arm}/{model}/slow"
        for arm in ("baseline", "skill")
        for model in ("anthropic:claude-haiku-4-5", "openai:gpt-4o-mini")
    ]
    assert found('"say STATUS: OK | say"') == ["demo"]
    assert found("became slow demo") == []


def test_reference_and_expectation(tmp_path: Path) -> None:
    """What the case expects is beside the output."""
    said = look(open_page(run_suite(tmp_path, CASES)), "/item/greeting/0")
    assert "Expected behavior greets Reference Dear Ann" in said


def test_yes_or_no(tmp_path: Path) -> None:
    """The levels of a criterion are that it holds, and that it does not."""
    run = run_suite(tmp_path, CASES, evaluation={"type": "binary"})
    client = open_page(run)
    assert "2 it holds 1 it does not hold" in look(client, "/item/greeting/0")
    headers = {"Origin": HERE}
    client.post("/item/greeting/0/show", base_url=HERE, json={}, headers=headers)
    assert "2 it holds judge 1 it does not hold" in look(client, "/item/greeting/0")


def test_two_arms(tmp_path: Path) -> None:
    """Both outputs stand side by side, under the names of their arms, with what the judge prefers."""
    suite = tmp_path / ".omniscitus/tests/greeting"
    suite.mkdir(parents=True)
    for arm in ("a", "b"):
        lines = (json.dumps({"ref": ref, "output": f"{arm} says {ref}"}) for ref in ("one", "two"))
        (suite / f"{arm}.jsonl").write_text("\n".join(lines))
    arms = {arm: {"outputs": f"{arm}.jsonl"} for arm in ("a", "b")}
    cases = [{"title": "One"}, {"title": "Two"}]
    run = run_suite(tmp_path, cases, evaluation={"type": "comparison", "arms": arms}, thresholds={"pass": 50})
    said = look(open_page(run), "/item/greeting/0?every=1")
    assert "Output of a a says one Output of b b says one" in said
    assert "criteria.tone" in said
    assert "Set the score" in said


def test_an_accepted_run(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The accepted output stands beside the one of now."""
    regression = {"type": "regression"}
    first = run_suite(tmp_path, CASES, evaluation=regression)
    monkeypatch.chdir(tmp_path)
    assert cli("baseline", "accept", first).code == 0
    changed = [{**CASES[0], "output": "43 kinder"}, CASES[1]]
    run = run_suite(tmp_path, changed, evaluation=regression)
    said = look(open_page(run), "/item/greeting/0?every=1")
    assert "Output 43 kinder Output of the baseline 53 kind" in said
