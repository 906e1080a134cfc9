"""`scaffold add-case`: cases of a suite from the lines of a log."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from judges.core.case import Category

if TYPE_CHECKING:
    from scaffold.add_case.choose import Chosen
    from scaffold.add_case.place import Addition

CATEGORIES = click.Choice([category.value for category in Category])
SHOWN = 20
"""How many lines of one kind are named; the rest are only counted."""


@click.command(short_help="Add cases to a suite from the lines of a log.")
@click.argument("suite")
@click.option(
    "--from",
    "log",
    type=click.Path(path_type=Path),
    required=True,
    metavar="FILE",
    help="JSON lines, one case each.",
)
@click.option("--category", type=CATEGORIES, help="Where a line names none.  [default: element]")
@click.option("--tag", "tags", multiple=True, metavar="TAG", help="A tag for all new cases; repeat for more.")
@click.option("--limit", type=click.IntRange(min=1), metavar="N", help="Add N cases at most.")
@click.option(
    "--variable",
    metavar="NAME",
    help="The variable that plain texts are the value of.  [default: the prompt's only one]",
)
@click.option("--dry-run", is_flag=True, help="Show what would be added; write nothing.")
@click.option("--backup", is_flag=True, help="Keep the old file beside the new one, as NAME.bak.")
@click.option("--allow-outside", is_flag=True, help="Let the suite name files outside the project.")
def command(suite: str, log: Path, dry_run: bool, backup: bool, allow_outside: bool, **wishes: Any) -> None:
    """Add cases to a suite from the lines of a log.

    SUITE is the name of a suite, or its file. Each line of FILE is a JSON object in one of these forms:

        {"input": {"NAME": …} or "text", "output": "text"}

        {"messages": [{"role": "user", "content": "text"}, …]}

        {"prompt": "text", "completion": "text"}

    The output may be missing; it is also found under "output", "completion" or "response", and as the last
    message of a chat. A line may have the other keys of a case: title, id, category, expected_behavior,
    expected_score_range, reference, tags, skip. Further keys are passed over.

    A line whose input is that of a case, or of an earlier line, is skipped. Cases are added at the end of the
    suite file, in which nothing else changes; where the cases are in files of their own, a new file is made.
    """
    from judges.files.load import load_suite
    from judges.run.runner.cases import case_reader
    from scaffold.add_case.choose import Wishes, choose_cases
    from scaffold.add_case.place import add, plan_addition
    from scaffold.add_case.variable import find_text_input
    from scaffold.suites import locate_suite

    reader = case_reader(os.environ)
    loaded = load_suite(locate_suite(suite), allow_outside=allow_outside, read_cases=reader)
    text_input = find_text_input(loaded, wishes.pop("variable"))
    chosen = choose_cases(log, loaded.cases, text_input, Wishes(**wishes))
    for remark in _remarks(chosen):
        click.echo(f"Notice: {remark}", err=True)
    if not chosen.cases:
        why = "every input is there already" if chosen.twins else "the log is empty"
        click.echo(f"Nothing was added: {why}.")
        return
    addition = plan_addition(loaded, list(chosen.cases.values()), log.stem, reader)
    if dry_run:
        _show(addition, chosen)
        return
    kept = add(addition, loaded, reader, backup=backup)
    click.echo("\n".join(_report(addition, chosen, kept)))
    click.echo(f"\nNext:\n  scaffold validate {suite}")


def _remarks(chosen: "Chosen") -> Iterator[str]:
    personal = (f"line {line}: {' and '.join(kinds)}" for line, kinds in chosen.personal.items())
    if said := _some(list(personal)):
        yield f"looks like personal data: {said}. Replace it before the suite is shared."
    if chosen.passed_over:
        yield f"passed over, as no case has these keys: {', '.join(chosen.passed_over)}"
    if said := _some([f"line {line} is like {twin}" for line, twin in chosen.twins.items()]):
        yield f"skipped, as the input is there already: {said}"


def _show(addition: "Addition", chosen: "Chosen") -> None:
    from judges.files.text import display_path
    from judges.out.printable import printable_lines, shield
    from scaffold.yaml_text import render_block

    place = f"in {'a new file ' if addition.new else ''}{display_path(addition.path)}"
    click.echo(f"{_count(chosen)} would be added {place}:\n")
    text = addition.text if addition.new else render_block(list(chosen.cases.values()))
    click.echo(shield(printable_lines(text)) + "\nNothing was written.")


def _report(addition: "Addition", chosen: "Chosen", kept: Path | None) -> Iterator[str]:
    from judges.files.text import display_path
    from judges.out.printable import printable

    yield f"{_count(chosen)} added to {display_path(addition.path)}{' (a new file)' if addition.new else ''}"
    lines = [f"  line {line}: {printable(case['title'])}" for line, case in chosen.cases.items()]
    yield from lines[:SHOWN]
    if len(lines) > SHOWN:
        yield f"  and {len(lines) - SHOWN:,} more"
    if kept:
        yield f"The old file is kept as {display_path(kept)}"


def _count(chosen: "Chosen") -> str:
    from judges.out.summary import render_count

    return render_count(len(chosen.cases), "case")


def _some(said: list[str]) -> str:
    from judges.out.summary import join_some

    return join_some(said, SHOWN)
