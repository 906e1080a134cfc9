"""`scaffold add-prompt`: a new test suite for a prompt, from a template."""

from collections import Counter
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from scaffold.asked import asked, check_model, check_number, check_own_name, template_options
from scaffold.generate.criteria import DEFAULT_CRITERIA, NewCriterion, parse_criteria
from scaffold.generate.names import check_name
from scaffold.written import describe_written

if TYPE_CHECKING:
    from scaffold.generate.prompt_suite import Created, NewSuite

TYPES = ("multi_criteria", "binary", "comparison", "regression")
RUNNERS = ("python", "typescript")
EXAMPLE = "scaffold add-prompt support-reply"
MIN_CASES = 5
MAX_CASES = 1000


def _check_target(text: str) -> Path | None:
    from scaffold.generate.place import find_project, find_target

    return find_target(text, find_project(Path.cwd())) if text.strip() else None


def _check_tested(text: str) -> str:
    """A program of one's own is told the model by any name; without one it is called by it."""
    runner = click.get_current_context().params["runner"]
    return check_own_name(text) if runner else check_model(text)


@click.command(short_help="Write a test suite for a prompt.")
@click.argument(
    "name", required=False, callback=asked("Name of the suite", None, check_name, example=EXAMPLE)
)
@click.option(
    "--target",
    metavar="PATH",
    callback=asked("Prompt to test (nothing: an example is written)", "", _check_target),
    help="The prompt under test: a template (.md .txt .prompt .jinja .yaml), whose variables become the "
    "input of the cases, or source code. Without it an example prompt is written.",
)
@click.option(
    "--type",
    "evaluation",
    type=click.Choice(TYPES),
    default=TYPES[0],
    show_default=True,
    help="How outputs are scored: on weighted levels, by yes or no, against each other, or against an "
    "accepted run.",
)
@click.option(
    "--runner",
    type=click.Choice(RUNNERS),
    is_eager=True,  # what a model may be called depends on it
    help="Write a program that makes the outputs, as a start for one that calls your own code.",
)
@click.option(
    "--model",
    callback=asked("Model under test", "gpt-4.1-mini", _check_tested),
    help="The model that the prompt is sent to.  [default: gpt-4.1-mini]",
)
@click.option(
    "--judge-model",
    callback=asked("Model that judges", "gpt-4o", check_model),
    help="The model that judges.  [default: gpt-4o]",
)
@click.option(
    "--criterion",
    "criteria",
    multiple=True,
    metavar="NAME:WEIGHT",
    callback=asked(
        "Criteria and weights",
        " ".join(DEFAULT_CRITERIA),
        lambda text: parse_criteria(text.replace(",", " ").split()),
    ),
    help="What outputs are scored on; repeat for more. Weights are scaled to sum to 1, and 'safety' is added "
    f"where it is missing.  [default: {' '.join(DEFAULT_CRITERIA)}]",
)
@click.option(
    "--cases",
    metavar="N",
    callback=asked("Number of cases", "10", check_number("cases", MIN_CASES, MAX_CASES)),
    help=f"How many example cases to write, at least {MIN_CASES}.  [default: 10]",
)
@template_options
@click.option(
    "--force", is_flag=True, help="Write even where files exist; the old ones stay beside, as NAME.bak-N."
)
def command(*, force: bool, **choices: Any) -> None:
    """Write a test suite for a prompt to .omniscitus/tests/prompts/NAME/.

    On a terminal it asks for what is missing. No file is ever overwritten.
    """
    from judges.files.evaluation_meta import EvaluationType
    from scaffold.generate.install import Taken
    from scaffold.generate.place import find_project
    from scaffold.generate.prompt_suite import NewSuite, create_suite
    from scaffold.generate.runner import RunnerKind

    del choices["no_input"]  # the callbacks have seen it
    choices["evaluation"] = EvaluationType(choices["evaluation"])
    choices["runner"] = RunnerKind(choices["runner"]) if choices["runner"] else None
    new = NewSuite(root=find_project(Path.cwd()), today=date.today(), **choices)
    created = create_suite(new, Taken.KEEP_BESIDE if force else Taken.REFUSE)
    click.echo("\n".join(_report(new, created)))


