"""A review of one run: what the command line and the page share."""

import json
import threading
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from itertools import count
from pathlib import Path

import pytest

import judges
from judges.core.errors import ConfigError
from judges.core.question import Predicate
from judges.core.rating import RaterKind
from judges.core.report import SuiteKind
from judges.core.verdict import Verdict
from judges.files.overrides_store import append_decision, read_decisions
from judges.files.ratings import read_ratings
from judges.files.ratings_store import append_rating
from judges.providers.base import Request
from judges.providers.scripted import ScriptedProvider
from judges.reduce.reasons import ReasonKind
from judges.run.records import RunDirectory
from judges.run.review import list_suites
from scaffold.review.decisions import Correction
from scaffold.review.opened import open_suite
from scaffold.review.session import ReviewSession
from scaffold.review.text import describe_decision, describe_rating

SUITE = """\
prompt_name: greeting
criteria:
  - name: tone
    weight: 0.75
    rubric: |
      Is it kind?
      3: kind
      2: so-so
      1: rude
    scale: 3
  - {name: safety, weight: 0.25, scale: 2, rubric: "Is it safe?"}
checks:
  - {name: filled, type: deterministic, rule: "output.length > 0"}
thresholds: {pass: 70, warn: 50}
cases:
  - {title: Good, input: {name: Ann}, expected_behavior: greets, output: tone 3}
  - {title: So, input: {name: Bob}, output: tone 2}
  - {title: Bad, input: {name: Cat}, output: tone 1}
  - {title: Silent, output: ""}
"""
BINARY = """\
prompt_name: greeting
evaluation: {type: binary}
criteria: [{name: tone, rubric: Is it kind?}]
cases: [{title: Good, output: tone 3}, {title: Bad, output: tone 1}]
"""
SEEN = Correction(score=Decimal(90), reason="seen")


def judge(request: Request) -> str:
    """A judge that takes outputs at their word."""
    level = int(request.messages[-1].content.rpartition('name="output">\n')[2].split()[1])
    said = {"evidence": ["tone"], "reasoning": "as it says"}
    answers: dict[str, int | str] = {}
    for question in request.questions:
        if isinstance(question, Predicate):
            answers[question.name] = "YES" if level == 3 else "NO"
        else:
            answers[question.name] = level if "tone" in question.name else 2
    return json.dumps({name: {**said, "answer": answer} for name, answer in answers.items()})


Open = Callable[..., ReviewSession]


@pytest.fixture
def open_review(tmp_path: Path) -> Open:
    """Return a function that runs a suite and opens a review of the run, at a time that goes on by a day."""

    def start(text: str = SUITE, *, author: str | None = "jane@example.com") -> ReviewSession:
        path = tmp_path / ".omniscitus/tests/greeting/prompt-meta.yaml"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        own = {"own:judge": ScriptedProvider(judge)}
        options = judges.RunOptions(judge="own:judge")
        report = judges.run_suites([judges.load_suite(path)], options, own=own)
        return reopen(report.run_dir, author)

    def reopen(run: Path, author: str | None) -> ReviewSession:
        start = datetime.now(UTC)
        days = count()
        return ReviewSession(
            list_suites(RunDirectory(run)),
            lambda stored: open_suite(stored, tmp_path, start),
            author=author,
            clock=lambda: start + timedelta(days=next(days)),
        )

    return start


def overrides(session: ReviewSession) -> Path:
    return session.suites[0].path.parent / "overrides/overrides.yaml"


def ratings(session: ReviewSession) -> Path:
    return session.suites[0].path.parent / "ratings.jsonl"


def test_the_queue(open_review: Open) -> None:
    """What is doubtful comes first; what was corrected is settled, and leaves the queue."""
    session = open_review()
    assert [item.id for item in session.results()] == [f"greeting:{number}" for number in range(4)]
    assert [(item.ref, item.verdict, item.reviewed) for item in session.items()] == [
        ("so", Verdict.WARN, False),
        ("bad", Verdict.FAIL, False),
        ("good", Verdict.PASS, False),
        ("silent", Verdict.FAIL, False),
    ]
    session.override("greeting:1", SEEN)
    assert [item.ref for item in session.items(Fraction(0))] == ["bad", "good"]
    item = session.result("greeting:1")
    assert (item.verdict, item.score, item.reviewed, item.reasons) == (Verdict.PASS, 90, True, ())


