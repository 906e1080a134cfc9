"""Endpoints that fail in every way: every case ends right, and no failure costs more than it must."""

import json
import random
import re
import threading
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from command_line import Cli, levels
from loopback import Loopback, Reply, Server, anthropic_error, anthropic_text, openai_error, openai_text
from test_run import write_cases

SEED = 20261130
TIMEOUT_SECONDS = 2.0  # long enough for a good answer on a busy machine: requests are counted exactly
HTTP_RETRIES = 3
ASKED_AT_MOST = 2  # max_retries of the suite is 1
KEY = "sk-test"
GOOD, BAD = json.dumps(levels(3, 2)), json.dumps(levels(1, 2))
JUDGES = {"openai": "openai:gpt-4o", "anthropic": "anthropic:claude-haiku-4-5"}
SUITE = ".omniscitus/tests/prompts/greeting/prompt-meta.yaml"

MIX = {
    "slow down": 0.15,
    "slow down, later": 0.15,
    "broken": 0.10,
    "no API": 0.02,
    "unusable": 0.03,
    "silent": 0.01,
}
"""How often a request meets which failure; the rest are answered."""

ALWAYS = {7: "unusable", 107: "unusable", 207: "broken", 307: "slow down, later", 407: "no API"}
"""Cases that never meet anything else."""


def fate(case: int, attempt: int) -> str:
    """What the how-manieth request about a case meets: the same in every run."""
    if case in ALWAYS:
        return ALWAYS[case]
    (drawn,) = random.Random(f"{SEED} {case} {attempt}").choices(
        [*MIX, "answered"], [*MIX.values(), 1 - sum(MIX.values())]
    )
    return drawn


def foresee(case: int) -> tuple[str, int]:
    """The verdict that a case must end with, and the requests that it takes."""
    requests = 0
    for _ in range(ASKED_AT_MOST):
        for _ in range(1 + HTTP_RETRIES):
            requests += 1
            met = fate(case, requests)
            if met in ("answered", "unusable"):
                break
        if met == "answered":
            return ("FAIL" if case % 3 == 2 else "PASS"), requests
        if met != "unusable":
            break
    return "ERROR", requests


@dataclass(slots=True)
class Faulty:
    """What the server answers. `asked` counts the requests about each case, `paid` those with a judgement."""

    vendor: str
    asked: Counter[int] = field(default_factory=Counter)
    paid: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def __call__(self, body: Mapping[str, Any]) -> Reply:
        word, number = re.findall(r"(kind|rude) (\d+)", json.dumps(body))[0]
        with self._lock:
            self.asked[int(number)] += 1
            met = fate(int(number), self.asked[int(number)])
            self.paid += met in ("answered", "unusable")
        good, bad = (GOOD, BAD) if word == "kind" else (BAD, GOOD)
        unusable = (bad[:-3], f"I would say: {bad}", bad.replace('"answer": 2', '"answer": 3'), "")
        odd = int(number) % 2
        return {
            "answered": self.says(good),
            "unusable": self.says(unusable[int(number) % 4]),
            "slow down": self.fails(429),
            "slow down, later": self.fails(429, {"Retry-After": ("0.01", "0")[odd]}),
            "broken": self.fails((500, 502, 503, 529)[int(number) % 4]),
            "no API": (Reply(200, "<html>proxy</html>"), replace(self.says(bad), drop="middle"))[odd],
            "silent": replace(self.says(bad), delay=TIMEOUT_SECONDS * 5),
        }[met]

    def says(self, text: str) -> Reply:
        return openai_text(text) if self.vendor == "openai" else anthropic_text(text)

    def fails(self, status: int, headers: Mapping[str, str] | None = None) -> Reply:
        build = openai_error if self.vendor == "openai" else anthropic_error
        return build(status, "not now", headers=headers)


Serve: TypeAlias = Callable[[str, int, Any], Server]


