"""The HTML report of very many cases: it opens, and is written in little memory."""

import tracemalloc
from decimal import Decimal
from itertools import cycle
from pathlib import Path
from typing import TYPE_CHECKING

from stored_run import CASES, store_report, write_page

from judges.core.case import Category
from judges.core.report import (
    CaseReport,
    Report,
    SuiteKind,
    SuiteReport,
    Totals,
)
from judges.core.row import Row
from judges.core.verdict import ExitCode, Verdict
from judges.out.html.page import render_html
from judges.run.reported import read_reported

if TYPE_CHECKING:
    from playwright.sync_api import Page


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
    address = write_page(tmp_path, store_many(tmp_path, 5_000))
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
