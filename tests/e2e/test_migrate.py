"""`scaffold migrate`: every older shape that is refused with this command becomes a suite that is right."""

from pathlib import Path
from typing import TypeAlias

import pytest
from command_line import Cli

from judges.files.load import load_suite

FILE = ".omniscitus/tests/prompts/greet/prompt-meta.yaml"
Older: TypeAlias = Path


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / FILE).parent.mkdir(parents=True)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(root: Path, name: str, text: str) -> Path:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


CRITERIA = "criteria: [{name: tone, weight: 1, rubric: 'Kind?'}]\n"
HEAD = f"prompt_name: a\n{CRITERIA}"
CASE = "{title: A, input: {}, expected_score_range: {min: 0.5, max: 1}}"

SHAPES = {
    "the shorthand": "evaluation: multi_criteria\ncases: external\npattern: 'cases/*.yaml'\nlogs: logs/\n",
    "a word for the evaluation": f"prompt_name: a\nevaluation: multi_criteria\n{CRITERIA}cases: []\n",
    "a word for the cases": f"{HEAD}cases: inline\n",
    "a folder for the cases": f"{HEAD}cases: cases/\n",
    "a word for the logs": f"{HEAD}cases: []\nlogs: logs/\n",
    "one-key maps with weights": "evaluation:\n  criteria: [{tone: 0.5}, {safety: 0.5}]\ncases: []\n",
    "one-key maps with rubrics": "evaluation:\n  type: multi_criteria\n  criteria:\n    - tone: Kind?\n",
    "one-key maps of mappings": "evaluation: {criteria: [{tone: {weight: 1, rubric: Kind?}}]}\ncases: []\n",
    "full criteria inside": f"prompt_name: a\nevaluation:\n  {CRITERIA}cases: []\n",
    "no criteria inside": "evaluation:\n  criteria: []\ncases: []\n",
    "fractions": f"{HEAD}thresholds: {{pass: 0.7, per_criterion: {{tone: 0.8}}}}\ncases: []\n",
    "fractions, also in cases": f"{HEAD}thresholds: {{pass: 1}}\ncases: [{CASE}]\n",
    "fractions without a pass": f"{HEAD}thresholds: {{per_criterion: {{tone: 1}}}}\ncases: []\n",
    "with keys of its own": "evaluation: multi_criteria\nnote: x\npass_criteria: {threshold: 0.8}\n",
    "everything at once": "evaluation:\n  criteria:\n    - a b: 1\nthresholds: {pass: 0.5}\ncases: external\n"
    "pattern: cases/*.yaml\nlogs: l/\nanalysis: a/\njudge: gpt-4o\n",
}


@pytest.mark.parametrize("text", SHAPES.values(), ids=SHAPES)
def test_every_refused_shape_is_converted(cli: Cli, root: Path, text: str) -> None:
    """The command that the refusal names ends in a suite that is right, with the old file beside it."""
    write(root, FILE, text)
    write(root, ".omniscitus/tests/prompts/greet/cases/a.yaml", "title: A\n")
    refused = cli("validate")
    assert (refused.code, f"convert it: scaffold migrate {FILE}" in refused.err) == (2, True)
    result = cli("migrate", FILE)
    assert (result.code, result.out) == (0, f"Converted {FILE}; the old file is kept as {FILE}.bak\n")
    assert cli("validate").code == 0
    assert (root / f"{FILE}.bak").read_text() == text
    again = cli("migrate", FILE)
    assert (again.code, again.out, again.err) == (0, f"{FILE} has the current shape already.\n", "")


def test_values_and_comments(cli: Cli, root: Path) -> None:
    """What stays keeps its bytes; what changes is written as an author would."""
    write(
        root,
        FILE,
        """\
# Ours since 2025.
prompt_name: greet   # the name

evaluation:
  type: multi_criteria
  criteria:
    - tone: 0.75
    - safety: 0.25

# --- Thresholds ---
thresholds:
  pass: 0.7          # of 1
cases:               # few
  - {title: A, input: {}}
team: us
""",
    )
    result = cli("migrate", "greet", "--dry-run")
    assert (result.code, (root / f"{FILE}.bak").exists()) == (0, False)
    head, _, rest = result.out.partition("criteria:\n")
    assert head == (
        "# Ours since 2025.\nprompt_name: greet   # the name\n\nevaluation:\n  type: multi_criteria\n"
    )
    assert rest.startswith(
        "  - name: tone\n    weight: 0.75\n    rubric: |-\n      How good is the output in"
    )
    assert rest.endswith(
        "\n# --- Thresholds ---\nthresholds:\n  pass: 70\ncases:               # few\n"
        "  - {title: A, input: {}}\nx-team: us\n"
    )
    assert result.err == (
        "Notice: 'tone' had no rubric: an example is written; say what its levels mean\n"
        "Notice: 'safety' had no rubric: an example is written; say what its levels mean\n"
        "Notice: 'team' means nothing now: it is kept as 'x-team'\n"
        "Notice: some comments are only in the old file\n"
    )
    assert cli("migrate", "greet").code == 0
    assert (root / FILE).read_text() == result.out


