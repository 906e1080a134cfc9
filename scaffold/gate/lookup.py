"""Whether a file is gated: whether a block of it is in the registry."""

from pathlib import Path
from typing import Any

from judges.files.gated import GatedBlock, Registry


def find_blocks(registry: Registry, file: Path) -> list[GatedBlock]:
    """Return the blocks whose source is this file, named from the working directory or from the root."""
    meant = {path.resolve() for path in _places(registry, file)}
    return [block for block in registry.blocks if block.source_file.resolve() in meant]


def describe_file(registry: Registry | None, file: Path) -> dict[str, Any]:
    """Return what `gate check` prints: the first block of the file, and under `more` any further ones."""
    blocks = [] if registry is None else find_blocks(registry, file)
    named = [{"target": block.target, "block_id": block.block_id} for block in blocks]
    if not named:
        return {"gated": False, "target": None, "block_id": None}
    return {"gated": True, **named[0], **({"more": named[1:]} if named[1:] else {})}


def is_missing(registry: Registry | None, file: Path) -> bool:
    """Whether there is no such file: its name may be misspelled, and the file that is meant gated."""
    return not any(path.exists() for path in _places(registry, file))


def _places(registry: Registry | None, file: Path) -> tuple[Path, ...]:
    return (file,) if registry is None else (file, registry.root / file)