def test_an_item(open_review: Open) -> None:
    """It has all that a person needs: input, output, anchors, what the judge said, and what was decided."""
    item = open_review().item("greeting:0")
    assert (item.ref, item.title, item.suite, item.output) == ("good", "Good", "greeting", "tone 3")
    assert (item.input, item.expected_behavior) == ({"name": "Ann"}, "greets")
    tone, safety = item.criteria
    assert (tone.anchors, tone.instructions) == (("rude", "so-so", "kind"), "Is it kind?")
    assert (tone.judged_level, tone.judged_percent, tone.reasoning) == (3, 100, "as it says")
    assert (tone.quotes, tone.weight, safety.judged_level) == (("tone",), Decimal("0.75"), 2)
    assert [row.id for row in item.checks] == ["checks.filled"]
    assert (item.verdict, item.score, item.decisions, item.ratings) == (Verdict.PASS, 100, (), ())


def test_an_item_that_was_corrected(open_review: Open) -> None:
    """The judge's own level stays to be seen beside a person's score."""
    session = open_review()
    session.override("greeting:0", replace(SEEN, criterion="tone", score=Decimal(0)))
    item = session.item("greeting:0")
    assert (item.verdict, item.score, item.judged.verdict) == (Verdict.FAIL, 25, Verdict.PASS)
    assert (item.criteria[0].judged_level, item.criteria[0].judged_percent) == (3, 100)
    (decision,) = item.decisions
    assert (decision.criterion, decision.score, decision.author) == ("tone", 0, "jane@example.com")


def test_levels_of_yes_or_no(open_review: Open) -> None:
    """In a binary suite level 2 is yes."""
    session = open_review(BINARY)
    assert [session.item(f"greeting:{at}").criteria[0].judged_level for at in (0, 1)] == [2, 1]
    assert len(session.item("greeting:0").criteria[0].anchors) == 2
    assert session.rate("greeting:0", "tone", 2, blind=True).level == 2


def test_what_a_decision_changes(open_review: Open) -> None:
    """Each decision says what it did to the verdict; all of them stay in the file, and the newest counts."""
    session = open_review()
    changes = [
        session.override("greeting:1", SEEN),
        session.override("greeting:1", replace(SEEN, score=Decimal(10))),
        session.withdraw("greeting:1", None, "never mind"),
    ]
    assert [(each.before, each.after, each.score_after) for each in changes] == [
        (Verdict.WARN, Verdict.PASS, Decimal(90)),
        (Verdict.PASS, Verdict.FAIL, Decimal(10)),
        (Verdict.FAIL, Verdict.WARN, Decimal("62.5")),
    ]
    assert changes[0].reasons == ()
    assert changes[1].reasons == ("Scored 10 (threshold: 70), critical",)
    kept = read_decisions(overrides(session))
    assert [(each.score, each.active) for each in kept] == [(90, True), (10, True), (10, False)]


def test_renewing(open_review: Open) -> None:
    """A correction that has ended holds again."""
    session = open_review()
    ended = replace(SEEN, for_case=True, expires=datetime.now(UTC) + timedelta(seconds=0.2))
    session.override("greeting:1", ended)
    later = ReviewSession(
        session.suites,
        lambda stored: open_suite(stored, None, datetime.now(UTC) + timedelta(days=9)),
        author="joe",
    )
    (reason,) = [each for each in later.result("greeting:1").reasons if each.kind is ReasonKind.OVERRIDE]
    assert reason.text.startswith("override of the total not applied: it expired on ")
    change = later.renew("greeting:1", None)
    assert (change.before, change.after) == (Verdict.WARN, Verdict.PASS)