UMBRELLA = """\
# Everything of the writer.
type: prompt
judge: {model: claude-haiku-4-5}
evaluation: {type: multi_criteria}
criteria: [{name: tone, weight: 1, rubric: 'Kind?'}]
thresholds: {pass: 0.7}
prompts:
  - name: Evaluation (v2)
    description: Says how good a text is.
    cases: evals/judge/
    runner: scripts/run.py
    status: in_development
    notes: ""
    language_pairs: [en-de]
  - name: draft
    cases:
      source: external
      pattern: "evals/drafts/*.json"
  - name: Draft
    thresholds: {pass: 0.5}
  - description: without a name
    cases: [{title: A, input: {}}]
"""


@pytest.fixture
def umbrella(root: Path) -> Path:
    write(root, "evals/judge/a.yaml", "- {title: A}\n- {title: B}\n")
    write(root, "evals/drafts/c.json", '{"title": "C"}')
    write(root, "scripts/run.py", "")
    return write(root, FILE, UMBRELLA)


@pytest.mark.usefixtures("umbrella")
def test_an_umbrella(cli: Cli, root: Path) -> None:
    """Each suite has a folder and a file of its own, with what they share; the umbrella is set aside."""
    result = cli("migrate", FILE)
    folder = Path(FILE).parent
    names = ["evaluation-v2", "draft", "draft-2", "prompt-4"]
    assert (result.code, result.out.splitlines()) == (
        0,
        [
            f"Converted {FILE}; the old file is kept as {FILE}.bak",
            *(f"  {folder}/{name}/prompt-meta.yaml" for name in names),
        ],
    )
    assert not (root / FILE).exists()
    assert (root / f"{FILE}.bak").read_text() == UMBRELLA
    assert cli("validate").code == 0
    first, second, third, last = (load_suite(root / folder / name / "prompt-meta.yaml") for name in names)
    assert first.name == "Evaluation (v2)"
    assert first.meta.judge.model == "claude-haiku-4-5"
    assert [case.ref for case in first.cases] == ["a/a", "a/b"]
    assert first.runner
    assert first.runner.resolve() == root / "scripts/run.py"
    assert [int(each.meta.thresholds.pass_) for each in (first, second, third)] == [70, 70, 50]
    assert [case.ref for case in second.cases] == ["c"]
    assert len(third.cases) == 0
    assert last.name == "prompt-4"
    text = (root / folder / "evaluation-v2/prompt-meta.yaml").read_text()
    assert text.startswith(
        'type: prompt\nprompt_name: Evaluation (v2)\nrunner: "../../../../../scripts/run.py"\njudge:\n'
    )
    assert text.endswith(
        "x-description: Says how good a text is.\nx-status: in_development\n"
        "x-notes: ''\nx-language_pairs: [en-de]\n"
    )


@pytest.mark.usefixtures("umbrella")
def test_an_umbrella_that_names_its_folder(cli: Cli, root: Path) -> None:
    """Paths start at the shared `test_root` then."""
    write(root, FILE, UMBRELLA.replace("type: prompt\n", "type: prompt\ntest_root: evals/\n"))
    assert cli("migrate", FILE).code == 0
    text = (root / Path(FILE).parent / "evaluation-v2/prompt-meta.yaml").read_text()
    assert "test_root: evals/\n" in text
    assert "  pattern: judge/**/*.yaml\n" in text
    assert 'runner: "../scripts/run.py"\n' in text
    assert cli("validate").code == 0


@pytest.mark.usefixtures("umbrella")
def test_an_umbrella_to_look_at(cli: Cli, root: Path) -> None:
    """A dry run shows every file, and writes none."""
    before = sorted(root.rglob("*"))
    result = cli("migrate", FILE, "--dry-run")
    assert (result.code, sorted(root.rglob("*"))) == (0, before)
    assert [line for line in result.out.splitlines() if line.startswith("# ")] == [
        f"# {Path(FILE).parent}/{name}/prompt-meta.yaml"
        for name in ("evaluation-v2", "draft", "draft-2", "prompt-4")
    ]


