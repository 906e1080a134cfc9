"""What the Messages API answers to the real `claude` client, scripted: no key, no network, no model.

    from claude_stub import ClaudeStub, api_error, say, think, tool

    def test_something(claude_stub: ClaudeStub, real_claude: Client) -> None:
        server = claude_stub(
            {
                "Say hello": [say("Hello.")],
                "List the files": [say(think("ls will do"), tool("Bash", command="ls")), say("Done.")],
                "Be flaky": Variants([say("STATUS: OK")], [say("STATUS: FAIL")], [say("STATUS: OK")]),
                "Fail first": [[api_error(529, "overloaded_error"), say("Here I am.")]],
            }
        )
        environ = client_environ(server)     # see claude_client: a fake key, the stub's address, few retries

`claude_stub` starts a server of `loopback` (so `server.requests` holds what was asked) that holds these
conversations, by a text that their first message contains; the subagent's prompt of an `Agent` call and a
judge's evidence are first messages like any other, and the longest key that matches counts. A conversation is
the list of the turns that the model takes; past the end the last one is repeated. A turn is a reply, or a
function of the request's body that returns one, or a list of these for when the same turn is asked for again
and again, as the client does after an error. `Variants` are for replicas, and for a judge asked twice: the
first session has the first conversation, the second has the second, and so on, over and over.
"""

import json
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Any, TypeAlias

from loopback import Reply, Server, anthropic_error

Block: TypeAlias = str | Mapping[str, Any]
Turn: TypeAlias = Reply | Callable[[dict[str, Any]], Reply] | Sequence[Any]
Conversation: TypeAlias = Sequence[Turn]
ClaudeStub: TypeAlias = Callable[[Mapping[str, "Conversation | Variants"]], Server]

_ids = count(1)


@dataclass(frozen=True, slots=True, init=False)
class Variants:
    """A conversation for each replica, in the order in which they come."""

    conversations: tuple[Conversation, ...]

    def __init__(self, *conversations: Conversation) -> None:
        object.__setattr__(self, "conversations", conversations)


def say(
    *blocks: Block,
    stop: str | None = None,
    tokens: tuple[int, int] = (100, 20),
    delay: float = 0.0,
    cut: bool = False,
) -> Reply:
    """A message of these blocks, streamed; a text is a block of text. `cut`: the connection ends in it.

    `tokens` are those of the input and of the output, `delay` is in seconds.
    """
    content = [{"type": "text", "text": each} if isinstance(each, str) else each for each in blocks]
    calls = any(each["type"] == "tool_use" for each in content)
    stream = "".join(_events(content, stop or ("tool_use" if calls else "end_turn"), tokens))
    headers = {"Content-Type": "text/event-stream; charset=utf-8"}
    return Reply(body=stream.encode(), headers=headers, delay=delay, drop="middle" if cut else None)


def think(text: str) -> Block:
    """A block of thinking."""
    return {"type": "thinking", "thinking": text, "signature": "c2lnbmF0dXJl"}


def tool(name: str, /, **arguments: Any) -> Block:
    """A call of a tool."""
    return {"type": "tool_use", "id": f"toolu_{next(_ids):06}", "name": name, "input": arguments}


def api_error(status: int, kind: str, message: str = "the stub says no") -> Reply:
    """An error of the API."""
    return anthropic_error(status, message, kind=kind)


def last_result(body: Mapping[str, Any]) -> str:
    """The text of the last tool result in a request, without what the client adds to it."""
    blocks = [block for message in body["messages"] for block in _blocks(message)]
    content = next(block["content"] for block in reversed(blocks) if block["type"] == "tool_result")
    text = content if isinstance(content, str) else "".join(each.get("text", "") for each in content)
    return text.partition("\n\n<system-reminder>")[0]


@dataclass(slots=True)
class Script:
    """Answers requests by their conversation. Called from several threads."""

    conversations: Mapping[str, Conversation | Variants]
    _sessions: dict[str, dict[str, Conversation]] = field(default_factory=dict)
    _asked: dict[tuple[str, str, int], int] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def __call__(self, body: dict[str, Any]) -> Reply:
        asked = "\n".join(_texts(body["messages"]))
        key = max((each for each in self.conversations if each in asked), key=len, default=None)
        if key is None:
            return api_error(
                400, "invalid_request_error", f"the stub knows no conversation for: {asked[:200]}"
            )
        session = json.loads(body["metadata"]["user_id"])["session_id"]
        number = sum(message["role"] == "assistant" for message in body["messages"])
        with self._lock:
            turns = self._turns(key, session)
            repeated = self._asked.get((session, key, number), 0)
            self._asked[session, key, number] = repeated + 1
        turn = turns[min(number, len(turns) - 1)]
        if isinstance(turn, Sequence):
            turn = turn[min(repeated, len(turn) - 1)]
        return turn if isinstance(turn, Reply) else turn(body)

    def _turns(self, key: str, session: str) -> Conversation:
        conversation = self.conversations[key]
        if not isinstance(conversation, Variants):
            return conversation
        known = self._sessions.setdefault(key, {})
        variants = conversation.conversations
        return known.setdefault(session, variants[len(known) % len(variants)])


def _texts(messages: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yield what the user said, without the client's own reminders."""
    for message in messages:
        for block in _blocks(message):
            if message["role"] == "user" and block["type"] == "text" and not _is_reminder(block["text"]):
                yield block["text"]


def _is_reminder(text: str) -> bool:
    return text.startswith("<system-reminder>")


def _blocks(message: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    content = message["content"]
    return [{"type": "text", "text": content}] if isinstance(content, str) else content


def _events(content: Sequence[Mapping[str, Any]], stop: str, tokens: tuple[int, int]) -> Iterator[str]:
    """Yield a message as the API streams it."""
    usage = {"input_tokens": tokens[0], "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0}
    message = {
        "id": f"msg_{next(_ids):06}", "type": "message", "role": "assistant", "model": "claude-stub",
        "content": [], "stop_reason": None, "stop_sequence": None, "usage": {**usage, "output_tokens": 1},
    }  # fmt: skip
    yield _event("message_start", message=message)
    for index, block in enumerate(content):
        empty, deltas = _pieces(block)
        yield _event("content_block_start", index=index, content_block=empty)
        for delta in deltas:
            yield _event("content_block_delta", index=index, delta=delta)
        yield _event("content_block_stop", index=index)
    end = {"stop_reason": stop, "stop_sequence": None}
    yield _event("message_delta", delta=end, usage={**usage, "output_tokens": tokens[1]})
    yield _event("message_stop")


def _pieces(block: Mapping[str, Any]) -> tuple[Mapping[str, Any], Sequence[Mapping[str, Any]]]:
    """A block as it starts, and what fills it."""
    match block["type"]:
        case "text":
            return {**block, "text": ""}, [{"type": "text_delta", "text": block["text"]}]
        case "thinking":
            thought = {"type": "thinking_delta", "thinking": block["thinking"]}
            signed = {"type": "signature_delta", "signature": block["signature"]}
            return {**block, "thinking": "", "signature": ""}, [thought, signed]
        case "tool_use":
            given = {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
            return {**block, "input": {}}, [given]
        case _:
            return block, []


def _event(name: str, **data: Any) -> str:
    return f"event: {name}\ndata: {json.dumps({'type': name, **data})}\n\n"
