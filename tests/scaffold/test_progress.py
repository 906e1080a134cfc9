"""How far a run has come."""

import io
import subprocess
import sys
from collections.abc import Iterator
from decimal import Decimal

import pytest

from judges.core.report import CaseReport
from judges.core.usage import Usage
from judges.core.verdict import Verdict
from scaffold.progress import open_progress, render_seconds


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def case(verdict: Verdict = Verdict.PASS, cost: str | None = "0") -> CaseReport:
    """Return a finished case."""
    usage = Usage(calls=1, cost_usd=None if cost is None else Decimal(cost))
    return CaseReport(ref="a", title="A", category=None, verdict=verdict, rows=(), usage=usage)


def run(
    cases: list[CaseReport], *, total: int, seconds: float, stream: io.StringIO | None = None
) -> list[str]:
    """Return the lines written for these cases, each finishing `seconds` after the one before."""
    stream = stream or io.StringIO()
    ticks: Iterator[float] = (number * seconds for number in range(len(cases) + 1))
    with open_progress(total, stream=stream, environ={}, clock=lambda: next(ticks)) as progress:
        for each in cases:
            progress.advance(each)
    return stream.getvalue().splitlines()


def test_a_line_is_written_at_every_tenth_of_the_way() -> None:
    """A log gets ten lines however many cases there are."""
    lines = run([case()] * 500, total=500, seconds=0.1)
    assert len(lines) == 10
    assert lines[0] == "50 of 500 done: 50 passed, about 45 s left"
    assert lines[-1] == "500 of 500 done: 500 passed"


def test_a_slow_run_shows_that_it_lives() -> None:
    """Between two tenths a line comes every 10 seconds."""
    assert run([case()] * 6, total=1000, seconds=4) == [
        "3 of 1,000 done: 3 passed, about 1 h 6 min left",
        "6 of 1,000 done: 6 passed, about 1 h 6 min left",
    ]


def test_a_fast_run_is_silent() -> None:
    """What is over within a second needs no progress."""
    assert run([case()] * 100, total=100, seconds=0.001) == []


def test_what_went_wrong_and_the_cost_are_shown() -> None:
    """Counts worst first, then the cost so far."""
    cases = [case(Verdict.FAIL, "0.01"), case(Verdict.ERROR), case(cost="0.002")]
    assert run(cases, total=3, seconds=5)[-1] == "3 of 3 done: 1 errored, 1 failed, 1 passed, 0.0120 USD"


def test_an_unknown_cost_is_said_to_be_unknown() -> None:
    """A model without a price does not look free."""
    assert run([case(cost=None)], total=1, seconds=5) == [
        "1 of 1 done: 1 passed, cost unknown (a model without a known price)"
    ]


def test_quiet_writes_nothing() -> None:
    """Not even on a terminal."""
    stream = Terminal()
    with open_progress(1, quiet=True, stream=stream, environ={}) as progress:
        progress.advance(case(Verdict.FAIL))
    assert stream.getvalue() == ""
    assert progress.totals.failed == 1


def test_a_terminal_gets_a_live_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """Counts are redrawn in place, and the line is taken away at the end."""
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "100")
    stream = Terminal()
    with open_progress(2, stream=stream, environ={"TERM": "xterm"}) as progress:
        progress.advance(case(Verdict.FAIL, "0.01"))
        progress.advance(case())
    text = stream.getvalue()
    assert "2/2" in text
    assert "1 failed, 1 passed, 0.0100 USD" in text
    assert text.endswith("\x1b[2K")


@pytest.mark.parametrize("environ", [{"TERM": "dumb"}, {"CI": "true"}], ids=["dumb terminal", "ci"])
def test_a_terminal_that_cannot_redraw_gets_lines(environ: dict[str, str]) -> None:
    """A log of a CI machine holds no cursor movements."""
    stream = Terminal()
    times = iter([0.0, 20.0])
    with open_progress(1, stream=stream, environ=environ, clock=lambda: next(times)) as progress:
        progress.advance(case())
    assert stream.getvalue() == "1 of 1 done: 1 passed\n"


def test_the_default_stream_is_standard_error(capsys: pytest.CaptureFixture[str]) -> None:
    """Standard output stays clean for pipes."""
    times = iter([0.0, 20.0])
    with open_progress(1, clock=lambda: next(times)) as progress:
        progress.advance(case())
    captured = capsys.readouterr()
    assert (captured.out, captured.err) == ("", "1 of 1 done: 1 passed\n")


def test_rich_is_not_imported_without_a_terminal() -> None:
    """A run in CI does not pay for what it does not show."""
    program = (
        "import sys\nfrom scaffold.progress import open_progress\n"
        "with open_progress(1): pass\nsys.exit('rich' in sys.modules)"
    )
    assert (
        subprocess.run([sys.executable, "-c", program], stderr=subprocess.PIPE, check=False).returncode == 0
    )


@pytest.mark.parametrize(
    ("seconds", "expected"),
    [(0.4, "0 s"), (40, "40 s"), (89.4, "89 s"), (90, "2 min"), (3540, "59 min"), (4800, "1 h 20 min")],
)
def test_durations_are_for_people(seconds: float, expected: str) -> None:
    """No more precision than an estimate has."""
    assert render_seconds(seconds) == expected
