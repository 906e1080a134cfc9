"""The server itself: HTTP/1.1 with keep-alive, a thread a connection, every request recorded."""

import json
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, TypeAlias

from loopback.replies import Reply

Replies: TypeAlias = Reply | Sequence[Reply] | Callable[[dict[str, Any]], Reply]


@dataclass(frozen=True, slots=True)
class Received:
    """One request as it came in. Header names are in lower case; `at` is a monotonic time in seconds."""

    path: str
    headers: Mapping[str, str]
    json: dict[str, Any]
    at: float


Loopback: TypeAlias = Callable[[Replies], "Server"]


class Server:
    """A running server on a free loopback port."""

    def __init__(self, replies: Replies) -> None:
        self.requests: list[Received] = []
        self.most_in_flight = 0
        self.connections = 0
        self.closing = threading.Event()
        self._in_flight = 0
        self._lock = threading.Lock()
        self._function = replies if callable(replies) else None
        self._script: Iterator[Reply] = iter(())
        if isinstance(replies, Reply):
            self._function = lambda _: replies
        elif not callable(replies):
            self._script = iter(replies)
        self._http = _Listener(("127.0.0.1", 0), _Handler)
        self._http.owner = self
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.02,), daemon=True)
        self._thread.start()

    @property
    def url(self) -> str:
        """The base URL for either SDK."""
        return f"http://127.0.0.1:{self._http.server_address[1]}"

    def close(self) -> None:
        """Stop listening, and end every wait for a delayed reply."""
        self.closing.set()
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()

    def connected(self) -> None:
        """Count a new connection."""
        with self._lock:
            self.connections += 1

    def answer(self, received: Received) -> Reply:
        """Record the request and return its reply, after the reply's delay or when the server closes."""
        with self._lock:
            self.requests.append(received)
            self._in_flight += 1
            self.most_in_flight = max(self.most_in_flight, self._in_flight)
            reply = None if self._function else next(self._script, _exhausted(len(self.requests)))
        try:
            reply = reply or self._function(received.json)  # type: ignore[misc]
            if reply.delay:
                self.closing.wait(reply.delay)
            return reply
        finally:
            with self._lock:
                self._in_flight -= 1


class _Listener(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 256
    owner: Server

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that went away is nothing to report."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: _Listener

    def setup(self) -> None:
        super().setup()
        self.server.owner.connected()

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        headers = {name.lower(): value for name, value in self.headers.items()}
        received = Received(self.path, headers, json.loads(body), time.monotonic())
        self._send(self.server.owner.answer(received))

    def _send(self, reply: Reply) -> None:
        content = reply.content
        headers = {"Content-Type": "application/json", **reply.headers, "Content-Length": str(len(content))}
        lines = [f"HTTP/1.1 {reply.status} {self.responses.get(reply.status, ('Unknown',))[0]}"]
        lines += [f"{name}: {value}" for name, value in headers.items()]
        if reply.drop == "middle":
            content = content[: len(content) // 2]
        if reply.drop != "before":
            self.wfile.write("\r\n".join([*lines, "", ""]).encode() + content)
        self.close_connection = bool(reply.drop) or self.server.owner.closing.is_set()

    def log_message(self, *args: object) -> None:
        """Keep the test output clean."""


def _exhausted(count: int) -> Reply:
    return Reply(400, {"error": {"message": f"the loopback server has no reply left for request {count}"}})
