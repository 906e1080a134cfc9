"""Recorded judgements of public data through this project's own reducers: what each rule of judging buys.

    SCAFFOLD_REFERENCE_DATA=FOLDER python benchmarks/replay_study.py

Nothing is called: what models said is in the data (docs/explanation/evidence.md names the sources). Rates are
in percent, with 95 % intervals; a tie counts half, and what was no answer is counted apart.
"""

import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations
from pathlib import Path
from typing import Any, TypeAlias

from judges.core.question import Answer, Choice, Score, Unanswered, Vote
from judges.core.verdict import Verdict
from judges.reduce.agreement import quadratic_weighted_kappa
from judges.reduce.comparison import TIE, Preference
from judges.reduce.fragile import is_fragile
from judges.reduce.percent import percent_of_level
from judges.reduce.statistics import wilson_interval
from judges.reduce.votes import combine_votes, quorum_threshold

VARIABLE = "SCAFFOLD_REFERENCE_DATA"
PASSING = 70
LEVELS = 5
PANELS = {
    3: ("GPT-4 Vanilla_NoRules", "ChatGPT Vanilla_NoRules", "PaLM2 Vanilla_NoRules"),
    5: (
        "GPT-4 Vanilla_NoRules",
        "GPT-4 CoT",
        "GPT-4 Metrics_Reference",
        "ChatGPT Vanilla_NoRules",
        "PaLM2 Vanilla_NoRules",
    ),
}

Record: TypeAlias = Mapping[str, Any]
Levels: TypeAlias = Sequence[int]
Case: TypeAlias = Sequence[Levels]
"""The levels that each criterion of a case was given, replica by replica."""
Policy: TypeAlias = Callable[[Case], tuple[int, Levels]]
"""From what a judge would say to how often it is asked, and the levels that count."""

WHICH = Choice(name="overall", instructions="", choices=("A", "B", TIE))
LEVEL = Score(name="criteria.quality", instructions="", levels=("",) * LEVELS)


@dataclass(frozen=True)
class Pair:
    """One pair as a judge saw it: which arm is better, what it chose with `a` shown first, and with `b`."""

    id: str
    gold: str
    ab: Answer | None
    ba: Answer | None

    @property
    def preference(self) -> Preference | None:
        """What the judge prefers; None where either order gave no answer."""
        return Preference(self.ab, self.ba) if self.ab and self.ba else None


def main() -> None:
    folder = os.environ.get(VARIABLE)
    if not folder:
        sys.exit(f"{VARIABLE} is not set: name the folder that holds data/*.jsonl")
    data = Path(folder) / "data"
    llmbar = read_llmbar(read(data / "llmbar_judge_replay.jsonl"))
    benched = read_judgebench(read(data / "judgebench_judge_replay.jsonl"))
    replicas = [each["gpt4_scores"] for each in read(data / "prometheus_rubric_replicas.jsonl")]
    print_pairs("LLMBar", select(llmbar, "LLMBar/"))
    print_pairs("human preferences", select(llmbar, "Processed/"))
    print_pairs("JudgeBench", benched)
    print_panels(select(llmbar, "LLMBar/"))
    print_replicas(replicas)


