"""The suite that `scaffold add-prompt demo` writes, and what holds for each that it writes."""

from pathlib import Path

from judges.files.lint import lint
from judges.files.load import load_suite
from judges.files.suite import PromptSuite
from judges.files.template import read_prompt

SUITE = Path(".omniscitus/tests/prompts/demo")


def load(folder: Path = SUITE) -> PromptSuite:
    return load_suite(folder / "prompt-meta.yaml")


def files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def assert_clean(suite: PromptSuite) -> None:
    """The suite has no finding, and its target, or that of each arm, takes the input of every case."""
    targets = [arm.target for arm in suite.arms] or [suite.target]
    prompts = [read_prompt(target) for target in targets if target is not None]
    assert len(prompts) == len(targets)
    assert lint(suite, *prompts) == ()
    assert suite.notices == ()
    for case in suite.cases:
        assert all(prompt.render(case.input) for prompt in prompts)
