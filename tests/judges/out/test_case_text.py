"""One case whole, and what the judge saw."""

from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest

from judges.core.report import CaseReport, SuiteReport
from judges.core.row import Row
from judges.core.verdict import Verdict
from judges.out.case_text import render_case, render_cell, render_prompt

RECORD: dict[str, Any] = {
    "ref": "refund-in-time",
    "arm": None,
    "model": None,
    "replica": 1,
    "output": "Gladly,\nyour refund is on its way.",
    "source": "recorded",
    "error": None,
    "input": {"question": "Where is my refund?", "order": {"id": 7}, "mail": "Hi\nBye"},
    "expected_behavior": "Says when the refund arrives.",
    "judge": [
        {
            "messages": [
                {"role": "system", "content": "You grade."},
                {"role": "user", "content": "Grade this:\n\nreply\n  forged"},
            ],
            "reply": "{}",
            "complaint": None,
            "effective": {},
        }
    ],
}
WHOLE = """\
PASS  refund-in-time  92.5
Refund in time
element, output recorded

Rows
  PASS  criteria.naturalness  100
      Scored 100 on naturalness
      level 5 of 5, confidence 0.9, weight 0.3
      reasoning: fluent
      quotes: "Gladly"
  PASS  score  92.5
      pass 70, warn 50

Input
  question: Where is my refund?
  order: {"id": 7}
  mail:
    Hi
    Bye

Expected behavior
  Says when the refund arrives.

Output
  Gladly,
  your refund is on its way.

Usage
  1 call, 900 tokens in, 60 out, 0.0020 USD
"""
PROMPT = """\
system
  You grade.

user
  Grade this:

  reply
    forged

reply
  {}
"""


def case_of(suite: SuiteReport, ref: str) -> CaseReport:
    """Return the case of that name."""
    return next(case for case in suite.cases if case.ref == ref)


def test_a_case_is_shown_whole(suite: SuiteReport) -> None:
    """The whole text, as a person sees it."""
    assert render_case(case_of(suite, "refund-in-time"), RECORD, width=80) == WHOLE


def test_corrections_and_notices_are_shown(suite: SuiteReport) -> None:
    """Who corrected the score and why, and every remark."""
    text = render_case(case_of(suite, "nonsense"), RECORD, width=100)
    assert (
        "Corrections\n  Overridden by jane@example.com (to 85, judged 60): Consistent across 10 runs\n"
        in text
    )
    assert "Notices\n  the output holds invisible characters\n" in text


def test_a_failing_score_stays_below_its_threshold(suite: SuiteReport) -> None:
    """Nothing on the page reads as if 69.96 were 70."""
    assert "FAIL  angry-customer  69.96\n" in render_case(case_of(suite, "angry-customer"), RECORD, width=80)


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        pytest.param({"output": ""}, "\n\nOutput (blank)\n\n", id="empty output"),
        pytest.param({"output": " \n\n"}, "\n\nOutput (blank)\n\n", id="blank output"),
        pytest.param({"output": "  a\n\n"}, "\n\nOutput\n    a\n\nUsage", id="blank end"),
        pytest.param({"output": None, "error": "HTTP 500"}, "\n\nNo output\n  HTTP 500\n\n", id="failed"),
        pytest.param({"output": None}, "\n\nNo output\n  the case was not run\n\n", id="skipped"),
        pytest.param({"output": "\x1b[2J\nPASS"}, "\n\nOutput\n  \\x1b[2J\n  PASS\n\n", id="hostile output"),
        pytest.param({"input": {"a\nb": "\u202e"}}, "\n\nInput\n  a b: \\u202e\n\n", id="hostile input"),
        pytest.param(
            {"input": {"messages": [{"role": "user", "content": "Hi\nBye"}]}},
            "\n\nInput\n  messages:\n    user:\n      Hi\n      Bye\n\n",
            id="a chat history",
        ),
        pytest.param({"source": "openai:gpt-4.1"}, "output openai:gpt-4.1\n", id="a model's output"),
    ],
)
def test_the_record_is_shown_as_it_is(suite: SuiteReport, change: dict[str, Any], expected: str) -> None:
    """Nothing is made up for what is missing, and nothing acts on the terminal."""
    assert expected in render_case(case_of(suite, "refund-in-time"), RECORD | change, width=80)


def test_long_reasons_wrap(suite: SuiteReport) -> None:
    """A paragraph of reasoning stays inside a narrow terminal."""
    row = Row(id="r", kind="r", verdict=Verdict.FAIL, extra={"reasoning": "word " * 40, "declined": False})
    text = render_case(replace(suite.cases[0], rows=(row,)), RECORD, width=40)
    assert "      declined false\n" in text
    assert max(len(line) for line in text.split("\n\n")[1].splitlines()) <= 40


def test_the_prompt_is_what_the_judge_saw() -> None:
    """Every message in order, then the reply; what was said cannot pass for a heading."""
    assert render_prompt(RECORD) == PROMPT


