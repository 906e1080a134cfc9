"""What must never happen to an output of this program, whatever was under test. A check yields what did."""

import csv
import io
import json
import re
import unicodedata
from collections.abc import Collection, Iterator

from markdown_it import MarkdownIt
from wcwidth import width as columns

_HARMLESS = "\n\u200c\u200d"  # line ends; the joiners of Persian words and composed emoji move nothing
_UNWRAPPED = ("Run:  ", "Next: ", "… and ")  # paths and commands are to be copied whole
_FORMULA_STARTS = tuple("=+-@\t\r\n\uff1d\uff0b\uff0d\uff20")
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
    for line in re.split(r"\r\n|\r|\n", text):
        if line.lstrip().startswith("::") or "##[" in line or "##vso[" in line:
            yield f"a runner's command: {line!r}"
        if width is not None and columns(line) > width and not line.startswith(_UNWRAPPED):
            yield f"{columns(line)} columns: {line!r}"


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
    if text.count("\n") != len(text.splitlines()):
        yield "a line end that is none of Markdown's"
