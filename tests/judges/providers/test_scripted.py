"""The test double itself."""

import pytest

from judges.core.errors import ProviderError
from judges.providers import Completion, Message, Request, ScriptedProvider, Stop

REQUEST = Request(model="m", messages=(Message("user", "x"),))


def test_replies_in_order() -> None:
    """Texts, values, completions and exceptions are given in order; then the script is exhausted."""
    cut = Completion(text="cu", stop=Stop.LENGTH)
    double = ScriptedProvider(["hi", {"a": 1}, cut, ValueError("boom")])
    assert double.complete(REQUEST).text == "hi"
    assert double.complete(REQUEST).text == '{"a": 1}'
    assert double.complete(REQUEST) is cut
    with pytest.raises(ValueError, match="boom"):
        double.complete(REQUEST)
    with pytest.raises(ProviderError, match="the script has no reply left for request 5"):
        double.complete(REQUEST)
    assert double.requests == [REQUEST] * 5


def test_a_function_answers() -> None:
    """A function sees the request."""
    double = ScriptedProvider(lambda request: request.model.upper())
    assert double.complete(REQUEST).text == "M"
