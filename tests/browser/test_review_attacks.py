"""Attack strings wherever the review page shows a text: all of them are shown, and none does anything."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import pytest
from hardening.attacks import OWN, corpus_attacks
from hardening.suites import CORPUS
from reference import ReadReference
from reviewed import build_pages, open_session, run_suite, serve_pages

from judges.out.printable import printable, printable_lines
from scaffold.review.session import ReviewSession

if TYPE_CHECKING:
    from playwright.sync_api import Page

Serve: TypeAlias = Callable[[Sequence[Sequence[str]]], str]

MARKUP = (
    "<script>alert(1)</script>",
    "</pre></dd></div></section></main><script src=https://attacker.invalid/x.js></script>",
    '"><img src=x onerror=alert(1)>',
    "' autofocus onfocus=alert(1) x='",
    "<svg onload=alert(1)><animate onbegin=alert(1) attributeName=x dur=1s>",
    "<iframe srcdoc='<script>parent.alert(1)</script>'></iframe>",
    "<style>* { display: none !important }</style><link rel=stylesheet href=https://attacker.invalid/x.css>",
    "<meta http-equiv=refresh content='0;url=https://attacker.invalid'>",
    "<base href=https://attacker.invalid/><a href=javascript:alert(1) ping=https://attacker.invalid>x</a>",
    "</form><form action=https://attacker.invalid><button formaction=javascript:alert(1)>x</button>",
    "</template><script>alert(1)</script>",
    "</textarea></select></option><input name=state value=x>",
    "<!-- --!><script>alert(1)</script><!--",
    "&lt;img src=x onerror=alert(1)&gt; &#60;script>",
    "{{ 7 * 7 }}{% raw %}{# x #}",
)
FOREIGN = (
    "script:not([src^='/static/']), iframe, img, svg, object, embed, base, style, template, "
    "meta[http-equiv], link[href^=http], form[action^=http], a[href^=javascript], "
    "[onerror], [onfocus], [onload], [onbegin]"
)
"""What no text may become; the page itself has none of it."""

AUTHOR = "<b>jane</b>"


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Serve]:
    """Serve the review of a run with a case for each group, which has its texts in every field."""
    with ExitStack() as served:
        yield lambda groups: served.enter_context(serve_pages(build_pages(run_attacks(tmp_path, groups))))


def run_attacks(root: Path, groups: Sequence[Sequence[str]]) -> ReviewSession:
    cases = [
        {
            "id": f"case-{number} {group[0]}",
            "title": group[0],
            "input": {text: text for text in group},
            "expected_behavior": "\n".join(group),
            "reference": "\n".join(group),
            "output": "33 " + "\n".join(group),
        }
        for number, group in enumerate(groups)
    ]
    anchors = "\n".join(f"{level}: {MARKUP[2]}" for level in range(1, 6))
    criteria = [
        {"name": "tone", "weight": 0.5, "rubric": f"{MARKUP[1]}\n{anchors}"},
        {"name": "safety", "weight": 0.5, "rubric": MARKUP[4]},
    ]
    return open_session(run_suite(root, cases, external=True, criteria=criteria), AUTHOR)


def look(page: "Page", group: Sequence[str]) -> None:
    """See that a case shows its texts as they are, before the judge is shown and after a decision."""
    shown = [printable_lines(text) for text in group]
    assert squeeze(page.locator("pre.output").text_content()) == squeeze("33 " + "\n".join(shown))
    assert [squeeze(each) for each in page.locator(".inputs dd").all_text_contents()] == list(
        map(squeeze, shown)
    )
    page.get_by_role("button", name="Show the judge").click()
    page.locator("#judge").wait_for()
    page.get_by_label("0 to 100").fill("50")
    page.get_by_label("Reason, for those").fill(f"because {group[0]}")
    page.get_by_role("button", name="Set the score").click()
    page.locator(".held").wait_for()
    assert squeeze(printable(group[0])) in squeeze(page.locator(".held").text_content())
    assert page.locator(FOREIGN).count() == 0
    assert page.locator("#queue").is_visible()


def squeeze(text: str | None) -> str:
    return "".join((text or "").split())


def test_markup(serve: Serve, page: "Page") -> None:
    """Markup in any field, in a rubric, a reason and the name of who decides is shown as text."""
    url = serve([[attack] for attack in MARKUP])
    page.goto(url)
    for number, attack in enumerate(MARKUP):
        page.goto(f"{url.partition('/?')[0]}/item/greeting/{number}")
        look(page, [attack])
    assert page.locator(".asked").first.inner_text() == MARKUP[1]
    assert page.locator(".level span").first.inner_text() == MARKUP[2]
    assert page.locator(".who").inner_text().endswith(f"as {AUTHOR}")


def test_own_strings(serve: Serve, page: "Page") -> None:
    """What invites this program's other formats to break invites nothing here."""
    texts = [attack.text for attack in OWN]
    url = serve([texts])
    page.goto(url)
    look(page, texts)


@pytest.mark.reference
def test_the_public_corpus(serve: Serve, page: "Page", read_reference: ReadReference) -> None:
    """Every string of the public corpora is shown in the list and in every field of a case."""
    texts = list(dict.fromkeys(attack.text for attack in corpus_attacks(read_reference(CORPUS))))
    groups = [texts[start : start + 25] for start in range(0, len(texts), 25)]
    url = serve(groups)
    page.goto(url)
    for number, group in enumerate(groups):
        page.goto(f"{url.partition('/?')[0]}/item/greeting/{number}")
        look(page, group)
    assert page.locator("#progress").inner_text().strip() == f"{len(groups)} of {len(groups)} reviewed"


@pytest.mark.reference
def test_the_public_corpus_in_the_list(serve: Serve, page: "Page", read_reference: ReadReference) -> None:
    """A list of cases with the strings as titles is a list of links to them, and nothing else."""
    texts = list(dict.fromkeys(attack.text for attack in corpus_attacks(read_reference(CORPUS))))
    seen = 0
    url = serve([[text] for text in texts])
    page.goto(url)
    while True:
        seen += page.locator(".entries > li > a").count()
        assert page.locator(FOREIGN).count() == 0
        if not page.get_by_role("link", name="Later").count():
            break
        page.get_by_role("link", name="Later").click()
        page.wait_for_load_state("load")
    assert seen == len(texts)
