"""Sessions of the real client, each with a recorded stream in `tests/golden/claude`.

Run as a program, after `make client`, it records them anew:

    PYTHONPATH=tests:tests/claude python tests/claude/claude_scenarios.py
"""

import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from typing import Any

from claude_client import find_installed
from claude_stub import Conversation, Script, api_error, last_result, say, think, tool
from loopback import Reply, Server

from judges.core.session import Isolation
from judges.providers.claude.client import VARIABLE, Client, find_client
from judges.providers.claude.environment import build_environ
from judges.providers.claude.judge import judge_arguments
from judges.providers.claude.session import STREAM, SessionResult, SessionSpec, run_session
from judges.providers.process.run import Streams, run_program
from judges.providers.process.slots import Slots
from judges.providers.process.tree import Program

GOLDEN = Path(__file__).parents[1] / "golden" / "claude"
MODEL = "claude-haiku-4-5-20251001"
VERDICT = '{"verdict": "PASS", "reasoning": "It says so."}'


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenario:
    """What the user says, what the model does, and how the session is run."""

    turns: Conversation
    subagent: Conversation = ()
    options: Mapping[str, Any] = field(default_factory=dict)

    @property
    def conversations(self) -> Mapping[str, Conversation]:
        """The script of the server."""
        return {"Do the task": self.turns, "Do the part": self.subagent}

    def run(self, folder: Path, client: Client) -> SessionResult:
        """Run the session, and leave its stream in a folder."""
        spec = SessionSpec(
            body="Do the task", project=folder, model=MODEL, timeout_seconds=60, **self.options
        )
        return run_session(spec, folder, client, slots=Slots())


def _tell(body: Mapping[str, Any]) -> Reply:
    return say(f"The tool said: {last_result(body)}")


BYPASS = {"permission_mode": "bypassPermissions"}
DENIED = (
    say(tool("Bash", command="touch made"), tool("Write", file_path="made", content="x")),
    say("Denied."),
)
SCENARIOS = {
    "text": Scenario(turns=[say("STATUS: OK")]),
    "thinking": Scenario(turns=[say(think("Nothing to do."), "STATUS: OK")]),
    "tools": Scenario(
        turns=[
            say("I write.", tool("Write", file_path="note.txt", content="Grüße\n")),
            say(tool("Read", file_path="note.txt")),
            say(tool("Bash", command="cat note.txt; pwd")),
            _tell,
        ],
        options={**BYPASS, "allowed_tools": "Bash Read Write", "append_system_prompt": "You are under test."},
    ),
    "toolerr": Scenario(
        turns=[
            say(tool("Read", file_path="missing.txt")),
            say(tool("Bash", command="false")),
            say("It failed."),
        ],
        options=BYPASS,
    ),
    "parallel": Scenario(
        turns=[
            say(
                tool("Bash", command="sleep 0.3; echo one"),
                tool("Bash", command="echo two"),
                tool("Read", file_path="missing.txt"),
            ),
            say("All done."),
        ],
        options=BYPASS,
    ),
    "subagent": Scenario(
        turns=[
            say(
                tool(
                    "Agent",
                    description="a part",
                    prompt="Do the part",
                    subagent_type="general-purpose",
                    run_in_background=False,
                )
            ),
            say("The part is done."),
        ],
        subagent=[say(think("My part."), "I look.", tool("Bash", command="echo part")), say("PART DONE")],
        options=BYPASS,
    ),
    "denied": Scenario(turns=DENIED, options={"allowed_tools": "Read"}),
    "plan": Scenario(turns=DENIED, options={"permission_mode": "plan"}),
    "max_turns": Scenario(
        turns=[say(tool("Bash", command="echo again"))], options={**BYPASS, "max_turns": 2}
    ),
    "api_error": Scenario(turns=[api_error(529, "overloaded_error", "Overloaded")]),
    "recovered": Scenario(turns=[[api_error(429, "rate_limit_error", "Slow down"), say("STATUS: OK")]]),
    "cut": Scenario(turns=[say("STATUS: OK " * 40, cut=True)]),
}

_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z")
_PLACES = ((_UUID, "00000000-0000-4000-8000-000000000000"), (_TIME, "2026-11-30T12:00:00.000Z"))
_LONGEST_LIST = 2
_ABOUT_THE_MACHINE = {
    "slash_commands",
    "terminal_slash_commands",
    "agents",
    "skills",
    "plugins",
    "capabilities",
}


