"""Speed and memory of a whole run beside the floor, on the same machine at the same time.

    python benchmarks/throughput.py [--cases 2000] [--concurrency 100] [--latency-ms 200]
                                    [--memory] [--cached]

One judge call a case. The run reads the cases from a file, judges recorded outputs with the real OpenAI
client against a stub, and writes its run directory; the floor only makes the same calls. The goal is at most
1.5 times the floor's wall time and CPU. `--memory` also runs ten times the cases, without latency: the goal
is at most 2 kB more a case. `--cached` runs 10,000 cases twice, the second time from the cache (the goal is
at most 3 s of CPU), and validates 100 inline cases (at most 0.5 s).
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
SCAFFOLD = [sys.executable, "-m", "scaffold"]
SUITE = """
type: prompt
prompt_name: load
target: prompt.md
judge: {model: "openai:gpt-4o"}
evaluation: {type: multi_criteria}
criteria:
  - name: correctness
    weight: 0.6
    scale: 5
    rubric: |
      Does the reply answer the question?
      5: Completely and correctly
      3: In part
      1: Not at all
  - name: safety
    weight: 0.4
    scale: 5
    rubric: |
      Does the reply keep to the rules?
      5: It keeps all of them
      3: It bends one
      1: It breaks one
thresholds: {pass: 70, warn: 50}
cases: {source: external, pattern: "cases.jsonl"}
"""


@dataclass(frozen=True)
class Cost:
    """Seconds of wall time and CPU, and the most memory in MB, of one process."""

    wall: float
    cpu: float
    megabytes: float


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--cases", type=int, default=2000)
    parser.add_argument("--concurrency", type=int, default=100)
    parser.add_argument("--latency-ms", type=float, default=200)
    parser.add_argument("--memory", action="store_true")
    parser.add_argument("--cached", action="store_true")
    options = parser.parse_args()
    with stub(options.latency_ms) as url:
        run = measure_run(url, options.cases, options.concurrency)
        floor = measure_floor(url, options.cases, options.concurrency)
    ideal = options.cases * options.latency_ms / 1000 / options.concurrency
    print(f"{options.cases} cases, {options.concurrency} in flight, {options.latency_ms:g} ms a call")
    print(f"{'':<14}{'wall s':>8}{'CPU s':>8}{'peak MB':>9}")
    print(f"{'ideal':<14}{ideal:>8.1f}")
    for name, cost in (("bare client", floor), ("scaffold run", run)):
        print(f"{name:<14}{cost.wall:>8.1f}{cost.cpu:>8.1f}{cost.megabytes:>9.0f}")
    print(f"{'ratio':<14}{run.wall / floor.wall:>8.2f}{run.cpu / floor.cpu:>8.2f}")
    if options.memory:
        print_memory(options.cases, options.concurrency)
    if options.cached:
        print_cached(10_000)
        print_validate(100)


def print_memory(cases: int, concurrency: int) -> None:
    with stub(0) as url:
        small, large = (measure_run(url, count, concurrency) for count in (cases, 10 * cases))
    growth = (large.megabytes - small.megabytes) * 1000 / (9 * cases)
    print(f"memory: {small.megabytes:.0f} MB for {cases} cases, {large.megabytes:.0f} MB for {10 * cases}")
    print(f"        {growth:.2f} kB more a case")


def print_cached(cases: int) -> None:
    with stub(0) as url, tempfile.TemporaryDirectory() as folder:
        write_suite(Path(folder), cases)
        command = [*SCAFFOLD, "run", "-q", "-y"]
        first, again = (measure(command, cwd=folder, env={"OPENAI_BASE_URL": url}) for _ in range(2))
    print(f"cached: {cases} cases, {first.cpu:.1f} s CPU, then {again.cpu:.1f} s from the cache")


def print_validate(cases: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        write_suite(Path(folder), 1)
        suite = next(Path(folder).rglob("prompt-meta.yaml"))
        head, _, _ = suite.read_text().partition("cases:")
        items = (f"  - {{title: Case {n}, input: {{question: Number {n}?}}}}\n" for n in range(cases))
        suite.write_text(f"{head}cases:\n{''.join(items)}")
        cost = measure([*SCAFFOLD, "validate"], cwd=folder)
    print(f"validate: {cases} cases, {cost.wall:.2f} s, {cost.cpu:.2f} s CPU")


@contextmanager
def stub(latency_ms: float) -> Iterator[str]:
    """Start the stub and yield its base URL."""
    command = [sys.executable, str(HERE / "stub.py"), str(latency_ms)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield f"http://127.0.0.1:{process.stdout.readline().strip()}/v1"
        finally:
            process.terminate()


def measure_run(url: str, cases: int, concurrency: int) -> Cost:
    """Run a suite of its own in a project of its own."""
    with tempfile.TemporaryDirectory() as folder:
        write_suite(Path(folder), cases)
        command = [*SCAFFOLD, "run", "-q", "-y", "--concurrency", str(concurrency)]
        report = Path(folder, "report.json")
        cost = measure([*command, "--json", str(report)], cwd=folder, env={"OPENAI_BASE_URL": url})
        totals = json.loads(report.read_text())["totals"]
    assert totals["passed"] == totals["cases"] == cases, totals
    return cost


def write_suite(project: Path, cases: int) -> None:
    suite = project / ".omniscitus/tests/prompts/load"
    suite.mkdir(parents=True)
    (suite / "prompt-meta.yaml").write_text(SUITE)
    (project / "prompt.md").write_text("Answer {question}\n")
    with (suite / "cases.jsonl").open("w") as file:
        for number in range(cases):
            case = {
                "title": f"Case {number}",
                "category": "element",
                "input": {"question": f"What is the status of order {number}?"},
                "expected_behavior": "Says when the order arrives.",
                "output": f"Order {number} is on its way and arrives tomorrow. " * 10,
            }
            file.write(json.dumps(case) + "\n")


def measure_floor(url: str, calls: int, concurrency: int) -> Cost:
    """Make the same calls with the last request that the stub saw."""
    with urllib.request.urlopen(url.removesuffix("/v1") + "/last") as response:
        request = response.read()
    return measure([sys.executable, str(HERE / "floor.py"), url, str(calls), str(concurrency)], stdin=request)


def measure(
    command: list[str], *, cwd: str | None = None, env: dict[str, str] | None = None, stdin: bytes = b""
) -> Cost:
    """Return what a command cost, from its start to its end."""
    with tempfile.TemporaryFile() as source:
        source.write(stdin)
        source.seek(0)
        started = time.perf_counter()
        process = subprocess.Popen(
            command, cwd=cwd, env={**os.environ, **(env or {})}, stdin=source, stdout=subprocess.DEVNULL
        )
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - started
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, command
    return Cost(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


if __name__ == "__main__":
    main()
