"""The list of results, and what is chosen of it."""

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import pytest
from reviewed import open_session, run_suite

from judges.core.verdict import Verdict
from judges.reduce.reasons import ReasonKind
from scaffold.review.decisions import Correction
from scaffold.review.web.filters import Filters, parse_filters
from scaffold.review.web.listing import PAGE, Listing, show

SEEN = Correction(score=Decimal(90), reason="seen")


def refs(listing: Listing, **values: str) -> list[str]:
    return [each.item.ref for each in listing.choose(parse_filters(values))]


def test_filters(tmp_path: Path) -> None:
    """A list can be narrowed by words, reason, verdict, category, suite and what is left to do."""
    listing = Listing(open_session(run_suite(tmp_path)), Fraction(0), 0)
    assert refs(listing) == ["so"]
    assert refs(listing, every="1") == ["so", "good", "bad"]
    assert refs(listing, every="1", text="BA") == ["bad"]
    assert refs(listing, every="1", text="so so") == ["so"]
    assert refs(listing, reason="warn") == ["so"]
    assert refs(listing, every="1", verdict="FAIL") == ["bad"]
    assert refs(listing, every="1", category="edge") == ["bad"]
    assert refs(listing, suite="greeting") == ["so"]
    assert refs(listing, suite="other") == []
    assert refs(listing, reason="nonsense", verdict="fail", category="") == ["so"]


LETTERS = (
    {
        "title": "Refund",
        "input": {"name": "Ann", "order": {"id": 4711}},
        "output": "33 You will get\n  your money.",
    },
    {"title": "Straße", "input": {"name": "Bob"}, "output": '53 We are sorry, "Bob"; the money is yours.'},
    {"title": "Greeting", "input": {"name": "Cat"}, "output": "11 Hello."},
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("YOUR money", ["refund", "strasse"], id="words of an output, in any order"),
        pytest.param('"get your money"', ["refund"], id="a phrase over two lines"),
        pytest.param('"money your"', [], id="a phrase that is none"),
        pytest.param('money "you will" ann', ["refund"], id="words and a phrase"),
        pytest.param("4711", ["refund"], id="a value inside an input"),
        pytest.param("cat", ["greeting"], id="an input"),
        pytest.param("STRASSE", ["strasse"], id="a title in capitals"),
        pytest.param('"bob', ["strasse"], id="a quote that closes nothing"),
        pytest.param('""', ["refund", "strasse", "greeting"], id="a phrase of nothing"),
        pytest.param("hello refund", [], id="words of two results"),
        pytest.param('"ann refund"', [], id="a phrase over two fields"),
        pytest.param("\ud800", [], id="half a character"),
    ],
)
def test_words_of_inputs_and_outputs(tmp_path: Path, text: str, expected: list[str]) -> None:
    """All words and phrases must be in what a result is about, whatever their case and blanks."""
    listing = Listing(open_session(run_suite(tmp_path, LETTERS)), Fraction(1), 0)
    assert sorted(refs(listing, text=text)) == sorted(expected)


def test_words_of_reasons(tmp_path: Path) -> None:
    """Reasons, which tell of the judgement, are found where it was seen, and only there."""
    session = open_session(run_suite(tmp_path))
    listing = Listing(session, Fraction(0), 0)
    everybody, nobody = (lambda _: True), (lambda _: False)
    for text in ("scored 62.5", "warn", "fragile", "one level"):
        filters = parse_filters({"text": text})
        assert [each.item.ref for each in listing.choose(filters, everybody)] == ["so"]
        assert [each.item.ref for each in listing.choose(filters, nobody)] == []


def test_the_address_of_filters() -> None:
    """An address holds filters, and nothing of those that are not set."""
    values = {"text": "a b", "reason": "warn", "verdict": "PASS", "every": "1", "unreviewed": "1"}
    assert parse_filters(values).query == values
    assert parse_filters({"text": " "}).query == {}


