"""Copies of results in the formats and folders that suites ask for."""

import csv
import json
import tracemalloc
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Literal

import pytest
from streamed_cases import StreamedCases

from judges.core.report import CaseReport, Report, SuiteKind, SuiteReport, Totals
from judges.core.verdict import ExitCode, Verdict
from judges.files.load import load_suite
from judges.files.suite import PromptSuite
from scaffold.copies import write_copies

RUN = "20261130T131400Z-ab12"
NAME = f"{RUN}-greet"
CASES = (
    CaseReport(
        ref="a",
        title="A",
        category=None,
        verdict=Verdict.PASS,
        rows=(),
        score=Decimal(80),
        output="한 \ud83d\nBye",
    ),
    CaseReport(ref="b", title="B", category=None, verdict=Verdict.FAIL, rows=(), output="=1+1"),
)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the suite."""
    folder = tmp_path / ".omniscitus" / "tests" / "greet"
    folder.mkdir(parents=True)
    monkeypatch.chdir(tmp_path)
    return folder


def suite(folder: Path, sections: str) -> PromptSuite:
    path = folder / "prompt-meta.yaml"
    path.write_text(
        "prompt_name: greet\ncriteria: [{name: safety, weight: 1, rubric: 'Is it safe?'}]\ncases: []\n"
        + sections
    )
    return load_suite(path)


def report(*cases: Sequence[CaseReport]) -> Report:
    """A run of suites with these cases, named `greet`, `greet-2` and so on."""
    run_dir = Path(".omniscitus", "runs", RUN)
    suites = tuple(
        SuiteReport(
            name="greet",
            kind=SuiteKind.PROMPT,
            path=Path("prompt-meta.yaml"),
            verdict=Verdict.FAIL,
            run_dir=run_dir / (f"greet-{number}" if number > 1 else "greet"),
            cases=each,
            totals=Totals(cases=len(each), passed=1, failed=1),
        )
        for number, each in enumerate(cases, 1)
    )
    return Report(verdict=Verdict.FAIL, exit_code=ExitCode.FAILED, run_dir=run_dir, suites=suites)


def names(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


def test_without_the_sections_nothing_is_written(folder: Path) -> None:
    """A suite that asks for no copy gets none."""
    assert write_copies([suite(folder, "")], report(CASES)) == []
    assert names(folder) == ["prompt-meta.yaml"]


@pytest.mark.parametrize(
    ("sections", "files"),
    [
        pytest.param("logs: {}\n", [f"logs/{NAME}.jsonl"], id="logs by default"),
        pytest.param(
            "analysis: {}\n",
            [f"logs/analysis/{NAME}.analysis.json", f"logs/analysis/{NAME}.analysis.md"],
            id="analysis by default",
        ),
        pytest.param(
            "logs: {directory: out, format: json}\nanalysis: {directory: out}\n",
            [f"out/{NAME}.analysis.json", f"out/{NAME}.analysis.md", f"out/{NAME}.json"],
            id="both in one folder",
        ),
    ],
)
def test_where_copies_go(folder: Path, sections: str, files: list[str]) -> None:
    """Folders start at the suite's own and are made; names start with the run and the suite."""
    assert write_copies([suite(folder, sections)], report(CASES)) == []
    assert names(folder) == [*files, "prompt-meta.yaml"]


def copy(folder: Path, kind: Literal["jsonl", "json", "csv"]) -> str:
    assert write_copies([suite(folder, f"logs: {{format: {kind}}}\n")], report(CASES)) == []
    return (folder / "logs" / f"{NAME}.{kind}").read_text("utf-8")


def test_lines_of_json(folder: Path) -> None:
    """A case a line, in the suite's order, with all that the JSON report says of it."""
    lines = [json.loads(line) for line in copy(folder, "jsonl").splitlines()]
    assert [(line["ref"], line["verdict"], line["score"], line["output"]) for line in lines] == [
        ("a", "PASS", 80.0, "한 \ud83d\nBye"),
        ("b", "FAIL", None, "=1+1"),
    ]


def test_json(folder: Path) -> None:
    """The suite as it is in the JSON report."""
    text = copy(folder, "json")
    data = json.loads(text)
    assert text.endswith("]}\n")
    assert (data["name"], data["verdict"], [case["ref"] for case in data["cases"]]) == (
        "greet",
        "FAIL",
        ["a", "b"],
    )


