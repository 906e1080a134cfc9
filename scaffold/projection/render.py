"""From a block of a source file to the prompt that is projected from it, always with LF line ends."""

import re
from pathlib import Path

from judges.core.errors import ConfigError, Problem
from judges.files.blocks import extract_block
from judges.files.gated import GatedBlock
from judges.files.text import display_path, read_bytes, read_text
from judges.files.whole import write_whole

_PLACE = re.compile(r"\{\{\s*block\s*\}\}")


def read_block(block: GatedBlock, source: Path | None = None) -> str:
    """Return the block of the source file, or the one that another version of that file holds.

    Raises:
        ConfigError: the file cannot be read, or its markers are wrong.
    """
    path = source or block.source_file
    return extract_block(
        read_text(path), block.block_start_marker, block.block_end_marker, display_path(path)
    )


def render_projection(block: GatedBlock, text: str) -> str:
    """Return the prompt that a block with this text gives.

    That is the text in the place of the template's `{{block}}`, where every other brace stays as it is;
    without a template the text alone, as lines.

    Raises:
        ConfigError: the template cannot be read, or has not exactly one place for the block.
    """
    if block.template is None:
        return f"{text}\n"
    template = read_text(block.template).replace("\r\n", "\n")
    places = list(_PLACE.finditer(template))
    if len(places) != 1:
        message = f"the template must have {{{{block}}}} once, found it {len(places)} times"
        hint = "write it where the block goes"
        raise ConfigError([Problem(message, display_path(block.template), hint=hint)])
    (place,) = places
    return template[: place.start()] + text + template[place.end() :]


def project(block: GatedBlock) -> str:
    """Return the prompt as it should be now.

    Raises:
        ConfigError: the source or the template is wrong.
    """
    return render_projection(block, read_block(block))


def is_current(block: GatedBlock, prompt: str) -> bool:
    """Tell whether the projected prompt is this one, byte for byte.

    Raises:
        ConfigError: there is a file that cannot be read.
    """
    path = block.projected_prompt_path
    return path.exists() and read_bytes(path) == prompt.encode("utf-8")


def write_projection(block: GatedBlock, prompt: str) -> bool:
    """Write the projected prompt where it is not this one; return whether it was written.

    Raises:
        ConfigError: there is a file that cannot be read.
        OSError: it cannot be written; an earlier file is as it was.
    """
    if is_current(block, prompt):
        return False
    block.projected_prompt_path.parent.mkdir(parents=True, exist_ok=True)
    with write_whole(block.projected_prompt_path) as file:
        file.write(prompt)
    return True
