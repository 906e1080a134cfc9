"""What `scaffold show` does: a run, one case of it whole, or exactly what the judge saw."""

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import click

from judges.core.encode import encode_case
from judges.core.errors import ConfigError, Problem
from judges.core.report import CaseReport, SuiteKind, run_name
from judges.files.project import find_root
from judges.out.case_text import render_case, render_cell, render_prompt
from judges.out.fixture_text import ReplicaView, render_fixture
from judges.out.printable import printable
from judges.out.table import render_table
from judges.run.fixture.replica import session_folder
from judges.run.records import RECORDS, RunDirectory
from judges.run.stored import describe_newer, find_run, is_run, list_runs, read_report
from scaffold.named import Names, pick_named
from scaffold.printing import print_json, print_report
from scaffold.terminal import terminal_style, terminal_width


@dataclass(frozen=True, slots=True)
class Found:
    """One trial of a case: its suite's folder, its report, and its line of records.jsonl.

    A fixture is a case of several trials: its replicas, each with the line that is its record. A cell of a
    grid is one, too: its repeats.
    """

    suite: str
    case: CaseReport
    record: Mapping[str, Any]
    replicas: tuple[ReplicaView, ...] = ()
    records: tuple[Mapping[str, Any], ...] = ()


def show(run: str | None, case: str | None, suite: str | None, *, prompt: bool, as_json: bool) -> None:
    """Print a run, or one of its cases; a single name is that of a run if there is one, else of a case.

    Raises:
        ConfigError: there is no such run, suite or case.
    """
    path, ref = _resolve(run, case)
    directory = RunDirectory(path)
    suites = _select(directory, suite)
    if ref is None:
        if prompt:
            raise click.UsageError("--prompt needs a CASE, such as: scaffold show CASE --prompt")
        _show_run(directory, suites, as_json)
    else:
        _show_case(list(_find(directory, suites, ref)), prompt, as_json, run_name(path))


def _resolve(run: str | None, case: str | None) -> tuple[Path, str | None]:
    """Return the run directory and the case's ref; a single argument that is no run is a case."""
    root = find_root(Path.cwd())
    if run is not None and case is None and not _is_run(run, root):
        run, case = None, run
    path = find_run(run, root)
    if run is None and (newer := describe_newer(path, root)):
        click.echo(newer, err=True)
    return path, case


def _is_run(name: str, root: Path | None) -> bool:
    known = [path.name for path in list_runs(root)] if root else []
    return name in known or is_run(Path(name))


def _select(run: RunDirectory, name: str | None) -> tuple[str, ...]:
    """Return the folders of the suites that are meant."""
    if name is None:
        return run.suites
    paths = {each.get("folder"): each.get("path", "") for each in run.info.get("parameters", ())}
    names = {
        suite: Names(Path(paths.get(suite, "")), str(run.grade(suite).get("name")), suite)
        for suite in run.suites
    }
    chosen = pick_named(name, run.suites, names.__getitem__)
    if not chosen:
        raise _unknown(
            f"run {run.path.name} has no suite '{name}'", name, [each.own for each in names.values()]
        )
    return tuple(chosen)


def _find(run: RunDirectory, suites: Sequence[str], ref: str) -> Iterator[Found]:
    """Yield every trial of a case; the lines of a suite's two files are in the same order."""
    refs = []
    found = False
    for suite in suites:
        records = run.records(suite, ref)
        find = _FINDERS.get(run.kind(suite))
        for case in run.cases(suite):
            refs.append(case.ref)
            if case.ref == ref:
                found = True
                yield (
                    find(run, suite, case)
                    if find
                    else Found(suite, case, _next_record(records, run.path / suite))
                )
    if not found:
        raise _unknown(f"run {run.path.name} has no case '{ref}'", ref, refs)


def _find_fixture(run: RunDirectory, suite: str, case: CaseReport) -> Found:
    """Return a fixture with one model. Its replicas finished in any order."""
    folder = run.path / suite
    records = run.records(suite, case.ref)
    trials = [(trial, _next_record(records, folder)) for trial in run.trials(suite) if trial.ref == case.ref]
    apart = len({trial.model for trial, _ in trials}) > 1
    own = sorted(
        (record["replica"], at) for at, (trial, record) in enumerate(trials) if trial.model == case.model
    )
    views = tuple(
        ReplicaView(number, session_folder(folder, case.model, number, apart=apart), trials[at][0])
        for number, at in own
    )
    return Found(suite, case, trials[own[0][1]][1], views, tuple(trials[at][1] for _, at in own))


