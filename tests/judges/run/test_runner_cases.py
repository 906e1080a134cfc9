"""Cases that only the runner can read."""

import os
from pathlib import Path

import pytest
from runner_scripts import LOOP, is_alive, pids

from judges.core.case import Category
from judges.core.errors import ConfigError
from judges.files.load import load_suite
from judges.files.suite import PromptSuite
from judges.run.runner.cases import case_reader

SUITE = """\
prompt_name: greet
runner: runner.py
criteria: [{name: tone, weight: 1, rubric: "Is it kind?"}]
cases: {source: external, pattern: "cases/**/*.{ts,yaml}"}
"""
RUNNER = (
    LOOP
    + """
for line in sys.stdin:
    request = json.loads(line)
    del request["cases"]
    id, text = request["id"], open(request["file"]).read()
    exec(text)
"""
)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A suite whose runner does what the case files say, in Python, for all their name."""
    (tmp_path / ".omniscitus").mkdir()
    (tmp_path / "cases").mkdir()
    (tmp_path / "prompt-meta.yaml").write_text(SUITE, "utf-8")
    (tmp_path / "runner.py").write_text(RUNNER, "utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def load(folder: Path, **files: str) -> PromptSuite:
    for name, text in files.items():
        (folder / "cases" / f"{name}.ts").write_text(text, "utf-8")
    return load_suite(folder / "prompt-meta.yaml", read_cases=case_reader(os.environ))


def test_cases_of_the_runner(folder: Path) -> None:
    """Lists and single cases have the refs that files of other kinds give them, in the order of the files."""
    (folder / "cases" / "b.yaml").write_text("title: From YAML", "utf-8")
    suite = load(
        folder,
        a="answer(id=id, cases=[{'title': '1', 'input': {'x': 7}}, {'title': '2', 'category': 'edge'}])",
        c="answer(id=id, cases={'title': 'Single', 'expected_score_range': {'min': 0, 'max': 9.5}})",
        _shared="raise SystemExit('a name with _ is no case')",
    )
    assert [case.ref for case in suite.cases] == ["a/1", "a/2", "b", "c"]
    first, second, _, single = suite.cases
    assert (first.input, first.file) == ({"x": 7}, "cases/a.ts")
    assert second.category is Category.EDGE
    assert single.expected_score_range is not None
    assert str(single.expected_score_range.max) == "9.5"


def test_one_process_reads_all_files(folder: Path) -> None:
    """The runner is started once, and has ended when the suite is loaded."""
    reading = "answer(id=id, cases=[{'title': id}])"
    assert len(load(folder, a=reading, b=reading, c=reading).cases) == 3
    (pid,) = pids(folder)
    assert not is_alive(pid)


def test_mistakes_in_cases(folder: Path) -> None:
    """A wrong case is explained with its file and key, as one in a file of any other kind."""
    with pytest.raises(ConfigError) as caught:
        load(
            folder,
            a="answer(id=id, cases=[{'title': '1', 'categry': 'edge'}, 7])",
            b="answer(id=id, cases=7)",
        )
    assert str(caught.value) == (
        "cases/a.ts:1:1: [0].categry: unknown key (did you mean 'category'?)\n"
        "cases/a.ts:1:1: [1]: expected a mapping, found 7\n"
        "cases/b.ts:1:1: expected a case or a list of cases, found 7"
    )


HINT = '(the runner has to answer {"id", "cases": [...]} where "cases" is asked for)'


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        pytest.param(
            "answer(id=id, error='no default export')", "runner.py: no default export", id="an error"
        ),
        pytest.param(
            "answer(id=id, output='x')",
            "runner.py answered something else than was asked for",
            id="an output",
        ),
        pytest.param("os._exit(4)", "runner.py ended with exit code 4 before it answered", id="a crash"),
    ],
)
def test_what_cannot_be_read(folder: Path, text: str, reason: str) -> None:
    """A file whose cases do not come is a mistake with the reason, and the others are read all the same."""
    with pytest.raises(ConfigError) as caught:
        load(folder, a=text, b="answer(id=id, cases=[])", c="answer(id=id, error='neither')")
    assert str(caught.value) == (
        f"cases/a.ts: its cases could not be read: {reason} {HINT}\n"
        f"cases/c.ts: its cases could not be read: runner.py: neither {HINT}"
    )


def test_no_runner_to_ask(folder: Path) -> None:
    """Where nobody starts the runner the suite says so."""
    (folder / "cases" / "a.ts").write_text("", "utf-8")
    with pytest.raises(ConfigError) as caught:
        load_suite(folder / "prompt-meta.yaml")
    assert str(caught.value) == (
        "prompt-meta.yaml:4:36: cases.pattern: cases/a.ts is read by the runner, which is not started here "
        "(keep the cases in files of another kind)"
    )


def test_the_runner_is_asked_only_where_it_must_be(folder: Path) -> None:
    """Files of known kinds are read without it."""
    (folder / "cases" / "b.yaml").write_text("title: From YAML", "utf-8")
    (folder / "runner.py").write_text("raise SystemExit(1)", "utf-8")
    assert [case.ref for case in load(folder).cases] == ["b"]
