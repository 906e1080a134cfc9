"""What changed between two runs of a grid."""

from typing import Any

from judges.reduce.grid_changes import find_arm_shifts


def cells(arm: str, **means: list[float | None]) -> list[dict[str, Any]]:
    """The cells of an arm: by task the means of two models."""
    return [
        {"arm": arm, "model": model, "task": task, "mean": mean}
        for task, both in means.items()
        for model, mean in zip("mn", both, strict=True)
    ]


def test_the_unit_is_the_task() -> None:
    """Models of a task are averaged; each arm has a shift of its own."""
    before = [*cells("a", x=[0, 50], y=[100, 100]), *cells("b", x=[0, 0], y=[0, 0])]
    after = [*cells("a", x=[100, 100], y=[100, 50]), *cells("b", x=[0, 0], y=[0, 0])]
    shifts = find_arm_shifts(before, after)
    a, b = shifts["arm a"], shifts["arm b"]
    assert (list(shifts), a.cases, a.mean, a.wins, a.losses) == (["arm a", "arm b"], 2, 25.0, 1, 1)
    assert (b.mean, b.interval, b.ties) == (0.0, None, 2)


def test_only_what_both_runs_have() -> None:
    """A cell that one run lacks or could not measure is no part of the comparison."""
    before = [*cells("a", x=[0, None], y=[100, 100]), *cells("gone", x=[1, 1])]
    after = [*cells("a", x=[100, 0], z=[0, 0]), *cells("new", x=[1, 1])]
    shifts = find_arm_shifts(before, after)
    assert {name: (shift.cases, shift.mean) for name, shift in shifts.items()} == {"arm a": (1, 100.0)}
