"""Checks a prompt suite: the file, all that it names, its checks, and what often goes wrong."""

import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from judges.core.errors import ConfigError, Problem
from judges.core.row import Notice
from judges.files.document import Document, Loc
from judges.files.evaluation_meta import ModelSpec
from judges.files.lint import lint
from judges.files.load import load_suite
from judges.files.suite import PromptSuite
from judges.files.template import PromptTemplate, read_prompt
from judges.files.text import display_path, read_text
from judges.files.yaml import compose_yaml
from judges.out.summary import render_count
from judges.run.checks import build_checks
from judges.run.recorded import find_recording
from judges.run.runner.cases import case_reader
from judges.run.unused import describe_unused
from scaffold.validate.checked import Checked
from scaffold.validate.models import check_models, named_by_judge


def check(path: Path, *, allow_outside: bool) -> Checked:
    """Check a suite; files of Python checks are loaded, and a runner may be started to read the cases.

    Raises:
        ConfigError: the suite has mistakes.
    """
    suite = load_suite(path, allow_outside=allow_outside, read_cases=case_reader(os.environ))
    document = compose_yaml(read_text(path), display_path(path))  # again, for the places of what follows
    build_checks(suite)
    check_models(_models(suite), document)
    return Checked(
        summary=_summary(suite),
        remarks=tuple(_remarks(suite, document)),
        notices=tuple(
            Problem(notice.text, document.file) for notice in (*suite.notices, *_unused_answers(suite))
        ),
    )


def _unused_answers(suite: PromptSuite) -> Iterator[Notice]:
    """Yield what is left over, or misspelled, in the answers that a run finds."""
    spec, beside = suite.meta.judge, find_recording(suite.path).answers
    yield from describe_unused(suite, spec.panel or (spec.model,), beside if beside.exists() else None)


def _models(suite: PromptSuite) -> Iterator[tuple[Loc, str]]:
    """Yield what a run asks. A runner may be told any name; a recorded output has its model only in words."""
    asked = [arm for arm in suite.arms if arm.runner is None and arm.outputs is None]
    makes_own = any(arm.model is None for arm in asked) or (
        not suite.arms and suite.runner is None and any(case.output is None for case in suite.cases)
    )
    match suite.meta.model:
        case ModelSpec() as spec if makes_own:
            yield ("model", "name"), spec.name
        case str() as name if makes_own:
            yield ("model",), name
    for arm in asked:
        if arm.model is not None:
            yield ("evaluation", "arms", arm.name, "model"), arm.model.name
    yield from named_by_judge(suite.meta.judge)


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
    cases = render_count(count.total(), "case") + (f" ({categories})" if categories else "")
    return f"{suite.name}: {cases}; criteria: {criteria or 'none'}"
