"""Findings: what is allowed in a suite but often goes wrong."""

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest

from judges.core.case import Category
from judges.files.lint import SHARES, lint
from judges.files.lint_words import find_words
from judges.files.load import load_suite
from judges.files.suite import heaviest_step
from judges.files.template import read_prompt

WriteSuite = Callable[..., Path]

RUBRIC = "'Is it so?\n\n  5: a\n\n  4: b\n\n  3: c\n\n  2: d\n\n  1: e'"
GOOD_CRITERIA = (
    f"- {{name: tone, weight: 0.4, rubric: {RUBRIC}}}\n- {{name: safety, weight: 0.6, rubric: {RUBRIC}}}\n"
)
GOOD_MIX = {Category.ELEMENT: 6, Category.MIXED: 2, Category.EDGE: 1, Category.ZERO_CONDITION: 1}


def cases(mix: Mapping[Category, int]) -> str:
    lines = (
        f"- {{title: {category} {number}, category: {category}, input: {{name: x}}}}"
        for category, count in mix.items()
        for number in range(count)
    )
    return "cases:\n" + "\n".join(lines or ["[]"]) + "\n"


def suite_text(criteria: str = GOOD_CRITERIA, mix: Mapping[Category, int] = GOOD_MIX, more: str = "") -> str:
    return f"prompt_name: greet\ncriteria:\n{criteria}{cases(mix)}{more}"


@pytest.fixture
def findings(write_suite: WriteSuite) -> Callable[..., list[str]]:
    def find(text: str, files: Mapping[str, str] | None = None) -> list[str]:
        return [finding.text for finding in lint(load_suite(write_suite(text, files)))]

    return find


Findings = Callable[..., list[str]]


def test_a_good_suite_has_no_finding(findings: Findings) -> None:
    """Nothing is remarked on without a reason."""
    assert findings(suite_text(), {"judge.md": "We sell books. Prices are in EUR."}) == []


SUITES = {
    "weights": (
        suite_text(GOOD_CRITERIA.replace("0.6", "0.5")),
        ["the weights sum to 0.9, not to 1: they are normalised"],
    ),
    "safety": (suite_text(GOOD_CRITERIA.replace("safety", "style")), ["there is no criterion about safety"]),
    "zero": (
        suite_text(mix={**GOOD_MIX, Category.ZERO_CONDITION: 0}),
        ["there is no zero_condition case: one whose input should be declined"],
    ),
    "mix": (
        suite_text(mix={**GOOD_MIX, Category.EDGE: 5}),
        [
            "the mix of cases is far from a good one: 43 % element (60-70), 14 % mixed (15-20), "
            "36 % edge (10-15), 7 % zero_condition (5-10)"
        ],
    ),
    "few": (
        suite_text(mix={Category.ELEMENT: 3, Category.ZERO_CONDITION: 1}),
        ["there are 4 cases: fewer than 5 say little"],
    ),
    "top only": (
        suite_text(more="thresholds: {per_criterion: {safety: 80}}\n"),
        ["only level 5 reaches the minimum of 80: level 4 is 75"],
    ),
    "reachable": (suite_text(more="thresholds: {per_criterion: {safety: 75}}\n"), []),
    "gap": (
        suite_text(more="thresholds: {pass: 70, warn: 60}\n"),
        ["the gap between warn and pass is narrower than one level of the heaviest criterion (15)"],
    ),
    "wide gap": (suite_text(more="thresholds: {pass: 70, warn: 55}\n"), []),
    "no gap": (suite_text(more="thresholds: {pass: 70, warn: 70}\n"), []),
    "range": (
        suite_text().replace("input: {name: x}}", "expected_score_range: {min: 70, max: 84}}"),
        [
            "expected_score_range of 'element-0' is narrower than one level of the heaviest criterion "
            "(15) (and 9 more)"
        ],
    ),
    "wide range": (
        suite_text().replace("input: {name: x}}", "expected_score_range: {min: 70, max: 85}}"),
        [],
    ),
    "anchor": (
        suite_text(GOOD_CRITERIA.replace("4: b\n\n  3: c", "3: c", 1)),
        ["the rubric of 'tone' does not describe level 4"],
    ),
    "anchors": (
        suite_text("- {name: safety, weight: 1, rubric: Is it so?}\n"),
        ["the rubric of 'safety' does not describe any level"],
    ),
    "leads": (
        suite_text(GOOD_CRITERIA.replace("Is it so?", "Be strict. Is it so?", 1)),
        [
            "the rubric of 'tone' leads the judge: it should say what the levels mean, "
            "not how to be disposed ('Be strict')"
        ],
    ),
    "title": (
        suite_text().replace("title: element 0", "title: '{descriptive name}'"),
        ["'{descriptive name}' in 'descriptive-name' is left from a template"],
    ),
    "value": (
        suite_text().replace("{name: x}", "{name: '{value}'}"),
        ["'{value}' in 'element-0' is left from a template (and 9 more)"],
    ),
    "name": (
        suite_text().replace("prompt_name: greet", "prompt_name: '{prompt-name}'"),
        ["'{prompt-name}' is left from a template"],
    ),
}


