"""A folder that is a small or a read-only disk, for one command.

The disk is mounted in a namespace of the command's own, so nothing is left behind, and no other process sees
it. What the command wrote there is copied out at its end.
"""

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

_SCRIPT = """
set -eu
cp -a "$FOLDER/." "$RESULT/"
mount -t tmpfs -o size="$SIZE" tmpfs "$FOLDER"
cp -a "$RESULT/." "$FOLDER/"
[ -z "$READ_ONLY" ] || mount -o remount,ro "$FOLDER"
set +e
"$@"
code=$?
find "$RESULT" -mindepth 1 -delete
cp -a "$FOLDER/." "$RESULT/"
exit $code
"""
_NAMESPACE = ("unshare", "--mount", "--map-root-user")
_MISSING = (
    "this test mounts a small disk and needs util-linux's `unshare` on Linux, and either root or user "
    "namespaces (sysctl kernel.unprivileged_userns_clone=1, kernel.apparmor_restrict_unprivileged_userns=0)"
)


@dataclass(frozen=True, slots=True)
class Disk:
    """A disk in place of `folder`, which must exist; what the folder holds is on the disk too."""

    folder: Path
    result: Path
    kilobytes: int = 1024
    read_only: bool = False

    def run(
        self, *arguments: str, environ: dict[str, str] | None = None
    ) -> "subprocess.CompletedProcess[str]":
        """Run `scaffold` with these arguments; afterwards `files` are what the disk holds."""
        own = {
            "FOLDER": str(self.folder),
            "RESULT": str(self.result),
            "SIZE": f"{self.kilobytes}k",
            "READ_ONLY": "1" if self.read_only else "",
        }
        command = [*_NAMESPACE, "sh", "-c", _SCRIPT, "sh", sys.executable, "-m", "scaffold", *arguments]
        return subprocess.run(
            command, env={**os.environ, **own, **(environ or {})}, capture_output=True, text=True, check=False
        )

    @property
    def files(self) -> dict[str, bytes]:
        """The files by their names on the disk."""
        paths = (path for path in sorted(self.result.rglob("*")) if path.is_file())
        return {str(path.relative_to(self.result)): path.read_bytes() for path in paths}


def require_namespaces() -> None:
    """Fail with what is missing where no disk can be mounted."""
    try:
        subprocess.run([*_NAMESPACE, "true"], check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError) as error:
        pytest.fail(f"{_MISSING}: {error}")
