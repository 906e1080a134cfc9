"""Where requests are sent and with which key: what every message about an endpoint is made from."""

import re
from dataclasses import dataclass, field
from ipaddress import ip_address
from urllib.parse import urlsplit

from judges.core.secret import secret_forms

_KEY_LIKE = re.compile(r"\b(?:sk|pk|key)-[\w*.\-]{4,}|(?<=Bearer )[\w.~+/=\-]+")
_CREDENTIALS = re.compile(r"(?<=//)[^/@\s]+(?=@)")
_MASK = "[key]"


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """One server with one API.

    `key_variable` is the environment variable that the key comes from. `concurrency` is how many requests
    may be open at once.
    """

    provider: str
    base_url: str
    key: str = field(repr=False)
    key_variable: str
    concurrency: int = 8

    @property
    def is_loopback(self) -> bool:
        """Whether the server is this machine itself."""
        host = urlsplit(self.base_url).hostname or ""
        try:
            return ip_address(host).is_loopback
        except ValueError:
            return host == "localhost"

    @property
    def url(self) -> str:
        """The base URL without credentials and query."""
        parts = urlsplit(self.base_url)
        return parts._replace(netloc=parts.netloc.rpartition("@")[2], query="", fragment="").geturl()

    def describe(self, model: str) -> str:
        """Return how messages name a model at this endpoint."""
        return f"{self.provider}:{model} at {self.url}"

    def mask(self, text: str) -> str:
        """Return the text without this endpoint's key in any form, or anything else that looks like a key."""
        for form in secret_forms(self.key) if self.key else ():
            text = text.replace(form, _MASK)
        return _KEY_LIKE.sub(_MASK, mask_credentials(text))


def mask_credentials(text: str) -> str:
    """Return the text without names and passwords in addresses."""
    return _CREDENTIALS.sub(_MASK, text)