def _report(new: "NewSuite", created: "Created") -> Iterator[str]:
    """What was written and chosen, one thing a line, and the next command."""
    categories = Counter(case.category for case in created.cases)
    yield from describe_written("Suite", new, created.suite, first=created.first)
    if created.project.left:
        yield "  (.omniscitus/schemas/ is of another version; `scaffold schema` prints this one's)"
    yield f"Target      {created.target.as_posix()}"
    yield from _runner(new)
    yield from _arms(new, created)
    yield f"Models      {new.model} under test, {new.judge_model} judges"
    yield f"Type        {new.evaluation}"
    yield "Criteria"
    yield from _criteria(new)
    yield f"Cases       {len(created.cases)}"
    yield from (f"  {number:<9} {category}" for category, number in categories.items())
    yield from _thresholds(new, created)
    yield "Logs        .omniscitus/runs/ (for copies see logs: in prompt-meta.yaml)"
    yield ""
    if created.complaint:
        yield f"Note: {created.complaint}."
        yield "The input of the cases is a guess: put a real one there."
        yield ""
    yield "Next:"
    yield f"  scaffold validate {new.name}"
    yield from (
        f"  {command}" for command in _commands(new, recorded=bool(created.complaint and not new.runner))
    )


def _commands(new: "NewSuite", *, recorded: bool) -> Iterator[str]:
    """What to do after the first look: outputs that nothing here can make are to be recorded."""
    arms = new.evaluation == "comparison"
    if recorded and arms:
        yield f"scaffold run {new.name}    (once outputs-a.jsonl and outputs-b.jsonl hold the outputs)"
    elif recorded:
        yield f"scaffold run {new.name} --outputs FILE.jsonl"
    else:
        yield f"scaffold run {new.name} --dry-run"
        yield f"scaffold run {new.name}"
    if new.evaluation == "regression":
        yield "scaffold baseline accept    (makes that run what later ones are measured against)"


def _arms(new: "NewSuite", created: "Created") -> Iterator[str]:
    if new.evaluation == "comparison" and new.runner:
        yield "Arms        a and b: the runner is told which"
    elif new.evaluation == "comparison":
        names = [name.as_posix() for name in created.suite.written if name.stem in ("candidate", "outputs-b")]
        yield f"Arms        a is what there is, b is {' '.join(names)}: put there what may take its place"


def _criteria(new: "NewSuite") -> Iterator[str]:
    for each in new.criteria:
        weight = f"{each.weight:<9f} " if new.evaluation.scores else ""
        yield f"  {weight}{each.name}{_origin(each, weighted=new.evaluation.scores)}"


def _thresholds(new: "NewSuite", created: "Created") -> Iterator[str]:
    thresholds = created.thresholds
    match new.evaluation.value:
        case "binary":
            yield "Thresholds  70 % of the cases must pass"
        case "comparison":
            yield "Thresholds  b must win 50 % of the cases; a tie counts half"
        case "regression":
            yield "Thresholds  no case may lose more than one level, nor all of them on average"
        case _:
            yield f"Thresholds  pass {thresholds.passing}, warn {thresholds.warn}"
            yield f"  {thresholds.minimum:<9} {thresholds.safety}, regardless of the score"


def _runner(new: "NewSuite") -> Iterator[str]:
    if new.runner:
        yield f"Runner      {new.runner.file}, with a place for your own code: produce()"
    if new.runner == "typescript":
        yield "  needs Node.js 18 or newer, and tsx: npm install --save-dev tsx"


def _origin(criterion: "NewCriterion", *, weighted: bool) -> str:
    if criterion.given is None:
        return " (added: every suite needs one)"
    return "" if not weighted or criterion.given == criterion.weight else f" (scaled from {criterion.given})"
