"""The file of a suite that `scaffold add-prompt` writes: sections, comments, and the schema for editors."""

import json
import re
from pathlib import Path

import jsonschema
import pytest
import yaml
from new_suite import SUITE, assert_clean, load

from judges.files.prompt_meta import PromptMeta
from judges.files.yaml import parse_yaml
from scaffold.__main__ import run

pytestmark = pytest.mark.usefixtures("empty")


@pytest.mark.parametrize("name", ["null", "true", "1e5", "2026-01-01", "0x1F", "007", "yes", "a" * 100])
def test_a_name_that_looks_like_a_number_stays_a_name(name: str) -> None:
    """What YAML would take for another kind of value is quoted."""
    assert run(["add-prompt", "--", name]) == 0
    suite = load(SUITE.with_name(name))
    assert suite.name == name
    assert_clean(suite)


def test_the_file_has_every_section_of_the_format_in_order() -> None:
    """Sections that are optional stand there as comments."""
    run(["add-prompt", "demo"])
    text = (SUITE / "prompt-meta.yaml").read_text()
    keys = re.findall(r"^(?:# )?([a-z_]+):", text, re.MULTILINE)
    assert list(dict.fromkeys(keys)) == [
        "target", "type", "prompt_name", "last_updated", "test_root", "runner", "model", "config", "judge",
        "evaluation", "criteria", "specs", "checks", "thresholds", "cases", "overrides", "logs", "analysis",
    ]  # fmt: skip
    assert yaml.safe_load(text)["judge"] == {"model": "gpt-4o", "temperature": 0, "max_retries": 2}
    assert "runner: null" in text


def _uncomment(section: re.Match[str]) -> str:
    return section[1].replace("\n# ", "\n")


def test_commented_sections_are_valid_once_they_are_uncommented() -> None:
    """Taking the `# ` away is all that it takes."""
    run(["add-prompt", "demo"])
    text = (SUITE / "prompt-meta.yaml").read_text()
    live = re.sub(
        r"^# ((?:specs|overrides|logs|analysis):(?:\n#  .*)+)", _uncomment, text, flags=re.MULTILINE
    )
    sections = yaml.safe_load(live)
    assert {"specs", "overrides", "logs", "analysis"} <= sections.keys()
    assert PromptMeta.model_validate({**sections, "last_updated": None})


def test_commented_overrides_are_valid_once_they_are_uncommented() -> None:
    """The example shows the full shape, for a case of this suite."""
    run(["add-prompt", "demo"])
    file = SUITE / "overrides" / "overrides.yaml"
    assert load().overrides == ()
    file.write_text(re.sub(r"^# (?=[- ] )", "", file.read_text(), flags=re.MULTILINE))
    (override,) = load().overrides
    assert (override.case_ref, override.criterion, override.active) == (
        "when-do-we-move",
        "correctness",
        True,
    )
    assert load().notices == ()


def test_editors_find_the_schema(capsys: pytest.CaptureFixture[str]) -> None:
    """The first line points to a file of the project, so it works offline; the suite meets it."""
    run(["add-prompt", "demo"])
    first = (SUITE / "prompt-meta.yaml").read_text().splitlines()[0]
    match = re.fullmatch(r"# yaml-language-server: \$schema=(\S+)", first)
    assert match
    schema = json.loads((SUITE / match[1]).read_text())
    capsys.readouterr()
    run(["schema"])
    assert schema == json.loads(capsys.readouterr().out)
    jsonschema.validate(parse_yaml((SUITE / "prompt-meta.yaml").read_text(), "").value, schema)


def test_a_schema_of_another_version_is_left(empty: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It belongs to all suites; the report says how to renew it."""
    schema = empty / ".omniscitus" / "schemas" / "prompt-meta.schema.json"
    schema.parent.mkdir(parents=True)
    schema.write_text("{}")
    assert run(["add-prompt", "demo"]) == 0
    assert schema.read_text() == "{}"
    assert "scaffold schema" in capsys.readouterr().out
