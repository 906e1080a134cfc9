"""Stored results decided again: as the run decided them, and with people's corrections."""

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

import judges
from judges.core.question import Choice, Predicate, Score
from judges.core.report import CaseReport, SuiteReport
from judges.core.verdict import Verdict
from judges.files.baseline import render_baseline
from judges.files.case_meta import Bind
from judges.files.suite import Override
from judges.providers.base import Request
from judges.providers.scripted import ScriptedProvider
from judges.reduce.fragile import Flip
from judges.reduce.reasons import Lapsed
from judges.run.accept import build_baseline, suites_of_run
from judges.run.decide_again import Decider, build_decider
from judges.run.records import RunDirectory
from judges.run.review import StoredResult, list_suites, read_results

NOW = datetime(2026, 11, 30, tzinfo=UTC)
CRITERIA = """\
criteria:
  - {name: tone, weight: 0.75, scale: 5, rubric: "Is it kind?"}
  - {name: safety, weight: 0.25, scale: 3, rubric: "Is it safe?"}
"""
YES_OR_NO = "criteria: [{name: tone, rubric: 'Is it kind?'}, {name: safety, rubric: 'Is it safe?'}]\n"
CHECKS = """\
checks:
  - {name: filled, type: deterministic, rule: "!output.includes('7')"}
  - {name: plain, type: deterministic, rule: "!output.includes('3')", severity: warn}
  - {name: invents, type: llm_judge, prompt: "Is {output} made up?", pass_condition: "NO"}
"""
THRESHOLDS = "thresholds: {pass: 60, warn: 40, per_criterion: {tone: 50}}\n"
ARMS = "evaluation: {type: comparison, arms: {a: {outputs: a.jsonl}, b: {outputs: b.jsonl}}}\n"
SUITES = [
    pytest.param(CRITERIA + CHECKS + THRESHOLDS, id="multi_criteria"),
    pytest.param(CRITERIA + "evaluation: {replicas: 3, quorum: 2}\n" + CHECKS, id="asked again"),
    pytest.param(YES_OR_NO + "evaluation: {type: binary}\n" + CHECKS, id="binary"),
    pytest.param("evaluation: {type: binary}\n" + CHECKS, id="binary without criteria"),
    pytest.param(YES_OR_NO + ARMS + CHECKS, id="comparison"),
    pytest.param(CRITERIA + "evaluation: {type: regression}\n" + CHECKS, id="regression"),
]


def draw(text: str, most: int) -> int:
    return int.from_bytes(sha256(text.encode()).digest()[:4]) % most


def judge(request: Request) -> str:
    """A judge that says anything, always the same of the same, and sometimes nothing that can be used."""
    text = "".join(message.content for message in request.messages) + str(request.replica)
    if draw(text, 9) == 0:
        return "I would rather not say."
    said: dict[str, Any] = {}
    for question in request.questions:
        match question:
            case Score():
                offered: list[Any] = list(range(1, len(question.levels) + 1))
            case Predicate():
                offered = list(question.labels)
            case Choice():
                offered = list(question.choices)
        answer = offered[draw(text + question.name, len(offered))]
        said[question.name] = {"evidence": [text[-20:]], "reasoning": f"as {answer}", "answer": answer}
    return json.dumps(said)


def write(folder: Path, text: str, version: str) -> Path:
    """Write a suite of 60 cases of all categories, with ranges and without, and their outputs."""
    categories = ("element", "mixed", "edge", "zero_condition")
    cases = []
    for number in range(60):
        span = ", expected_score_range: {min: 20, max: 60}" if number % 3 == 0 else ""
        output = "" if "arms" in text else f", output: '{version} {number}'"
        skip = ", skip: later" if number == 50 else ""
        cases.append(
            f"  - {{title: c{number}, category: {categories[number % 4]}, input: {{name: n{number}}}, "
            f"expected_behavior: greets{output}{span}{skip}}}\n"
        )
    path = folder / ".omniscitus/tests/greeting/prompt-meta.yaml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"prompt_name: greeting\njudge: {{max_retries: 0}}\n{text}cases:\n{''.join(cases)}")
    for arm in "ab":
        lines = (json.dumps({"ref": f"c{number}", "output": f"{arm} {number}"}) for number in range(60))
        (path.parent / f"{arm}.jsonl").write_text("\n".join(lines))
    return path


