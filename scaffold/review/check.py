"""Whether the corrections of a suite still hold: what has expired, is stale, or is about nothing any more."""

import shlex
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from judges.core.case import digest
from judges.files.problems import did_you_mean
from judges.files.suite import Override, PromptSuite
from judges.reduce.overrides import newest_overrides, select_overrides
from scaffold.review.latest import find_latest
from scaffold.review.opened import all_decisions


@dataclass(frozen=True, slots=True)
class Overdue:
    """A correction that holds no more: of which case, of a criterion or (None) the total, and what to do."""

    ref: str
    criterion: str | None
    why: str
    advice: str


@dataclass(frozen=True, slots=True)
class Checked:
    """What was found about the corrections of a suite: how many there are, and those that do not hold."""

    suite: str
    held: int
    overdue: tuple[Overdue, ...]


def check_overrides(suite: PromptSuite, now: datetime) -> Checked:
    """Return what of a suite's corrections does not hold any more.

    Whether an output has changed is told by the outputs in the suite and in the latest finished run that has
    the suite; where there is no output of a case, it is taken to be the same.

    Raises:
        ConfigError: the overrides file is wrong, or the run is damaged.
    """
    newest = newest_overrides(all_decisions(suite))
    held = [each for known in newest.values() for each in known.values() if each.active]
    refs = {case.ref: None for case in suite.cases}
    outputs = _outputs(suite, {each.case_ref for each in held}) if held else {}
    overdue = []
    for each in held:
        why = _unknown(each, refs) or _lapsed(suite, each, outputs.get(each.case_ref, []), now)
        if why:
            overdue.append(
                Overdue(each.case_ref, each.criterion, why, _advice(suite, each, known=each.case_ref in refs))
            )
    return Checked(suite.path.parent.name, len(held), tuple(overdue))


def _unknown(override: Override, refs: Collection[str]) -> str | None:
    if override.case_ref in refs:
        return None
    close = did_you_mean(override.case_ref, refs)
    return "there is no such case" + (f"; {close}" if close else "")


def _lapsed(suite: PromptSuite, override: Override, outputs: Collection[str], now: datetime) -> str | None:
    """It holds where it does for any output; of a case with several models it is about one of them."""
    reasons = []
    for sha256 in outputs or (override.output_sha256,):
        found = select_overrides(
            {override.criterion: override},
            ref=override.case_ref,
            output_sha256=sha256,
            criteria=suite.criteria,
            now=now,
        )
        if not found.notices:
            return None
        reasons += [notice.text for notice in found.notices]
    return reasons[0].partition(" not applied: ")[2]


def _advice(suite: PromptSuite, override: Override, *, known: bool) -> str:
    about = f" --criterion {shlex.quote(override.criterion)}" if override.criterion else ""
    name = f"{shlex.quote(override.case_ref)} --suite {shlex.quote(suite.path.parent.name)}"
    withdraw = f"scaffold review withdraw {name}{about} --reason …"
    criteria = {None, *(each.name for each in suite.criteria)}
    if not known or override.criterion not in criteria:
        return withdraw
    return f"scaffold review show {name}; then: scaffold review renew {name}{about}, or: {withdraw}"


def _outputs(suite: PromptSuite, refs: Collection[str]) -> dict[str, list[str]]:
    """Return the digests of the outputs of cases: those in the suite, or else those of the latest run."""
    recorded = suite.cases if not suite.arms else ()
    known = {case.ref: [digest(case.output)] for case in recorded if case.output is not None}
    return {**find_latest(suite, refs).outputs(), **known}
