"""From cases to the verdict of a suite."""

import pytest

from judges.core.report import Totals
from judges.core.verdict import Verdict
from judges.files.prompt_meta import Thresholds
from judges.reduce.suite import decide_suite

RATE = {"pass_rate": 90}


@pytest.mark.parametrize(
    ("counts", "thresholds", "expected"),
    [
        pytest.param({}, {}, Verdict.SKIP, id="nothing"),
        pytest.param({"skipped": 3}, {}, Verdict.SKIP, id="all skipped"),
        pytest.param({"passed": 3, "skipped": 1}, {}, Verdict.PASS, id="all that ran passed"),
        pytest.param({"passed": 3, "warned": 1}, {}, Verdict.WARN, id="one warned"),
        pytest.param({"warned": 1, "failed": 1}, {}, Verdict.FAIL, id="one failed"),
        pytest.param({"failed": 1, "errored": 1}, {}, Verdict.ERROR, id="one could not be measured"),
        pytest.param({"passed": 9, "failed": 1}, RATE, Verdict.PASS, id="the rate is reached"),
        pytest.param({"passed": 8, "failed": 1}, RATE, Verdict.FAIL, id="the rate is missed"),
        pytest.param({"passed": 8, "warned": 2}, RATE, Verdict.FAIL, id="a warning is no pass"),
        pytest.param({"passed": 9, "failed": 1, "skipped": 5}, RATE, Verdict.PASS, id="skips do not count"),
        pytest.param({"passed": 99, "errored": 1}, RATE, Verdict.ERROR, id="an error is never outvoted"),
    ],
)
def test_decide_suite(counts: dict[str, int], thresholds: dict[str, int], expected: Verdict) -> None:
    """The worst case decides, or the share of cases that pass."""
    totals = Totals(cases=sum(counts.values()), **counts)
    assert decide_suite(totals, Thresholds.model_validate(thresholds)) is expected