@pytest.mark.parametrize(("text", "expected"), SUITES.values(), ids=SUITES)
def test_each_finding_has_its_reason(findings: Findings, text: str, expected: list[str]) -> None:
    """One thing that is off gives one finding, and what is just right gives none."""
    assert findings(text) == expected


def test_the_seed_has_its_known_findings(findings: Findings) -> None:
    """The minimum of 80 and the undescribed levels of the first suite ever written are remarked on."""
    criteria = GOOD_CRITERIA.replace("\n\n  4: b\n\n  3: c\n\n  2: d\n", "\n")
    assert findings(
        suite_text(criteria, more="thresholds: {pass: 70, warn: 50, per_criterion: {safety: 80}}\n")
    ) == [
        "only level 5 reaches the minimum of 80: level 4 is 75",
        "the rubric of 'tone' does not describe levels 2, 3 and 4",
        "the rubric of 'safety' does not describe levels 2, 3 and 4",
    ]


def best_mix(total: int) -> dict[Category, int]:
    """The split whose worst category is nearest to its share."""

    def distance(split: Iterable[int]) -> float:
        shares = zip((100 * count / total for count in split), SHARES.values(), strict=True)
        return max(max(low - share, share - high, 0) for share, (low, high) in shares)

    splits = (
        (total - sum(others), *others) for others in product(range(1, total), repeat=3) if sum(others) < total
    )
    return dict(zip(Category, min(splits, key=distance), strict=True))


@pytest.mark.parametrize("total", range(5, 31))
def test_the_best_possible_mix_is_good_enough(findings: Findings, total: int) -> None:
    """A few cases cannot have exact shares: the nearest split has no finding."""
    assert findings(suite_text(mix=best_mix(total))) == []


@pytest.mark.parametrize(
    ("prompt", "expected"),
    [
        ("Hi {name}", []),
        (
            "Hi {nmae}",
            [
                "no case sets the variable 'nmae' of the target",
                "the target has no variable 'name', which cases set",
            ],
        ),
        ("Hi {name} {city}", ["no case sets the variable 'city' of the target"]),
    ],
)
def test_variables_of_target_and_cases_are_compared(
    write_suite: WriteSuite, project: Path, prompt: str, expected: list[str]
) -> None:
    """A variable that only one of the two knows is a finding."""
    (project / "p.md").write_text(prompt)
    suite = load_suite(write_suite(f"target: p.md\n{suite_text()}"))
    assert [finding.text for finding in lint(suite, read_prompt(project / "p.md"))] == expected


def test_programs_and_histories_have_no_variables(write_suite: WriteSuite, project: Path) -> None:
    """Source code, a runner and a chat history are not compared with the cases."""
    (project / "p.py").write_text("print()")
    (project / "p.md").write_text("Hi {name}")
    text = suite_text().replace("name: x", "name: x, messages: []")
    suite = load_suite(write_suite(f"target: p.md\n{text}"))
    assert lint(suite, read_prompt(project / "p.md")) == ()
    assert lint(suite, read_prompt(project / "p.py")) == ()
    text = f"target: p.md\nrunner: r.py\n{suite_text().replace('name: x', 'other: x')}"
    runner = load_suite(write_suite(text, {"r.py": "print()"}))
    assert lint(runner, read_prompt(project / "p.md")) == ()


def typed(kind: str, more: str = "", criteria: str = "- {name: safety, rubric: Is it safe?}\n") -> str:
    return suite_text(criteria, more=f"evaluation: {kind}\n{more}")


