"""What a suite file says that its shape allows and that still makes no sense."""

from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import TypeAlias

from judges.core.errors import Problem
from judges.files.dates import parse_time
from judges.files.document import Document, Loc
from judges.files.evaluation_meta import EvaluationType
from judges.files.problems import did_you_mean
from judges.files.prompt_meta import PromptMeta

UNEXPECTED = (
    "a binary case without criteria is judged by 'expected_behavior', which is missing",
    "add it, or add 'criteria:' to the file",
)
"""The mistake of a case that leaves nothing to ask, and what to do."""

Check: TypeAlias = Callable[[PromptMeta, Document], Iterator[Problem]]


def check_meaning(meta: PromptMeta, document: Document, unsound: frozenset[str]) -> list[Problem]:
    """Return all mistakes of meaning, but those about sections (top-level keys) that are unsound anyway."""
    checks = (check(meta, document) for check, needs in CHECKS.items() if not needs & unsound)
    return list(chain.from_iterable(checks))


def find_twice(names: Iterable[str], key: str, document: Document) -> Iterator[Problem]:
    """Yield a problem for each name in a list of the file that is there already, in whatever case."""
    first: dict[str, int] = {}
    for index, name in enumerate(names):
        before = first.setdefault(name.casefold(), index)
        if before != index:
            line, _ = document.position((key, before, "name"))
            yield document.problem((key, index, "name"), f"'{name}' is there already, in line {line}")


def _criteria_names(meta: PromptMeta, document: Document) -> Iterator[Problem]:
    return find_twice((each.name for each in meta.criteria), "criteria", document)


def _check_names(meta: PromptMeta, document: Document) -> Iterator[Problem]:
    return find_twice((each.name for each in meta.checks), "checks", document)


def _weights(meta: PromptMeta, document: Document) -> Iterator[Problem]:
    if not meta.evaluation.type.scores:
        return
    for index, each in enumerate(meta.criteria):
        if "weight" not in each.model_fields_set:
            yield document.problem(("criteria", index, "weight"), "the key is missing")
    if meta.criteria and not any(each.weight for each in meta.criteria):
        yield document.problem(("criteria", 0, "weight"), "all weights are 0", "give one criterion a weight")


def _minimums(meta: PromptMeta, document: Document) -> Iterator[Problem]:
    names = [each.name for each in meta.criteria]
    for name in meta.thresholds.per_criterion:
        if name not in names:
            hint = did_you_mean(name, names) or (f"the criteria are {', '.join(names)}" if names else None)
            loc = ("thresholds", "per_criterion", name)
            yield document.problem(loc, "there is no such criterion", hint, at_key=True)


def _needs_of_type(meta: PromptMeta, document: Document) -> Iterator[Problem]:
    kind = meta.evaluation.type
    if meta.criteria:
        return
    if kind.scores:
        loc: Loc = ("criteria",) if "criteria" in document.value else ()
        yield document.problem(loc, f"evaluation type '{kind}' needs criteria", "add 'criteria:' to the file")
    if kind is EvaluationType.BINARY:
        yield from _expectations(meta, document)


def _expectations(meta: PromptMeta, document: Document) -> Iterator[Problem]:
    items: Loc = ("cases",) if isinstance(document.value["cases"], list) else ("cases", "items")
    for index, case in enumerate(meta.cases.items):
        if not case.expected_behavior:
            yield document.problem((*items, index), *UNEXPECTED)


def _canary(meta: PromptMeta, document: Document) -> Iterator[Problem]:
    if meta.judge.canary is None:
        return
    if not meta.evaluation.type.scores:
        message = f"evaluation type '{meta.evaluation.type}' has no levels to score the two outputs on"
        yield document.problem(("judge", "canary"), message, "take the canary out")
    elif not meta.criteria:
        message = "there are no criteria to score the two outputs by"
        yield document.problem(("judge", "canary"), message, "add 'criteria:' to the file")


def _dates(meta: PromptMeta, document: Document) -> Iterator[Problem]:
    if meta.last_updated is not None:
        try:
            parse_time(meta.last_updated)
        except ValueError as error:
            yield document.problem(("last_updated",), str(error))


CHECKS: dict[Check, frozenset[str]] = {
    _criteria_names: frozenset({"criteria"}),
    _check_names: frozenset({"checks"}),
    _weights: frozenset({"criteria", "evaluation"}),
    _minimums: frozenset({"criteria", "thresholds"}),
    _needs_of_type: frozenset({"criteria", "evaluation", "cases"}),
    _canary: frozenset({"judge", "criteria", "evaluation"}),
    _dates: frozenset({"last_updated"}),
}
"""Each check with the sections that it reads."""
