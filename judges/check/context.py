"""What a deterministic check looks at."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, NoReturn, TypeAlias

from judges.core.errors import RunError


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckContext:
    """One output, the case's input, and what producing the output took (None where nothing was recorded)."""

    output: str
    input: Mapping[str, Any]
    latency_ms: float | None = None
    cost_usd: Decimal | None = None

    @property
    def json(self) -> Any:
        """The output parsed as JSON: strictly, so without NaN, comments or a code fence around it.

        Raises:
            ValueError: the output is not JSON.
            RunError: it is nested too deeply to be parsed.
        """
        try:
            return json.loads(self.output, parse_constant=_refuse)
        except RecursionError:
            raise RunError("the output is nested too deeply to be parsed as JSON") from None


Assertion: TypeAlias = Callable[[CheckContext], str | None]
"""What is wrong with an output, as a clause, or None. It raises RunError where that cannot be told."""


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not JSON")
