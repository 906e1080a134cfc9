"""`scaffold review check`: corrections that hold no more."""

from pathlib import Path

import pytest
from command_line import Cli
from review_project import FINE, OVERRIDES, SUITE, Run

CHECKS = [
    pytest.param(
        "expires: 2025-02-01",
        "the total: it expired on 2025-02-02",
        "scaffold review show c1 --suite greeting; then: scaffold review renew c1 --suite greeting, "
        "or: scaffold review withdraw c1 --suite greeting --reason …",
        id="expired",
    ),
    pytest.param(
        "output_sha256: f0, expires: 2999-01-01",
        "the total: it is stale, the output has changed since",
        "scaffold review renew c1 --suite greeting,",
        id="the output changed",
    ),
    pytest.param(
        "rubric_sha256: f0, criterion: tone, expires: 2999-01-01",
        "tone: it is stale, the rubric has changed since",
        "scaffold review renew c1 --suite greeting --criterion tone,",
        id="the rubric changed",
    ),
    pytest.param(
        "criterion: tune, expires: 2999-01-01",
        "tune: there is no such criterion",
        "\n  scaffold review withdraw c1 --suite greeting --criterion tune --reason …\n",
        id="an unknown criterion",
    ),
]


@pytest.mark.parametrize(("more", "why", "advice"), CHECKS)
@pytest.mark.parametrize("recorded", [True, False], ids=["recorded output", "output of the run"])
def test_check(run_outputs: Run, cli: Cli, more: str, why: str, advice: str, recorded: bool) -> None:
    """A correction that does not hold any more fails CI, and what to do is told."""
    run_outputs("kind", "short")
    if not recorded:
        SUITE.write_text(SUITE.read_text().replace(", output: 'short'", ""))
    entry = f"- {{case_ref: c1, score: 90, timestamp: 2025-01-01, reason: seen, author: joe, {more}}}\n"
    OVERRIDES.parent.mkdir()
    OVERRIDES.write_text(entry)
    result = cli("review", "check")
    assert (result.code, result.err) == (1, "")
    assert f"greeting: c1: the correction of {why}\n" in result.out
    assert advice in result.out
    assert result.out.endswith("greeting: 1 correction, 1 of them overdue\n")


def test_check_of_a_case_that_is_gone(run_outputs: Run, cli: Cli) -> None:
    """A correction of an unknown case fails CI until it is withdrawn, which needs no case and no run."""
    OVERRIDES.parent.mkdir()
    OVERRIDES.write_text("- {case_ref: anna, score: 90, timestamp: 2025-01-01, reason: seen}\n")
    result = cli("review", "check", "greeting")
    assert (result.code, "anna: the correction of the total: there is no such case; did you mean 'ann'?") == (
        1,
        result.out.partition("greeting: ")[2].partition("\n")[0],
    )
    assert cli("review", "withdraw", "anna", *FINE).code == 0
    assert cli("review", "check", "greeting").code == 0


@pytest.mark.parametrize(
    ("text", "code", "said"),
    [
        pytest.param(None, 0, "greeting: 0 corrections, 0 of them overdue\n", id="none"),
        pytest.param("# none yet\n", 0, "greeting: 0 corrections, 0 of them overdue\n", id="an empty file"),
        pytest.param(
            "- {case_ref: ann, score: 90, timestamp: 2025-01-01, reason: seen}\n",
            0,
            "greeting: 1 correction, 0 of them overdue\n",
            id="the seed's shape",
        ),
        pytest.param(
            "- {case_ref: ann, score: 90, timestamp: 2025-01-01, reason: r, output_sha256: f0, "
            "expires: 2999-01-01, status: withdrawn}\n",
            0,
            "greeting: 0 corrections, 0 of them overdue\n",
            id="withdrawn",
        ),
        pytest.param("- {case_ref: ann}\n", 2, "", id="a wrong file"),
    ],
)
@pytest.mark.usefixtures("run_outputs")
def test_check_of_files(cli: Cli, text: str | None, code: int, said: str) -> None:
    """What holds passes, and so does a suite without corrections; a wrong file is told with its place."""
    if text is not None:
        OVERRIDES.parent.mkdir()
        OVERRIDES.write_text(text)
    result = cli("review", "check")
    assert (result.code, result.out) == (code, said)
    assert (f"{OVERRIDES}:1:3: [0].score" in result.err) == (code == 2)


def test_check_without_a_suite(cli: Cli, project: Path) -> None:
    """Where there is no suite, nothing was checked."""
    SUITE.unlink()
    result = cli("review", "check")
    assert (result.code, result.err) == (4, "There is no prompt suite here.\n")
