"""A judge that answers every request after a fixed time, in a process of its own so that it costs us nothing.

    python benchmarks/stub.py LATENCY_MS

It prints its port. POST: the best answer that the request's own schema allows. GET /last: the last request.
"""

import asyncio
import json
import sys
from collections.abc import Callable
from typing import Any


def fill(schema: dict[str, Any]) -> Any:
    """Return a value that a strict schema accepts; of several the last, which is the best level."""
    if "enum" in schema:
        return schema["enum"][-1]
    if schema["type"] == "object":
        return {name: fill(part) for name, part in schema["properties"].items()}
    return [] if schema["type"] == "array" else "As asked."


def judge(request: dict[str, Any]) -> str:
    """Return the best answer to a judge's request."""
    return json.dumps(fill(request["response_format"]["json_schema"]["schema"]))


def complete(request: dict[str, Any], text: str) -> bytes:
    """Return a chat completion that says this."""
    message = {"role": "assistant", "content": text}
    reply = {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": request["model"],
        "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 800, "completion_tokens": 120, "total_tokens": 920},
    }
    return json.dumps(reply).encode()


class Stub:
    """The server; `say` is what it answers to a request, `last` the last request it got."""

    def __init__(self, latency_ms: float, say: Callable[[dict[str, Any]], str]) -> None:
        self.latency = latency_ms / 1000
        self.say = say
        self.last = b""

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer one connection until it ends."""
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                content = await self.answer(head, reader)
                size = f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(content)}"
                writer.write(size.encode() + b"\r\n\r\n" + content)
        except (asyncio.IncompleteReadError, ConnectionResetError):
            writer.close()

    async def answer(self, head: bytes, reader: asyncio.StreamReader) -> bytes:
        """Read the rest of a request and return its answer, in its time."""
        if head.startswith(b"GET"):
            return self.last
        headers = head.decode("latin-1").lower().split("\r\n")
        length = next(int(line.partition(":")[2]) for line in headers if line.startswith("content-length:"))
        body = self.last = await reader.readexactly(length)
        await asyncio.sleep(self.latency)
        request = json.loads(body)
        return complete(request, self.say(request))


async def run(stub: Stub) -> None:
    """Print the port, and serve until the process is ended."""
    server = await asyncio.start_server(stub.serve, "127.0.0.1", 0, backlog=1024, limit=1 << 24)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(run(Stub(float(sys.argv[1]), judge)))
