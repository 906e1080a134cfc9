"""Paths in older files: they start at the project root, or where the suite's files are."""

import os
from dataclasses import dataclass, replace
from pathlib import Path

from judges.files.case_files import CASE_FILES
from judges.files.patterns import fixed_folder, is_pattern

SOURCES = (".ts", ".mts", ".js", ".mjs")
"""Endings of files with cases that only a runner can read."""


@dataclass(frozen=True, slots=True)
class Paths:
    """Where a suite's paths may start: at the project root, or at its `test_root`, where they start now."""

    root: Path
    test_root: Path

    def below(self, folder: str, test_root: object) -> "Paths":
        """Return the paths of a suite that names a `test_root`, or else has a folder of its own."""
        named = isinstance(test_root, str)
        return replace(self, test_root=self.root / str(test_root) if named else self.test_root / folder)

    def rebased(self, path: str) -> str:
        """Return a path or pattern as seen from `test_root`. One that leads nowhere stays as it is."""
        if self._start(path) == self.test_root:
            return path
        return Path(os.path.relpath(self.root / path, self.test_root)).as_posix()

    def pattern(self, path: str) -> str:
        """Return a pattern for cases as seen from `test_root`: of a folder, all its files with cases."""
        path = path.rstrip("/")
        folder = self._start(path) / path
        if is_pattern(path) or not folder.is_dir():
            return self.rebased(path)
        endings = {file.suffix.lower() for file in folder.rglob("*") if file.is_file()}
        kinds = sorted(endings & CASE_FILES.keys()) or sorted(endings.intersection(SOURCES)) or [".yaml"]
        either = ",".join(kind[1:] for kind in kinds)
        return self.rebased(path) + "/**/*." + (f"{{{either}}}" if len(kinds) > 1 else either)

    def _start(self, path: str) -> Path:
        fixed = fixed_folder(path) if is_pattern(path) else path
        leads = (self.root / fixed).exists() and not (self.test_root / fixed).exists()
        return self.root if leads else self.test_root
