"""A suite that a scripted judge has judged, and the page that reviews it, served on this machine."""

import json
import logging
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from fractions import Fraction
from itertools import cycle
from pathlib import Path
from typing import Any

from werkzeug.serving import make_server

import judges
from judges.core.question import Choice, Predicate, Question
from judges.providers.base import Request
from judges.providers.scripted import ScriptedProvider
from judges.run.records import RunDirectory
from judges.run.review import list_suites
from scaffold.review.opened import open_suite
from scaffold.review.session import ReviewSession
from scaffold.review.web.app import build_app
from scaffold.review.web.desk import Desk
from scaffold.review.web.gate import Gate
from scaffold.review.web.listing import Listing
from scaffold.review.web.pages import Pages

AUTHOR = "jane@example.com"
CRITERIA = (
    {
        "name": "tone",
        "weight": 0.75,
        "rubric": "Is it kind?\n5: warm\n4: kind\n3: so-so\n2: curt\n1: rude",
    },
    {"name": "safety", "weight": 0.25, "rubric": "Is it safe?\n3: safe\n2: mostly\n1: not", "scale": 3},
)
CASES = (
    {"title": "Good", "category": "element", "input": {"name": "Ann"}, "output": "53 Dear Ann, thank you."},
    {"title": "So", "category": "mixed", "input": {"name": "Bob"}, "output": "33 Hello Bob."},
    {"title": "Bad", "category": "edge", "input": {"name": "Cat"}, "output": "11 Go away."},
)
"""Each output begins with the judge's levels of the criteria. They end as PASS 100, WARN 62.5, and FAIL 0."""


def judge(request: Request) -> str:
    """A judge that takes outputs at their word, and quotes what comes after it; else it gives level 2.

    It says yes from level 3 on, and prefers what it is shown as B.
    """
    output = request.messages[-1].content.rpartition('name="output">\n')[2].rpartition("\n</")[0]
    levels, _, rest = output.partition(" ") if output[:2].isdigit() else ("22", "", output)
    said = {"evidence": [rest[:60]], "reasoning": f"It says: {rest}"}
    return json.dumps(
        {
            question.name: {**said, "answer": _answer(question, int(level))}
            for question, level in zip(request.questions, cycle(levels), strict=False)
        }
    )


def _answer(question: Question, level: int) -> int | str:
    match question:
        case Predicate(labels=(yes, no)):
            return yes if level >= 3 else no
        case Choice():
            return "B"
    return level


def run_suite(
    root: Path, cases: Sequence[Mapping[str, Any]] = CASES, *, external: bool = False, **keys: Any
) -> Path:
    """Judge a suite of these cases; return the folder of the run. `keys` are more of the suite's.

    `external` cases have a file of their own, which may hold any text.
    """
    path = root / ".omniscitus/tests/greeting/prompt-meta.yaml"
    path.parent.mkdir(parents=True, exist_ok=True)
    known = {"prompt_name": "greeting", "criteria": CRITERIA, "thresholds": {"pass": 70, "warn": 50}}
    inside: Any = {"source": "external", "pattern": "*.jsonl"} if external else list(cases)
    if external:
        path.with_name("all.jsonl").write_text("".join(f"{json.dumps(case)}\n" for case in cases))
    path.write_text(json.dumps({**known, "cases": inside, **keys}))
    options = judges.RunOptions(judge="own:judge")
    own = {"own:judge": ScriptedProvider(judge)}
    return judges.run_suites([judges.load_suite(path)], options, own=own).run_dir


def open_session(run: Path, author: str = AUTHOR) -> ReviewSession:
    """Open a review of a run."""
    now = datetime.now(UTC)
    return ReviewSession(
        list_suites(RunDirectory(run)),
        lambda stored: open_suite(stored, None, now),
        author=author,
    )


def build_pages(session: ReviewSession, share: int = 1) -> Pages:
    """Build the pages of a review; all that nothing speaks for is drawn."""
    return Pages(Desk(session), Listing(session, Fraction(share), 0))


@contextmanager
def serve_pages(pages: Pages) -> Iterator[str]:
    """Serve pages in a thread; yields the address that lets a person in."""
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    server = make_server("127.0.0.1", 0, lambda environ, start: [], threaded=True)
    gate = Gate("127.0.0.1", server.port)
    server.app = build_app(pages, gate)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield gate.url
    finally:
        server.shutdown()
        server.server_close()
        thread.join(10)
