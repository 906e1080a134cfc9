"""Secrets are found in whatever form a text holds them."""

import json
from base64 import b64encode, urlsafe_b64encode
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judges.core.secret import secret_forms

SECRET = 'tok+Zq7/"Xv9~2mLp>?'


def hidden(text: str, secret: str = SECRET) -> str:
    for form in secret_forms(secret):
        text = text.replace(form, "*")
    return text


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(SECRET, id="as it is"),
        pytest.param(quote(SECRET, safe=""), id="in an address"),
        pytest.param(quote_plus(SECRET), id="in a form"),
        pytest.param(json.dumps(SECRET)[1:-1], id="in JSON"),
    ],
)
def test_forms(text: str) -> None:
    """Nothing of the secret is left."""
    assert hidden(f"before {text} after") == "before * after"


@given(st.binary(max_size=7), st.binary(max_size=7), st.sampled_from([b64encode, urlsafe_b64encode]))
def test_base64(before: bytes, after: bytes, encode: object) -> None:
    """Wherever it stands in what was encoded, at most the characters that it shares with others are left."""
    text = encode(before + SECRET.encode() + after).decode()  # type: ignore[operator]
    covered = len(SECRET.encode()) * 8 // 6 - 2
    assert len(text) - len(hidden(text).replace("*", "")) >= covered


def test_short_secrets_hide_no_other_words() -> None:
    """The base64 of a short value is too short to be told from any other text."""
    assert secret_forms("true") == ("true",)


@given(st.text(min_size=1))
def test_any_text_can_be_a_secret(secret: str) -> None:
    """No value makes it fail, and the longest form goes first."""
    forms = secret_forms(secret)
    assert secret in forms
    assert [len(form) for form in forms] == sorted((len(form) for form in forms), reverse=True)
