"""Fixtures from nothing to a validated file, as a user writes them."""

import json
from pathlib import Path

from command_line import Cli
from jsonschema import Draft202012Validator

from judges.files.fixture import compose_front_matter

FILE = Path(".omniscitus/tests/fixtures/smoke-echo.fixture.md")


def test_a_fixture_is_written_checked_and_found_beside_a_prompt_suite(cli: Cli, project: Path) -> None:
    """Add one, validate all, break it, and read where it is broken."""
    assert cli("add-fixture", "smoke-echo", "--runs", "3").code == 0
    done = cli("validate")
    assert done.code == 0
    assert done.out.splitlines() == [
        "smoke-echo: 3 runs, quorum majority; conditions: run, views, tool_calls, tool_results, result, "
        "files; 3 calls",
        "greeting: 1 case (1 element); criteria: tone 0.75, safety 0.25",
    ]
    assert cli("validate", "smoke-echo", "--strict").code == 0
    FILE.write_text(
        FILE.read_text().replace("STATUS:\\\\s*OK", "(STATUS").replace("quorum: majority", "quorum: 4")
    )
    done = cli("validate", "smoke-echo")
    assert done.code == 2
    assert f"{FILE}:14:9: quorum: a quorum of 4 cannot be reached with runs: 3" in done.err


def test_editors_accept_what_is_written(cli: Cli, project: Path) -> None:
    """`scaffold schema fixture` and `scaffold add-fixture` agree."""
    assert cli("add-fixture", "smoke-echo").code == 0
    schema = json.loads(cli("schema", "fixture").out)
    Draft202012Validator(schema).validate(compose_front_matter(FILE).value)
