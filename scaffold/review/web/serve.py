"""The server of the page: bound to an address, announced, and run until somebody ends it."""

import logging
import socket
from contextlib import closing, suppress
from fractions import Fraction

import click

from judges.core.errors import ConfigError, Problem
from scaffold.review.session import ReviewSession
from scaffold.review.web.app import MOST_BYTES, build_app
from scaffold.review.web.desk import Desk
from scaffold.review.web.gate import Gate
from scaffold.review.web.listing import Listing
from scaffold.review.web.pages import Pages

_THREADS = 4


def serve_review(
    session: ReviewSession, draw: tuple[Fraction, int], address: tuple[str, int], *, debug: bool = False
) -> None:
    """Serve the page at a host and port, 0 being any free one, until Ctrl-C, then say what was kept.

    `draw` is the share, 0..1, of results that is drawn at random, and the seed. Only the address of the page
    goes to standard output. What is being saved when the end comes is finished.

    Raises:
        ConfigError: the run is damaged; it is no address of this machine; the port is in use.
    """
    from waitress.server import create_server

    logging.getLogger("waitress.queue").setLevel(logging.ERROR)  # a request may wait for a moment
    with closing(_bind(*address)) as bound:
        desk = Desk(session)
        pages = Pages(desk, Listing(session, *draw))
        gate = Gate(address[0], bound.getsockname()[1])
        app = build_app(pages, gate, debug=debug)
        server = create_server(
            app, sockets=[bound], threads=_THREADS, ident=None, max_request_body_size=16 * MOST_BYTES
        )
        with suppress(KeyboardInterrupt):
            _announce(gate)
            server.run()
        server.close()
    click.echo(desk.summary(), err=True)


def _bind(host: str, port: int) -> socket.socket:
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        return socket.create_server((host, port), family=family)
    except (OSError, UnicodeError) as error:
        why = str(getattr(error, "strerror", None) or error).partition(" (while")[0]
        message = f"cannot listen on {host}, port {port}: {why}"
        raise ConfigError([Problem(message, hint="--port 0 takes any free port")]) from error


def _announce(gate: Gate) -> None:
    if not gate.is_local:
        text = (
            f"Warning: whoever reaches {gate.host} and has this address sees inputs and outputs, and decides."
        )
        click.echo(f"{text} Nothing is encrypted on the way.", err=True)
    if gate.is_wildcard:
        click.echo("From elsewhere, put this machine's address in place of 127.0.0.1.", err=True)
    click.echo("Open this in a browser; Ctrl-C ends the review:", err=True)
    click.echo(gate.url)
