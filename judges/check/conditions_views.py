"""Conditions on the texts of a session: patterns on its views, and on its result."""

from collections.abc import Iterator

from judges.check.canonical import stringify
from judges.check.conditions import (
    Condition,
    Evidence,
    Finding,
    Source,
    holds,
    holds_not,
    matcher,
    pattern_spec,
)
from judges.core.session import ViewName
from judges.files.pass_conditions import Pattern, ResultConditions, ViewsConditions

_SHOWN = 200


def view_conditions(asked: ViewsConditions) -> Iterator[Condition]:
    """Yield the conditions under `views`, view by view."""
    for name, patterns in asked:
        source = _view(ViewName(name))
        kind = f"views.{name}.must_include"
        for index, pattern in enumerate(patterns.must_include):
            found = holds(pattern, source)
            yield Condition(id=f"{kind}[{index}]", kind=kind, spec=pattern_spec(pattern), finding=found)
        kind = f"views.{name}.must_not_include"
        for index, pattern in enumerate(patterns.must_not_include):
            found = holds_not(pattern, source)
            yield Condition(id=f"{kind}[{index}]", kind=kind, spec=pattern_spec(pattern), finding=found)


def result_conditions(asked: ResultConditions) -> Iterator[Condition]:
    """Yield the conditions under `result`."""
    if asked.must_match is not None:
        yield _on_result("result.must_match", asked.must_match, _result_matches(asked.must_match))
    if asked.must_not_match is not None:
        finding = holds_not(asked.must_not_match, _view(ViewName.RESULT))
        yield _on_result("result.must_not_match", asked.must_not_match, finding)


def _result_matches(pattern: Pattern) -> Finding:
    def find(evidence: Evidence) -> str | None:
        text = evidence.session.view(ViewName.RESULT)
        return None if matcher(pattern)(text) else f"result={stringify(text[:_SHOWN])}"

    return find


def _on_result(kind: str, pattern: Pattern, finding: Finding) -> Condition:
    return Condition(id=kind, kind=kind, spec=pattern_spec(pattern), finding=finding)


def _view(name: ViewName) -> Source:
    return lambda evidence: evidence.session.view(name)
