"""A report without secrets."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from judges.core.encode import encode_case, encode_notices, encode_suite, render_line
from judges.core.report import CriterionResult, Report
from judges.core.row import Notice, Row
from judges.core.verdict import Verdict
from judges.out.masked import mask_report

KEY = "sk-proj-Xv92mLpR4tYw8KdJ"


def mask(text: str) -> str:
    return text.replace(KEY, "[key]")


@pytest.fixture
def leaking(report: Report) -> Report:
    """The report with the key in every text of a case, a suite and the run."""
    (suite,) = report.suites
    row = Row(
        id=KEY,
        kind=KEY,
        verdict=Verdict.FAIL,
        actual_excerpt=f"x {KEY}",
        error=KEY,
        spec={KEY: [KEY, {"deep": KEY}]},
        extra={"reasoning": KEY, "quotes": (KEY,), "level": 1},
    )
    case = replace(
        suite.cases[3],
        ref=KEY,
        title=KEY,
        rows=(row,),
        criteria={KEY: CriterionResult(level=1, percent=suite.cases[3].score or 0, reasoning=KEY)},  # type: ignore[arg-type]
        override={"score": 1.0, "reason": KEY},
        notices=(Notice(KEY, KEY),),
        output=KEY,
        outputs={"a": KEY, "b": None},
        model=KEY,
    )
    suite = replace(suite, name=KEY, cases=(case, *suite.cases), notices=(Notice(KEY),), summary={"x": KEY})
    return replace(report, suites=(suite,), notices=(Notice(KEY),))


def texts(report: Report) -> list[str]:
    (suite,) = report.suites
    return [
        render_line(encode_notices(report.notices)),
        render_line(encode_suite(suite)),
        *(render_line(encode_case(case)) for case in suite.cases),
    ]


def test_every_text_is_masked(leaking: Report) -> None:
    """No text of the report holds the secret, and nothing else has changed."""
    before, after = texts(leaking), texts(mask_report(leaking, mask))
    assert sum(text.count(KEY) for text in before) > 20
    assert after == [mask(text) for text in before]


@pytest.mark.parametrize(
    "read",
    [
        pytest.param(lambda cases: [cases[0], *cases[1:]], id="by index and slice"),
        pytest.param(list, id="in order"),
    ],
)
def test_cases_are_masked_as_they_are_read(leaking: Report, read: Callable[..., list[object]]) -> None:
    """However the cases are read, they are as many, and masked."""
    (suite,) = mask_report(leaking, mask).suites
    cases = read(suite.cases)
    assert len(cases) == len(suite.cases) == 6
    assert not [case for case in cases if KEY in repr(case)]


def test_paths_stay(leaking: Report) -> None:
    """Files are still found."""
    (suite,) = mask_report(leaking, mask).suites
    assert (suite.path, suite.run_dir) == (leaking.suites[0].path, leaking.suites[0].run_dir)
