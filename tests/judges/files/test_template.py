"""The prompt under test: what it mentions, and how a case's input is put in."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judges.core.errors import ConfigError, RunError
from judges.files.template import PromptTemplate, Syntax, read_prompt

MESSAGES = '- {role: system, content: "Be {tone}."}\n- role: user\n  content: "{{ question }}"\n'


@pytest.fixture
def prompt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.chdir(tmp_path)

    def write(name: str, text: str) -> PromptTemplate:
        Path(name).write_text(text, encoding="utf-8", newline="")
        return read_prompt(Path(name))

    return write


@pytest.mark.parametrize(
    ("name", "text", "variables"),
    [
        ("p.md", "Hi {name}, {{ order }} {{name}} { no } {1} {}", ("name", "order")),
        ("p.txt", 'Reply as {"verdict": "…"}', ()),
        ("p.prompt", "{customer-name} {a.b}", ("customer-name",)),
        ("p.jinja", "{% for item in items %}{{ item }}{% endfor %}{{ name | upper }}", ("items", "name")),
        ("p.yaml", MESSAGES, ("tone", "question")),
        ("p.py", 'f"{name}"', None),
        ("p.ts", "`${name}`", None),
    ],
)
def test_variables_are_what_the_file_mentions(
    prompt: Any, name: str, text: str, variables: tuple[str, ...] | None
) -> None:
    """A template names its variables; source code has none to tell."""
    assert prompt(name, text).variables == variables


@pytest.mark.parametrize(
    ("text", "values", "rendered"),
    [
        ("Hi {name}, {{ name }} {{name}}!", {"name": "Ann"}, "Hi Ann, Ann Ann!"),
        ("{a} {b}", {"a": "{b}", "b": "{a}"}, "{b} {a}"),
        ('{"a": {a}} {other} {{ other }}', {"a": 1}, '{"a": 1} {other} {{ other }}'),
        ("{x}", {"x": ["é", 1, None, {"k": True}]}, '["é", 1, null, {"k": true}]'),
        ("{a}{ab}", {"a": "1", "ab": "2"}, "12"),
        ("{a.b} {a+} {(}", {"a.b": "1", "(": "2"}, "1 {a+} 2"),
        ("{a}", {"a": r"\1 \g<0>"}, r"\1 \g<0>"),
        ("{a}\r\n", {}, "{a}\r\n"),
    ],
    ids=lambda value: repr(value)[:25],
)
def test_only_names_of_the_input_are_replaced(
    prompt: Any, text: str, values: dict[str, Any], rendered: str
) -> None:
    """One pass, nothing but the input's names, all other braces stay."""
    assert prompt("p.md", text).render(values) == (("user", rendered),)


def test_message_lists_keep_their_roles(prompt: Any) -> None:
    """A list of messages is rendered message by message."""
    rendered = prompt("p.yaml", MESSAGES).render({"tone": "kind", "question": "Why?"})
    assert rendered == (("system", "Be kind."), ("user", "Why?"))


HISTORY = [{"role": "user", "content": "Hi {tone}"}, {"role": "assistant", "content": "Hello"}]


def test_a_chat_history_follows_the_prompt(prompt: Any) -> None:
    """A single text becomes the system message; the history is not searched for names."""
    rendered = prompt("p.md", "Be {tone}.").render({"tone": "kind", "messages": HISTORY})
    assert rendered == (("system", "Be kind."), ("user", "Hi {tone}"), ("assistant", "Hello"))


def test_a_chat_history_follows_a_message_list(prompt: Any) -> None:
    """The roles of a message list stay."""
    rendered = prompt("p.yaml", MESSAGES).render({"tone": "kind", "question": "Why?", "messages": HISTORY})
    assert rendered[2:] == (("user", "Hi {tone}"), ("assistant", "Hello"))
    assert [role for role, _ in rendered[:2]] == ["system", "user"]


