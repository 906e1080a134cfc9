"""Where the program runs: its version, the project, the suites, the cache."""

import os
import platform
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import judges
from judges.core.errors import ConfigError, RunError
from judges.core.report import SuiteKind
from judges.files.any_suite import load_any
from judges.files.config import CONFIG_FILE, Project, ProjectConfig, apply_config, read_project
from judges.files.grid_arms import leave_out_arms
from judges.files.load import load_suite
from judges.files.project import MARKER, find_root, find_suites, suite_kind, suite_name
from judges.out.summary import render_count
from judges.run.options import RunOptions
from judges.run.plan import Plan, Suite
from judges.run.procedures import plan_suite
from judges.run.runner.cases import case_reader
from scaffold.caching import open_store
from scaffold.doctor.finding import Finding, Status

PROGRAM = "Program"
PROJECT = "Project"


@dataclass(frozen=True, slots=True)
class Surroundings:
    """A project as far as it can be read, its suites that can be run, what was found on the way."""

    project: Project
    plans: tuple[Plan, ...]
    findings: tuple[Finding, ...]


def look_around(start: Path) -> Surroundings:
    """Read the project around a folder. Nothing is raised: what is wrong is a finding."""
    findings = list(_program())
    root = find_root(start)
    if root is None:
        said = f"no folder from {start} upwards holds {MARKER}/"
        fix = "scaffold add-prompt NAME makes a first suite"
        findings.append(Finding(PROJECT, "root", Status.NOTE, said, fix))
        return Surroundings(Project(), (), tuple(findings))
    project, settings = _settings(root)
    findings += [_root(root), settings]
    plans: list[Plan] = []
    for path in leave_out_arms(project.suites):
        try:
            plans.append(plan_suite(_load(path, project.config), RunOptions()))
        except ConfigError as error:
            findings.append(_broken(path, error))
    findings += [_suites(project), _cache(root)]
    return Surroundings(project, tuple(plans), tuple(findings))


def _load(path: Path, config: ProjectConfig) -> Suite:
    """Read a suite; settings that are wrong have been found already, so that it is not blamed for them."""
    if suite_kind(path) is SuiteKind.PROMPT:
        return apply_config(load_suite(path, read_cases=case_reader(os.environ)), config)
    return load_any(path)


def _program() -> Iterator[Finding]:
    yield Finding(PROGRAM, "scaffold", Status.OK, judges.__version__)
    yield Finding(PROGRAM, "Python", Status.OK, f"{platform.python_version()} at {sys.executable}")


def _root(root: Path) -> Finding:
    folder = root / MARKER
    if os.access(folder, os.W_OK):
        return Finding(PROJECT, "root", Status.OK, str(root))
    fix = f"let {folder} be written: runs and the cache are kept there"
    return Finding(PROJECT, "root", Status.MISSING, f"{folder} cannot be written", fix)


def _settings(root: Path) -> tuple[Project, Finding]:
    path = root / MARKER / CONFIG_FILE
    try:
        project = read_project(root)
    except ConfigError as error:
        wrong = Finding(PROJECT, "settings", Status.MISSING, str(error), "correct the file")
        return Project(root, suites=tuple(find_suites(root))), wrong
    said = str(path.relative_to(root)) if path.exists() else f"none (they would be in {MARKER}/{CONFIG_FILE})"
    return project, Finding(PROJECT, "settings", Status.OK, said)


def _suites(project: Project) -> Finding:
    if not project.suites:
        return Finding(PROJECT, "suites", Status.NOTE, "none", "scaffold add-prompt NAME makes one")
    return Finding(PROJECT, "suites", Status.OK, render_count(len(project.suites), "suite"))


def _broken(path: Path, error: ConfigError) -> Finding:
    first, *others = error.problems
    name, fix = suite_name(path), first.hint
    more = f" (and {len(others)} more)" if others else ""
    if others or not fix:
        fix = f"scaffold validate {name}"
    return Finding(PROJECT, name, Status.MISSING, f"cannot be run: {replace(first, hint=None)}{more}", fix)


def _cache(root: Path) -> Finding:
    store = open_store(root)
    try:
        kept = store.stats()
    except RunError as error:
        fix = f"remove {store.path}: answers are asked for again"
        return Finding(PROJECT, "cache", Status.NOTE, str(error), fix)
    finally:
        store.close()
    said = f"{kept.entries:,} answers, {kept.bytes / 10**6:,.1f} MB" if kept.entries else "empty"
    return Finding(PROJECT, "cache", Status.OK, f"{said}, in {store.path.relative_to(root)}")
