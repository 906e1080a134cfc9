"""Time for tests: it passes only by sleeping, and remembers how long each sleep was."""

from dataclasses import dataclass, field


@dataclass
class FakeClock:
    """A clock whose sleeps take no time."""

    time: float = 0.0
    sleeps: list[float] = field(default_factory=list)

    def now(self) -> float:
        return self.time

    def sleep(self, seconds: float) -> None:
        if seconds:
            self.sleeps.append(seconds)
        self.time += seconds