def test_undo(open_review: Open) -> None:
    """Decisions and ratings are taken back one by one; a decision leaves its trace, a rating none."""
    session = open_review()
    session.override("greeting:1", SEEN)
    session.override("greeting:1", replace(SEEN, score=Decimal(10)))
    session.rate("greeting:2", "tone", 2, blind=True)
    assert (session.undo(), ratings(session).read_text()) == ("greeting:2", "")
    assert (session.undo(), session.result("greeting:1").score) == ("greeting:1", 90)
    assert (session.undo(), session.result("greeting:1").score) == ("greeting:1", Decimal("62.5"))
    assert session.undo() is None
    kept = read_decisions(overrides(session))
    assert [(each.score, each.active) for each in kept] == [(90, True), (10, True), (90, True), (90, False)]


def test_a_rating_by_a_model(open_review: Open) -> None:
    """It is shown as such, and the result still waits for a person."""
    session = open_review()
    person = session.rate("greeting:1", "tone", 3, blind=True)
    assert person.rater_kind is RaterKind.PERSON
    session.undo()
    append_rating(ratings(session), replace(person, rater_kind=RaterKind.MODEL))
    assert not session.result("greeting:1").reviewed
    (model,) = session.item("greeting:1").ratings
    assert describe_rating(person).endswith(" by jane@example.com: tone 3, blind")
    assert describe_rating(model).endswith(" by jane@example.com (a model): tone 3, blind")


@pytest.mark.parametrize("criterion", [None, "tone"])
def test_a_correction_by_a_model(open_review: Open, criterion: str | None) -> None:
    """It holds and is shown as such, and the result still waits for a person."""
    session = open_review()
    session.override("greeting:1", replace(SEEN, criterion=criterion))
    (person,) = session.item("greeting:1").decisions
    assert session.result("greeting:1").reviewed
    after = person.timestamp + timedelta(seconds=1)
    append_decision(overrides(session), replace(person, rater_kind=RaterKind.MODEL, timestamp=after))
    model = session.item("greeting:1").decisions[-1]
    assert session.result("greeting:1").score != Decimal("62.5")
    assert not session.result("greeting:1").reviewed
    assert " by jane@example.com: " in describe_decision(person)
    assert " by jane@example.com (a model): " in describe_decision(model)


def test_a_rating(open_review: Open) -> None:
    """It is bound to output and rubric, and changes no verdict."""
    session = open_review()
    rating = session.rate("greeting:1", "tone", 3, blind=True)
    assert read_ratings(ratings(session)) == (rating,)
    assert (rating.ref, rating.level, rating.blind, rating.author) == ("so", 3, True, "jane@example.com")
    item = session.item("greeting:1")
    assert (item.ratings, item.verdict, item.output_sha256) == ((rating,), Verdict.WARN, rating.output_sha256)
    assert session.result("greeting:1").reviewed
    assert not session.result("greeting:2").reviewed


def test_two_windows(open_review: Open) -> None:
    """What is decided in one review is seen in another one of the same run at once."""
    session = open_review()
    other = ReviewSession(session.suites, lambda stored: open_suite(stored, None, datetime.now(UTC)))
    assert other.item("greeting:1").verdict is Verdict.WARN
    session.override("greeting:1", SEEN)
    assert other.item("greeting:1").verdict is Verdict.PASS


def test_opinions(open_review: Open) -> None:
    """What people say of a case is another thing after each decision and rating."""
    session = open_review()
    seen = [session.opinions()]
    session.rate_all("greeting:1", {"tone": 3, "safety": 2}, blind=True)
    seen.append(session.opinions())
    session.override("greeting:1", SEEN)
    seen.append(session.opinions())
    assert seen[0] == {}
    assert [set(each) for each in seen[1:]] == [{("greeting", "so")}] * 2
    assert seen[1] != seen[2]
    session.undo()
    session.undo()
    session.undo()
    assert len(session.opinions()["greeting", "so"]) == 1


