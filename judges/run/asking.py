"""Who is asked, and how often: one judge or several, checked by another one, once or again.

All of them are asked like a single `Judge`: `ask(questions, evidence, subject) -> Judgement`.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from statistics import fmean
from typing import Any, Protocol, TypeAlias

from judges.ask.judge import JudgeCall, Judgement
from judges.ask.meta import apply_meta, meta_evidence, meta_questions, meta_remarks
from judges.core.question import Answer, Evidence, Question, Statement, Subject, Unanswered, Vote
from judges.core.usage import Usage
from judges.core.verdict import Verdict
from judges.reduce.fragile import is_fragile
from judges.reduce.votes import Quorum, agreement, combine_votes

Decide: TypeAlias = Callable[[Mapping[str, Answer | Unanswered]], Verdict]


class Asker(Protocol):
    """Whoever answers questions about evidence."""

    def ask(self, questions: tuple[Question, ...], evidence: Evidence, subject: Subject) -> Judgement:
        """Return an answer, or the reason why there is none, for every question."""


@dataclass(frozen=True, slots=True)
class Named:
    """A judge by its full name, under which all that it says is kept; `panel` names those it is one of."""

    name: str
    judge: Asker
    panel: str | None = None

    def ask(self, questions: tuple[Question, ...], evidence: Evidence, subject: Subject) -> Judgement:
        """Return what the judge says, and that this one has said it."""
        said = self.judge.ask(questions, evidence, subject)
        statement = Statement(
            judge=self.name,
            panel=self.panel,
            questions=questions,
            evidence=evidence,
            subject=subject,
            answers=said.answers,
        )
        return Judgement(
            answers=said.answers,
            calls=said.calls,
            usage=said.usage,
            remarks=said.remarks,
            statements=(*said.statements, statement),
        )


@dataclass(frozen=True, slots=True)
class Panel:
    """Several judges, by name: each is asked, and what most of them say counts.

    With a `quorum` a Predicate is true when so many of them say so.
    """

    members: Mapping[str, Asker]
    quorum: Quorum | None = None

    def ask(self, questions: tuple[Question, ...], evidence: Evidence, subject: Subject) -> Judgement:
        """Return the lower median of the levels and the majority of all else, with every vote."""
        said = {name: each.ask(questions, evidence, subject) for name, each in self.members.items()}
        answers = {
            question.name: combine_votes(
                question,
                tuple(
                    Vote(judge=name, replica=subject.replica, answer=one.answers[question.name])
                    for name, one in said.items()
                ),
                quorum=self.quorum,
            )
            for question in questions
        }
        return _merge(answers, said.values())


@dataclass(frozen=True, slots=True)
class Checked:
    """A judge whose reasoning is checked by a meta-judge. Its answers stay as they are."""

    inner: Asker
    meta: Asker

    def ask(self, questions: tuple[Question, ...], evidence: Evidence, subject: Subject) -> Judgement:
        """Return the inner judge's answers, with less confidence where their reasoning does not hold."""
        judged = self.inner.ask(questions, evidence, subject)
        asked = meta_questions(questions, judged.answers)
        if not asked:
            return judged
        checked = self.meta.ask(asked, meta_evidence(questions, judged.answers, evidence), subject)
        remarked = replace(checked, remarks=meta_remarks(checked.answers))
        return _merge(apply_meta(judged.answers, checked.answers), (judged, remarked))


@dataclass(frozen=True, slots=True, kw_only=True)
class Replication:
    """How often the judge is asked: `most` times, or with `fragile` again only where a level decides."""

    most: int = 1
    fragile: bool = False
    quorum: Quorum = "majority"


@dataclass(frozen=True, slots=True)
class Stability:
    """How steady the judge was: times asked, verdicts that differ from the final one, share of agreement."""

    asked: int
    flips: int
    agreement: float | None

    def encode(self) -> dict[str, Any]:
        """Return it as JSON values."""
        return {"asked": self.asked, "flips": self.flips, "agreement": self.agreement}


def merge_stability(each: Iterable[Stability | None]) -> Stability | None:
    """Return how steady the judge was over several inquiries; None where each was made once."""
    known = [one for one in each if one is not None]
    if not known:
        return None
    shares = [one.agreement for one in known if one.agreement is not None]
    return Stability(
        asked=max(one.asked for one in known),
        flips=sum(one.flips for one in known),
        agreement=fmean(shares) if shares else None,
    )


def ask_again(
    ask: Callable[[Subject], Judgement],
    questions: tuple[Question, ...],
    subject: Subject,
    replication: Replication,
    decide: Decide,
    good: Mapping[str, bool],
) -> tuple[Judgement, Stability | None]:
    """Ask as often as it takes, and return what it comes to and how steady that is (None: asked once).

    Each repeat of a trial, as the subject's replica counts them, is asked about anew. `decide` gives the
    verdict that some answers lead to, `good` the answer of each Predicate that counts towards the quorum; it
    is True where nothing is said.
    """
    before = (subject.replica - 1) * replication.most
    first = ask(subject if subject.replica == before + 1 else replace(subject, replica=before + 1))
    if replication.most == 1 or (replication.fragile and not is_fragile(questions, first.answers, decide)):
        return first, None
    rest = [ask(replace(subject, replica=before + time)) for time in range(2, replication.most + 1)]
    said = (first, *rest)
    answers = {
        question.name: _combine(question, said, replication.quorum, good.get(question.name, True))
        for question in questions
    }
    merged = _merge(answers, said)
    final = decide(answers)
    flips = sum(decide(one.answers) is not final for one in said)
    return merged, Stability(asked=len(said), flips=flips, agreement=agreement(answers))


def _combine(
    question: Question, said: tuple[Judgement, ...], quorum: Quorum, good: bool
) -> Answer | Unanswered:
    votes = tuple(
        Vote(judge="judge", replica=replica, answer=one.answers[question.name])
        for replica, one in enumerate(said, start=1)
    )
    return combine_votes(question, votes, good=good, quorum=quorum)


def _merge(answers: Mapping[str, Answer | Unanswered], said: Iterable[Judgement]) -> Judgement:
    calls: tuple[JudgeCall, ...] = ()
    usage = Usage()
    remarks: tuple[str, ...] = ()
    statements: tuple[Statement, ...] = ()
    for one in said:
        calls, usage, remarks = (*calls, *one.calls), usage + one.usage, (*remarks, *one.remarks)
        statements = (*statements, *one.statements)
    remarks = tuple(dict.fromkeys(remarks))
    return Judgement(answers=answers, calls=calls, usage=usage, remarks=remarks, statements=statements)
