"""The review page in a real browser: by keyboard, by mouse, in two tabs, light or dark, on a phone."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from statistics import median
from time import monotonic
from typing import TYPE_CHECKING, TypeAlias

import pytest
from browser.chromium import Incidents, NewPage
from reviewed import build_pages, open_session, run_suite, serve_pages

from judges.files.overrides_store import read_decisions
from judges.files.ratings import read_ratings

if TYPE_CHECKING:
    from playwright.sync_api import Page

Serve: TypeAlias = Callable[..., str]

CONTRASTS = """() => {
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const paint = (colours) => {
    canvas.clearRect(0, 0, 1, 1);
    for (const each of colours) { canvas.fillStyle = each; canvas.fillRect(0, 0, 1, 1); }
    return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3);
  };
  const light = (colour) => {
    const linear = (c) => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
    const [r, g, b] = colour.map((each) => linear(each / 255));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const found = [];
  for (const element of document.querySelectorAll("body *")) {
    const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
    if (!own || !element.checkVisibility() || element.matches(":disabled, :disabled *, option")) continue;
    const behind = [];
    for (let at = element; at; at = at.parentElement) behind.unshift(getComputedStyle(at).backgroundColor);
    const [a, b] = [paint(behind), paint([...behind, getComputedStyle(element).color])].map(light);
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < 4.5) found.push(`${ratio.toFixed(2)} ${element.outerHTML.slice(0, 80)}`);
  }
  return found;
}"""
"""Texts whose contrast is below WCAG's AA; disabled controls may be."""

NAMELESS = """() => [...document.querySelectorAll("input, select, textarea, button, progress, a")]
  .filter((each) => each.type !== "hidden")
  .filter((each) => !(each.labels?.length || each.textContent.trim() || each.ariaLabel))
  .map((each) => each.outerHTML)"""
"""Controls without a name for those who cannot see them."""


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Serve]:
    """Serve reviews of runs, for pages that are named after it: it outlives them."""
    with ExitStack() as served:

        def start(*arguments: object) -> str:
            pages = build_pages(open_session(run_suite(tmp_path, *arguments)))  # type: ignore[arg-type]
            return served.enter_context(serve_pages(pages))

        yield start


def ratings(root: Path) -> list[tuple[str, str, int, bool]]:
    path = root / ".omniscitus/tests/greeting/ratings.jsonl"
    found = read_ratings(path) if path.exists() else ()
    return [(each.ref, each.criterion, each.level, each.blind) for each in found]


def decisions(root: Path) -> list[tuple[str, float, bool]]:
    path = root / ".omniscitus/tests/greeting/overrides/overrides.yaml"
    return [(each.case_ref, float(each.score), each.active) for each in read_decisions(path)]


