"""Conditions on the files that a session left in its workspace."""

from collections.abc import Iterator
from typing import Any

from judges.check.conditions import Condition, Evidence, Finding, holds, holds_not, pattern_spec
from judges.check.views import MAX_VIEW_BYTES
from judges.core.errors import RunError
from judges.files.inside import Inside, look_inside, read_inside
from judges.files.pass_conditions import FileCondition, Pattern


def file_conditions(asked: tuple[FileCondition, ...]) -> Iterator[Condition]:
    """Yield the conditions under `files`. A text condition fails where there is no such file."""
    for index, each in enumerate(asked):
        if each.exists is not None:
            yield _condition(index, each.path, "exists", {"exists": each.exists}, _exists(each))
        if each.must_match is not None:
            yield _on_text(index, each.path, "must_match", each.must_match)
        if each.must_not_match is not None:
            yield _on_text(index, each.path, "must_not_match", each.must_not_match)


def _exists(asked: FileCondition) -> Finding:
    def find(evidence: Evidence) -> str | None:
        found = _look(evidence, asked.path)
        if asked.exists:
            return found.complaint or None
        return None if found.absent else f"there is {asked.path}"

    return find


def _on_text(index: int, path: str, mode: str, pattern: Pattern) -> Condition:
    judge = holds if mode == "must_match" else holds_not
    on_text = judge(pattern, lambda evidence: _read(evidence, path))

    def find(evidence: Evidence) -> str | None:
        return _look(evidence, path).complaint or on_text(evidence)

    return _condition(index, path, mode, pattern_spec(pattern), find)


def _condition(index: int, path: str, mode: str, spec: dict[str, Any], finding: Finding) -> Condition:
    kind = f"files.{mode}"
    return Condition(id=f"files[{index}].{mode}", kind=kind, spec={"path": path} | spec, finding=finding)


def _look(evidence: Evidence, path: str) -> Inside:
    if evidence.workspace is None:
        raise RunError("the workspace of this session was not kept")
    return look_inside(evidence.workspace, path)


def _read(evidence: Evidence, path: str) -> str:
    found = _look(evidence, path)
    if found.path is None:
        raise RunError(found.complaint)
    return read_inside(found.path, MAX_VIEW_BYTES)
