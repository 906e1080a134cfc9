"""Semantic rows of fixtures: a rubric about one view of a replica, put to a judge or to several.

A row is one question in one call for each judge. Whatever a judge says besides a verdict is an ERROR row.
"""

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from judges.ask.judge import Judge, Judgement
from judges.ask.questions import build_semantic_evidence, build_semantic_question
from judges.ask.suspicion import suspicions
from judges.check.completed import why_incomplete
from judges.core.case import digest
from judges.core.errors import RunError
from judges.core.question import Answer, Evidence, Predicate, Subject, Unanswered
from judges.core.row import Notice, Row
from judges.core.session import Session, ViewName
from judges.core.verdict import Verdict
from judges.files.pass_conditions import SemanticCondition
from judges.providers.local.models import describe_smoke, is_smoke_judge
from judges.reduce.decision import UNJUDGED
from judges.reduce.rows import answer_facts, unjudge
from judges.run.asking import Asker, Named, Panel
from judges.run.connections import Endpoint
from judges.run.kinds import Inquiry

Connect: TypeAlias = Callable[[str], Endpoint]


@dataclass(frozen=True, slots=True)
class SemanticResult:
    """A semantic row, and what was asked and said about it."""

    row: Row
    inquiry: Inquiry
    judgement: Judgement


@dataclass(frozen=True, slots=True, kw_only=True)
class SemanticJudge:
    """Whoever judges one semantic condition, by full model name. Safe to use from several threads."""

    condition: SemanticCondition
    members: Mapping[str, Asker]

    def grade(self, session: Session, subject: Subject) -> SemanticResult:
        """Return the row of this condition about a session. What goes wrong becomes an ERROR row.

        A session that did not run to its end is not judged, nor a view that is not known whole: no call is
        made. `subject` names the fixture (`ref`) and the replica; recorded judgements are found by both, and
        by the digest of the view.
        """
        question = build_semantic_question(self.condition.id, self.condition.rubric)
        started = time.monotonic()
        view, why = _find_view(session, self.condition.view)
        inquiry = Inquiry(
            arm=None,
            questions=(question,),
            evidence=build_semantic_evidence(view),
            output_sha256=digest(view),
        )
        if why is None:
            judgement = self._ask(inquiry, subject)
        else:
            judgement = Judgement(answers={question.name: Unanswered(why)})
        duration_ms = round((time.monotonic() - started) * 1000)
        return SemanticResult(self._row(question, judgement, duration_ms), inquiry, judgement)

    @property
    def asker(self) -> Asker:
        """The only judge, or all of them; a single one needs no quorum, even in the place of several."""
        names = ", ".join(self.members)
        if len(self.members) == 1:
            return Named(names, self.members[names])
        members = {name: Named(name, each, panel=names) for name, each in self.members.items()}
        return Named(names, Panel(members, self.condition.quorum))

    def notices(self) -> Iterator[Notice]:
        """Yield what a person should know of the judges before relying on them."""
        yield from (Notice(describe_smoke(name)) for name in self.members if is_smoke_judge(name))

    def _ask(self, inquiry: Inquiry, subject: Subject) -> Judgement:
        subject = replace(subject, output_sha256=inquiry.output_sha256)
        said = self.asker.ask(inquiry.questions, inquiry.evidence, subject)
        (text,) = inquiry.evidence.fields.values()
        remarks = suspicions(Evidence({self.condition.view.value: text}))
        return replace(said, remarks=(*said.remarks, *remarks))

    def _row(self, question: Predicate, judgement: Judgement, duration_ms: int) -> Row:
        verdict, found, said = _read(judgement.answers[question.name])
        row = Row(
            id=question.name,
            kind="semantic",
            verdict=verdict,
            actual_excerpt=found,
            spec=_spec(self.condition),
            error=found if verdict is Verdict.ERROR else None,
            extra={
                "reasoning": "",
                **said,
                "judge_model": ", ".join(self.members),
                "judge_duration_ms": duration_ms,
            },
        )
        if verdict is not Verdict.ERROR and any(map(is_smoke_judge, self.members)):
            row = unjudge(replace(row, actual_excerpt=f"judge returned {verdict}"), UNJUDGED)
        return row


def build_semantic_judge(
    condition: SemanticCondition, connect: Connect, *, timeout_seconds: float, judge: str | None = None
) -> SemanticJudge:
    """Return who judges a condition. `connect` gives the endpoint of a model; nothing is sent yet.

    `timeout_seconds` is the fixture's, for a condition that has none of its own. `judge` stands in place of
    the judges that the condition names.

    Raises:
        ConfigError: an endpoint cannot be used as it is set up.
    """
    own = condition.judge_timeout_seconds
    members = {}
    for name in (judge,) if judge else condition.asked:
        endpoint = connect(name)
        members[name] = Judge(
            provider=endpoint.provider,
            model=endpoint.model,
            timeout_seconds=timeout_seconds if own is None else float(own),
        )
    return SemanticJudge(condition=condition, members=members)


def unmeasured_row(condition: SemanticCondition, why: str) -> Row:
    """Return the row of a condition where there is no session to ask about."""
    question = build_semantic_question(condition.id, condition.rubric)
    return Row(
        id=question.name,
        kind="semantic",
        verdict=Verdict.ERROR,
        actual_excerpt=why,
        spec=_spec(condition),
        error=why,
        extra={"reasoning": "", "judge_model": ", ".join(condition.asked), "judge_duration_ms": 0},
    )


def _find_view(session: Session, name: ViewName) -> tuple[str, str | None]:
    """Return the text to be judged, and why it is not to be judged, if so."""
    why = why_incomplete(session.run)
    if why is not None:
        return "", why
    try:
        return session.view(name), None
    except RunError as error:
        return "", str(error)


def _spec(condition: SemanticCondition) -> dict[str, Any]:
    spec: dict[str, Any] = {"view": condition.view.value, "judge_model": ", ".join(condition.asked)}
    return spec | ({"judges": condition.judges, "quorum": condition.quorum} if condition.judges else {})


def _read(answer: Answer | Unanswered) -> tuple[Verdict, str, Mapping[str, object]]:
    """Return the verdict, why it is no PASS, and what else was said."""
    if isinstance(answer, Unanswered):
        return Verdict.ERROR, answer.reason, {}
    if answer.value:
        return Verdict.PASS, "", answer_facts(answer)
    return Verdict.FAIL, answer.reasoning or "judge returned FAIL", answer_facts(answer)
