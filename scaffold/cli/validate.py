"""`scaffold validate`: check suite files and report every mistake at once."""

import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import click

from judges.core.errors import ConfigError, Problem
from judges.core.verdict import ExitCode
from judges.files.document import Document
from judges.files.lint import lint
from judges.files.load import load_suite
from judges.files.problems import gather, raise_any
from judges.files.suite import PromptSuite
from judges.files.template import PromptTemplate, read_prompt
from judges.files.text import display_path, read_text
from judges.files.yaml import compose_yaml
from judges.run.checks import build_checks
from judges.run.runner.cases import case_reader
from scaffold.suites import locate_suites


@click.command(short_help="Check suite files and report every mistake at once.")
@click.argument("suites", nargs=-1, metavar="[SUITE]...")
@click.option("--strict", is_flag=True, help="Take every remark for a mistake.")
@click.option("--allow-outside", is_flag=True, help="Let suites name files outside the project.")
def command(suites: tuple[str, ...], strict: bool, allow_outside: bool) -> ExitCode | None:
    """Check suite files and report every mistake at once.

    SUITE is the name of a suite, its file, or a folder that is searched; without any, all suites of the
    project are checked. No model is asked; files of Python checks are loaded, and a runner is started where
    only it can read the cases.

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
    suite = load_suite(path, allow_outside=allow_outside, read_cases=case_reader(os.environ))
    document = compose_yaml(read_text(path), display_path(path))  # again, for the places of what follows
    build_checks(suite)
    remarks = list(_remarks(suite, document))
    if strict:
        raise_any(remarks)
    click.echo(_summary(suite))
    notices = (Problem(notice.text, document.file) for notice in suite.notices)
    for remark in (*remarks, *notices):
        click.echo(f"Notice: {remark}", err=True)


def _remarks(suite: PromptSuite, document: Document) -> Iterator[Problem]:
    """Yield what lint finds, each at its place in a file."""
    for finding in lint(suite, *_templates(suite, document)):
        if finding.case:
            yield Problem(finding.text, finding.case.file, finding.case.line)
        else:
            yield document.problem(finding.loc, finding.text)


def _templates(suite: PromptSuite, document: Document) -> Iterator[PromptTemplate]:
    """Yield the prompts under test; there is none where a program makes the outputs or a file holds them."""
    for arm in suite.arms or (suite,):
        if arm.target and not arm.runner:
            try:
                yield read_prompt(arm.target)
            except ConfigError as error:
                loc = (
                    ("target",) if arm.target == suite.target else ("evaluation", "arms", arm.name, "target")
                )
                raise document.blame(loc, error) from None


def _summary(suite: PromptSuite) -> str:
    count = Counter(case.category.value for case in suite.cases)
    categories = ", ".join(f"{number} {name}" for name, number in count.items())
    weighted = suite.evaluation.scores
    criteria = ", ".join(f"{each.name} {each.weight:f}" if weighted else each.name for each in suite.criteria)
    return f"{suite.name}: {count.total()} cases ({categories}); criteria: {criteria or 'none'}"
