"""YAML as authors of suites need it: plain data with positions, and nothing that can surprise or harm.

Scalars follow the YAML 1.2 core schema: only `true` and `false` are booleans, dates are text; keys are always
text. Refused are tags, duplicate keys, several documents, nesting too deep, and aliases that grow too large.
"""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import yaml

from judges.core.errors import ConfigError, Problem
from judges.files.document import Document
from judges.files.text import MAX_BYTES, display_path, line_and_column, read_text

MAX_DEPTH = 64
NODE_COST = 40  # what a value takes in memory beside its text, roughly, in characters
MAX_COST = 2 * MAX_BYTES

_Base: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

_UNREADABLE = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]")
_NULL = re.compile(r"null|Null|NULL|~|")
_TRUE = re.compile(r"true|True|TRUE")
_FALSE = re.compile(r"false|False|FALSE")
_INT = re.compile(r"[-+]?[0-9]+")
_OCTAL = re.compile(r"0o[0-7]+")
_HEX = re.compile(r"0x[0-9a-fA-F]+")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_INFINITY = re.compile(r"([-+]?)\.(inf|Inf|INF)")
_NAN = re.compile(r"\.(nan|NaN|NAN)")

_SCALARS: tuple[tuple[re.Pattern[str], Callable[[str], Any]], ...] = (
    (_NULL, lambda _: None),
    (_TRUE, lambda _: True),
    (_FALSE, lambda _: False),
    (_INT, int),
    (_OCTAL, lambda text: int(text, 8)),
    (_HEX, lambda text: int(text, 16)),
    (_FLOAT, float),
    (_INFINITY, lambda text: float(text.replace(".", ""))),
    (_NAN, lambda _: float("nan")),
)

_HINTS = (  # part of the parser's words, our words where they are clearer, what to do
    ("a tab is used", "a tab is used for indentation", "indent with spaces"),
    ("another document", "holds several documents", "remove the line '---', or make two files"),
    ("second occurrence", "the same anchor is given twice", "rename one of the two"),
    ("incompatible YAML", "", "remove the line '%YAML'"),
    ("nesting depth", f"is nested deeper than {MAX_DEPTH} levels", None),
    ("mapping values are not allowed", "", "put a text that holds ': ' in quotes, and check the indentation"),
    ("undefined alias", "", "put a text that starts with '*' in quotes"),
    ("cannot start any token", "", "put a text that starts with this character in quotes"),
    ("unexpected end of stream", "", "a quote or a bracket is not closed"),
    ("did not find expected", "", "check the indentation, quotes and brackets from here upwards"),
    ("could not find expected ':'", "", "check the line above: a key needs a ':'"),
)


class _Loader(_Base):  # type: ignore[misc]
    """Composes nodes tagged `plain` or `quoted`; any other tag was written by the author."""

    def __init__(self, text: str, file: str) -> None:
        super().__init__(text)
        self.file = file
        self.depth = 0
        self.cost = 0

    def descend_resolver(self, parent: yaml.Node | None, _index: object) -> None:
        self.depth += 1
        self.cost += NODE_COST
        if self.depth > MAX_DEPTH:
            raise _refused(self.file, f"is nested deeper than {MAX_DEPTH} levels", at=parent)
        if self.cost > MAX_COST:
            raise _refused(self.file, "holds too many values", "keep cases in JSONL or CSV files", at=parent)

    def ascend_resolver(self) -> None:
        self.depth -= 1

    def resolve(self, _kind: object, _value: str | None, implicit: Any) -> str:
        return "plain" if implicit is True or (implicit and implicit[0]) else "quoted"


