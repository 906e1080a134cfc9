"""What one trial led to, whatever the kind of its suite."""

from dataclasses import dataclass

from judges.ask.judge import Judgement
from judges.core.case import RunRecord, Trial
from judges.core.report import CaseReport
from judges.run.asking import Stability
from judges.run.kinds import Inquiry
from judges.run.outputs import Records


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What the judge was asked in one call and said to it.

    `sha256` is the digest of what was asked, where answers are kept by it.
    """

    inquiry: Inquiry
    judgement: Judgement
    stability: Stability | None = None
    sha256: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What one trial led to: the outputs, what the judge was asked and said, and the report of the case.

    `output_sha256` is what judgements of the case as a whole are bound to.
    """

    trial: Trial
    records: Records
    record: RunRecord
    output_sha256: str | None
    case: CaseReport
    asked: tuple[Asked, ...] = ()
