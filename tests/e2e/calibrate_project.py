"""A suite, the recorded answers of its judge, and what people said of the same outputs."""

import json
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path

from command_line import SUITE

from judges.core.case import digest
from judges.core.rating import Rating
from judges.files.load import load_suite
from judges.files.ratings import render_rating

FOLDER = Path(".omniscitus/tests/prompts/greeting")
PATH, RATINGS, REPLAY = (FOLDER / name for name in ("prompt-meta.yaml", "ratings.jsonl", "replay.jsonl"))
RUNS = Path(".omniscitus/runs")
HEAD = SUITE.partition("cases:")[0].replace('"openai:gpt-4o"', '"replay:replay.jsonl"')
CATEGORIES = ("element", "mixed", "edge")


def write_suite(count: int, head: str = HEAD, path: Path = PATH) -> None:
    """Write a suite with so many cases."""
    cases = "".join(
        f"  - {{title: c{number}, category: {CATEGORIES[number % 3]}, input: {{name: n{number}}}, "
        f"output: Hello {number}}}\n"
        for number in range(count)
    )
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"{head}cases:\n{cases}")


def judged_tone(number: int) -> int:
    return 1 + number % 3


def judge(count: int, *, without: Iterable[int] = (), yes: bool = False) -> None:
    """Record what the judge says of so many outputs: tone 1, 2, 3 in turn, and that all are safe."""
    lines = [
        {
            "ref": f"c{number}",
            "question": f"criteria.{criterion}",
            "output_sha256": digest(f"Hello {number}"),
            "answer": ("YES" if level > 1 else "NO") if yes else level,
            "reasoning": "because",
            "source": "the test",
        }
        for number in range(count)
        if number not in without
        for criterion, level in (("tone", judged_tone(number)), ("safety", 2))
    ]
    REPLAY.write_text("".join(json.dumps(line) + "\n" for line in lines))


def rate(count: int, *, off: Iterable[int] = (), author: str = "jane") -> list[Rating]:
    """A person who gives the tone that the judge gives, but for the outputs in `off`: one level beside it."""
    rubrics = {each.name: each.rubric_sha256 for each in load_suite(PATH).criteria}
    return [
        Rating(
            ref=f"c{number}",
            criterion=criterion,
            level=level,
            output_sha256=digest(f"Hello {number}"),
            rubric_sha256=rubrics[criterion],
            author=author,
            timestamp=datetime(2026, 11, 30, tzinfo=UTC),
            blind=True,
        )
        for number in range(count)
        for criterion, level in (
            ("tone", judged_tone(number) + (number in off) * (1 if judged_tone(number) == 1 else -1)),
            ("safety", 2),
        )
    ]


def write_ratings(ratings: Sequence[Rating]) -> None:
    RATINGS.write_text("".join(render_rating(rating) + "\n" for rating in ratings))
