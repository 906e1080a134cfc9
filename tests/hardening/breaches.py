"""What must never happen to an output of this program, whatever was under test. A check yields what did."""

import csv
import io
import json
import re
import unicodedata
from collections.abc import Collection, Iterator, Mapping, Sequence
from xml.etree import ElementTree

from markdown_it import MarkdownIt
from wcwidth import width as columns

_HARMLESS = "\n\u200c\u200d"  # line ends; the joiners of Persian words and composed emoji move nothing
_UNWRAPPED = ("Run:  ", "Next: ", "… and ")  # paths and commands are to be copied whole
_FORMULA_STARTS = tuple("=+-@\t\r\n\uff1d\uff0b\uff0d\uff20")
_LINE_END = re.compile(r"\r\n|\r|\n")
_RESULT = ({"message", "type"}, ())
_COUNTS = {"name", "tests", "failures", "errors", "skipped"}
_JUNIT: Mapping[str, tuple[set[str], Sequence[str]]] = {
    "testsuites": (_COUNTS, ["testsuite"]),
    "testsuite": (_COUNTS, ["properties", "testcase"]),
    "testcase": ({"name", "classname"}, ["properties", "failure", "error", "skipped", "system-out"]),
    "properties": (set(), ["property"]),
    "property": ({"name", "value"}, ()),
    "failure": _RESULT,
    "error": _RESULT,
    "skipped": _RESULT,
    "system-out": (set(), ()),
}
"""What an element may have: attributes, and children in this order."""
_ADDRESS = re.compile(r"(?<!\\)://|www\.", re.IGNORECASE)  # GitHub makes links of these, but for escaped ones
_PROGRESS = re.compile(r"\d[\d,]* of \d[\d,]* done: [a-z0-9,. ]+")
_MARKUP = {
    "code_block",
    "code_inline",
    "fence",
    "html_block",
    "image",
    "link_open",
    "blockquote_open",
    "ordered_list_open",
    "hr",
    "em_open",
    "strong_open",
    "s_open",
}


def terminal(text: str, width: int | None = None) -> Iterator[str]:
    """Printed text: no character that acts, no command to a CI runner, no line wider than the terminal.

    GitHub's runner takes a line for a command that starts with two colons after any blanks, and one that has
    `##[` anywhere (actions/runner, ActionCommand.cs); that of Azure does so with `##vso[`.
    """
    for char in set(text) - set(_HARMLESS):
        if unicodedata.category(char) in ("Cc", "Cf", "Cs", "Zl", "Zp"):
            yield f"prints U+{ord(char):04X}"
    yield from terminal_commands(text)
    for line in _LINE_END.split(text):
        if width is not None and columns(line) > width and not line.startswith(_UNWRAPPED):
            yield f"{columns(line)} columns: {line!r}"


def terminal_commands(text: str) -> Iterator[str]:
    """Text that a CI runner reads: no line of it is a command."""
    for line in _LINE_END.split(text):
        if line.lstrip().startswith("::") or "##[" in line or "##vso[" in line:
            yield f"a runner's command: {line!r}"


def annotations(text: str) -> Iterator[str]:
    """Commands to GitHub's runner, read as it reads them: annotations alone, of no further property."""
    for line in _LINE_END.split(text)[:-1]:
        command, properties, _ = read_command(line)
        if command not in ("error", "warning", "notice") or not properties.keys() <= {
            "file",
            "line",
            "title",
        }:
            yield f"another command: {line!r}"
        elif not properties.get("line", "1").isdecimal():
            yield f"a line that is no number: {line!r}"
    yield from (f"prints U+{ord(char):04X}" for char in set(text) - set(_HARMLESS) if not _is_shown(char))
    if not text.endswith("\n") and text:
        yield "the last line has no end"


def read_command(line: str) -> tuple[str, dict[str, str], str]:
    """Return command, properties and message of a line as GitHub's runner reads it (ActionCommand.cs)."""
    head, separator, message = line.lstrip().removeprefix("::").partition("::")
    if not separator or not line.lstrip().startswith("::"):
        return "", {}, line
    command, _, given = head.partition(" ")
    pairs = (each.partition("=") for each in given.split(",") if each)
    properties = {name.strip(): unescape(value, ("%0D", "%0A", "%3A", "%2C")) for name, _, value in pairs}
    return command, properties, unescape(message, ("%0D", "%0A"))