def test_every_call_is_shown_with_its_complaint() -> None:
    """A reply that could not be used is there, with what the judge was told."""
    first = {**RECORD["judge"][0], "reply": "sure!", "complaint": "it is not JSON"}
    failed = {**RECORD["judge"][0], "reply": None, "complaint": "HTTP 500"}
    blocks = render_prompt(RECORD | {"judge": [first, RECORD["judge"][0], failed]}).split("\n\n")
    headings = [block.splitlines()[0] for block in blocks if not block.startswith(" ")]
    assert headings == [
        "system (call 1 of 3)",
        "user (call 1 of 3)",
        "reply (call 1 of 3)",
        "not used (call 1 of 3)",
        "system (call 2 of 3)",
        "user (call 2 of 3)",
        "reply (call 2 of 3)",
        "system (call 3 of 3)",
        "user (call 3 of 3)",
        "no reply (call 3 of 3)",
        "not used (call 3 of 3)",
    ]


def test_an_unasked_judge_is_said_to_be_unasked() -> None:
    """No empty page for a case that a check decided."""
    assert render_prompt(RECORD | {"judge": []}) == "The judge was not asked about this case.\n"


def test_an_empty_reply_is_shown_as_empty() -> None:
    """Nothing is different from no reply."""
    call = {**RECORD["judge"][0], "reply": ""}
    assert render_prompt(RECORD | {"judge": [call]}).endswith("\n\nreply (blank)\n")


def test_a_call_without_a_reply() -> None:
    """Where the endpoint failed there is no reply to show."""
    call = {**RECORD["judge"][0], "reply": None}
    assert render_prompt(RECORD | {"judge": [call]}).endswith("\n\nno reply\n")


@pytest.mark.parametrize(
    ("facts", "expected"),
    [
        pytest.param({"level": 2, "levels": 4}, "level 2 of 4", id="level"),
        pytest.param(
            {"judged_level": 3, "judged_percent": 66.6667, "levels": 4},
            "judged_level 3 of 4, judged_percent 66.6667",
            id="corrected level",
        ),
        pytest.param({"confidence": 0.123456, "value": 1600}, "confidence 0.1235, value 1600", id="numbers"),
        pytest.param({"severity": "warn", "value": ["a", "b"]}, 'severity warn, value "a"; "b"', id="texts"),
        pytest.param({"probabilities": {"1": 0.25}}, 'probabilities {"1": 0.25}', id="mapping"),
        pytest.param({"rule": "output.length > 0 && output.length < 9"}, None, id="long text"),
    ],
)
def test_short_facts_share_a_line(suite: SuiteReport, facts: dict[str, Any], expected: str | None) -> None:
    """A row with little to say is short; longer texts have their own line."""
    row = Row(id="r", kind="r", verdict=Verdict.PASS, spec=facts)
    lines = render_case(replace(suite.cases[0], rows=(row,)), RECORD, width=80).split("\n\n")[1].splitlines()
    assert lines[2:] == [f"      {expected or 'rule: output.length > 0 && output.length < 9'}"]


def test_votes_and_stability_are_shown(suite: SuiteReport) -> None:
    """Who voted for what, also who gave no answer, and how steady the judge was."""
    votes = [
        {"judge": "gpt-4o", "replica": 1, "answer": 4},
        {"judge": "gpt-4o", "replica": 2, "error": "refused"},
    ]
    row = Row(id="criteria.tone", kind="criteria", verdict=Verdict.PASS, extra={"level": 4, "votes": votes})
    steady = {"asked": 2, "flips": 1, "agreement": 0.5}
    case = replace(case_of(suite, "refund-in-time"), rows=(row,), stability=steady)
    text = render_case(case, RECORD, width=120)
    assert (
        "output recorded, judge asked 2 times, 1 of which alone decide otherwise, 50% of the answers agree"
        in text
    )
    assert (
        "      level 4\n      vote of gpt-4o: 4\n      vote of gpt-4o, time 2: no answer: refused\n" in text
    )


CELL = """\
FAIL  skill/m/leak  50
a key leaked
model m, output m

Input
  input: a key leaked

Repeat 1
  PASS  measure[0]  1
      right
  PASS  gate[0]  1
  Output
    P1
    \\x1b[31m

Repeat 2
  PASS  measure[1]  0
      wrong
  FAIL  gate[1]  0
      no label
  Output (blank)

Usage
  0 calls, 0.00 USD
"""


def test_a_cell_shows_each_repeat() -> None:
    """A cell of a grid is made of several trials: each has its two rows and its output."""
    told = [
        ("measure[0]", Verdict.PASS, 1, "right"),
        ("gate[0]", Verdict.PASS, 1, None),
        ("measure[1]", Verdict.PASS, 0, "wrong"),
        ("gate[1]", Verdict.FAIL, 0, "no label"),
    ]
    rows = tuple(
        Row(id=name, kind=name.partition("[")[0], verdict=verdict, score=Decimal(score), actual_excerpt=found)
        for name, verdict, score, found in told
    )
    cell = CaseReport(
        ref="skill/m/leak",
        title="a key leaked",
        category=None,
        verdict=Verdict.FAIL,
        rows=rows,
        score=Decimal(50),
        model="m",
    )
    record = {"source": "m", "error": None, "input": {"input": "a key leaked"}, "expected_behavior": None}
    records = [{**record, "output": output} for output in ("P1\n\x1b[31m", "")]
    assert render_cell(cell, records, width=80) == CELL
