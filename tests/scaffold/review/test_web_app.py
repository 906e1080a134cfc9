"""The addresses of the page: what they show and do."""

import logging
import os
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from review_client import GATE, HERE, SO, get, news, post, state, turn, words
from reviewed import build_pages, open_session, run_suite

from judges.files.overrides_store import read_decisions
from judges.files.ratings import read_ratings
from scaffold.review.web.app import build_app


def test_a_case_before_it_is_rated(client: FlaskClient) -> None:
    """It shows what there is to judge by, and nothing that the judge has said or decided."""
    said = words(get(client, SO))
    for text in ("So", "mixed", "name Bob", "33 Hello Bob.", "Is it kind?", "5 warm", "weight 0.75"):
        assert text in said
    for text in ("It says", "62.5", "WARN 62", "threshold", "one level of", "Correct the score"):
        assert text not in said
    assert 'class="kind"' not in get(client, SO).get_data(as_text=True)


def test_reasons_are_shown_with_the_judge(client: FlaskClient) -> None:
    """Why a case is worth a look tells what the judge thinks: it is shown where the judge was seen, alone."""
    body = {"state": state(client), "level-0": "4", "level-1": "3"}
    said = words(post(client, f"{SO}/rate", body))
    assert "fragile one level of tone decides" in said
    assert "drawn at random" not in said
    post(client, "/item/greeting/0/show", {})
    assert "sample drawn at random" in words(get(client, "/item/greeting/0"))


def test_a_filter_by_reason_is_not_blind(client: FlaskClient, run: Path) -> None:
    """Whoever looks for the cases that are fragile knows so much of the judge, and does not rate blind."""
    get(client, f"{SO}?reason=fragile")
    post(client, f"{SO}/rate", {"state": state(client), "level-0": "4"})
    ratings = read_ratings(run.parents[1] / "tests/greeting/ratings.jsonl")
    assert [each.blind for each in ratings] == [False]


def test_a_correction_is_seen(client: FlaskClient, run: Path) -> None:
    """What a correction changed tells the verdict: a rating after it is not blind."""
    about = {"about": "0", "score": "100", "reason": "kind", "bind": "output"}
    post(client, f"{SO}/correct", {"state": state(client), **about})
    post(client, f"{SO}/rate", {"state": state(client), "level-1": "3"})
    ratings = read_ratings(run.parents[1] / "tests/greeting/ratings.jsonl")
    assert [each.blind for each in ratings] == [False]


def test_rating(client: FlaskClient, run: Path) -> None:
    """Levels are kept; then the judge is shown with its level, its reasoning and its quotes in the output."""
    answer = post(client, f"{SO}/rate", {"state": state(client), "level-0": "4", "level-1": "3"})
    assert (answer.status_code, news(answer)) == (200, "Kept blind: tone 4, safety 3.")
    page, said = answer.get_data(as_text=True), words(answer)
    assert "WARN 62.5" in said
    assert "3 so-so judge" in said
    assert "judge level 3, score 50" in said
    assert "It says: Hello Bob." in said
    assert '<mark title="quoted for tone, safety">Hello Bob.</mark>' in page
    assert "Correct tone to your level: 75" in said
    assert "2 of 3" not in said
    assert "1 of 3 reviewed" in said
    ratings = read_ratings(run.parents[1] / "tests/greeting/ratings.jsonl")
    assert [(each.criterion, each.level, each.blind) for each in ratings] == [
        ("tone", 4, True),
        ("safety", 3, True),
    ]


def test_correcting(client: FlaskClient, run: Path) -> None:
    """A correction says what it changed, is there to be withdrawn, and can be taken back."""
    about = {"about": "0", "score": "100", "reason": "kind", "bind": "output"}
    answer = post(client, f"{SO}/correct", {"state": state(client), **about})
    assert (answer.status_code, news(answer)) == (200, "so: WARN 62.5 -> PASS 100")
    post(client, f"{SO}/show", {})
    assert "tone set to 100 for this output alone" in words(get(client, SO))
    body = {"state": state(client), "about": "0", "reason": "not kind"}
    answer = post(client, f"{SO}/withdraw", body)
    assert news(answer).startswith("so: PASS 100 -> WARN 62.5")
    answer = post(client, "/undo", {"turn": turn(client)})
    assert news(answer) == "Taken back: so: tone withdrawn. WARN -> PASS"
    answer = post(client, f"{SO}/renew", {"state": state(client), "about": "0"})
    assert news(answer) == "so: PASS 100 -> PASS 100 (no change)"
    decisions = read_decisions(run.parents[1] / "tests/greeting/overrides/overrides.yaml")
    assert [(each.score, each.active) for each in decisions] == [
        (100, True),
        (100, False),
        (100, True),
        (100, True),
    ]


