"""`scaffold qualify`: measure a judge against people's ratings."""

from typing import TYPE_CHECKING, Any

import click

from judges.core.verdict import ExitCode
from scaffold.suites import locate_suite

if TYPE_CHECKING:
    from judges.run.qualify import Measured
    from scaffold.qualifying import Question

FILE = click.Path(dir_okay=False)


@click.command(short_help="Measure a judge against people's ratings.")
@click.argument("suite", metavar="SUITE")
@click.option("--judge", metavar="MODEL", help="Measure this model instead of the suite's judge.")
@click.option(
    "--ratings",
    type=FILE,
    metavar="FILE",
    help="Read ratings from FILE.  [default: ratings.jsonl of the suite]",
)
@click.option(
    "--outputs", type=FILE, metavar="FILE", help='Look for rated outputs in these, too: {"ref", "output"}.'
)
@click.option("--concurrency", type=click.IntRange(1, 1000), help="Calls at once.  [default: 8]")
@click.option("--max-cost-usd", type=click.FloatRange(min=0), help="Make no call that could exceed this.")
@click.option("--no-cache", is_flag=True, help="Neither use nor keep earlier answers.")
@click.option("--allow-outside", is_flag=True, help="Let the suite name files outside the project.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option("-y", "--yes", is_flag=True, help="Do not ask before spending.")
def command(suite: str, as_json: bool, **flags: Any) -> ExitCode:
    """Measure a judge against people's ratings.

    The judge is asked about every output that people have rated, as a run asks it; what a run has asked is
    taken from the cache. Of every two outputs that people put on different levels of a criterion, the judge
    should put the better one higher; chance is 0.5. A judge that is no better than chance on 30 outputs or
    more is a smoke judge: runs show its levels, and decide nothing by them. What follows is kept in
    qualifications.json beside the suite, for this judge, wording and rubrics; with fewer ratings nothing is.

    A rating is a line of ratings.jsonl with "ref", "criterion", "level", "output_sha256", "rubric_sha256",
    "author", "timestamp" and "blind", and "rater_kind": "model" where no person gave it. Only people's blind
    ratings count. Outputs are found in the suite, in earlier runs, and in --outputs.

    The exit code is 0 for a judge that is better than chance, 1 for a smoke judge, 2 when a file, an option
    or a key is wrong, 3 when the judge did not answer about all outputs, 4 when there are too few ratings.
    """
    from scaffold import qualifying
    from scaffold.config import build_environ, load_config

    path = locate_suite(suite)
    config = load_config(path)
    question = qualifying.prepare(path, flags, build_environ(config))
    if not question.rated:
        return _nothing(question)
    measured = qualifying.ask(question, flags, config)
    _show(measured, question, as_json=as_json)
    if kept := qualifying.keep(question, measured):
        from judges.files.text import display_path

        click.echo(f"Kept in {display_path(kept)}", err=as_json)
    return qualifying.exit_code(measured)


def _nothing(question: "Question") -> ExitCode:
    from judges.files.text import display_path
    from scaffold.qualifying import ratings_path

    place = display_path(ratings_path(question.plan.suite))
    click.echo(f"Nothing was measured: no rating counts. People's ratings are lines of {place}", err=True)
    for reason, number in question.left_out.items():
        click.echo(f"{number} left out: {reason}", err=True)
    return ExitCode.NOTHING_RUN


def _show(measured: "Measured", question: "Question", *, as_json: bool) -> None:
    from judges.core.encode import encode_value
    from judges.out.qualification import encode_measured, render_measured
    from scaffold.printing import print_json
    from scaffold.terminal import terminal_width

    if as_json:
        print_json(encode_value(encode_measured(measured, question.left_out)))
    else:
        click.echo(render_measured(measured, question.left_out, width=terminal_width()), nl=False)
