"""The options that all commands which run suites share: each is declared once, with the flag it becomes."""

from collections.abc import Mapping
from typing import Any

import click

FILE = click.Path(dir_okay=False)

JUDGE = click.option("--judge", metavar="MODEL", help="Judge with this model instead of the suite's.")
LIVE = click.option(
    "--live", is_flag=True, envvar="RUN_LLM_BENCH", help="Run the sessions of fixtures, too; they cost money."
)
STOP_EARLY = click.option(
    "--stop-early", is_flag=True, help="Run no more replicas of a fixture once all is decided."
)
JOBS = click.option(
    "--jobs", type=click.IntRange(1, 1000), help="Sessions of fixtures at once.  [default: cores]"
)
MAX_COST = click.option(
    "--max-cost-usd", type=click.FloatRange(min=0), help="Make no call that could exceed this."
)
NO_CACHE = click.option("--no-cache", is_flag=True, help="Neither use nor keep earlier answers.")
DRY_RUN = click.option(
    "--dry-run", is_flag=True, help="Say what would be called and what it would cost; call nothing."
)
ALLOW_WARN = click.option("--allow-warn", is_flag=True, help="Exit 0 when the worst verdict is WARN.")
ALLOW_INCONCLUSIVE = click.option(
    "--allow-inconclusive", is_flag=True, help="Exit 0 when the worst verdict is INCONCLUSIVE."
)
JSON = click.option(
    "--json",
    "json_file",
    type=click.Path(dir_okay=False, allow_dash=True),
    metavar="FILE",
    help="Write the report as JSON; - prints it in place of the table.",
)
RECORD = click.option(
    "--record", type=FILE, metavar="FILE", help="Write the judge's answers for --judge replay:FILE."
)
RECORD_ALL = click.option(
    "--record-all", is_flag=True, help="Write outputs and answers beside each suite, for --recorded."
)
RECORDED = click.option(
    "--recorded", is_flag=True, help="Call nothing: take what --record-all has written beside each suite."
)
ALLOW_OUTSIDE = click.option(
    "--allow-outside", is_flag=True, help="Let suites name files outside the project."
)
YES = click.option("-y", "--yes", is_flag=True, help="Do not ask before spending.")
QUIET = click.option("-q", "--quiet", is_flag=True, help="Show no progress.")

NOTHING_ASKED: Mapping[str, Any] = {
    "keywords": (),
    "categories": (),
    "tags": (),
    "failed": None,
    "judge": None,
    "models": (),
    "outputs": None,
    "judge_all": False,
    "arms": (),
    "repeat": None,
    "live": False,
    "stop_early": False,
    "jobs": None,
    "concurrency": None,
    "http_retries": None,
    "max_cost_usd": None,
    "no_cache": False,
    "allow_warn": False,
    "allow_inconclusive": False,
    "json_file": None,
    "record": None,
    "record_all": False,
    "recorded": False,
    "allow_outside": False,
    "yes": False,
    "quiet": False,
}
"""Every flag of a run as it is where nobody gives it, for commands that have not all of them."""