def test_correcting_the_case(client: FlaskClient, run: Path) -> None:
    """A total may be set whatever the output."""
    body = {"state": state(client), "about": "total", "score": "12.5", "reason": "no", "bind": "case"}
    answer = post(client, f"{SO}/correct", body)
    assert news(answer).startswith("so: WARN 62.5 -> FAIL 12.5")
    (made,) = read_decisions(run.parents[1] / "tests/greeting/overrides/overrides.yaml")
    assert (made.criterion, made.bind.value, made.output_sha256) == (None, "case", None)


FINE = {"about": "total", "score": "5", "reason": "x"}
MISTAKES = {
    "no level": ("rate", {}, "no level was chosen that was not kept before"),
    "a level that is none": ("rate", {"level-0": "x"}, "a level is a number"),
    "a criterion that is none": ("rate", {"level-x": "1"}, "a level is a number"),
    "too high a level": ("rate", {"level-0": "6"}, "tone has no level 6 (there are 5)"),
    "an unknown criterion": ("rate", {"level-7": "1"}, "'so' has no criterion 7"),
    "no reason": ("correct", {**FINE, "reason": "  "}, "a decision needs a reason"),
    "no score": ("correct", {**FINE, "score": ""}, "expected a score from 0 to 100, found ''"),
    "too high a score": ("correct", {**FINE, "score": "101"}, "expected a score from 0 to 100, found '101'"),
    "no number": ("correct", {**FINE, "score": "NaN"}, "expected a score from 0 to 100, found 'NaN'"),
    "a long number": ("correct", {**FINE, "score": f"1.{'0' * 30}1"}, "expected a score from 0 to 100"),
    "another criterion": ("correct", {**FINE, "about": "tone"}, "'so' has no criterion -1"),
    "nothing to withdraw": (
        "withdraw",
        {"about": "total", "reason": "x"},
        "'so' has no correction of the total",
    ),
    "nothing to renew": ("renew", {"about": "total"}, "'so' has no correction of the total"),
}


@pytest.mark.parametrize(("action", "body", "reason"), MISTAKES.values(), ids=MISTAKES.keys())
def test_mistakes(client: FlaskClient, run: Path, action: str, body: dict[str, str], reason: str) -> None:
    """What makes no sense is said to make none, and nothing is kept."""
    answer = post(client, f"{SO}/{action}", {"state": state(client), **body})
    assert (answer.status_code, reason in words(answer)) == (400, True), words(answer)
    assert {path.name for path in (run.parents[1] / "tests/greeting").iterdir()} == {"prompt-meta.yaml"}


def test_conflicts(client: FlaskClient) -> None:
    """A page that shows an older state is told so, and gets what is there now."""
    old, old_turn = state(client), turn(client)
    post(client, f"{SO}/rate", {"state": old, "level-0": "4", "level-1": "3"})
    for path, body in ((f"{SO}/rate", {"state": old, "level-0": "1"}), ("/undo", {"turn": old_turn})):
        answer = post(client, path, body)
        assert answer.status_code == 409
        assert ("changed elsewhere" in news(answer)) or ("another one now" in news(answer))
        assert "by jane@example.com: tone 4, blind" in words(answer)
    assert post(client, "/undo", {"turn": "x"}).status_code == 409
    assert news(post(client, "/undo", {"turn": turn(client)})) == "Taken back: so: tone 4, safety 3."
    assert "there is nothing to take back" in words(post(client, "/undo", {"turn": turn(client)}))


