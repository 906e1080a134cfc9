"""What checking a suite file gives, whatever its kind."""

from dataclasses import dataclass

from judges.core.errors import Problem


@dataclass(frozen=True, slots=True)
class Checked:
    """A suite without mistakes, in one line, and what was noticed.

    `remarks` are about what often goes wrong, each at its place; who is strict takes them for mistakes.
    """

    summary: str
    remarks: tuple[Problem, ...] = ()
    notices: tuple[Problem, ...] = ()