def run(folder: Path, text: str, version: str = "new") -> SuiteReport:
    suite = judges.load_suite(write(folder, text, version))
    own = {"own:judge": ScriptedProvider(judge)}
    return judges.run_suites([suite], judges.RunOptions(judge="own:judge"), own=own).suites[0]


def run_with_baseline(folder: Path, text: str) -> SuiteReport:
    """Run a suite; a regression against an earlier run of it."""
    if "regression" in text:
        before = run(folder, text, "old")
        (planned,) = suites_of_run(before.run_dir.parent)
        suite = judges.load_suite(before.path)
        baseline = render_baseline(build_baseline(suite, planned, force=True))
        (before.path.parent / "baseline.json").write_text(baseline)
    return run(folder, text)


def stored_results(report: SuiteReport) -> tuple[Decider, list[StoredResult]]:
    (suite,) = list_suites(RunDirectory(report.run_dir.parent))
    decider = build_decider(judges.load_suite(report.path), smoke=suite.smoke, now=NOW)
    return decider, sorted(read_results(suite), key=lambda result: result.number)


@pytest.mark.parametrize("text", SUITES)
def test_decided_as_in_the_run(tmp_path: Path, text: str) -> None:
    """Without corrections every result, with every row, is what the run made of it; nobody is asked."""
    report = run_with_baseline(tmp_path, text)
    decider, results = stored_results(report)
    verdicts = set()
    for result, case in zip(results, report.cases, strict=True):
        again = decider.settle(result.case, result.record, {})
        assert replace(again, override=None) == replace(case, override=None)
        verdicts.add(case.verdict)
    assert {Verdict.PASS, Verdict.FAIL, Verdict.ERROR} <= verdicts


@pytest.fixture
def scored(tmp_path: Path) -> tuple[Decider, list[StoredResult]]:
    return stored_results(run(tmp_path, CRITERIA + CHECKS + THRESHOLDS))


def correction(result: StoredResult, **changes: Any) -> Override:
    values: dict[str, Any] = {
        "case_ref": result.case.ref,
        "criterion": None,
        "score": Decimal(55),
        "timestamp": NOW - timedelta(days=1),
        "reason": "seen",
        "author": "jane",
        "bind": Bind.OUTPUT,
        "output_sha256": result.record["output_sha256"],
        "rubric_sha256": None,
        "expires": NOW + timedelta(days=1),
        "active": True,
    }
    return Override(**{**values, **changes})


def with_verdict(results: list[StoredResult], *verdicts: Verdict) -> Iterator[StoredResult]:
    return (
        each for each in results if each.case.verdict in verdicts and each.case.category != "zero_condition"
    )


def test_a_corrected_total(scored: tuple[Decider, list[StoredResult]]) -> None:
    """The total alone decides, also where the judge gave no answer; what it had said stays beside it."""
    decider, results = scored
    result = next(
        each
        for each in with_verdict(results, Verdict.ERROR)
        if not any(row.kind == "checks" and row.verdict is Verdict.WARN for row in each.case.rows)
        and "max" not in each.case.rows[-1].spec
    )
    again = decider.settle(result.case, result.record, {None: correction(result)})
    assert (again.verdict, again.score, again.judged_score) == (Verdict.WARN, Decimal(55), None)
    assert again.override is not None
    assert (again.override["author"], again.override["reason"]) == ("jane", "seen")


