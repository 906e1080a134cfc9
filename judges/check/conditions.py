"""A condition on a session: one assertion that becomes one row, whatever happens."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

from judges.check.canonical import stringify
from judges.check.javascript import Matcher, js_regex, js_search
from judges.core.errors import ConfigError, RunError
from judges.core.row import Row, excerpt
from judges.core.session import Session
from judges.core.verdict import Verdict
from judges.files.pass_conditions import Pattern

LONGEST_EXCERPT = 1200


@dataclass(frozen=True, slots=True)
class Evidence:
    """What one replica left: its session, and the folder that it worked in, where that is still there."""

    session: Session
    workspace: Path | None = None


Finding: TypeAlias = Callable[[Evidence], str | None]
"""What is wrong, as an excerpt, or None. It raises RunError where that cannot be told."""

Source: TypeAlias = Callable[[Evidence], str]
"""The text that a pattern looks at. It raises RunError where it is not known whole."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Condition:
    """One condition: the row's id, kind and spec, and how it is found out."""

    id: str
    kind: str
    finding: Finding
    spec: dict[str, Any] = field(default_factory=dict)

    def grade(self, evidence: Evidence) -> Row:
        """Return the row. What cannot be told is ERROR, and so is a pattern that is none.

        A fixture with such a pattern is refused; that of an older run may have one.
        """
        try:
            wrong = self.finding(evidence)
        except RunError as error:
            return self.unmeasured(str(error))
        except ConfigError as error:
            why = "; ".join(problem.message.partition(": ")[2] for problem in error.problems)
            return self.unmeasured(f"INVALID_REGEX: {why}")
        verdict = Verdict.PASS if wrong is None else Verdict.FAIL
        shown = excerpt(wrong or "", LONGEST_EXCERPT)
        return Row(id=self.id, kind=self.kind, verdict=verdict, actual_excerpt=shown, spec=self.spec)

    def unmeasured(self, why: str) -> Row:
        """Return the row of a condition that could not be looked at."""
        shown = excerpt(why, LONGEST_EXCERPT)
        return Row(
            id=self.id,
            kind=self.kind,
            verdict=Verdict.ERROR,
            actual_excerpt=shown,
            spec=self.spec,
            error=shown,
        )


def holds(pattern: Pattern, source: Source) -> Finding:
    """Return the finding that a text has a match."""
    shown = f"absent: {pattern.pattern} (case_sensitive={stringify(pattern.case_sensitive)})"
    return lambda evidence: None if matcher(pattern)(source(evidence)) else shown


def holds_not(pattern: Pattern, source: Source) -> Finding:
    """Return the finding that a text has no match: the first one, with what is around it, is wrong."""
    return lambda evidence: js_search(pattern.pattern, case_sensitive=pattern.case_sensitive)(
        source(evidence)
    )


def matcher(pattern: Pattern) -> Matcher:
    """Return the pattern as a function.

    Raises:
        ConfigError: the pattern is not a JavaScript regular expression.
    """
    return js_regex(pattern.pattern, case_sensitive=pattern.case_sensitive)


def pattern_spec(pattern: Pattern) -> dict[str, Any]:
    """Return a pattern as it stands in the spec of a row."""
    return {"pattern": pattern.pattern, "case_sensitive": pattern.case_sensitive}
