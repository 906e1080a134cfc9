"""Cases in files that only a suite's runner can read, such as TypeScript modules."""

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from judges.core.errors import ConfigError, Problem, ProcessError
from judges.files.problems import gather, raise_any
from judges.files.source import CaseReader, Source
from judges.files.text import display_path
from judges.run.runner.build import build_runner
from judges.run.runner.runner import Runner


def case_reader(environ: Mapping[str, str]) -> CaseReader:
    """Return what starts the runner of a suite in this environment and asks it for the cases of files."""
    return partial(_read_all, environ)


def _read_all(environ: Mapping[str, str], source: Source, files: Sequence[Path]) -> list[Any]:
    assert source.runner
    problems: list[Problem] = []
    values: list[Any] = []
    runner = build_runner(source.runner, source, environ)
    with runner.opened():
        for file in files:
            with gather(problems):
                values.append(_read(runner, file))
    raise_any(problems)
    return values


def _read(runner: Runner, file: Path) -> Any:
    try:
        answer = runner.ask({"cases": True, "file": str(file.absolute())})
    except ProcessError as error:
        reason = str(error)
    else:
        if answer.cases is not None:
            return answer.cases
        reason = runner.explain(answer)
    hint = 'the runner has to answer {"id", "cases": [...]} where "cases" is asked for'
    raise ConfigError([Problem(f"its cases could not be read: {reason}", display_path(file), hint=hint)])
