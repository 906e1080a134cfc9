"""A stored result decided again without any call: by the suite and people's corrections as they are now."""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from judges.check.build import Check
from judges.core.case import Case
from judges.core.question import Answer
from judges.core.report import CaseReport
from judges.core.verdict import Verdict
from judges.files.suite import PromptSuite
from judges.reduce.decision import Decision, Rules
from judges.reduce.facts import Answers, Facts
from judges.reduce.fragile import Flip, find_flips
from judges.reduce.overrides import Newest, select_overrides
from judges.reduce.percent import as_decimal
from judges.reduce.reasons import Lapsed
from judges.run.checks import build_checks
from judges.run.kinds import KINDS, Kind
from judges.run.rules import build_rules
from judges.run.stored_facts import Record, StoredFacts, read_facts


@dataclass(frozen=True, slots=True, kw_only=True)
class Decider:
    """Decides stored results of one prompt suite.

    `cases` are those of the suite by ref; of any other the result stays as it was. `now` tells which
    corrections have expired. `known` are the flips found so far, by all that decides about them.
    """

    suite: PromptSuite
    kind: Kind
    rules: Rules
    cases: Mapping[str, Case]
    checks: Sequence[Check]
    now: datetime
    known: dict[Hashable, tuple[Flip, ...]] = field(default_factory=dict)

    def settle(self, result: CaseReport, record: Record, newest: Newest) -> CaseReport:
        """Return the result as it is with these corrections.

        Raises:
            KeyError, TypeError: the record is damaged.
        """
        case = self._case(result)
        if case is None:
            return result
        stored = self._read(case, result, record)
        decided = self._decide(case, stored, stored.facts, newest)
        said = {row.id: row.extra for row in result.rows}
        return replace(
            result,
            verdict=decided.verdict,
            rows=tuple(replace(row, extra={**said.get(row.id, {}), **row.extra}) for row in decided.rows),
            score=None if decided.score is None else as_decimal(decided.score),
            judged_score=None if decided.judged_score is None else as_decimal(decided.judged_score),
            criteria=decided.criteria,
            override=decided.override,
        )

    def flips(self, result: CaseReport, record: Record, newest: Newest) -> tuple[Flip, ...]:
        """Return the changes of one answer by one level that would change the verdict.

        Raises:
            KeyError, TypeError: the record is damaged.
        """
        case = self._case(result)
        if case is None or not self.suite.evaluation.scores:
            return ()
        stored = self._read(case, result, record)
        if newest:
            return self._find_flips(case, stored, newest)
        key = _key(case, stored.facts)
        if key not in self.known:
            self.known[key] = self._find_flips(case, stored, newest)
        return self.known[key]

    def _find_flips(self, case: Case, stored: StoredFacts, newest: Newest) -> tuple[Flip, ...]:
        answers = stored.facts.answers.get(None)
        if answers is None:
            return ()

        def decide(moved: Answers) -> Verdict:
            assumed = replace(stored.facts, answers={**stored.facts.answers, None: moved})
            return self._decide(case, stored, assumed, newest).verdict

        return tuple(find_flips(stored.questions[None], answers, decide))

    def lapsed(self, ref: str, output_sha256: str | None, newest: Newest) -> Iterator[Lapsed]:
        """Yield the corrections of a case that are not applied to this output, and why."""
        for criterion, override in newest.items():
            found = select_overrides(
                {criterion: override},
                ref=ref,
                output_sha256=output_sha256,
                criteria=self.rules.criteria,
                now=self.now,
            )
            yield from (Lapsed(criterion, notice.text) for notice in found.notices)

    def _case(self, result: CaseReport) -> Case | None:
        return None if any(row.kind == "case" for row in result.rows) else self.cases.get(result.ref)

    def _read(self, case: Case, result: CaseReport, record: Record) -> StoredFacts:
        return read_facts(self.rules, self.kind, case, result, record, self.checks)

    def _decide(self, case: Case, stored: StoredFacts, facts: Facts, newest: Newest) -> Decision:
        corrections = {
            arm: select_overrides(
                newest, ref=case.ref, output_sha256=sha256, criteria=self.rules.criteria, now=self.now
            )
            for arm, sha256 in stored.digests.items()
        }
        return self.kind.decide(self.rules, case, replace(facts, corrections=corrections))


def _key(case: Case, facts: Facts) -> Hashable:
    """Return what decides a case that nobody has corrected; of thousands of cases many have it in common."""
    checked = ((arm, row.id, row.verdict) for arm, rows in facts.checked.items() for row in rows)
    said = (
        (arm, name, (each.value, repr(each.probabilities)) if isinstance(each, Answer) else None)
        for arm, answers in facts.answers.items()
        for name, each in answers.items()
    )
    return case.category, case.expected_score_range, tuple(checked), tuple(said)


def build_decider(suite: PromptSuite, *, smoke: bool, now: datetime) -> Decider:
    """Return what decides stored results of a suite; nothing that a `smoke` judge said settles any.

    Raises:
        ConfigError: a check of the suite, or a file with cases, is wrong.
    """
    kind = KINDS[suite.evaluation]
    return Decider(
        suite=suite,
        kind=kind,
        rules=build_rules(suite, smoke=smoke),
        cases={case.ref: case for case in suite.cases},
        checks=build_checks(suite) if kind.against_baseline else (),
        now=now,
    )
