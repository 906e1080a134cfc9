"""Cases in files of their own."""

import json
import tracemalloc
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest

from judges.core.case import Category, ScoreRange
from judges.files.load import load_suite

WriteSuite = Callable[..., Path]
ProblemsOf = Callable[..., list[str]]

HEAD = "prompt_name: greet\ncriteria: [{name: safety, weight: 1, rubric: 'Is it safe?'}]\n"
SUITE = HEAD + 'cases: {source: external, pattern: "test-cases/**/*.{yaml,json,jsonl,csv}"}\n'
CHECKED = SUITE.replace('csv}"', 'csv}", schema: test-cases/schema.yaml')

FILES = {
    "test-cases/english/countable.yaml": "title: Countable\ninput: {noun: apple}\n",
    "test-cases/english/list.yaml": "- {title: One}\n- {title: Two, id: second}\n",
    "test-cases/one.json": '{"title": "\\ud83d\\ude00 One", "category": "edge", "input": {"x-y": [1]}}',
    "test-cases/lines.jsonl": '{"title": "L1"}\n\n{"title": "L2", "tags": ["a"]}\n',
    "test-cases/table.csv": (
        "\ufefftitle,category,input.noun,input.note,tags,expected_score_range.min,expected_score_range.max\n"
        '"One, two",mixed,"a\nb",,"x, y",0,10.5\n'
        "Three,,c,d,,,\n"
    ),
    "test-cases/_draft.yaml": "no case",
    "test-cases/_old/a.yaml": "no case",
    "test-cases/notes.txt": "no case",
}


def test_cases_of_all_formats_are_read(write_suite: WriteSuite) -> None:
    """Refs are the path below the pattern's fixed folder and the id; a file that is a case needs no id."""
    cases = load_suite(write_suite(SUITE, FILES)).cases
    assert [case.ref for case in cases] == [
        "english/countable",
        "english/list/one",
        "english/list/second",
        "lines/l1",
        "lines/l2",
        "one",
        "table/one-two",
        "table/three",
    ]
    assert len(cases) == 8
    assert [case.ref for case in cases] == [case.ref for case in cases]


def test_fields_of_a_table_are_read(write_suite: WriteSuite) -> None:
    """Inputs are text, empty ones too; other empty cells are left out; ranges are numbers."""
    cases = {case.ref: case for case in load_suite(write_suite(SUITE, FILES)).cases}
    first, second = cases["table/one-two"], cases["table/three"]
    assert (first.input, first.tags, first.category) == (
        {"noun": "a\nb", "note": ""},
        ("x", "y"),
        Category.MIXED,
    )
    assert first.expected_score_range is not None
    assert (int(first.expected_score_range.min), str(first.expected_score_range.max)) == (0, "10.5")
    assert (second.input, second.expected_score_range, second.line) == ({"noun": "c", "note": "d"}, None, 4)
    assert cases["lines/l2"].line == 3
    assert cases["one"].title == "😀 One"


@pytest.mark.parametrize(
    ("copies", "expected"),
    [
        pytest.param("logs: {}\n", ["cases/a"], id="the default folder of logs, that of analyses within it"),
        pytest.param("analysis: {}\n", ["cases/a", "logs/r"], id="only the folder of analyses"),
        pytest.param(
            "logs: {directory: .}\n", ["cases/a", "logs/analysis/s", "logs/r"], id="the folder itself"
        ),
        pytest.param("logs: {directory: cases}\n", ["logs/analysis/s", "logs/r"], id="a folder of its own"),
    ],
)
def test_copies_of_results_are_no_cases(write_suite: WriteSuite, copies: str, expected: list[str]) -> None:
    """A pattern for every file below does not take what an earlier run has written for cases."""
    files = dict.fromkeys(("cases/a.json", "logs/r.json", "logs/analysis/s.json"), '{"title": "T"}')
    suite = HEAD + 'cases: {source: external, pattern: "**/*.json"}\n' + copies
    assert [case.ref for case in load_suite(write_suite(suite, files)).cases] == expected


def test_membership_is_by_value(write_suite: WriteSuite) -> None:
    """The collection knows its cases."""
    cases = load_suite(write_suite(SUITE, FILES)).cases
    first, *_ = cases
    assert first in cases
    assert replace(first, ref="other") not in cases


def test_corrections_inside_cases_are_kept(write_suite: WriteSuite) -> None:
    """The legacy correction inside a case counts in files of cases too."""
    case = 'title: A\nmanual_override: {score: 5, timestamp: "2026-02-18", reason: r}\n'
    suite = load_suite(write_suite(SUITE, {"test-cases/a.yaml": case}))
    assert [(each.case_ref, each.score) for each in suite.overrides] == [("a", Decimal(5))]


