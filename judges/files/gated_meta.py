"""The registry of gated blocks, `gated.yaml`, as authors write it: a list of entries."""

from typing import Annotated

from pydantic import AfterValidator, Field, StrictStr, model_validator

from judges.files.blocks import default_markers
from judges.files.grid_meta import BlockId, Text
from judges.files.model import FileModel, Name


def _one_line(value: str) -> str:
    if len(value.splitlines()) > 1 or value != value.strip():
        raise ValueError("expected a single line without blanks around it")
    return value


MarkerText = Annotated[StrictStr, Field(min_length=1), AfterValidator(_one_line)]


class GatedSpec(FileModel):
    """A block of a source file, and the prompt that is projected from it."""

    source_file: Text = Field(description="the file that holds the block; all paths start at the root")
    block_id: BlockId = Field(description="names the block, once in the registry")
    block_start_marker: MarkerText | None = Field(
        None, description="stands before the block; default: `<!-- eval-gate:block:ID:start -->`"
    )
    block_end_marker: MarkerText | None = Field(
        None, description="stands after the block; default: `<!-- eval-gate:block:ID:end -->`"
    )
    target: Name = Field(description="what commands call the block's prompt, once in the registry")
    projected_prompt_path: Text = Field(description="the prompt that `scaffold project` writes")
    template: Text | None = Field(
        None, description="a text with `{{block}}` where the block goes; default: the block alone"
    )

    @property
    def markers(self) -> tuple[str, str]:
        """The start and the end marker."""
        start, end = default_markers(self.block_id)
        return self.block_start_marker or start, self.block_end_marker or end

    @model_validator(mode="after")
    def _told_apart(self) -> "GatedSpec":
        start, end = self.markers
        if start in end or end in start:
            raise ValueError("neither of the two markers may be part of the other")
        return self
