"""Labels: which one an output gives, and the two rows that are made of it."""

import json
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judges.check.labels import label_rows, measure_label, parse_label
from judges.core.verdict import Verdict

ROUTES = ["fix", "drain", "drain-prs", "review", "single-user incident"]

PARSED = {
    "the label alone": ("fix", "fix"),
    "blanks around it": (" \n review \n", "review"),
    "another case": ("FIX", "fix"),
    "in a sentence": ("I would go with review.", "review"),
    "the first of two": ("review, not fix", "review"),
    "a hyphen is part of a word": ("drain-prs-now, or fix", "fix"),
    "the longer label": ("use drain-prs", "drain-prs"),
    "an underscore is not part of a word": ("fix_it", "fix"),
    "letters of another alphabet end a word": ("éfix", "fix"),
    "inside a word": ("fixing the review-board\nhelps", "fixing the review-board"),
    "a label of several words": ("A Single-User Incident!", "single-user incident"),
    "at the end of a line": ("route: fix\nbecause", "fix"),
    "the whole output goes first": ("single-user incident", "single-user incident"),
    "none: the first line that is not blank": ("\n  \n none of these \nat all", "none of these"),
    "nothing": ("", ""),
    "blanks": (" \n\t", ""),
}


@pytest.mark.parametrize(("output", "label"), PARSED.values(), ids=PARSED)
def test_the_label_that_stands_first_as_a_word_of_its_own(output: str, label: str) -> None:
    """The whole output, else the first label in it, else its first line."""
    assert parse_label(output, ROUTES) == label


def test_of_two_labels_at_one_place_the_earlier_of_the_list_is_taken() -> None:
    """The order of the list settles it."""
    assert parse_label("say plan b now", ["plan b", "plan"]) == "plan b"
    assert parse_label("say plan b now", ["plan", "plan b"]) == "plan"


def test_pattern_characters_of_a_label_mean_nothing() -> None:
    """A label is text, not a regular expression."""
    assert parse_label("I choose C++ (fast)", ["C", "C++", "a.c"]) == "C"
    assert parse_label("abc", ["a.c"]) == "abc"
    assert parse_label("it is c++", ["C++"]) == "C++"


def test_the_rows_say_what_was_found() -> None:
    """The measure row is PASS even where the label is wrong; the gate row fails outside the list."""
    right = label_rows(0, "fix", "fix", ROUTES)
    wrong = label_rows(1, "Review", "fix", ROUTES)
    outside = label_rows(2, "P1", "fix", ROUTES)
    assert [(row.id, row.kind, row.verdict, row.score) for row in (*right, *wrong, *outside)] == [
        ("measure[0]", "measure", Verdict.PASS, Decimal(1)),
        ("gate[0]", "gate", Verdict.PASS, Decimal(1)),
        ("measure[1]", "measure", Verdict.PASS, Decimal(0)),
        ("gate[1]", "gate", Verdict.PASS, Decimal(1)),
        ("measure[2]", "measure", Verdict.PASS, Decimal(0)),
        ("gate[2]", "gate", Verdict.FAIL, Decimal(0)),
    ]
    assert [row.actual_excerpt for row in (*right, *wrong)] == [
        "classification-correct: fix",
        "in-enum label: fix",
        'classification-incorrect: got "review", expected "fix"',
        "in-enum label: review",
    ]
    assert outside[1].actual_excerpt == (
        'out-of-enum label "P1" — not one of [fix, drain, drain-prs, review, single-user incident]'
    )
    assert (outside[0].extra, outside[0].spec["golden_label"]) == ({"label": "P1"}, "fix")


def test_the_golden_label_is_compared_with_the_spelling_of_the_list() -> None:
    """Case does not count in an output, but it does in the file of tasks."""
    assert measure_label(0, parse_label("FIX", ROUTES), "fix").score == 1
    assert measure_label(0, parse_label("FIX", ROUTES), "Fix").score == 0


def test_a_long_answer_is_cut_in_the_rows() -> None:
    """A row stays short enough to be read, whatever a model wrote."""
    measure, gate = label_rows(0, "x" * 5000, "fix", ROUTES)
    assert len(measure.actual_excerpt or "") < 300
    assert len(gate.actual_excerpt or "") < 400
    assert len(measure.extra["label"]) == 200


@given(st.text(max_size=80), st.lists(st.text("abc-_ B1", min_size=1, max_size=6), max_size=6))
def test_the_gate_passes_exactly_where_a_label_is_found(output: str, texts: list[str]) -> None:
    """Whatever is found is a label, or one line of the output without blanks around it."""
    labels = [text for text in dict.fromkeys(texts) if text == text.strip()]
    label = parse_label(output, labels)
    _, gate = label_rows(0, output, "a", labels)
    assert (gate.verdict is Verdict.PASS) == (label in labels)
    assert label in labels or (label == label.strip() and label in output)


@pytest.mark.reference
def test_labels_and_reasons_are_those_of_the_original(reference_data: Path) -> None:
    """All recorded outputs give the same label, verdicts, scores and reasons."""
    pairs = json.loads((reference_data.parent / "conformance/grid/parse_label.json").read_text("utf-8"))
    golden = {"go": "fix", "tri": "P1", "inc": "none", "sel": "brainstorm", "empty": ""}
    assert len(pairs) == 73
    for pair in pairs:
        right = pair["allowed"][0] if pair["allowed"] else golden[pair["enum"]]
        measure, gate = label_rows(0, pair["output"], right, pair["allowed"])
        assert parse_label(pair["output"], pair["allowed"]) == pair["label"]
        found = {"pass": gate.verdict is Verdict.PASS, "score": gate.score, "reason": gate.actual_excerpt}
        assert found == pair["gate"]
        if "measure" in pair:
            found = {"pass": True, "score": measure.score, "reason": measure.actual_excerpt}
            assert found == pair["measure"]
            assert measure.verdict is Verdict.PASS
