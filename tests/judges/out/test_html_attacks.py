"""The HTML report of attacks in a real browser: all of them are text, and nothing in it acts."""

import json
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hardening.attacks import HALF, OWN, PLACES, Attack, attacked_case, benign_cases, corpus_attacks
from hardening.gullible import GullibleJudge
from hardening.judged import judge_cases
from hardening.suites import CORPUS, SUITES, Suite
from reference import ReadReference
from stored_run import CASES, store_report, write_page

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
from judges.out.printable import printable_lines
from judges.providers.scripted import ScriptedProvider

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
    page.goto(write_page(folder, judged.directory.path))
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
    page.goto(write_page(tmp_path, run, run, against=before))
    assert_nothing_breaks_out(page, 4)
    page.locator("summary").nth(1).click()
    page.wait_for_timeout(20)


def cleared(suite: SuiteReport) -> SuiteReport:
    """The suite with a verdict that was another one."""
    return replace(suite, cases=tuple(replace(case, verdict=Verdict.PASS) for case in suite.cases))