def test_corrections_find_external_cases(write_suite: WriteSuite) -> None:
    """An override of a case in a file is known to exist."""
    override = '[{case_ref: lines/l1, author: me, score: 5, timestamp: "2026-02-18", reason: r}]'
    assert load_suite(write_suite(f"{SUITE}overrides: {{items: {override}}}\n", FILES)).notices == ()


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        (
            {"a.yaml": "- {title: A}\n- {titel: B}\n- 3\n"},
            [
                "test-cases/a.yaml:2:3: [1].title: the key is missing",
                "test-cases/a.yaml:2:4: [1].titel: unknown key (did you mean 'title'?)",
                "test-cases/a.yaml:3:3: [2]: expected a mapping, found 3",
            ],
        ),
        ({"a.yaml": "3"}, ["test-cases/a.yaml:1:1: expected a case or a list of cases, found 3"]),
        ({"a.yaml": ""}, ["test-cases/a.yaml: is empty (expected YAML)"]),
        (
            {"a.yaml": "title: A\ntitle: B\n"},
            ["test-cases/a.yaml:2:1: the key 'title' is given twice, first at line 1, column 1"],
        ),
        (
            {"a.json": '{"title": "A",\n "category": "edgy"}'},
            [
                "test-cases/a.json:2:14: category: expected element, mixed, edge or zero_condition, "
                "found 'edgy' (did you mean 'edge'?)"
            ],
        ),
        (
            {"a.json": '{"title": "\\ud83d\\ude00",\n "category": 1}'},
            ["test-cases/a.json:1:1: category: expected element, mixed, edge or zero_condition, found 1"],
        ),
        (
            {"a.json": "{"},
            ["test-cases/a.json:1:2: not valid JSON: Expecting property name enclosed in double quotes"],
        ),
        (
            {"a.jsonl": '{"title": 1}\n{\n{"title": "A"}\n{"title": "a"}\n'},
            [
                "test-cases/a.jsonl:1:1: title: expected a text, found 1 (put it in quotes)",
                "test-cases/a.jsonl:2:2: not valid JSON: Expecting property name enclosed in double quotes",
                "test-cases/a.jsonl:4:1: the case 'a/a' is there already, in line 3 "
                "(give one of the two another 'id')",
            ],
        ),
        (
            {"a.yaml": "title: A", "a.json": '{"title": "B"}'},
            [
                "test-cases/a.yaml:1:1: the case 'a' is there already, in test-cases/a.json:1 "
                "(give one of the two another 'id')"
            ],
        ),
        (
            {"a.csv": "title,noun,title,categroy\nA,b,c,d\n"},
            [
                "test-cases/a.csv:1:1: the column 'noun' is no field of a case "
                "(an input is named input.noun)",
                "test-cases/a.csv:1:1: the column 'title' is there twice",
                "test-cases/a.csv:1:1: the column 'categroy' is no field of a case "
                "(did you mean 'category'?)",
            ],
        ),
        (
            {"a.csv": "title,expected_score_range.min\nA\nB,low\nC,1,2\n"},
            [
                "test-cases/a.csv:3:1: expected_score_range.min: expected a number, found 'low'",
                "test-cases/a.csv:3:1: expected_score_range.max: the key is missing",
                "test-cases/a.csv:4:1: has 3 cells for 2 columns (put a text that holds commas in quotes)",
            ],
        ),
        ({"a.csv": ""}, ["test-cases/a.csv: is empty (the first line names the columns)"]),
        ({"a.csv": 'title\nA\n"B'}, ["test-cases/a.csv:3:1: not valid CSV: unexpected end of data"]),
        (
            {"_a.yaml": ""},
            [
                "prompt-meta.yaml:3:36: cases.pattern: no file matches "
                "'test-cases/**/*.{yaml,json,jsonl,csv}' (it starts at FOLDER)"
            ],
        ),
    ],
    ids=[
        "fields",
        "scalar",
        "empty",
        "twice",
        "json",
        "no-place",
        "cut",
        "lines",
        "stems",
        "columns",
        "cells",
        "no-columns",
        "quote",
        "none",
    ],
)
def test_bad_case_files_are_explained(
    write_suite: WriteSuite, problems_of: ProblemsOf, files: dict[str, str], expected: list[str]
) -> None:
    """All mistakes of all files are told at once, at their place."""
    path = write_suite(SUITE, {f"test-cases/{name}": text for name, text in files.items()})
    assert [line.replace(str(path.parent), "FOLDER") for line in problems_of(path)] == expected


@pytest.mark.parametrize(
    ("pattern", "message"),
    [
        (
            "test-cases/*",
            "'test-cases/b.ts' cannot be read: cases are in .csv, .json, .jsonl, .yaml or .yml files "
            "(leave it out of the pattern, or name a runner that reads it)",
        ),
        (
            "../../../../*.yaml",
            "'../../../..' leaves the project root ROOT (move it inside, or pass --allow-outside)",
        ),
        ("{a,b}" * 12, "the braces stand for more than 1000 patterns"),
        ("a.yaml", "no file matches 'a.yaml' (it starts at FOLDER)"),
    ],
)
def test_bad_patterns_are_explained(
    write_suite: WriteSuite, problems_of: ProblemsOf, project: Path, pattern: str, message: str
) -> None:
    """A pattern that names no case file, or files outside the project, is refused where it stands."""
    path = write_suite(
        SUITE.replace("test-cases/**/*.{yaml,json,jsonl,csv}", pattern), {"test-cases/b.ts": "x"}
    )
    (line,) = problems_of(path)
    line = line.replace(str(path.parent), "FOLDER").replace(str(project), "ROOT")
    assert line == f"prompt-meta.yaml:3:36: cases.pattern: {message}"


