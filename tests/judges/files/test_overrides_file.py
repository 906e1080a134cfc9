"""People's corrections in files."""

from collections.abc import Callable
from decimal import Decimal
from pathlib import Path

import pytest

from judges.files.case_meta import Bind
from judges.files.load import load_suite
from judges.files.suite import Override

WriteSuite = Callable[..., Path]

HEAD = """\
prompt_name: greet
criteria: [{name: safety, weight: 1, rubric: 'Is it safe?'}]
cases: [{title: One}, {title: Two}]
"""
SEED = '{case_ref: one, score: 85, timestamp: "2026-02-18T11:01:29Z", reason: seen}'
DATE = "expected a date or time such as 2026-02-18T11:01:29Z, found"
FULL = """\
- case_ref: one
  criterion: safety
  score: 85
  timestamp: "2026-02-18T11:01:29Z"
  reason: seen
  author: jane@example.com
  bind: output
  output_sha256: f0
  rubric_sha256: f1
  expires: "2026-08-18"
  status: withdrawn
"""


def overrides(path: Path) -> tuple[Override, ...]:
    return load_suite(path).overrides


def test_every_field_is_read(write_suite: WriteSuite) -> None:
    """The default file is read without being named."""
    (override,) = overrides(write_suite(HEAD, {"overrides/overrides.yaml": FULL}))
    assert (override.case_ref, override.criterion, override.score) == ("one", "safety", Decimal(85))
    assert override.timestamp.isoformat() == "2026-02-18T11:01:29+00:00"
    assert (override.reason, override.author, override.bind) == ("seen", "jane@example.com", Bind.OUTPUT)
    assert (override.output_sha256, override.rubric_sha256, override.active) == ("f0", "f1", False)
    assert override.expires is not None
    assert override.expires.isoformat() == "2026-08-19T00:00:00+00:00"


@pytest.mark.parametrize(
    ("more", "bind", "expires"),
    [
        ("", Bind.CASE, None),
        (", author: jane", Bind.CASE, "2026-08-17T11:01:29+00:00"),
        (", output_sha256: f0", Bind.OUTPUT, "2026-08-17T11:01:29+00:00"),
        (", output_sha256: f0, bind: case", Bind.CASE, "2026-08-17T11:01:29+00:00"),
        (", expires: 2026-03-01T00:00:00Z", Bind.CASE, "2026-03-01T00:00:00+00:00"),
    ],
    ids=["seed", "author", "digest", "bound", "expires"],
)
def test_what_is_left_out_has_a_default(
    write_suite: WriteSuite, more: str, bind: Bind, expires: str | None
) -> None:
    """The seed's shape never ends; any other ends after 180 days; a digest binds to the output."""
    (override,) = overrides(write_suite(f"{HEAD}overrides: {{items: [{SEED[:-1]}{more}}}]}}\n"))
    assert override.bind is bind
    assert (override.expires and override.expires.isoformat()) == expires


def test_whether_a_person_or_a_model_decided(write_suite: WriteSuite) -> None:
    """In the file, in the suite and in a case of the older shape; unless it is said, a person did."""
    inline = f"overrides: {{items: [{SEED[:-1]}, rater_kind: person}}]}}\n"
    cases = HEAD.replace(
        "{title: One}",
        '{title: One, manual_override: {score: 1, timestamp: "2026-02-18", reason: seen, rater_kind: model}}',
    )
    path = write_suite(cases + inline, {"overrides/overrides.yaml": f"{FULL}  rater_kind: model\n- {SEED}"})
    assert sorted((each.score, each.rater_kind.value) for each in overrides(path)) == [
        (1, "model"),
        (85, "model"),
        (85, "person"),
        (85, "person"),
    ]


@pytest.mark.parametrize("text", ["", "# none yet\n", "[]\n", "items: []\n"])
def test_a_file_without_entries_is_fine(write_suite: WriteSuite, text: str) -> None:
    """The file that is generated has only comments."""
    assert overrides(write_suite(HEAD, {"overrides/overrides.yaml": text})) == ()


def test_all_places_are_read_in_order(write_suite: WriteSuite) -> None:
    """First the file, then the suite's own items; a mapping with `items` is a list too."""
    text = f"{HEAD}overrides: {{source: more.yaml, items: [{SEED.replace('85', '2')}]}}\n"
    path = write_suite(text, {"more.yaml": f"items: [{SEED.replace('85', '1')}]"})
    assert [override.score for override in overrides(path)] == [1, 2]


def test_remarks_on_corrections(write_suite: WriteSuite) -> None:
    """An entry that nothing can make stale, and one of an unknown case, are remarked on."""
    other = '{case_ref: tow, author: me, score: 1, timestamp: "2026-02-18", reason: seen}'
    suite = load_suite(write_suite(f"{HEAD}overrides: {{items: [{SEED}, {other}]}}\n"))
    assert [notice.text for notice in suite.notices] == [
        "overrides without author, digest and expiry, which hold whatever the output: 1",
        "an override names the case 'tow', which does not exist; did you mean 'two'?",
    ]


@pytest.mark.parametrize(
    ("suite", "text", "expected"),
    [
        ("", "[1]", ["overrides/overrides.yaml:1:2: [0]: expected a mapping, found 1"]),
        ("", "3", ["overrides/overrides.yaml:1:1: expected a list of overrides, found 3"]),
        ("", "items: 3", ["overrides/overrides.yaml:1:8: items: expected a list of overrides, found 3"]),
        (
            "",
            "- {case_ref: a, score: 101, timestamp: now, reason: ''}\n"
            "- {case_ref: a, score: 1, timestamp: now, reason: b, expires: never, bind: output}",
            [
                "overrides/overrides.yaml:1:24: [0].score: must be at most 100, found 101",
                "overrides/overrides.yaml:1:53: [0].reason: must not be empty",
                "overrides/overrides.yaml:2:3: [1].output_sha256: bind 'output' needs the output's digest",
                f"overrides/overrides.yaml:2:38: [1].timestamp: {DATE} 'now'",
                f"overrides/overrides.yaml:2:63: [1].expires: {DATE} 'never'",
            ],
        ),
        (
            "",
            f"- {SEED[:-1]}, rater_kind: robot}}",
            ["overrides/overrides.yaml:1:91: [0].rater_kind: expected person or model, found 'robot'"],
        ),
        (
            "overrides: {source: none.yaml}",
            "",
            ["prompt-meta.yaml:4:21: overrides.source: none.yaml: does not exist (check the path)"],
        ),
        (
            "overrides: {source: overrides/../../../../../x.yaml}",
            "",
            [
                "prompt-meta.yaml:4:21: overrides.source: 'overrides/../../../../../x.yaml' leaves the "
                "project root ROOT (move it inside, or pass --allow-outside)"
            ],
        ),
    ],
    ids=["entry", "scalar", "items", "fields", "rater", "missing", "outside"],
)
def test_bad_files_are_explained(
    write_suite: WriteSuite,
    problems_of: Callable[..., list[str]],
    project: Path,
    suite: str,
    text: str,
    expected: list[str],
) -> None:
    """All mistakes of a file are told at once, at their place in it."""
    found = problems_of(write_suite(HEAD + suite, {"overrides/overrides.yaml": text}))
    assert [line.replace(str(project), "ROOT") for line in found] == expected
