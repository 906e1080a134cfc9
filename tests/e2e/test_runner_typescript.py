"""Runners and cases in TypeScript, with the real tsx."""

from pathlib import Path

from command_line import Cli
from runner_project import WriteRunner, cases, run

TYPESCRIPT = """\
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

type Case = { title: string; input: { name: string } };
const answer = (reply: object) => console.log(JSON.stringify(reply));

for await (const line of createInterface({ input: process.stdin })) {
  const { id, input, cases, file } = JSON.parse(line);
  if (cases) {
    const module: { default: Case[] } = await import(pathToFileURL(file).href);
    answer({ id, cases: module.default });
  } else {
    answer({ id, output: `Hello ${input.name as string}` });
  }
}
"""
CASES = """\
const names: readonly string[] = ["Ann", "Bob"];
export default names.map((name) => ({ title: name, input: { name }, tags: ["people"] }));
"""


def test_typescript(cli: Cli, project: Path, write_runner: WriteRunner, node_modules: Path) -> None:
    """A TypeScript runner makes the outputs, and reads the cases that stand in TypeScript files."""
    (project / "node_modules").symlink_to(node_modules)
    path = write_runner(TYPESCRIPT, "runner.mts")
    suite = path.with_name("prompt-meta.yaml")
    text = suite.read_text()
    suite.write_text(text[: text.index("cases:")] + 'cases: {source: external, pattern: "cases/**/*.mts"}\n')
    path.with_name("cases").mkdir()
    path.with_name("cases").joinpath("people.mts").write_text(CASES)
    assert "greeting: 2 cases (2 element)" in cli("validate").out
    result = run(cli, "--tag", "people")
    assert result.code == 0
    found = [(case["ref"], case["output"]) for case in cases(result)]
    assert found == [("people/ann", "Hello Ann"), ("people/bob", "Hello Bob")]


def test_typescript_without_tsx(cli: Cli, project: Path, write_runner: WriteRunner) -> None:
    """Without tsx nothing is fetched: the command that installs it is named."""
    write_runner(TYPESCRIPT, "runner.ts")
    result = cli("run", "greeting")
    assert (result.code, result.out) == (2, "")
    assert "the runner needs tsx, which npx does not find (npm install --save-dev tsx)" in result.err
    assert not (project / ".omniscitus/runs").exists()
