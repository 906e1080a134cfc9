"""What follows from how far a judge agrees with people, in sentences."""

from collections.abc import Iterator

from judges.core.verdict import Verdict
from judges.out.printable import printable
from judges.out.summary import render_count
from judges.reduce.calibration import (
    GATE,
    GATE_FAILURES,
    SMOKE_TEST,
    USABLE,
    Calibration,
    Strength,
)
from judges.reduce.calibration_figures import Figures
from judges.run.calibrate import Calibrated


def render_number(value: float | None, *, signed: bool = False) -> str:
    """Return a figure with two decimals; one that is not defined is `none`."""
    if value is None:
        return "none"
    return f"{value:+.2f}" if signed else f"{value:.2f}"


def conclude(found: Calibrated) -> Iterator[str]:
    """Yield what follows: why nothing does, what the number of labels allows, whether the judge passes."""
    overall = found.calibration.overall
    for reason in found.stale:
        yield f"STALE: {printable(reason)}."
    if found.stale:
        yield "People's ratings hold; the judge has to be asked again: run the suite."
    if found.unanswered:
        yield "Nothing follows while answers are missing. Run the suite again: what was answered is kept."
    if overall is None:
        yield "NOTHING TO COMPARE: no output of the run has a rating that counts."
        return
    yield _allow(found.calibration, overall)
    if found.verdict is not Verdict.ERROR:
        yield _decide(found, overall.kappa.value)


def _allow(calibration: Calibration, overall: Figures) -> str:
    """Say what the number of labels allows to conclude."""
    labels = render_count(overall.n, "label")
    missing = ", ".join(category.value for category in calibration.unrated)
    match calibration.strength:
        case Strength.TOO_FEW:
            return f"TOO FEW: {overall.n} of the {SMOKE_TEST} labels that it takes to tell anything."
        case Strength.SMOKE_TEST:
            lack = f"none of them is of category {missing}" if missing else f"that takes {USABLE}"
            return f"SMOKE TEST: {labels} tell a judge that is far off, and not how good another is: {lack}."
        case Strength.USABLE:
            lack = f"that takes {GATE}, {GATE_FAILURES} of them failing; {overall.failing} are"
            return (
                f"USABLE: {labels} tell how far the judge can be trusted, and not yet to gate on it: {lack}."
            )
        case Strength.GATE:
            return f"SUPPORTS A GATE: {labels}, {overall.failing:,} of them failing."


def _decide(found: Calibrated, kappa: float | None) -> str:
    if found.least is None:
        return "Nothing is asked of the judge: the suite has no thresholds.min_agreement."
    bar = f"thresholds.min_agreement: {found.least:g}"
    match found.verdict:
        case Verdict.PASS:
            return f"PASS: kappa {render_number(kappa)} reaches {bar}."
        case Verdict.FAIL:
            return f"FAIL: kappa {render_number(kappa)} is below {bar}."
        case _:
            return f"INCONCLUSIVE: these labels cannot tell whether the judge reaches {bar}."
