"""What the cases of a suite say together."""

from dataclasses import replace
from decimal import Decimal

from judges.core.report import CriterionResult, SuiteReport, Totals
from judges.out.analysis import Spread, analyze, encode_analysis


def test_outcomes_are_counted_by_category(suite: SuiteReport) -> None:
    """Each category with how its cases ended; cases without one are under no name."""
    assert analyze(suite.cases).categories == {
        "element": Totals(cases=1, passed=1),
        "edge": Totals(cases=1, failed=1),
        "mixed": Totals(cases=1, errored=1),
        "zero_condition": Totals(cases=1, passed=1, overridden=1),
        "": Totals(cases=1, skipped=1),
    }


def test_scores_are_spread(suite: SuiteReport) -> None:
    """Mean, median and ends of the total and of each criterion; a case without a score counts in none."""
    low = replace(suite.cases[1], criteria={"naturalness": CriterionResult(level=2, percent=Decimal(25))})
    assert analyze((suite.cases[0], low, *suite.cases[2:])).spreads == {
        "score": Spread(
            count=3,
            mean=Decimal("82.48666666666666666666666667"),
            median=Decimal(85),
            lowest=Decimal("69.96"),
            highest=Decimal("92.5"),
        ),
        "criteria.naturalness": Spread(
            count=2,
            mean=Decimal("62.5"),
            median=Decimal("62.5"),
            lowest=Decimal(25),
            highest=Decimal(100),
        ),
    }


def test_only_the_first_failures_are_kept(suite: SuiteReport) -> None:
    """A suite of any size has a summary of some size, and no outputs are held."""
    analysis = analyze([suite.cases[1]] * 300)
    assert len(analysis.not_passed) == 200
    assert {case.output for case in analysis.not_passed} == {None}
    assert analysis.categories["edge"].failed == 300


def test_nothing_is_an_empty_analysis() -> None:
    """No case, no division by nothing."""
    analysis = analyze(())
    assert (analysis.categories, analysis.spreads, analysis.not_passed) == ({}, {}, ())


def test_the_json_summary(suite: SuiteReport) -> None:
    """The suite's summary with what was analysed, as plain values."""
    summary = encode_analysis(suite, analyze(suite.cases))
    assert summary["verdict"] == "ERROR"
    assert summary["categories"]["edge"]["failed"] == 1
    assert summary["spreads"]["criteria.naturalness"] == {
        "count": 1,
        "mean": 100.0,
        "median": 100.0,
        "lowest": 100.0,
        "highest": 100.0,
    }
    assert summary["not_passed"] == [
        {
            "ref": "angry-customer",
            "verdict": "FAIL",
            "score": 69.96,
            "reasons": ["Scored 65 on naturalness (threshold: 70)", "Scored 69.96 in total (threshold: 70)"],
        },
        {"ref": "no-reply", "verdict": "ERROR", "score": None, "reasons": ["the judge refused to answer"]},
    ]
    assert [(each["ref"], each["override"]["score"]) for each in summary["corrected"]] == [("nonsense", 85.0)]
