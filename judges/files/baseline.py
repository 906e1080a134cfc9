"""`baseline.json`: an accepted earlier run of a suite, which later runs are measured against.

It stands beside the suite file and is committed with it. An answer that the judge gave is stored with the
digest of all that it was asked, so that it counts for exactly as long as it would be asked the same.
"""

import json
from pathlib import Path
from typing import Annotated, Any

from pydantic import AfterValidator, Field, StrictInt, StrictStr

from judges.core.baseline import Baseline, BaselineCase
from judges.core.case import digest
from judges.core.errors import ConfigError, Problem
from judges.core.question import Answer
from judges.files.jsonl import parse_json
from judges.files.model import FileModel
from judges.files.problems import found
from judges.files.shape import parse_model
from judges.files.text import display_path, read_text

SCHEMA = 1

_MOST_BYTES = 1_000_000_000  # it holds the outputs of all cases
_AGAIN = "accept a run again: scaffold baseline accept RUN"


def _value(value: Any) -> Any:
    if not isinstance(value, int):
        raise ValueError(f"expected a level (a whole number), true or false, found {found(value)}")
    return value


class _Answer(FileModel):
    value: Annotated[Any, AfterValidator(_value)]
    probabilities: dict[StrictStr, float] | None = None


def _text(value: Any) -> Any:
    """An output may hold half of a character, which no text of pydantic's may."""
    if not isinstance(value, str):
        raise ValueError(f"expected a text, found {found(value)}")
    return value


class _Case(FileModel):
    ref: Annotated[StrictStr, Field(min_length=1)]
    model: StrictStr | None = None
    input_sha256: StrictStr
    output_sha256: StrictStr
    asked_sha256: StrictStr | None = None
    score: float | None = None
    answers: dict[StrictStr, _Answer]
    output: Annotated[Any, AfterValidator(_text)]


class _File(FileModel):
    schema_: Annotated[StrictInt, Field(ge=SCHEMA, le=SCHEMA)] = Field(alias="schema")
    run: StrictStr
    judge: StrictStr
    wording: StrictStr
    rubrics: dict[StrictStr, StrictStr]
    cases: tuple[_Case, ...]


def read_baseline(path: Path) -> Baseline:
    """Return the baseline in a file.

    Raises:
        ConfigError: the file cannot be read, is no baseline, or was edited by hand.
    """
    document = parse_json(read_text(path, _MOST_BYTES), display_path(path))
    try:
        file = parse_model(_File, document)
    except ConfigError as error:
        raise ConfigError(
            Problem(each.message, each.file, key=each.key, hint=_AGAIN) for each in error.problems
        ) from None
    edited = [case.ref for case in file.cases if digest(case.output) != case.output_sha256]
    if edited:
        message = f"the output of '{edited[0]}' is not the one that was accepted"
        raise ConfigError([Problem(message, document.file, hint=_AGAIN)])
    return Baseline(
        run=file.run,
        judge=file.judge,
        wording=file.wording,
        rubrics=file.rubrics,
        cases=tuple(_read_case(case) for case in file.cases),
    )


def render_baseline(baseline: Baseline) -> str:
    """Return the text that `read_baseline` reads as this baseline: the same text for an equal one."""
    data = {
        "schema": SCHEMA,
        "run": baseline.run,
        "judge": baseline.judge,
        "wording": baseline.wording,
        "rubrics": dict(baseline.rubrics),
        "cases": [_render_case(case) for case in baseline.cases],
    }
    text = json.dumps(data, indent=2, ensure_ascii=False)
    return text.encode("utf-8", "backslashreplace").decode("utf-8") + "\n"


def _read_case(case: _Case) -> BaselineCase:
    return BaselineCase(
        ref=case.ref,
        model=case.model,
        input_sha256=case.input_sha256,
        output=case.output,
        asked_sha256=case.asked_sha256,
        answers={
            name: Answer(value=answer.value, probabilities=answer.probabilities)
            for name, answer in case.answers.items()
        },
        score=case.score,
    )


def _render_case(case: BaselineCase) -> dict[str, Any]:
    return {
        "ref": case.ref,
        "model": case.model,
        "input_sha256": case.input_sha256,
        "output_sha256": digest(case.output),
        "asked_sha256": case.asked_sha256,
        "score": case.score,
        "answers": {name: _render_answer(answer) for name, answer in case.answers.items()},
        "output": case.output,
    }


def _render_answer(answer: Answer) -> dict[str, Any]:
    if answer.probabilities is None:
        return {"value": answer.value}
    return {"value": answer.value, "probabilities": dict(answer.probabilities)}
