"""Arms of grids whose prompts are projections: each must name a registered block, and use its prompt."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from judges.core.errors import ConfigError, Problem
from judges.core.report import SuiteKind
from judges.files.config import read_project
from judges.files.document import Document
from judges.files.gated import GatedBlock, Registry
from judges.files.grid_meta import GridMeta
from judges.files.problems import did_you_mean, gather, raise_any
from judges.files.project import suite_kind, suite_name
from judges.files.shape import parse_model
from judges.files.text import display_path, read_text
from judges.files.yaml import parse_yaml


@dataclass(frozen=True, slots=True)
class PromptArm:
    """An arm that is a prompt, as the file of its grid has it."""

    grid: Path
    name: str
    prompt: Path
    projected_from: str | None
    document: Document

    def is_of(self, block: GatedBlock) -> bool:
        """Tell whether the arm says that it is projected from the block, or has the prompt that is."""
        return self.projected_from == block.block_id or _same(self.prompt, block.projected_prompt_path)

    def problem(self, message: str, hint: str) -> Problem:
        """Return a problem with what the arm is projected from."""
        return self.document.problem(("arms", self.name, "projected_from"), message, hint)

    def mismatch(self, block: GatedBlock) -> list[Problem]:
        """Return the problem that its prompt is not the one that the block is projected to, if so."""
        written = block.projected_prompt_path
        if _same(self.prompt, written):
            return []
        message = (
            f"the block '{block.block_id}' is projected to {display_path(written)}, "
            f"not to {display_path(self.prompt)}"
        )
        return [self.problem(message, "name the projected prompt as 'prompt'")]


def check_arms(registry: Registry) -> list[Problem]:
    """Return what is wrong with arms that say what they are projected from.

    Raises:
        ConfigError: the project's settings are wrong.
    """
    problems: list[Problem] = []
    blocks = {block.block_id: block for block in registry.blocks}
    for arm in _read_arms(registry.root, problems):
        block = blocks.get(arm.projected_from or "")
        if arm.projected_from and block is None:
            message = f"the block '{arm.projected_from}' is not in the registry {display_path(registry.path)}"
            problems.append(arm.problem(message, did_you_mean(arm.projected_from, blocks) or "add an entry"))
        elif block:
            problems += arm.mismatch(block)
    return problems


def find_arm(registry: Registry, block: GatedBlock) -> PromptArm:
    """Return the arm that a block is measured by: the one of all grids that is projected from it.

    Where there are several, it is the one of the grid that is called like the target.

    Raises:
        ConfigError: there is none, none of several is meant, or its prompt is not the projected one.
    """
    problems: list[Problem] = []
    arms = [arm for arm in _read_arms(registry.root, problems) if arm.is_of(block)]
    named = [arm for arm in arms if suite_name(arm.grid) == block.target]
    chosen = named if len(arms) > 1 else arms
    if len(chosen) != 1:
        raise ConfigError([*problems, _not_one(block, arms)])
    raise_any(chosen[0].mismatch(block))
    return chosen[0]


def _read_arms(root: Path, problems: list[Problem]) -> Iterator[PromptArm]:
    """Yield the arms of all grids of a project; add what keeps a grid from being read to the problems."""
    for path in read_project(root).suites:
        if suite_kind(path) is SuiteKind.GRID:
            with gather(problems):
                document = parse_yaml(read_text(path), display_path(path))
                for name, spec in parse_model(GridMeta, document).arms.items():
                    if spec.prompt is not None:
                        prompt = path.parent / spec.prompt
                        yield PromptArm(path, name, prompt, spec.projected_from, document)


def _not_one(block: GatedBlock, arms: Sequence[PromptArm]) -> Problem:
    if not arms:
        message = f"no grid has an arm that is projected from the block '{block.block_id}'"
        hint = f"give the arm with the prompt {display_path(block.projected_prompt_path)} "
        return Problem(message, hint=f"{hint}'projected_from: {block.block_id}'")
    places = ", ".join(f"{arm.name} of {display_path(arm.grid)}" for arm in arms)
    message = f"several arms are projected from the block '{block.block_id}': {places}"
    return Problem(message, hint=f"call one of the grids '{block.target}', with one such arm")


def _same(one: Path, other: Path) -> bool:
    return one.resolve() == other.resolve()
