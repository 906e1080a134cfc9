"""Whether projections are current, and whether markers, arms of grids and registry match."""

from collections.abc import Iterator, Sequence
from itertools import zip_longest
from pathlib import Path

from judges.core.errors import Problem
from judges.files.blocks import Marker, find_markers
from judges.files.gated import REGISTRY_FILE, GatedBlock, Registry
from judges.files.problems import gather
from judges.files.text import display_path, read_bytes
from scaffold.projection.arms import check_arms
from scaffold.projection.render import project
from scaffold.projection.tracked import text_files


def check_registry(registry: Registry) -> list[Problem]:
    """Return what is wrong with projections, with markers in the project's files, and with arms of grids.

    Raises:
        ConfigError: the project's settings are wrong.
        OSError: a file cannot be read.
    """
    if not registry.blocks:
        message = "the registry is empty: nothing is checked"
        return [Problem(message, display_path(registry.path), hint="add an entry for each gated block")]
    projections = check_projections(registry, registry.blocks)
    return [*projections, *_check_markers(registry), *check_arms(registry)]


def check_projections(registry: Registry, blocks: Sequence[GatedBlock]) -> list[Problem]:
    """Return what is wrong with blocks, and with prompts that are not what their blocks give."""
    problems: list[Problem] = []
    for block in blocks:
        with gather(problems):
            problems += _check_projection(block, registry)
    return problems


def _check_projection(block: GatedBlock, registry: Registry) -> Iterator[Problem]:
    prompt = project(block).encode("utf-8")
    path, source = block.projected_prompt_path, display_path(block.source_file)
    hint = f"run: {_command(block, registry)}"
    if not path.exists():
        message = f"does not exist; it is projected from the block '{block.block_id}' of {source}"
        yield Problem(message, display_path(path), hint=hint)
    elif (written := read_bytes(path)) != prompt:
        line = _first_difference(written, prompt)
        message = f"is stale: the block '{block.block_id}' of {source} gives another prompt from here on"
        yield Problem(message, display_path(path), line, hint=hint)


def _first_difference(written: bytes, prompt: bytes) -> int:
    lines = enumerate(zip_longest(written.split(b"\n"), prompt.split(b"\n")), start=1)
    return next(number for number, (old, new) in lines if old != new)


def _command(block: GatedBlock, registry: Registry) -> str:
    default = registry.path.absolute() == (registry.root / REGISTRY_FILE).absolute()
    more = "" if default else f" --registry {display_path(registry.path)}"
    return f"scaffold project {block.target}{more}"


def _check_markers(registry: Registry) -> Iterator[Problem]:
    """Yield markers of blocks that the registry lacks, or has from another file.

    That each registered block is marked is seen on projecting it. The registry and the prompts may hold
    markers, but are no sources.
    """
    sources = {block.block_id: block.source_file for block in registry.blocks}
    apart = {registry.path.resolve(), *(block.projected_prompt_path.resolve() for block in registry.blocks)}
    for path, text in text_files(registry.root):
        if path.resolve() not in apart:
            first = {marker.block_id: marker for marker in reversed(list(find_markers(text)))}
            for marker in first.values():
                yield from _check_marker(marker, path, sources.get(marker.block_id), registry)


def _check_marker(marker: Marker, path: Path, source: Path | None, registry: Registry) -> Iterator[Problem]:
    place = display_path(path), marker.line, marker.column
    if source is None:
        message = f"the block '{marker.block_id}' is not in the registry {display_path(registry.path)}"
        yield Problem(message, *place, hint="add an entry for it, or remove the markers")
    elif path.resolve() != source.resolve():
        message = f"the block '{marker.block_id}' is marked here, but the registry has it from "
        hint = "correct source_file, or remove the markers here"
        yield Problem(message + display_path(source), *place, hint=hint)
