"""Verdicts, and the exit codes they lead to."""

from itertools import permutations

import pytest

from judges.core.verdict import ExitCode, Verdict, exit_code, worst

P, W, F, E, S = Verdict.PASS, Verdict.WARN, Verdict.FAIL, Verdict.ERROR, Verdict.SKIP
INC = Verdict.INCONCLUSIVE


@pytest.mark.parametrize(
    ("verdicts", "expected"),
    [
        pytest.param([], S, id="nothing was measured"),
        pytest.param([P, S], P, id="a skip hides no pass"),
        pytest.param([P, W], W, id="a warning shows"),
        pytest.param([W, INC], INC, id="inconclusive is worse than a warning"),
        pytest.param([INC, F], F, id="a failure is worse than inconclusive"),
        pytest.param([F, E], E, id="what could not be measured is the worst"),
    ],
)
def test_worst(verdicts: list[Verdict], expected: Verdict) -> None:
    """The worst verdict wins, in any order."""
    assert {worst(order) for order in permutations(verdicts)} == {expected}


@pytest.mark.parametrize(
    ("verdicts", "flags", "expected"),
    [
        pytest.param([], {}, ExitCode.NOTHING_RUN, id="no suite"),
        pytest.param([S, S], {}, ExitCode.NOTHING_RUN, id="all skipped"),
        pytest.param([P, S], {}, ExitCode.PASSED, id="one passed"),
        pytest.param([P, W], {}, ExitCode.FAILED, id="a warning gates"),
        pytest.param([P, W], {"allow_warn": True}, ExitCode.PASSED, id="a warning is allowed"),
        pytest.param([INC], {}, ExitCode.FAILED, id="inconclusive gates"),
        pytest.param([INC], {"allow_inconclusive": True}, ExitCode.PASSED, id="inconclusive is allowed"),
        pytest.param([F, E], {"allow_warn": True}, ExitCode.UNMEASURED, id="unmeasured before failed"),
        pytest.param([F, W], {"allow_warn": True}, ExitCode.FAILED, id="a failure is never allowed"),
    ],
)
def test_exit_code(verdicts: list[Verdict], flags: dict[str, bool], expected: ExitCode) -> None:
    """Unmeasured comes before failed, failed before nothing run, and that before passed."""
    assert exit_code(verdicts, **flags) is expected
