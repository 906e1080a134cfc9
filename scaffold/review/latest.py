"""What the latest run of a suite says of cases that people have corrected, and what a decision does to it."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from judges.files.suite import PromptSuite
from judges.reduce.overrides import newest_overrides
from judges.run.decide_again import build_decider
from judges.run.records import RunDirectory
from judges.run.review import ReviewedSuite, StoredResult, bound_sha256, list_suites, read_results, settle
from judges.run.stored import is_finished, list_runs
from scaffold.review.keeping import Kept
from scaffold.review.opened import all_decisions
from scaffold.review.session import VerdictChange, compare


@dataclass(frozen=True, slots=True)
class Latest:
    """Results of some cases in the latest finished run with the suite; none where it has not been run."""

    stored: ReviewedSuite | None
    results: tuple[StoredResult, ...] = ()

    def outputs(self, model: str | None = None) -> dict[str, list[str]]:
        """Return the digests of the outputs by case ref, each once; of one model where it is named."""
        found: dict[str, list[str]] = {}
        for result in self.results:
            sha256 = bound_sha256(result.case)
            known = found.setdefault(result.case.ref, [])
            if sha256 and sha256 not in known and model in (None, result.case.model):
                known.append(sha256)
        return found


def find_latest(suite: PromptSuite, refs: Collection[str]) -> Latest:
    """Return what the latest run says of cases of a suite.

    Raises:
        ConfigError: the run is damaged.
    """
    for run in filter(is_finished, reversed(list_runs(suite.root))):
        for stored in list_suites(RunDirectory(run)):
            if stored.path == suite.path.absolute():
                return Latest(stored, tuple(each for each in read_results(stored) if each.case.ref in refs))
    return Latest(None)


def find_changes(suite: PromptSuite, latest: Latest, kept: Kept, now: datetime) -> list[VerdictChange]:
    """Return what a decision did to the latest results of its case.

    Raises:
        ConfigError: a check of the suite is wrong, or the run is damaged.
    """
    if latest.stored is None:
        return []
    decider = build_decider(suite, smoke=latest.stored.smoke, now=now)
    after = newest_overrides(all_decisions(suite)).get(kept.made.case_ref, {})
    before = {name: each for name, each in after.items() if name != kept.made.criterion}
    if kept.before is not None:
        before[kept.made.criterion] = kept.before
    return [
        compare(settle(result, decider, before), settle(result, decider, after)) for result in latest.results
    ]