class _Builder:
    """Makes plain data of nodes, and notes each mistake that does not keep the rest from being read."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.problems: list[Problem] = []
        self.cost = 0
        self.open: set[int] = set()

    def build(self, node: yaml.Node) -> Any:
        self.spend(node)
        if node.tag not in ("plain", "quoted"):
            self.note(node, f"the tag {_short_tag(node.tag)} is not allowed", "remove the tag")
        if isinstance(node, yaml.ScalarNode):
            return self.scalar(node)
        self.open.add(id(node))
        value = self.mapping(node) if isinstance(node, yaml.MappingNode) else [*map(self.build, node.value)]
        self.open.remove(id(node))
        return value

    def spend(self, node: yaml.Node, more: int = 0) -> None:
        if id(node) in self.open:
            raise _refused(self.file, "an alias stands inside the value that it names", "remove it", at=node)
        self.cost += NODE_COST + (len(node.value) if isinstance(node, yaml.ScalarNode) else more)
        if self.cost > MAX_COST:
            raise _refused(self.file, "the aliases make the file too large", "write the values out", at=node)

    def scalar(self, node: yaml.ScalarNode) -> Any:
        try:
            return plain_value(node.value) if node.tag == "plain" else node.value
        except ValueError:
            self.note(node, f"a number with {len(node.value)} digits is too long", "put it in quotes")
            return 0

    def mapping(self, node: yaml.MappingNode) -> dict[str, Any]:
        self.merge(node)
        first: dict[str, yaml.Node] = {}
        value: dict[str, Any] = {}
        for key, item in node.value:
            if not isinstance(key, yaml.ScalarNode):
                self.note(key, "a key must be a text", "put a key that starts with '{' or '[' in quotes")
            elif key.value in first:
                self.note(key, f"the key '{key.value}' is given twice, first at {_place(first[key.value])}")
            else:
                first[key.value] = key
                value[key.value] = self.build(item)
        return value

    def merge(self, node: yaml.MappingNode) -> None:
        """Replace `<<` by the pairs of the mappings it names, but for keys that are given already."""
        merged = [item for key, item in node.value if _is_merge(key)]
        if not merged:
            return
        node.value = [(key, item) for key, item in node.value if not _is_merge(key)]
        given = {key.value for key, _ in node.value if isinstance(key, yaml.ScalarNode)}
        for item in merged:
            for source in item.value if isinstance(item, yaml.SequenceNode) else [item]:
                for key, value in self.pairs(source):
                    if key.value not in given:
                        given.add(key.value)
                        node.value.append((key, value))

    def pairs(self, source: yaml.Node) -> list[tuple[yaml.ScalarNode, yaml.Node]]:
        if not isinstance(source, yaml.MappingNode):
            self.note(source, "'<<' takes a mapping, or a list of mappings")
            return []
        self.spend(source, NODE_COST * len(source.value))
        self.merge(source)
        return [(key, value) for key, value in source.value if isinstance(key, yaml.ScalarNode)]

    def note(self, node: yaml.Node, message: str, hint: str | None = None) -> None:
        mark = node.start_mark
        self.problems.append(Problem(message, self.file, mark.line + 1, mark.column + 1, hint=hint))


def read_yaml(path: Path) -> Document:
    """Read a YAML file.

    Raises:
        ConfigError: the file cannot be read, or its content is refused.
    """
    return parse_yaml(read_text(path), display_path(path))


def parse_yaml(text: str, file: str) -> Document:
    """Return the plain value of a YAML text, with positions. `file` names it in messages.

    Raises:
        ConfigError: the text is no YAML, is empty, or holds something that is refused.
    """
    document = compose_yaml(text, file)
    if document.problems:
        raise ConfigError(document.problems)
    return document


def compose_yaml(text: str, file: str) -> Document:
    """As `parse_yaml`, but leave mistakes that can be read over in the document's `problems`.

    Raises:
        ConfigError: the text cannot be read at all.
    """
    text = text.removeprefix("\ufeff")
    node = _compose(text, file)
    if node is None:
        raise _refused(file, "holds only comments" if text.strip() else "is empty", "expected YAML")
    builder = _Builder(file)
    value = builder.build(node)
    return Document(value, file, node, text, problems=tuple(builder.problems))


def plain_value(text: str) -> Any:
    """Return what a scalar without quotes stands for: nothing, a boolean, a number or the text itself.

    Raises:
        ValueError: it is a number with too many digits.
    """
    for pattern, convert in _SCALARS:
        if pattern.fullmatch(text):
            return convert(text)
    return text


def is_blank(text: str) -> bool:
    """Return whether a YAML text has nothing but comments and white space."""
    return all(line.lstrip().startswith("#") for line in text.splitlines() if line.strip())


def _compose(text: str, file: str) -> yaml.Node | None:
    _check_text(text, file)
    loader = _Loader(text, file)
    try:
        node: yaml.Node | None = loader.get_single_node()
        return node
    except yaml.MarkedYAMLError as error:
        raise ConfigError([_explain(error, text, file)]) from None
    finally:
        loader.dispose()


def _check_text(text: str, file: str) -> None:
    if len(text) > MAX_BYTES:
        raise _refused(file, f"is longer than {MAX_BYTES / 1e6:g} MB", "keep cases in JSONL or CSV files")
    unreadable = _UNREADABLE.search(text)
    if unreadable:
        line, column = line_and_column(text, unreadable.start())
        message = f"the character U+{ord(unreadable[0]):04X} is not allowed in YAML"
        raise ConfigError([Problem(message, file, line, column, hint="remove it, or write it as an escape")])


def _explain(error: yaml.MarkedYAMLError, text: str, file: str) -> Problem:
    mark = error.problem_mark or yaml.Mark(file, 0, 0, 0, "", 0)
    words = error.problem or "cannot be read"
    if "tab character" in words or text[mark.index : mark.index + 1] == "\t":
        words = "a tab is used for indentation"
    message, hint = next(
        ((other or f"not valid YAML: {words}", hint) for part, other, hint in _HINTS if part in words),
        (f"not valid YAML: {words}", None),
    )
    return Problem(message, file, mark.line + 1, mark.column + 1, hint=hint)


def _refused(file: str, message: str, hint: str | None = None, at: yaml.Node | None = None) -> ConfigError:
    line, column = (at.start_mark.line + 1, at.start_mark.column + 1) if at else (None, None)
    return ConfigError([Problem(message, file, line, column, hint=hint)])


def _is_merge(key: yaml.Node) -> bool:
    return isinstance(key, yaml.ScalarNode) and key.value == "<<" and key.tag == "plain"


def _short_tag(tag: str) -> str:
    return tag.replace("tag:yaml.org,2002:", "!!")


def _place(node: yaml.Node) -> str:
    return f"line {node.start_mark.line + 1}, column {node.start_mark.column + 1}"
