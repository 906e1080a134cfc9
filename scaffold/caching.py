"""Where a project keeps models' answers."""

from pathlib import Path

from judges.files.project import CACHE_FILE
from judges.providers.store import Store


def open_store(root: Path) -> Store:
    """Return the store of a project; the file is made when the first answer is kept."""
    return Store(root / CACHE_FILE)
