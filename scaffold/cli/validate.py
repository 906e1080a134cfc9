"""`scaffold validate`: check suite files and report every mistake at once."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import click

from judges.core.errors import Problem
from judges.core.verdict import ExitCode
from judges.files.lint import lint
from judges.files.load import load_suite
from judges.files.problems import gather, raise_any
from judges.files.suite import PromptSuite
from judges.files.template import PromptTemplate, read_prompt
from judges.files.text import display_path, read_text
from judges.files.yaml import compose_yaml
from scaffold.suites import locate_suites


@click.command(short_help="Check suite files and report every mistake at once.")
@click.argument("suites", nargs=-1, metavar="[SUITE]...")
@click.option("--strict", is_flag=True, help="Take every remark for a mistake.")
@click.option("--allow-outside", is_flag=True, help="Let suites name files outside the project.")
def command(suites: tuple[str, ...], strict: bool, allow_outside: bool) -> ExitCode | None:
    """Check suite files and report every mistake at once.

    SUITE is the name of a suite, its file, or a folder that is searched; without any, all suites of the
    project are checked. Nothing is run, and no model is asked.

    Remarks on what often goes wrong are printed as notices; with --strict they are mistakes.
    """
    paths = locate_suites(suites)
    if not paths:
        click.echo("No suite found. Write one with: scaffold add-prompt NAME", err=True)
        return ExitCode.NOTHING_RUN
    problems: list[Problem] = []
    for path in paths:
        with gather(problems):
            _check(path, strict=strict, allow_outside=allow_outside)
    raise_any(problems)
    return None


def _check(path: Path, *, strict: bool, allow_outside: bool) -> None:
    """Print one line on a good suite, and its notices.

    Raises:
        ConfigError: the suite has mistakes, or, if strict, remarks.
    """
    suite = load_suite(path, allow_outside=allow_outside)
    remarks = list(_remarks(suite))
    if strict:
        raise_any(remarks)
    click.echo(_summary(suite))
    for remark in (*remarks, *suite.notices):
        click.echo(f"Notice: {remark}", err=True)


def _remarks(suite: PromptSuite) -> Iterator[Problem]:
    """Yield what lint finds, each at its place in a file."""
    findings = lint(suite, _template(suite))
    if not findings:
        return
    document = compose_yaml(read_text(suite.path), display_path(suite.path))
    for finding in findings:
        if finding.case:
            yield Problem(finding.text, finding.case.file, finding.case.line)
        else:
            yield document.problem(finding.loc, finding.text)


def _template(suite: PromptSuite) -> PromptTemplate | None:
    return read_prompt(suite.target) if suite.target and not suite.meta.runner else None


def _summary(suite: PromptSuite) -> str:
    count = Counter(case.category.value for case in suite.cases)
    categories = ", ".join(f"{number} {name}" for name, number in count.items())
    criteria = ", ".join(f"{each.name} {each.weight:f}" for each in suite.criteria)
    return f"{suite.name}: {count.total()} cases ({categories}); criteria: {criteria or 'none'}"
