"""The wording is in text files, and its version tells which of them were used."""

from importlib.resources import files

from judges.ask import wording
from judges.ask.wording import FAMILIES, version


def test_every_file_is_in_a_version() -> None:
    """No file of wording can change without a version that changes."""
    names = {entry.name for entry in files(wording).iterdir() if entry.name.endswith(".txt")}
    assert {f"{name}.txt" for family in FAMILIES.values() for name in family} == names


def test_families_have_versions_of_their_own() -> None:
    """What was measured with the wording of suites does not depend on that of semantic rows."""
    assert version() == version("suite") != version("semantic")
    assert not set(FAMILIES["suite"]) & {"semantic", "rubric", "dictated"}
