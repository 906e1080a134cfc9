"""People's decisions and ratings put into the files of a suite, after a look at whether they make sense."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime

from judges.core.errors import ConfigError, Problem
from judges.core.rating import Rating
from judges.files.case_meta import Bind
from judges.files.overrides_store import append_decision, overrides_path
from judges.files.problems import did_you_mean
from judges.files.ratings_store import append_rating
from judges.files.suite import Override, PromptSuite
from judges.reduce.overrides import newest_overrides
from scaffold.review import decisions
from scaffold.review.decisions import Correction, Signature, last_day
from scaffold.review.opened import all_decisions, ratings_path


@dataclass(frozen=True, slots=True)
class Kept:
    """A decision that was kept, and the newest before it, if any."""

    made: Override
    before: Override | None


def set_score(
    suite: PromptSuite, ref: str, output_sha256: str | None, wish: Correction, signature: Signature
) -> Kept:
    """Keep the score that a person wants; `output_sha256` is what it is bound to.

    Raises:
        ConfigError: there is no such criterion, nothing to bind to, or no reason; or a file is wrong.
        OSError: it cannot be written.
    """
    _check_criterion(suite, wish.criterion)
    _check_reason(wish.reason)
    if output_sha256 is None and not wish.for_case:
        hint = "correct it whatever the output: --for-case"
        raise ConfigError([Problem(f"'{ref}' has no output that a score could hold for", hint=hint)])
    _check_end(wish.expires, signature)
    before = newest_decision(suite, ref, wish.criterion)
    made = decisions.correct(wish, ref, output_sha256, suite.criteria, signature.after(before))
    return _keep(suite, made, before)


def withdraw_score(
    suite: PromptSuite, ref: str, criterion: str | None, reason: str, signature: Signature
) -> Kept:
    """Keep that the judge's score counts again.

    Raises:
        ConfigError: no correction holds, there is no reason, or the overrides file is wrong.
        OSError: it cannot be written.
    """
    _check_reason(reason)
    held = held_decision(suite, ref, criterion)
    return _keep(suite, decisions.withdraw(held, reason, signature.after(held)), held)


def renew_score(
    suite: PromptSuite,
    ref: str,
    criterion: str | None,
    outputs: Collection[str],
    expires: datetime | None,
    signature: Signature,
) -> Kept:
    """Keep that a correction goes on to hold, for the rubric of now.

    One that is bound to an output is bound to the only one in `outputs`, the digests of those of now; to the
    same as before where that is among them, or none is known.

    Raises:
        ConfigError: no correction was made, outputs differ, its criterion is gone, or the file is wrong.
        OSError: it cannot be written.
    """
    held = held_decision(suite, ref, criterion)
    _check_criterion(suite, criterion)
    _check_end(expires, signature)
    bound = held.output_sha256 if held.output_sha256 in outputs else next(iter(outputs), None)
    if held.bind is Bind.OUTPUT and bound != held.output_sha256 and len(set(outputs)) > 1:
        hint = "say which one with --model, or set the score anew: scaffold review set"
        raise ConfigError(
            [Problem(f"'{ref}' has {len(set(outputs))} outputs now, all of them new", hint=hint)]
        )
    made = decisions.renew(held, bound, suite.criteria, expires, signature.after(held))
    return _keep(suite, made, held)


def take_back(suite: PromptSuite, kept: Kept, signature: Signature) -> Kept:
    """Keep that things are as they were before a decision.

    Raises:
        ConfigError: the overrides file is wrong.
        OSError: it cannot be written.
    """
    before = newest_decision(suite, kept.made.case_ref, kept.made.criterion)
    return _keep(suite, decisions.take_back(kept.made, kept.before, signature.after(before)), before)


def keep_rating(suite: PromptSuite, *ratings: Rating) -> None:
    """Keep a person's levels of an output: all of them, or none.

    Raises:
        ConfigError: there is no such criterion, or the file of ratings is wrong.
        OSError: it cannot be written.
    """
    for rating in ratings:
        _check_criterion(suite, rating.criterion)
    append_rating(ratings_path(suite), *ratings)


def newest_decision(suite: PromptSuite, ref: str, criterion: str | None) -> Override | None:
    """Return the newest decision about a criterion, or (None) the total, of a case.

    Raises:
        ConfigError: the overrides file is wrong.
    """
    return newest_overrides(all_decisions(suite)).get(ref, {}).get(criterion)


def held_decision(suite: PromptSuite, ref: str, criterion: str | None) -> Override:
    """Return the newest decision about a criterion, or (None) the total, of a case, if not withdrawn.

    Raises:
        ConfigError: there is none; or the overrides file is wrong.
    """
    found = newest_decision(suite, ref, criterion)
    if found is None or not found.active:
        about = criterion or "the total"
        others = _corrected(suite, ref)
        hint = f"there is one of {', '.join(others)}" if others else None
        raise ConfigError([Problem(f"'{ref}' has no correction of {about}", hint=hint)])
    return found


def _corrected(suite: PromptSuite, ref: str) -> list[str]:
    known: Mapping[str | None, Override] = newest_overrides(all_decisions(suite)).get(ref, {})
    return [name or "the total" for name, each in known.items() if each.active]


def _keep(suite: PromptSuite, made: Override, before: Override | None) -> Kept:
    append_decision(overrides_path(suite), made)
    return Kept(made, before)


def _check_criterion(suite: PromptSuite, criterion: str | None) -> None:
    names = [each.name for each in suite.criteria]
    if criterion is not None and criterion not in names:
        hint = did_you_mean(criterion, names) or f"it has: {', '.join(names)}"
        raise ConfigError([Problem(f"the suite '{suite.name}' has no criterion '{criterion}'", hint=hint)])


def _check_end(expires: datetime | None, signature: Signature) -> None:
    if expires is not None and expires <= signature.time:
        raise ConfigError([Problem(f"the correction would end on {last_day(expires)}, which is over")])


def _check_reason(reason: str) -> None:
    if not reason.strip():
        raise ConfigError([Problem("a decision needs a reason, for those who read it later")])
