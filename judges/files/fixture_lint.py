"""What is allowed in a fixture but often goes wrong: findings, never errors by themselves."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain
from typing import TypeAlias

from judges.core.session import Isolation
from judges.files.document import Loc
from judges.files.fixture import FixtureSuite
from judges.files.fixture_meta import PermissionMode
from judges.files.model import FileModel
from judges.files.pass_conditions import PassConditions, asks_nothing

EDITS = frozenset({"Write", "Edit", "NotebookEdit"})
"""Tools that write files: denied without permission unless the mode accepts edits."""
READS_ONLY = (PermissionMode.DEFAULT, PermissionMode.PLAN)

_ATTACHED = re.compile(r"(?<!\S)@[\w~./-]*\w")
_SHARED = re.compile(
    r"(?<![\w.:/~$}])(?:/(?:tmp|var|home|Users|root|opt|srv|mnt|private)/|[A-Za-z]:\\)[^\s'\"`)]*"
)
_PLACEHOLDER = re.compile(r"<([A-Z][A-Z0-9_]+)>")
_TOOL = re.compile(r"([A-Za-z_][\w-]*)(\([^)]*\))?")


@dataclass(frozen=True, slots=True)
class Finding:
    """A remark on a fixture: on the value at `loc` of its front matter, or on a line of its file."""

    text: str
    loc: Loc = ()
    line: int | None = None


Rule: TypeAlias = Callable[[FixtureSuite], Iterator[Finding]]


def lint_fixture(fixture: FixtureSuite) -> tuple[Finding, ...]:
    """Return all findings."""
    return tuple(chain.from_iterable(rule(fixture) for rule in RULES))


def _permissions(fixture: FixtureSuite) -> Iterator[Finding]:
    if fixture.meta.permission_mode is PermissionMode.BYPASS_PERMISSIONS and fixture.meta.tools.strip():
        text = "has no effect: bypassPermissions lets the session use every tool"
        yield Finding(text, ("allowed_tools",))


def _denied(fixture: FixtureSuite) -> Iterator[Finding]:
    """Only where it is sure: a sealed session has no settings that could allow more."""
    meta = fixture.meta
    if meta.isolation is not Isolation.SEALED or meta.permission_mode not in READS_ONLY:
        return
    allowed = {name for name, _ in _TOOL.findall(meta.tools)}
    for tool, loc in _wanted(meta.pass_conditions):
        if tool in EDITS - allowed:
            yield Finding(f"'{tool}' is denied: allowed_tools does not name it, and nobody can be asked", loc)


def _contradictions(fixture: FixtureSuite) -> Iterator[Finding]:
    conditions = fixture.meta.pass_conditions
    unwanted = {*conditions.tool_calls.forbidden}
    unwanted |= {
        tool for tool, count in conditions.tool_calls.counts.items() if 0 in (count.max, count.exact)
    }
    for tool, loc in _wanted(conditions):
        if tool in unwanted:
            yield Finding(f"no session can pass: '{tool}' must be called, and must not be called", loc)


def _wanted(conditions: PassConditions) -> Iterator[tuple[str, Loc]]:
    """Yield the tools that must be called for all rows to pass, and where that is said."""
    calls, base = conditions.tool_calls, ("pass_conditions", "tool_calls")
    for key, names in (("required", calls.required), ("order", calls.order)):
        yield from ((tool, (*base, key, index)) for index, tool in enumerate(names))
    for tool, count in calls.counts.items():
        if count.min or count.exact:
            yield tool, (*base, "counts", tool)
    for index, each in enumerate(calls.inputs):
        if each.must_match:
            yield each.tool, (*base, "inputs", index)
    for tool in conditions.tool_results.per_tool:
        yield tool, ("pass_conditions", "tool_results", "per_tool", tool)


def _literal(fixture: FixtureSuite) -> Iterator[Finding]:
    if fixture.body.lstrip().startswith("/"):
        yield Finding("a prompt that starts with '/' is a command to the client", line=fixture.body_line)
    for match in _ATTACHED.finditer(fixture.body):
        text = f"'{match[0]}' is not sent as it stands where there is such a file: the client attaches it"
        yield _at(fixture, match, text)


def _shared_paths(fixture: FixtureSuite) -> Iterator[Finding]:
    if fixture.meta.runs == 1 or fixture.meta.run.serial:
        return
    if match := _SHARED.search(fixture.body):
        text = f"the replicas share {match[0]}: use relative paths, or run: {{serial: true}}"
        yield _at(fixture, match, text)


def _placeholders(fixture: FixtureSuite) -> Iterator[Finding]:
    for match in _PLACEHOLDER.finditer(fixture.body):
        if f"</{match[1]}>" not in fixture.body:
            yield _at(fixture, match, f"'{match[0]}' looks like a text that was never filled in")


def _at(fixture: FixtureSuite, match: re.Match[str], text: str) -> Finding:
    return Finding(text, line=fixture.body_line + fixture.body.count("\n", 0, match.start()))


def _quorum(fixture: FixtureSuite) -> Iterator[Finding]:
    runs, quorum = fixture.meta.runs, fixture.meta.quorum
    if runs == 2 and quorum == "majority":
        yield Finding("a majority of 2 is both: one replica more lets one of them fail", ("runs",))
    if isinstance(quorum, int) and 2 * quorum <= runs:
        yield Finding(f"{quorum} of {runs} passes what fails at least as often as it passes", ("quorum",))


def _without_effect(fixture: FixtureSuite) -> Iterator[Finding]:
    meta = fixture.meta
    most = meta.pass_conditions.run.max_duration_ms
    if most is not None and most > meta.timeout_seconds * 1000:
        text = f"is never exceeded: the session is ended after {meta.timeout_seconds:f} s"
        yield Finding(text, ("pass_conditions", "run", "max_duration_ms"))
    if meta.isolation is Isolation.PROJECT and "user" in (meta.setting_sources or ()):
        text = "'user' has no effect with isolation: project, whose sessions have a home of their own"
        yield Finding(text, ("setting_sources",))
    yield from _empty(meta.pass_conditions, ("pass_conditions",))


def _empty(section: FileModel, loc: Loc) -> Iterator[Finding]:
    """Yield the sections that were written but ask for nothing."""
    for key in type(section).model_fields:
        value = getattr(section, key)
        if key not in section.model_fields_set or not isinstance(value, FileModel):
            continue
        if asks_nothing(value):
            yield Finding("checks nothing", (*loc, key))
        else:
            yield from _empty(value, (*loc, key))


def _model(fixture: FixtureSuite) -> Iterator[Finding]:
    if fixture.meta.model is None:
        yield Finding("no 'model' is named: the client's own changes from version to version")


RULES: tuple[Rule, ...] = (
    _model,
    _permissions,
    _denied,
    _contradictions,
    _literal,
    _shared_paths,
    _placeholders,
    _quorum,
    _without_effect,
)
