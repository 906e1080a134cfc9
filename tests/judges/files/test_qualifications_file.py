"""What judges were found to be worth, in `qualifications.json`."""

import json
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from judges.core.errors import ConfigError
from judges.files.qualifications import QualificationEntry, keep_qualification, read_qualifications

ENTRY = QualificationEntry(
    judge="openai:gpt-4o",
    wording="1-4f0c2a9b81d3",
    rubric_sha256="e1",
    qualified=True,
    n=40,
    pairs=612,
    accuracy=0.85,
    low=0.78,
    high=0.9,
    measured=datetime(2026, 11, 30, 12, 0, tzinfo=UTC),
    criteria={"tone": {"n": 40, "accuracy": 0.85, "kappa": None}},
)


def test_kept_and_read(tmp_path: Path) -> None:
    """What is kept is read again; a later measurement of the same takes its place, and no other does."""
    path = tmp_path / "qualifications.json"
    assert read_qualifications(path) == ()
    keep_qualification(path, ENTRY)
    assert read_qualifications(path) == (ENTRY,)
    again = replace(ENTRY, accuracy=0.5, low=0.4, high=0.6, qualified=False)
    other = replace(ENTRY, judge="anthropic:claude-haiku-4-5")
    reworded = replace(ENTRY, wording="2-000000000000")
    for entry in (reworded, again, other):
        keep_qualification(path, entry)
    assert read_qualifications(path) == (other, again, reworded)


def test_the_file(tmp_path: Path) -> None:
    """The file is JSON that a person can read and compare in a review."""
    path = tmp_path / "qualifications.json"
    keep_qualification(path, ENTRY)
    assert path.read_text().startswith(
        '{\n  "schema": 1,\n  "judges": [\n    {\n      "judge": "openai:gpt-4o",\n'
    )
    assert json.loads(path.read_text())["judges"][0]["measured"] == "2026-11-30T12:00:00+00:00"


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        pytest.param({"accuracy": 1.5}, "judges[0].accuracy: must be at most 1.0, found 1.5", id="no share"),
        pytest.param({"qualified": "yes"}, "judges[0].qualified: expected true or false", id="no boolean"),
        pytest.param({"measured": "now"}, "measured: expected a date or time", id="no time"),
        pytest.param({"why": 1}, "judges[0].why: unknown key", id="unknown key"),
    ],
)
def test_a_damaged_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, damage: dict[str, Any], message: str
) -> None:
    """A file that was edited by hand is refused with its place and how to make it anew, and left as it is."""
    monkeypatch.chdir(tmp_path)
    path = Path("qualifications.json")
    keep_qualification(path, ENTRY)
    data = json.loads(path.read_text())
    data["judges"][0] |= damage
    path.write_text(json.dumps(data))
    with pytest.raises(ConfigError) as caught:
        keep_qualification(path, ENTRY)
    assert message in str(caught.value)
    assert "qualifications.json" in str(caught.value)
    assert "measure again: scaffold qualify" in str(caught.value)
    assert json.loads(path.read_text()) == data