def read(path: Path) -> list[Record]:
    with path.open(encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def read_llmbar(records: Iterable[Record]) -> dict[str, list[Pair]]:
    """Both winners are in the numbering of the pair, whichever output was shown first."""
    first, second = {"1": "A", "2": "B"}, {"1": "B", "2": "A"}
    pairs: dict[str, list[Pair]] = {}
    for each in records:
        pair = Pair(
            id=each["id"],
            gold="ab"[each["gold"] - 1],
            ab=answer(first.get(each["winner_order12"])),
            ba=answer(second.get(each["winner_order21"])),
        )
        pairs.setdefault(f"{each['judge']} {each['strategy']}", []).append(pair)
    return pairs


def read_judgebench(records: Iterable[Record]) -> dict[str, list[Pair]]:
    """Both decisions name the outputs as they were shown: in the second order A is the pair's second one."""
    shown = {"A>B": "A", "B>A": "B", "A=B": TIE}
    pairs: dict[str, list[Pair]] = {}
    for each in records:
        pair = Pair(
            id=each["pair_id"],
            gold={"A>B": "a", "B>A": "b"}[each["gold"]],
            ab=answer(shown.get(each["decision_AB"])),
            ba=answer(shown.get(each["decision_BA"])),
        )
        pairs.setdefault(each["judge_model"], []).append(pair)
    return pairs


def answer(choice: str | None) -> Answer | None:
    return None if choice is None else Answer(value=choice)


def select(pairs: Mapping[str, list[Pair]], prefix: str) -> dict[str, list[Pair]]:
    chosen = {judge: [pair for pair in each if pair.id.startswith(prefix)] for judge, each in pairs.items()}
    return {judge: each for judge, each in sorted(chosen.items()) if each}


def share(winner: str, gold: str) -> float:
    """Return what a choice is worth: a tie counts half."""
    return 0.5 if winner == TIE else float(winner == gold)


def print_pairs(title: str, judges: Mapping[str, Sequence[Pair]]) -> None:
    print(f"{title}: accuracy in the first order, in both, and where both agree")
    head = f"{'one order':>20}{'both orders':>20}{'agree':>7}{'where they agree':>20}"
    print(f"{'judge':<26}{'n':>5}{'none':>6}{head}")
    for judge, pairs in judges.items():
        seen = [(pair.gold, each) for pair in pairs if (each := pair.preference)]
        agreed = [(gold, each) for gold, each in seen if each.agrees]
        one = rate(share(each.chosen[0], gold) for gold, each in seen)
        both = rate(share(each.winner, gold) for gold, each in seen)
        sure = rate(share(each.winner, gold) for gold, each in agreed)
        agree = f"{100 * len(agreed) / len(seen):.1f}"
        print(f"{judge:<26}{len(seen):>5}{len(pairs) - len(seen):>6}{one:>20}{both:>20}{agree:>7}{sure:>20}")
    print()


def rate(shares: Iterable[float]) -> str:
    counted = list(shares)
    interval = wilson_interval(sum(counted), len(counted))
    if interval is None:
        return "-"
    return f"{100 * sum(counted) / len(counted):.1f} ({100 * interval.low:.1f}-{100 * interval.high:.1f})"


def print_panels(judges: Mapping[str, Sequence[Pair]]) -> None:
    print("LLMBar: a panel's majority, each judge in both orders")
    head = f"{'accuracy':>20}{'best member':>20}{'if stopped early':>24}"
    print(f"{'judges':<26}{'n':>5}{'none':>6}{head}")
    for size, members in PANELS.items():
        by_pair = [list(each) for each in zip(*(judges[name] for name in members), strict=True)]
        voted = [(each[0].gold, combine(each), each) for each in by_pair]
        answered = [(gold, said) for gold, said, _ in voted if isinstance(said, Answer)]
        accuracy = rate(share(str(said.value), gold) for gold, said in answered)
        best = max((members_rate(judges[name]) for name in members), key=lambda each: float(each.split()[0]))
        asked = sum(stopped_early([vote(pair) for pair in each]) for _, _, each in voted)
        saved = f"{asked / len(voted):.2f} of {size} ({100 * asked / len(voted) / size - 100:.0f} %)"
        none = len(voted) - len(answered)
        print(f"{size:<26}{len(answered):>5}{none:>6}{accuracy:>20}{best:>20}{saved:>24}")
    print()


def members_rate(pairs: Sequence[Pair]) -> str:
    return rate(share(each.winner, pair.gold) for pair in pairs if (each := pair.preference))


def combine(pairs: Sequence[Pair]) -> Answer | Unanswered:
    votes = tuple(Vote(judge=str(n), replica=1, answer=vote(pair)) for n, pair in enumerate(pairs))
    return combine_votes(WHICH, votes)


def vote(pair: Pair) -> Answer | Unanswered:
    """Return the arm that a judge prefers, in both orders."""
    preference = pair.preference
    return Answer(value=preference.winner) if preference else Unanswered("no answer")


def stopped_early(votes: Sequence[Answer | Unanswered]) -> int:
    """Return after how many votes the majority of all is decided, or can no longer be reached."""
    needed = quorum_threshold("majority", len(votes))
    values = [each.value if isinstance(each, Answer) else None for each in votes]
    for asked in range(1, len(votes)):
        most = max((values[:asked].count(value) for value in {*values[:asked]} - {None}), default=0)
        if most >= needed or most + len(votes) - asked < needed:
            return asked
    return len(votes)


def print_replicas(criteria: Sequence[Levels]) -> None:
    """One criterion makes a case, or four that follow each other do.

    The figures are over all orders in which the replicas could have been asked, averaged within a case.
    """
    kappas = [quadratic_weighted_kappa(*each) for each in combinations(list(zip(*criteria, strict=True)), 2)]
    print(f"Prometheus rubrics: GPT-4 asked three times, levels 1 to {LEVELS}, pass at {PASSING}")
    print(f"kappa between replicas: {' '.join(f'{each:.3f}' for each in kappas if each is not None)}")
    print(f"the same level three times: {rate(float(len(set(each)) == 1) for each in criteria)}")
    print(f"{'':<32}{'calls':>6}{'another verdict':>20}{'calls':>12}{'another verdict':>20}")
    ones, fours = [[each] for each in criteria], [criteria[at : at + 4] for at in range(0, len(criteria), 4)]
    print(f"{'':<32}{f'one criterion, n = {len(ones)}':>26}{f'four criteria, n = {len(fours)}':>32}")
    for name, policy in POLICIES.items():
        (calls, wrong), (calls_of_four, wrong_of_four) = (try_policy(policy, each) for each in (ones, fours))
        print(f"{name:<32}{calls:>6.2f}{wrong:>20}{calls_of_four:>12.2f}{wrong_of_four:>20}")


def try_policy(policy: Policy, cases: Sequence[Case]) -> tuple[float, str]:
    """Return the calls a case, and in how many the verdict is not that of the median of all replicas."""
    runs = [[(*policy(order), median(order)) for order in orders(case)] for case in cases]
    calls = mean(asked for case in runs for asked, _, _ in case)
    return calls, rate(mean(verdict(said) is not verdict(whole) for _, said, whole in case) for case in runs)


def ask_once(case: Case) -> tuple[int, Levels]:
    return 1, [levels[0] for levels in case]


def ask_until_decided(case: Case) -> tuple[int, Levels]:
    """The median of three lies between the first two: where they agree on the verdict it is decided."""
    low, high = [min(levels[:2]) for levels in case], [max(levels[:2]) for levels in case]
    return (2, low) if verdict(low) is verdict(high) else (3, median(case))


def ask_where_fragile(case: Case) -> tuple[int, Levels]:
    questions = tuple(Score(name=str(n), instructions="", levels=("",) * LEVELS) for n in range(len(case)))
    first = {each.name: Answer(value=levels[0]) for each, levels in zip(questions, case, strict=True)}

    def decide(answers: Mapping[str, Answer | Unanswered]) -> Verdict:
        return verdict([int(each.value) for each in answers.values() if isinstance(each, Answer)])

    return (3, median(case)) if is_fragile(questions, first, decide) else ask_once(case)


POLICIES: Mapping[str, Policy] = {
    "one replica": ask_once,
    "three replicas, stopped early": ask_until_decided,
    "three replicas where fragile": ask_where_fragile,
}


def orders(case: Case) -> Iterator[Case]:
    """Yield the case with its three replicas in every order."""
    for order in permutations(range(3)):
        yield [[levels[at] for at in order] for levels in case]


def verdict(levels: Levels) -> Verdict:
    score = sum(percent_of_level(level, LEVELS) for level in levels) / len(levels)
    return Verdict.PASS if score >= PASSING else Verdict.FAIL


def median(case: Case) -> Levels:
    return [median_of(levels) for levels in case]


def median_of(levels: Levels) -> int:
    votes = tuple(Vote(judge="judge", replica=1, answer=Answer(value=level)) for level in levels)
    said = combine_votes(LEVEL, votes)
    assert isinstance(said, Answer)
    return int(said.value)


def mean(values: Iterable[float]) -> float:
    counted = list(values)
    return sum(counted) / len(counted)


if __name__ == "__main__":
    main()
