"""`baseline.json`: written and read again, byte for byte; what is no baseline is refused."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judges.core.baseline import Baseline, BaselineCase
from judges.core.case import digest
from judges.core.errors import ConfigError
from judges.core.question import Answer
from judges.files.baseline import read_baseline, render_baseline

BASELINE = Baseline(
    run="20261130T120000Z-0a1b",
    judge="openai:gpt-4o",
    wording="1-abc",
    rubrics={"tone": "ff"},
    cases=(
        BaselineCase(
            ref="ann",
            model="openai:gpt-4o-mini",
            input_sha256=digest("ann"),
            output="Hello Ann \ud800",
            asked_sha256="aa",
            answers={
                "criteria.tone": Answer(value=3, probabilities={"1": 0.1, "2": 0.2, "3": 0.7}),
                "checks.polite": Answer(value=True),
            },
            score=100.0,
        ),
        BaselineCase(ref="bob", model=None, input_sha256=digest("bob"), output="", answers={}),
    ),
)


def test_a_baseline_is_read_as_it_was_written(tmp_path: Path) -> None:
    """Nothing is lost, not even half of a character, and the text of an equal one is the same."""
    text = render_baseline(BASELINE)
    (tmp_path / "baseline.json").write_text(text, encoding="utf-8")
    read = read_baseline(tmp_path / "baseline.json")
    assert read == BASELINE
    assert render_baseline(read) == text
    assert text.endswith("}\n")


@given(
    st.lists(
        st.builds(
            BaselineCase,
            ref=st.text(st.characters(exclude_categories=["Cs"]), min_size=1),
            model=st.none() | st.just("a:b"),
            input_sha256=st.just("00"),
            output=st.text(),
            answers=st.dictionaries(
                st.sampled_from(["criteria.tone", "declines"]),
                st.builds(
                    Answer,
                    value=st.booleans() | st.integers(1, 100),
                    probabilities=st.none() | st.dictionaries(st.just("1"), st.floats(0, 1), min_size=1),
                ),
            ),
            score=st.none() | st.floats(0, 100),
        ),
        max_size=3,
    )
)
def test_any_case_survives(tmp_path_factory: pytest.TempPathFactory, cases: list[BaselineCase]) -> None:
    """Levels, truth values, probabilities and any output come back exactly."""
    baseline = Baseline(run="r", judge="j", wording="w", rubrics={}, cases=tuple(cases))
    path = tmp_path_factory.mktemp("baseline") / "baseline.json"
    path.write_text(render_baseline(baseline), encoding="utf-8")
    read = read_baseline(path)
    assert read == baseline
    assert [type(answer.value) for case in read.cases for answer in case.answers.values()] == [
        type(answer.value) for case in cases for answer in case.answers.values()
    ]


def edited(edit: str, by: str) -> str:
    return render_baseline(BASELINE).replace(edit, by, 1)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "not valid JSON: Expecting value"),
        ("[]", "expected a mapping, found a list (accept a run again: scaffold baseline accept RUN)"),
        (edited('"schema": 1', '"schema": 2'), "schema: must be at most 1, found 2 (accept a run again"),
        (edited('"judge": "openai:gpt-4o",', ""), "judge: the key is missing (accept a run again"),
        (edited('"value": 3', '"value": 3.5'), "expected a level (a whole number), true or false, found 3.5"),
        (edited('"output": ""', '"output": null'), "cases[1].output: expected a text, found nothing"),
        (
            edited("Hello", "Hallo"),
            "the output of 'ann' is not the one that was accepted (accept a run again",
        ),
    ],
    ids=["empty", "list", "schema", "judge", "level", "output", "edited"],
)
def test_what_is_no_baseline_is_refused(tmp_path: Path, text: str, expected: str) -> None:
    """A file of another shape, or one that somebody edited, is explained, with what to do."""
    path = tmp_path / "baseline.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError) as caught:
        read_baseline(path)
    assert expected in str(caught.value)


def test_the_file_is_json_that_people_can_compare(tmp_path: Path) -> None:
    """Each case has its digests, its score and its output, a key a line."""
    case = json.loads(render_baseline(BASELINE))["cases"][1]
    assert case == {
        "ref": "bob",
        "model": None,
        "input_sha256": digest("bob"),
        "output_sha256": digest(""),
        "asked_sha256": None,
        "score": None,
        "answers": {},
        "output": "",
    }