@pytest.mark.usefixtures("umbrella")
def test_no_file_is_overwritten(cli: Cli, root: Path) -> None:
    """A suite in the way stops the whole, before anything is written."""
    taken = write(root, f"{Path(FILE).parent}/draft/prompt-meta.yaml", "mine")
    before = sorted(root.rglob("*"))
    result = cli("migrate", FILE)
    assert (result.code, sorted(root.rglob("*")), taken.read_text()) == (2, before, "mine")
    assert "draft/prompt-meta.yaml: there is a file of that name already" in result.err


def test_a_failure_halfway_leaves_nothing(
    cli: Cli, umbrella: Path, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the last step fails, the new files go again."""

    def fail(*_: object) -> None:
        raise OSError("no space")

    monkeypatch.setattr("scaffold.migrate.files.free_name", fail)
    assert cli("migrate", FILE).code == 3
    assert umbrella.read_text() == UMBRELLA
    assert [path.name for path in root.rglob("prompt-meta.yaml*")] == ["prompt-meta.yaml"]


def test_backups_do_not_overwrite_each_other(cli: Cli, root: Path) -> None:
    """An older backup stays."""
    write(root, f"{FILE}.bak", "older")
    write(root, FILE, SHAPES["a word for the logs"])
    assert cli("migrate", FILE).out.endswith(f"kept as {FILE}.bak-2\n")
    assert (root / f"{FILE}.bak").read_text() == "older"


def test_what_only_the_author_can_mend(cli: Cli, root: Path) -> None:
    """It is converted all the same; what is left is listed with its place in the new file."""
    write(root, "skills/greet/SKILL.md", "Greet.")
    write(root, FILE, "target: skills/greet/\nevaluation: multi_criteria\ncases: external\n")
    result = cli("migrate", FILE)
    assert result.code == 2
    assert result.out.startswith("Converted ")
    assert "Some of it is left to mend by hand:\n" in result.err
    assert f"Error: {FILE}:2:9: target: skills/greet: is a folder (name a file)\n" in result.err
    assert "cases: source 'external' needs a 'pattern'" in result.err


def test_a_runner_is_not_started(cli: Cli, root: Path) -> None:
    """Converting runs no program of the author's, even where only that can read the cases."""
    write(root, "scripts/run.py", "open('started', 'w')")
    write(root, "evals/a.ts", "export {}")
    write(root, FILE, f"{CRITERIA}prompts:\n  - {{name: a, cases: evals/, runner: scripts/run.py}}\n")
    result = cli("migrate", FILE)
    assert (result.code, list(root.rglob("started"))) == (0, [])
    text = (root / Path(FILE).parent / "a/prompt-meta.yaml").read_text()
    assert 'pattern: "../../../../../evals/**/*.ts"\n' in text


@pytest.mark.parametrize(
    ("text", "message"),
    [
        pytest.param("template_sha256: f0\n", "belongs to another program", id="another program"),
        pytest.param("- a\n", "expected a mapping, found a list", id="a list"),
        pytest.param("a: [\n", "not valid YAML", id="no YAML"),
        pytest.param("evaluation: a\nevaluation: b\n", "the key 'evaluation' is given twice", id="twice"),
        pytest.param("prompts: []\n", "prompts: the list is empty", id="no suite"),
        pytest.param("prompts: [a]\n", "prompts[0]: expected a mapping, found 'a'", id="no mapping"),
        pytest.param("", "is empty", id="empty"),
    ],
)
def test_what_cannot_be_converted(cli: Cli, root: Path, text: str, message: str) -> None:
    """Exit 2, one clear sentence, nothing written."""
    path = write(root, FILE, text)
    result = cli("migrate", FILE)
    assert (result.code, result.out, path.read_text()) == (2, "", text)
    assert message in result.err
    assert [each.name for each in path.parent.iterdir()] == ["prompt-meta.yaml"]


@pytest.mark.usefixtures("root")
def test_no_such_file(cli: Cli) -> None:
    """A path that leads nowhere is said to."""
    result = cli("migrate", "none.yaml")
    assert (result.code, "there is no suite 'none.yaml'" in result.err) == (2, True)


def test_several_files(cli: Cli, root: Path) -> None:
    """One that cannot be converted does not keep the others from it."""
    write(root, FILE, SHAPES["a word for the logs"])
    write(root, FILE.replace("greet", "other"), "template_sha256: f0\n")
    write(root, FILE.replace("greet", "new"), f"{HEAD}cases: []\n")
    result = cli("migrate", ".omniscitus")
    assert result.code == 2
    assert f"Converted {FILE};" in result.out
    assert f"{FILE.replace('greet', 'new')} has the current shape already.\n" in result.out
    assert "belongs to another program" in result.err
