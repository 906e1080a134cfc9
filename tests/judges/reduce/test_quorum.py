"""From the rows of several replicas to one: how many passed, and whether that is enough."""

import json
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judges.core.encode import decode_row, encode_row
from judges.core.row import Row
from judges.core.verdict import Verdict
from judges.reduce.quorum import aggregate_rows, are_decided
from judges.reduce.votes import Quorum

WORDS = {"P": Verdict.PASS, "F": Verdict.FAIL, "E": Verdict.ERROR, "S": Verdict.SKIP}
RANK = {Verdict.FAIL: 0, Verdict.ERROR: 1, Verdict.PASS: 2}


def replica(**rows: str) -> tuple[Row, ...]:
    """A replica with rows of these ids: a letter for the verdict, then the excerpt or the error."""
    return tuple(
        Row(
            id=name,
            kind="k",
            verdict=WORDS[word[0]],
            actual_excerpt=word[1:],
            error=word[1:] if word[0] in "ES" else None,
            spec={"of": name},
        )
        for name, word in rows.items()
    )


def aggregate(*words: str, quorum: Quorum = "majority", planned: int | None = None) -> Row:
    """The one row that these come to."""
    (row,) = aggregate_rows([replica(x=word) for word in words], quorum, planned or len(words))
    return row


@pytest.mark.parametrize(
    ("words", "quorum", "planned", "verdict", "rate"),
    [
        pytest.param("PPF", "majority", 3, "P", "2/3", id="two of three"),
        pytest.param("PF", "majority", 2, "F", "1/2", id="a tie is no majority"),
        pytest.param("PPF", "all", 3, "F", "2/3", id="not all"),
        pytest.param("PFF", 1, 3, "P", "1/3", id="one is enough"),
        pytest.param("PEF", "majority", 3, "E", "1/3", id="the one that was not measured decides"),
        pytest.param("PPE", "majority", 3, "P", "2/3", id="it does not matter any more"),
        pytest.param("EFF", "majority", 3, "F", "0/3", id="it cannot help any more"),
        pytest.param("EEE", "majority", 3, "E", "0/3", id="nothing was measured"),
        pytest.param("PSF", "majority", 3, "E", "1/3", id="a row that was skipped in one replica"),
        pytest.param("SSS", "majority", 3, "S", "0/3", id="a row that was skipped in all"),
        pytest.param("PP", "majority", 3, "P", "2/3", id="stopped early, passed"),
        pytest.param("FF", "majority", 3, "F", "0/3", id="stopped early, failed"),
        pytest.param("PF", "majority", 3, "E", "1/3", id="stopped too early"),
        pytest.param("F", "majority", 1, "F", "0/1", id="a single replica"),
    ],
)
def test_verdicts(words: str, quorum: Quorum, planned: int, verdict: str, rate: str) -> None:
    """PASS when enough passed, FAIL when not enough can have, ERROR between; the rate is of all planned."""
    row = aggregate(*words, quorum=quorum, planned=planned)
    assert row.verdict is WORDS[verdict]
    assert row.extra["pass_rate"] == rate
    assert (row.extra["pass_count"], row.extra["runs"]) == (int(rate[0]), planned)


def test_excerpts_are_those_of_replicas_that_did_not_pass() -> None:
    """Each is there once, in the order of the replicas; the row shows the first, unless it passed."""
    row = aggregate("Fb", "Pno", "F", "Fa", "Elost", "Fb", quorum="all")
    assert row.extra["actual_excerpts"] == ("b", "a", "lost")
    assert (row.actual_excerpt, row.error) == ("b", None)
    passed = aggregate("Fb", "P", "P")
    assert (passed.actual_excerpt, passed.extra["actual_excerpts"]) == ("", ("b",))


def test_a_row_that_is_not_decided_says_why() -> None:
    """An ERROR counts what is missing and names the first reason; a SKIP has its own."""
    assert aggregate("P", "Eno result", "Ecut").error == (
        "1 passed of 2 needed, and 2 could not be measured: no result"
    )
    assert aggregate("P", "F", planned=3).error == (
        "1 passed of 2 needed, and 1 could not be measured: not all were run"
    )
    assert aggregate("Snot asked", "Snot asked").error == "not asked"


