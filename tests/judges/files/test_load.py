"""A suite and every file that it names: what is read, and what is wrong, all at once."""

from collections.abc import Callable
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judges.core.case import Category, ScoreRange
from judges.core.errors import ConfigError
from judges.files.evaluation_meta import EvaluationType
from judges.files.load import load_suite

WriteSuite = Callable[..., Path]
ProblemsOf = Callable[..., list[str]]

CRITERIA = "criteria: [{name: safety, weight: 1, rubric: 'Is it safe?'}]\n"
DATE = "expected a date or time such as 2026-02-18T11:01:29Z, found"
TWICE = "the case 'is-it' is there already, in line 3 (give one of the two another 'id')"
HEAD = f"prompt_name: greet\n{CRITERIA}"

FULL = """\
target: prompts/greet.md
type: prompt
prompt_name: greet
last_updated: 2026-02-18
test_root: .omniscitus/tests/greet/
runner: null
config: null
model: {name: gpt-4o, temperature: 0.5}
judge: {model: claude-haiku-4-5, temperature: 0, max_retries: 2}
evaluation: {type: multi_criteria}
criteria:
  - name: correctness
    weight: 0.4
    rubric: |
      Is it correct?
      3: yes
      2: nearly
      1: no
    scale: 3
  - {name: safety, weight: 0.6, rubric: rubrics/safety.md}
checks: [{name: filled, type: deterministic, rule: output.length > 0}]
thresholds: {pass: 70, warn: 50, per_criterion: {safety: 75}}
cases:
  source: inline
  items:
    - title: Plain greeting
      input: {name: Ann}
      expected_behavior: Greets Ann.
      expected_score_range: {min: 75, max: 90}
      tags: [short]
    - title: Nonsense
      id: noise
      category: zero_condition
      input: {name: "%%%", x-kept: true}
      output: No.
      reference: I cannot greet that.
      skip: flaky
x-owner: us
"""


def test_a_whole_suite_is_read(write_suite: WriteSuite, project: Path) -> None:
    """Every section and every file that is named ends up in the suite."""
    (project / "prompts").mkdir()
    (project / "prompts" / "greet.md").write_text("Greet {name}.")
    path = write_suite(
        FULL, {"rubrics/safety.md": "Is it safe?\r\n5: yes\r\n1: no\r\n", "judge.md": "We are formal."}
    )
    suite = load_suite(path)
    assert (suite.name, suite.path, suite.root) == ("greet", path, project)
    assert suite.test_root == project / ".omniscitus/tests/greet"
    assert suite.target == project / "prompts/greet.md"
    assert suite.model is not None
    assert (suite.model.name, suite.model.temperature) == ("gpt-4o", Decimal("0.5"))
    assert (suite.meta.judge.model, suite.evaluation) == ("claude-haiku-4-5", EvaluationType.MULTI_CRITERIA)
    assert suite.context == "We are formal."
    assert [(each.name, each.weight, each.minimum, each.levels) for each in suite.criteria] == [
        ("correctness", Decimal("0.4"), None, ("no", "nearly", "yes")),
        ("safety", Decimal("0.6"), Decimal(75), ("no", "", "", "", "yes")),
    ]
    assert [each.instructions for each in suite.criteria] == ["Is it correct?", "Is it safe?"]
    assert (suite.overrides, suite.notices) == ((), ())


def test_cases_are_read_with_their_places(write_suite: WriteSuite, project: Path) -> None:
    """A case knows its ref, what is expected, and where it stands; its input is the author's own."""
    path = write_suite(HEAD + FULL[FULL.index("cases:") :])
    first, second = load_suite(path).cases
    assert (first.ref, first.category, first.input) == ("plain-greeting", Category.ELEMENT, {"name": "Ann"})
    assert first.expected_score_range == ScoreRange(Decimal(75), Decimal(90))
    assert (first.tags, first.file, first.line) == (("short",), str(path), 6)
    assert (second.ref, second.input) == ("noise", {"name": "%%%", "x-kept": True})
    assert (second.output, second.reference, second.skip) == ("No.", "I cannot greet that.", "flaky")
    assert (second.declines_expected, second.line) == (True, 11)


def test_a_model_may_be_a_name(write_suite: WriteSuite) -> None:
    """A bare name is a model without further settings."""
    suite = load_suite(write_suite(f"{HEAD}model: gpt-4o\ncases: []\n"))
    assert suite.model is not None
    assert (suite.model.name, suite.model.temperature) == ("gpt-4o", None)


