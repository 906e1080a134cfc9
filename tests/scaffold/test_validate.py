"""`scaffold validate` and `scaffold schema`, from the command line to exit code and message."""

import json
import resource
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from scaffold.__main__ import run

FOLDER = Path(".omniscitus", "tests", "greet")
FILE = FOLDER / "prompt-meta.yaml"
RUBRIC = "rubric: |\n      Is it so?\n      5: a\n      4: b\n      3: c\n      2: d\n      1: e\n"
CRITERIA = (
    f"criteria:\n  - name: tone\n    weight: 0.4\n    {RUBRIC}  - name: safety\n    weight: 0.6\n    {RUBRIC}"
)
ONE = "criteria: [{name: safety, weight: 1, rubric: r.md}]\n"
CATEGORIES = ["element"] * 6 + ["mixed", "mixed", "edge", "zero_condition"]
CASES = "cases:\n" + "".join(f"  - {{title: c{i}, category: {each}}}\n" for i, each in enumerate(CATEGORIES))
HEAD = f"prompt_name: greet\n{CRITERIA}"
GOOD = f"{HEAD}{CASES}"
SUMMARY = "greet: 10 cases (6 element, 2 mixed, 1 edge, 1 zero_condition); criteria: tone 0.4, safety 0.6\n"

Validate = Callable[..., tuple[int, str, str]]


@pytest.fixture
def validate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Validate:
    """Run the command in an empty project; return exit code, output and errors."""
    (tmp_path / FOLDER).mkdir(parents=True)
    monkeypatch.chdir(tmp_path)

    def validate(*args: str) -> tuple[int, str, str]:
        code = run(["validate", *args])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return validate


def test_a_good_suite_gives_one_line(validate: Validate) -> None:
    """Name, cases by category and criteria, and nothing else."""
    FILE.write_text(GOOD)
    assert validate() == (0, SUMMARY, "")


@pytest.mark.parametrize("name", ["greet", str(FILE), str(FOLDER), "."])
def test_suites_are_named_by_name_file_or_folder(validate: Validate, name: str) -> None:
    """A suite has a name; a file is taken as it is; a folder is searched."""
    FILE.write_text(GOOD)
    assert validate(name) == (0, SUMMARY, "")


def test_recorded_answers_that_nothing_finds(validate: Validate) -> None:
    """A slip in the recorded answers beside the suite is a notice, and no mistake even if strict."""
    FILE.write_text(GOOD)
    line = '{"ref": "c1", "question": "criteria.saftey", "answer": 4}\n'
    FILE.with_name("replay.jsonl").write_text(line * 3)
    code, out, err = validate("--strict")
    assert (code, out) == (0, SUMMARY)
    assert err == (
        f"Notice: {FILE}: {FOLDER}/replay.jsonl has answers of questions that the suite does not have: "
        "'criteria.saftey' (3 lines; did you mean 'criteria.safety'?)\n"
    )


def test_no_suite_is_no_success(validate: Validate) -> None:
    """An empty project exits 4 and says what to do."""
    assert validate() == (4, "", "No suite found. Write one with: scaffold add-prompt NAME\n")


def test_an_unknown_name_is_refused(validate: Validate) -> None:
    """A name that fits nothing says what is close."""
    FILE.write_text(GOOD)
    assert validate("gret") == (2, "", "Error: there is no suite 'gret' (did you mean 'greet'?)\n")


def test_a_dangling_link_that_is_named_is_explained(validate: Validate) -> None:
    """A link to nothing is no unknown name."""
    Path("suite.yaml").symlink_to("gone.yaml")
    code, _, err = validate("suite.yaml")
    assert (code, err) == (
        2,
        "Error: suite.yaml: is a link to gone.yaml, which does not exist (correct the link)\n",
    )


def write_bytes(data: bytes) -> Callable[[], object]:
    return lambda: FILE.write_bytes(data)


def write(text: str) -> Callable[[], object]:
    return lambda: FILE.write_text(text)


LAUGHS = "a0: &a0 [x]\n" + "".join(f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 9)}]\n" for i in range(1, 12))


