"""Every error this project raises on purpose.

    ScaffoldError
    ├── ConfigError            an author's file or setting is wrong; carries Problems; exit 2
    └── RunError               something went wrong while measuring; becomes an ERROR row
        ├── ProviderError      a model endpoint failed (retryable or not, HTTP status)
        ├── BudgetError        a call would cost more than the run may still spend
        ├── ProcessError       a child process failed (exit code, stderr)
        └── ReplyError         a judge's reply cannot be used (the reply is kept)

Messages say what, where and what was expected. They never hold a secret.
"""

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Problem:
    """One mistake in one file.

    `line` and `column` count from 1. `key` is the path of the value inside the file, such as
    `criteria[0].weight`. `hint` says what to do next.
    """

    message: str
    file: str | None = None
    line: int | None = None
    column: int | None = None
    key: str | None = None
    hint: str | None = None

    def __str__(self) -> str:
        place = ":".join(str(part) for part in (self.file, self.line, self.column) if part is not None)
        parts = [part for part in (place, self.key, self.message) if part]
        text = ": ".join(parts)
        return f"{text} ({self.hint})" if self.hint else text


class ScaffoldError(Exception):
    """The root of all errors raised on purpose."""


class ConfigError(ScaffoldError):
    """A file, flag or setting is wrong. All problems found are reported at once."""

    def __init__(self, problems: Iterable[Problem] | str) -> None:
        self.problems: tuple[Problem, ...] = (
            (Problem(problems),) if isinstance(problems, str) else tuple(problems)
        )
        super().__init__("\n".join(str(problem) for problem in self.problems))


class RunError(ScaffoldError):
    """Something could not be measured. It becomes a row of the report, never a crash."""


class ProviderError(RunError):
    """A model endpoint failed.

    `status` is the HTTP status where there was one; `retry_after` the seconds the server asked to wait;
    `parameter` the request parameter that a 400 named as unsupported.
    """

    def __init__(
        self,
        message: str,
        *,
        retryable: bool = False,
        status: int | None = None,
        retry_after: float | None = None,
        parameter: str | None = None,
    ) -> None:
        super().__init__(message)
        self.retryable = retryable
        self.status = status
        self.retry_after = retry_after
        self.parameter = parameter


class BudgetError(RunError):
    """A call was not made: it would cost more than the run may still spend."""


class ProcessError(RunError):
    """A child process crashed, was ended, or never answered."""

    def __init__(self, message: str, *, exit_code: int | None = None, stderr: str = "") -> None:
        super().__init__(message)
        self.exit_code = exit_code
        self.stderr = stderr


class ReplyError(RunError):
    """A judge's reply cannot be used. `complaint` is what the judge is told; it never quotes the reply."""

    def __init__(self, complaint: str, *, reply: str = "") -> None:
        super().__init__(complaint)
        self.complaint = complaint
        self.reply = reply
