"""Messages that calls share: each text is kept once, whole, and read again to the letter."""

from pathlib import Path

import pytest

from judges.core.errors import ConfigError
from judges.providers.base import Message
from judges.run.messages import SharedMessages, read_messages

SYSTEM = Message("system", "You judge.\r\nÄ 😀\n")
DIGEST = "a194679903ca398ec21d92dfc515204ef49c74a7cdb9037b7addd7b7758fbf12"


def record(*messages: Message, folder: Path) -> dict[str, object]:
    """Return a record with one call of these messages."""
    shared = SharedMessages(folder)
    return {
        "ref": "a",
        "judge": [{"messages": [shared.encode(each) for each in messages], "reply": "no"}],
    }


def test_said_once(tmp_path: Path) -> None:
    """What the system says is a file of its own and named in the record; the rest stands there."""
    user = Message("user", "text")
    lines = [record(SYSTEM, user, folder=tmp_path) for _ in range(3)]
    assert lines[2]["judge"] == [
        {
            "messages": [{"role": "system", "sha256": DIGEST}, {"role": "user", "content": "text"}],
            "reply": "no",
        }
    ]
    assert [path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*.txt")] == [
        f"messages/{DIGEST}.txt"
    ]


def test_read_again(tmp_path: Path) -> None:
    """A record is read with every message as it was, line ends and all."""
    user = Message("user", "text")
    read = read_messages(record(SYSTEM, user, folder=tmp_path), tmp_path)
    assert read == {
        "ref": "a",
        "judge": [
            {
                "messages": [
                    {"role": "system", "content": "You judge.\r\nÄ 😀\n"},
                    {"role": "user", "content": "text"},
                ],
                "reply": "no",
            }
        ],
    }


def test_no_file_without_a_message_to_share(tmp_path: Path) -> None:
    """A run that tells the judge nothing in common leaves no empty folder behind."""
    record(Message("user", "text"), folder=tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_missing(tmp_path: Path) -> None:
    """A message that is gone makes the run damaged; the error names the file and what to do."""
    told = record(SYSTEM, folder=tmp_path)
    path = tmp_path / "messages" / f"{DIGEST}.txt"
    path.unlink()
    with pytest.raises(ConfigError) as raised:
        read_messages(told, tmp_path)
    (problem,) = raised.value.problems
    assert (problem.file, problem.hint) == (str(path), "run the suite again")
