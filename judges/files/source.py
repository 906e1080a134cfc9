"""A suite file on its way to becoming a suite: its document, its model, and where its paths start."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any, TypeAlias

from judges.core.errors import ConfigError
from judges.files.document import Document, Loc
from judges.files.patterns import find_matches, fixed_folder
from judges.files.project import resolve
from judges.files.prompt_meta import PromptMeta
from judges.files.text import open_file


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """Everything that reading the parts of a suite needs.

    `read_cases` asks the runner for the cases in files that only it can read.
    """

    document: Document
    meta: PromptMeta
    root: Path
    test_root: Path
    allow_outside: bool = False
    runner: Path | None = None
    config: Path | None = None
    read_cases: "CaseReader | None" = None

    def resolve(self, path: str, loc: Loc, base: Path | None = None) -> Path:
        """Return the path that the value at `loc` names, relative to `test_root` unless a base is given.

        Raises:
            ConfigError: it leaves the project root, and that is not allowed.
        """
        try:
            return resolve(path, base or self.test_root, self.root, allow_outside=self.allow_outside)
        except ConfigError as error:
            raise self.document.blame(loc, error) from None

    def file(self, path: str | None, loc: Loc, base: Path | None = None) -> Path | None:
        """Return the file that the value at `loc` names, if it names any, as `resolve` finds it.

        Raises:
            ConfigError: there is no such file, it cannot be read, or it is outside.
        """
        if path is None:
            return None
        place = self.resolve(path, loc, base)
        try:
            with open_file(place):
                return place
        except ConfigError as error:
            raise self.document.blame(loc, error) from None

    def find(self, pattern: str, loc: Loc, base: Path) -> list[PurePosixPath]:
        """Return the names below `base` that the pattern at `loc` matches, sorted; folders too.

        Raises:
            ConfigError: it leaves the project root, and that is not allowed, or stands for too many patterns.
        """
        self.resolve(str(fixed_folder(pattern)), loc, base)
        try:
            return find_matches(pattern, base)
        except ValueError as error:
            raise self.document.error(loc, str(error)) from None

    @property
    def case_items(self) -> Loc:
        """The way to the list of inline cases: `cases` itself in the legacy shape."""
        value: Mapping[str, Any] = self.document.value
        return ("cases",) if isinstance(value.get("cases"), list) else ("cases", "items")


CaseReader: TypeAlias = Callable[[Source, Sequence[Path]], Sequence[Any]]
"""What each of the files holds: a case, or a list of cases, unchecked. Raises ConfigError."""
