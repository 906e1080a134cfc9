"""What pytest loads: the options, and whether they ask for suites at all.

    plugin --asked for--> hooks --a suite file--> nodes --an item is run--> runs --> findings

Where nobody asks, nothing else of this project is imported and no other hook is there.
"""

import argparse
import math

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """Declare the options and the keys of the ini file."""
    group = parser.getgroup("scaffold", "suites for prompts, scored by a judge (scaffold)")
    group.addoption("--scaffold", action="store_true", help="collect the suites of the project")
    group.addoption("--scaffold-judge", metavar="MODEL", help="judge with this model instead of the suite's")
    group.addoption(
        "--scaffold-model",
        metavar="MODEL",
        action="append",
        help="send the prompt to this model, in every case; may be repeated",
    )
    group.addoption(
        "--scaffold-max-cost-usd",
        metavar="USD",
        type=_usd,
        help="make no call that could exceed this in the session",
    )
    group.addoption(
        "--scaffold-recorded",
        action="store_true",
        help="collect the suites, and call nothing: take what `scaffold run --record-all` has written beside "
        "each",
    )
    parser.addini(
        "scaffold_suites",
        "names, files or folders of suites to collect; all: those of the project",
        type="args",
    )
    parser.addini("scaffold_recorded", "call nothing, as --scaffold-recorded", type="bool", default=False)
    parser.addini("scaffold_allow_warn", "a WARN passes", type="bool", default=False)
    parser.addini("scaffold_allow_inconclusive", "an INCONCLUSIVE passes", type="bool", default=False)


def pytest_configure(config: pytest.Config) -> None:
    """Collect suites, where they are asked for."""
    asked = config.getoption("--scaffold") or config.getoption("--scaffold-recorded")
    if asked or config.getini("scaffold_suites"):
        from scaffold.pytest_plugin.hooks import activate

        activate(config)


def _usd(text: str) -> float:
    amount = float(text)
    if not 0 <= amount < math.inf:
        raise argparse.ArgumentTypeError(f"expected an amount from 0, found {text}")
    return amount
