"""The project's settings as commands use them."""

import os
from pathlib import Path

from judges.files.config import ProjectConfig, read_config
from judges.files.project import find_root
from judges.run.connections import addresses


def load_config(suite: Path | None = None) -> ProjectConfig:
    """Return the settings of the project around the working directory, else of the one around a suite.

    Raises:
        ConfigError: they are wrong.
    """
    return read_config(find_root(Path.cwd()) or (find_root(suite.parent) if suite else None))


def build_environ(config: ProjectConfig) -> dict[str, str]:
    """Return the environment in which models are connected to: addresses in the settings go before it."""
    return {**os.environ, **addresses(config)}
