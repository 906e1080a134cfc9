"""Conditions on tools: which were called, how often, in which order, with what, and what they gave back.

Calls of subagents count.
"""

from collections import Counter
from collections.abc import Iterator

from judges.check.conditions import Condition, Evidence, Finding, matcher, pattern_spec
from judges.core.session import Session, ToolResult, ViewName
from judges.files.pass_conditions import (
    CountCondition,
    Pattern,
    ToolCallConditions,
    ToolResultConditions,
)


def tool_call_conditions(asked: ToolCallConditions) -> Iterator[Condition]:
    """Yield the conditions under `tool_calls`."""
    for index, tool in enumerate(asked.required):
        yield _indexed("tool_calls.required", index, tool, _required(tool))
    for index, tool in enumerate(asked.forbidden):
        yield _indexed("tool_calls.forbidden", index, tool, _forbidden(tool))
    for tool, count in asked.counts.items():
        spec = {"tool": tool} | count.model_dump(exclude_none=True)
        name = f"tool_calls.counts.{tool}"
        yield Condition(id=name, kind="tool_calls.counts", spec=spec, finding=_counted(tool, count))
    if asked.order:
        kind = "tool_calls.order"
        yield Condition(id=kind, kind=kind, spec={"order": list(asked.order)}, finding=_in_order(asked.order))
    for index, each in enumerate(asked.inputs):
        name = f"tool_calls.inputs[{index}].{each.tool}"
        if each.must_match is not None:
            yield _on_input(name, each.tool, "must_match", each.must_match)
        if each.must_not_match is not None:
            name += "" if each.must_match is None else ".must_not_match"
            yield _on_input(name, each.tool, "must_not_match", each.must_not_match)


def tool_result_conditions(asked: ToolResultConditions) -> Iterator[Condition]:
    """Yield the conditions under `tool_results`."""
    if asked.all_succeeded is not None:
        kind = "tool_results.all_succeeded"
        yield Condition(id=kind, kind=kind, spec={"all_succeeded": True}, finding=_all_succeeded)
    for tool in asked.per_tool:
        spec = {"tool": tool, "must_succeed": True}
        name = f"tool_results.per_tool.{tool}"
        yield Condition(id=name, kind="tool_results.per_tool", spec=spec, finding=_tool_succeeded(tool))


def _required(tool: str) -> Finding:
    def find(evidence: Evidence) -> str | None:
        tools = _called(evidence.session)
        return None if tool in tools else f"missing tool: {tool}; {_observed(tools)}"

    return find


def _forbidden(tool: str) -> Finding:
    def find(evidence: Evidence) -> str | None:
        tools = _called(evidence.session)
        if tool not in tools:
            return None
        place = f"(invocation #{tools.index(tool) + 1})"
        return f"forbidden tool invoked: {tool} {place}; {_observed(tools)}"

    return find


def _counted(tool: str, asked: CountCondition) -> Finding:
    limits = asked.model_dump(exclude_none=True)
    wanted = " ".join(f"{name}={value}" for name, value in limits.items())

    def find(evidence: Evidence) -> str | None:
        count = _called(evidence.session).count(tool)
        fits = (
            count >= limits.get("min", 0)
            and count <= limits.get("max", count)
            and count == limits.get("exact", count)
        )
        return None if fits else f"{tool} count={count} {wanted}"

    return find


def _in_order(order: tuple[str, ...]) -> Finding:
    def find(evidence: Evidence) -> str | None:
        tools = _called(evidence.session)
        rest = iter(tools)
        if all(tool in rest for tool in order):
            return None
        return f"expected subsequence=[{','.join(order)}] observed=[{','.join(tools)}]"

    return find


def _on_input(name: str, tool: str, mode: str, pattern: Pattern) -> Condition:
    spec = {"tool": tool, "mode": mode} | pattern_spec(pattern)
    finding = _some_input(tool, pattern) if mode == "must_match" else _no_input(tool, pattern)
    return Condition(id=name, kind="tool_calls.inputs", spec=spec, finding=finding)


def _some_input(tool: str, pattern: Pattern) -> Finding:
    def find(evidence: Evidence) -> str | None:
        inputs, matches = _inputs(evidence.session, tool), matcher(pattern)
        if any(map(matches, inputs)):
            return None
        return f"no invocation of {tool} matched /{pattern.pattern}/ (invocations={len(inputs)})"

    return find


def _no_input(tool: str, pattern: Pattern) -> Finding:
    def find(evidence: Evidence) -> str | None:
        matches = matcher(pattern)
        for number, text in enumerate(_inputs(evidence.session, tool), 1):
            if matches(text):
                return f"invocation #{number} of {tool} matched forbidden /{pattern.pattern}/"
        return None

    return find


def _all_succeeded(evidence: Evidence) -> str | None:
    errored = [result.tool or "unknown" for result in _results(evidence.session) if result.is_error]
    return f"errored=[{','.join(errored)}]" if errored else None


def _tool_succeeded(tool: str) -> Finding:
    def find(evidence: Evidence) -> str | None:
        results = [result for result in _results(evidence.session) if result.tool == tool]
        errors = sum(result.is_error for result in results)
        if not results:
            return f"no tool_result observed for {tool}"
        return f"{tool} errors={errors}/{len(results)}" if errors else None

    return find


def _called(session: Session) -> list[str]:
    session.demand("tool_calls")
    return [call.tool for call in session.tool_calls]


def _inputs(session: Session, tool: str) -> list[str]:
    session.demand("tool_calls")
    session.demand(ViewName.TOOL_INPUTS)
    return [call.canonical for call in session.tool_calls if call.tool == tool]


def _results(session: Session) -> tuple[ToolResult, ...]:
    session.demand("tool_results")
    return session.tool_results


def _observed(tools: list[str]) -> str:
    counts = ",".join(f"{tool}\N{MULTIPLICATION SIGN}{count}" for tool, count in Counter(tools).items())
    return f"observed=[{counts}]"


def _indexed(kind: str, index: int, tool: str, finding: Finding) -> Condition:
    return Condition(id=f"{kind}[{index}]", kind=kind, spec={"tool": tool}, finding=finding)
