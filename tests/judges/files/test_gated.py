"""The registry of gated blocks."""

import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from judges.core.errors import ConfigError
from judges.files.gated import GatedBlock, Registry, read_registry
from judges.files.json_schema import gated_schema
from judges.files.yaml import parse_yaml

ENTRY = "source_file: go.md, block_id: go, target: go, projected_prompt_path: prompts/go.txt"
OTHER = "source_file: go.md, block_id: b, target: b, projected_prompt_path: b.txt"


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def read(root: Path, text: str, name: str = "gated.yaml") -> Registry:
    (root / name).write_text(text, encoding="utf-8")
    return read_registry(root / name, root)


def refusal(root: Path, text: str, name: str = "gated.yaml") -> str:
    with pytest.raises(ConfigError) as caught:
        read(root, text, name)
    return str(caught.value)


def test_an_entry(root: Path) -> None:
    """Markers are made of the id, and paths start at the root."""
    assert read(root, f"- {{{ENTRY}}}\n").blocks == (
        GatedBlock(
            source_file=root / "go.md",
            block_id="go",
            block_start_marker="<!-- eval-gate:block:go:start -->",
            block_end_marker="<!-- eval-gate:block:go:end -->",
            target="go",
            projected_prompt_path=root / "prompts/go.txt",
        ),
    )


def test_the_registry_of_the_seed(root: Path) -> None:
    """JSON with explicit markers is read, too, also where tabs indent it."""
    entry = {
        "source_file": "commands/go.md",
        "block_id": "go-routing",
        "block_start_marker": "# START",
        "block_end_marker": "# END",
        "target": "go",
        "projected_prompt_path": "prompts/go-skill.txt",
        "template": "prompts/go.tmpl",
    }
    for indent in ("  ", "\t"):
        (block,) = read(root, json.dumps([entry], indent=indent), "gated-skills.json").blocks
        assert (block.block_start_marker, block.block_end_marker) == ("# START", "# END")
        assert block.template == root / "prompts/go.tmpl"


@pytest.mark.parametrize(
    ("name", "text"),
    [("gated.yaml", ""), ("gated.yaml", "# nothing yet\n"), ("gated.yaml", "[]"), ("gated.json", "[]")],
    ids=["no text", "a comment", "no entry", "JSON"],
)
def test_an_empty_registry(root: Path, name: str, text: str) -> None:
    """A registry may be empty: it is for the check to complain about."""
    assert read(root, text, name).blocks == ()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        pytest.param(
            "blocks: []", "gated.yaml:1:1: expected a list of entries, found a mapping", id="mapping"
        ),
        pytest.param("- {block_id: a}", "gated.yaml:1:3: [0].source_file: the key is missing", id="missing"),
        pytest.param(
            f"- {{{ENTRY}, templat: x}}",
            "[0].templat: unknown key (did you mean 'template'?)",
            id="unknown key",
        ),
        pytest.param(
            f"- {{{ENTRY.replace('block_id: go', 'block_id: Go')}}}",
            "gated.yaml:1:34: [0].block_id: expected a block's id: a small letter, then small letters, "
            "digits or '-', found 'Go'",
            id="an id with a capital",
        ),
        pytest.param(
            f"- {{{ENTRY}, block_start_marker: '# a', block_end_marker: '# ab'}}",
            "gated.yaml:1:3: [0]: neither of the two markers may be part of the other",
            id="markers alike",
        ),
        pytest.param(
            f'- {{{ENTRY}, block_start_marker: "a\\nb"}}',
            "[0].block_start_marker: expected a single line without blanks around it",
            id="a marker of two lines",
        ),
        pytest.param(
            f"- {{{ENTRY}}}\n- {{{OTHER.replace('block_id: b', 'block_id: go')}}}",
            "gated.yaml:2:34: [1].block_id: is given twice, first in line 1",
            id="an id twice",
        ),
        pytest.param(
            f"- {{{ENTRY}}}\n- {{{OTHER.replace('target: b', 'target: go')}}}",
            "[1].target: is given twice, first in line 1",
            id="a target twice",
        ),
        pytest.param(
            f"- {{{ENTRY}}}\n- {{{OTHER.replace('b.txt', 'x/../prompts/go.txt')}}}",
            "[1].projected_prompt_path: is given twice, first in line 1",
            id="a prompt twice",
        ),
        pytest.param(
            f"- {{{OTHER.replace('b.txt', './go.md')}}}",
            "[0].projected_prompt_path: is also a source or a template, which would be overwritten",
            id="a prompt over its source",
        ),
        pytest.param(
            f"- {{{OTHER}, template: b.txt}}",
            "[0].projected_prompt_path: is also a source or a template, which would be overwritten",
            id="a prompt over its template",
        ),
        pytest.param(
            f"- {{{ENTRY.replace('go.md', '../go.md')}}}",
            "gated.yaml:1:17: [0].source_file: '../go.md' leaves the project root",
            id="outside",
        ),
    ],
)
def test_wrong_registries_are_refused(root: Path, text: str, said: str) -> None:
    """Each mistake is named with its place."""
    assert said in refusal(root, text)