def test_ids_are_in_the_order_in_which_they_are_seen() -> None:
    """Rows of all replicas are there; one that a replica lacks was passed by none."""
    rows = aggregate_rows([replica(a="P", b="P"), replica(c="P", b="P"), replica(b="P")], 1, 3)
    assert [(row.id, row.verdict.value, row.actual_excerpt) for row in rows] == [
        ("a", "FAIL", "row a missing from 2/3 replicas"),
        ("b", "PASS", ""),
        ("c", "FAIL", "row c missing from 2/3 replicas"),
    ]
    assert (rows[0].extra["pass_rate"], rows[0].spec, rows[0].kind) == ("0/3", {"of": "a"}, "k")


def test_of_no_replica_there_is_no_row() -> None:
    """Where nothing was run there is nothing to aggregate, and nothing is decided."""
    assert aggregate_rows([], "majority", 3) == ()
    assert not are_decided([], "majority", 3)


LETTERS = st.sampled_from("PFE")
PLANS = st.integers(1, 5).flatmap(
    lambda planned: st.tuples(
        st.just(planned),
        st.sampled_from(["all", "majority", *range(1, planned + 1)]),
        st.lists(LETTERS, min_size=1, max_size=planned),
    )
)


@given(PLANS, st.integers(0, 4), LETTERS)
def test_a_better_replica_never_lowers_a_verdict(
    plan: tuple[int, Quorum, list[str]], place: int, letter: str
) -> None:
    """Turning any row into a PASS, or a FAIL into what could not be measured, never makes it worse."""
    planned, quorum, letters = plan
    place %= len(letters)
    better = [*letters]
    better[place] = {"F": "E" if letter == "E" else "P"}.get(letters[place], "P")
    before = aggregate(*letters, quorum=quorum, planned=planned).verdict
    after = aggregate(*better, quorum=quorum, planned=planned).verdict
    assert RANK[after] >= RANK[before]


@given(PLANS)
def test_decided_is_when_no_replica_to_come_can_change_a_verdict(plan: tuple[int, Quorum, list[str]]) -> None:
    """Exactly then do all ways in which the rest can end give the same verdict."""
    planned, quorum, letters = plan
    ends = {
        aggregate(*letters, *rest, quorum=quorum, planned=planned).verdict
        for rest in product("PFE", repeat=planned - len(letters))
    }
    decided = are_decided([replica(x=letter) for letter in letters], quorum, planned)
    assert decided is (len(ends) == 1)
    if decided:
        assert ends == {aggregate(*letters, quorum=quorum, planned=planned).verdict}


def test_all_rows_must_be_decided() -> None:
    """One row that is still open keeps the next replica coming; one that is missing is decided."""
    assert are_decided([replica(a="P", b="F"), replica(a="P", b="F")], "majority", 3)
    assert not are_decided([replica(a="P", b="F"), replica(a="P", b="P")], "majority", 3)
    assert are_decided([replica(a="P", b="F"), replica(a="P")], "majority", 3)


@pytest.mark.reference
def test_aggregates_are_those_of_the_original(reference_data: Path) -> None:
    """What the original made of its replicas: verdicts, counts, rates and excerpts."""
    cases = json.loads((reference_data.parent / "conformance/harness/aggregate.json").read_text())
    assert len(cases) == 5
    for case in cases:
        replicas = [
            [decode_row({"score": None, "error": None} | row) for row in grade["rows"]]
            for grade in case["grades"]
        ]
        rows = aggregate_rows(replicas, case["quorum"], len(replicas))
        encoded = json.loads(json.dumps([encode_row(row) for row in rows]))
        assert [{key: row[key] for key in case["out"][0]} for row in encoded] == case["out"]


@pytest.mark.reference
def test_thresholds_are_those_of_the_original(reference_data: Path) -> None:
    """As many passes as the original asks for are enough, and one fewer is not."""
    cases = json.loads((reference_data.parent / "conformance/harness/quorum.json").read_text())
    valid = [case for case in cases if "threshold" in case]
    assert len(valid) == 27
    for case in valid:
        needed, runs = case["threshold"], case["k"]
        enough = aggregate(*"P" * needed, *"F" * (runs - needed), quorum=case["quorum"])
        few = aggregate(*"P" * (needed - 1), *"F" * (runs - needed + 1), quorum=case["quorum"])
        assert (enough.verdict, few.verdict) == (Verdict.PASS, Verdict.FAIL)
