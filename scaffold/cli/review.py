"""`scaffold review`: what of a run is worth a person's minute, and what people decide about it."""

import shlex
from collections.abc import Mapping
from datetime import UTC, datetime
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import click

from judges.core.errors import Problem
from judges.core.verdict import ExitCode

if TYPE_CHECKING:
    from judges.files.suite import PromptSuite
    from scaffold.review.decisions import Signature
    from scaffold.review.keeping import Kept
    from scaffold.review.latest import Latest


def _percent(_: click.Context, __: click.Parameter, text: str) -> Fraction:
    return _number(text.strip().removesuffix("%"), "a share such as 5%") / 100


def _score(_: click.Context, __: click.Parameter, text: str) -> Decimal:
    return Decimal(str(float(_number(text, "a score from 0 to 100"))))


def _number(text: str, wanted: str) -> Fraction:
    try:
        number = Fraction(Decimal(text))
    except (InvalidOperation, ValueError, OverflowError):
        number = Fraction(-1)
    if not 0 <= number <= 100:
        raise click.BadParameter(f"expected {wanted}, found '{text}'")
    return number


def _end(_: click.Context, __: click.Parameter, text: str | None) -> datetime | None:
    from judges.files.dates import parse_end

    try:
        return None if text is None else parse_end(text)
    except ValueError as error:
        raise click.BadParameter(str(error)) from None


RUN = click.option("--run", metavar="RUN", help="The id or the path of a run.  [default: the latest]")
SUITE = click.option("--suite", metavar="NAME", help="Only this suite.")
MODEL = click.option("--model", metavar="NAME", help="Where a case was run with several models.")
CRITERION = click.option("--criterion", metavar="NAME", help="Of this criterion, and not of the total.")
REASON = click.option("--reason", required=True, metavar="TEXT", help="Why, for those who read it later.")
EXPIRES = click.option(
    "--expires", callback=_end, metavar="DATE", help="The last day that it holds.  [default: in 180 days]"
)
AUTHOR = click.option("--author", metavar="NAME", help="Who decides.  [default: git config user.email]")
SAMPLE = click.option(
    "--sample", "share", default="5%", callback=_percent, show_default=True, help="A share of the rest."
)
SEED = click.option("--seed", default=0, show_default=True, help="Another number draws other results.")
OUTSIDE = click.option("--allow-outside", is_flag=True, help="Let suites name files outside the project.")


@click.group(short_help="Find what people should look at, and correct scores.")
def command() -> None:
    """Find what people should look at, and correct scores.

    REF is the ref of a case. Corrections are kept in the suite's overrides file, in which nothing is ever
    changed or taken out: each decision is a further entry, and the newest counts.
    """


@command.command("list", short_help="List what is worth a person's minute.")
@click.argument("run", required=False)
@SUITE
@SAMPLE
@SEED
@click.option("--find", metavar="WORDS", help='Only what has these words, or "a phrase", in it.')
@click.option("--limit", type=click.IntRange(min=1), metavar="N", help="Show N at most.  [default: 20]")
@click.option("--json", "as_json", is_flag=True, help="Print JSON, all of them unless --limit is given.")
@OUTSIDE
def list_command(
    run: str | None, suite: str | None, share: Fraction, seed: int, limit: int | None, **flags: Any
) -> None:
    """List what is worth a person's minute, what is worth most first, with the reasons.

    RUN is the id or the path of a run; without it, the latest finished one. Reasons are: a warning; one level
    of one criterion that decides the verdict; a judge that is not sure, or judges, answers or replicas that
    disagree; a judge and checks at odds; a score above the expected range; a correction that has expired or
    is stale. Of all that nothing speaks for a random share is drawn.

    Words are found in the refs, titles, inputs, outputs and reasons of what is listed; --sample 100% lists
    all that nobody has reviewed yet.
    """
    from judges.out.printable import printable
    from judges.reduce.queue import build_queue
    from scaffold.printing import print_json
    from scaffold.review.search import TextIndex, narrow_queue, parse_terms
    from scaffold.review.start import open_review
    from scaffold.review.text import encode_queue_item, render_queue, summarize_queue
    from scaffold.terminal import terminal_style, terminal_width

    session = open_review(run, suite, allow_outside=flags["allow_outside"])
    terms, texts = parse_terms(flags["find"] or ""), TextIndex()
    results = session.results(texts.add if terms else None)
    items = narrow_queue(build_queue(results, share, seed), terms, texts)
    if flags["as_json"]:
        name = session.suites[0].run if session.suites else None
        shown = [encode_queue_item(item) for item in items[:limit]]
        print_json({"schema": 1, "run": name, "results": len(results), "items": shown})
        return
    if items:
        width, several = terminal_width(), len(session.suites) > 1
        text = render_queue(items, limit or 20, several=several, width=width, style=terminal_style())
        click.echo(text)
    click.echo(summarize_queue(items, len(results)))
    if items:
        first = items[0]
        name = shlex.quote(printable(first.ref))
        click.echo(f"Next: scaffold review show {name} --run {first.run} --suite {first.suite}")