def test_csv(folder: Path) -> None:
    """A case a line for spreadsheets, which compute nothing of it."""
    copy(folder, "csv")
    with (folder / "logs" / f"{NAME}.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [(row["ref"], row["score"], row["output"]) for row in rows] == [
        ("a", "80", "한 \\ud83d\nBye"),
        ("b", "", "'=1+1"),
    ]


def test_analysis(folder: Path) -> None:
    """The summary for people and the one for programs say the same."""
    assert write_copies([suite(folder, "analysis: {directory: seen}\n")], report(CASES)) == []
    text = (folder / "seen" / f"{NAME}.analysis.md").read_text("utf-8")
    data = json.loads((folder / "seen" / f"{NAME}.analysis.json").read_text("utf-8"))
    assert text.startswith("# greet: FAIL\n\n- 2 cases: 1 failed, 1 passed\n")
    assert (data["verdict"], [case["ref"] for case in data["not_passed"]]) == ("FAIL", ["b"])


def test_suites_share_a_folder(folder: Path) -> None:
    """Two suites of one run never write the same file."""
    both = [suite(folder, "logs: {}\n")] * 2
    assert write_copies(both, report(CASES, CASES[:1])) == []
    lines = {path.name: len(path.read_text("utf-8").splitlines()) for path in (folder / "logs").iterdir()}
    assert lines == {f"{RUN}-greet.jsonl": 2, f"{RUN}-greet-2.jsonl": 1}


def test_a_run_that_goes_on_replaces_its_copy(folder: Path) -> None:
    """The same run has one copy, of its end."""
    asked = [suite(folder, "logs: {}\n")]
    write_copies(asked, report(CASES[:1]))
    write_copies(asked, report(CASES))
    assert len((folder / "logs" / f"{NAME}.jsonl").read_text("utf-8").splitlines()) == 2
    assert names(folder) == [f"logs/{NAME}.jsonl", "prompt-meta.yaml"]


SENTENCE = (
    "no copy of the results in .omniscitus/tests/greet/logs/{name}: {reason}; "
    f"they are in .omniscitus/runs/{RUN}/greet"
)


def test_a_full_disk_costs_only_the_copy(folder: Path) -> None:
    """What cannot be written is told, with where the results are; other copies are written all the same."""
    (folder / "logs").mkdir()
    (folder / "logs" / f"{NAME}.jsonl").symlink_to("/dev/full")
    told = write_copies([suite(folder, "logs: {}\nanalysis: {}\n")], report(CASES))
    assert told == [SENTENCE.format(name=f"{NAME}.jsonl", reason="No space left on device")]
    assert (folder / "logs" / "analysis" / f"{NAME}.analysis.md").exists()
    assert Path("/dev/full").is_char_device()


def test_a_folder_that_cannot_be_made_is_told(folder: Path) -> None:
    """A file in the way of a folder is left as it is."""
    (folder / "logs").write_text("mine")
    told = write_copies([suite(folder, "logs: {}\n")], report(CASES))
    assert told == [SENTENCE.format(name=f"{NAME}.jsonl", reason="File exists")]
    assert (folder / "logs").read_text() == "mine"


def only_the_first(number: int) -> CaseReport:
    if number:
        raise OSError(5, "Input/output error")
    return CASES[0]


@pytest.mark.parametrize("kind", ["jsonl", "json", "csv"])
def test_no_copy_is_half_written(folder: Path, kind: str) -> None:
    """What breaks off in the middle leaves no file, not even a part of one."""
    asked = suite(folder, f"logs: {{format: {kind}}}\n")
    whole = report(CASES)
    broken = replace(whole, suites=(replace(whole.suites[0], cases=StreamedCases(2, only_the_first)),))
    (told,) = write_copies([asked], broken)
    assert "Input/output error" in told
    assert names(folder) == ["prompt-meta.yaml"]


def large(number: int) -> CaseReport:
    return replace(CASES[0], ref=f"c{number}", output="x" * 10_000)


@pytest.mark.parametrize("kind", ["jsonl", "json", "csv"])
def test_cases_are_not_held(folder: Path, kind: str) -> None:
    """Twenty megabytes of outputs are copied within two of memory."""
    asked = suite(folder, f"logs: {{format: {kind}}}\n")
    whole = report(CASES)
    many = replace(whole, suites=(replace(whole.suites[0], cases=StreamedCases(2000, large)),))
    tracemalloc.start()
    try:
        assert write_copies([asked], many) == []
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert (folder / "logs" / f"{NAME}.{kind}").stat().st_size > 20_000_000
    assert peak < 2_000_000