def unescape(text: str, escapes: Collection[str]) -> str:
    """Return what the runner makes of an escaped text."""
    for escape in (*escapes, "%25"):
        text = text.replace(escape, chr(int(escape[1:], 16)))
    return text


def junit(text: str, rows: int) -> Iterator[str]:
    """JUnit XML: a testcase a row, and every element where the schemas have it, with their attributes."""
    root = ElementTree.fromstring(text.encode("utf-8"))
    if len(root.findall("testsuite/testcase")) != rows:
        yield f"{len(root.findall('testsuite/testcase'))} testcases for {rows} rows"
    if "<!" in text or text.count("<?") != 1:
        yield "a declaration"
    yield from _misplaced(root)
    held = [text, *root.itertext(), *(value for each in root.iter() for value in each.attrib.values())]
    for char in set("".join(held)) - set(_HARMLESS):
        if not _is_shown(char):
            yield f"holds U+{ord(char):04X}"


def _misplaced(element: ElementTree.Element) -> Iterator[str]:
    """Yield what the schema of Jenkins' xUnit plugin (junit-10.xsd) does not have there."""
    attributes, children = _JUNIT[element.tag]
    if not element.attrib.keys() <= attributes:
        yield f"{element.tag} with {sorted(element.attrib.keys() - attributes)}"
    tags = [child.tag for child in element]
    if not set(tags) <= set(children) or tags != sorted(tags, key=children.index):
        yield f"{element.tag} with {tags}"
    for child in element:
        yield from _misplaced(child)


def _is_shown(char: str) -> bool:
    return unicodedata.category(char) not in ("Cc", "Cf", "Cs", "Zl", "Zp")


def progress(text: str) -> Iterator[str]:
    """Lines of progress: counts and nothing else."""
    yield from (f"progress: {line!r}" for line in text.splitlines() if not _PROGRESS.fullmatch(line))


def json_lines(data: bytes, keys: Collection[str]) -> Iterator[str]:
    """JSON lines: one object for each of these keys, in any order, and nothing else."""
    lines = data.split(b"\n")
    if lines.pop() != b"":
        yield "the last line has no end"
    if len(lines) != len(keys):
        yield f"{len(lines)} lines for {len(keys)} trials"
    refs = [json.loads(line)["ref"] for line in lines]
    if sorted(refs) != sorted(keys):
        yield "a line is about no trial"


def csv_table(text: str, header: list[str], refs: Collection[str]) -> Iterator[str]:
    """A CSV table: the header, a row a trial, as many cells in each, and no cell that is a formula."""
    rows = list(csv.reader(io.StringIO(text, newline="")))
    if not rows or rows[0] != header:
        yield "another header"
    if len(rows) != len(refs) + 1:
        yield f"{len(rows)} rows for {len(refs)} trials"
    yield from (f"{len(row)} cells: {row!r}" for row in rows if len(row) != len(header))
    yield from (f"a formula: {cell!r}" for row in rows for cell in row if cell.startswith(_FORMULA_STARTS))


def markdown(text: str, headings: Collection[str]) -> Iterator[str]:
    """Markdown: the headings of the program, tables and text; no markup, HTML or fence of what was tested."""
    tokens = MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(text)
    found = {tokens[at + 1].content for at, token in enumerate(tokens) if token.type == "heading_open"}
    if not found <= set(headings):
        yield f"headings: {sorted(found - set(headings))!r}"
    for token in tokens:
        for each in (token, *(token.children or ())):
            if each.type in _MARKUP or (each.type == "html_inline" and each.content != "<br>"):
                yield f"{each.type}: {(each.content or token.content)!r}"
    if found_addresses := _ADDRESS.findall(text):
        yield f"addresses: {found_addresses}"
    if text.count("\n") != len(text.splitlines()):
        yield "a line end that is none of Markdown's"
