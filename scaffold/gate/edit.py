"""The edit of a gated block: the block as it is, and as another version of its source file has it."""

from dataclasses import dataclass
from pathlib import Path

from judges.core.errors import ConfigError, Problem
from judges.files.gated import GatedBlock
from judges.files.text import display_path, read_text
from scaffold.projection.render import read_block


@dataclass(frozen=True, slots=True)
class Edit:
    """The texts of a block before and after; `outside` says whether the files differ in anything else."""

    current: str
    candidate: str
    outside: bool

    @property
    def changes_block(self) -> bool:
        """Whether there is anything to measure."""
        return self.current != self.candidate


def read_edit(block: GatedBlock, candidate: Path) -> Edit:
    """Return what a candidate for the source file makes of the block.

    Raises:
        ConfigError: a file cannot be read, its markers are wrong, or the candidate is the source file itself.
    """
    if candidate.resolve() == block.source_file.resolve():
        message = "is the source file itself, which holds the current block"
        hint = "write the edit to another file, and name that"
        raise ConfigError([Problem(message, display_path(candidate), hint=hint)])
    current, changed = read_block(block), read_block(block, candidate)
    return Edit(current, changed, _around(block, block.source_file) != _around(block, candidate))


def _around(block: GatedBlock, path: Path) -> tuple[str, str]:
    text = read_text(path).replace("\r\n", "\n")
    return text.partition(block.block_start_marker)[0], text.partition(block.block_end_marker)[2]