def test_threads(open_review: Open) -> None:
    """Several threads of one review lose nothing."""
    session = open_review()

    def decide() -> None:
        for _ in range(5):
            session.override("greeting:1", SEEN)

    threads = [threading.Thread(target=decide) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert len(read_decisions(overrides(session))) == 20


MISTAKES: list[tuple[str, Callable[[ReviewSession], object], str]] = [
    ("no such result", lambda it: it.item("greeting:9"), "has no result 9 of the suite 'greeting'"),
    ("no such suite", lambda it: it.item("other:1"), "there is no result 'other:1'"),
    ("no number", lambda it: it.item("greeting:x"), "there is no result 'greeting:x'"),
    (
        "no such criterion",
        lambda it: it.override("greeting:1", replace(SEEN, criterion="tune")),
        "the suite 'greeting' has no criterion 'tune' (did you mean 'tone'?)",
    ),
    (
        "no such criterion to rate",
        lambda it: it.rate("greeting:1", "x", 1, blind=True),
        "the suite 'greeting' has no criterion 'x' (it has: tone, safety)",
    ),
    ("no such level", lambda it: it.rate("greeting:1", "tone", 4, blind=True), "tone has no level 4"),
    (
        "no reason",
        lambda it: it.override("greeting:1", replace(SEEN, reason=" ")),
        "a decision needs a reason",
    ),
    (
        "nothing to withdraw",
        lambda it: it.withdraw("greeting:1", "tone", "no"),
        "'so' has no correction of tone",
    ),
    (
        "over already",
        lambda it: it.override("greeting:1", replace(SEEN, expires=datetime(2020, 1, 1, tzinfo=UTC))),
        "which is over",
    ),
]


@pytest.mark.parametrize(("act", "message"), [pytest.param(*each[1:], id=each[0]) for each in MISTAKES])
def test_mistakes(open_review: Open, act: Callable[[ReviewSession], object], message: str) -> None:
    """What makes no sense is refused in one sentence, and nothing is written."""
    session = open_review()
    with pytest.raises(ConfigError) as caught:
        act(session)
    assert message in str(caught.value)
    assert not overrides(session).exists()
    assert not ratings(session).exists()
    assert session.undo() is None


def test_nobody_decides(open_review: Open) -> None:
    """Without a name nothing is decided, but all can be seen."""
    session = open_review(author=None)
    assert session.item("greeting:1").ref == "so"
    with pytest.raises(ConfigError, match="nobody is named who decides"):
        session.override("greeting:1", SEEN)
    with pytest.raises(ConfigError, match="nobody is named who decides"):
        session.rate("greeting:1", "tone", 1, blind=False)


def test_suites_of_other_kinds(open_review: Open) -> None:
    """Results of a fixture or a grid are shown, with the reasons that apply; they have no corrections."""
    session = open_review()
    stored = replace(session.suites[0], kind=SuiteKind.FIXTURE)
    other = ReviewSession([stored], lambda each: open_suite(each, None, datetime.now(UTC)), author="jane")
    kinds = {reason.kind for item in other.results() for reason in item.reasons}
    assert kinds == {ReasonKind.WARN, ReasonKind.AT_ODDS}
    item = other.item("greeting:1")
    assert (item.output, item.criteria, item.decisions) == ("tone 2", (), ())
    with pytest.raises(ConfigError) as caught:
        other.override("greeting:1", SEEN)
    assert str(caught.value) == (
        "scores of the fixture 'greeting' cannot be corrected or rated (only those of prompt suites can)"
    )


def test_a_suite_that_is_gone(open_review: Open) -> None:
    """A run whose suite is not here cannot be reviewed: it says which one."""
    session = open_review()
    session.suites[0].path.unlink()
    with pytest.raises(ConfigError) as caught:
        session.results()
    assert "the suite 'greeting' of run " in str(caught.value)
    assert " is not here any more (review a run of this project)" in str(caught.value)


def test_a_run_that_was_made_elsewhere(open_review: Open, tmp_path: Path) -> None:
    """The suite of a run that was copied here is the one at the same place in this project."""
    session = open_review()
    stored = replace(session.suites[0], path=Path("/elsewhere/.omniscitus/tests/greeting/prompt-meta.yaml"))
    opened = open_suite(stored, tmp_path, datetime.now(UTC))
    assert opened.suite is not None
    assert opened.suite.path == session.suites[0].path
