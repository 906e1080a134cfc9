"""What a gate decides where the truth is known: rates, intervals and decisions over many edits.

    SCAFFOLD_REFERENCE_DATA=FOLDER python benchmarks/gate_truth.py [--seeds 20] [--tasks 24] [--repeat 3]

Each edit is gated as `scaffold gate run` does it: tasks of BANKING77 with its 77 labels, two prompts and a
null control, the real OpenAI client, and a loopback server that is right at a known rate (truth_stub.py).
From the same samples the four ways to decide are compared. An accept of what loses more than one task's share
is false, and so is a reject of what loses nothing. A minute or two with the defaults.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import Any

from truth_stub import ACCURACY, TARGET, draw, read_tasks

from judges.files.gated import read_registry
from judges.providers.limit import Terms
from judges.reduce.gate import GateDecision, GateTerms, Rule, Sample, compute_verdict
from judges.reduce.gate_power import find_power
from judges.reduce.statistics import wilson_interval
from judges.run.connections import Connections
from judges.run.records import read_json
from scaffold.gate.decide import GateRequest, Measured, run_gate
from scaffold.gate.measure import GridMeasure
from scaffold.gate.plan import CANDIDATE, CURRENT, NULL_CONTROL, plan_gate

VARIABLE = "SCAFFOLD_REFERENCE_DATA"
CHANGES = (-0.2, -0.1, -0.05, 0.0, 0.1)
RULES = {
    "epsilon": (Rule.EPSILON, False),
    "paired": (Rule.PAIRED, False),
    "epsilon, null control": (Rule.EPSILON, True),
    "paired, null control": (Rule.PAIRED, True),
}
CONCURRENCY = 16
MARKERS = "<!-- eval-gate:block:truth:start -->\n{}\n<!-- eval-gate:block:truth:end -->\n"
ENTRY = {
    "source_file": "source.md",
    "block_id": "truth",
    "target": "truth",
    "projected_prompt_path": "prompt.txt",
    "template": "template.txt",
}
FOLDER = Path(".omniscitus/tests/grids")
GRID = """\
name: truth
arms:
  baseline: {prompt: ../../../template.txt, control: true}
  skill: {prompt: ../../../prompt.txt, projected_from: truth}