BAD = {
    "empty": (write(""), "is empty (expected YAML)"),
    "comments": (write("# none\n"), "holds only comments (expected YAML)"),
    "binary": (write_bytes(b"\x89PNG\r\n\x1a\n\0\0"), "is binary, not text (name a text file)"),
    "latin-1": (write_bytes(b"a: \xff"), "1:4: is not UTF-8 text (save the file as UTF-8)"),
    "nul": (write("a: \0"), "is binary, not text (name a text file)"),
    "10 MB": (
        write("x" * 10_000_001),
        "is longer than 10 MB (shorten it, or keep cases in JSONL or CSV files)",
    ),
    "laughs": (write(LAUGHS), "1:5: the aliases make the file too large (write the values out)"),
    "tab": (write("judge:\n\tmodel: x\n"), "2:1: a tab is used for indentation (indent with spaces)"),
    "twice": (
        write(f"type: prompt\ntype: prompt\n{GOOD}"),
        "2:1: the key 'type' is given twice, first at line 1, column 1",
    ),
    "unknown": (write(f"thresold: 1\n{GOOD}"), "1:1: thresold: unknown key (did you mean 'thresholds'?)"),
    "negative": (write(GOOD.replace("0.4", "-1")), "4:13: criteria[0].weight: must be at least 0, found -1"),
    "all 0": (
        write(GOOD.replace("0.4", "0").replace("0.6", "0")),
        "4:13: criteria[0].weight: all weights are 0 (give one criterion a weight)",
    ),
    "nan": (
        write(GOOD.replace("0.4", ".nan")),
        "4:13: criteria[0].weight: expected a finite number, found nan",
    ),
    "inf": (
        write(GOOD.replace("0.4", "-.inf")),
        "4:13: criteria[0].weight: expected a finite number, found -inf",
    ),
    "digits": (
        write(GOOD.replace("0.4", "9" * 5000)),
        "4:13: a number with 5000 digits is too long (put it in quotes)",
    ),
    "huge": (
        write(f"thresholds: {{pass: 1{'0' * 100}}}\n{GOOD}"),
        f"1:20: thresholds.pass: must be at most 100, found 1{'0' * 58}…",
    ),
    "700": (
        write(f"thresholds: {{pass: 700}}\n{GOOD}"),
        "1:20: thresholds.pass: must be at most 100, found 700",
    ),
    "min>max": (
        write(GOOD.replace("category: edge", "expected_score_range: {min: 2, max: 1}")),
        "30:39: cases[8].expected_score_range: min (2) must not be above max (1)",
    ),
    "names": (
        write(GOOD.replace("tone", "Safety")),
        "12:11: criteria[1].name: 'safety' is there already, in line 3",
    ),
    "rubric": (
        write(f"prompt_name: greet\n{ONE}{CASES}"),
        "2:46: criteria[0].rubric: .omniscitus/tests/greet/r.md: does not exist (check the path)",
    ),
    "rubric ..": (
        write(f"prompt_name: greet\n{ONE.replace('r.md', '../../../../r.md')}{CASES}"),
        "2:46: criteria[0].rubric: '../../../../r.md' leaves the project root ROOT "
        "(move it inside, or pass --allow-outside)",
    ),
    "target": (write(f"target: p.md\n{GOOD}"), "1:9: target: p.md: does not exist (check the path)"),
    "target ..": (
        write(f"target: ../p.md\n{GOOD}"),
        "1:9: target: '../p.md' leaves the project root ROOT (move it inside, or pass --allow-outside)",
    ),
    "folder": (FILE.mkdir, "is a folder (name a file)"),
    "dangling": (
        lambda: FILE.symlink_to("gone.yaml"),
        "is a link to gone.yaml, which does not exist (correct the link)",
    ),
    "list": (write("- a\n"), "1:1: expected a mapping, found a list"),
    "scalar": (write("text\n"), "1:1: expected a mapping, found 'text'"),
    "deep": (write("[" * 100_000), "1:1001: is nested deeper than 64 levels"),
    "deeper": (write(f"x-deep: {'[' * 70}{']' * 70}\n{GOOD}"), "1:71: is nested deeper than 64 levels"),
    "rule": (
        write(f"checks: [{{name: a, type: deterministic, rule: 'output.length >'}}]\n{GOOD}"),
        "1:47: checks[0].rule: check 'a': is not a JavaScript expression: unexpected token in "
        "expression: ')' (write one expression, such as output.length > 0)",
    ),
    "value": (
        write(f"checks: [{{name: a, type: deterministic, strategy: max_length, value: long}}]\n{GOOD}"),
        "1:70: checks[0].value: check 'a': found 'long', expected a whole number from 0",
    ),
    "older": (
        write("evaluation: multi_criteria\ncases: external\n"),
        "1:1: evaluation: this is an older shape of the file: 'evaluation' is a mapping now "
        "(convert it: scaffold migrate .omniscitus/tests/greet/prompt-meta.yaml)\n"
        "Error: .omniscitus/tests/greet/prompt-meta.yaml:2:1: cases: this is an older shape of the file: "
        "'cases' is a mapping now "
        "(convert it: scaffold migrate .omniscitus/tests/greet/prompt-meta.yaml)",
    ),
}


@pytest.mark.parametrize(("make", "message"), BAD.values(), ids=BAD)
def test_bad_files_exit_2_with_a_sentence(
    validate: Validate, tmp_path: Path, make: Callable[[], object], message: str
) -> None:
    """Each kind of bad file is refused with what is wrong, where, and what to do."""
    make()
    code, out, err = validate()
    place = "" if message[0].isdigit() else " "
    assert (code, out) == (2, "")
    assert err.replace(str(tmp_path), "ROOT") == f"Error: {FILE}:{place}{message}\n"


def test_a_bad_target_is_told_where_it_is_named(validate: Validate) -> None:
    """A prompt that cannot be read as what it is blamed on the key that names it."""
    FILE.write_text(f"target: p.jinja\n{GOOD}")
    Path("p.jinja").write_text("{% for")
    assert validate() == (
        2,
        "",
        f"Error: {FILE}:1:9: target: p.jinja:1: not valid Jinja: unexpected 'end of template'\n",
    )


