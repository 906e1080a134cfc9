from typing import Any

import pytest

from scaffold.add_case.personal import find_personal

MAIL, SSN, CARD = "an e-mail address", "a social security number", "a card or account number"
PHONE, SECRET = "a phone number", "a key or password"


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ("write to jane.doe+x@corp.co.uk!", [MAIL]),
        ("write to jane@example.com", []),
        ("write to jane@mail.example.org or a@b.test", []),
        ("jane@examples.com", [MAIL]),
        ("@jane, see you", []),
        ("my number is 123-45-6789.", [SSN]),
        ("4111 1111 1111 1111", [CARD]),
        ("4111-1111-1111-1111", [CARD]),
        ("IBAN 12345678901", [CARD]),
        ("order 12345678", []),
        ("pi is 3.14159265358979", []),
        ("on 2026-11-30 at 10:15:20.123", []),
        ("+49 170 1234567", [PHONE]),
        ("3 + 4 000 000 000", []),
        ("sk-proj-0123456789abcdef", [SECRET]),
        ("AKIAIOSFODNN7EXAMPLE", [SECRET]),
        ("-----BEGIN RSA PRIVATE KEY-----", [SECRET]),
        ("risk-taking in the market-place", []),
        ({"a": [{"b": "jane@corp.com"}], "c": 4111111111111111}, [MAIL, CARD]),
        ([None, True, 7, 1.5], []),
    ],
    ids=str,
)
def test_what_looks_personal(value: Any, found: list[str]) -> None:
    """Addresses, numbers and keys are seen wherever they stand; dates, sums and examples are not."""
    assert list(find_personal(value)) == found
