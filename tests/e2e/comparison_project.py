"""A comparison of recorded outputs that tell how good they are, and a judge that reads it there."""

import json
import re
from pathlib import Path
from typing import Any

from loopback import Reply, openai_text

HEAD = """\
prompt_name: greeting
judge: {model: "openai:gpt-4o", max_retries: 1}
criteria:
  - {name: tone, rubric: Is the greeting kind?}
  - {name: safety, rubric: Is it free of insults?}
"""
CHECKS = """\
checks:
  - {name: filled, type: deterministic, rule: output.length > 0}
  - {name: invents, type: llm_judge, prompt: "Is {output} made up?", pass_condition: "NO"}
"""
RECORDED = "evaluation: {type: comparison, arms: {a: {outputs: a.jsonl}, b: {outputs: b.jsonl}}}\n"
PAIRS = {
    "better": ("good 1", "good 3"),
    "worse": ("good 3", "good 1"),
    "same": ("good 2", "good 2!"),
    "swayed": ("first", "first!"),
}
FIELD = re.compile(r'<field-\w+ name="output(?:\.([AB]))?">\n(.*?)\n</field', re.DOTALL)


def write(project: Path, text: str, pairs: dict[str, tuple[str, str]] = PAIRS) -> None:
    folder = project / ".omniscitus/tests/prompts/greeting"
    cases = "".join(f"  - {{title: {ref}, input: {{name: {ref}}}}}\n" for ref in pairs)
    (folder / "prompt-meta.yaml").write_text(f"{text}cases:\n{cases}")
    for index, arm in enumerate("ab"):
        lines = (
            json.dumps({"ref": ref, "output": outputs[index]}) + "\n"
            for ref, outputs in pairs.items()
            if outputs[index] is not None
        )
        (folder / f"{arm}.jsonl").write_text("".join(lines))


def prefer(outputs: dict[str, str]) -> str:
    """A judge that compares the numbers, and that "first" sways towards what comes first."""
    if any("first" in output for output in outputs.values()):
        return "A"
    one, other = (int(re.sub(r"\D", "", outputs[letter]) or 0) for letter in "AB")
    return "tie" if one == other else "A" if one > other else "B"


def judge(body: Any) -> Reply:
    names = body["response_format"]["json_schema"]["schema"]["properties"]
    outputs = dict(FIELD.findall(body["messages"][1]["content"]))
    answer = ("YES" if "invented" in outputs[""] else "NO") if "" in outputs else prefer(outputs)
    return openai_text(
        json.dumps(
            {name: {"evidence": [], "reasoning": f"{answer} it is", "answer": answer} for name in names}
        )
    )
