"""A run read as what people review."""

import json
from pathlib import Path
from typing import Any

import pytest

from judges.core.case import Category, digest
from judges.core.encode import encode_case, render_line
from judges.core.errors import ConfigError
from judges.core.report import CaseReport, SuiteKind
from judges.core.row import Row
from judges.core.verdict import Verdict
from judges.reduce.reasons import ReasonKind
from judges.run.records import RunDirectory
from judges.run.review import ReviewedSuite, bound_sha256, list_suites, read_result, read_results, review


def case(ref: str, **changes: Any) -> CaseReport:
    row = Row(id="tools", kind="tools", verdict=Verdict.PASS, extra={"pass_count": 2, "runs": 3})
    values = {"ref": ref, "title": ref.upper(), "category": Category.ELEMENT, "verdict": Verdict.PASS}
    return CaseReport(**{**values, "rows": (row,), "output": f"about {ref}", **changes})


@pytest.fixture
def suite(tmp_path: Path) -> ReviewedSuite:
    """The results of three trials, stored as they finished, of which the last was cut off."""
    folder = tmp_path / "talk"
    folder.mkdir()
    rows = [render_line({"index": at, "replica": 1, **encode_case(case(f"c{at}"))}) for at in (1, 0, 2)]
    (folder / "rows.jsonl").write_text("\n".join(rows)[:-9])
    records = [json.dumps({"ref": f"c{at}", "output": f"about c{at}"}) for at in (1, 0, 2)]
    (folder / "records.jsonl").write_text("\n".join(records) + "\n")
    path = Path("talk.fixture.md")
    return ReviewedSuite(run="r", folder=folder, name="talk", kind=SuiteKind.FIXTURE, path=path)


def test_results_with_their_records(suite: ReviewedSuite) -> None:
    """Each result has the record of its own trial; a line that was cut off is none."""
    found = [(each.number, each.case.ref, each.record["ref"]) for each in read_results(suite)]
    assert found == [(1, "c1", "c1"), (0, "c0", "c0")]
    assert read_result(suite, 0).case == case("c0")
    with pytest.raises(ConfigError, match="run r has no result 2 of the suite 'talk'"):
        read_result(suite, 2)


def test_a_run_that_goes_on(suite: ReviewedSuite) -> None:
    """What is added to a run that was opened before is found, and read from where it is."""
    assert read_result(suite, 1).record["ref"] == "c1"
    rows = suite.folder / "rows.jsonl"
    whole = rows.read_text().split("\n")[:2]
    row = render_line({"index": 2, "replica": 1, **encode_case(case("c2"))})
    rows.write_text("\n".join([*whole, row]) + "\n")
    found = [read_result(suite, number) for number in (0, 1, 2)]
    assert [(each.case.ref, each.record["ref"]) for each in found] == [
        ("c0", "c0"),
        ("c1", "c1"),
        ("c2", "c2"),
    ]


@pytest.mark.parametrize(("ref", "record"), [("c0", "c0"), ("arm/model/task", "c1")])
def test_results_of_several_trials(suite: ReviewedSuite, ref: str, record: str) -> None:
    """A result that is made of several trials is numbered by its line, and shown with the first record."""
    merged = [render_line(encode_case(case(each))) for each in ("x", ref)]
    (suite.folder / "cases.jsonl").write_text("\n".join(merged) + "\n")
    result = read_result(suite, 1)
    assert (result.case.ref, result.record["ref"]) == (ref, record)
    assert [each.number for each in read_results(suite)] == [0, 1]
    (suite.folder / "records.jsonl").write_text("")
    with pytest.raises(ConfigError, match="the run is damaged: it has no record"):
        read_result(suite, 1)


def test_what_has_no_corrections(suite: ReviewedSuite) -> None:
    """Results of a fixture are queued by what their rows tell; a person's rating marks them as reviewed."""
    items = {item.ref: item for item, _ in review(suite, None, {}, {("c1", digest("about c1"))})}
    assert [reason.kind for reason in items["c0"].reasons] == [ReasonKind.DISAGREEMENT]
    assert (items["c0"].id, items["c0"].reviewed, items["c1"].reviewed) == ("talk:0", False, True)


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        pytest.param({}, digest("about a"), id="one output"),
        pytest.param({"output": None}, None, id="no output"),
        pytest.param(
            {"outputs": {"a": "one", "b": "two"}}, f"{digest('one')}+{digest('two')}", id="a comparison"
        ),
        pytest.param({"outputs": {"a": "one", "b": None}}, None, id="half a comparison"),
    ],
)
def test_what_corrections_are_bound_to(changes: dict[str, Any], expected: str | None) -> None:
    """That is what a run binds them to."""
    assert bound_sha256(case("a", **changes)) == expected


@pytest.mark.parametrize(
    "info", [{"suites": []}, {"suites": [], "parameters": [{}]}, {"suites": [], "parameters": [7]}]
)
def test_a_run_that_is_damaged(tmp_path: Path, info: dict[str, Any]) -> None:
    """A run that does not say what was run cannot be reviewed."""
    (tmp_path / "run.json").write_text(json.dumps(info))
    with pytest.raises(ConfigError, match="run the suite again"):
        list_suites(RunDirectory(tmp_path))
