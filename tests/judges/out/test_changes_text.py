"""What changed between two runs, as people read it."""

from decimal import Decimal

import pytest

from judges.core.report import CaseReport, CriterionResult
from judges.core.verdict import Verdict
from judges.out.changes_text import render_changes
from judges.out.fit import columns
from judges.reduce.changes import Changes, compare_cases

P, F = Verdict.PASS, Verdict.FAIL


def case(ref: str, score: int, verdict: Verdict = P, tone: int = 50) -> CaseReport:
    criteria = {"tone": CriterionResult(level=None, percent=Decimal(tone))}
    return CaseReport(
        ref=ref, title=ref, category=None, verdict=verdict, rows=(), score=Decimal(score), criteria=criteria
    )


CHANGES = compare_cases(
    [case("ann", 90), case("bob", 40, F, tone=25), case("cat", 80), case("old", 1)],
    [case("ann", 30, F), case("bob", 75, tone=75), case("cat", 85), case("new", 1)],
)


def test_the_whole_text() -> None:
    """Shifts, verdicts that are others, other moves, and what only one run has."""
    assert render_changes("greeting", CHANGES, width=80) == (
        "greeting\n"
        "\n"
        "score    cases    mean    95 % interval    rose    fell    same\n"
        "-------  -------  ------  ---------------  ------  ------  ------\n"
        "total    3        -6.7    -100 to +100     2       1       0\n"
        "tone     3        +16.7   -55 to +88.4     1       0       2\n"
        "\n"
        "Other verdict (2)\n"
        "case    before    after\n"
        "------  --------  -------\n"
        "ann     PASS 90   FAIL 30\n"
        "bob     FAIL 40   PASS 75\n"
        "\n"
        "Moved most (1)\n"
        "case    before    after\n"
        "------  --------  -------\n"
        "cat     PASS 80   PASS 85\n"
        "\n"
        "only in the first run, 1 case: old\n"
        "only in the second run, 1 case: new\n"
    )


def test_a_narrow_terminal() -> None:
    """Tables that are wider become sentences."""
    text = render_changes("greeting", CHANGES, width=40)
    assert "total: cases 3, mean -6.7, 95 % interval\n  -100 to +100, rose 2, fell 1, same 0\n" in text
    assert "case    before    after\n" in text
    assert max(map(columns, text.splitlines())) <= 40
    text = render_changes("greeting", CHANGES, width=24)
    assert "ann: before PASS 90,\n  after FAIL 30\n" in text


def test_nothing_to_compare() -> None:
    """Two runs without a case in common say so."""
    changes = compare_cases([case("a", 1)], [case("b", 1)])
    assert "No case has a score in both runs." in render_changes("greeting", changes, width=80)


@pytest.mark.parametrize("width", [40, 80])
def test_hostile_names_stay_in_their_place(width: int) -> None:
    """A ref acts on no terminal, and is wrapped in its column."""
    ref = "x" * 100 + "\x1b[31mred\u202e"
    changes: Changes = compare_cases([case(ref, 1)], [case(ref, 90, F)])
    text = render_changes("greeting\x07", changes, width=width)
    assert not {"\x1b", "\x07", "\u202e"} & set(text)
    table = text.partition("Other verdict")[2].splitlines()[1:]
    assert max(map(columns, table)) <= width
