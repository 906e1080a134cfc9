"""What is planned of a grid."""

from dataclasses import replace
from pathlib import Path

import pytest
from grid_project import FOLDER, triage  # noqa: F401  (a fixture)

from judges.files.grid import load_grid
from judges.run.grid.plan import GridPlan, digest_plan, plan_grid
from judges.run.grid.produce import folder_name
from judges.run.options import RunOptions, Selection


@pytest.fixture
def plan(triage: Path) -> GridPlan:  # noqa: F811
    return plan_grid(load_grid(triage / FOLDER / "triage.grid.yaml"), RunOptions())


def test_the_repeats_of_a_cell_follow_each_other(plan: GridPlan) -> None:
    """Trials come cell by cell; a cell goes by arm, model and task."""
    trials = list(plan.trials())
    assert len(trials) == plan.trial_count == 48
    assert [trial.key for trial in trials[:4]] == [
        ("baseline/openai:gpt-4o-mini/down", "baseline", "openai:gpt-4o-mini", 1),
        ("baseline/openai:gpt-4o-mini/down", "baseline", "openai:gpt-4o-mini", 2),
        ("baseline/openai:gpt-4o-mini/down", "baseline", "openai:gpt-4o-mini", 3),
        ("baseline/openai:gpt-4o-mini/slow", "baseline", "openai:gpt-4o-mini", 1),
    ]


def test_an_arm_with_the_prompt_of_another_is_asked_anew(plan: GridPlan) -> None:
    """Its replicas have numbers of their own, so that no answer of the other's counts for it."""
    again = replace(plan, reruns=frozenset({"skill"}))
    assert (list(again.replicas("baseline")), list(again.replicas("skill"))) == ([1, 2, 3], [4, 5, 6])
    assert digest_plan(again) != digest_plan(plan)


@pytest.mark.parametrize(
    "options",
    [
        pytest.param(RunOptions(repeat=2), id="repeat"),
        pytest.param(RunOptions(arms=("skill",)), id="arms"),
        pytest.param(RunOptions(models=("openai:gpt-4o",)), id="models"),
        pytest.param(RunOptions(select=Selection(keywords=("typo",))), id="tasks"),
    ],
)
def test_another_selection_is_another_plan(plan: GridPlan, options: RunOptions) -> None:
    """A run is not gone on with other trials than it was started with."""
    other = plan_grid(plan.suite, options)
    assert digest_plan(other) != digest_plan(plan)
    assert digest_plan(plan_grid(plan.suite, RunOptions())) == digest_plan(plan)


def test_cells_with_names_alike_have_folders_of_their_own() -> None:
    """What a slug drops is in the digest."""
    names = [folder_name(ref) for ref in ("a/m/x y", "a/m/x-y", "a/m/X.y")]
    assert len(set(names)) == 3
    assert all(name.startswith("a-m-x-y-") for name in names)
