"""What `scaffold qualify` does with its arguments: find what was rated, ask the judge, keep what follows."""

import sys
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import click

from judges.core.errors import ConfigError, Problem
from judges.core.rating import Rating
from judges.core.verdict import ExitCode
from judges.files.config import ProjectConfig, apply_config, read_config
from judges.files.evaluation_meta import EvaluationType
from judges.files.load import load_suite
from judges.files.outputs import read_outputs
from judges.files.project import find_root
from judges.files.qualifications import keep_qualification
from judges.files.ratings import RATINGS_FILE, read_ratings
from judges.files.suite import PromptSuite
from judges.out.summary import render_usage
from judges.providers.budget import Budget
from judges.providers.limit import Terms
from judges.reduce.qualification import Standing
from judges.reduce.ratings import select_ratings
from judges.run.connections import Connections
from judges.run.estimate import estimate
from judges.run.options import RunOptions, Selection
from judges.run.prompt_plan import PromptPlan, plan_prompt
from judges.run.qualify import Measured, RatedOutput, build_entry, match_outputs, measure_judge, scales_of
from judges.run.rated import find_outputs
from judges.run.runner.cases import case_reader
from judges.run.standing import RECORDED, qualifications_path
from judges.run.stored import list_runs
from scaffold.caching import open_store
from scaffold.config import build_environ
from scaffold.request import from_here
from scaffold.running import ASK_ABOVE_USD

_EXIT = {Standing.QUALIFIED: ExitCode.PASSED, Standing.SMOKE: ExitCode.FAILED}


@dataclass(frozen=True, slots=True)
class Question:
    """What there is to ask: the plan of the suite, the rated outputs, and the ratings that do not count."""

    plan: PromptPlan
    rated: tuple[RatedOutput, ...]
    left_out: Mapping[str, int]


def prepare(path: Path, flags: Mapping[str, Any], environ: Mapping[str, str]) -> Question:
    """Read a suite and its ratings, and find the outputs that were rated.

    Raises:
        ConfigError: a file is wrong, or the suite has nothing that people could rate.
    """
    read_cases = case_reader(environ)
    suite = load_suite(path, allow_outside=flags["allow_outside"], read_cases=read_cases)
    suite = apply_config(suite, read_config(suite.root))
    if suite.evaluation is EvaluationType.COMPARISON:
        message = "a comparison gives no levels that could be compared with people's"
        raise ConfigError(
            [Problem(message, file=str(path), hint="qualify the judge in a suite of another type")]
        )
    refs = {case.ref for case in suite.cases}
    levels, left_out = select_ratings(_read_ratings(suite, flags), scales_of(suite), refs)
    given = read_outputs(Path(flags["outputs"])) if flags["outputs"] else {}
    runs = reversed(list_runs(_root(suite)))
    texts = find_outputs(levels.keys(), suite.cases, given, runs)
    options = RunOptions(
        judge=from_here(flags["judge"]),
        outputs={ref: text for (ref, _), text in texts.items()},
        select=Selection(refs={str(suite.path): frozenset(ref for ref, _ in texts)}),
    )
    plan = plan_prompt(suite, options)
    rated, unmatched = match_outputs(plan, levels, texts)
    return Question(plan, tuple(rated), Counter(left_out) + Counter(unmatched))


def ratings_path(suite: PromptSuite) -> Path:
    """Return the file of ratings beside the suite."""
    return suite.path.parent / RATINGS_FILE


def ask(question: Question, flags: Mapping[str, Any], config: ProjectConfig) -> Measured:
    """Ask the judge about every rated output, after consent where it costs more than a trifle.

    Raises:
        ConfigError: an endpoint cannot be used as it is set up; nothing was called.
        Abort: the person does not want to spend that.
    """
    environ = build_environ(config)
    cost = estimate(question.plan, environ)
    if (
        cost.cost_usd is not None
        and cost.cost_usd > ASK_ABOVE_USD
        and not flags["yes"]
        and sys.stdin.isatty()
    ):
        click.confirm(f"This takes about {render_usage(cost)}. Go on?", abort=True, err=True)
    most = config.max_cost_usd if flags["max_cost_usd"] is None else flags["max_cost_usd"]
    terms = Terms(
        concurrency=flags["concurrency"] or config.concurrency,
        http_retries=config.http_retries,
        budget=None if most is None else Budget(Decimal(str(most))),
    )
    store = None if flags["no_cache"] else open_store(_root(question.plan.suite))
    return measure_judge(
        question.plan, question.rated, Connections(environ=environ, terms=terms, store=store)
    )


def keep(question: Question, measured: Measured) -> Path | None:
    """Keep what follows beside the suite, and return where; None where nothing follows.

    Recorded judgements are kept by nobody: who gave them may have been anyone.

    Raises:
        ConfigError: the file that is there is wrong.
        OSError: it cannot be written.
    """
    if not measured.decided or measured.judge.startswith(RECORDED):
        return None
    path = qualifications_path(question.plan.suite)
    keep_qualification(path, build_entry(question.plan, measured, datetime.now(UTC)))
    return path


def exit_code(measured: Measured) -> ExitCode:
    """Return 0 for a qualified judge, 1 for a smoke judge, 3 where answers are missing, 4 for too few."""
    if measured.unanswered:
        return ExitCode.UNMEASURED
    return _EXIT.get(measured.qualification.standing, ExitCode.NOTHING_RUN)


def _read_ratings(suite: PromptSuite, flags: Mapping[str, Any]) -> tuple[Rating, ...]:
    """Return the ratings; a suite that nobody has rated needs no file for them."""
    named = flags["ratings"]
    path = Path(named) if named else ratings_path(suite)
    return read_ratings(path) if named or path.exists() else ()


def _root(suite: PromptSuite) -> Path:
    return find_root(Path.cwd()) or suite.root
