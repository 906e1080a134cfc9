"""What a result leaves for CI: JUnit XML, CSV, Markdown, and under GitHub Actions what its pages show.

The caller gives the report without the secrets of the run; the one as JSON alone keeps every text as it was.
Each file is written whole or not at all.
"""

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from judges.core.errors import ConfigError, Problem
from judges.core.report import Report
from judges.core.verdict import ExitCode, Verdict, exit_code
from judges.files.dotenv import read_config
from judges.files.text import display_path
from judges.files.whole import write_whole
from judges.out.json_report import render_json
from judges.run.plan import Plan
from judges.run.prompt_plan import PromptPlan
from judges.run.runner.mask import Mask, build_mask

FILES = ("json_file", "record", "junit_file", "csv_file", "markdown_file")
"""The flags that name a file to be written."""


def check_files(flags: Mapping[str, Any]) -> None:
    """Find out before anything is spent that every file can be written, and that no two are the same.

    Raises:
        ConfigError: one cannot.
    """
    paths = [path for name in FILES if (path := flags.get(name)) not in (None, "-")]
    for path in paths:
        check_writable(path)
    regular = [target for path in paths if not (target := Path(path).resolve()).exists() or target.is_file()]
    if twice := {path for path in regular if regular.count(path) > 1}:
        hint = "give each option a file of its own"
        raise ConfigError(Problem("is named twice", display_path(path), hint=hint) for path in sorted(twice))


def check_writable(path: str | None) -> None:
    """Find out before anything is spent that a file can be written; - and none can.

    Raises:
        ConfigError: it cannot.
    """
    if path is None or path == "-":
        return
    target = Path(path).resolve()
    if not target.parent.is_dir():
        raise ConfigError([Problem("there is no such folder", file=path, hint="make the folder first")])
    place = target if target.exists() and not target.is_file() else target.parent
    if not os.access(place, os.W_OK):
        raise ConfigError([Problem("cannot be written", file=path, hint="name a place that you may write")])


def build_run_mask(plans: Sequence[Plan], environ: Mapping[str, str]) -> Mask:
    """Return what hides the values of the suites' `.env` files, and of variables named as secrets.

    Raises:
        ConfigError: a `.env` file cannot be used.
    """
    files = (plan.suite.config for plan in plans if isinstance(plan, PromptPlan))
    config = {name: value for file in files for name, value in read_config(file, environ).items()}
    return build_mask(config, environ)


def save_report(report: Report, flags: Mapping[str, Any]) -> None:
    """Write the report as it is, with all that models said, to the file of --json.

    Raises:
        OSError: the file cannot be written; an earlier one is as it was.
    """
    if flags["json_file"] not in (None, "-"):
        with write_whole(Path(flags["json_file"])) as file:
            file.writelines(render_json(report))


def write_outputs(report: Report, flags: Mapping[str, Any]) -> None:
    """Write the files that were asked for.

    Raises:
        OSError: a file cannot be written; an earlier one is as it was.
    """
    for name, render in _RENDERED.items():
        if flags.get(name) is not None:
            with write_whole(Path(flags[name])) as file:
                file.writelines(render(report, flags))


def tell_github(
    report: Report, flags: Mapping[str, Any], environ: Mapping[str, str], plans: Sequence[Plan] = ()
) -> None:
    """Under GitHub Actions, annotate the cases and add to the job summary.

    Commands go to standard error, which the runner reads as well: standard output may be a report. A case is
    annotated where its plan says that it stands, else on its suite. A summary that cannot be written is told,
    and changes no exit code: it is a copy.
    """
    wanted = flags.get("github")
    if not (environ.get("GITHUB_ACTIONS") == "true" if wanted is None else wanted):
        return
    from judges.out.github import annotate, render_annotations

    found = annotate(report, failing_verdicts(flags))
    workspace = Path(environ.get("GITHUB_WORKSPACE") or Path.cwd())
    places = _find_places(report, plans, {(each.suite.run_dir, each.ref) for each in found.shown})
    for command in render_annotations(found, places, workspace):
        click.echo(command, err=True, nl=False)
    if environ.get("GITHUB_STEP_SUMMARY"):
        _add_summary(report, Path(environ["GITHUB_STEP_SUMMARY"]))


def failing_verdicts(flags: Mapping[str, Any]) -> frozenset[Verdict]:
    """Return the verdicts with which a suite makes the run exit other than 0."""
    allowed = {name: bool(flags.get(name)) for name in ("allow_warn", "allow_inconclusive")}
    fine = (ExitCode.PASSED, ExitCode.NOTHING_RUN)
    return frozenset(verdict for verdict in Verdict if exit_code([verdict], **allowed) not in fine)


def _render_junit(report: Report, flags: Mapping[str, Any]) -> Iterator[str]:
    from judges.out.junit import render_junit

    return render_junit(report, failing_verdicts(flags))


def _render_csv(report: Report, _: Mapping[str, Any]) -> Iterator[str]:
    from judges.out.csv_table import render_run_csv

    return render_run_csv(report)


def _render_markdown(report: Report, _: Mapping[str, Any]) -> Iterator[str]:
    from judges.out.markdown import render_run_markdown

    return render_run_markdown(report)


_RENDERED = {"junit_file": _render_junit, "csv_file": _render_csv, "markdown_file": _render_markdown}


def _find_places(
    report: Report, plans: Sequence[Plan], wanted: set[tuple[Path, str | None]]
) -> dict[tuple[Path, str], Any]:
    """Return where the cases stand that are wanted; the others are only read."""
    from judges.out.github import Place

    return {
        (suite.run_dir, trial.case.ref): Place(trial.case.file, trial.case.line or 1)
        for plan, suite in zip(plans, report.suites, strict=False)
        if any(run_dir == suite.run_dir for run_dir, _ in wanted)
        for trial in plan.trials()
        if trial.case.file is not None and (suite.run_dir, trial.case.ref) in wanted
    }


def _add_summary(report: Report, path: Path) -> None:
    """Add to the summary of the step, which several commands may share."""
    from judges.out.github import SUMMARY_BYTES, bound_summary
    from judges.out.markdown import render_run_markdown

    try:
        there = path.stat().st_size if path.exists() else 0
        text = "".join(bound_summary(render_run_markdown(report), SUMMARY_BYTES - there))
        with path.open("a", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        click.echo(f"Notice: no job summary in {path}: {error.strerror or error}", err=True)
