"""The JSON shapes of results, and the way back."""

import json
from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judges.core.case import Category
from judges.core.encode import (
    decode_case,
    decode_notices,
    decode_row,
    decode_suite,
    decode_totals,
    decode_usage,
    encode_case,
    encode_notices,
    encode_row,
    encode_suite,
    encode_totals,
    encode_usage,
    encode_value,
    render_line,
)
from judges.core.report import (
    CaseReport,
    CriterionResult,
    JudgeReport,
    ModelSummary,
    SuiteKind,
    SuiteReport,
    Totals,
)
from judges.core.row import Notice, Row
from judges.core.usage import Usage
from judges.core.verdict import Verdict

ROW = Row(id="score", kind="score", verdict=Verdict.FAIL, score=Decimal("69.96"), extra={"reasoning": "thin"})
CASE = CaseReport(ref="a", title="A", category=Category.EDGE, verdict=Verdict.FAIL, rows=(ROW,), output="Hi")

texts = st.text(max_size=20)
percents = st.decimals(0, 100, places=6)
plain = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=6,
)
usages = st.builds(
    Usage,
    st.integers(0, 9),
    st.integers(0, 9),
    st.integers(0, 10**9),
    st.integers(0, 10**9),
    st.none() | st.decimals(0, 1000, places=6),
)
rows = st.builds(
    Row,
    id=texts,
    kind=texts,
    verdict=st.sampled_from(Verdict),
    score=st.none() | percents,
    actual_excerpt=st.none() | texts,
    spec=st.dictionaries(texts, plain, max_size=3),
    error=st.none() | texts,
    extra=st.dictionaries(texts.map("x-{}".format), plain, max_size=3),
)
cases = st.builds(
    CaseReport,
    ref=texts,
    title=texts,
    category=st.none() | st.sampled_from(Category),
    verdict=st.sampled_from(Verdict),
    rows=st.lists(rows, max_size=3).map(tuple),
    score=st.none() | percents,
    judged_score=st.none() | percents,
    criteria=st.dictionaries(
        texts,
        st.builds(
            CriterionResult,
            level=st.none() | st.integers(1, 10),
            percent=percents,
            reasoning=st.none() | texts,
            confidence=st.none() | st.floats(0, 1),
        ),
        max_size=3,
    ),
    override=st.none() | st.dictionaries(texts, plain, max_size=3),
    notices=st.lists(st.builds(Notice, texts, st.none() | texts), max_size=2).map(tuple),
    output=st.none() | texts,
    outputs=st.dictionaries(st.sampled_from(["a", "b"]), st.none() | texts),
    model=st.none() | texts,
    usage=usages,
    output_usage=usages,
)


@given(cases)
def test_a_case_survives_the_way_to_json_and_back(case: CaseReport) -> None:
    """What a run directory holds of a case is the whole case."""
    assert decode_case(json.loads(render_line(encode_case(case)))) == case


@given(usages)
def test_usage_survives(usage: Usage) -> None:
    """An unknown cost stays unknown."""
    assert decode_usage(encode_usage(usage)) == usage


def test_totals_and_notices_survive() -> None:
    """The summary of a suite can be read again."""
    totals = Totals(cases=3, passed=1, failed=1, skipped=1)
    notices = (Notice("stale override", "a"), Notice("judge unqualified"))
    assert decode_totals(encode_totals(totals)) == totals
    assert decode_notices(encode_notices(notices)) == notices


def test_a_row_has_seven_keys_and_then_its_own() -> None:
    """The order of the keys is fixed."""
    assert encode_row(ROW) == {
        "id": "score",
        "kind": "score",
        "verdict": "FAIL",
        "score": 69.96,
        "actual_excerpt": None,
        "spec": {},
        "error": None,
        "reasoning": "thin",
    }


def test_an_extra_key_never_replaces_one_of_the_seven() -> None:
    """A check cannot rename its verdict through `extra`."""
    row = replace(ROW, extra={"verdict": "PASS", "score": 100, "level": 3})
    encoded = encode_row(row)
    assert (encoded["verdict"], encoded["score"], encoded["level"]) == ("FAIL", 69.96, 3)
    assert decode_row(encoded).extra == {"level": 3}


SUITE = SuiteReport(
    name="reply",
    kind=SuiteKind.PROMPT,
    path=Path("tests/reply"),
    verdict=Verdict.FAIL,
    run_dir=Path("runs/1"),
    cases=(CASE,),
    totals=Totals(cases=1, failed=1),
    usage=Usage(calls=1, cost_usd=None),
    models={
        "openai:gpt-4o": ModelSummary(
            totals=Totals(cases=1, failed=1),
            mean_score=Decimal("69.96"),
            output_usage=Usage(calls=1, input_tokens=9, output_tokens=3, cost_usd=Decimal("0.25")),
        )
    },
    summary={"pass_rate": Decimal(50), "interval": [12.5, 87.5]},
    notices=(Notice("judge unqualified"),),
    judge=JudgeReport(model="openai:gpt-4o", qualified=True, n=40, accuracy=0.85, low=0.75, high=0.95),
)


