"""Finished runs as a page shows them."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from stored_run import store_report, store_suite

from judges.core.errors import ConfigError
from judges.core.report import CaseReport, Report, SuiteKind, SuiteReport, Totals
from judges.core.verdict import ExitCode, Verdict
from judges.run.reported import read_reported


def make_case(ref: str, **more: object) -> CaseReport:
    return CaseReport(ref=ref, title=ref, category=None, verdict=Verdict.PASS, rows=(), **more)  # type: ignore[arg-type]


def make_report(*suites: SuiteReport, name: str = "20261130T131400Z-ab12") -> Report:
    return Report(verdict=Verdict.PASS, exit_code=ExitCode.PASSED, run_dir=Path("runs") / name, suites=suites)


def make_suite(*cases: CaseReport, name: str = "s", folder: str = "s") -> SuiteReport:
    return SuiteReport(
        name=name,
        kind=SuiteKind.PROMPT,
        path=Path("p"),
        verdict=Verdict.PASS,
        run_dir=Path("r") / folder,
        cases=cases,
        totals=Totals(cases=len(cases)),
    )


def test_cases_in_any_order(tmp_path: Path) -> None:
    """Each comes with its own record, whatever the order in which trials finished."""
    cases = [make_case(ref, output=f"output of {ref}") for ref in "abc"]
    run = store_report(tmp_path, make_report(make_suite(*cases)))
    rows = (run / "s/rows.jsonl").read_text().splitlines(keepends=True)
    records = (run / "s/records.jsonl").read_text().splitlines(keepends=True)
    order = (2, 0, 1)
    (run / "s/rows.jsonl").write_text("".join(rows[at] for at in order) + '{"index": 3, "cut')
    (run / "s/records.jsonl").write_text("".join(records[at] for at in order) + records[0])
    (suite,) = read_reported(run).suites
    assert [case.ref for case in suite.cases] == ["a", "b", "c"]
    found = [
        (whole.number, whole.case.ref, whole.trials[0].outputs[0].text)
        for whole in suite.cases.read([1, 0, 2])
    ]
    assert found == [(1, "b", "output of b"), (0, "a", "output of a"), (2, "c", "output of c")]


def test_cases_of_several_trials(tmp_path: Path) -> None:
    """Trials belong to the case with their ref and model, in the order of the suite."""
    merged = [make_case("a", model="m1"), make_case("a", model="m2")]
    suite = make_suite(*merged)
    run = store_report(tmp_path, make_report(suite))
    trials = [replace(case, output=f"{case.model} {at}") for case in merged for at in (1, 2)]
    store_suite(run / "s", suite, trials, lambda case: {"replica": int(str(case.output)[-1])}, merged=True)
    (read,) = read_reported(run).suites
    assert [
        [(trial.replica, trial.outputs[0].text) for trial in whole.trials]
        for whole in read.cases.read([1, 0])
    ] == [[(1, "m2 1"), (2, "m2 2")], [(1, "m1 1"), (2, "m1 2")]]


def test_suites_are_paired_by_name(tmp_path: Path) -> None:
    """Of equal names the first goes with the first; one that the other run lacks has no changes."""
    before = store_report(
        tmp_path,
        make_report(
            make_suite(make_case("a"), folder="s"),
            make_suite(make_case("b"), folder="s-2"),
            name="20261101T000000Z-aaaa",
        ),
    )
    after = store_report(
        tmp_path,
        make_report(
            make_suite(make_case("x"), name="new", folder="new"),
            make_suite(make_case("a"), folder="s"),
            make_suite(make_case("b"), folder="s-2"),
        ),
    )
    reported = read_reported(after, before)
    found = [suite.changes and [change.ref for change in suite.changes.cases] for suite in reported.suites]
    assert (reported.against, found) == ("20261101T000000Z-aaaa", [None, ["a"], ["b"]])


@pytest.mark.parametrize("key", ["input", "arms", "output", "expected_behavior", "replica", "latency_ms"])
def test_damaged_records(tmp_path: Path, key: str) -> None:
    """A record without one of its keys is told with its folder."""
    run = store_report(tmp_path, make_report(make_suite(make_case("a"))))
    path = run / "s/records.jsonl"
    records = [json.loads(line) for line in path.read_text().splitlines()]
    path.write_text(
        "".join(json.dumps({name: each[name] for name in each if name != key}) + "\n" for each in records)
    )
    (suite,) = read_reported(run).suites
    with pytest.raises(ConfigError) as error:
        list(suite.cases.read([0]))
    assert f"{run / 's'}: the run is damaged: '{key}'" in str(error.value)


def test_a_case_without_any_trial(tmp_path: Path) -> None:
    """What a case was made of has to be there."""
    suite = make_suite(make_case("a"))
    run = store_report(tmp_path, make_report(suite))
    store_suite(run / "s", suite, [make_case("b")], lambda case: {}, merged=True)
    (read,) = read_reported(run).suites
    with pytest.raises(ConfigError, match="the record of a case is missing"):
        list(read.cases.read([0]))
