"""How far a judge agrees with people, as people and programs read it."""

from dataclasses import replace
from typing import Any

import pytest
from wcwidth import width as columns

from judges.core.case import Category
from judges.out.calibration import render_calibrated
from judges.out.calibration_json import encode_calibrated
from judges.reduce.calibration import calibrate
from judges.reduce.calibration_figures import Label
from judges.reduce.calibration_rate import Share, correct_pass_rate
from judges.run.calibrate import Calibrated, People

LABELS = [
    Label(
        case=f"c{number}",
        category=tuple(Category)[number % 4],
        output_sha256=str(number),
        criterion=criterion,
        people=1 + number % 5,
        judge=max(1, 1 + number % 5 - (number % 3 == 0)) if criterion == "tone" else 1 + number % 2,
        failing=number % 5 < 3,
    )
    for criterion in ("tone", "safety")
    for number in range(20)
]
FOUND = Calibrated(
    suite="support-reply",
    run="20261130T101500Z-3f1a",
    judge="openai:gpt-4o",
    wording="3",
    levels={"tone": 5, "safety": 5},
    calibration=calibrate(LABELS, [], list(Category)),
    pass_rate=correct_pass_rate(Share(60, 80), [(True, True)] * 9 + [(False, False)] * 8 + [(False, True)]),
    people=People(authors=2, blind=41, seen=3, corrections=1),
    left_out={"the run does not have that output": 2},
    unanswered=0,
    stale=(),
    least=0.4,
)
PAGE = """\
openai:gpt-4o in run 20261130T101500Z-3f1a, and people
40 labels of 20 outputs of 20 cases; 44 ratings of 2 people, 41 blind, 1 by a
correction

                   n  kappa         95 %  same    ±1   MAE   bias   tau  base
all               40   0.47   0.39..0.55  0.47  0.75  0.97  -0.88  0.46  0.20
tone              20   0.94   0.87..1.00  0.75  1.00  0.25  -0.25  0.91  0.20
safety            20   0.00  -0.16..0.16  0.20  0.50  1.70  -1.50  0.00  0.20
[element]         10   0.48   0.38..0.57  0.50  0.70  1.10  -1.10  0.95  0.20
[mixed]           10   0.47   0.36..0.58  0.50  0.80  0.80  -0.60  0.95  0.20
[edge]            10   0.45   0.30..0.61  0.40  0.70  1.20  -1.20  0.89  0.20
[zero_condition]  10   0.47   0.35..0.59  0.50  0.80  0.80  -0.60  0.95  0.20

levels 1 to 5: people down, judge across
           1     2     3     4     5
     1     6     2     .     .     .
     2     3     5     .     .     .
     3     2     3     3     .     .
     4     2     2     2     2     .
     5     2     2     .     1     3

Pass rate: the judge passes 60 of 80, 0.75 (95 % interval: 0.65 to 0.83). Of
  those that people pass it passes 9 of 9, 1.00 (95 % interval: 0.70 to 1.00);
  of those that people fail it fails 8 of 9, 0.89 (95 % interval: 0.57 to 0.98).
  Corrected by that: 0.72 (95 % interval: 0.55 to 1.00).

2 ratings left out: the run does not have that output

SMOKE TEST: 40 labels tell a judge that is far off, and not how good another is:
  that takes 100.
PASS: kappa 0.47 reaches thresholds.min_agreement: 0.4.
"""


def test_the_page() -> None:
    """Who is compared on what, all figures, how levels fall together, the pass rate, and what follows."""
    assert render_calibrated(FOUND, width=80) == PAGE


@pytest.mark.parametrize("width", [40, 79, 80, 200])
def test_width(width: int) -> None:
    """All fits, and nothing of a file can move the cursor."""
    odd = replace(
        FOUND,
        judge="openai:\x1b[2J" + "long-" * 30,
        stale=("\x1b[2J judged\n::error::that run",),
        left_out={"w" * 300: 1},
        pass_rate=None,
    )
    page = render_calibrated(odd, width=width)
    assert not {"\x1b", "\r"} & set(page)
    assert not any(line.lstrip().startswith("::") for line in page.splitlines())
    assert max(map(columns, page.splitlines())) <= width


def test_a_narrow_terminal() -> None:
    """The table becomes sentences, so that no name of a category is cut to pieces."""
    page = render_calibrated(FOUND, width=40)
    assert "\n[element]: n " in page
    assert "\n]" not in page


def conclusion(**changes: Any) -> str:
    page = " ".join(render_calibrated(replace(FOUND, **changes), width=200).split())
    return page.partition("that output ")[2]


