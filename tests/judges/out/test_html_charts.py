"""Where the bars and lines of the page's pictures go."""

from judges.core.report import Totals
from judges.core.verdict import Verdict
from judges.out.html.charts import Bar, draw_history, draw_tenths, stack_outcomes, stack_scores
from judges.run.history import Point


def test_a_histogram_by_verdict() -> None:
    """The tallest tenth fills the height; what passed stands at the bottom, the worst on top."""
    scores: list[dict[Verdict, int]] = [{} for _ in range(10)]
    scores[4] = {Verdict.FAIL: 1, Verdict.PASS: 3}
    scores[9] = {Verdict.PASS: 2}
    assert list(stack_scores(scores, 100, 40)) == [
        Bar(x=41, y=10, width=8, height=30, kind="pass", title="40 to 50: 3 PASS"),
        Bar(x=41, y=0, width=8, height=10, kind="fail", title="40 to 50: 1 FAIL"),
        Bar(x=91, y=20, width=8, height=20, kind="pass", title="90 to 100: 2 PASS"),
    ]


def test_a_small_histogram() -> None:
    """Even a single case among many can be seen."""
    assert list(draw_tenths([1000, 0, 0, 0, 0, 0, 0, 0, 0, 1], 100, 20)) == [
        Bar(x=0, y=0, width=9, height=20, kind="plain", title="0 to 10: 1,000"),
        Bar(x=90, y=19, width=9, height=1, kind="plain", title="90 to 100: 1"),
    ]


def test_outcomes_in_one_bar() -> None:
    """The parts fill the width, worst first."""
    totals = Totals(cases=4, errored=1, passed=3, overridden=1)
    assert list(stack_outcomes(totals, 100, 6)) == [
        Bar(x=0, y=0, width=25, height=6, kind="error", title="1 ERROR"),
        Bar(x=25, y=0, width=75, height=6, kind="pass", title="3 PASS"),
    ]
    assert list(stack_outcomes(Totals(), 100, 6)) == []


def point(passed: int, mean: float | None) -> Point:
    return Point(run=f"r{passed}", totals=Totals(cases=4, passed=passed), mean_score=mean)


def test_figures_over_time() -> None:
    """A line a figure, with a dot a run; a run without the figure has none, and one dot is no line."""
    rate, mean = draw_history([point(4, 100.0), point(2, None), point(1, 0.0)], 200, 50)
    assert rate.points == "0.0,0.0 100.0,25.0 200.0,37.5"
    assert mean.points == "0.0,0.0 200.0,50.0"
    assert mean.dots[1] == (200, 50, "r1: 0.0")
    assert [line.kind for line in draw_history([point(4, 100.0), point(2, None)], 200, 50)] == ["rate"]
    assert list(draw_history([point(4, 100.0)], 200, 50)) == []