@command.command(short_help="Show one result whole, with the rubric and earlier decisions.")
@click.argument("ref")
@RUN
@SUITE
@MODEL
@OUTSIDE
def show(ref: str, run: str | None, suite: str | None, model: str | None, allow_outside: bool) -> None:
    """Show one result whole: what the judge saw and said, the rubric's levels, and earlier decisions."""
    from scaffold.review.start import find_items, open_review
    from scaffold.review.text import render_item
    from scaffold.terminal import terminal_style, terminal_width

    session = open_review(run, suite, allow_outside=allow_outside)
    width, style = terminal_width(), terminal_style()
    pages = (
        render_item(session.item(each), width=width, style=style) for each in find_items(session, ref, model)
    )
    click.echo("\n".join(pages), nl=False)


@command.command("set", short_help="Set a score as you see it.")
@click.argument("ref")
@CRITERION
@click.option("--score", required=True, callback=_score, metavar="N", help="From 0 to 100.")
@REASON
@click.option("--for-case", is_flag=True, help="Whatever the output.  [default: for this output alone]")
@EXPIRES
@AUTHOR
@RUN
@SUITE
@MODEL
@OUTSIDE
def set_command(ref: str, **wishes: Any) -> None:
    """Set a score as you see it, of a criterion or of the total, and show what that changes.

    It holds for the output that was judged, and for as long as the rubric stays as it is.
    """
    from scaffold.review.decisions import Correction
    from scaffold.review.start import find_author, find_item, open_review
    from scaffold.review.text import render_change

    names = ("score", "reason", "criterion", "for_case", "expires")
    wish = Correction(**{name: wishes[name] for name in names})
    author = find_author(wishes["author"])
    session = open_review(
        wishes["run"], wishes["suite"], author=author, allow_outside=wishes["allow_outside"]
    )
    change = session.override(find_item(session, ref, wishes["model"]), wish)
    click.echo(render_change(change))


@command.command(short_help="Let the judge's score count again.")
@click.argument("ref")
@CRITERION
@REASON
@AUTHOR
@SUITE
@OUTSIDE
def withdraw(ref: str, criterion: str | None, reason: str, **flags: Any) -> None:
    """Let the judge's score count again, of a criterion or of the total.

    What that changes is shown for the latest run. The case need not be there any more.
    """
    from scaffold.review.keeping import withdraw_score
    from scaffold.review.latest import find_latest

    signature = _sign(flags["author"])
    suite = _find_corrected(ref, flags)
    kept = withdraw_score(suite, ref, criterion, reason, signature)
    _show_kept(suite, kept, find_latest(suite, [ref]))