@pytest.mark.parametrize(
    ("values", "tell"),
    [
        ({}, False),
        ({"every": "1", "text": "x", "category": "edge"}, False),
        ({"reason": "warn"}, True),
        ({"reason": "at_odds"}, True),
        ({"reason": "sample"}, True),
        ({"verdict": "PASS"}, True),
    ],
)
def test_filters_that_tell(values: dict[str, str], tell: bool) -> None:
    """To look for a verdict, or for a reason to doubt it, is to know what the judge thinks."""
    assert parse_filters(values).tell is tell


def test_the_order_stays(tmp_path: Path) -> None:
    """What is decided changes a result, and not its place or why it was to be looked at."""
    session = open_session(run_suite(tmp_path))
    listing = Listing(session, Fraction(0), 0)
    assert listing.progress() == (0, 1)
    session.override("greeting:1", SEEN)
    listing.refresh()
    entry = listing.entry("greeting:1")
    assert (entry.place, entry.item.verdict, entry.item.reviewed) == (0, Verdict.PASS, True)
    assert entry.reasons[0].kind is ReasonKind.WARN
    assert refs(listing) == ["so"]
    assert refs(listing, unreviewed="1") == []
    assert listing.progress() == (1, 1)


CHANGES: dict[str, Callable[[Path], object]] = {
    "a decision": lambda run: open_session(run).override("greeting:1", SEEN),
    "a rating": lambda run: open_session(run, "joe").rate("greeting:1", "tone", 3, blind=True),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES.keys())
def test_what_others_do(tmp_path: Path, change: Callable[[Path], object]) -> None:
    """A result that somebody else has looked at is another one at the next look; others stay as they are."""
    run = run_suite(tmp_path)
    listing = Listing(open_session(run), Fraction(0), 0)
    others = [listing.entry("greeting:0"), listing.entry("greeting:2")]
    change(run)
    assert not listing.entry("greeting:1").item.reviewed
    listing.refresh()
    assert listing.entry("greeting:1").item.reviewed
    assert [listing.entry("greeting:0"), listing.entry("greeting:2")] == others
    (tmp_path / ".omniscitus/tests/greeting/ratings.jsonl").unlink(missing_ok=True)
    (tmp_path / ".omniscitus/tests/greeting/overrides/overrides.yaml").unlink(missing_ok=True)
    listing.refresh()
    assert not listing.entry("greeting:1").item.reviewed


def test_pages_of_the_list(tmp_path: Path) -> None:
    """The page is the one with the current result; before and after it go on over the pages' ends."""
    cases = [{"title": f"c{number:03}", "output": "11 no"} for number in range(PAGE * 2 + 1)]
    listing = Listing(open_session(run_suite(tmp_path, cases)), Fraction(1), 0)
    chosen = listing.choose(Filters())
    first, last = show(chosen, chosen[0], None), show(chosen, chosen[-1], None)
    assert (first.number, first.pages, first.chosen, first.position, first.previous) == (1, 3, 101, 1, None)
    assert (len(first.entries), first.next) == (PAGE, chosen[1].item.id)
    assert (last.number, last.position, last.next) == (3, 101, None)
    assert (len(last.entries), last.previous) == (1, chosen[-2].item.id)
    end_of_page = show(chosen, chosen[PAGE - 1], None)
    assert (end_of_page.number, end_of_page.next) == (1, chosen[PAGE].item.id)
    assert show(chosen, chosen[0], 2).entries == chosen[PAGE : PAGE * 2]
    assert [show(chosen, chosen[0], page).number for page in (-1, 99)] == [1, 3]


def test_a_result_that_is_not_chosen(tmp_path: Path) -> None:
    """What comes before and after it is chosen."""
    listing = Listing(open_session(run_suite(tmp_path)), Fraction(1), 0)
    first, second, third = listing.choose(Filters())
    shown = show([first, third], second, None)
    assert (shown.position, shown.previous, shown.next) == (None, first.item.id, third.item.id)
    nothing = show([], second, None)
    assert (nothing.pages, nothing.number, nothing.entries, nothing.next) == (1, 1, [], None)
