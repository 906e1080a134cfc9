"""The registry of gated blocks: which prompts are projections of which blocks of which source files."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from judges.core.errors import ConfigError, Problem
from judges.files.document import Document, Loc
from judges.files.gated_meta import GatedSpec
from judges.files.json_file import read_json
from judges.files.problems import did_you_mean, found, gather, raise_any
from judges.files.project import MARKER, resolve
from judges.files.shape import parse_model
from judges.files.text import display_path, read_text
from judges.files.yaml import is_blank, parse_yaml

REGISTRY_FILE = Path(MARKER, "gated.yaml")
"""Where a project's registry is, from the root."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GatedBlock:
    """An entry of the registry with its paths resolved; none of the files need exist."""

    source_file: Path
    block_id: str
    block_start_marker: str
    block_end_marker: str
    target: str
    projected_prompt_path: Path
    template: Path | None = None


@dataclass(frozen=True, slots=True)
class Registry:
    """A registry file, and the blocks that it lists; `root` is where its paths start."""

    path: Path
    root: Path
    blocks: tuple[GatedBlock, ...] = ()

    def block(self, target: str) -> GatedBlock:
        """Return the block of a target.

        Raises:
            ConfigError: there is none.
        """
        named = {block.target: block for block in self.blocks}
        if target in named:
            return named[target]
        known = f"it has: {', '.join(named)}" if named else "it is empty"
        message = f"there is no target '{target}' in the registry"
        raise ConfigError(
            [Problem(message, display_path(self.path), hint=did_you_mean(target, named) or known)]
        )


def read_registry(path: Path, root: Path) -> Registry:
    """Read a registry, YAML or (`.json`) JSON: a list of entries, whose paths start at `root`.

    Raises:
        ConfigError: the file cannot be read, or entries are wrong; with all problems.
    """
    document = _read_document(path)
    if document is None:
        return Registry(path, root)
    if not isinstance(document.value, list):
        raise document.error((), f"expected a list of entries, found {found(document.value)}")
    problems: list[Problem] = []
    blocks: dict[int, GatedBlock] = {}
    for index in range(len(document.value)):
        with gather(problems):
            blocks[index] = _build(parse_model(GatedSpec, document, (index,)), document, (index,), root)
    problems += _clashes(blocks, document)
    raise_any(problems)
    return Registry(path, root, tuple(blocks.values()))


def _read_document(path: Path) -> Document | None:
    if path.suffix.lower() == ".json":
        return read_json(path)
    text = read_text(path)
    return None if is_blank(text) else parse_yaml(text, display_path(path))


def _build(spec: GatedSpec, document: Document, loc: Loc, root: Path) -> GatedBlock:
    problems: list[Problem] = []
    paths: dict[str, Path] = {}
    for key in _PATHS:
        if name := getattr(spec, key):
            with gather(problems):
                paths[key] = _resolve(name, document, (*loc, key), root)
    raise_any(problems)
    start, end = spec.markers
    return GatedBlock(
        source_file=paths["source_file"],
        block_id=spec.block_id,
        block_start_marker=start,
        block_end_marker=end,
        target=spec.target,
        projected_prompt_path=paths["projected_prompt_path"],
        template=paths.get("template"),
    )


def _resolve(name: str, document: Document, loc: Loc, root: Path) -> Path:
    try:
        return resolve(name, root, root)
    except ConfigError as error:
        raise document.error(loc, error.problems[0].message, "name a file of the project") from None


_PATHS = ("source_file", "projected_prompt_path", "template")
_UNIQUE: dict[str, Callable[[GatedBlock], object]] = {
    "block_id": lambda block: block.block_id,
    "target": lambda block: block.target,
    "projected_prompt_path": lambda block: block.projected_prompt_path.resolve(),
}


def _clashes(blocks: dict[int, GatedBlock], document: Document) -> Iterator[Problem]:
    """Yield what is there twice, and prompts that would be written over what they are made of."""
    for key, value_of in _UNIQUE.items():
        first: dict[object, int] = {}
        for index, block in blocks.items():
            before = first.setdefault(value_of(block), index)
            if before != index:
                line, _ = document.position((before, key))
                yield document.problem((index, key), f"is given twice, first in line {line}")
    made_of = {
        path.resolve() for block in blocks.values() for path in (block.source_file, block.template) if path
    }
    for index, block in blocks.items():
        if block.projected_prompt_path.resolve() in made_of:
            message = "is also a source or a template, which would be overwritten"
            yield document.problem((index, "projected_prompt_path"), message, "name another file")