models: models.yaml
tasks: tasks.jsonl
labels: labels.json
"""


@dataclass(frozen=True)
class Edit:
    """One edit: what it changes in truth, what was measured, and what each rule decides."""

    change: float
    rates: tuple[float, float]
    rate_held: tuple[bool, bool]
    difference_held: bool
    decisions: Mapping[str, GateDecision]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--tasks", type=int, default=24)
    parser.add_argument("--repeat", type=int, default=3)
    options = parser.parse_args()
    if VARIABLE not in os.environ:
        sys.exit(f"set {VARIABLE} to the folder of the data (docs/explanation/evidence.md names the sources)")
    data = Path(os.environ[VARIABLE], "data")
    with serve(data) as url, tempfile.TemporaryDirectory() as folder:
        world = World(Path(folder), url, read_tasks(data), options.tasks, options.repeat)
        edits = [world.gate(change, seed) for change in CHANGES for seed in range(options.seeds)]
    print_table(edits, options.tasks, options.repeat)


@contextmanager
def serve(data: Path) -> Iterator[str]:
    """Start the model and yield its base URL."""
    command = [sys.executable, str(Path(__file__).with_name("truth_stub.py")), str(data)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield f"http://127.0.0.1:{process.stdout.readline().strip()}/v1"
        finally:
            process.terminate()


class World:
    """A project with a gated block, whose text says what is true of it."""

    def __init__(
        self, root: Path, url: str, tasks: Sequence[dict[str, str]], corpus: int, repeat: int
    ) -> None:
        self.root, self.all, self.corpus, self.repeat = root, tasks, corpus, repeat
        (root / FOLDER).mkdir(parents=True)
        self.write(".omniscitus/gated.yaml", json.dumps([ENTRY]))
        self.write("template.txt", "{{block}}\n{{input}}")
        self.write(FOLDER / "truth.grid.yaml", GRID)
        self.write(FOLDER / "models.yaml", json.dumps([{"name": "openai:truth", "base_url": url}]))
        self.write(FOLDER / "labels.json", json.dumps(sorted({task["label"] for task in tasks})))

    def write(self, path: str | Path, text: str) -> None:
        """Write a file of the project."""
        (self.root / path).write_text(text, encoding="utf-8")

    def gate(self, change: float, seed: int) -> Edit:
        """Gate one edit, and hold what was measured to what was answered."""
        target, *corpus = Random(seed).sample(self.all, self.corpus + 1)
        tasks = [self.task(number, task) for number, task in enumerate(corpus)]
        self.write(FOLDER / "tasks.jsonl", "".join(f"{json.dumps(task)}\n" for task in tasks))
        blocks = {
            arm: json.dumps({"change": change, "arm": arm, "seed": seed}) for arm in (CURRENT, CANDIDATE)
        }
        self.write("source.md", MARKERS.format(blocks[CURRENT]))
        self.write("prompt.txt", f"{blocks[CURRENT]}\n{{{{input}}}}")
        self.write("candidate.md", MARKERS.format(blocks[CANDIDATE]))
        plan = plan_gate(
            read_registry(self.root / ".omniscitus/gated.yaml", self.root),
            "truth",
            repeat=self.repeat,
            null_control=True,
        )
        last = self.task(self.corpus, target, TARGET)
        kept: list[Measured] = []
        connections = Connections(environ={"OPENAI_API_KEY": "none"}, terms=Terms(concurrency=CONCURRENCY))
        measure = GridMeasure(
            plan=plan, connections=connections, consent=lambda _: None, concurrency=CONCURRENCY, quiet=True
        )

        def measured(*arguments: Any) -> Measured:
            kept.append(measure(*arguments))
            return kept[-1]

        request = GateRequest(
            plan=plan, candidate_file=self.root / "candidate.md", target_task=json.dumps(last)
        )
        verdict = run_gate(request, measured, datetime.now(UTC))
        samples = kept[0].samples
        check_answers(samples, blocks, [*tasks, last], self.repeat)
        decisions = decide(samples, last["id"])
        assert verdict["decision"] == decisions["epsilon, null control"]
        return Edit(change, *self.hold(change, kept[0], last["id"]), decisions)

    def task(self, number: int, task: Mapping[str, str], mark: str = "") -> dict[str, str]:
        """Return a task of the data as one of the grid."""
        return {"id": f"t{number}", "input": mark + task["text"], "golden_label": task["label"]}

    def hold(
        self, change: float, measured: Measured, target: str
    ) -> tuple[tuple[float, float], tuple[bool, bool], bool]:
        """Return the rates, and whether their intervals and that of the difference hold the truth."""
        run = self.root / ".omniscitus/runs" / measured.about["run"] / "gate-truth"
        cells = [cell for cell in read_json(run / "grade.json")["summary"]["cells"] if cell["task"] != target]
        means = {
            arm: [cell["mean"] / 100 for cell in cells if cell["arm"] == arm] for arm in (CURRENT, CANDIDATE)
        }
        held, rates = [], []
        for truth, values in zip((ACCURACY, ACCURACY + change), means.values(), strict=True):
            interval = wilson_interval(sum(values), len(values))
            assert interval is not None
            held.append(interval.low <= truth <= interval.high)
            rates.append(sum(values) / len(values))
        verdict = compute_verdict(
            measured.samples[CURRENT],
            measured.samples[CANDIDATE],
            target,
            terms=GateTerms(rule=Rule.PAIRED),
        )
        assert verdict.paired is not None
        interval = verdict.paired.interval
        inside = interval is not None and interval.low <= change <= interval.high
        return (rates[0], rates[1]), (held[0], held[1]), inside


def check_answers(
    samples: Mapping[str, Sequence[Sample]],
    blocks: Mapping[str, str],
    tasks: Sequence[Mapping[str, str]],
    repeat: int,
) -> None:
    """Fail unless exactly as many outputs were found right as were; the null control has the current prompt.

    Answers to one prompt are counted together, as they come in any order.
    """
    arms = {CURRENT: (CURRENT, NULL_CONTROL), CANDIDATE: (CANDIDATE,)}
    for arm, asked in arms.items():
        prompts = [f"{blocks[arm]}\n{task['input']}" for task in tasks]
        answered = sum(draw(prompt, time) for prompt in prompts for time in range(repeat * len(asked)))
        found = sum(sample.value for name in asked for sample in samples[name])
        assert found == answered, f"{arm}: {found} found right, {answered} were"


def decide(samples: Mapping[str, Sequence[Sample]], target: str) -> dict[str, GateDecision]:
    """Return what each rule decides from the same samples."""
    return {
        name: compute_verdict(
            samples[CURRENT],
            samples[CANDIDATE],
            target,
            terms=GateTerms(rule=rule),
            null=samples[NULL_CONTROL] if null else (),
        ).decision
        for name, (rule, null) in RULES.items()
    }


def print_table(edits: Sequence[Edit], tasks: int, repeat: int) -> None:
    print(f"{tasks} tasks of 77 labels x {repeat} repeats, {ACCURACY:.0%} right with the current text")
    print(f"\n{'change':<8}{'edits':>6}{'measured':>18}{'intervals that hold':>22}")
    print(f"{'':<8}{'':>6}{'current candidate':>18}{'rates  difference':>22}")
    for change in CHANGES:
        group = [edit for edit in edits if edit.change == change]
        current, candidate = (sum(edit.rates[at] for edit in group) / len(group) for at in (0, 1))
        held = [each for edit in group for each in edit.rate_held]
        inside = [edit.difference_held for edit in group]
        print(
            f"{say(change):<8}{len(group):>6}{current:>9.1%}{candidate:>9.1%}"
            f"{share(held):>11.0%}{share(inside):>11.0%}"
        )
    for name in RULES:
        print_rule(name, edits, tasks, repeat)


def print_rule(name: str, edits: Sequence[Edit], tasks: int, repeat: int) -> None:
    """Print what a rule decides in percent, and with what interval its decisions are false."""
    print(f"\n{name:<24}{'accept':>8}{'reject':>8}{'open':>8}   false")
    for change in CHANGES:
        found = [edit.decisions[name] for edit in edits if edit.change == change]
        counts = [found.count(decision) for decision in GateDecision]
        wrong = counts[0] if change < -1 / tasks else counts[1] if change >= 0 else None
        shares = "".join(f"{count / len(found):>8.0%}" for count in counts)
        print(f"{say(change):<24}{shares}   {false_share(wrong, len(found), change)}")
    if name == "epsilon":
        power = find_power(tasks=tasks, samples=repeat, current_rate=ACCURACY)
        print(f"the power says: reject {power.caught:.0%} at -10, {power.false_alarm:.0%} at none")


def false_share(wrong: int | None, total: int, change: float) -> str:
    if wrong is None:
        return "(within one task)"
    interval = wilson_interval(wrong, total)
    assert interval is not None
    what = "accepts" if change < 0 else "rejects"
    return f"{what} {wrong / total:.0%} ({interval.low:.0%} to {interval.high:.0%})"


def say(change: float) -> str:
    return f"{100 * change:+.0f}" if change else "none"


def share(held: Sequence[bool]) -> float:
    return sum(held) / len(held)


if __name__ == "__main__":
    main()
