"""The two arms of a comparison: the files that they name, found, and their recorded outputs."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from judges.core.errors import ConfigError, Problem
from judges.files.document import Loc
from judges.files.evaluation_meta import ArmSpec, ModelSpec
from judges.files.problems import gather, raise_any
from judges.files.source import Source
from judges.files.suite import Arm

ARMS = ("a", "b")


def read_arms(source: Source, target: Path | None, runner: Path | None) -> tuple[Arm, ...]:
    """Return the arms of a suite; none where it compares nothing.

    An arm that says nothing of where its outputs come from has the suite's runner, or else its target.

    Raises:
        ConfigError: files that they name are missing, or cannot be read; with the problems of both.
    """
    arms: list[Arm] = []
    problems: list[Problem] = []
    if source.meta.evaluation.arms is not None:
        for name in ARMS:
            with gather(problems):
                spec = getattr(source.meta.evaluation.arms, name)
                arms.append(_inherit(_read(source, name, spec), target, runner))
    raise_any(problems)
    return tuple(arms)


def _read(source: Source, name: str, spec: ArmSpec) -> Arm:
    loc = ("evaluation", "arms", name)
    outputs = source.file(spec.outputs, (*loc, "outputs"))
    return Arm(
        name=name,
        target=source.file(spec.target, (*loc, "target"), source.root),
        runner=source.file(spec.runner, (*loc, "runner")),
        outputs=_outputs(source, outputs, (*loc, "outputs")) if outputs else None,
        model=ModelSpec(name=spec.model) if isinstance(spec.model, str) else spec.model,
    )


def _inherit(arm: Arm, target: Path | None, runner: Path | None) -> Arm:
    if arm.outputs is not None or arm.target or arm.runner:
        return arm
    return replace(arm, runner=runner) if runner else replace(arm, target=target)


def _outputs(source: Source, path: Path, loc: Loc) -> Mapping[str, str]:
    from judges.files.outputs import read_outputs

    try:
        return read_outputs(path)
    except ConfigError as error:
        raise source.document.blame(loc, error) from None