@pytest.fixture
def serve(project: Path, loopback: Loopback, monkeypatch: pytest.MonkeyPatch) -> Serve:
    """Start a server for a vendor's client, and give the suite so many cases."""

    def start(vendor: str, cases: int, replies: Any) -> Server:
        write_cases(project, cases)
        suite = project / SUITE
        limit = f"timeout_seconds: {TIMEOUT_SECONDS}"
        suite.write_text(suite.read_text().replace("timeout_seconds: 5", limit))
        server = loopback(replies)
        monkeypatch.setenv(f"{vendor.upper()}_BASE_URL", server.url)
        monkeypatch.setenv(f"{vendor.upper()}_API_KEY", KEY)
        return server

    return start


@pytest.mark.parametrize(
    ("vendor", "cases", "requests", "totals"),
    [
        ("openai", 500, 877, {"cases": 500, "passed": 317, "failed": 159, "errored": 24}),
        ("anthropic", 120, 217, {"cases": 120, "passed": 74, "failed": 38, "errored": 8}),
    ],
)
def test_every_case_ends_right(
    cli: Cli, serve: Serve, vendor: str, cases: int, requests: int, totals: Mapping[str, int]
) -> None:
    """Whatever its requests meet, a case ends with its true verdict, or as ERROR where no answer came."""
    faulty = Faulty(vendor)
    serve(vendor, cases, faulty)
    limits = ("--concurrency", "32", "--http-retries", str(HTTP_RETRIES))
    result = cli("run", "--judge", JUDGES[vendor], *limits, "-q", "--json", "-")
    report = result.report
    told = {int(case["ref"][1:]): case["verdict"] for case in report["suites"][0]["cases"]}
    foreseen = {case: foresee(case) for case in range(cases)}
    assert told == {case: verdict for case, (verdict, _) in foreseen.items()}
    assert faulty.asked == {case: requests for case, (_, requests) in foreseen.items()}
    assert sum(faulty.asked.values()) == requests
    assert {name: count for name, count in report["totals"].items() if count} == totals
    tokens = report["usage"]["input_tokens"], report["usage"]["output_tokens"]
    assert (report["usage"]["calls"], *tokens) == (faulty.paid, 100 * faulty.paid, 20 * faulty.paid)
    assert (result.code, result.err) == (3, "")


@pytest.mark.parametrize(
    ("status", "headers", "sentence", "requests"),
    [
        pytest.param(429, {}, "too many requests (HTTP 429: not now)", 76, id="429"),
        pytest.param(429, {"Retry-After": "0.02"}, "too many requests", 76, id="429 that asks to wait"),
        pytest.param(429, {"Retry-After": "3600"}, "3600 s, which is too long", 60, id="429 for an hour"),
        pytest.param(500, {}, "the server failed (HTTP 500: not now). Try again later.", 76, id="500"),
        pytest.param(401, {}, "the key was refused", 8, id="401"),
        pytest.param(404, {}, "Check the model's name", 8, id="404"),
        pytest.param(400, {}, "the request was refused (HTTP 400: not now)", 60, id="400"),
    ],
)
@pytest.mark.parametrize("vendor", list(JUDGES))
def test_what_never_passes(
    cli: Cli, serve: Serve, vendor: str, status: int, headers: Mapping[str, str], sentence: str, requests: int
) -> None:
    """A permanent failure costs each call in flight its retries, every later one a single request at most.

    Every row says why in one sentence; the table says it once or twice for all.
    """
    server = serve(vendor, 60, Faulty(vendor).fails(status, headers))
    limits = ("--concurrency", "8", "--http-retries", "2")
    result = cli("run", "--judge", JUDGES[vendor], *limits, "-q", "--json", "report.json")
    report = json.loads(Path("report.json").read_text())
    rows = [row for case in report["suites"][0]["cases"] for row in case["rows"] if row["kind"] == "criteria"]
    assert (result.code, report["totals"]["errored"], len(rows)) == (3, 60, 120)
    assert all(sentence in row["error"] and "\n" not in row["error"] for row in rows)
    assert len(server.requests) <= requests
    assert len(result.out.splitlines()) < 25
    assert report["usage"]["calls"] == 0
