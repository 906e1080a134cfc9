import json
from collections.abc import Mapping
from typing import Any

import pytest

from judges.core.errors import ConfigError
from judges.files.jsonl import parse_json
from scaffold.add_case.shapes import passed_over, read_case


def as_text_variable(text: str) -> Mapping[str, Any]:
    return {"text": text}


def read(line: Any, number: int = 1) -> dict[str, Any]:
    text = line if isinstance(line, str) else json.dumps(line)
    return read_case(parse_json(text, "log.jsonl", number), as_text_variable)


USER = {"role": "user", "content": "Hello"}
REPLY = {"role": "assistant", "content": "Hi"}
SYSTEM = {"role": "system", "content": "Be kind."}


@pytest.mark.parametrize(
    ("line", "case"),
    [
        pytest.param({"input": {"a": "x"}}, {"title": "x", "input": {"a": "x"}}, id="variables"),
        pytest.param(
            {"input": "x", "output": "y"}, {"title": "x", "input": {"text": "x"}, "output": "y"}, id="text"
        ),
        pytest.param(
            {"prompt": "x", "completion": "y"},
            {"title": "x", "input": {"text": "x"}, "output": "y"},
            id="prompt",
        ),
        pytest.param(
            {"prompt": "x"}, {"title": "x", "input": {"text": "x"}}, id="a prompt without an answer"
        ),
        pytest.param(
            {"prompt": "x", "response": "y"},
            {"title": "x", "input": {"text": "x"}, "output": "y"},
            id="response",
        ),
        pytest.param(
            {"messages": [SYSTEM, USER, REPLY]},
            {"title": "Hello", "input": {"messages": [USER]}, "output": "Hi"},
            id="a chat",
        ),
        pytest.param(
            {"messages": [USER, REPLY, USER]},
            {"title": "Hello", "input": {"messages": [USER, REPLY, USER]}},
            id="a chat that ends with the user",
        ),
        pytest.param(
            {"messages": [USER, REPLY], "output": "Yo"},
            {"title": "Hi", "input": {"messages": [USER, REPLY]}, "output": "Yo"},
            id="a chat with the output beside it",
        ),
        pytest.param(
            {"messages": [{"role": "developer", "content": "x"}, USER]},
            {"title": "Hello", "input": {"messages": [USER]}},
            id="the developer's message",
        ),
        pytest.param(
            {"messages": [{"role": "user", "content": [{"type": "text", "text": "He"}, {"text": "llo"}]}]},
            {"title": "Hello", "input": {"messages": [USER]}},
            id="a message in parts",
        ),
        pytest.param(
            {"input": "x", "output": {"ok": True}},
            {"title": "x", "input": {"text": "x"}, "output": '{"ok": true}'},
            id="an output that is JSON",
        ),
        pytest.param({"input": "x", "output": None}, {"title": "x", "input": {"text": "x"}}, id="no output"),
        pytest.param(
            {"input": "x", "id": 7}, {"title": "x", "id": "7", "input": {"text": "x"}}, id="a number"
        ),
        pytest.param(
            {
                "tags": ["a"],
                "expected_score_range": {"min": 1, "max": 2},
                "input": {},
                "expected_behavior": "b",
                "title": "T",
                "category": "edge",
                "reference": "r",
                "skip": "s",
                "model": "gpt",
            },
            {
                "title": "T",
                "category": "edge",
                "input": {},
                "expected_behavior": "b",
                "expected_score_range": {"min": 1, "max": 2},
                "reference": "r",
                "tags": ["a"],
                "skip": "s",
            },
            id="all keys of a case, in their order",
        ),
    ],
)
def test_shapes(line: Any, case: dict[str, Any]) -> None:
    """Each form becomes a case; its keys stand in their usual order."""
    found = read(line)
    assert found == case
    assert list(found) == list(case)


@pytest.mark.parametrize(
    ("line", "title"),
    [
        pytest.param({"input": {"a": 1, "b": "??", "c": "Two\n  lines"}}, "Two lines", id="the first words"),
        pytest.param({"input": "x" * 99}, "x" * 59 + "…", id="a long one"),
        pytest.param({"input": {"a": 1}}, "Line 3 of the log", id="no words"),
        pytest.param(
            {"messages": [USER, REPLY, {"role": "user", "content": "Bye"}]}, "Bye", id="the last message"
        ),
    ],
)
def test_titles(line: Any, title: str) -> None:
    """Without a title, the start of the first words is one."""
    assert read(line, 3)["title"] == title


@pytest.mark.parametrize(
    ("line", "message"),
    [
        pytest.param([1], "expected an object, found a list", id="a list"),
        pytest.param(
            {"question": "x"},
            "expected one of the keys input, messages, prompt, found none of them",
            id="no form",
        ),
        pytest.param(
            {"input": "x", "prompt": "y"},
            "expected one of the keys input, messages, prompt, found input and prompt",
            id="two forms",
        ),
        pytest.param(
            {"input": 7}, "input: expected a mapping of variables or a text, found 7", id="a number"
        ),
        pytest.param({"prompt": ["x"]}, "prompt: expected a text, found a list", id="prompt"),
        pytest.param(
            {"messages": []}, "messages: expected a list of messages, found a list", id="no message"
        ),
        pytest.param({"messages": [SYSTEM]}, "messages: holds no message of the user", id="the system alone"),
        pytest.param({"messages": [SYSTEM, REPLY]}, "messages: holds no message of the user", id="no user"),
        pytest.param(
            {"messages": [USER, {"role": "tool", "content": "x"}]},
            "messages[1]: expected a message of the user or the assistant, found 'tool'",
            id="a tool",
        ),
        pytest.param(
            {"messages": ["x"]},
            "messages[0]: expected a message of the user or the assistant, found 'x'",
            id="no role",
        ),
        pytest.param(
            {"messages": [{"role": "user", "content": [{"type": "image_url"}]}]},
            "messages[0].content: expected a text; a case holds no images and no calls of tools",
            id="an image",
        ),
        pytest.param(
            {"messages": [USER, {"role": "assistant", "content": None, "tool_calls": []}]},
            "messages[1].content: expected a text; a case holds no images and no calls of tools",
            id="a call of a tool",
        ),
        pytest.param({"input": "x", "category": "egde"}, "did you mean 'edge'?", id="no such category"),
        pytest.param({"input": "x", "tags": "a"}, "tags: expected a list, found 'a'", id="tags"),
        pytest.param(
            {"input": "x", "expected_score_range": {"min": 9, "max": 1}}, "min (9) must not", id="range"
        ),
        pytest.param("{", "not valid JSON", id="no JSON"),
    ],
)
def test_mistakes(line: Any, message: str) -> None:
    """What is wrong is said with the line of the log."""
    with pytest.raises(ConfigError) as caught:
        read(line, 5)
    assert str(caught.value).startswith("log.jsonl:5")
    assert message in str(caught.value)


def test_passed_over() -> None:
    """Keys that logs have and cases do not are known, so that a typing error shows."""
    line = {"input": "x", "completion": "y", "model": "m", "expected_behaviour": "z", "tags": []}
    assert list(passed_over(line)) == ["model", "expected_behaviour"]
