"""What GitHub shows of a run, read as its runner reads it."""

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from hardening import breaches
from hypothesis import given
from hypothesis import strategies as st

from judges.core.report import CaseReport, ModelSummary, Report, Totals
from judges.core.row import Row
from judges.core.usage import Usage
from judges.core.verdict import Verdict
from judges.out.github import (
    Annotations,
    Level,
    Place,
    annotate,
    bound_summary,
    render_annotations,
    render_command,
    shield_json,
)
from judges.out.printable import printable

STRICT = frozenset((Verdict.FAIL, Verdict.ERROR, Verdict.WARN, Verdict.INCONCLUSIVE))
HERE = Path("/repo")
anything = st.text(st.characters(exclude_categories=()))


def with_cases(
    report: Report, *verdicts: Verdict, verdict: Verdict = Verdict.FAIL, **changes: object
) -> Report:
    """The report with these cases, `c0` and so on, in a suite of this verdict."""
    cases = tuple(
        CaseReport(
            ref=f"c{number}",
            title="C",
            category=None,
            verdict=each,
            rows=(Row(id="r", kind="r", verdict=each, error=f"why {number}"),),
        )
        for number, each in enumerate(verdicts)
    )
    suite = replace(report.suites[0], name="s", cases=cases, totals=Totals(cases=len(cases)), verdict=verdict)
    return replace(report, suites=(replace(suite, **changes),))  # type: ignore[arg-type]


def levels(annotations: Annotations) -> list[tuple[str, str]]:
    return [(each.level.value, each.title) for each in annotations.shown]


@pytest.mark.parametrize(
    ("case", "decided", "failing", "expected"),
    [
        pytest.param(Verdict.FAIL, Verdict.FAIL, STRICT, "error", id="a failure"),
        pytest.param(Verdict.ERROR, Verdict.ERROR, STRICT, "error", id="not measured"),
        pytest.param(Verdict.WARN, Verdict.WARN, STRICT, "error", id="a warning that fails the run"),
        pytest.param(Verdict.WARN, Verdict.WARN, STRICT - {Verdict.WARN}, "warning", id="an allowed warning"),
        pytest.param(Verdict.FAIL, Verdict.PASS, STRICT, "warning", id="a failure in a suite that passes"),
        pytest.param(Verdict.PASS, Verdict.FAIL, STRICT, None, id="a pass"),
        pytest.param(Verdict.SKIP, Verdict.FAIL, STRICT, None, id="skipped"),
    ],
)
def test_levels(
    report: Report, case: Verdict, decided: Verdict, failing: frozenset[Verdict], expected: str | None
) -> None:
    """An error is what makes the run exit other than 0; what else did not pass is a warning."""
    found = levels(annotate(with_cases(report, case, verdict=decided), failing))
    assert found == ([(expected, f"{case} s: c0")] if expected else [])


def test_a_suite_that_is_decided_as_a_whole(report: Report) -> None:
    """Where no case fails, the suite says why it does."""
    summary = {"pass_rate": 75.0, "threshold": 80, "warn_rate": 0, "interval": None}
    (said,) = annotate(with_cases(report, Verdict.PASS, summary=summary), STRICT).shown
    assert (said.level, said.title, said.message, said.ref) == (
        Level.ERROR,
        "FAIL s",
        "75 % pass; 80 % must",
        None,
    )


def test_no_more_than_github_shows(report: Report) -> None:
    """Ten of each level are shown, the others are a number."""
    cases = [Verdict.FAIL] * 12 + [Verdict.WARN] * 11 + [Verdict.ERROR]
    found = annotate(with_cases(report, *cases), STRICT - {Verdict.WARN})
    shown = Counter(each.level for each in found.shown)
    assert (shown, found.more) == (
        {Level.ERROR: 10, Level.WARNING: 10},
        {Level.ERROR: 3, Level.WARNING: 1},
    )
    *_, last = render_annotations(found, {}, HERE)
    assert breaches.read_command(last.rstrip("\n")) == (
        "notice",
        {"title": "scaffold"},
        "3 errors and 1 warnings more: GitHub shows 10 of each a step. The job summary has them.",
    )


def test_several_models_are_told_apart(report: Report) -> None:
    """The model is in the title where a case is run with several."""
    summary = ModelSummary(totals=Totals(), mean_score=None, output_usage=Usage())
    one = with_cases(report, Verdict.FAIL, models={"a": summary, "b": summary})
    case = replace(one.suites[0].cases[0], model="a")
    both = replace(one, suites=(replace(one.suites[0], cases=(case,)),))
    assert levels(annotate(both, STRICT)) == [("error", "FAIL s: c0 [a]")]


