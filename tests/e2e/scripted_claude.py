"""A program that stands for the `claude` client in tests: what it does is written in the prompt.

The prompt is a list of orders, one a line. A line `A | B | C` has one for each session, in the order in which
they come, over and over; other lines hold for all. The orders: `say TEXT`, `replay FILE`, `deny TOOL`,
`cost USD`, `sleep SECONDS`, `exit CODE`, `crash`, `line MEGABYTES` (of one line), `stream MEGABYTES` (of
many), `garbage` (bytes that are no UTF-8), `write FILE`, `child` (a program that outlives it). Each session
notes its flags and its process in the folder ANTHROPIC_FAKE_NOTES.
"""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

VERSION = "2.1.332 (fake)"


def main() -> None:
    """Be one session."""
    if "--version" in sys.argv:
        print(VERSION)
        return
    orders = sys.stdin.read().strip().splitlines()
    number = note_session()
    emit(type="system", subtype="init", session_id="s", claude_code_version="2.1.332")
    session: dict[str, Any] = {"text": "", "cost": 0.01, "denials": []}
    for line in orders:
        choices = line.split(" | ")
        word, _, argument = choices[number % len(choices)].partition(" ")
        ORDERS[word](argument, session)
    emit(type="assistant", message=message(session["text"]), parent_tool_use_id=None)
    emit(
        type="result",
        subtype="success",
        is_error=False,
        result=session["text"],
        stop_reason="end_turn",
        total_cost_usd=session["cost"],
        permission_denials=session["denials"],
    )


def note_session() -> int:
    """Return the number of this session, from 0."""
    folder = Path(os.environ["ANTHROPIC_FAKE_NOTES"])
    number = 0
    while True:
        try:
            with (folder / str(number)).open("x") as file:
                json.dump({"pid": os.getpid(), "flags": sys.argv[1:], "started": time.time()}, file)
        except FileExistsError:
            number += 1
        else:
            return number


def emit(**event: Any) -> None:
    """Print an event."""
    sys.stdout.write(json.dumps(event) + "\n")
    sys.stdout.flush()


def message(text: str) -> dict[str, Any]:
    """A message of the model."""
    content = [{"type": "text", "text": text}]
    return {"id": "m", "role": "assistant", "model": "claude-fake", "content": content}


def replay(name: str) -> None:
    """Print a recorded stream in place of a session's own."""
    sys.stdout.buffer.write(Path(name).read_bytes())
    sys.stdout.flush()
    os._exit(0)


def stream(megabytes: int) -> None:
    """Print that much, as results of tools."""
    block = {"type": "tool_result", "tool_use_id": "t", "content": "x" * 999_800}
    line = json.dumps({"type": "user", "message": {"role": "user", "content": [block]}}).encode() + b"\n"
    for _ in range(megabytes):
        sys.stdout.buffer.write(line)
    sys.stdout.flush()


def child() -> None:
    """Start a program in a session of its own, and leave it running."""
    started = subprocess.Popen(["sleep", "60"], start_new_session=True, stdout=subprocess.DEVNULL)
    Path(os.environ["ANTHROPIC_FAKE_NOTES"], f"child-{started.pid}").touch()


def garbage() -> None:
    """Print a message with bytes that are no text."""
    line = json.dumps({"type": "assistant", "message": message("GARBAGE")}).encode()
    sys.stdout.buffer.write(line.replace(b"GARBAGE", b"caf\xe9 \xff") + b"\n")
    sys.stdout.flush()


ORDERS: dict[str, Callable[[str, dict[str, Any]], Any]] = {
    "say": lambda text, session: session.update(text=text),
    "replay": lambda name, _: replay(name),
    "deny": lambda tool, session: session["denials"].append({"tool_name": tool}),
    "cost": lambda usd, session: session.update(cost=float(usd)),
    "sleep": lambda seconds, _: time.sleep(float(seconds)),
    "exit": lambda code, _: sys.exit(int(code)),
    "crash": lambda *_: os.kill(os.getpid(), signal.SIGKILL),
    "line": lambda megabytes, _: emit(type="user", pad="x" * (int(megabytes) * 1_000_000)),
    "stream": lambda megabytes, _: stream(int(megabytes)),
    "garbage": lambda *_: garbage(),
    "write": lambda name, _: Path(name).write_text("hello\n"),
    "child": lambda *_: child(),
}


if __name__ == "__main__":
    main()