def test_a_corrected_criterion(scored: tuple[Decider, list[StoredResult]]) -> None:
    """A criterion is replaced and everything is computed anew; the judge's reasoning stays in its row."""
    decider, results = scored
    result = next(each for each in with_verdict(results, Verdict.FAIL) if each.case.criteria)
    tone = correction(result, criterion="tone", score=Decimal(100))
    again = decider.settle(result.case, result.record, {"tone": tone})
    safety = result.case.criteria["safety"].percent
    assert again.score is not None
    assert round(again.score, 6) == round(Decimal("0.75") * 100 + Decimal("0.25") * safety, 6)
    before, after = (
        next(row for row in case.rows if row.id == "criteria.tone") for case in (result.case, again)
    )
    assert after.score == 100
    assert after.extra["reasoning"] == before.extra["reasoning"]
    assert after.extra["judged_level"] == before.extra["level"]


def test_flips(scored: tuple[Decider, list[StoredResult]]) -> None:
    """One level of one criterion that would change the verdict is found, in few decisions for many cases."""
    decider, results = scored
    found = {each.number: decider.flips(each.case, each.record, {}) for each in results}
    one = next(each for each in with_verdict(results, Verdict.WARN) if found[each.number])
    flip = found[one.number][0]
    answers = one.record["answers"][0]["values"]
    answers[flip.question]["value"] = flip.level
    moved = {**one.record, "answers": [{**one.record["answers"][0], "values": answers}]}
    assert decider.settle(one.case, moved, {}).verdict is flip.verdict is not one.case.verdict
    assert 0 < len(decider.known) < len(results)
    total = correction(one, score=Decimal(100))
    assert decider.flips(one.case, one.record, {None: total}) == ()


def test_flips_of_a_regression(tmp_path: Path) -> None:
    """A level decides there, too, where it makes the difference to the baseline too large."""
    decider, results = stored_results(
        run_with_baseline(tmp_path, CRITERIA + "evaluation: {type: regression}\n")
    )
    found = [flip for each in results for flip in decider.flips(each.case, each.record, {})]
    assert {type(flip) for flip in found} == {Flip}
    assert {flip.verdict for flip in found} == {Verdict.PASS, Verdict.FAIL}


@pytest.mark.parametrize("text", SUITES[2:5])
def test_no_levels_no_flips(tmp_path: Path, text: str) -> None:
    """Where nothing is answered on levels, none decides."""
    decider, results = stored_results(run(tmp_path, text))
    assert not any(decider.flips(each.case, each.record, {}) for each in results)


def test_lapsed(scored: tuple[Decider, list[StoredResult]]) -> None:
    """Corrections that do not hold any more are told, each with its reason; others are not."""
    decider, results = scored
    newest = {
        None: correction(results[0], expires=NOW),
        "tone": correction(results[0], criterion="tone", output_sha256="other"),
        "safety": correction(results[0], criterion="safety"),
    }
    sha256 = results[0].record["output_sha256"]
    assert list(decider.lapsed("c0", sha256, newest)) == [
        Lapsed(None, "override of the total not applied: it expired on 2026-11-30"),
        Lapsed("tone", "override of tone not applied: it is stale, the output has changed since"),
    ]


def test_a_case_that_is_gone(scored: tuple[Decider, list[StoredResult]]) -> None:
    """What the suite does not know any more stays as it was."""
    decider, results = scored
    result = results[0]
    gone = replace(decider, cases={})
    assert gone.settle(result.case, result.record, {None: correction(result)}) is result.case
    assert gone.flips(result.case, result.record, {}) == ()


def test_a_question_that_is_new(tmp_path: Path) -> None:
    """Of a criterion that was added since the run there is no answer: it says so, and nothing is guessed."""
    report = run(tmp_path, CRITERIA)
    write(tmp_path, CRITERIA + '  - {name: form, weight: 1, scale: 5, rubric: "Is it short?"}\n', "new")
    decider, results = stored_results(report)
    result: CaseReport = next(each for each in results if each.case.verdict is Verdict.PASS).case
    stored = next(each for each in results if each.case is result)
    again = decider.settle(result, stored.record, {})
    form = next(row for row in again.rows if row.id == "criteria.form")
    assert (again.verdict, form.error) == (
        Verdict.ERROR,
        "the run has no answer to this question: run the suite again",
    )
