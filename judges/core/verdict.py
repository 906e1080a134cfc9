"""Verdicts and exit codes, and how several verdicts become one."""

from collections.abc import Iterable
from enum import IntEnum, StrEnum


class Verdict(StrEnum):
    """What is known about a row, a case, a suite or a run.

    ERROR means that it could not be measured; it is never folded into FAIL.
    """

    PASS = "PASS"
    WARN = "WARN"
    FAIL = "FAIL"
    ERROR = "ERROR"
    INCONCLUSIVE = "INCONCLUSIVE"
    SKIP = "SKIP"


class ExitCode(IntEnum):
    """What the process tells its caller."""

    PASSED = 0
    FAILED = 1
    USAGE = 2
    UNMEASURED = 3
    NOTHING_RUN = 4
    INTERNAL = 70
    INTERRUPTED = 130


WORST_FIRST = (
    Verdict.ERROR,
    Verdict.FAIL,
    Verdict.INCONCLUSIVE,
    Verdict.WARN,
    Verdict.PASS,
    Verdict.SKIP,
)


def worst(verdicts: Iterable[Verdict]) -> Verdict:
    """Return the worst verdict; of nothing at all, SKIP: nothing was measured."""
    return min(verdicts, key=WORST_FIRST.index, default=Verdict.SKIP)


def exit_code(
    verdicts: Iterable[Verdict], *, allow_warn: bool = False, allow_inconclusive: bool = False
) -> ExitCode:
    """Return the exit code for the verdicts of all suites of a run.

    Precedence: could not be measured (3), failed (1), nothing was run (4), passed (0).
    """
    seen = set(verdicts)
    failing = {Verdict.FAIL}
    if not allow_warn:
        failing.add(Verdict.WARN)
    if not allow_inconclusive:
        failing.add(Verdict.INCONCLUSIVE)
    if Verdict.ERROR in seen:
        return ExitCode.UNMEASURED
    if seen & failing:
        return ExitCode.FAILED
    return ExitCode.PASSED if seen - {Verdict.SKIP} else ExitCode.NOTHING_RUN
