"""New values in the text of a suite file: sections (top-level keys) that stay keep every byte."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

import yaml

from judges.core.errors import ConfigError
from judges.files.document import Document
from judges.files.yaml import compose_yaml
from scaffold.yaml_text import block_end, render_block


def rewrite(document: Document, new: Mapping[str, Any]) -> str:
    """Return the text of a file with other values.

    Sections whose value stays are not touched, nor is what stands between sections. Where sections cannot be
    told apart in the text, all of it is written anew.
    """
    newline = "\r\n" if "\r\n" in document.text else "\n"
    text = "".join(_sections(document, new, newline)) if _has_sections(document.node) else ""
    return text if _holds(text, new) else _render(new, newline)


def _has_sections(node: yaml.Node | None) -> bool:
    if not isinstance(node, yaml.MappingNode) or node.flow_style:
        return False
    marks = [key.start_mark for key, _ in node.value]
    places = [mark.index for mark in marks]
    return places == sorted(places) and {mark.column for mark in marks} == {node.start_mark.column}


def _sections(document: Document, new: Mapping[str, Any], newline: str) -> Iterator[str]:
    text, node, old = document.text, document.node, document.value
    assert isinstance(node, yaml.MappingNode)
    names, added = _match(old, new)
    starts = [key.start_mark.index for key, _ in node.value]
    yield text[: starts[0]]
    yield _render(added[None], newline)
    for (key, _), start, end in zip(node.value, starts, [*starts[1:], len(text)], strict=True):
        stop = block_end(text, end, node.start_mark.column)
        name = names.get(key.value)
        if name is not None:
            body = text[start:stop]
            same, prefix = new[name] == old[key.value], name.removesuffix(key.value)
            yield prefix + body if same else _render({name: new[name]}, newline)
            yield "" if body.endswith("\n") else newline
        yield _render(added[key.value], newline)
        yield text[stop:end]


def _match(
    old: Mapping[str, Any], new: Mapping[str, Any]
) -> tuple[dict[str, str], defaultdict[str | None, dict[str, Any]]]:
    """Return what each old section that stays is called now, and the new sections by the one before them."""
    names: dict[str, str] = {}
    added: defaultdict[str | None, dict[str, Any]] = defaultdict(dict)
    before: str | None = None
    for name, value in new.items():
        origin = name.removeprefix("x-") if name not in old and name.removeprefix("x-") not in new else name
        if origin in old:
            names[origin] = name
            before = origin
        else:
            added[before][name] = value
    return names, added


def _render(values: Mapping[str, Any], newline: str) -> str:
    return render_block(dict(values)).replace("\n", newline) if values else ""


def _holds(text: str, values: Mapping[str, Any]) -> bool:
    try:
        document = compose_yaml(text, "")
    except ConfigError:
        return False
    return not document.problems and document.value == values