@pytest.mark.parametrize(
    ("file", "expected"),
    [
        pytest.param("/repo/suites/cases.jsonl", "file=suites/cases.jsonl,line=7,", id="in the repository"),
        pytest.param("/repo/a,b: c%/x.yaml", "file=a%2Cb%3A c%25/x.yaml,line=7,", id="odd names"),
        pytest.param("/elsewhere/x.yaml", "", id="elsewhere"),
        pytest.param("/repo/../elsewhere/x.yaml", "", id="elsewhere by a detour"),
    ],
)
def test_where(report: Report, file: str, expected: str) -> None:
    """Files are named from the repository's root, as GitHub finds them; others are not named."""
    one = with_cases(report, Verdict.FAIL)
    places = {(one.suites[0].run_dir, "c0"): Place(file, 7)}
    (command,) = render_annotations(annotate(one, STRICT), places, HERE)
    assert command == f"::error {expected}title=FAIL s%3A c0::why 0\n"


def test_a_link_into_the_repository(report: Report, tmp_path: Path) -> None:
    """A workspace may be reached by a link."""
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    one = with_cases(report, Verdict.FAIL)
    places = {(one.suites[0].run_dir, "c0"): Place(str(tmp_path / "real/x.yaml"), 2)}
    (command,) = render_annotations(annotate(one, STRICT), places, tmp_path / "link")
    assert command.startswith("::error file=x.yaml,line=2,")


def test_without_a_place_it_is_the_suite(report: Report) -> None:
    """A fixture is its own file, whose first line stands for it."""
    one = with_cases(report, Verdict.FAIL, path=HERE / "smoke.fixture.md")
    (command,) = render_annotations(annotate(one, STRICT), {}, HERE)
    assert command.startswith("::error file=smoke.fixture.md,line=1,")


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        pytest.param("a\nb", "a%0Ab", id="line end"),
        pytest.param("a\r\n::error::b", "a%0A::error::b", id="a command in the message"),
        pytest.param("100 %0A: a,b", "100 %250A: a,b", id="per cent"),
        pytest.param("\x1b[31m\u202ered", "\\x1b[31m\\u202ered", id="terminal"),
        pytest.param("##[error]x", "\\x23#[error]x", id="the other kind of command"),
    ],
)
def test_messages_are_escaped(message: str, expected: str) -> None:
    """A message is what GitHub's runner makes of it again, on a line of its own."""
    assert render_command(Level.ERROR, message, {"title": "t"}) == f"::error title=t::{expected}\n"


@given(anything, anything)
def test_no_text_ends_a_command(message: str, title: str) -> None:
    """Whatever a model writes, the runner reads one annotation with this title and this message."""
    line = render_command(Level.WARNING, message, {"file": title, "line": "1", "title": title})
    assert list(breaches.annotations(line)) == []
    command, properties, said = breaches.read_command(line.removesuffix("\n"))
    assert (command, properties["line"]) == ("warning", "1")
    assert properties["title"] == properties["file"] == printable(title)
    assert said == "\n".join(printable(each) for each in message.split("\n"))


def test_a_summary_that_fits_is_whole() -> None:
    """Nothing is left out of a small summary."""
    assert list(bound_summary(["# a\n", "\n", "b\n"])) == ["# a\n", "\n", "b\n"]


@pytest.mark.parametrize("line", ["x" * 99 + "\n", "한" * 33 + "\n"], ids=["ascii", "wide"])
@pytest.mark.parametrize("most", [150, 1000, 1024 * 1024])
def test_a_summary_that_does_not_fit_is_cut_between_lines(line: str, most: int) -> None:
    """It is counted in bytes, and a note says that there is more."""
    *kept, note = bound_summary([line] * 20_000, most)
    assert set(kept) <= {line}
    assert "does not fit" in note
    size = len("".join([*kept, note]).encode())
    assert most - 100 <= size <= most


def test_a_summary_that_has_no_room() -> None:
    """Where earlier commands have filled the summary, nothing is added to it, or all of it would be lost."""
    assert list(bound_summary(["a\n"], 0)) == []


@given(anything)
def test_json_on_a_log_says_the_same(text: str) -> None:
    """JSON that a runner reads is the same value, and no command."""
    line = json.dumps({text: [text + "##[error]##vso[x]\\##["]})
    shielded = shield_json(line)
    assert json.loads(shielded) == json.loads(line)
    assert list(breaches.terminal_commands(shielded)) == []
