"""What a judge was found to be worth, as people and programs read it."""

from decimal import Decimal
from pathlib import Path

import pytest
from wcwidth import width as columns

from judges.core.usage import Usage
from judges.out.qualification import encode_measured, render_measured
from judges.reduce.qualification import Rated, qualify
from judges.run.qualify import Measured

RATED = [
    Rated(
        case=f"c{number}",
        output_sha256=str(number),
        criterion=criterion,
        people=1 + number % 5,
        judge=max(1, 1 + number % 5 - (number % 3 == 0)),
    )
    for number in range(40)
    for criterion in ("correctness", "tone")
]
MEASURED = Measured(
    judge="openai:gpt-4o",
    qualification=qualify(RATED),
    usage=Usage(calls=40, cached=12, input_tokens=31_000, output_tokens=4_000, cost_usd=Decimal("0.12")),
)
LEFT_OUT = {"the rubric has changed since": 3}
PAGE = """\
openai:gpt-4o and people, on 40 outputs of 40 cases
accuracy 0.95 over 1,280 pairs (95 % interval: 0.92 to 0.96; chance: 0.5)

criterion    outputs    pairs    accuracy    kappa    error    bias    commonest
-----------  ---------  -------  ----------  -------  -------  ------  -----------
correctness  40         640      0.95        0.93     0.28     -0.28   0.20
tone         40         640      0.95        0.93     0.28     -0.28   0.20

3 ratings left out: the rubric has changed since
QUALIFIED: openai:gpt-4o orders outputs as people do, better than chance.
40 calls, 12 from the cache, 31,000 tokens in, 4,000 out, 0.1200 USD
"""


def test_the_page() -> None:
    """Accuracy with its interval, each criterion, what was left out, and what follows; the docs show it."""
    assert render_measured(MEASURED, LEFT_OUT, width=100) == PAGE
    how_to = Path(__file__).parents[3] / "docs/how-to/qualify-a-judge.md"
    assert f"```text\n{PAGE}```\n" in how_to.read_text(encoding="utf-8")


@pytest.mark.parametrize("width", [40, 89, 90, 200])
def test_width(width: int) -> None:
    """Every line fits, and every criterion is there."""
    strange = [Rated(case="c", output_sha256=f"{n}", criterion="x" * 48, people=n, judge=1) for n in (1, 2)]
    measured = Measured(
        judge="openai:" + "long-" * 30,
        qualification=qualify([*RATED, *strange]),
        unanswered={"it was \x1b[2J refused\n::error::x": 2},
    )
    page = render_measured(measured, LEFT_OUT, width=width)
    assert max(map(columns, page.splitlines())) <= width
    assert "correctness" in page
    assert "2 outputs not judged: it was \\x1b[2J refused" in page.replace("\n ", "").replace("\n", " ")


@pytest.mark.parametrize(
    ("measured", "sentence"),
    [
        pytest.param(Measured(judge="j", qualification=qualify(RATED[:20])), "TOO FEW ratings", id="few"),
        pytest.param(
            Measured(judge="j", qualification=qualify(RATED), unanswered={"why": 1}),
            "Nothing follows while outputs are not judged",
            id="missing answers",
        ),
        pytest.param(
            Measured(judge="j", qualification=qualify([])), "there is nothing to order", id="nothing"
        ),
    ],
)
def test_no_conclusion(measured: Measured, sentence: str) -> None:
    """What cannot be concluded is said, and is no conclusion."""
    page = render_measured(measured, {}, width=200)
    assert sentence in page
    assert "QUALIFIED" not in page
    assert "SMOKE" not in page
    assert not measured.decided


def test_json() -> None:
    """The same figures for programs."""
    told = encode_measured(MEASURED, LEFT_OUT)
    assert {key: told[key] for key in ("judge", "standing", "n", "cases", "pairs", "left_out")} == {
        "judge": "openai:gpt-4o",
        "standing": "qualified",
        "n": 40,
        "cases": 40,
        "pairs": 1280,
        "left_out": {"the rubric has changed since": 3},
    }
    assert told["interval"][0] < told["accuracy"] < told["interval"][1]
    assert list(told["criteria"]) == ["correctness", "tone"]
