import json
from pathlib import Path
from typing import Any

import pytest

from judges.core.case import Case, Category
from judges.core.errors import ConfigError
from scaffold.add_case.choose import Chosen, Wishes, choose_cases

EXISTING = (
    Case(ref="greetings/hello", title="Hello", category=Category.ELEMENT, input={"text": "Hello"}),
    Case(ref="seven", title="Seven", category=Category.ELEMENT, input={"a": 1, "b": [2]}),
)


def choose(tmp_path: Path, *lines: Any, **wishes: Any) -> Chosen:
    log = tmp_path / "log.jsonl"
    log.write_text("".join(f"{line if isinstance(line, str) else json.dumps(line)}\n" for line in lines))
    return choose_cases(log, EXISTING, lambda text: {"text": text}, Wishes(**wishes))


def test_only_new_inputs(tmp_path: Path) -> None:
    """A line like a case, or like an earlier line, is left out; the order of keys does not matter."""
    chosen = choose(
        tmp_path, {"input": "Hello"}, {"input": "Bye"}, "", {"prompt": "Bye"}, {"input": {"b": [2], "a": 1}}
    )
    assert {line: case["title"] for line, case in chosen.cases.items()} == {2: "Bye"}
    assert chosen.twins == {1: "the case 'greetings/hello'", 4: "line 2", 5: "the case 'seven'"}


def test_titles_are_of_what_differs(tmp_path: Path) -> None:
    """Of several variables the one whose texts differ most names a case; a title of its own stays."""
    policy = "Parcels may be sent back within thirty days of delivery, at the cost of the shop. " * 3
    given = [{"shop": "Quill", "policy": policy, "message": text} for text in ("Where is it?", "Too late!")]
    lines: list[Any] = [{"input": each} for each in given]
    chosen = choose(tmp_path, *lines, {"input": {**given[0], "message": "Hi"}, "title": "Quill"})
    assert [case["title"] for case in chosen.cases.values()] == ["Where is it?", "Too late!", "Quill"]
    assert [case.get("id") for case in chosen.cases.values()] == [None, None, None]


def test_the_cases_that_are_there_say_what_differs(tmp_path: Path) -> None:
    """A single line is named by the variable that is another in each case so far."""
    log = tmp_path / "log.jsonl"
    given = {"shop": "Quill", "policy": "Within thirty days, and no later.", "message": "Is it late?"}
    log.write_text(json.dumps({"input": given}))
    before = Case(ref="a", title="a", category=Category.ELEMENT, input={**given, "message": "Hello"})
    chosen = choose_cases(log, [before], lambda text: {"text": text}, Wishes())
    assert [case["title"] for case in chosen.cases.values()] == ["Is it late?"]
    alone = choose_cases(log, [], lambda text: {"text": text}, Wishes())
    assert [case["title"] for case in alone.cases.values()] == ["Within thirty days, and no later."]


def test_categories_and_tags(tmp_path: Path) -> None:
    """The line's own category goes before the one for all; tags are added."""
    chosen = choose(
        tmp_path,
        {"input": "a", "category": "mixed", "tags": ["x", "y"]},
        {"input": "b"},
        category="edge",
        tags=("y", "z"),
    )
    assert chosen.cases == {
        1: {"title": "a", "category": "mixed", "input": {"text": "a"}, "tags": ["x", "y", "z"]},
        2: {"title": "b", "category": "edge", "input": {"text": "b"}, "tags": ["y", "z"]},
    }


def test_ids_are_unique(tmp_path: Path) -> None:
    """An id is written where that of the title is taken, or another is given; nothing else has one."""
    chosen = choose(
        tmp_path,
        {"input": "Hello!"},
        {"input": "hello?"},
        {"input": "fine"},
        {"input": "c", "id": "seven"},
        {"input": "d", "id": "own"},
        {"input": "e", "title": "???"},
    )
    assert [case.get("id") for case in chosen.cases.values()] == [
        "hello-2", "hello-3", None, "seven-2", "own", "case",
    ]  # fmt: skip


def test_limit(tmp_path: Path) -> None:
    """Twins do not count; what follows is not read."""
    lines = ({"input": "Hello"}, {"input": "a"}, {"input": "b"}, {"input": "c"}, "rubbish")
    assert list(choose(tmp_path, *lines, limit=2).cases) == [2, 3]


def test_remarks(tmp_path: Path) -> None:
    """Keys that no case has are counted; personal data is named by its kind."""
    chosen = choose(
        tmp_path,
        {"input": "a", "model": "m", "ts": 1},
        {"input": "b", "ts": 2, "output": "jane@corp.com, 123-45-6789"},
    )
    assert chosen.passed_over == {"model": 1, "ts": 2}
    assert chosen.personal == {2: ("an e-mail address", "a social security number")}


def test_all_mistakes_at_once(tmp_path: Path) -> None:
    """One wrong line does not hide the next."""
    with pytest.raises(ConfigError) as caught:
        choose(tmp_path, {"input": 1}, {"input": "fine"}, '{"input": "\\ud800"}', "{")
    assert [problem.line for problem in caught.value.problems] == [1, 3, 4]
    assert "holds half of a character" in str(caught.value)
