"""Plain data out of a file that still knows where each value stood."""

from dataclasses import dataclass
from typing import Any, TypeAlias

import yaml

from judges.core.errors import ConfigError, Problem

Loc: TypeAlias = tuple[str | int, ...]
"""The way to a value: the keys and indexes (from 0) from the top of the file down to it."""


@dataclass(frozen=True, slots=True)
class Document:
    """The plain value of a file, or of one line of it.

    `node` is what YAML composed of `text`, for positions; without one every position is the start of `line`.
    `problems` are mistakes that did not keep the value from being read.
    """

    value: Any
    file: str
    node: yaml.Node | None = None
    text: str = ""
    line: int = 1
    problems: tuple[Problem, ...] = ()

    def at(self, loc: Loc) -> Any:
        """Return the value at the end of a way that exists."""
        value = self.value
        for part in loc:
            value = value[part]
        return value

    def position(self, loc: Loc = ()) -> tuple[int, int]:
        """Return line and column, from 1, of a value; of its nearest container where it is missing."""
        steps = _steps(self.node, loc)
        return self._start(steps[-1][1] if steps else self.node)

    def key_position(self, loc: Loc) -> tuple[int, int]:
        """Return line and column, from 1, of the key of a value; of the value itself in a list."""
        steps = _steps(self.node, loc)
        return self._start(steps[-1][0] or steps[-1][1] if steps else self.node)

    def line_position(self, loc: Loc, line: int) -> tuple[int, int]:
        """Return line and column, from 1, of one line (from 0) of a text, where it stands line by line."""
        steps = _steps(self.node, loc)
        node = steps[-1][1] if steps else self.node
        if not isinstance(node, yaml.ScalarNode) or node.style != "|":
            return self.position(loc)
        number = node.start_mark.line + 1 + line
        written = "".join(self.text.splitlines()[number : number + 1])  # none where a text has odd newlines
        return number + 1, len(written) - len(written.lstrip()) + 1

    def problem(self, loc: Loc, message: str, hint: str | None = None, *, at_key: bool = False) -> Problem:
        """Return a problem with one value, or with its key."""
        line, column = self.key_position(loc) if at_key else self.position(loc)
        return Problem(message, self.file, line, column, key_path(loc) or None, hint)

    def error(self, loc: Loc, message: str, hint: str | None = None) -> ConfigError:
        """Return the error of a single problem with one value."""
        return ConfigError([self.problem(loc, message, hint)])

    def blame(self, loc: Loc, error: ConfigError) -> ConfigError:
        """Return the problems of another file as problems of the value that names the file."""
        return ConfigError(
            self.problem(loc, str(Problem(each.message, each.file, each.line, each.column)), each.hint)
            for each in error.problems
        )

    def _start(self, node: yaml.Node | None) -> tuple[int, int]:
        if node is None:
            return self.line, 1
        return node.start_mark.line + 1, node.start_mark.column + 1


def key_path(loc: Loc) -> str:
    """Return the way to a value as authors write it: `criteria[0].weight`."""
    path = ""
    for part in loc:
        if isinstance(part, int):
            path += f"[{part}]"
        elif part.replace("-", "_").isidentifier():
            path += f".{part}" if path else part
        else:
            path += f"['{part}']"
    return path


def _steps(node: yaml.Node | None, loc: Loc) -> list[tuple[yaml.Node | None, yaml.Node]]:
    """Return key node (None in a list) and value node of each step, up to the first that is missing."""
    steps: list[tuple[yaml.Node | None, yaml.Node]] = []
    for part in loc:
        step = _step(node, part)
        if step is None:
            break
        steps.append(step)
        node = step[1]
    return steps


def _step(node: yaml.Node | None, part: str | int) -> tuple[yaml.Node | None, yaml.Node] | None:
    if isinstance(node, yaml.MappingNode):
        return next(((key, value) for key, value in node.value if key.value == part), None)
    if isinstance(node, yaml.SequenceNode) and isinstance(part, int) and part < len(node.value):
        return None, node.value[part]
    return None