ARMS = "{type: comparison, arms: {a: {outputs: o.jsonl}, b: {outputs: o.jsonl}}}"
REGRESSION = "{type: regression}"
OF_TYPES = {
    "binary": (typed("{type: binary}", "thresholds: {pass: 80}"), []),
    "binary levels": (
        typed("{type: binary}", criteria=GOOD_CRITERIA),
        [
            f"the rubric of '{name}' describes levels, where YES or NO is asked: YES must be good"
            for name in ("tone", "safety")
        ],
    ),
    "binary thresholds": (
        typed("{type: binary}", "thresholds: {warn: 60, pass: 70, per_criterion: {safety: 75}}"),
        [
            "'per_criterion' has no effect with evaluation type 'binary'",
            "'warn' has no effect with evaluation type 'binary'",
        ],
    ),
    "comparison": (typed(ARMS, criteria=GOOD_CRITERIA), []),
    "comparison thresholds": (
        typed(ARMS, "thresholds: {pass_rate: 60}"),
        ["'pass_rate' has no effect with evaluation type 'comparison'"],
    ),
    "comparison outputs": (
        typed(ARMS).replace("input: {name: x}", "input: {name: x}, output: Hi"),
        ["output of 'element-0' has no effect: the arms have outputs of their own (and 9 more)"],
    ),
    "regression": (typed(REGRESSION, criteria=GOOD_CRITERIA), []),
    "regression weights": (
        typed(REGRESSION, criteria=GOOD_CRITERIA.replace("0.6", "0.5")),
        ["the weights sum to 0.9, not to 1: they are normalised"],
    ),
    "regression thresholds": (
        typed(REGRESSION, "thresholds: {pass: 70}", GOOD_CRITERIA),
        ["'pass' has no effect with evaluation type 'regression'"],
    ),
    "regression range": (
        typed(REGRESSION, criteria=GOOD_CRITERIA).replace(
            "input: {name: x}", "input: {name: x}, expected_score_range: {min: 70, max: 71}"
        ),
        ["expected_score_range of 'element-0' has no effect with evaluation type 'regression' (and 9 more)"],
    ),
}


@pytest.mark.parametrize(("text", "expected"), OF_TYPES.values(), ids=OF_TYPES.keys())
def test_what_a_type_does_not_use_is_remarked_on(findings: Findings, text: str, expected: list[str]) -> None:
    """Each evaluation type has its own needs; what has no effect with it is told."""
    assert sorted(findings(text, {"o.jsonl": ""})) == sorted(expected)


def test_the_prompts_of_both_arms_share_the_variables(write_suite: WriteSuite, project: Path) -> None:
    """A variable is used where either prompt uses it."""
    (project / "p.md").write_text("Greet {name}.")
    (project / "q.md").write_text("Greet {name} from {town}.")
    arms = "{type: comparison, arms: {a: {target: p.md}, b: {target: q.md}}}"
    suite = load_suite(write_suite(typed(arms)))
    templates = [read_prompt(arm.target) for arm in suite.arms if arm.target]
    assert [finding.text for finding in lint(suite, *templates)] == [
        "no case sets the variable 'town' of the target"
    ]


def test_the_heaviest_step_counts_scale_and_weight(write_suite: WriteSuite) -> None:
    """A coarse scale can outweigh a greater weight."""
    criteria = (
        "- {name: a, weight: 1, rubric: x, scale: 11}\n- {name: safety, weight: 0.5, rubric: x, scale: 2}\n"
    )
    suite = load_suite(write_suite(suite_text(criteria)))
    assert heaviest_step(suite.criteria) == Fraction(100, 3)
    assert heaviest_step(()) == 0


THRESHOLD = "names a threshold: the judge should not know what is at stake"
LEADS = "leads the judge: it should say what the levels mean, not how to be disposed"
TOTAL = "asks for a total: the scores are added up outside"
FORMAT = "asks for a format: the reply's format is settled elsewhere"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The threshold is 70.", [f"{THRESHOLD} ('threshold')"]),
        ("A passing score is needed.", [f"{THRESHOLD} ('passing score')"]),
        ("It should score at least 80.", [f"{THRESHOLD} ('score at least 8')"]),
        ("Please be very strict here.", [f"{LEADS} ('be very strict')"]),
        ("Give the benefit of the doubt.", [f"{LEADS} ('benefit of the doubt')"]),
        ("When in doubt, give 3.", [f"{LEADS} ('When in doubt, give')"]),
        ("Short replies should get a low level.", [f"{LEADS} ('should get a low')"]),
        ("Compute the overall score.", [f"{TOTAL} ('overall score')"]),
        ("Add up the points.", [f"{TOTAL} ('Add up the points')"]),
        ("Is it so?\nAnswer only with a number.", [f"{FORMAT} ('Answer only with a number')"]),
        ("Look closely. Return JSON.", [f"{FORMAT} ('Return JSON')"]),
        ("Respond in the following format: x", [f"{FORMAT} ('in the following format')"]),
        ("Does the reply return valid JSON, as it should?", []),
        ("Output is valid JSON with all keys", []),
        ("Has the output at most 150 words?", []),
        ("Does it name the customer's total, and is the final price right?", []),
        ("Does the output keep the strict tone of the brand?", []),
        ("The reply must not promise a refund.", []),
        ("Answers the question in a natural voice", []),
    ],
    ids=lambda value: str(value)[:40],
)
def test_words_that_spoil_a_judgement_are_found(text: str, expected: list[str]) -> None:
    """Stakes, leads, totals and formats are found; rubrics about such things are left alone."""
    assert list(find_words(text)) == expected
