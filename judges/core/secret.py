"""A secret in every form that a text may hold it in: as it is, in an address, in a header, in JSON."""

import json
from base64 import b64encode
from collections.abc import Iterator
from functools import cache
from urllib.parse import quote, quote_plus

_SHORTEST_ENCODED = 8  # of less, base64 leaves pieces that any text may hold
_CUT = (
    0,
    2,
    3,
)  # what base64 makes of a neighbour's bytes, by how many of them share a group with the secret


@cache
def secret_forms(secret: str) -> tuple[str, ...]:
    """Return the forms of a secret that is not empty, the longest first."""
    forms = {
        secret,
        quote(secret, safe="", errors="surrogatepass"),
        quote_plus(secret, errors="surrogatepass"),
        json.dumps(secret)[1:-1],
        *_inside_base64(secret),
    }
    return tuple(sorted(forms, key=len, reverse=True))


def _inside_base64(secret: str) -> Iterator[str]:
    """Yield what is the same in the base64 of every text that holds the secret, by where it starts there."""
    data = secret.encode("utf-8", "surrogatepass")
    if len(data) < _SHORTEST_ENCODED:
        return
    for before, cut in enumerate(_CUT):
        text = b64encode(bytes(before) + data).decode()[cut : (before + len(data)) * 8 // 6]
        yield text
        yield text.translate({ord("+"): "-", ord("/"): "_"})
