"""Attack strings in every text of a report: no output for CI gives way.

What a run makes of attacks in its cases is looked at in test_attacks.py; here they are also where a judge, a
person or the name of a file or a model has put them.
"""

from collections.abc import Iterable
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest
from hardening import breaches
from hardening.attacks import HALF, OWN, Attack, corpus_attacks
from hardening.judged import FAILING, look_at_outputs
from hardening.suites import CORPUS
from reference import ReadReference

from judges.core.report import (
    CaseReport,
    CriterionResult,
    ModelSummary,
    Report,
    SuiteKind,
    SuiteReport,
    Totals,
)
from judges.core.row import Notice, Row
from judges.core.usage import Usage
from judges.core.verdict import ExitCode, Verdict
from judges.out.github import Place, annotate, render_annotations

VERDICTS = (Verdict.FAIL, Verdict.ERROR, Verdict.WARN, Verdict.INCONCLUSIVE, Verdict.SKIP, Verdict.PASS)


def hostile_case(text: str, verdict: Verdict) -> CaseReport:
    """A case that has the text wherever one can be."""
    row = Row(
        id=text,
        kind=text,
        verdict=verdict,
        score=Decimal(1),
        actual_excerpt=text,
        error=text,
        spec={text: text, "deep": [{text: text}]},
        extra={
            "reasoning": text,
            "quotes": [text],
            "pass_rate": text,
            "runs": 3,
            "votes": [{"judge": text, "replica": 1, "answer": text}],
        },
    )
    corrected = {"score": 1.0, "judged_score": None, "author": text, "reason": text}
    return CaseReport(
        ref=text,
        title=text,
        category=None,
        verdict=verdict,
        rows=(row, replace(row, id="score")),
        criteria={text: CriterionResult(level=1, percent=Decimal(1), reasoning=text)},
        override={**corrected, "criteria": {text: corrected}},
        notices=(Notice(text, text),),
        output=text,
        outputs={text: text},
        model=text,
    )


def hostile_report(text: str) -> Report:
    """A run of two suites whose names, models, notices and cases are the text."""
    models = {
        name: ModelSummary(totals=Totals(cases=1), mean_score=None, output_usage=Usage())
        for name in (text, "m")
    }
    suite = SuiteReport(
        name=text,
        kind=SuiteKind.FIXTURE,
        path=Path("suite.yaml"),
        verdict=Verdict.FAIL,
        run_dir=Path("run/suite"),
        cases=tuple(hostile_case(text, verdict) for verdict in VERDICTS),
        totals=Totals(
            cases=len(VERDICTS), passed=1, failed=1, errored=1, warned=1, inconclusive=1, skipped=1
        ),
        models=models,
        summary={"pass_rate": 1.0, "threshold": 2.0, "warn_rate": 0, "interval": None},
        notices=(Notice(text, text),),
    )
    return Report(
        verdict=Verdict.FAIL,
        exit_code=ExitCode.FAILED,
        run_dir=Path("run"),
        suites=(suite, suite),
        notices=(Notice(text),),
    )


def assert_nothing_gives_way(attacks: Iterable[Attack]) -> None:
    """Assert it for the outputs of a run with each attack, and for files of that name."""
    gave_way = {}
    for attack in attacks:
        report = hostile_report(attack.text)
        found = {name: list(each) for name, each in look_at_outputs(report).items()}
        named = attack.text.replace("\0", "").encode("utf-8", "replace").decode("utf-8")
        places = {
            (suite.run_dir, case.ref): Place(named, 1) for suite in report.suites for case in suite.cases
        }
        commands = "".join(render_annotations(annotate(report, FAILING), places, Path.cwd()))
        found["annotations of a file"] = list(breaches.annotations(commands))
        assert commands.count("\n") == 10
        gave_way |= {(attack.id, name): each for name, each in found.items() if each}
    assert gave_way == {}


@pytest.mark.parametrize("attack", [*OWN, HALF], ids=lambda attack: attack.id)
def test_own_strings_in_any_text(attack: Attack) -> None:
    """Strings made for this program's own formats stay in their cells, elements, lines and commands."""
    assert_nothing_gives_way([attack])


@pytest.mark.reference
def test_the_public_corpus_in_any_text(read_reference: ReadReference) -> None:
    """The strings of the public corpora do, too."""
    assert_nothing_gives_way(corpus_attacks(read_reference(CORPUS)))