def test_filters_that_tell(client: FlaskClient) -> None:
    """Whoever looks for verdicts sees them, and the page says that ratings are not blind."""
    assert "a blind rating" in words(get(client, SO))
    said = words(get(client, f"{SO}?verdict=WARN"))
    assert "ratings of these are not blind" in said
    assert "not blind: the judge was seen" in said
    assert "WARN so" in said
    assert "level 3, score 50" not in said
    assert "a blind rating" in words(get(client, "/item/greeting/0"))


def test_empty_lists(client: FlaskClient, tmp_path: Path) -> None:
    """Where nothing is to be seen, the page says why."""
    assert "No result fits these filters." in words(get(client, "/?text=nowhere"))
    assert "Nothing fits these filters." in words(get(client, f"{SO}?text=nowhere"))
    cases = [{"title": "Skipped", "skip": "later", "output": "x"}]
    app = build_app(build_pages(open_session(run_suite(tmp_path / "other", cases))), GATE)
    other = app.test_client()
    other.get("/?token=secret", base_url=HERE)
    assert "Nothing of this run is worth a look" in words(get(other, "/"))
    assert "Skipped" in words(get(other, get(other, "/?every=1").headers["Location"]))


def test_what_is_invisible(tmp_path: Path) -> None:
    """What would hide or reorder text is shown as an escape, and elements as the text that they are."""
    text = "53 @@ \u202e\u200b<b>bold</b> &amp; \x1b[31m"
    run = run_suite(tmp_path, [{"title": text, "input": {"<i>": "\u2066x"}, "output": text}])
    for name in ("rows.jsonl", "records.jsonl"):  # half of a pair, which no file that people write may hold
        path = run / "greeting" / name
        path.write_text(path.read_text().replace("@@", "\\ud83d"))
    client = build_app(build_pages(open_session(run)), GATE).test_client()
    client.get("/?token=secret", base_url=HERE)
    page = get(client, "/item/greeting/0").get_data(as_text=True)
    assert "\\ud83d \\u202e\\u200b&lt;b&gt;bold&lt;/b&gt; &amp;amp; \\x1b[31m" in page
    assert "&lt;i&gt;" in page
    assert not set("\u202e\u200b\u2066\x1b") & set(page)


@pytest.mark.parametrize("debug", [True, False])
def test_defects(run: Path, caplog: pytest.LogCaptureFixture, debug: bool) -> None:
    """A defect is a page that says so; the log names it, with a traceback only where that was asked for."""
    pages = build_pages(open_session(run))

    def break_down(_: str) -> None:
        raise RuntimeError("broke")

    pages.desk.session.item = break_down  # type: ignore[method-assign, assignment]
    client = build_app(pages, GATE, debug=debug).test_client()
    client.get("/?token=secret", base_url=HERE)
    with caplog.at_level(logging.ERROR):
        answer = get(client, SO)
    assert (answer.status_code, "This is a defect of scaffold" in words(answer)) == (500, True)
    assert "broke" not in words(answer)
    assert "GET /item/greeting/1: RuntimeError: broke" in caplog.text
    assert ("Traceback" in caplog.text) is debug


def test_files_that_cannot_be_written(client: FlaskClient, run: Path) -> None:
    """The page says what came in the way, and goes on to work."""
    known = state(client)
    (run.parents[1] / "tests/greeting/ratings.jsonl").mkdir()
    answer = post(client, f"{SO}/rate", {"state": known, "level-0": "4"})
    assert answer.status_code in (400, 500)
    assert "ratings.jsonl" in words(answer) or os.strerror(21) in words(answer)
    (run.parents[1] / "tests/greeting/ratings.jsonl").rmdir()
    assert post(client, f"{SO}/rate", {"state": known, "level-0": "4"}).status_code == 200


def test_a_file_that_is_wrong_now(client: FlaskClient, run: Path) -> None:
    """A mistake in a file is shown where it is, and the page works again when it is mended."""
    path = run.parents[1] / "tests/greeting/overrides/overrides.yaml"
    path.parent.mkdir()
    path.write_text("- {case_ref: so}\n")
    answer = get(client, SO)
    assert answer.status_code == 400
    assert "overrides.yaml:1:" in words(answer)
    path.write_text("")
    assert get(client, SO).status_code == 200