def test_the_legacy_shape_is_read(write_suite: WriteSuite) -> None:
    """`cases` as a list, with a correction inside a case, is read with a remark."""
    suite = load_suite(
        write_suite(
            f"""{HEAD}cases:
  - title: One
    manual_override: {{score: 85, timestamp: "2026-02-18T11:01:29Z", reason: seen}}
  - {{title: Two}}
"""
        )
    )
    assert [case.ref for case in suite.cases] == ["one", "two"]
    (override,) = suite.overrides
    assert (override.case_ref, override.criterion, override.score) == ("one", None, Decimal(85))
    assert [notice.text for notice in suite.notices] == [
        "overrides without author, digest and expiry, which hold whatever the output: 1"
    ]


def test_a_suite_outside_any_project_has_its_own_root(tmp_path: Path) -> None:
    """Without `.omniscitus/` upwards, paths start at the suite's folder."""
    path = tmp_path / "prompt-meta.yaml"
    path.write_text(f"{HEAD}target: p.md\ncases: []\n")
    (tmp_path / "p.md").write_text("Hi")
    suite = load_suite(path)
    assert (suite.root, suite.target) == (tmp_path, tmp_path / "p.md")


def test_outside_paths_can_be_allowed(
    write_suite: WriteSuite, problems_of: ProblemsOf, project: Path
) -> None:
    """A target outside the project is refused, and read when it is allowed."""
    (project.parent / "outside.md").write_text("Hi")
    path = write_suite(f"{HEAD}target: ../outside.md\ncases: []\n")
    assert problems_of(path) == [
        f"prompt-meta.yaml:3:9: target: '../outside.md' leaves the project root {project} "
        "(move it inside, or pass --allow-outside)"
    ]
    assert load_suite(path, allow_outside=True).target == project / "../outside.md"


def test_folders_for_copies(write_suite: WriteSuite, project: Path) -> None:
    """Folders for copies are named from the suite's own; without their sections there are none."""
    suite = load_suite(write_suite(f"{HEAD}cases: []\nlogs: {{}}\nanalysis: {{directory: ../seen}}\n"))
    assert suite.logs is not None
    assert suite.analysis is not None
    assert suite.logs.resolve() == project / ".omniscitus/tests/greet/logs"
    assert suite.analysis.resolve() == project / ".omniscitus/tests/seen"
    without = load_suite(write_suite(f"{HEAD}cases: []\n"))
    assert (without.logs, without.analysis) == (None, None)


@pytest.mark.parametrize("section", ["logs", "analysis"])
def test_a_folder_for_copies_that_leads_outside_is_refused(
    write_suite: WriteSuite, problems_of: ProblemsOf, project: Path, section: str
) -> None:
    """Nothing is written outside the project that nobody allowed."""
    path = write_suite(f"{HEAD}cases: []\n{section}:\n  directory: ../../../../x\n")
    assert problems_of(path) == [
        f"prompt-meta.yaml:5:14: {section}.directory: '../../../../x' leaves the project root {project} "
        "(move it inside, or pass --allow-outside)"
    ]
    assert load_suite(path, allow_outside=True).allow_outside


