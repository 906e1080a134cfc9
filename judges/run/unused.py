"""Recorded answers beside a prompt suite that no question of it will ever find: mostly a slip of the pen."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from judges.ask.questions import DECLINES, EXPECTED, OVERALL
from judges.core.errors import ConfigError
from judges.core.replay import ReplayEntry, closest_question
from judges.core.row import Notice
from judges.files.problems import did_you_mean
from judges.files.prompt_meta import JudgedCheck
from judges.files.replay import read_replay
from judges.files.suite import PromptSuite
from judges.files.text import display_path
from judges.run.standing import RECORDED, is_replay

_META = "meta."
_NAMED = 5


def describe_unused(
    suite: PromptSuite, judges: Sequence[str], beside: Path | None = None
) -> Iterator[Notice]:
    """Yield which lines of its recorded answers are of cases or questions that a suite does not have.

    Those of judges who are recorded, and the file `beside` the suite where that stands for all judges. A file
    outside the suite's folder may be shared with others and is let alone; so is one that cannot be read:
    whoever needs it says why.
    """
    named = (suite.test_root / each.removeprefix(RECORDED) for each in judges if is_replay(each))
    for path in dict.fromkeys([*named, *([beside] if beside else [])]):
        if path.resolve().is_relative_to(suite.path.parent.resolve()):
            with suppress(ConfigError):
                yield from _describe(suite, path, read_replay(path))


def _describe(suite: PromptSuite, path: Path, entries: Iterable[ReplayEntry]) -> Iterator[Notice]:
    refs = {case.ref for case in suite.cases}
    asked = _questions(suite)
    cases: Counter[str] = Counter()
    questions: Counter[str] = Counter()
    for entry in entries:
        if entry.ref not in refs:
            cases[entry.ref] += 1
        elif entry.question.removeprefix(_META) not in asked:
            questions[entry.question] += 1
    place = display_path(path)
    yield from _tell(place, "cases", cases, lambda ref: did_you_mean(ref, refs))
    yield from _tell(place, "questions", questions, lambda name: _meant(closest_question(name, asked)))


def _tell(place: str, what: str, found: Counter[str], hint: Callable[[str], str | None]) -> Iterator[Notice]:
    if found:
        named = ", ".join(_name(each, number, hint(each)) for each, number in found.most_common(_NAMED))
        more = f" and {len(found) - _NAMED} more" if len(found) > _NAMED else ""
        yield Notice(f"{place} has answers of {what} that the suite does not have: {named}{more}")


def _questions(suite: PromptSuite) -> set[str]:
    """Return the names of all that the suite may ask; which of them depends on the case."""
    checks = (f"checks.{each.name}" for each in suite.meta.checks if isinstance(each, JudgedCheck))
    return {DECLINES, EXPECTED, OVERALL, *checks, *(f"criteria.{each.name}" for each in suite.criteria)}


def _meant(close: str | None) -> str | None:
    return f"did you mean '{close}'?" if close else None


def _name(word: str, number: int, hint: str | None) -> str:
    lines = f"{number} line{'s' if number > 1 else ''}"
    return f"'{word}' ({lines}; {hint})" if hint else f"'{word}' ({lines})"
