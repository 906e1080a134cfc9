"""The fixtures of the tests of runs."""

import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from runner_scripts import Start, is_alive, pids, starter


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Start runners; at the end every process that they have noted is gone, in little time."""
    stack = ExitStack()
    yield starter(tmp_path, stack)
    began = time.monotonic()
    stack.close()
    assert time.monotonic() - began < 6
    assert [pid for pid in pids(tmp_path) if is_alive(pid)] == []