def test_a_context_that_leads_outside_is_refused(
    write_suite: WriteSuite, problems_of: ProblemsOf, project: Path
) -> None:
    """The words for the judge stay inside the project too."""
    path = write_suite(f"{HEAD}cases: []\n")
    (project.parent / "secret.md").write_text("secret")
    (path.parent / "judge.md").symlink_to(project.parent / "secret.md")
    assert problems_of(path) == [
        f"prompt-meta.yaml:1:1: 'judge.md' leaves the project root {project} "
        "(move it inside, or pass --allow-outside)"
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "target: p.md\ncases: []",
            ["3:9: target: p.md: does not exist (check the path)"],
        ),
        ("target: .\ncases: []", ["3:9: target: .: is a folder (name a file)"]),
        (
            'target: "a\\0b"\ncases: []',
            ["3:9: target: 'a\0b' cannot be a path: embedded null byte (check the path)"],
        ),
        ("test_root: nowhere\ncases: []", ["3:12: test_root: nowhere is not a folder (check the path)"]),
        (
            "last_updated: soon\ncases: []",
            ["3:15: last_updated: expected a date or time such as 2026-02-18T11:01:29Z, found 'soon'"],
        ),
        (
            "thresholds: {per_criterion: {saftey: 80}}\ncases: []",
            ["3:30: thresholds.per_criterion.saftey: there is no such criterion (did you mean 'safety'?)"],
        ),
        (
            "thresholds: {per_criterion: {tone: 80}}\ncases: []",
            ["3:30: thresholds.per_criterion.tone: there is no such criterion (the criteria are safety)"],
        ),
        (
            "checks:\n- {name: a, type: deterministic, rule: x}\n"
            "- {name: A, type: deterministic, rule: x}\ncases: []",
            ["5:10: checks[1].name: 'A' is there already, in line 4"],
        ),
        (
            "cases: [{title: Is it?}, {title: is it!}, {title: b, id: is-it}]",
            [
                f"3:26: cases[1]: {TWICE}",
                f"3:43: cases[2]: {TWICE}",
            ],
        ),
        (
            'cases: [{title: "!?"}]',
            ["3:17: cases[0].title: the title has no letter or digit to make an id of (add 'id:')"],
        ),
        (
            "cases: [{title: a, manual_override: {score: 1, timestamp: now, reason: r}}]",
            [f"3:59: cases[0].manual_override.timestamp: {DATE} 'now'"],
        ),
    ],
    ids=lambda value: str(value)[:30],
)
def test_mistakes_of_meaning_are_explained(
    write_suite: WriteSuite, problems_of: ProblemsOf, text: str, expected: list[str]
) -> None:
    """What the shape allows and still makes no sense is told at its place."""
    assert problems_of(write_suite(f"{HEAD}{text}\n")) == [f"prompt-meta.yaml:{line}" for line in expected]


@pytest.mark.parametrize(
    ("criteria", "expected"),
    [
        ("", ["1:1: evaluation type 'multi_criteria' needs criteria (add 'criteria:' to the file)"]),
        (
            "criteria: []",
            ["2:11: criteria: evaluation type 'multi_criteria' needs criteria (add 'criteria:' to the file)"],
        ),
        (
            "evaluation: {type: regression}",
            ["1:1: evaluation type 'regression' needs criteria (add 'criteria:' to the file)"],
        ),
        (
            "evaluation: {type: binary}",
            [
                "3:9: cases[0]: a binary case without criteria is judged by 'expected_behavior', which is "
                "missing (add it, or add 'criteria:' to the file)"
            ],
        ),
        (
            "criteria: [{name: a, weight: 0, rubric: x}, {name: b, weight: 0.0, rubric: x}]",
            ["2:30: criteria[0].weight: all weights are 0 (give one criterion a weight)"],
        ),
        (
            "criteria: [{name: tone, weight: 1, rubric: x}, {name: Tone, weight: 1, rubric: x}]",
            ["2:55: criteria[1].name: 'Tone' is there already, in line 2"],
        ),
        (
            "criteria: [{name: a, weight: 1, rubric: c.md}]",
            ["2:41: criteria[0].rubric: c.md: does not exist (check the path)"],
        ),
        (
            "criteria: [{name: a, weight: 1, rubric: sub.md}]",
            ["2:41: criteria[0].rubric: sub.md: is a folder (name a file)"],
        ),
        (
            "criteria: [{name: a, weight: 1, rubric: binary.txt}]",
            ["2:41: criteria[0].rubric: binary.txt: is binary, not text (name a text file)"],
        ),
        (
            "criteria: [{name: a, weight: 1, rubric: big}]",
            [
                "2:41: criteria[0].rubric: big: is longer than 10 MB "
                "(shorten it, or keep cases in JSONL or CSV files)"
            ],
        ),
        (
            "criteria: [{name: a, weight: 1, rubric: empty}]",
            ["2:41: criteria[0].rubric: the rubric is empty (say what the levels mean)"],
        ),
        (
            "criteria: [{name: a, weight: 1, rubric: ' '}]",
            ["2:41: criteria[0].rubric: the rubric is empty (say what the levels mean)"],
        ),
        (
            "criteria: [{name: a, weight: 1, rubric: '5: x'}, "
            "{name: b, weight: 1, rubric: anchors.md, scale: 3}]",
            [
                "anchors.md:2:1: level 4 is outside the scale 1..3",
                "anchors.md:4:1: level 1 is described twice",
            ],
        ),
        (
            "criteria:\n- name: a\n  weight: 1\n  rubric: |\n    Is it?\n\n    7: great\n",
            ["8:5: criteria[0].rubric: level 7 is outside the scale 1..5"],
        ),
    ],
    ids=lambda value: str(value)[:50],
)
def test_mistakes_in_criteria_are_explained(
    write_suite: WriteSuite, problems_of: ProblemsOf, project: Path, criteria: str, expected: list[str]
) -> None:
    """Criteria that cannot decide anything, and rubrics that cannot be read, are told at their place."""
    files = {
        "binary.txt": b"\0\1",
        "big": "x" * 10_000_001,
        "empty": "\n",
        "anchors.md": "Is it?\n4: great\n1: bad\n1: worse\n",
        "sub.md/x": "",
    }
    path = write_suite(f"prompt_name: greet\n{criteria}\ncases: [{{title: a}}]\n", files)
    lines = [line if line.startswith("anchors") else f"prompt-meta.yaml:{line}" for line in expected]
    assert problems_of(path) == lines


