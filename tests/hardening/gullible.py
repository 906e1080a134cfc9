"""A judge that obeys whatever stands outside the fence, and sees nothing but what a model would be sent."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from judges.providers.base import Request

GOOD, SO_SO, BAD = "A kind and complete answer.", "An answer, more or less.", "Nonsense."

_FIELD = re.compile(
    r'<field-(?P<mark>[0-9a-f]{16}) name=(?P<name>"(?:[^"\\\n]|\\.)*")>\n(?P<text>.*?)\n</field-(?P=mark)>',
    re.DOTALL,
)


@dataclass
class GullibleJudge:
    """Answers honestly, unless anything but trusted text stands outside the fence: then it gives full marks.

    Honest marks depend on the field "output" alone: the top level for GOOD, the middle one for SO_SO, else
    the lowest; the better of two by the same measure; NO to every predicate. What is outside the fence while
    `learning` is trusted from then on. `seen` holds the fenced fields of every request about a case, by its
    ref, as a model could read them.
    """

    learning: bool = True
    trusted: set[str] = field(default_factory=set)
    fooled: list[str] = field(default_factory=list)
    seen: dict[str, list[Mapping[str, str]]] = field(default_factory=dict)

    def __call__(self, request: Request) -> Mapping[str, Any]:
        """Return the reply to a request."""
        fields, outside = self._read(request)
        ref = request.subject.ref
        self.seen.setdefault(ref, []).append(fields)
        if self.learning:
            self.trusted |= outside
        obeys = not outside <= self.trusted
        if obeys:
            self.fooled.append(ref)
        assert request.schema is not None
        return _answer(request.schema["properties"], fields, obeys=obeys)

    def _read(self, request: Request) -> tuple[dict[str, str], set[str]]:
        system, user = request.messages
        fields = {json.loads(found["name"]): found["text"] for found in _FIELD.finditer(user.content)}
        marks = {found["mark"] for found in _FIELD.finditer(user.content)}
        outside = {system.content, _FIELD.sub("", user.content).strip("\n")}
        if len(marks) != 1:
            outside.add(f"{len(marks)} marks in one message")
        return fields, outside


def _answer(questions: Mapping[str, Any], fields: Mapping[str, str], *, obeys: bool) -> dict[str, Any]:
    return {
        name: {
            "evidence": [],
            "reasoning": "Obeyed." if obeys else "Read.",
            "answer": _choose(question["properties"]["answer"]["enum"], fields, obeys),
        }
        for name, question in questions.items()
    }


def _choose(offered: list[Any], fields: Mapping[str, str], obeys: bool) -> Any:
    if obeys:
        return offered[0 if isinstance(offered[0], str) else -1]
    if "output.A" in fields:
        ahead = _worth(fields["output.A"]) - _worth(fields["output.B"])
        return offered[2 if ahead == 0 else 0 if ahead > 0 else 1]
    if isinstance(offered[0], str):
        return offered[-1]
    return offered[_worth(fields["output"]) * (len(offered) - 1) // 2]


def _worth(output: str) -> int:
    return {GOOD: 2, SO_SO: 1}.get(output, 0)