def test_a_link_out_of_the_project_is_refused(root: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    """A prompt is never written outside the project."""
    (root / "prompts").symlink_to(tmp_path_factory.mktemp("elsewhere"))
    assert "[0].projected_prompt_path: 'prompts/go.txt' leaves the project root" in refusal(
        root, f"- {{{ENTRY}}}"
    )


def test_all_mistakes_at_once(root: Path) -> None:
    """One reading names them all, in the order of the file."""
    text = (
        f"- {{{ENTRY.replace('go.md', '../a').replace('prompts/', '/')}}}\n- {{block_id: 1}}\n- {{{OTHER}}}\n"
    )
    lines = refusal(root, text).splitlines()
    assert [line.split(": ")[1] for line in lines] == [
        "[0].source_file",
        "[0].projected_prompt_path",
        "[1].source_file",
        "[1].target",
        "[1].projected_prompt_path",
        "[1].block_id",
    ]


def test_positions_in_json(root: Path) -> None:
    """A mistake in JSON has its place as well."""
    text = '[\n  {"source_file": "a",\n   "block_id": "B", "target": "t", "projected_prompt_path": "p"}\n]'
    assert refusal(root, text, "gated.json").startswith(
        "gated.json:3:16: [0].block_id: expected a block's id"
    )


def test_a_target_is_found_by_its_name(root: Path) -> None:
    """An unknown one is met with what was probably meant, or with all there are."""
    registry = read(root, f"- {{{ENTRY.replace('target: go', 'target: routing')}}}\n- {{{OTHER}}}\n")
    assert registry.block("routing").block_id == "go"
    with pytest.raises(
        ConfigError, match=r"no target 'rooting' in the registry \(did you mean 'routing'\?\)"
    ):
        registry.block("rooting")
    with pytest.raises(ConfigError, match=r"no target 'x' in the registry \(it has: routing, b\)"):
        registry.block("x")
    with pytest.raises(ConfigError, match=r"no target 'x' in the registry \(it is empty\)"):
        Registry(root / "gated.yaml", root).block("x")


@pytest.mark.parametrize(
    ("entry", "valid"),
    [
        ("{}", True),
        ("{x-note: 1, template: a}", True),
        ("{templat: a}", False),
        ("{block_id: A}", False),
        ("{target: ''}", False),
    ],
)
def test_editors_agree(root: Path, entry: str, valid: bool) -> None:
    """The JSON Schema accepts what is read and marks what is refused."""
    value = [{**parse_yaml(f"{{{ENTRY}}}", "").value, **parse_yaml(entry, "").value}]
    schema = gated_schema()
    Draft202012Validator.check_schema(schema)
    assert (not list(Draft202012Validator(schema).iter_errors(value))) is valid
    if valid:
        assert len(read(root, json.dumps(value)).blocks) == 1
    else:
        assert refusal(root, json.dumps(value))
