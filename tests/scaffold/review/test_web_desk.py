"""What one person does at the page."""

from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from threading import Thread

import pytest
from reviewed import open_session, run_suite

from judges.core.errors import ConfigError
from judges.core.rating import RaterKind
from judges.files.overrides_store import read_decisions
from judges.files.ratings import read_ratings, render_rating
from scaffold.review.decisions import Correction
from scaffold.review.web.desk import ConflictError, Desk, state_of

SO = "greeting:1"
SEEN = Correction(score=Decimal(90), reason="seen")


@pytest.fixture
def desk(run: Path) -> Desk:
    """The desk of one person."""
    return Desk(open_session(run))


def state(desk: Desk, item_id: str = SO) -> str:
    return state_of(desk.session.item(item_id))


def is_open(desk: Desk) -> bool:
    return desk.open_judgement(desk.session.item(SO), desk.session.author)


def kept(desk: Desk) -> list[tuple[str, int, bool]]:
    path = desk.session.suites[0].path.parent / "ratings.jsonl"
    return [(each.criterion, each.level, each.blind) for each in read_ratings(path)] if path.exists() else []


def test_rating_first(desk: Desk) -> None:
    """The judge is hidden until every criterion has a level; what is rated later is not blind."""
    assert not is_open(desk)
    assert desk.rate(SO, state(desk), {0: 4}) == "Kept blind: tone 4."
    assert not is_open(desk)
    assert desk.rate(SO, state(desk), {0: 4, 1: 3}) == "Kept blind: safety 3."
    assert is_open(desk)
    assert desk.rate(SO, state(desk), {0: 5, 1: 3}) == "Kept with the judge in sight: tone 5."
    assert kept(desk) == [("tone", 4, True), ("safety", 3, True), ("tone", 5, False)]


def test_what_a_model_rated_under_the_same_name_opens_nothing(desk: Desk) -> None:
    """A person's own levels are those that the person gave."""
    path = desk.session.suites[0].path.parent / "ratings.jsonl"
    desk.rate(SO, state(desk), {0: 4, 1: 3})
    own = read_ratings(path)
    path.write_text("".join(f"{render_rating(replace(each, rater_kind=RaterKind.MODEL))}\n" for each in own))
    assert not is_open(desk)


def test_looking_first(desk: Desk) -> None:
    """Whoever asks for the judge first rates with the judge in sight."""
    desk.show_judge(SO)
    assert is_open(desk)
    desk.rate(SO, state(desk), {0: 4})
    assert kept(desk) == [("tone", 4, False)]


def test_knowing_the_verdict(desk: Desk) -> None:
    """Whoever has looked for a verdict has not seen the levels, and does not rate blind any more."""
    desk.see([SO])
    assert not is_open(desk)
    desk.rate(SO, state(desk), {0: 4})
    assert kept(desk) == [("tone", 4, False)]


def test_ratings_of_others(desk: Desk, run: Path) -> None:
    """What somebody else has rated is still to be rated by this person."""
    other = Desk(open_session(run, "joe"))
    other.rate(SO, state(other), {0: 1, 1: 1})
    assert is_open(other)
    assert not is_open(desk)


def test_nothing_to_rate(tmp_path: Path) -> None:
    """A result without an output has no rating to wait for."""
    run = run_suite(
        tmp_path, [{"title": "Skipped", "skip": "later", "output": "x"}, {"title": "Good", "output": "53"}]
    )
    desk = Desk(open_session(run))
    opened = [desk.open_judgement(desk.session.item(f"greeting:{at}"), "jane") for at in (0, 1)]
    assert opened == [True, False]


def test_undo(desk: Desk) -> None:
    """A step is taken back whole, the last one first."""
    desk.rate(SO, state(desk), {0: 4, 1: 3})
    assert desk.correct(SO, state(desk), SEEN) == "so: WARN 62.5 -> PASS 90"
    assert desk.summary() == "Kept 2 ratings and 1 decision."
    assert desk.undo(desk.turn) == (SO, "Taken back: so: total set. PASS -> WARN")
    assert desk.undo(desk.turn) == (SO, "Taken back: so: tone 4, safety 3.")
    assert (kept(desk), desk.summary()) == ([], "Nothing was changed.")
    with pytest.raises(ConfigError, match="there is nothing to take back"):
        desk.undo(desk.turn)


