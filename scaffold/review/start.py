"""From a command line to a review: the run, the suites, the result that is meant, and who decides."""

import subprocess
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from difflib import get_close_matches
from functools import partial
from pathlib import Path
from typing import NamedTuple

from judges.core.errors import ConfigError, Problem
from judges.files.project import find_root
from judges.files.suite import PromptSuite
from judges.reduce.overrides import newest_overrides
from judges.run.records import RunDirectory
from judges.run.review import ReviewedSuite, list_suites, read_results
from judges.run.stored import find_run
from scaffold.named import Names, pick_named, say_apart
from scaffold.review.opened import all_decisions, load_prompt_suite, open_suite
from scaffold.review.session import ReviewSession
from scaffold.suites import locate_suites

SHOWN = 5


def open_review(
    run: str | None, suite: str | None, *, author: str | None = None, allow_outside: bool = False
) -> ReviewSession:
    """Open a review of a run, by default the latest finished one, or of one suite of it.

    Raises:
        ConfigError: there is no such run or suite, or the run is damaged.
    """
    root = find_root(Path.cwd())
    stored = list_suites(RunDirectory(find_run(run, root)))
    chosen = pick_named(suite, stored, _names)
    if stored and not chosen:
        hint = _close(str(suite), [each.name for each in stored])
        raise ConfigError([Problem(f"run {stored[0].run} has no suite '{suite}'", hint=hint)])
    opener = partial(open_suite, root=root, now=datetime.now(UTC), allow_outside=allow_outside)
    return ReviewSession(chosen, opener, author=author)


def find_items(session: ReviewSession, ref: str, model: str | None = None) -> list[str]:
    """Return the ids of the results of a case: one for each model that it was run with.

    Raises:
        ConfigError: there is none, or several suites have such a case.
    """
    places = list(_places(session))
    same = [each for each in places if each.ref == ref]
    if not same:
        run = session.suites[0].run if session.suites else ""
        hint = _close(ref, list(dict.fromkeys(each.ref for each in places)))
        raise ConfigError([Problem(f"run {run} has no case '{ref}'", hint=hint)])
    suites = list(dict.fromkeys(each.suite for each in same))
    if len(suites) > 1:
        having = [each for each in session.suites if each.folder.name in suites]
        names = say_apart(having, session.suites, _names)
        hint = f"say which one: --suite {' or --suite '.join(names)}"
        raise ConfigError([Problem(f"several suites have a case '{ref}'", hint=hint)])
    found = [f"{each.suite}:{each.number}" for each in same if model in (None, each.model)]
    if not found:
        models = [each.model for each in same if each.model]
        hint = _close(str(model), models) if models else "its output is by no model"
        raise ConfigError([Problem(f"'{ref}' was not run with the model '{model}'", hint=hint)])
    return found


def find_item(session: ReviewSession, ref: str, model: str | None) -> str:
    """Return the id of the one result that is meant.

    Raises:
        ConfigError: there is none, or there are several.
    """
    ids = find_items(session, ref, model)
    if len(ids) > 1:
        models = ", ".join(str(session.item(each).model) for each in ids)
        raise ConfigError(
            [Problem(f"'{ref}' was run with several models", hint=f"say --model, one of {models}")]
        )
    return ids[0]


def find_corrected(ref: str, suite: str | None, *, allow_outside: bool = False) -> PromptSuite:
    """Return the suite with corrections of a case, which it may not have any more.

    Raises:
        ConfigError: there is none, or there are several.
    """
    found: list[PromptSuite] = []
    refs: list[str] = []
    for path in locate_suites([suite] if suite else []):
        loaded = load_prompt_suite(path, allow_outside=allow_outside)
        corrected = newest_overrides(all_decisions(loaded))
        refs += corrected
        if ref in corrected:
            found.append(loaded)
    if not found:
        raise ConfigError([Problem(f"nobody has corrected a score of '{ref}'", hint=_close(ref, refs))])
    if len(found) > 1:
        hint = f"say which one: --suite {' or --suite '.join(each.path.parent.name for each in found)}"
        raise ConfigError([Problem(f"several suites have corrections of '{ref}'", hint=hint)])
    return found[0]


def find_author(given: str | None) -> str:
    """Return who decides: as given, or as git knows the user.

    Raises:
        ConfigError: neither says.
    """
    author = (_git_author() if given is None else given).strip()
    if not author:
        hint = "say it with --author NAME, or: git config user.email NAME"
        raise ConfigError([Problem("it is not known who decides", hint=hint)])
    return author


def _names(suite: ReviewedSuite) -> Names:
    return Names(suite.path, suite.name, suite.folder.name)


class _Place(NamedTuple):
    number: int
    suite: str
    ref: str
    model: str | None


def _places(session: ReviewSession) -> Iterator[_Place]:
    """Yield where the results of a run are, in the order of its suites."""
    for stored in session.suites:
        found = (
            _Place(each.number, stored.folder.name, each.case.ref, each.case.model)
            for each in read_results(stored)
        )
        yield from sorted(found, key=lambda each: each.number)


def _git_author() -> str:
    command = ["git", "config", "user.email"]
    try:
        done = subprocess.run(command, capture_output=True, check=False)  # noqa: S603  (git, with our arguments)
    except OSError:
        return ""
    return done.stdout.decode("utf-8", "replace")


def _close(name: str, known: Sequence[str]) -> str | None:
    """Return what was probably meant, or else some of what there is."""
    close = get_close_matches(name, known, n=1)
    some = ", ".join(known[:SHOWN]) + (", …" if len(known) > SHOWN else "")
    return f"did you mean '{close[0]}'?" if close else f"there are: {some}" if known else None
