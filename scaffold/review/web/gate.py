"""Who may talk to the page: who knows the token, by an address that is ours, from a page of ours.

A page of a stranger, open in the same browser, can send requests here. It does not know the token; the cookie
that holds it is not sent along (SameSite); the browser says where the request comes from (Origin and
Sec-Fetch-Site); and a name of the stranger's that was made to point here is not one of ours (Host).
"""

import socket
from collections.abc import Mapping
from dataclasses import dataclass, field
from ipaddress import ip_address
from secrets import compare_digest, token_urlsafe
from urllib.parse import urlsplit

_LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})
_HTTP_PORT = 80

HEADERS: Mapping[str, str] = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "img-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "no-store",
}
"""What every answer says: nothing but our own files is loaded, nothing is kept, nobody frames it."""


class RefusedError(Exception):
    """A request that is not let in, with the reason in words for a person."""


@dataclass(frozen=True, slots=True)
class Gate:
    """Lets requests in, for a server that listens on `host`, an address or a name, and `port`."""

    host: str
    port: int
    token: str = field(default_factory=token_urlsafe, repr=False)

    @property
    def cookie(self) -> str:
        """The name of the cookie: browsers send those of one port to all others of the machine."""
        return f"scaffold-review-{self.port}"

    @property
    def url(self) -> str:
        """The address that lets a person in."""
        name = "127.0.0.1" if self.is_wildcard else self.host
        return f"http://{f'[{name}]' if ':' in name else name}:{self.port}/?token={self.token}"

    @property
    def is_wildcard(self) -> bool:
        """Whether it listens on all addresses of this machine."""
        return _is_address(self.host) and ip_address(self.host).is_unspecified

    @property
    def is_local(self) -> bool:
        """Whether nobody but this machine can reach it."""
        return self.host in _LOOPBACK or (_is_address(self.host) and ip_address(self.host).is_loopback)

    def knows(self, token: str) -> bool:
        """Return whether it is the token, in a time that says nothing of it."""
        return compare_digest(token.encode("utf-8", "replace"), self.token.encode())

    def check_host(self, host: str) -> None:
        """Let in a request that was sent to this Host.

        Raises:
            RefusedError: it is not an address of ours.
        """
        if not self._is_ours(host.lower()):
            raise RefusedError(
                "This is not the address that the server listens on. Open the URL that it printed."
            )

    def check_origin(self, headers: Mapping[str, str], *, writes: bool) -> None:
        """Let in what a page of ours has sent, or (unless it `writes`) a person by an address or a link.

        Raises:
            RefusedError: a page of somebody else has sent it.
        """
        sites = ("same-origin",) if writes else ("same-origin", "none")
        foreign = headers.get("Sec-Fetch-Site", sites[0]) not in sites
        if foreign or (writes and headers.get("Origin", "") != f"http://{headers['Host'].lower()}"):
            raise RefusedError("Another page has sent this request. Open the URL that the server printed.")

    def _is_ours(self, host: str) -> bool:
        try:
            parts = urlsplit(f"//{host}")
            name, port = parts.hostname or "", parts.port or _HTTP_PORT
        except ValueError:
            return False
        if parts.netloc != host or "@" in host:
            return False
        if self.is_wildcard:  # a stranger's name that points here is no address; ports may be mapped
            return _is_address(name) or name in (*_LOOPBACK, socket.gethostname().lower())
        ours = {self.host.lower(), *(_LOOPBACK if self.is_local else ())}
        return port == self.port and name in ours


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True
