"""The HTML report in a real browser: readable everywhere, and usable by keyboard."""

from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from browser.chromium import NewPage
from stored_run import store_report, write_page

from judges.core.report import (
    Report,
    SuiteReport,
)
from judges.core.verdict import Verdict

if TYPE_CHECKING:
    from playwright.sync_api import Page


@pytest.fixture
def address(report: Report, tmp_path: Path) -> str:
    """The page of the small report."""
    return write_page(tmp_path, store_report(tmp_path, report))


def visible(page: "Page") -> list[str]:
    """The refs of the cases that are shown."""
    shown: list[str] = page.locator(".case:visible > summary > .ref").all_text_contents()
    return shown


def test_verdicts_are_chosen_by_keyboard(page: "Page", address: str) -> None:
    """From the top Tab leads to the filters, Space switches one, and it comes back."""
    page.goto(address)
    everything = ["no-reply", "angry-customer", "later", "refund-in-time", "nonsense"]
    assert visible(page) == everything
    for _ in range(5):  # the link past the filters, then ERROR, FAIL, SKIP, PASS
        page.keyboard.press("Tab")
    page.keyboard.press("Space")
    assert visible(page) == everything[:3]
    page.keyboard.press("Space")
    assert visible(page) == everything
    page.get_by_role("checkbox", name="edge").press("Space")
    page.get_by_role("checkbox", name="ERROR").press("Space")
    assert visible(page) == everything[2:]
    page.get_by_role("checkbox", name="corrected").press("Space")
    assert visible(page) == ["nonsense"]


def test_a_case_is_opened_by_keyboard(page: "Page", address: str) -> None:
    """Enter on a case shows its output and rows."""
    page.goto(address)
    output = page.get_by_text("Gladly, your refund is on its way.")
    assert not output.is_visible()
    page.locator("summary", has_text="refund-in-time").press("Enter")
    assert output.is_visible()
    assert page.get_by_text("level 5 of 5, confidence 0.9, weight 0.3").is_visible()


def test_only_cases_with_another_verdict(
    page: "Page", report: Report, suite: SuiteReport, tmp_path: Path
) -> None:
    """Against another run the changed cases can be shown alone."""
    before = store_report(tmp_path, report)
    first, *rest = suite.cases
    now = replace(suite, cases=(replace(first, verdict=Verdict.FAIL), *rest))
    later = replace(report, run_dir=report.run_dir.with_name("20261201T131400Z-cd34"), suites=(now,))
    page.goto(write_page(tmp_path, store_report(tmp_path, later), against=before))
    page.get_by_role("checkbox", name="another verdict than before").press("Space")
    assert visible(page) == ["refund-in-time"]


def test_landmarks_and_names(page: "Page", address: str) -> None:
    """What a screen reader steps through is there, once, and pictures have words."""
    page.goto(address)
    for role in ("banner", "main", "contentinfo"):
        assert page.get_by_role(role).count() == 1
    assert page.get_by_role("heading", level=1).count() == 1
    levels = page.evaluate("[...document.querySelectorAll('h1,h2,h3,h4,h5')].map(e => +e.localName[1])")
    assert all(after <= before + 1 for before, after in pairwise(levels))
    assert page.locator("svg:not([aria-label])").count() == 0
    assert page.locator("table:not(:has(th[scope=col]))").count() == 0
    assert page.evaluate("new Set([...document.querySelectorAll('[id]')].map(e => e.id)).size") == (
        page.locator("[id]").count()
    )


