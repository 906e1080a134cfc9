"""Several models side by side."""

from dataclasses import replace
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judges.core.report import ModelSummary, Report, SuiteReport, Totals
from judges.core.usage import Usage
from judges.out.analysis import analyze
from judges.out.fit import columns
from judges.out.markdown import render_markdown
from judges.out.models import render_models
from judges.out.table import render_table

MODELS = {
    "openai:gpt-4o-mini": ModelSummary(
        totals=Totals(cases=12, failed=2, passed=10),
        mean_score=Decimal("81.25"),
        output_usage=Usage(calls=12, cost_usd=Decimal("0.0123")),
    ),
    "own:model": ModelSummary(
        totals=Totals(cases=12, errored=12), mean_score=None, output_usage=Usage(calls=12, cost_usd=None)
    ),
}
TABLE = """\
model               cases                mean score    outputs
------------------  -------------------  ------------  ------------
openai:gpt-4o-mini  2 failed, 10 passed  81.2          0.0123 USD
own:model           12 errored           none          cost unknown
"""


def test_a_line_for_each_model() -> None:
    """How the cases ended, the mean of the scores there are, and what the outputs cost; unknown is not 0."""
    assert "\n".join(render_models(MODELS, 80)) + "\n" == TABLE


def test_a_narrow_terminal_gets_sentences() -> None:
    """Below 60 columns each model is a sentence."""
    assert list(render_models(MODELS, 50)) == [
        "openai:gpt-4o-mini: 2 failed, 10 passed; mean",
        "  score 81.2; outputs 0.0123 USD",
        "own:model: 12 errored; mean score none; outputs",
        "  cost unknown",
    ]


def test_the_table_compares_several_models(report: Report, suite: SuiteReport) -> None:
    """The models stand below the cases; a single one needs no comparison."""
    several = replace(report, suites=(replace(suite, models=MODELS),))
    assert f"\n\n{TABLE}\nnote: judge unqualified\n" in render_table(several, width=104)
    single = replace(suite, models={"own:model": MODELS["own:model"]})
    assert render_table(replace(report, suites=(single,)), width=104) == render_table(report, width=104)


def test_the_summary_compares_them_too(suite: SuiteReport) -> None:
    """The Markdown summary has the same table."""
    text = render_markdown(replace(suite, models=MODELS), analyze(suite.cases))
    assert (
        "## Models\n\n"
        "| Model | Cases | Mean score | Cost of outputs |\n"
        "| --- | --- | --- | --- |\n"
        "| openai:gpt-4o-mini | 2 failed, 10 passed | 81.2 | 0.0123 USD |\n"
        "| own:model | 12 errored | none | cost unknown |\n"
    ) in text


@given(
    st.dictionaries(
        st.text(st.characters(exclude_categories=()), max_size=80), st.sampled_from(list(MODELS.values()))
    ),
    st.integers(40, 120),
)
def test_every_line_fits(models: dict[str, ModelSummary], width: int) -> None:
    """Whatever a model is called, no line is wider than the terminal."""
    if models:
        assert all(columns(line) <= width for line in render_models(models, width))


@pytest.mark.parametrize("name", ["a\x1b[2J", "a\nb", "a\u202eb"], ids=ascii)
def test_names_are_made_printable(name: str) -> None:
    """A name cannot act on the terminal."""
    text = "\n".join(render_models({name: MODELS["own:model"]}, 80))
    assert not [char for char in text if char in "\x1b\u202e"]
    assert len(text.splitlines()) == 3
