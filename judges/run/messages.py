"""The messages that the judge's calls of a suite share, each in a file that is named after its digest.

What a judge is told in all of its calls (how to judge, the rubrics, whole documents) stands there once: in
every record it would be most of it.

    <suite>/messages/<sha256>.txt
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from judges.core.case import digest
from judges.core.errors import ConfigError, Problem
from judges.files.whole import write_whole
from judges.providers.base import Message


class SharedMessages:
    """Encodes messages for the records of a suite's folder. Used from one thread."""

    def __init__(self, folder: Path) -> None:
        self._folder = _place(folder)
        self._digests: dict[str, str] = {}

    def encode(self, message: Message) -> dict[str, str]:
        """Return a message as a record holds it; that of the system is written first and then named.

        Raises:
            OSError: it cannot be written.
        """
        if message.role != "system":
            return {"role": message.role, "content": message.content}
        if message.content not in self._digests:
            self._digests[message.content] = self._keep(message.content)
        return {"role": message.role, "sha256": self._digests[message.content]}

    def _keep(self, content: str) -> str:
        name = digest(content)
        path = self._folder / f"{name}.txt"
        if not path.exists():
            self._folder.mkdir(exist_ok=True)
            with write_whole(path) as file:
                file.write(content)
        return name


def read_messages(record: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    """Return a record of a suite's folder with the text of every message.

    Raises:
        ConfigError: a message is missing.
    """
    calls = [
        {**call, "messages": [_read(message, folder) for message in call["messages"]]}
        for call in record["judge"]
    ]
    return {**record, "judge": calls}


def _read(message: Mapping[str, str], folder: Path) -> Mapping[str, str]:
    if "content" in message:
        return message
    path = _place(folder) / f"{message['sha256']}.txt"
    try:
        return {"role": message["role"], "content": path.read_bytes().decode("utf-8")}
    except (OSError, ValueError) as error:
        problem = Problem(
            f"cannot be read as part of a run: {error}", file=str(path), hint="run the suite again"
        )
        raise ConfigError([problem]) from error


def _place(folder: Path) -> Path:
    return folder / "messages"
