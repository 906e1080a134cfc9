"""How far a judge agrees with people, as JSON values. Shares are 0..1, errors in levels."""

from collections.abc import Mapping
from typing import Any

from judges.reduce.calibration_figures import Estimate, Figures
from judges.reduce.calibration_rate import PassRate, Share
from judges.reduce.statistics import Interval
from judges.run.calibrate import Calibrated

_ESTIMATES = ("kappa", "exact", "within_one", "error", "bias", "tau")


def encode_calibrated(found: Calibrated) -> dict[str, Any]:
    """Return all figures. Keys may be added, none renamed."""
    calibration = found.calibration
    return {
        "schema": 1,
        "suite": found.suite,
        "run": found.run,
        "judge": found.judge,
        "wording": found.wording,
        "verdict": found.verdict.value,
        "min_agreement": found.least,
        "strength": calibration.strength.value,
        "stale": list(found.stale),
        "unanswered": found.unanswered,
        "left_out": dict(found.left_out),
        "labels": {
            "authors": found.people.authors,
            "blind": found.people.blind,
            "seen": found.people.seen,
            "corrections": found.people.corrections,
        },
        "overall": _encode_optional(calibration.overall),
        "criteria": {
            name: {**_encode_figures(each), **_encode_matrix(each.matrix, found.levels[name])}
            for name, each in calibration.criteria.items()
        },
        "categories": {name.value: _encode_figures(each) for name, each in calibration.categories.items()},
        "unrated": [category.value for category in calibration.unrated],
        "people": _encode_optional(calibration.people),
        "pass_rate": None if found.pass_rate is None else _encode_pass_rate(found.pass_rate),
    }


def _encode_optional(figures: Figures | None) -> dict[str, Any] | None:
    return None if figures is None else _encode_figures(figures)


def _encode_figures(figures: Figures) -> dict[str, Any]:
    return {
        "n": figures.n,
        "outputs": figures.outputs,
        "cases": figures.cases,
        **{name: _encode_estimate(getattr(figures, name)) for name in _ESTIMATES},
        "commonest": figures.commonest,
        "failing": figures.failing,
    }


def _encode_matrix(matrix: Mapping[tuple[int, int], int], levels: int) -> dict[str, Any]:
    """Return the counts with a line for each level of people, and in it one for each of the judge."""
    scale = range(1, levels + 1)
    return {"matrix": [[matrix.get((people, judge), 0) for judge in scale] for people in scale]}


def _encode_estimate(estimate: Estimate) -> dict[str, Any]:
    return {"value": estimate.value, "interval": _encode_interval(estimate.interval)}


def _encode_interval(interval: Interval | None) -> list[float] | None:
    return None if interval is None else [interval.low, interval.high]


def _encode_pass_rate(rate: PassRate) -> dict[str, Any]:
    shares = {"judged": rate.judged, "tpr": rate.tpr, "tnr": rate.tnr}
    return {
        **{name: _encode_share(share) for name, share in shares.items()},
        "corrected": {"value": rate.corrected, "interval": _encode_interval(rate.interval), "why": rate.why},
    }


def _encode_share(share: Share) -> dict[str, Any]:
    return {
        "count": share.count,
        "n": share.n,
        "value": share.value,
        "interval": _encode_interval(share.interval),
    }
