"""JSON on standard output: it says what was given, and a CI runner finds no command in it."""

import json

import pytest

from scaffold.printing import print_json


@pytest.mark.parametrize("text", ["##[error]x", "a ##vso[task.complete]", "##[group]\n##[endgroup]"])
def test_no_command_to_a_runner(capsys: pytest.CaptureFixture[str], text: str) -> None:
    """The marks that a runner looks for anywhere in a line are written as escapes."""
    print_json({"reply": text, "##[key]": 1})
    said = capsys.readouterr().out
    assert json.loads(said) == {"reply": text, "##[key]": 1}
    assert "##[" not in said
    assert "##vso[" not in said