def test_a_suite_is_encoded_without_its_cases() -> None:
    """The summary of a suite names it, its verdict, its totals and its cost."""
    assert encode_suite(SUITE) == {
        "name": "reply",
        "kind": "prompt",
        "path": "tests/reply",
        "verdict": "FAIL",
        "run_dir": "runs/1",
        "totals": {
            "cases": 1,
            "passed": 0,
            "warned": 0,
            "failed": 1,
            "errored": 0,
            "inconclusive": 0,
            "skipped": 0,
            "overridden": 0,
        },
        "usage": {"calls": 1, "cached": 0, "input_tokens": 0, "output_tokens": 0, "cost_usd": None},
        "models": {
            "openai:gpt-4o": {
                "totals": {
                    "cases": 1,
                    "passed": 0,
                    "warned": 0,
                    "failed": 1,
                    "errored": 0,
                    "inconclusive": 0,
                    "skipped": 0,
                    "overridden": 0,
                },
                "mean_score": 69.96,
                "output_usage": {
                    "calls": 1,
                    "cached": 0,
                    "input_tokens": 9,
                    "output_tokens": 3,
                    "cost_usd": 0.25,
                },
            }
        },
        "summary": {"pass_rate": 50.0, "interval": [12.5, 87.5]},
        "judge": {
            "model": "openai:gpt-4o",
            "qualified": True,
            "n": 40,
            "accuracy": 0.85,
            "low": 0.75,
            "high": 0.95,
        },
        "notices": [{"text": "judge unqualified", "ref": None}],
    }


def test_a_suite_survives_and_knows_where_it_is_now() -> None:
    """A run that was moved is read from its new place."""
    moved = decode_suite(encode_suite(SUITE), run_dir=Path("elsewhere"), cases=(CASE,))
    assert moved == replace(SUITE, run_dir=Path("elsewhere"))


@pytest.mark.parametrize("damage", [{"kind": "odd"}, {"totals": {"all": 1}}, {"notices": None}])
def test_a_damaged_suite_is_refused(damage: dict[str, Any]) -> None:
    """A summary that holds something else never becomes a result."""
    with pytest.raises(ValueError, match=r".+"):
        decode_suite(encode_suite(SUITE) | damage, run_dir=Path(), cases=())


def test_a_suite_without_a_key_is_refused_by_its_name() -> None:
    """The reader of a damaged run learns what is missing."""
    with pytest.raises(ValueError, match="a suite without 'name'"):
        decode_suite({}, run_dir=Path(), cases=())


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        pytest.param(Decimal("0.1"), 0.1, id="decimal"),
        pytest.param(Decimal("NaN"), None, id="not a number"),
        pytest.param(Decimal("1e999"), None, id="more than a float holds"),
        pytest.param(float("inf"), None, id="infinite"),
        pytest.param(True, True, id="truth"),
        pytest.param(Verdict.PASS, "PASS", id="enum"),
        pytest.param((1, {"a": Decimal(2)}), [1, {"a": 2.0}], id="nested"),
        pytest.param({3: "level"}, {"3": "level"}, id="keys are text"),
        pytest.param(datetime(2026, 2, 18, 11, 1, 29, tzinfo=UTC), "2026-02-18T11:01:29+00:00", id="time"),
        pytest.param(Path("a/b"), "a/b", id="path"),
    ],
)
def test_values_become_plain(value: object, expected: object) -> None:
    """Every value that a row may hold has one JSON shape."""
    assert encode_value(value) == expected


def test_a_value_without_a_json_shape_is_refused() -> None:
    """Nothing is written as the text of some object."""
    with pytest.raises(TypeError, match="no JSON shape for object"):
        encode_value(object())


@pytest.mark.parametrize(
    "damage",
    [
        pytest.param({"verdict": "OK"}, id="unknown verdict"),
        pytest.param({"category": "odd"}, id="unknown category"),
        pytest.param({"score": "70"}, id="score as text"),
        pytest.param({"rows": None}, id="no rows"),
        pytest.param({"criteria": []}, id="criteria as a list"),
        pytest.param({"usage": {"calls": 1}}, id="usage without cost"),
    ],
)
def test_a_damaged_case_is_refused(damage: dict[str, Any]) -> None:
    """A line of a run directory that holds something else never becomes a result."""
    with pytest.raises(ValueError, match=r".+"):
        decode_case(encode_case(CASE) | damage)


def test_a_missing_key_is_named() -> None:
    """The reader of a damaged run learns what is missing."""
    with pytest.raises(ValueError, match="a case without 'ref'"):
        decode_case({})


def test_half_a_surrogate_pair_is_written_as_an_escape() -> None:
    """A cut emoji in a model's output can be written to a UTF-8 file."""
    line = render_line({"output": "한 \ud83d"})
    assert line.encode("utf-8") == '{"output":"한 \\ud83d"}'.encode()
    assert json.loads(line) == {"output": "한 \ud83d"}