def test_a_link_that_leads_outside_is_refused(
    write_suite: WriteSuite, problems_of: ProblemsOf, project: Path
) -> None:
    """A case file is inside the project even when its link is followed."""
    path = write_suite(SUITE, {"test-cases/a.yaml": "title: A"})
    (project.parent / "secret.yaml").write_text("title: B")
    (path.parent / "test-cases" / "b.yaml").symlink_to(project.parent / "secret.yaml")
    (line,) = problems_of(path)
    assert "'test-cases/b.yaml' leaves the project root" in line


SCHEMA = "type: object\nrequired: [category]\nproperties: {input: {required: [noun]}}\n"


@pytest.mark.parametrize(
    ("schema", "case", "expected"),
    [
        (SCHEMA, "{title: A, category: edge, input: {noun: x}, x-own: 1}", []),
        (
            SCHEMA,
            "title: A\ninput: {nuon: x}\n",
            [
                "test-cases/a.yaml:1:1: by the schema: 'category' is a required property",
                "test-cases/a.yaml:2:8: input: by the schema: 'noun' is a required property",
            ],
        ),
        (
            "type: objct",
            "title: A",
            [
                "test-cases/schema.yaml:1:7: type: not a JSON Schema: "
                "'objct' is not valid under any of the given schemas"
            ],
        ),
        ("[1]", "title: A", ["test-cases/schema.yaml:1:1: expected a JSON Schema, a mapping"]),
        (
            "{$ref: 'http://127.0.0.1:9/x.json'}",
            "title: A",
            ["test-cases/a.yaml:1:1: the schema refers to 'http://127.0.0.1:9/x.json', which is not in it"],
        ),
    ],
    ids=["good", "missing", "bad", "list", "remote"],
)
def test_cases_meet_the_schema(
    write_suite: WriteSuite, problems_of: ProblemsOf, schema: str, case: str, expected: list[str]
) -> None:
    """The author's JSON Schema holds for every case; it is no case itself, and nothing is fetched for it."""
    path = write_suite(CHECKED, {"test-cases/schema.yaml": schema, "test-cases/a.yaml": case})
    if expected:
        assert problems_of(path) == expected
    else:
        assert [each.ref for each in load_suite(path).cases] == ["a"]


def test_inline_cases_meet_the_schema_too(write_suite: WriteSuite, problems_of: ProblemsOf) -> None:
    """A schema counts wherever the cases are, and must be there."""
    text = HEAD + "cases: {schema: s.yaml, items: [{title: A, category: edge}, {title: B}]}\n"
    assert problems_of(write_suite(text)) == [
        "prompt-meta.yaml:3:17: cases.schema: s.yaml: does not exist (check the path)"
    ]
    assert problems_of(write_suite(text, {"s.yaml": SCHEMA})) == [
        "prompt-meta.yaml:3:61: cases.items[1]: by the schema: 'category' is a required property"
    ]


def test_memory_does_not_grow_with_the_cases(write_suite: WriteSuite) -> None:
    """A case in a large file of lines costs at most 2 kB while it is loaded, and nothing to keep."""
    line = {"category": "edge", "input": {"text": "x" * 4000}, "expected_behavior": "y" * 4000}
    lines = "".join(json.dumps({"title": f"case {index}", **line}) + "\n" for index in range(2000))
    path = write_suite(SUITE, {"test-cases/a.jsonl": lines})
    load_suite(path)
    tracemalloc.start()
    suite = load_suite(path)
    kept, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(suite.cases) == 2000
    assert [case.title for case in suite.cases] == [f"case {index}" for index in range(2000)]
    assert peak < 2000 * 2000
    assert kept < 2000 * 200


def test_small_files_are_read_once(write_suite: WriteSuite) -> None:
    """The cases of small files stay as they were checked, whatever becomes of the files."""
    path = write_suite(SUITE, {"test-cases/a.yaml": "[{title: A}, {title: B}]"})
    suite = load_suite(path)
    next(path.parent.rglob("a.yaml")).unlink()
    assert [case.ref for case in suite.cases] == ["a/a", "a/b"]


def test_ranges_are_exact(write_suite: WriteSuite) -> None:
    """Numbers of a table are as exact as those of YAML."""
    text = "title,expected_score_range.min,expected_score_range.max\nA,0.1,100\n"
    (case,) = load_suite(write_suite(SUITE, {"test-cases/a.csv": text})).cases
    assert isinstance(case.expected_score_range, ScoreRange)
    assert str(case.expected_score_range.min) == "0.1"