def _find_cell(run: RunDirectory, suite: str, case: CaseReport) -> Found:
    """Return a cell of a grid. Its repeats finished in any order."""
    records = run.records(suite, case.ref)
    first = _next_record(records, run.path / suite)
    repeats = sorted((first, *records), key=lambda record: record["replica"])
    return Found(suite, case, repeats[0], records=tuple(repeats))


_FINDERS: Mapping[str | None, Callable[[RunDirectory, str, CaseReport], Found]] = {
    SuiteKind.FIXTURE: _find_fixture,
    SuiteKind.GRID: _find_cell,
}
"""By the kinds of suite of which a case is made of several trials."""


def _next_record(records: Iterator[Mapping[str, Any]], folder: Path) -> Mapping[str, Any]:
    record = next(records, None)
    if record is None:
        message = "the record of this case is missing: the run is damaged"
        raise ConfigError([Problem(message, file=str(folder / RECORDS), hint="run the suite again")])
    return record


def _unknown(message: str, name: str, known: Sequence[str]) -> ConfigError:
    close = get_close_matches(name, known, n=1)
    some = ", ".join(known[:5]) + (", …" if len(known) > 5 else "")
    hint = f"did you mean '{close[0]}'?" if close else f"it has: {some}" if known else None
    return ConfigError([Problem(message, hint=hint)])


def _show_run(run: RunDirectory, suites: Sequence[str], as_json: bool) -> None:
    report = read_report(run)
    named = zip(run.suites, report.suites, strict=True)
    kept = tuple(suite for name, suite in named if name in suites)
    report = replace(report, suites=kept)
    if as_json:
        print_report(report)
        return
    click.echo(
        render_table(report, width=terminal_width(), style=terminal_style(), limit=sys.maxsize), nl=False
    )


def _show_case(trials: Sequence[Found], prompt: bool, as_json: bool, run: str) -> None:
    for number, each in enumerate(trials):
        if as_json:
            print_json(_encode_prompt(each) if prompt else _encode(each))
            continue
        if len(trials) > 1:
            click.echo(("\n" if number else "") + f"== {_name(each)} ==\n")
        click.echo(_render_prompt(each) if prompt else _render(each, run), nl=False)


def _render(found: Found, run: str) -> str:
    width, style = terminal_width(), terminal_style()
    if found.replicas:
        return render_fixture(found.case, found.replicas, run=run, width=width, style=style)
    if found.records:
        return render_cell(found.case, found.records, width=width, style=style)
    return render_case(found.case, found.record, width=width, style=style)


def _render_prompt(found: Found) -> str:
    if len(found.records) < 2:
        return render_prompt(found.record)
    texts = (f"== {name} ==\n\n{render_prompt(record)}" for name, record in _named(found))
    return "\n".join(texts)


def _named(found: Found) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield the trials of a case of several: replicas go by their folders, repeats are counted."""
    for number, record in enumerate(found.records, 1):
        yield (f"r{record['replica']}" if found.replicas else f"repeat {number}"), record


def _name(found: Found) -> str:
    model = f", model {found.case.model}" if found.case.model else ""
    replica = "" if found.records else f", replica {found.record['replica']}"
    return printable(f"{found.suite}{model}{replica}")


def _encode(found: Found) -> dict[str, Any]:
    if found.replicas:
        both = zip(found.replicas, found.records, strict=True)
        replicas = [{"case": encode_case(each.case), "record": dict(record)} for each, record in both]
        return {"suite": found.suite, "case": encode_case(found.case), "replicas": replicas}
    if found.records:
        repeats = [dict(record) for record in found.records]
        return {"suite": found.suite, "case": encode_case(found.case), "repeats": repeats}
    case = replace(found.case, output=found.record["output"])
    return {"suite": found.suite, "case": encode_case(case), "record": dict(found.record)}


def _encode_prompt(found: Found) -> Any:
    """The calls to the judge; for each trial, where there are several."""
    return [record["judge"] for record in found.records] if found.records else found.record["judge"]
