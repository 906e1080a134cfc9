"""Cases in files of their own: found by a pattern, checked once; of large files, read again for each use."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from judges.core.case import Case
from judges.core.errors import Problem
from judges.files.case_files import CASE_FILES, Place, case_places, document_places
from judges.files.case_meta import CaseSpec
from judges.files.case_schema import read_case_check
from judges.files.cases import CaseSet, Refs, build_case, case_id
from judges.files.document import Document
from judges.files.overrides import manual_overrides
from judges.files.patterns import fixed_folder
from judges.files.problems import gather, merge_lines, one_of, raise_any
from judges.files.shape import parse_model
from judges.files.source import Source
from judges.files.suite import Override
from judges.files.text import display_path

_LOC = ("cases", "pattern")
_KEPT_BYTES = 10_000_000


@dataclass(frozen=True, slots=True)
class _File:
    """A file with cases; `stem` starts the refs of its cases. `document` is what the runner has read."""

    path: Path
    stem: str
    document: Document | None = None

    def places(self) -> Iterator[Place]:
        return case_places(self.path) if self.document is None else document_places(self.document)


class ExternalCases(Collection[Case]):
    """The cases of files that are read each time. Only their number is kept, but for what a runner reads."""

    def __init__(self, files: tuple[_File, ...], count: int) -> None:
        self._files = files
        self._count = count

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[Case]:
        for file in self._files:
            for place in file.places():
                spec, ref = _read(place, file)
                yield build_case(spec, ref, place.document, place.loc)

    def __contains__(self, case: object) -> bool:
        return any(each == case for each in self)


def read_external(source: Source) -> CaseSet:
    """Return the cases of a suite that stand in files of their own, after checking all of them.

    Those of files of up to 10 MB in all are kept in memory.

    Raises:
        ConfigError: the pattern names no file, a file or a case is wrong, or a ref is given twice.
    """
    check = read_case_check(source)
    files = _ask_runner(_find_files(source), source)
    keep = _size(files) <= _KEPT_BYTES
    refs = Refs()
    problems: list[Problem] = []
    cases: list[Case] = []
    overrides: list[Override] = []
    for file in files:
        with gather(problems):
            for place in file.places():
                with gather(problems):
                    spec, ref = _read(place, file)
                    refs.add(ref, place.document, place.loc)
                    check(place.document, place.loc)
                    overrides += manual_overrides(spec, ref, place.document, place.loc)
                    if keep:
                        cases.append(build_case(spec, ref, place.document, place.loc))
    raise_any(merge_lines(problems))
    return CaseSet(tuple(cases) if keep else ExternalCases(files, len(refs)), tuple(overrides))


def _size(files: tuple[_File, ...]) -> int:
    return sum(file.path.stat().st_size for file in files if file.path.exists())


def _read(place: Place, file: _File) -> tuple[CaseSpec, str]:
    """Return what a case says, and its ref."""
    raise_any(place.document.problems)
    spec = parse_model(CaseSpec, place.document, place.loc)
    name = case_id(spec, place.document, place.loc)
    return spec, file.stem if place.alone else f"{file.stem}/{name}"


def _find_files(source: Source) -> tuple[_File, ...]:
    spec = source.meta.cases
    pattern = spec.pattern or ""
    fixed = fixed_folder(pattern)
    names = source.find(pattern, _LOC, source.test_root)
    schema = PurePosixPath(spec.schema_) if spec.schema_ else None
    copies = _copy_folders(source, source.test_root / fixed)
    files = tuple(
        _File(_readable(name, source), name.relative_to(fixed).with_suffix("").as_posix())
        for name in names
        if name != schema and _is_case_file(name.relative_to(fixed), source.test_root / name, copies)
    )
    if not files:
        raise source.document.error(_LOC, f"no file matches '{pattern}'", f"it starts at {source.test_root}")
    return files


def _copy_folders(source: Source, cases: Path) -> tuple[Path, ...]:
    """Return the folders below that of the cases where runs copy results to: those are no cases."""
    sections = (source.meta.logs, source.meta.analysis)
    folders = (source.test_root / section.directory for section in sections if section)
    return tuple(folder for folder in folders if folder != cases and folder.is_relative_to(cases))


def _is_case_file(below: PurePosixPath, path: Path, copies: tuple[Path, ...]) -> bool:
    hidden = any(part.startswith("_") for part in below.parts) or any(map(path.is_relative_to, copies))
    return not hidden and not path.is_dir()


def _readable(name: PurePosixPath, source: Source) -> Path:
    if name.suffix.lower() not in CASE_FILES and source.runner is None:
        message = f"'{name}' cannot be read: cases are in {one_of(sorted(CASE_FILES))} files"
        hint = "leave it out of the pattern, or name a runner that reads it"
        raise source.document.error(_LOC, message, hint)
    return source.resolve(str(name), _LOC)


def _ask_runner(files: tuple[_File, ...], source: Source) -> tuple[_File, ...]:
    """Return the files, those that only the runner can read with what it says that they hold."""
    foreign = [file.path for file in files if file.path.suffix.lower() not in CASE_FILES]
    if not foreign:
        return files
    if source.read_cases is None:
        message = f"{display_path(foreign[0])} is read by the runner, which is not started here"
        raise source.document.error(_LOC, message, "keep the cases in files of another kind")
    read = dict(zip(foreign, source.read_cases(source, foreign), strict=True))
    return tuple(
        replace(file, document=Document(read[file.path], display_path(file.path)))
        if file.path in read
        else file
        for file in files
    )
