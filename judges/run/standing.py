"""What is known of a suite's judge before it judges: measured against people's ratings, or not."""

import json
import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path

from judges.ask.wording import version
from judges.core.case import digest
from judges.core.report import JudgeReport
from judges.core.row import Notice
from judges.files.qualifications import QUALIFICATIONS_FILE, QualificationEntry, read_qualifications
from judges.files.suite import PromptSuite
from judges.providers.local.models import describe_smoke, is_smoke_judge

RECORDED = "replay:"


def find_standing(suite: PromptSuite, judges: Sequence[str]) -> JudgeReport:
    """Return what is known of these judges, who judge the suite together.

    A packaged smoke judge among them makes all of them one. A measurement with another wording or other
    rubrics counts for nothing.

    Raises:
        ConfigError: the file of measurements beside the suite is wrong.
    """
    name = ", ".join(judges)
    if any(map(is_smoke_judge, judges)):
        return JudgeReport(model=name, qualified=False)
    key = name, version(), rubric_digest(suite)
    found = [each for each in _read(suite) if each.key == key]
    return _report(found[0]) if found else JudgeReport(model=name)


def describe_standing(suite: PromptSuite, judges: Sequence[str], standing: JudgeReport) -> Iterator[Notice]:
    """Yield what a person should know of the judges before relying on them.

    Raises:
        ConfigError: the file of measurements beside the suite is wrong.
    """
    smoke = [judge for judge in judges if is_smoke_judge(judge)]
    if standing.qualified is False:
        yield from (Notice(describe_smoke(judge)) for judge in smoke or [standing.model])
    elif standing.qualified is None and not all(map(is_replay, judges)):
        measured = any(each.judge == standing.model for each in _read(suite))
        why = "it was measured with another wording or rubric" if measured else "nobody has measured it"
        command = f"scaffold qualify {shlex.quote(suite.path.absolute().parent.name)}"
        yield Notice(f"the judge {standing.model} is unqualified: {why} against people's ratings ({command})")


def is_replay(judge: str) -> bool:
    """Whether a judge is a file of recorded answers."""
    return judge.startswith(RECORDED)


def rubric_digest(suite: PromptSuite) -> str:
    """Return the digest of all that a suite's author tells the judge: how, by which rubrics and documents."""
    rubrics = [(each.name, each.rubric_sha256) for each in suite.criteria]
    told = (suite.evaluation.scores, rubrics, suite.context, sorted(suite.specs.items()))
    return digest(json.dumps(told))


def qualifications_path(suite: PromptSuite) -> Path:
    """Return the file of measurements beside the suite."""
    return suite.path.parent / QUALIFICATIONS_FILE


def _read(suite: PromptSuite) -> tuple[QualificationEntry, ...]:
    return read_qualifications(qualifications_path(suite))


def _report(entry: QualificationEntry) -> JudgeReport:
    return JudgeReport(
        model=entry.judge,
        qualified=entry.qualified,
        n=entry.n,
        accuracy=entry.accuracy,
        low=entry.low,
        high=entry.high,
    )
