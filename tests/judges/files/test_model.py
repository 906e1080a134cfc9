"""What all file formats share: exact numbers and names."""

from decimal import Decimal

import pytest
from pydantic import TypeAdapter, ValidationError

from judges.files.model import Name, Number, Percent

PERCENT: TypeAdapter[Decimal] = TypeAdapter(Percent)


@pytest.mark.parametrize(
    ("value", "exact"), [(0.1, "0.1"), (75, "75"), (1e-7, "1E-7"), (33.333333333333336, "33.333333333333336")]
)
def test_numbers_are_exact(value: float, exact: str) -> None:
    """A number is the decimal that was written, not its nearest binary fraction."""
    assert PERCENT.validate_python(value) == Decimal(exact)


def test_numbers_may_be_longer_than_a_float() -> None:
    """A whole number of any length keeps all its digits."""
    number: TypeAdapter[Decimal] = TypeAdapter(Number)
    assert number.validate_python(10**400) == Decimal(10**400)


@pytest.mark.parametrize("value", [True, "75", None, float("nan"), float("inf"), -1, 101, 10**400])
def test_what_is_no_percentage_is_refused(value: object) -> None:
    """Booleans, texts, infinities and numbers outside 0..100 are refused."""
    with pytest.raises(ValidationError):
        PERCENT.validate_python(value)


@pytest.mark.parametrize(
    ("name", "good"),
    [
        ("a", True),
        ("A-b_9", True),
        ("a" * 48, True),
        ("a" * 49, False),
        ("9a", False),
        ("a b", False),
        ("ä", False),
        ("a\n", False),
    ],
)
def test_names(name: str, good: bool) -> None:
    """A name is a letter and up to 47 letters, digits, '_' or '-'."""
    adapter: TypeAdapter[str] = TypeAdapter(Name)
    if good:
        assert adapter.validate_python(name) == name
    else:
        with pytest.raises(ValidationError, match="expected a letter, then up to 47"):
            adapter.validate_python(name)