def test_a_rubric_that_is_a_sentence_is_text(write_suite: WriteSuite) -> None:
    """Only the name of a file that exists, or what looks like one, is a path."""
    texts = ["Is it good.md enough?", "Does it end well? See rules.md", "x" * 5000, "judge"]
    criteria = [f"{{name: c{index}, weight: 1, rubric: '{text}'}}" for index, text in enumerate(texts)]
    suite = load_suite(write_suite(f"prompt_name: greet\ncriteria: [{', '.join(criteria)}]\ncases: []\n"))
    assert [each.instructions for each in suite.criteria] == texts


def test_all_mistakes_of_all_files_are_told_at_once(write_suite: WriteSuite, problems_of: ProblemsOf) -> None:
    """A wrong section hides neither another section, nor a file that is named, nor a duplicate key."""
    text = """\
target: nowhere.md
prompt_name: [1]
prompt_name: greet
criteria:
  - {name: a, weight: 0, rubric: c.md}
  - {name: A, weight: 0, rubric: "9: x"}
thresholds: {pass: 700}
cases: [{title: a}, {title: a}]
overrides: {source: none.yaml}
ovrrides: 3
"""
    path = write_suite(text)
    assert [line.removeprefix("prompt-meta.yaml:") for line in problems_of(path)] == [
        "1:9: target: nowhere.md: does not exist (check the path)",
        "2:14: prompt_name: expected a text, found a list",
        "3:1: the key 'prompt_name' is given twice, first at line 2, column 1",
        "5:23: criteria[0].weight: all weights are 0 (give one criterion a weight)",
        "5:34: criteria[0].rubric: c.md: does not exist (check the path)",
        "6:12: criteria[1].name: 'A' is there already, in line 5",
        "6:34: criteria[1].rubric: level 9 is outside the scale 1..5",
        "7:20: thresholds.pass: must be at most 100, found 700",
        "8:21: cases[1]: the case 'a' is there already, in line 8 (give one of the two another 'id')",
        "9:21: overrides.source: none.yaml: does not exist (check the path)",
        "10:1: ovrrides: unknown key (did you mean 'overrides'?)",
    ]


TOKENS = [
    "null",
    "-1",
    "[",
    "}",
    "{a: b}",
    "- x",
    "\n  ",
    "\n",
    ": ",
    "'",
    "&a ",
    "*a",
    "!t ",
    "\t",
    "é",
    "9" * 30,
    "x-a: 1",
]


@given(st.lists(st.tuples(st.floats(0, 1), st.integers(0, 30), st.sampled_from(TOKENS)), max_size=3))
def test_a_damaged_suite_is_read_or_refused(
    tmp_path_factory: pytest.TempPathFactory, edits: list[tuple[float, int, str]]
) -> None:
    """Whatever an author breaks, there is a suite or a list of problems, none in the words of a library."""
    text = HEAD + FULL[FULL.index("checks:") :]
    for place, cut, token in edits:
        start = int(place * len(text))
        text = text[:start] + token + text[start + cut :]
    path = tmp_path_factory.getbasetemp() / "prompt-meta.yaml"
    path.write_text(text, encoding="utf-8")
    try:
        assert load_suite(path, root=path.parent).name
    except ConfigError as error:
        assert error.problems
        assert not any("Input should" in problem.message for problem in error.problems)