def calibration(n: int, level: int | None = None) -> Any:
    """The calibration of so many labels, or of labels that all have one level."""
    chosen = [*LABELS * 10][:n]
    if level is not None:
        chosen = [replace(each, people=level, judge=level) for each in chosen]
    return calibrate([replace(each, case=f"{at}") for at, each in enumerate(chosen)], [], ())


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        pytest.param({"least": 0.9}, "FAIL: kappa 0.47 is below thresholds.min_agreement: 0.9.", id="fails"),
        pytest.param(
            {"least": None},
            "Nothing is asked of the judge: the suite has no thresholds.min_agreement.",
            id="no minimum",
        ),
        pytest.param(
            {"calibration": calibration(29)},
            "TOO FEW: 29 of the 30 labels that it takes to tell anything. INCONCLUSIVE: these labels cannot "
            "tell whether the judge reaches thresholds.min_agreement: 0.4.",
            id="too few",
        ),
        pytest.param(
            {"calibration": calibration(100)},
            "USABLE: 100 labels tell how far the judge can be trusted, and not yet to gate on it: that takes "
            "200, 50 of them failing; 60 are. PASS: kappa",
            id="usable",
        ),
        pytest.param(
            {"calibration": calibration(200)},
            "SUPPORTS A GATE: 200 labels, 120 of them failing. PASS: kappa",
            id="gate",
        ),
        pytest.param(
            {"stale": ("a judged that run, and the judge is b now",)},
            "STALE: a judged that run, and the judge is b now. People's ratings hold; the judge has to be "
            "asked again: run the suite. SMOKE TEST",
            id="stale",
        ),
        pytest.param(
            {"unanswered": 3},
            "3 labels not compared: the judge gave no answer Nothing follows while answers are missing.",
            id="unanswered",
        ),
        pytest.param(
            {"calibration": calibration(0)},
            "NOTHING TO COMPARE: no output of the run has a rating that counts.",
            id="nothing",
        ),
        pytest.param(
            {"calibration": calibrate(LABELS, [], ()), "least": 0.4}, "PASS: kappa 0.47 reaches", id="passes"
        ),
    ],
)
def test_conclusions(changes: dict[str, Any], expected: str) -> None:
    """What follows is said in words, and no verdict where nothing was measured."""
    assert expected in conclusion(**changes)
    assert ("PASS:" in conclusion(**changes)) == ("PASS:" in expected)


def test_a_category_that_nobody_rated() -> None:
    """Many labels are no more than a smoke test while a kind of case is without any."""
    some = replace(calibration(200), unrated=(Category.EDGE, Category.MIXED))
    assert "not how good another is: none of them is of category edge, mixed." in conclusion(calibration=some)


def test_what_is_not_defined_is_said() -> None:
    """Levels that never differ give no kappa: the page says why, and shows neither 0 nor NaN."""
    page = render_calibrated(replace(FOUND, calibration=calibration(40, level=4)), width=120)
    assert "tone: no kappa and no tau: people and judge gave one and the same level throughout" in page
    assert "nan" not in page.lower()
    flat = calibrate([replace(each, people=4) for each in LABELS], [], ())
    page = render_calibrated(replace(FOUND, calibration=flat), width=80)
    assert "tone: no tau: people or the judge gave the same level throughout" in page


def test_a_pass_rate_that_is_not_corrected() -> None:
    """The reason stands in place of the figure."""
    rate = correct_pass_rate(Share(60, 80), [(True, True)] * 9)
    page = " ".join(render_calibrated(replace(FOUND, pass_rate=rate), width=80).split())
    assert (
        "of those that people fail it fails 0 of 0. Not corrected by that: people have rated no output"
        in page
    )


def test_no_pass_rate_without_a_label() -> None:
    """Where people have said nothing there is nothing to hold the judge's pass rate against."""
    page = render_calibrated(replace(FOUND, calibration=calibrate([], [], ())), width=80)
    assert "Pass rate" not in page
    assert "NOTHING TO COMPARE" in page


def test_json() -> None:
    """Every figure with its interval; the matrix with a line for each level of people."""
    told = encode_calibrated(FOUND)
    assert (told["schema"], told["verdict"], told["strength"]) == (1, "PASS", "smoke test")
    assert (told["suite"], told["run"], told["judge"]) == ("support-reply", FOUND.run, "openai:gpt-4o")
    assert told["labels"] == {"authors": 2, "blind": 41, "seen": 3, "corrections": 1}
    tone = told["criteria"]["tone"]
    assert (tone["n"], tone["outputs"], tone["exact"]["value"]) == (20, 20, 0.75)
    assert tone["matrix"] == [
        [4, 0, 0, 0, 0],
        [1, 3, 0, 0, 0],
        [0, 1, 3, 0, 0],
        [0, 0, 2, 2, 0],
        [0, 0, 0, 1, 3],
    ]
    low, high = tone["kappa"]["interval"]
    assert 0 < low < tone["kappa"]["value"] < high <= 1
    assert list(told["categories"]) == ["element", "mixed", "edge", "zero_condition"]
    assert (told["people"], told["unrated"], told["min_agreement"]) == (None, [], 0.4)
    assert told["pass_rate"]["judged"]["value"] == 0.75
    assert told["pass_rate"]["corrected"]["value"] == pytest.approx((0.75 + 8 / 9 - 1) / (8 / 9))
    nothing = encode_calibrated(replace(FOUND, calibration=calibrate([], [], ()), pass_rate=None))
    assert (nothing["overall"], nothing["pass_rate"], nothing["verdict"]) == (None, None, "SKIP")
