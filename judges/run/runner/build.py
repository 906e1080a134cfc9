"""The runner that a suite names, ready to be started."""

from collections.abc import Mapping
from pathlib import Path

from judges.files.dotenv import merge_env, read_config
from judges.files.source import Source
from judges.files.suite import PromptSuite
from judges.providers.budget import Budget
from judges.run.runner.command import build_command
from judges.run.runner.mask import build_mask
from judges.run.runner.price import build_price
from judges.run.runner.runner import Runner


def build_runner(
    file: Path, suite: PromptSuite | Source, environ: Mapping[str, str], budget: Budget | None = None
) -> Runner:
    """Return the runner in a file, with the environment and the variables of the suite's `config:`.

    Raises:
        ConfigError: what it takes is not installed, the file may not be executed, or `config:` is wrong.
    """
    config = read_config(suite.config, environ)
    whole = merge_env(environ, config)
    return Runner(
        build_command(file, suite.test_root, whole),
        silence_seconds=float(suite.meta.runner_timeout_seconds),
        mask=build_mask(config, whole),
        price=build_price(whole),
        budget=budget,
    )