_KINDS = {int: "number", float: "number", bool: "boolean", type(None): "null"}


def read_events(stream: Path) -> list[dict[str, Any]]:
    """The events of a stream."""
    return [json.loads(line) for line in stream.read_bytes().split(b"\n") if line]


def scrub(event: Mapping[str, Any], scratch: str) -> dict[str, Any]:
    """The event without what differs from run to run, or tells of the machine."""
    cleaned: dict[str, Any] = _scrub(event, scratch)
    return {
        key: value[:_LONGEST_LIST] if key in _ABOUT_THE_MACHINE and isinstance(value, list) else value
        for key, value in cleaned.items()
    }


def _scrub(value: Any, scratch: str, key: str = "") -> Any:
    if isinstance(value, Mapping):
        return {each: _scrub(inner, scratch, each) for each, inner in value.items()}
    if isinstance(value, list):
        return [_scrub(inner, scratch) for inner in value]
    if isinstance(value, str):
        for pattern, place in _PLACES:
            value = pattern.sub(place, value)
        value = value.replace(scratch, "/scratch").replace(scratch.replace("/", "-"), "-scratch")
        return re.sub(r"127\.0\.0\.1:\d+", "127.0.0.1:1", re.sub(r"\d+\.sock", "1.sock", value))
    varies = key.endswith(("_ms", "Ms", "_tokens_delta", "estimated_tokens")) or key == "pid"
    return type(value)(1) if varies and isinstance(value, int | float) else value


def shape(events: Sequence[Mapping[str, Any]]) -> dict[str, set[str]]:
    """The fields of every kind of event, with the types of their values."""
    shapes: dict[str, set[str]] = {}
    for event in events:
        kind = "/".join(str(event[key]) for key in ("type", "subtype") if key in event)
        shapes.setdefault(kind, set()).update(_paths(event, ""))
    return shapes


def _paths(value: Any, path: str) -> Iterator[str]:
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _paths(inner, f"{path}.{key}")
    elif isinstance(value, list):
        for inner in value:
            yield from _paths(inner, f"{path}[]")
    else:
        yield f"{path}: {_KINDS.get(type(value), 'text')}"


def _scrubbed(events: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    scratch = str(Path(next(event["cwd"] for event in events if "cwd" in event)).parent)
    for event in events:
        yield json.dumps(scrub(event, scratch), ensure_ascii=False)


def judge_live(client: Client, folder: Path) -> list[dict[str, Any]]:
    """The events that the client prints as a judge."""
    system = folder / "system-prompt.txt"
    system.write_text("You judge.")
    program = Program(
        arguments=(str(client.path), *judge_arguments(MODEL, system)),
        folder=folder,
        environ={**build_environ(client.environ, Isolation.SEALED, folder)},
    )
    with TemporaryFile() as stdin, TemporaryFile() as stdout, TemporaryFile() as stderr:
        stdin.write(b"Do the task")
        stdin.seek(0)
        run_program(program, Streams(stdin, stdout, stderr), seconds=60)
        stdout.seek(0)
        events: list[dict[str, Any]] = json.load(stdout)
    return events


def main() -> None:
    """Record all streams, and what a judge prints."""
    GOLDEN.mkdir(parents=True, exist_ok=True)
    for name, scenario in SCENARIOS.items():
        with TemporaryDirectory() as folder, _client(scenario.conversations) as client:
            scenario.run(Path(folder), client)
            lines = _scrubbed(read_events(Path(folder, STREAM)))
            (GOLDEN / f"{name}.jsonl").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    with TemporaryDirectory() as folder, _client({"Do the task": [say(VERDICT)]}) as client:
        events = ",".join(_scrubbed(judge_live(client, Path(folder).resolve())))
        (GOLDEN / "judge_ok.json").write_text(f"[{events}]\n", encoding="utf-8")


@contextmanager
def _client(conversations: Mapping[str, Conversation]) -> Iterator[Client]:
    server = Server(Script(conversations))
    own = {
        "PATH": os.environ["PATH"],
        VARIABLE: str(find_installed()),
        "ANTHROPIC_BASE_URL": server.url,
        "ANTHROPIC_API_KEY": "sk-ant-fake",
        "CLAUDE_CODE_MAX_RETRIES": "1",
    }
    yield find_client(own)
    server.close()


if __name__ == "__main__":
    main()
