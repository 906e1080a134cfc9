"""Asking a judge once, outside any suite: is a rubric read as it was meant, does the judge answer at all."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

from judges.ask.judge import Judge, Judgement
from judges.ask.questions import build_evidence, build_questions
from judges.ask.suspicion import suspicions, unfounded_quotes
from judges.core.case import Case
from judges.core.encode import encode_usage, encode_value
from judges.core.errors import ConfigError, Problem
from judges.core.question import Answer, Evidence, Question, Subject, Unanswered
from judges.core.score_text import render_score
from judges.files.config import ProjectConfig
from judges.files.evaluation_meta import JudgeSpec
from judges.files.lint_words import find_words, name_levels
from judges.files.prompt_meta import CriterionSpec
from judges.files.rubric import parse_rubric
from judges.files.suite import Criterion
from judges.out.fit import wrap
from judges.out.printable import printable, shield
from judges.out.summary import render_usage
from judges.providers.budget import Budget
from judges.providers.limit import Terms
from judges.providers.local.models import describe_smoke, is_smoke_judge
from judges.reduce.percent import as_decimal, percent_of_level
from judges.run.connections import Connections
from scaffold.config import build_environ

DEFAULTS = JudgeSpec()
DEFAULT_SCALE: int = CriterionSpec.model_fields["scale"].default
MAX_SCALE = 100
_INDENT = 11


def open_judge(name: str, config: ProjectConfig) -> Judge:
    """Return a judge with a suite's default settings, within the project's limits; no answer is kept.

    Raises:
        ConfigError: the name, the address or the key cannot be used.
    """
    budget = None if config.max_cost_usd is None else Budget(config.max_cost_usd)
    terms = Terms(concurrency=1, http_retries=config.http_retries, budget=budget)
    endpoint = Connections(environ=build_environ(config), terms=terms).endpoint(name, folder=Path())
    return Judge(
        provider=endpoint.provider,
        model=endpoint.model,
        max_retries=DEFAULTS.max_retries,
        max_tokens=DEFAULTS.max_tokens,
        timeout_seconds=float(DEFAULTS.timeout_seconds),
    )


def read_criterion(text: str, scale: int | None, file: str | None) -> Criterion:
    """Return the criterion that a rubric describes; without a scale it ends at the highest level described.

    Raises:
        ConfigError: the rubric is empty, or describes levels wrongly; with all mistakes.
    """
    place = file or "the rubric"
    if not text.strip():
        raise ConfigError([Problem("is empty", place, hint="say what the levels mean")])
    rubric = parse_rubric(text, scale or _guess_scale(text))
    if rubric.mistakes:
        raise ConfigError(Problem(each.message, place, each.line + 1, 1) for each in rubric.mistakes)
    return Criterion(
        name="rubric",
        weight=Decimal(1),
        instructions=rubric.instructions,
        levels=rubric.levels,
        rubric_sha256=rubric.sha256,
    )


def _guess_scale(text: str) -> int:
    levels = parse_rubric(text, MAX_SCALE).levels
    described = [level for level, words in enumerate(levels, start=1) if words]
    return max(described[-1], 2) if described else DEFAULT_SCALE


@dataclass(frozen=True, slots=True)
class Sample:
    """An output to be judged against one criterion. `case` has what it was made from and what is expected."""

    criterion: Criterion
    case: Case
    output: str

    @property
    def questions(self) -> tuple[Question, ...]:
        """The one question about it."""
        return build_questions((self.criterion,), (), self.case)

    @property
    def evidence(self) -> Evidence:
        """What the judge looks at."""
        return build_evidence(self.case, self.output)

    def ask(self, judge: Judge) -> Judgement:
        """Ask the judge. What goes wrong is the reason of an Unanswered."""
        return judge.ask(self.questions, self.evidence, Subject())


@dataclass(frozen=True, slots=True)
class Judged:
    """What the judge of that name said about a sample."""

    judge: str
    sample: Sample
    judgement: Judgement

    @property
    def answer(self) -> Answer | Unanswered:
        """The answer to the only question."""
        (answer,) = self.judgement.answers.values()
        return answer

    @property
    def level(self) -> int | None:
        """The chosen level, if there is an answer."""
        return int(self.answer.value) if isinstance(self.answer, Answer) else None

    @property
    def effective(self) -> Mapping[str, Any]:
        """The parameters that were sent otherwise than asked; None: left out."""
        return self.judgement.calls[-1].effective if self.judgement.calls else {}

    @property
    def remarks(self) -> tuple[str, ...]:
        """What is doubtful about the judge, the rubric, the evidence, or the quotes of the answer."""
        return (
            *([describe_smoke(self.judge)] if is_smoke_judge(self.judge) else ()),
            *_remarks_on(self.sample.criterion),
            *suspicions(self.sample.evidence),
            *unfounded_quotes(self.judgement.answers, self.sample.output),
        )


def render_judged(judged: Judged, *, width: int) -> str:
    """Return for people what was said, and what it cost."""
    left_out = ", ".join(name for name, value in judged.effective.items() if value is None)
    lines = {
        **_say(judged.answer, judged.sample.criterion.levels),
        "Judge": judged.judge
        + (f" (left out, as the model does not take it: {left_out})" if left_out else ""),
        "Usage": render_usage(judged.judgement.usage),
    }
    return shield("".join(_render_line(title, words, width) for title, words in lines.items() if words))


def encode_judged(judged: Judged) -> dict[str, Any]:
    """Return the same as JSON values."""
    answer, level, levels = judged.answer, judged.level, judged.sample.criterion.levels
    said = answer if isinstance(answer, Answer) else None
    return {
        "judge": judged.judge,
        "level": level,
        "levels": len(levels),
        "percent": None if level is None else encode_value(_percent(level, levels)),
        "confidence": said and said.confidence,
        "probabilities": said and encode_value(said.probabilities),
        "reasoning": said and said.reasoning,
        "quotes": list(said.quotes) if said else [],
        "error": answer.reason if isinstance(answer, Unanswered) else None,
        "notices": list(judged.remarks),
        "effective": encode_value(judged.effective),
        "usage": encode_usage(judged.judgement.usage),
    }


def _say(answer: Answer | Unanswered, levels: Sequence[str]) -> dict[str, str]:
    if isinstance(answer, Unanswered):
        return {"ERROR": answer.reason}
    level = int(answer.value)
    words = levels[level - 1]
    return {
        "Level": f"{level} of {len(levels)}" + (f": {words}" if words else ""),
        "Percent": render_score(_percent(level, levels)),
        "Confidence": "" if answer.confidence is None else f"{answer.confidence:.2f}",
        "Reasoning": answer.reasoning or "",
        "Quotes": "; ".join(f'"{quote}"' for quote in answer.quotes),
    }


def _percent(level: int, levels: Sequence[str]) -> Decimal:
    return as_decimal(percent_of_level(level, len(levels)))


def _remarks_on(criterion: Criterion) -> Iterator[str]:
    missing = [str(level) for level, words in enumerate(criterion.levels, start=1) if not words]
    if missing:
        yield f"the rubric does not describe {name_levels(missing)}"
    for words in find_words("\n".join((criterion.instructions, *criterion.levels))):
        yield f"the rubric {words}"


def _render_line(title: str, words: str, width: int) -> str:
    text = f"{title:<{_INDENT}} {printable(words)}"
    return "".join(f"{line}\n" for line in wrap(text, width, indent=" " * (_INDENT + 1)))
