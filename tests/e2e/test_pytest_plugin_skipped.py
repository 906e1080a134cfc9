"""A session with suites that runs nothing is no success."""

from pathlib import Path

import pytest
from plugin_project import Run


@pytest.mark.parametrize("arguments", [(), ("-n", "2")], ids=["one process", "several"])
def test_nothing_but_skipped_suites(run_pytest: Run, arguments: tuple[str, ...]) -> None:
    """It ends as a session without any test does, and says why."""
    result = run_pytest("--scaffold-recorded", *arguments)
    assert result.ret == pytest.ExitCode.NO_TESTS_COLLECTED
    assert set(result.parseoutcomes()) == {"skipped"}
    result.stdout.fnmatch_lines(["Nothing was run, so this is no success: every test was skipped."])


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ("pass", pytest.ExitCode.OK),
        ("assert False", pytest.ExitCode.TESTS_FAILED),
        ("__import__('pytest').skip()", pytest.ExitCode.NO_TESTS_COLLECTED),
        ("__import__('pytest').xfail()", pytest.ExitCode.OK),
    ],
)
def test_other_tests_beside_skipped_suites(
    run_pytest: Run, project: Path, body: str, code: pytest.ExitCode
) -> None:
    """What else is run counts: a unit test that passes is something."""
    (project / "test_unit.py").write_text(f"def test_unit():\n    {body}\n")
    assert run_pytest("--scaffold-recorded").ret == code


def test_without_suites_all_is_as_ever(run_pytest: Run, project: Path) -> None:
    """Skipped unit tests alone succeed: that is pytest's own rule."""
    (project / "test_unit.py").write_text("import pytest\ndef test_unit():\n    pytest.skip()\n")
    assert run_pytest("test_unit.py").ret == pytest.ExitCode.OK
