"""What is brought to its end in spite of Ctrl-C."""

import os
import signal
import threading

import pytest

from judges.run.undisturbed import undisturbed


def interrupt() -> None:
    """Press Ctrl-C; the signal has arrived when this returns."""
    os.kill(os.getpid(), signal.SIGINT)


def test_interrupts_are_passed_over_within_it_alone() -> None:
    """Afterwards they do again what they did before, also where it is used twice."""
    with undisturbed():
        with undisturbed():
            interrupt()
        interrupt()
    with pytest.raises(KeyboardInterrupt):
        interrupt()


def test_another_thread_changes_nothing() -> None:
    """Only the main thread gets interrupts, and only it may say what becomes of them."""
    entered, over = threading.Event(), threading.Event()

    def work() -> None:
        with undisturbed():
            entered.set()
            over.wait(10)

    thread = threading.Thread(target=work)
    thread.start()
    assert entered.wait(10)
    with pytest.raises(KeyboardInterrupt):
        interrupt()
    over.set()
    thread.join()