@command.command(short_help="Let a correction go on to hold.")
@click.argument("ref")
@CRITERION
@EXPIRES
@AUTHOR
@SUITE
@MODEL
@OUTSIDE
def renew(ref: str, criterion: str | None, expires: datetime | None, **flags: Any) -> None:
    """Let a correction go on to hold, whose end has come or whose output or rubric has changed.

    It is bound to the rubric of now and, if it is for an output alone, to that of the latest run: look at it
    first, with scaffold review show.
    """
    from scaffold.review.keeping import renew_score
    from scaffold.review.latest import find_latest

    signature = _sign(flags["author"])
    suite = _find_corrected(ref, flags)
    latest = find_latest(suite, [ref])
    outputs = latest.outputs(flags["model"]).get(ref, [])
    _show_kept(suite, renew_score(suite, ref, criterion, outputs, expires, signature), latest)


@command.command(short_help="Check that corrections still hold, for CI.")
@click.argument("suites", nargs=-1, metavar="[SUITE]...")
@OUTSIDE
def check(suites: tuple[str, ...], allow_outside: bool) -> ExitCode:
    """Check that corrections still hold, for CI.

    SUITE is the name of a suite, its file, or a folder that is searched; without any, all suites of the
    project. Whether an output has changed is told by those in the suite, or else by those of the latest run.

    The exit code is 0 when all corrections hold, or there are none; 1 when one has expired, is stale, or is
    of an unknown case or criterion; 2 when a file is wrong; 4 when there is no suite.
    """
    from judges.files.problems import gather, raise_any
    from scaffold.review.check import check_overrides
    from scaffold.review.opened import load_prompt_suite
    from scaffold.review.text import render_check
    from scaffold.suites import locate_suites
    from scaffold.terminal import terminal_width

    problems: list[Problem] = []
    found = []
    for path in locate_suites(suites):
        with gather(problems):
            suite = load_prompt_suite(path, allow_outside=allow_outside)
            found.append(check_overrides(suite, datetime.now(UTC)))
    raise_any(problems)
    for each in found:
        click.echo(render_check(each, terminal_width()))
    if not found:
        click.echo("There is no prompt suite here.", err=True)
        return ExitCode.NOTHING_RUN
    return ExitCode.FAILED if any(each.overdue for each in found) else ExitCode.PASSED


@command.command(short_help="Review a run in the browser.")
@click.argument("run", required=False)
@click.option(
    "--port", type=click.IntRange(0, 65535), default=0, show_default=True, help="0 is any free one."
)
@SUITE
@SAMPLE
@SEED
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@AUTHOR
@OUTSIDE
@click.pass_context
def serve(context: click.Context, /, run: str | None, port: int, host: str, **flags: Any) -> None:
    """Review a run in the browser: rate, see the judge, correct.

    Prints the address of the page, which nobody else knows, and serves it until Ctrl-C. Nothing is sent
    anywhere: the page is on this machine alone, unless --host says otherwise.
    """
    from scaffold.review.start import find_author, open_review
    from scaffold.review.web.serve import serve_review

    author = find_author(flags["author"])
    session = open_review(run, flags["suite"], author=author, allow_outside=flags["allow_outside"])
    draw = flags["share"], flags["seed"]
    debug = context.find_root().params["debug"]
    serve_review(session, draw, (host, port), debug=debug)


def _sign(author: str | None) -> "Signature":
    from scaffold.review.decisions import Signature
    from scaffold.review.start import find_author

    return Signature(find_author(author), datetime.now(UTC))


def _find_corrected(ref: str, flags: Mapping[str, Any]) -> "PromptSuite":
    from scaffold.review.start import find_corrected

    return find_corrected(ref, flags["suite"], allow_outside=flags["allow_outside"])


def _show_kept(suite: "PromptSuite", kept: "Kept", latest: "Latest") -> None:
    from judges.out.printable import printable
    from scaffold.review.latest import find_changes
    from scaffold.review.text import describe_decision, render_change

    click.echo(printable(describe_decision(kept.made)))
    for change in find_changes(suite, latest, kept, datetime.now(UTC)):
        click.echo(render_change(change))
