"""Leaves out what a model does not take.

A dated table says which models refuse which parameter. What it does not know costs one refused request: the
parameter that a 400 names is left out from then on, for the rest of the run. `Completion.effective` says
what was left out.
"""

import json
from collections.abc import Callable, Collection
from dataclasses import replace
from fnmatch import fnmatchcase
from functools import cache
from importlib.resources import files
from typing import Any

from judges.core.errors import ProviderError
from judges.providers.base import Completion, Provider, Request

# What the APIs call the fields of a Request that can be left out.
_FIELDS = {
    "temperature": "temperature",
    "response_format": "schema",
    "output_config": "schema",
    "output_format": "schema",
    "max_completion_tokens": "max_tokens",
    "max_tokens": "max_tokens",
}


class Negotiate:
    """A layer around an endpoint. `known` gives the fields that a model is known to refuse."""

    def __init__(self, inner: Provider, known: Callable[[str], Collection[str]]) -> None:
        self._inner = inner
        self._known = known
        self._refused: dict[str, frozenset[str]] = {}

    def complete(self, request: Request) -> Completion:
        """Ask with what the model takes.

        Raises:
            ProviderError: the endpoint failed, or refuses what cannot be left out.
        """
        while True:
            refused = self._refused_by(request.model)
            left_out: dict[str, Any] = {
                name: None for name in sorted(refused) if getattr(request, name) is not None
            }
            asked = replace(request, **left_out) if left_out else request
            try:
                completion = self._inner.complete(asked)
            except ProviderError as error:
                if not self._learn(asked, error):
                    raise
                continue
            if not left_out:
                return completion
            return replace(completion, effective={**completion.effective, **left_out})

    def _refused_by(self, model: str) -> frozenset[str]:
        if model not in self._refused:
            self._refused[model] = frozenset(self._known(model))
        return self._refused[model]

    def _learn(self, asked: Request, error: ProviderError) -> bool:
        """Whether the error names something that was sent and can be left out; it is remembered."""
        name = _FIELDS.get((error.parameter or "").partition(".")[0])
        if name is None or getattr(asked, name) is None:
            return False
        self._refused[asked.model] = self._refused_by(asked.model) | {name}
        return True


def known_refusals(provider: str, model: str) -> frozenset[str]:
    """Return the request's fields that a model is known to refuse."""
    return frozenset(
        field
        for entry in capabilities()["refusals"]
        if entry["provider"] == provider and any(fnmatchcase(model, pattern) for pattern in entry["models"])
        for field in entry["fields"]
    )


@cache
def capabilities() -> Any:
    """Return the dated table of what models refuse."""
    return json.loads(files("judges.providers").joinpath("capabilities.json").read_text("utf-8"))
