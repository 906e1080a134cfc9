"""Where a project stands: inside which repository, and on which platform its tests run."""

from pathlib import Path

from scaffold.init.wanted import Ci


def find_repository(root: Path) -> Path | None:
    """Return the folder, from `root` upwards, that is a git repository; None outside of any."""
    return next((each for each in (root, *root.parents) if (each / ".git").exists()), None)


def detect_ci(root: Path) -> Ci:
    """Return the platform that a project's files speak of, else GitHub."""
    return Ci.GITLAB if (root / ".gitlab-ci.yml").exists() else Ci.GITHUB
