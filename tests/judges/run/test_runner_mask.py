"""Masking: secrets go, everything else stays."""

import pytest

from judges.run.runner.mask import build_mask

CONFIG = {"DB_URL": "postgres://me:hunter2@db/x", "PORT": "80", "CERT": "-----BEGIN-----\nMIIabc\n"}
ENVIRON = {
    "OPENAI_API_KEY": "sk-0123456789",
    "HOME": "/home/myself",
    "MY_TOKEN": "short",
    "HF_token": "t" * 9,
}


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        pytest.param("to postgres://me:hunter2@db/x!", "to [DB_URL]!", id="a value of the file"),
        pytest.param("port 80", "port 80", id="too short to be a secret"),
        pytest.param("MIIabc at -----BEGIN-----", "[CERT] at [CERT]", id="each line of a long value"),
        pytest.param("sk-0123456789sk-0123456789", "[OPENAI_API_KEY][OPENAI_API_KEY]", id="a key, twice"),
        pytest.param("/x?db=postgres%3A%2F%2Fme%3Ahunter2%40db%2Fx", "/x?db=[DB_URL]", id="in an address"),
        pytest.param("t" * 9, "[HF_token]", id="names in any case"),
        pytest.param('it is "sk-012345…"', 'it is "[OPENAI_API_KEY]…"', id="cut within a key"),
        pytest.param("sk-0123456789… x…", "[OPENAI_API_KEY]… x…", id="cut behind a key"),
        pytest.param("sk-0123… sk-012345 x", "sk-0123… sk-012345 x", id="not enough of a key, or not cut"),
        pytest.param("/home/myself short", "/home/myself short", id="no secrets"),
    ],
)
def test_mask(text: str, masked: str) -> None:
    """Every value of the file, and variables with the name of a secret, become their names."""
    assert build_mask(CONFIG, ENVIRON)(text) == masked


def test_the_longest_secret_goes_first() -> None:
    """A secret that holds another one leaves nothing of itself."""
    assert build_mask({"A": "hunter", "B": "hunter2-long"}, {})("hunter2-long hunter") == "[B] [A]"


def test_nothing_to_mask() -> None:
    """Without secrets a text stays as it is."""
    assert build_mask({}, {"HOME": "/root"})("any (text) [x]") == "any (text) [x]"
