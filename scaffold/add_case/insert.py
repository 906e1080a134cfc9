"""New cases in the text of a suite file: at the end of its list, with every other byte as it was.

The file is not written anew from its values: comments, order, quotes and line ends are the author's. Whatever
would change anything but the list is refused.
"""

from collections.abc import Sequence
from typing import Any

import yaml

from judges.core.errors import ConfigError, Problem
from judges.files.yaml import compose_yaml
from scaffold.yaml_text import block_end, render_block

HINT = "write the cases as a list, each starting with '- ' on a line of its own, or keep them in other files"


def insert_cases(text: str, file: str, cases: Sequence[dict[str, Any]]) -> str:
    """Return the text of a suite file with further cases at the end of its inline ones.

    Raises:
        ConfigError: they cannot be added without changing something else.
    """
    document = compose_yaml(text, file)
    key, node = _find(document.node)
    if isinstance(node, yaml.SequenceNode) and not node.value:
        whole = _fill(text, node, render_block(list(cases), key.start_mark.column + 2))
    elif isinstance(node, yaml.SequenceNode):
        whole = _append(text, node, render_block(list(cases), node.start_mark.column))
    else:
        whole = _append(text, node, render_block({"items": list(cases)}, node.start_mark.column))
    if not _is_right(whole, document.value, cases):
        message = "the cases cannot be added without changing something else in the file"
        raise ConfigError([Problem(message, file, node.start_mark.line + 1, hint=HINT)])
    return whole


def _find(root: yaml.Node | None) -> tuple[yaml.Node, yaml.Node]:
    """Return the key and the value that cases are added to: the list, or the mapping that has none yet."""
    key, cases = _pair(root, "cases")
    if isinstance(cases, yaml.MappingNode) and any(name.value == "items" for name, _ in cases.value):
        return _pair(cases, "items")
    return key, cases


def _pair(node: Any, name: str) -> tuple[yaml.Node, yaml.Node]:
    return next((key, value) for key, value in node.value if key.value == name)


def _append(text: str, node: yaml.Node, block: str) -> str:
    """Put the block after the last line of a value in block style."""
    at = block_end(text, node.end_mark.index, node.start_mark.column)
    return _joined(text[:at], block, text[at:])


def _fill(text: str, node: yaml.Node, block: str) -> str:
    """Put the block in the place of an empty list in brackets, below the line that it ends on."""
    end = text.find("\n", node.end_mark.index)
    end = len(text) if end < 0 else end
    line = text[: node.start_mark.index].rstrip(" ") + text[node.end_mark.index : end]
    return _joined(line + "\n" if end < len(text) else line, block, text[end + 1 :])


def _joined(before: str, block: str, after: str) -> str:
    newline = "\r\n" if "\r\n" in before + after else "\n"
    gap = "" if before.endswith("\n") else newline
    return before + gap + block.replace("\n", newline) + after


def _is_right(text: str, old: dict[str, Any], cases: Sequence[dict[str, Any]]) -> bool:
    """Tell whether a text holds the old values, and the cases at the end of the old ones."""
    try:
        document = compose_yaml(text, "")
    except ConfigError:
        return False
    return not document.problems and document.value == {**old, "cases": _with_cases(old["cases"], cases)}


def _with_cases(old: Any, cases: Sequence[dict[str, Any]]) -> Any:
    if isinstance(old, list):
        return [*old, *cases]
    return {**old, "items": [*old.get("items", ()), *cases]}
