"""Files of models and labels, in every shape in which they are found."""

from pathlib import Path

import pytest

from judges.core.errors import ConfigError
from judges.files.grid_lists import read_labels, read_models

NAMES = ("openai:gpt-4.1", "anthropic:claude-haiku-4-5")
MODELS = {
    "a list": "- openai:gpt-4.1\n- anthropic:claude-haiku-4-5\n",
    "under a key": "x-why: cheap\nmodels:\n  - openai:gpt-4.1\n  - name: anthropic:claude-haiku-4-5\n",
    "json": '[\n\t"openai:gpt-4.1",\n\t{"name": "anthropic:claude-haiku-4-5"}\n]\n',
    "names of promptfoo": '["openai:chat:gpt-4.1", "anthropic:messages:claude-haiku-4-5"]',
}


@pytest.mark.parametrize("text", MODELS.values(), ids=MODELS)
def test_models_are_a_list_of_names(tmp_path: Path, text: str) -> None:
    """By itself or under `models`, in YAML or JSON."""
    (tmp_path / "models.json").write_text(text, encoding="utf-8")
    assert tuple(model.name for model in read_models(tmp_path / "models.json")) == NAMES


BAD_MODELS = {
    "empty": ("[]", "m.yaml:1:1: there is no model (name one, such as openai:gpt-4.1-mini)"),
    "no list": ("gpt-4o", "m.yaml:1:1: expected a list, or a mapping with one list, found 'gpt-4o'"),
    "no list inside": (
        "models: gpt-4o",
        "m.yaml:1:1: expected a list, or a mapping with one list, found a mapping with no lists",
    ),
    "another key": (
        "modles: [gpt-4o]",
        "m.yaml:1:1: modles: unknown key (did you mean 'models'?)",
    ),
    "twice": ("- a:b\n- {name: 'a:b'}", "m.yaml:2:3: [1]: 'a:b' is there already, in line 1"),
    "a number": ("- 4", "m.yaml:1:3: [0]: expected the name of a model, found 4"),
    "a wrong mapping": (
        "- {nme: a}",
        "m.yaml:1:3: [0].name: the key is missing\nm.yaml:1:4: [0].nme: unknown key (did you mean 'name'?)",
    ),
}


@pytest.mark.parametrize(("text", "message"), BAD_MODELS.values(), ids=BAD_MODELS)
def test_models_that_cannot_be_read_are_explained(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, message: str
) -> None:
    """Each at its place."""
    monkeypatch.chdir(tmp_path)
    Path("m.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError) as caught:
        read_models(Path("m.yaml"))
    assert str(caught.value) == message


LABELS = {
    "json list": ("l.json", '["fix", "single-user incident"]'),
    "json object": ("l.json", '{"name": "routes", "labels": ["fix", "single-user incident"]}'),
    "yaml": ("l.yaml", "- fix\n- single-user incident\n"),
    "text": ("l.txt", "\ufefffix\r\n\n  single-user incident  \n"),
    "any other file": ("labels", "fix\nsingle-user incident"),
}


@pytest.mark.parametrize(("name", "text"), LABELS.values(), ids=LABELS)
def test_labels_are_a_list_or_lines(tmp_path: Path, name: str, text: str) -> None:
    """A JSON list, the one list of an object, or a text with a label a line."""
    (tmp_path / name).write_text(text, encoding="utf-8", newline="")
    assert read_labels(tmp_path / name) == ("fix", "single-user incident")


BAD_LABELS = {
    "none": ("l.json", "[]", "l.json:1:1: there is no label (list everything that may be answered)"),
    "no line": ("l.txt", "\n\n", "l.txt:1:1: there is no label (list everything that may be answered)"),
    "two lists": (
        "l.json",
        '{"a": ["x"], "b": []}',
        "l.json:1:1: expected a list, or a mapping with one list, found a mapping with 2 lists",
    ),
    "a number": ("l.json", '["a", 1]', "l.json:1:7: [1]: expected a label, found 1 (put it in quotes)"),
    "an empty one": ("l.json", '[""]', "l.json:1:2: [0]: expected a label, found an empty text"),
    "blanks": ("l.json", '["a "]', "l.json:1:2: [0]: 'a ' has blanks around it, or several lines"),
    "twice": ("l.txt", "a\nb\nA\n", "l.txt:3:1: 'A' is there already, in line 1: case does not count"),
}


@pytest.mark.parametrize(("name", "text", "message"), BAD_LABELS.values(), ids=BAD_LABELS)
def test_labels_that_cannot_be_told_apart_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, text: str, message: str
) -> None:
    """So is what is no label."""
    monkeypatch.chdir(tmp_path)
    Path(name).write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError) as caught:
        read_labels(Path(name))
    assert str(caught.value) == message