def test_a_history_that_the_template_mentions_is_put_there(prompt: Any) -> None:
    """A template that has a place for the history gets it as JSON."""
    assert prompt("p.md", "{messages}").render({"messages": [1]}) == (("user", "[1]"),)


def test_a_bad_history_is_explained(prompt: Any) -> None:
    """A message without a known role cannot be sent."""
    expected = "expected a mapping of role (system, user or assistant) and content (a text), found a mapping"
    with pytest.raises(RunError) as caught:
        prompt("p.md", "x").render({"messages": [{"role": "user", "content": "a"}, {"role": "bot"}]})
    assert str(caught.value) == f"input.messages[1]: {expected}"


def test_jinja_is_rendered(prompt: Any) -> None:
    """Lists and mappings are JSON here too; the last newline stays."""
    text = "{% for item in items %}[{{ item }}]{% endfor %} {{ items }} {{ name }}\n"
    rendered = prompt("p.jinja", text).render({"items": [1, {"é": "<"}], "name": "Ann & co"})
    assert rendered == (("user", '[1][{"é": "<"}] [1, {"é": "<"}] Ann & co\n'),)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{{ nobody }}", "the prompt cannot be rendered: 'nobody' is undefined"),
        ("{{ a.b.c }}", "the prompt cannot be rendered: 'str object' has no attribute 'b'"),
        ("{{ 1 / 0 }}", "the prompt cannot be rendered: division by zero"),
        (
            "{{ ''.__class__.__mro__ }}",
            "the prompt cannot be rendered: access to attribute '__class__' of 'str' object is unsafe.",
        ),
        ("{% include 'x' %}", "the prompt cannot be rendered: no loader for this environment specified"),
        ("{{ a + 1 }}", 'the prompt cannot be rendered: can only concatenate str (not "int") to str'),
    ],
)
def test_jinja_failures_are_explained(prompt: Any, text: str, message: str) -> None:
    """An undefined name, an unsafe access or any other failure is an error of the trial."""
    with pytest.raises(RunError) as caught:
        prompt("p.jinja", text).render({"a": "x"})
    assert str(caught.value) == message


def test_source_code_cannot_be_rendered(prompt: Any) -> None:
    """A program needs a runner."""
    with pytest.raises(RunError, match=r"^p\.py is not a prompt template: name a runner that calls it$"):
        prompt("p.py", "print()").render({})


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("p.md", " \n", "p.md: the prompt is empty (write the prompt)"),
        ("p.jinja", "a\n{% for", "p.jinja:2: not valid Jinja: unexpected 'end of template'"),
        (
            "p.yaml",
            "a: b",
            "p.yaml:1:1: expected a list of messages, each with role and content, found a mapping",
        ),
        ("p.yaml", "[]", "p.yaml:1:1: expected a list of messages, each with role and content, found a list"),
        (
            "p.yaml",
            "- {role: sytem, content: ''}\n- x\n",
            "p.yaml:1:10: [0].role: expected system, user or assistant, found 'sytem' "
            "(did you mean 'system'?)\n"
            "p.yaml:1:26: [0].content: must not be empty\n"
            "p.yaml:2:3: [1]: expected a mapping, found 'x'",
        ),
    ],
)
def test_bad_prompt_files_are_explained(prompt: Any, name: str, text: str, message: str) -> None:
    """A prompt file that is empty or not what its ending says is refused, all mistakes at once."""
    with pytest.raises(ConfigError) as caught:
        prompt(name, text)
    assert str(caught.value) == message


@given(st.text(), st.dictionaries(st.text(min_size=1), st.text()))
def test_text_without_mentions_is_never_changed(text: str, values: dict[str, str]) -> None:
    """Rendering is exact: what names no variable of the input comes out as it went in."""
    template = PromptTemplate(Path("p.md"), Syntax.TEXT, (("user", text),))
    mentioned = any(f"{{{name}}}" in text or ("{{" in text and name in text) for name in values)
    if not mentioned:
        assert template.render(values) == (("user", text),)
