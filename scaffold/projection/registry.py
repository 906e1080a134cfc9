"""Which registry a command line means."""

from pathlib import Path

from judges.core.errors import ConfigError, Problem
from judges.files.gated import REGISTRY_FILE, Registry, read_registry
from judges.files.project import find_root


def find_registry(given: Path | None) -> Registry | None:
    """Return the registry that is given, or the project's; None where nothing is given and there is none.

    Its paths start at the root of the project that it is in, outside any project at the working directory.

    Raises:
        ConfigError: it cannot be read, or is wrong.
    """
    here = Path.cwd()
    root = find_root(given.parent if given else here) or here
    path = given or root / REGISTRY_FILE
    return None if given is None and not path.exists() else read_registry(path, root)


def load_registry(given: Path | None) -> Registry:
    """Return the registry that is given, or the project's.

    Raises:
        ConfigError: there is none, it cannot be read, or is wrong.
    """
    registry = find_registry(given)
    if registry is None:
        entry = "{source_file: …, block_id: …, target: …, projected_prompt_path: …}"
        hint = f"write a list of entries {entry}, or name another file with --registry"
        raise ConfigError([Problem("there is no registry of gated blocks", str(REGISTRY_FILE), hint=hint)])
    return registry
