"""The benchmark of gates: its world is what it says, and it measures what it was answered."""

import importlib.util
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def truth() -> ModuleType:
    """The world of the benchmark."""
    folder = ROOT / "benchmarks"
    sys.path.insert(0, str(folder))
    spec = importlib.util.spec_from_file_location("truth_stub", folder / "truth_stub.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    sys.path.remove(str(folder))
    return module


@pytest.mark.parametrize("change", [-0.2, -0.05, 0.0, 0.1])
def test_arms_are_right_as_often_as_they_say(truth: ModuleType, change: float) -> None:
    """Over all tasks the current text has 80 %, the candidate so much more or less; rates stay in 0 to 1."""
    tasks = [f"task {number}" for number in range(20_000)]
    current, candidate = (
        [truth.rate(change, arm, task) for task in tasks] for arm in ("current", "candidate")
    )
    assert sum(current) / len(tasks) == pytest.approx(0.8, abs=0.005)
    assert sum(candidate) / len(tasks) == pytest.approx(0.8 + change, abs=0.005)
    assert 0 <= min(candidate) <= max(candidate) <= 1
    assert all(before == after for before, after in zip(current, candidate, strict=True)) == (change == 0)


@pytest.mark.reference
def test_a_small_run(reference_data: Path) -> None:
    """It fails where the outputs that were found right are not those that were, and prints every rule."""
    command = [
        sys.executable,
        ROOT / "benchmarks/gate_truth.py",
        "--seeds",
        "1",
        "--tasks",
        "3",
        "--repeat",
        "1",
    ]
    done = subprocess.run(
        command, env=dict(os.environ), capture_output=True, text=True, check=False, timeout=120
    )
    assert (done.returncode, done.stderr) == (0, "")
    lines = [line.split("  ")[0] for line in done.stdout.splitlines()]
    assert [line for line in lines if line.startswith(("epsilon", "paired"))] == [
        "epsilon",
        "paired",
        "epsilon, null control",
        "paired, null control",
    ]
    assert (
        sum(line.startswith(("-20", "-10", "-5", "none", "+10")) for line in done.stdout.splitlines()) == 25
    )
