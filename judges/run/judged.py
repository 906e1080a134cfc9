"""What a finished run knows of a suite: the judge's stored answers, and whether it is asked the same now."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from judges.ask.wording import version
from judges.core.case import Case
from judges.core.errors import ConfigError, Problem
from judges.core.question import Answer
from judges.files.evaluation_meta import EvaluationType
from judges.files.suite import PromptSuite
from judges.reduce.ratings import Item, Output, level_of
from judges.run.records import RECORDS, RunDirectory, read_lines
from judges.run.standing import rubric_digest
from judges.run.stored import find_run, is_finished, list_runs


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedRun:
    """What a run has about one suite: the folder of its results, and what the judge's answers hang on.

    That is who judged, `meta` where they disagreed, the version of the engine's wording, the digests of the
    rubrics by criterion, and that of all that the suite told the judge.
    """

    run: str
    folder: Path
    judge: str
    meta: str | None
    wording: str
    rubrics: Mapping[str, str]
    told_sha256: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredAnswers:
    """The outputs of a run, and what the judge said of each on each criterion.

    `unanswered` are those that it was asked about and gave no answer to.
    """

    outputs: Collection[Output]
    answers: Mapping[Item, Answer]
    unanswered: Collection[Item]


def find_judged_run(suite: PromptSuite, name: str | None, root: Path) -> JudgedRun | None:
    """Return the run of this id or path, or the latest finished one with the suite; None without any.

    Raises:
        ConfigError: there is no such run, it does not have the suite, or it is damaged.
    """
    if name is None:
        runs = (_open(suite, run) for run in reversed(list_runs(root)) if is_finished(run))
        return next(filter(None, runs), None)
    run = find_run(name, root)
    found = _open(suite, run)
    if found is None:
        raise ConfigError(
            [Problem(f"run {run.name} does not have the suite '{suite.name}'", hint="see: scaffold show")]
        )
    return found


def read_answers(suite: PromptSuite, run: JudgedRun) -> StoredAnswers:
    """Return what the judge said of outputs of the suite's cases.

    Of several answers about the same, as different models may give the same output, the lower median counts.

    Raises:
        ConfigError: the run is damaged.
    """
    cases = {case.ref: case for case in suite.cases}
    outputs: set[Output] = set()
    said: dict[Item, list[Answer | None]] = defaultdict(list)
    for record in read_lines(run.folder / RECORDS):
        try:
            outputs.update(_outputs(record))
            if record["ref"] in cases:
                for item, answer in _answers(suite, cases[record["ref"]], record):
                    said[item].append(answer)
        except (KeyError, TypeError, AttributeError) as error:
            raise _damaged(run.folder, error) from error
    answers = {item: answer for item, given in said.items() if (answer := _median(given)) is not None}
    return StoredAnswers(outputs=outputs, answers=answers, unanswered=said.keys() - answers.keys())


def describe_changes(suite: PromptSuite, run: JudgedRun, judge: str) -> Iterator[str]:
    """Yield why what the judge said in the run tells nothing of what it would say now, if anything does."""
    if judge != run.judge:
        yield f"{run.judge} judged that run, and the judge is {judge} now"
    if suite.meta.judge.meta != run.meta:
        yield "another judge decides now where judges disagree"
    if run.wording != version():
        yield f"the wording of questions was {run.wording} then, and is {version()} now"
    changed = [each.name for each in suite.criteria if run.rubrics.get(each.name) != each.rubric_sha256]
    if changed:
        yield f"rubrics have changed since: {', '.join(changed)}"
    elif run.told_sha256 != rubric_digest(suite):
        yield "what the judge is told besides the rubrics (judge.md, specs) has changed since"


def _open(suite: PromptSuite, path: Path) -> JudgedRun | None:
    """A run that was made elsewhere has the suite at the same place below its project's root."""
    info = RunDirectory(path).info
    place = suite.path.resolve().relative_to(suite.root.resolve()).parts
    try:
        for plan in info["parameters"]:
            if Path(plan["path"]).parts[-len(place) :] == place:
                return JudgedRun(
                    run=path.name,
                    folder=path / plan["folder"],
                    judge=plan["judge"],
                    meta=plan["meta"],
                    wording=info["versions"]["wording"],
                    rubrics=plan["rubrics"],
                    told_sha256=plan["told_sha256"],
                )
    except (KeyError, TypeError) as error:
        raise _damaged(path, error) from error
    return None


def _outputs(record: Mapping[str, Any]) -> Iterator[Output]:
    for produced in (record, *record["arms"].values()):
        if produced["output_sha256"] is not None:
            yield record["ref"], produced["output_sha256"]


def _answers(
    suite: PromptSuite, case: Case, record: Mapping[str, Any]
) -> Iterator[tuple[Item, Answer | None]]:
    """Yield what was said on each criterion; None where nothing was. Only some types ask in every case."""
    if case.declines_expected and suite.evaluation is not EvaluationType.MULTI_CRITERIA:
        return
    for said in record["answers"]:
        for criterion in suite.criteria:
            value = said["values"].get(f"criteria.{criterion.name}")
            yield ((case.ref, said["output_sha256"]), criterion.name), Answer(**value) if value else None


def _median(answers: list[Answer | None]) -> Answer | None:
    known = sorted((each for each in answers if each is not None), key=level_of)
    return known[(len(known) - 1) // 2] if known else None


def _damaged(path: Path, error: Exception) -> ConfigError:
    problem = Problem(f"the run is damaged: {error}", file=str(path), hint="run the suite again")
    return ConfigError([problem])