def press(page: "Page", *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def expect_said(page: "Page", text: str) -> None:
    page.locator("#said").get_by_text(text).wait_for()


def arrive(page: "Page", name: str) -> None:
    """Wait for a case, and for the script that listens to the keys."""
    page.get_by_role("heading", name=name).wait_for()
    listens(page)


def listens(page: "Page") -> None:
    page.locator(".criterion.current, .rate.open").first.wait_for()
    page.wait_for_load_state("load")


def heading(page: "Page") -> str:
    return page.locator("#case h2").inner_text()


def test_from_start_to_end_by_keyboard(serve: Serve, page: "Page", tmp_path: Path) -> None:
    """Three results are rated, one is corrected and one step taken back, and no hand leaves the keyboard."""
    page.goto(serve())
    assert (heading(page), page.title()) == ("so", "so (1 of 3) - Review")
    assert "token" not in page.url
    assert not page.get_by_text("It says").count()
    press(page, "4", "3", "Enter")
    expect_said(page, "Kept blind: tone 4, safety 3.")
    assert page.evaluate("document.activeElement.id") == "judge"
    assert page.locator("#judge").inner_text().startswith("WARN 62.5")
    assert page.locator(".level.judged").all_inner_texts() == ["3\nso-so\njudge", "3\nsafe\njudge"]
    assert page.locator("mark").inner_text() == "Hello Bob."
    press(page, "c")
    page.keyboard.type("the")
    press(page, "Tab")
    page.keyboard.type("88")
    press(page, "Tab")
    page.keyboard.type("Short, and kind")
    press(page, "Tab", "Tab", "Enter")
    expect_said(page, "so: WARN 62.5 -> PASS 88")
    assert (heading(page), page.evaluate("document.activeElement.id")) == ("PASS so 88", "judge")
    press(page, "u")
    expect_said(page, "Taken back: so: total set. PASS -> WARN")
    assert heading(page) == "WARN so 62.5"
    press(page, "Enter")
    arrive(page, "bad")
    press(page, "1", "1", "Enter")
    expect_said(page, "Kept blind: tone 1, safety 1.")
    press(page, "j")
    arrive(page, "good")
    press(page, "5", "3", "Enter")
    expect_said(page, "Kept blind")
    assert page.locator("#progress").inner_text().strip() == "3 of 3 reviewed"
    press(page, "k")
    arrive(page, "bad")
    assert ratings(tmp_path) == [
        ("so", "tone", 4, True),
        ("so", "safety", 3, True),
        ("bad", "tone", 1, True),
        ("bad", "safety", 1, True),
        ("good", "tone", 5, True),
        ("good", "safety", 3, True),
    ]
    assert decisions(tmp_path) == [("so", 88, True), ("so", 88, False)]


def test_without_single_keys(serve: Serve, page: "Page", tmp_path: Path) -> None:
    """Who turns single keys off, as for a screen reader, does everything by Tab, arrows and Space."""
    page.goto(serve())
    press(page, "?")
    page.get_by_role("dialog", name="Keys").wait_for()
    page.get_by_label("Single keys do something").press("Space")
    press(page, "Escape", "j", "4", "u", "s")
    assert (heading(page), page.locator(".criterion :checked").count()) == ("so", 0)
    page.get_by_role("radio", name="5 warm").focus()
    press(page, "ArrowDown", "Tab", "Space", "Tab", "Space")
    expect_said(page, "Kept blind: tone 4, safety 3.")
    page.reload()
    press(page, "j")
    assert heading(page) == "WARN so 62.5"
    page.get_by_role("link", name="Next").press("Enter")
    arrive(page, "bad")
    assert len(ratings(tmp_path)) == 2


def test_by_mouse(serve: Serve, page: "Page", tmp_path: Path) -> None:
    """The judge can be shown first; a level that differs becomes a correction, which can be withdrawn."""
    page.goto(serve())
    page.get_by_role("button", name="Show the judge").click()
    expect_said(page, "ratings of this case are not blind from now on")
    page.get_by_role("radio", name="5 warm").click()
    page.get_by_role("button", name="Save").click()
    expect_said(page, "Kept with the judge in sight: tone 5.")
    page.get_by_role("button", name="Correct tone to your level: 100").click()
    assert page.evaluate("document.activeElement.name") == "reason"
    page.keyboard.type("It is warm")
    page.get_by_role("button", name="Set the score").click()
    expect_said(page, "so: WARN 62.5 -> PASS 100")
    page.locator(".held").get_by_label("Reason").fill("It is not")
    page.get_by_role("button", name="Withdraw tone").click()
    expect_said(page, "so: PASS 100 -> WARN 62.5")
    page.get_by_role("button", name="Undo").click()
    expect_said(page, "Taken back: so: tone withdrawn. WARN -> PASS")
    assert ratings(tmp_path) == [("so", "tone", 5, False)]
    assert [active for _, _, active in decisions(tmp_path)] == [True, False, True]


def test_two_tabs(serve: Serve, new_page: NewPage, incidents: Incidents, tmp_path: Path) -> None:
    """The second tab is told what the first one did, keeps what was chosen, and may then go on."""
    url = serve()
    first, second = new_page(), new_page()
    first.goto(url)
    second.goto(url)
    press(first, "4", "3", "Enter")
    expect_said(first, "Kept blind: tone 4, safety 3.")
    press(second, "2", "1", "Enter")
    expect_said(second, "so was changed elsewhere since this page showed it. Nothing was kept: look again.")
    assert second.locator("#said").get_attribute("class") == "bad"
    assert second.get_by_text("by jane@example.com: tone 4, blind").is_visible()
    assert second.get_by_role("radio", name="2 curt").is_checked()
    assert len(ratings(tmp_path)) == 2
    second.get_by_role("button", name="Save").click()
    expect_said(second, "Kept with the judge in sight: tone 2, safety 1.")
    press(first, "u")
    expect_said(first, "The last step is another one now: so: tone 2, safety 1. Nothing was taken back.")
    press(first, "u")
    expect_said(first, "Taken back: so: tone 2, safety 1.")
    assert ratings(tmp_path) == [("so", "tone", 4, True), ("so", "safety", 3, True)]
    assert [each for each in incidents if "409 (CONFLICT)" not in each] == []
    assert len(incidents) == 2
    incidents.clear()


def test_what_is_begun_elsewhere_on_the_page(serve: Serve, page: "Page") -> None:
    """A correction that is begun stays when ratings are saved, and goes with its case."""
    page.goto(serve())
    press(page, "s")
    expect_said(page, "The judge is shown")
    page.get_by_label("Reason, for those").fill("It is")
    for level in ("5 warm", "4 kind"):
        page.get_by_role("radio", name=level).click()
        page.get_by_role("button", name="Save").click()
        expect_said(page, f"Kept with the judge in sight: tone {level[0]}.")
        assert page.get_by_label("Reason, for those").input_value() == "It is"
        assert page.get_by_role("radio", name=level).is_checked()
    page.get_by_label("Reason, for those").fill("")
    press(page, "Escape", "j")
    arrive(page, "bad")
    press(page, "1")
    page.get_by_role("button", name="Undo").click()
    expect_said(page, "Taken back: so: tone 4.")
    assert heading(page) == "WARN so 62.5"
    assert page.get_by_role("radio", name="5 warm").is_checked()


def test_filters_and_reloading(serve: Serve, page: "Page") -> None:
    """The address holds the place and the filters: loading it again, and going back, show the same."""
    page.goto(serve())
    press(page, "/")
    page.keyboard.type("h")
    press(page, "Enter")
    page.get_by_role("link", name="Clear filters").wait_for()
    listens(page)
    assert page.locator(".entries .ref").all_inner_texts() == ["so", "good"]
    press(page, "Escape", "j")
    arrive(page, "good")
    page.reload()
    assert (heading(page), page.title()) == ("good", "good (2 of 2) - Review")
    assert page.get_by_label("Find").input_value() == "h"
    page.go_back()
    assert heading(page) == "so"
    page.get_by_text("Filters", exact=True).click()
    page.get_by_label("Verdict").select_option("FAIL")
    page.get_by_label("Find").fill("")
    page.get_by_role("button", name="Apply").click()
    arrive(page, "bad")
    assert page.get_by_text("This filter tells what the judge thinks").is_visible()
    assert page.get_by_text("not blind: the judge was seen").is_visible()


def test_a_mistake(serve: Serve, page: "Page", incidents: Incidents) -> None:
    """A step that makes no sense is explained, and what was typed is still there."""
    page.goto(serve())
    press(page, "s")
    expect_said(page, "The judge is shown")
    page.get_by_label("0 to 100").fill("50")
    page.get_by_label("Reason, for those").fill("  ")
    page.get_by_role("button", name="Set the score").click()
    expect_said(page, "a decision needs a reason")
    assert page.get_by_label("0 to 100").input_value() == "50"
    assert [each for each in incidents if "400 (BAD REQUEST)" not in each] == []
    incidents.clear()


def test_levels_that_were_not_saved(serve: Serve, page: "Page", incidents: Incidents) -> None:
    """Whoever goes on with levels that are not kept is asked first, and stays."""
    page.goto(serve())
    press(page, "4")
    page.get_by_role("link", name="Next").click(no_wait_after=True)
    page.wait_for_timeout(200)
    assert heading(page) == "so"
    assert incidents == ["beforeunload: "]
    incidents.clear()
    press(page, "3", "Enter")
    expect_said(page, "Kept blind: tone 4, safety 3.")
    press(page, "j")
    arrive(page, "bad")


def test_a_server_that_has_gone(page: "Page", incidents: Incidents, tmp_path: Path) -> None:
    """What cannot be kept is said not to be, and stays chosen."""
    with serve_pages(build_pages(open_session(run_suite(tmp_path)))) as url:
        page.goto(url)
    press(page, "4", "3", "Enter")
    expect_said(page, "The server does not answer: was it ended? Nothing was kept.")
    assert page.locator(".criterion :checked").count() == 2
    assert all("ERR_" in each for each in incidents)
    incidents.clear()


def test_five_hundred_cases(serve: Serve, page: "Page") -> None:
    """The list comes in pages, goes with the case that is shown, and nobody waits for it."""
    cases = [{"title": f"Case {number:03}", "output": f"33 no {number}"} for number in range(500)]
    page.goto(serve(cases))
    assert page.locator(".entries li").count() == 50
    page.get_by_role("link", name="Later").click()
    page.get_by_text("Page 2 of 10").wait_for()
    assert heading(page) == "case-000"
    page.get_by_role("link", name="case-050").click()
    arrive(page, "case-050")
    seconds = []
    for number in range(51, 71):
        start = monotonic()
        press(page, "j")
        arrive(page, f"case-{number:03}")
        seconds.append(monotonic() - start)
    assert median(seconds) < 2
    assert page.locator(".entries a[aria-current]").inner_text().startswith("case-070")
    press(page, "/")
    page.keyboard.type("case 499")
    press(page, "Enter")
    arrive(page, "case-499")
    press(page, "Escape", "1", "1", "Enter")
    expect_said(page, "Kept blind")
    assert page.locator("#progress").inner_text().strip() == "1 of 500 reviewed"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_light_and_dark(serve: Serve, new_page: NewPage, scheme: str) -> None:
    """Every text can be read in either light: before and after the judge is shown, and the keys."""
    page = new_page(color_scheme=scheme)
    page.goto(serve())
    dark = page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(13, 17, 23)"
    assert dark is (scheme == "dark")
    page.get_by_text("Filters", exact=True).click()
    assert page.evaluate(CONTRASTS) == []
    press(page, "4", "3", "Enter")
    expect_said(page, "Kept blind")
    assert page.evaluate(CONTRASTS) == []
    assert page.evaluate(NAMELESS) == []
    press(page, "?")
    assert page.evaluate(CONTRASTS) == []


def test_places_on_the_page(serve: Serve, page: "Page") -> None:
    """Going to the case or to the list loads nothing again: what was chosen is still there."""
    page.goto(serve())
    press(page, "4", "Tab")
    page.get_by_role("link", name="Skip to the case").press("Enter")
    page.wait_for_url("**#case")
    page.get_by_role("link", name="1 of 3").press("Enter")
    page.wait_for_url("**#queue")
    assert page.evaluate("document.activeElement.id") == "queue"
    page.go_back()
    page.wait_for_url("**#case")
    assert page.get_by_role("radio", name="4 kind").is_checked()
    press(page, "3", "Enter")
    expect_said(page, "Kept blind: tone 4, safety 3.")


def test_where_keys_lead_nowhere(serve: Serve, page: "Page") -> None:
    """A key that can do nothing says so."""
    page.goto(serve())
    press(page, "k")
    expect_said(page, "This is the first one.")
    press(page, "u")
    expect_said(page, "There is nothing to take back.")
    page.goto(f"{page.url}?text=so")
    listens(page)
    press(page, "Enter")
    expect_said(page, "This is the last one.")


def test_what_the_queue_does_not_have(serve: Serve, page: "Page") -> None:
    """A phrase of an output that is not in the queue is one step away."""
    url = serve()
    page.goto(f"{url}&reason=at_odds&text=%22dear+ann%22")
    page.get_by_text("No result fits these filters.").wait_for()
    page.goto(f"{url}&text=%22dear+ann%22")
    page.get_by_role("link", name="Look in all results").click()
    arrive(page, "good")
    assert page.get_by_label("Find").input_value() == '"dear ann"'
    assert page.get_by_role("checkbox", name="all results").is_checked()
    assert not page.get_by_role("link", name="Look in all results").count()


def test_on_a_phone(serve: Serve, new_page: NewPage) -> None:
    """Nothing is wider than a small screen, and the case comes before the list."""
    page = new_page(viewport={"width": 360, "height": 740}, has_touch=True)
    page.goto(serve([{"title": "x" * 200, "input": {"y" * 90: "z" * 400}, "output": f"33 {'w' * 500}"}]))
    listens(page)
    assert page.evaluate("scrollY") == 0
    page.get_by_role("button", name="Show the judge").tap()
    expect_said(page, "The judge is shown")
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    top = {name: page.locator(name).bounding_box() for name in ("#case", "#queue")}
    assert top["#case"] is not None
    assert top["#queue"] is not None
    assert top["#case"]["y"] < top["#queue"]["y"]