def test_withdrawing_and_renewing(desk: Desk) -> None:
    """Decisions that follow another one say what they change, too."""
    desk.correct(SO, state(desk), SEEN)
    assert desk.renew(SO, state(desk), None) == "so: PASS 90 -> PASS 90 (no change)"
    said = desk.withdraw(SO, state(desk), None, "wrong")
    assert said.startswith("so: PASS 90 -> WARN 62.5: Scored 62.5 (threshold: 70)")
    assert desk.summary() == "Kept 3 decisions."


STEPS: dict[str, Callable[[Desk, str], object]] = {
    "rate": lambda desk, state: desk.rate(SO, state, {0: 4}),
    "correct": lambda desk, state: desk.correct(SO, state, SEEN),
    "withdraw": lambda desk, state: desk.withdraw(SO, state, None, "no"),
    "renew": lambda desk, state: desk.renew(SO, state, None),
}


@pytest.mark.parametrize("step", STEPS.values(), ids=STEPS.keys())
@pytest.mark.parametrize("change", ["decision", "rating"])
def test_conflicts(desk: Desk, run: Path, step: Callable[[Desk, str], object], change: str) -> None:
    """What was changed elsewhere since the page showed it is not overwritten unseen."""
    before = state(desk)
    other = open_session(run, "joe")
    if change == "decision":
        other.override(SO, SEEN)
    else:
        other.rate(SO, "tone", 1, blind=True)
    with pytest.raises(ConflictError) as caught:
        step(desk, before)
    assert (
        str(caught.value)
        == "so was changed elsewhere since this page showed it. Nothing was kept: look again."
    )
    assert desk.summary() == "Nothing was changed."


def test_steps_at_the_same_time(desk: Desk) -> None:
    """Of several tabs that show the same, one is first, and all others are told."""
    before, said = state(desk), []

    def decide() -> None:
        try:
            said.append(desk.correct(SO, before, SEEN))
        except ConflictError as conflict:
            said.append(str(conflict)[:24])

    threads = [Thread(target=decide) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert sorted(said) == ["so was changed elsewhere"] * 3 + ["so: WARN 62.5 -> PASS 90"]
    assert desk.summary() == "Kept 1 decision."


def test_undo_after_a_change_elsewhere(desk: Desk, run: Path) -> None:
    """What somebody else has decided since is taken back only by whoever has been told."""
    desk.correct(SO, state(desk), SEEN)
    other = open_session(run, "joe")
    other.override(SO, Correction(score=Decimal(10), reason="no"))
    with pytest.raises(ConflictError, match=r"since this page showed it\. Undo again to take it back\."):
        desk.undo(desk.turn)
    path = desk.session.suites[0].path.parent / "overrides/overrides.yaml"
    assert len(read_decisions(path)) == 2
    assert desk.undo(desk.turn) == (SO, "Taken back: so: total set. FAIL -> WARN")


def test_undo_in_another_tab(desk: Desk) -> None:
    """A tab that shows another step as the last one takes nothing back."""
    turn = desk.turn
    desk.rate(SO, state(desk), {0: 4})
    with pytest.raises(ConflictError, match=r"another one now: so: tone 4\. Nothing was taken back\."):
        desk.undo(turn)
    assert kept(desk) == [("tone", 4, True)]


def test_mistakes(desk: Desk) -> None:
    """What makes no sense is refused, and there is nothing to take back."""
    for levels, words in [
        ({}, "no level was chosen"),
        ({2: 1}, "'so' has no criterion 2"),
        ({0: 6}, "tone has no level 6"),
    ]:
        with pytest.raises(ConfigError, match=words):
            desk.rate(SO, state(desk), levels)
    assert (desk.last, kept(desk)) == (None, [])


def test_a_step_with_a_mistake(desk: Desk) -> None:
    """Of several levels all are kept, or none."""
    with pytest.raises(ConfigError, match="safety has no level 9"):
        desk.rate(SO, state(desk), {0: 4, 1: 9})
    assert (kept(desk), desk.last) == ([], None)
