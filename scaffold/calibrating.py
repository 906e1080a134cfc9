"""What `scaffold calibrate` does with its arguments: find the suite, a run of it, and people's ratings."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from judges.core.errors import ConfigError, Problem
from judges.files.config import apply_config, read_config
from judges.files.evaluation_meta import EvaluationType
from judges.files.load import load_suite
from judges.files.project import find_root
from judges.files.ratings import RATINGS_FILE, read_ratings
from judges.files.suite import PromptSuite
from judges.run.calibrate import Calibrated, calibrate_run
from judges.run.judged import find_judged_run
from judges.run.runner.cases import case_reader
from scaffold.request import from_here
from scaffold.suites import locate_suites


def choose_suite(name: str | None) -> Path:
    """Return the suite that is named; without a name, the only one of the project.

    Raises:
        ConfigError: there is none, or there are several.
    """
    paths = locate_suites([name] if name else [])
    if len(paths) == 1:
        return paths[0]
    if not paths:
        raise ConfigError(
            [Problem("there is no suite here", hint="write one with: scaffold add-prompt NAME")]
        )
    names = ", ".join(path.parent.name for path in paths)
    what = f"'{name}' stands for several suites" if name else "there are several suites"
    raise ConfigError([Problem(what, hint=f"name one of {names}")])


def load(path: Path, flags: Mapping[str, Any], environ: Mapping[str, str]) -> PromptSuite:
    """Return the suite, with the project's defaults.

    Raises:
        ConfigError: a file is wrong, or the suite has no levels that people could give, too.
    """
    suite = load_suite(path, allow_outside=flags["allow_outside"], read_cases=case_reader(environ))
    if suite.evaluation is EvaluationType.COMPARISON:
        message = "a comparison gives no levels that could be compared with people's"
        hint = "calibrate the judge in a suite of another type"
        raise ConfigError([Problem(message, file=str(path), hint=hint)])
    return apply_config(suite, read_config(suite.root))


def calibrate(suite: PromptSuite, flags: Mapping[str, Any]) -> Calibrated | None:
    """Hold what the judge said in a run against what people said; None where there is no run yet.

    Raises:
        ConfigError: the run or the file of ratings is not there, or wrong.
    """
    run = find_judged_run(suite, flags["run"], find_root(Path.cwd()) or suite.root)
    if run is None:
        return None
    spec = suite.meta.judge
    judge = from_here(flags["judge"]) or ", ".join(spec.panel or (spec.model,))
    named = flags["ratings"]
    path = Path(named) if named else suite.path.parent / RATINGS_FILE
    ratings = read_ratings(path) if named or path.exists() else ()
    return calibrate_run(suite, run, ratings, judge=judge, blind_only=flags["blind_only"])