def test_all_errors_of_all_files_are_told_and_good_suites_too(validate: Validate, tmp_path: Path) -> None:
    """One bad suite hides neither another bad one nor a good one."""
    FILE.write_text(GOOD)
    for name in ("a", "b"):
        (FOLDER.parent / name).mkdir()
        (FOLDER.parent / name / "prompt-meta.yaml").write_text(f"targt: x\n{GOOD}")
    code, out, err = validate()
    assert (code, out) == (2, SUMMARY)
    assert err.splitlines() == [
        f"Error: .omniscitus/tests/{name}/prompt-meta.yaml:1:1: targt: unknown key (did you mean 'target'?)"
        for name in ("a", "b")
    ]


def test_remarks_are_notices(validate: Validate) -> None:
    """What often goes wrong is told at its place, and fails nothing."""
    FILE.write_text(GOOD.replace("0.4", "0.3"))
    code, out, err = validate()
    assert (code, out) == (0, SUMMARY.replace("0.4", "0.3"))
    assert err == f"Notice: {FILE}:3:3: criteria: the weights sum to 0.9, not to 1: they are normalised\n"


def test_remarks_are_errors_when_strict(validate: Validate) -> None:
    """`--strict` turns each notice into a mistake."""
    FILE.write_text(GOOD.replace("0.4", "0.3"))
    assert validate("--strict") == (
        2,
        "",
        f"Error: {FILE}:3:3: criteria: the weights sum to 0.9, not to 1: they are normalised\n",
    )


def test_remarks_on_cases_stand_in_the_file_of_the_case(validate: Validate) -> None:
    """A case in a file of its own is remarked on there."""
    FILE.write_text(f"{HEAD}cases: {{source: external, pattern: c.jsonl}}\n")
    lines = [json.dumps({"title": f"c{i}", "category": each}) for i, each in enumerate(CATEGORIES)]
    lines[2] = json.dumps({"title": "{descriptive name}", "category": "element"})
    (FOLDER / "c.jsonl").write_text("\n".join(lines))
    remark = f"{FOLDER}/c.jsonl:3: '{{descriptive name}}' in 'c/descriptive-name' is left from a template\n"
    assert validate() == (0, SUMMARY, f"Notice: {remark}")
    assert validate("--strict") == (2, "", f"Error: {remark}")


def test_remarks_of_reading_are_shown(validate: Validate) -> None:
    """An override of an unknown case is a notice too."""
    entry = '{case_ref: c10, author: me, score: 1, timestamp: "2026-02-18", reason: r}'
    FILE.write_text(f"overrides: {{items: [{entry}]}}\n{GOOD}")
    code, out, err = validate("--strict")
    assert (code, out) == (0, SUMMARY)
    assert (
        err == f"Notice: {FILE}: an override names the case 'c10', which does not exist; did you mean 'c1'?\n"
    )


def test_outside_files_can_be_allowed(validate: Validate, tmp_path: Path) -> None:
    """`--allow-outside` lets a suite name a file beside the project."""
    (tmp_path.parent / "outside.md").write_text("Hi")
    FILE.write_text(f"target: ../outside.md\n{GOOD}")
    assert validate()[0] == 2
    assert validate("--allow-outside") == (0, SUMMARY, "")


CHECKS = """checks:
  - {name: filled, type: deterministic, rule: output.length > 0}
  - {name: polite, type: deterministic, strategy: regex, value: please}
"""
CASE = "  - {title: c%d, category: element, input: {q: why}, expected_score_range: {min: 70, max: 100}}\n"


@pytest.mark.parametrize(
    ("cases", "file"),
    [
        pytest.param("cases:\n{}", None, id="inline"),
        pytest.param("cases: {{source: external, pattern: c.yaml}}\n", "c.yaml", id="external"),
    ],
)
def test_a_hundred_cases_are_checked_within_half_a_second(
    validate: Validate, cases: str, file: str | None
) -> None:
    """The whole command, interpreter included, is quick, by its CPU time: a busy machine changes nothing."""
    lines = "".join(CASE % index for index in range(100))
    FILE.write_text(HEAD + CHECKS + cases.format(lines))
    if file is not None:
        (FOLDER / file).write_text(lines)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-m", "scaffold", "validate"], check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime < 0.5


def test_no_sdk_is_imported(validate: Validate) -> None:
    """Neither a model's SDK nor a heavy library is needed to check a file."""
    FILE.write_text(GOOD)
    code = (
        "import sys; from scaffold.__main__ import run; run(['validate']); "
        "heavy = {'openai', 'anthropic', 'rich', 'cookiecutter', 'jinja2', 'jsonschema'}; "
        "print(sorted(heavy & sys.modules.keys()))"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout == f"{SUMMARY}[]\n"


def test_the_schema_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    """`scaffold schema` prints JSON that names its dialect."""
    assert run(["schema"]) == 0
    schema = json.loads(capsys.readouterr().out)
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert "prompt_name" in schema["required"]
