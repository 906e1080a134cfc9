"""From one line of a log to a case, as plain data.

A line is a JSON object of one of these shapes:

    {"input": {"NAME": …} or "text", "output"?}                            a case
    {"messages": [{"role", "content"}, …], "output"?}                      a chat
    {"prompt": "text", "completion"? or "response"? or "output"?}          a prompt and its answer

A chat's last message, if it is the assistant's, is the output unless there is one beside it. Messages of the
system at its start are left out: they are the prompt under test. Any line may have the other keys of a case
(`title`, `id`, `category`, `expected_behavior`, `expected_score_range`, `reference`, `tags`, `skip`). Further
keys, as logs have them, are passed over.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from judges.core.row import excerpt
from judges.files.case_meta import CaseSpec
from judges.files.document import Document
from judges.files.problems import found
from judges.files.shape import parse_model
from judges.files.template import HISTORY, as_text

TextInput: TypeAlias = Callable[[str], Mapping[str, Any]]
"""Makes the input of a case from a plain text."""

KEYS = tuple(key for key in CaseSpec.model_fields if key != "manual_override")
ANSWERS = ("output", "completion", "response")
TITLE_LENGTH = 60
_SYSTEM = ("system", "developer")
_ROLES = ("user", "assistant", *_SYSTEM)


def read_case(document: Document, text_input: TextInput) -> dict[str, Any]:
    """Return the case that a line of a log describes, its keys in their usual order.

    Raises:
        ConfigError: the line is of no known shape, or the case would be wrong.
    """
    line = document.value
    if not isinstance(line, dict):
        raise document.error((), f"expected an object, found {found(line)}")
    shapes = [key for key in _SHAPES if key in line]
    if len(shapes) != 1:
        which = " and ".join(shapes) or "none of them"
        raise document.error((), f"expected one of the keys {', '.join(_SHAPES)}, found {which}")
    case = {**line, **_SHAPES[shapes[0]](document, text_input)}
    case["title"] = line.get("title") or name_input(case["input"], document.line)
    if isinstance(line.get("id"), int):
        case["id"] = str(line["id"])
    ordered = {key: case[key] for key in KEYS if case.get(key) is not None}
    parse_model(CaseSpec, Document(ordered, document.file, line=document.line))
    return ordered


def passed_over(line: Mapping[str, Any]) -> Iterator[str]:
    """Yield the keys of a line that no case has."""
    return (key for key in line if key not in (*KEYS, *_SHAPES, *ANSWERS))


def _from_case(document: Document, text_input: TextInput) -> dict[str, Any]:
    given = document.value["input"]
    if not isinstance(given, dict | str):
        raise document.error(("input",), f"expected a mapping of variables or a text, found {found(given)}")
    return {"input": text_input(given) if isinstance(given, str) else given, **_answer(document.value)}


def _from_chat(document: Document, _: TextInput) -> dict[str, Any]:
    given = document.value["messages"]
    if not isinstance(given, list) or not given:
        raise document.error(("messages",), f"expected a list of messages, found {found(given)}")
    messages = [_message(document, index) for index in range(len(given))]
    while messages and messages[0]["role"] in _SYSTEM:
        del messages[0]
    answer = _answer(document.value)
    if not answer and messages and messages[-1]["role"] == "assistant":
        answer = {"output": messages.pop()["content"]}
    if not messages:
        raise document.error(("messages",), "holds no message of the user")
    return {"input": {HISTORY: messages}, **answer}


def _from_prompt(document: Document, text_input: TextInput) -> dict[str, Any]:
    prompt = document.value["prompt"]
    if not isinstance(prompt, str):
        raise document.error(("prompt",), f"expected a text, found {found(prompt)}")
    return {"input": text_input(prompt), **_answer(document.value)}


_SHAPES: Mapping[str, Callable[[Document, TextInput], dict[str, Any]]] = {
    "input": _from_case,
    "messages": _from_chat,
    "prompt": _from_prompt,
}


def _answer(line: Mapping[str, Any]) -> dict[str, str]:
    given = next((line[key] for key in ANSWERS if line.get(key) is not None), None)
    return {} if given is None else {"output": as_text(given)}


def _message(document: Document, index: int) -> dict[str, str]:
    message, loc = document.value["messages"][index], ("messages", index)
    if not isinstance(message, dict) or message.get("role") not in _ROLES:
        role = message.get("role") if isinstance(message, dict) else message
        raise document.error(loc, f"expected a message of the user or the assistant, found {found(role)}")
    text = _content(message.get("content"))
    if text is None:
        raise document.error(
            (*loc, "content"), "expected a text; a case holds no images and no calls of tools"
        )
    return {"role": message["role"], "content": text}


def _content(content: Any) -> str | None:
    """Return the text of a message, also of one in parts; None where it holds anything else."""
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) and content else [None]
    given = [part.get("text") if isinstance(part, dict) else None for part in parts]
    texts = [text for text in given if isinstance(text, str)]
    return "".join(texts) if len(texts) == len(given) else None


def name_input(given: Mapping[str, Any], line: int, telling: str | None = None) -> str:
    """Return a title: the start of a chat's last message, else of the telling variable or the first text."""
    history = given.get(HISTORY)
    texts: Sequence[Any] = (given.get(telling or ""), *given.values())
    if isinstance(history, list) and history and isinstance(history[-1], dict):
        texts = (history[-1].get("content"), *texts)
    words = next((each for each in texts if isinstance(each, str) and any(map(str.isalnum, each))), "")
    return excerpt(" ".join(words.split()), TITLE_LENGTH) or f"Line {line} of the log"
