"""A finding: one thing that was looked at, whether it is as it should be, and how to mend it."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from enum import StrEnum
from itertools import groupby
from typing import Any

from judges.core.encode import encode_usage
from judges.core.usage import Usage
from judges.core.verdict import ExitCode
from judges.out.fit import wrap
from judges.out.printable import printable
from judges.out.summary import render_count, render_usage

_NAME_WIDTH = 18
_INDENT = " " * (_NAME_WIDTH + 12)


class Status(StrEnum):
    """Whether something is as it should be. Only what is MISSING keeps the project from working."""

    OK = "ok"
    NOTE = "note"
    MISSING = "missing"


@dataclass(frozen=True, slots=True)
class Finding:
    """What was found about one thing. `fix` says what to do about it."""

    section: str
    name: str
    status: Status
    text: str
    fix: str | None = None


@dataclass(frozen=True, slots=True)
class Examination:
    """All findings in order, and what asking the judges has used."""

    findings: tuple[Finding, ...]
    usage: Usage

    @property
    def missing(self) -> int:
        """How many things are missing."""
        return sum(1 for each in self.findings if each.status is Status.MISSING)

    @property
    def exit_code(self) -> ExitCode:
        """0 when the project has all it needs."""
        return ExitCode.USAGE if self.missing else ExitCode.PASSED


def render_examination(examination: Examination, *, width: int) -> str:
    """Return the findings for people, section by section."""
    blocks = [
        "\n".join((section, *(line for each in found for line in _render(each, width))))
        for section, found in groupby(examination.findings, lambda each: each.section)
    ]
    return "\n\n".join((*blocks, _render_end(examination))) + "\n"


def encode_examination(examination: Examination) -> dict[str, Any]:
    """Return the same as JSON values."""
    return {
        "schema": 1,
        "ok": not examination.missing,
        "findings": [asdict(each) for each in examination.findings],
        "usage": encode_usage(examination.usage),
    }


def _render(finding: Finding, width: int) -> Iterator[str]:
    head = f"  {finding.status:<8}  {finding.name:<{_NAME_WIDTH - 1}} "
    yield from wrap(head + printable(finding.text), width, indent=_INDENT)
    if finding.fix:
        yield from wrap(f"{_INDENT}-> {printable(finding.fix)}", width, indent=f"{_INDENT}   ")


def _render_end(examination: Examination) -> str:
    asked = f"Asking took {render_usage(examination.usage)}.\n" if examination.usage.calls else ""
    if not examination.missing:
        return f"{asked}Nothing is missing."
    verb = "is" if examination.missing == 1 else "are"
    return f"{asked}{render_count(examination.missing, 'thing')} {verb} missing."
