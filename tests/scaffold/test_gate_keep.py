"""What a gate appends: whole lines, whoever else appends."""

import json
import multiprocessing
from pathlib import Path

import pytest

from scaffold.gate.keep import append_line, log_rejection


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (None, b'{"a":1}\n'),
        (b"", b'{"a":1}\n'),
        (b'{"b":2}\n', b'{"b":2}\n{"a":1}\n'),
        (b'{"b":2}', b'{"b":2}\n{"a":1}\n'),
        (b'{"b":2}\r\n', b'{"b":2}\r\n{"a":1}\n'),
    ],
    ids=["no file", "an empty file", "a whole line", "a line without an end", "CRLF"],
)
def test_a_line_of_its_own(tmp_path: Path, before: bytes | None, after: bytes) -> None:
    """The lines that are there stay as they are."""
    path = tmp_path / "tasks.jsonl"
    if before is not None:
        path.write_bytes(before)
    append_line(path, {"a": 1})
    assert path.read_bytes() == after


def log_many(registry: Path, who: int) -> None:
    for number in range(50):
        log_rejection(registry, {"who": who, "number": number, "text": "é" * 10_000})


def test_several_at_once(tmp_path: Path) -> None:
    """Gates that reject at the same time leave whole lines, in a log beside the registry."""
    context = multiprocessing.get_context("spawn")
    processes = [context.Process(target=log_many, args=(tmp_path / "gated.yaml", who)) for who in range(3)]
    for process in processes:
        process.start()
    for process in processes:
        process.join(60)
    lines = [json.loads(line) for line in (tmp_path / "rejections.jsonl").read_text().splitlines()]
    assert [sorted(line["number"] for line in lines if line["who"] == who) for who in range(3)] == [
        list(range(50))
    ] * 3


def test_what_cannot_be_written_is_named(tmp_path: Path) -> None:
    """The error names the file."""
    with pytest.raises(OSError, match=r"gone/tasks\.jsonl"):
        append_line(tmp_path / "gone" / "tasks.jsonl", {})
