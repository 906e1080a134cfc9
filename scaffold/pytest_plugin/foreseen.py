"""Which cases and rows a run will have, known from its plan: nothing is called for it."""

from collections.abc import Iterator
from dataclasses import dataclass

from judges.core.case import Case
from judges.core.question import Unanswered
from judges.core.verdict import Verdict
from judges.files.evaluation_meta import EvaluationType
from judges.files.prompt_meta import DeterministicCheck
from judges.reduce.facts import Facts
from judges.reduce.grid_rows import GATE, MEASURE
from judges.reduce.rows import skipped_row
from judges.run.fixture.grade import rows_without_session
from judges.run.fixture.plan import FixturePlan, fixture_case
from judges.run.grid.plan import GridPlan
from judges.run.plan import Plan
from judges.run.prompt_plan import PromptPlan


@dataclass(frozen=True, slots=True)
class ForeseenCase:
    """A case as the report will have it, with the ids of its rows. `model` is None where none is named."""

    case: Case
    model: str | None
    rows: tuple[str, ...]


def foresee(plan: Plan) -> Iterator[ForeseenCase]:
    """Yield the cases that running a plan will lead to, in the order of the report."""
    match plan:
        case PromptPlan():
            for trial in plan.trials():
                yield ForeseenCase(trial.case, trial.model, _prompt_rows(plan, trial.case))
        case FixturePlan():
            rows = tuple(row.id for row in rows_without_session(plan.suite, Verdict.SKIP, ""))
            for model in plan.models if plan.selected else ():
                yield ForeseenCase(fixture_case(plan.suite), model, rows)
        case GridPlan():
            rows = tuple(f"{kind}[{index}]" for index in range(plan.repeat) for kind in (MEASURE, GATE))
            for place in plan.places:
                yield ForeseenCase(place.case, place.model.name, rows)


def informs_only(plan: Plan) -> bool:
    """Whether the rows of a suite decide nothing by themselves: a rule over all cases decides."""
    if not isinstance(plan, PromptPlan):
        return False
    by_rate = plan.rules.thresholds.pass_rate is not None
    return by_rate or plan.suite.evaluation is not EvaluationType.MULTI_CRITERIA


def _prompt_rows(plan: PromptPlan, case: Case) -> tuple[str, ...]:
    """Decide the case as the run will, with every check passed over and every question unanswered."""
    if case.skip is not None:
        return ("case",)
    arms = [source.arm for source in plan.sources]
    names = (spec.name for spec in plan.suite.meta.checks if isinstance(spec, DeterministicCheck))
    checks = tuple(skipped_row(f"checks.{name}", "") for name in names)
    inquiries = plan.evaluation.inquire(plan.rules, case, dict.fromkeys(arms, ""))
    answers = {each.arm: {question.name: Unanswered("") for question in each.questions} for each in inquiries}
    facts = Facts(checked=dict.fromkeys(arms, checks), answers=answers)
    return tuple(row.id for row in plan.evaluation.decide(plan.rules, case, facts).rows)