CONTRAST = """() => {
    const canvas = document.createElement("canvas").getContext("2d", {willReadFrequently: true});
    const light = (r, g, b) => [r, g, b].map(c => c / 255)
        .map(c => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
        .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
    const paint = colours => {
        for (const colour of colours) { canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1); }
        return light(...canvas.getImageData(0, 0, 1, 1).data);
    };
    const ground = element => getComputedStyle(element).backgroundColor;
    const layers = element => element ? [...layers(element.parentElement), ground(element)] : [];
    const texts = [...document.querySelectorAll("body *")].filter(element => element.checkVisibility()
        && [...element.childNodes].some(node => node.nodeType === 3 && node.data.trim()));
    return texts.map(element => {
        const style = getComputedStyle(element), behind = layers(element);
        const ink = element.namespaceURI.endsWith("svg") ? style.fill : style.color;
        const [one, other] = [paint(behind), paint([...behind, ink])].sort((a, b) => b - a);
        return [(one + 0.05) / (other + 0.05), element.className + " " + element.textContent.slice(0, 30)];
    }).filter(([contrast]) => contrast < 4.5);
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_text_stands_out(new_page: NewPage, address: str, scheme: str) -> None:
    """In both colour schemes all text has a contrast of at least 4.5 (WCAG 2.2, AA), and the two differ."""
    page = new_page(color_scheme=scheme)
    page.goto(address)
    for summary in page.locator(".case > summary").all():
        summary.click()
    assert page.evaluate(CONTRAST) == []
    ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert ground == {"light": "rgb(255, 255, 255)", "dark": "rgb(13, 17, 23)"}[scheme]


@pytest.mark.parametrize("width", [320, 390, 1200])
def test_no_page_is_wider_than_its_window(
    new_page: NewPage, report: Report, tmp_path: Path, width: int
) -> None:
    """On a phone, too, one scrolls in one direction, however long the words are."""
    suite = report.suites[0]
    long = replace(suite.cases[0], ref="r" * 200, title="t" * 200, output="w" * 5000)
    stored = replace(report, suites=(replace(suite, name="n" * 100, cases=(long, *suite.cases)),))
    page = new_page(viewport={"width": width, "height": 800})
    page.goto(write_page(tmp_path, store_report(tmp_path, stored)))
    for summary in page.locator(".case > summary").all():
        summary.click()
    assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("width", [390, 1200])
def test_the_spread_of_a_criterion_is_in_sight(new_page: NewPage, address: str, width: int) -> None:
    """On a phone the table of criteria narrows its bars; nobody has to scroll to them."""
    page = new_page(viewport={"width": width, "height": 800})
    page.goto(address)
    ends = page.locator(".panel svg.tenths").first.evaluate(
        "e => [e.getBoundingClientRect().right, e.closest('.scroll').getBoundingClientRect().right]"
    )
    assert ends[0] <= ends[1]


def test_paper(page: "Page", address: str) -> None:
    """Printed, what did not pass is open, the rest is a line, and there are no filters."""
    page.goto(address)
    page.emulate_media(media="print")
    texts = ("We regret.", "Gladly, your refund is on its way.")
    boxes = [page.get_by_text(text).bounding_box() for text in texts]
    assert [bool(box and box["height"]) for box in boxes] == [True, False]
    assert not page.locator(".filters").is_visible()


def test_pictures_are_drawn(page: "Page", report: Report, tmp_path: Path) -> None:
    """The histogram has a bar for each tenth with a score, in its verdict's colour; the last runs a line."""
    runs = [
        store_report(
            tmp_path, replace(report, run_dir=report.run_dir.with_name(f"2026120{day}T131400Z-ab12"))
        )
        for day in (1, 2, 3)
    ]
    page.goto(write_page(tmp_path, runs[-1]))
    bars = page.get_by_role("img", name="How many cases have which score").locator("rect")
    assert [bar.get_attribute("class") for bar in bars.all()] == ["fail", "pass", "pass"]
    assert bars.first.evaluate("e => getComputedStyle(e).fill") == "rgb(194, 31, 42)"
    assert page.locator("polyline").count() == 2
    assert page.locator("circle.rate").count() == 3
    page.get_by_text("Figures").click()
    assert page.locator("tr", has_text="20261202T131400Z-ab12").locator("td").first.inner_text() == "50"
