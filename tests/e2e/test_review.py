"""`scaffold review`: what people should look at, and their corrections."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from command_line import Cli, levels
from loopback import Loopback, Reply, openai_text
from small_disk import Disk, require_namespaces

FOLDER = Path(".omniscitus/tests/prompts/greeting")
SUITE, OVERRIDES = FOLDER / "prompt-meta.yaml", FOLDER / "overrides/overrides.yaml"
LEVELS = {"kind": (3, 2), "short": (2, 2), "rude": (1, 2), "unsafe": (3, 1)}
JANE = ("--author", "jane@example.com")
FINE = ("--reason", "it is fine", *JANE)
Run: TypeAlias = Callable[..., str]


def judge_by_word(body: Any) -> Reply:
    """A judge that goes by the word that an output begins with; without a judge's question, two models."""
    if "response_format" not in body:
        return openai_text({"gpt-4o-mini": "short", "gpt-4.1": "kind"}[body["model"]])
    output = body["messages"][1]["content"].rpartition('name="output">\n')[2]
    return openai_text(json.dumps(levels(*LEVELS[output.split()[0]])))


def write_outputs(*outputs: str) -> None:
    """Give the suite a case for each output: c0 and so on."""
    head, _, _ = SUITE.read_text().partition("cases:")
    cases = (
        f"  - {{title: c{number}, input: {{name: n{number}}}, output: '{output}'}}\n"
        for number, output in enumerate(outputs)
    )
    SUITE.write_text(f"{head}cases:\n{''.join(cases)}")


@pytest.fixture
def run(project: Path, cli: Cli, loopback: Loopback, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Return a function that runs the suite with these outputs and gives the run's id."""
    server = loopback(judge_by_word)
    monkeypatch.setenv("OPENAI_BASE_URL", server.url)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CONFIG_SYSTEM", os.devnull)

    def run(*outputs: str) -> str:
        if outputs:
            write_outputs(*outputs)
        cli("run", "-q")
        return max((project / ".omniscitus/runs").iterdir(), key=lambda path: path.stat().st_mtime_ns).name

    return run


def test_list(run: Run, cli: Cli) -> None:
    """What is worth most comes first, each with its reasons, then what to do next."""
    name = run("kind", "short", "rude", "unsafe")
    result = cli("review", "list")
    assert (result.code, result.err) == (0, "")
    assert result.out == (
        "WARN  c1  62.5\n"
        "      warn: Scored 62.5 (threshold: 70); lowest: tone 50\n"
        "      fragile: one level of tone decides: FAIL at 1 and PASS at 3\n"
        "      fragile: one level of safety decides: FAIL at 1\n"
        "FAIL  c2  25\n"
        "      fragile: one level of tone decides: WARN at 2\n"
        "      at_odds: all deterministic checks pass, and the judge is not content\n"
        "PASS  c0  100\n"
        "      fragile: one level of tone decides: WARN at 2\n"
        "PASS  c3  75\n"
        "      fragile: one level of tone decides: FAIL at 2\n"
        "\n"
        "4 of 4 results to look at, 0 drawn at random, 4 not reviewed yet\n"
        f"Next: scaffold review show c1 --run {name} --suite greeting\n"
    )


def test_list_as_json(run: Run, cli: Cli) -> None:
    """All of the queue for other programs, also of an earlier run that is named."""
    name = run("short", "kind")
    run("kind")
    told = cli("review", "list", name, "--suite", "greeting", "--json").report
    assert (told["schema"], told["run"], told["results"], len(told["items"])) == (1, name, 2, 2)
    assert told["items"][0] == {
        "id": "greeting:0",
        "run": name,
        "suite": "greeting",
        "ref": "c0",
        "model": None,
        "verdict": "WARN",
        "score": 62.5,
        "confidence": 1.0,
        "reviewed": False,
        "reasons": [
            {"kind": "warn", "criterion": None, "text": "Scored 62.5 (threshold: 70); lowest: tone 50"},
            {
                "kind": "fragile",
                "criterion": "tone",
                "text": "one level of tone decides: FAIL at 1 and PASS at 3",
            },
            {"kind": "fragile", "criterion": "safety", "text": "one level of safety decides: FAIL at 1"},
        ],
    }


def test_sample_and_limit(run: Run, cli: Cli) -> None:
    """Of what is certain a share is drawn, by the seed; the rest of a long list is counted."""
    SUITE.write_text(SUITE.read_text().replace("pass: 70", "pass: 40").replace("warn: 50", "warn: 40"))
    run(*(f"kind {number}" for number in range(40)))
    drawn = cli("review", "list", "--json").report["items"]
    assert ([each["reasons"][0]["kind"] for each in drawn], drawn) == (
        ["sample"] * 2,
        cli("review", "list", "--json", "--sample", "5", "--seed", "0").report["items"],
    )
    assert cli("review", "list", "--json", "--seed", "3").report["items"] != drawn
    assert len(cli("review", "list", "--json", "--sample", "100%").report["items"]) == 40
    result = cli("review", "list", "--sample", "50%", "--limit", "5")
    assert "… and 15 more: --limit 20\n" in result.out
    assert cli("review", "list", "--sample", "0").out == (
        "0 of 40 results to look at, 0 drawn at random, 0 not reviewed yet\n"
    )


def test_show(run: Run, cli: Cli) -> None:
    """One result has its rubric, with the judge's level marked, and all decisions."""
    run("kind", "short")
    cli("review", "set", "c1", "--score", "80", *FINE)
    cli("review", "withdraw", "c1", *FINE)
    result = cli("review", "show", "c1")
    assert result.code == 0
    for part in (
        "WARN  c1  62.5\n",
        "Output\n  short\n",
        "  tone (weight 0.75): Is it kind?\n      3  kind\n    > 2  so-so\n      1  rude\n",
        " by jane@example.com: the total set to 80 for this output alone, until ",
        " by jane@example.com: the total withdrawn: it is fine\n",
    ):
        assert part in result.out


def test_set_withdraw_and_run_again(run: Run, cli: Cli) -> None:
    """What a correction is said to change is what the next run makes of it."""
    run("kind", "short")
    assert cli("review", "set", "c1", "--score", "85", *FINE).out == "c1: WARN 62.5 -> PASS 85\n"
    case = cli("run", "-q", "--json", "-").report["suites"][0]["cases"][1]
    assert (case["verdict"], case["score"], case["judged_score"]) == ("PASS", 85, 62.5)
    assert case["override"]["author"] == "jane@example.com"
    said = cli("review", "set", "c1", "--criterion", "tone", "--score", "0", *FINE)
    assert said.out == "c1: PASS 85 -> PASS 85 (no change)\n"  # the total stands on its own
    result = cli("review", "withdraw", "c1", "--reason", "too kind", *JANE)
    assert result.out.endswith(
        "c1: PASS 85 -> FAIL 25: Scored 25 (threshold: 70), critical; lowest: tone 0\n"
    )
    case = cli("run", "-q", "--json", "-").report["suites"][0]["cases"][1]
    assert (case["verdict"], case["score"]) == ("FAIL", 25)


def test_what_is_written(run: Run, cli: Cli) -> None:
    """Nothing in the suite's files changes but for the entry at the end of the overrides file."""
    suite = SUITE.read_text()
    SUITE.write_text(
        f"overrides: {{items: [{{case_ref: c0, score: 1, timestamp: 2026-01-01, reason: r}}]}}\n{suite}"
    )
    run("kind", "short")
    OVERRIDES.parent.mkdir()
    OVERRIDES.write_text("# ours\n- {case_ref: c0, score: 2, timestamp: 2026-01-01, reason: r} # why not")
    before = SUITE.read_text(), OVERRIDES.read_text()
    cli("review", "set", "c1", "--score", "85.5", "--for-case", "--expires", "2999-12-31", *FINE)
    assert SUITE.read_text() == before[0]
    assert OVERRIDES.read_text().startswith(f'{before[1]}\n- case_ref: "c1"\n  score: 85.5\n  timestamp: "')
    assert '  bind: case\n  rubric_sha256: "' in OVERRIDES.read_text()
    assert OVERRIDES.read_text().endswith('  expires: "2999-12-31"\n  status: active\n')
    assert sorted(path.name for path in OVERRIDES.parent.iterdir()) == ["overrides.yaml"]


def test_renew(run: Run, cli: Cli) -> None:
    """A correction that has expired, or whose output has changed, holds again for what is there now."""
    run("kind", "short")
    OVERRIDES.parent.mkdir()
    OVERRIDES.write_text(
        "- {case_ref: c1, score: 90, timestamp: 2025-01-01, reason: seen, author: joe, expires: 2025-02-01}\n"
    )
    assert cli("review", "list", "--json").report["items"][0]["reasons"][-1] == {
        "kind": "override",
        "criterion": None,
        "text": "override of the total not applied: it expired on 2025-02-02",
    }
    result = cli("review", "renew", "c1", "--expires", "2999-01-01", *JANE)
    assert result.code == 0
    assert (
        " by jane@example.com: the total set to 90 whatever the output, until 2999-01-01: seen" in result.out
    )
    assert result.out.endswith("c1: WARN 62.5 -> PASS 90\n")
    cli("review", "set", "c0", "--score", "10", *FINE)
    run("kind but another", "short")
    assert cli("review", "check").code == 1
    assert cli("review", "renew", "c0", *JANE).out.endswith(
        "c0: PASS 100 -> FAIL 10: Scored 10 (threshold: 70), critical\n"
    )
    assert cli("review", "check").code == 0


def test_several_models(run: Run, cli: Cli) -> None:
    """A case that was run with several models has a result for each: which one is meant must be said."""
    SUITE.write_text(SUITE.read_text().replace(", output: Hello Ann", ""))
    cli("run", "-q", "--model", "openai:gpt-4o-mini", "--model", "openai:gpt-4.1")
    assert cli("review", "list").out.startswith("WARN  ann [openai:gpt-4o-mini]  62.5\n")
    assert cli("review", "show", "ann").out.count("Output\n") == 2
    result = cli("review", "set", "ann", "--score", "9", *FINE)
    assert (result.code, result.out) == (2, "")
    assert "'ann' was run with several models (say --model, one of openai:gpt-4o-mini, openai:gpt-4.1)" in (
        result.err
    )
    change = cli("review", "set", "ann", "--model", "openai:gpt-4.1", "--score", "9", *FINE)
    assert change.out.startswith("ann [openai:gpt-4.1]: PASS 100 -> FAIL 9: ")
    assert cli("review", "check").code == 0
    lines = cli("review", "withdraw", "ann", *FINE).out.splitlines()[1:]
    assert sorted(line.partition(" (")[0] for line in lines) == [
        "ann [openai:gpt-4.1]: FAIL 9 -> PASS 100",
        "ann [openai:gpt-4o-mini]: WARN 62.5 -> WARN 62.5",
    ]


MISTAKES = [
    pytest.param(("show", "c11"), "has no case 'c11' (did you mean 'c1'?)", id="unknown ref"),
    pytest.param(("show", "xyz"), "has no case 'xyz' (there are: c0, c1)", id="another unknown ref"),
    pytest.param(
        ("show", "c1", "--model", "gpt"),
        "'c1' was not run with the model 'gpt' (its output is by no model)",
        id="model",
    ),
    pytest.param(
        ("show", "c1", "--suite", "greting"), "has no suite 'greting' (did you mean 'greeting'?)", id="suite"
    ),
    pytest.param(("show", "c1", "--run", "none"), "there is no run 'none'", id="run"),
    pytest.param(("list", "--sample", "much"), "expected a share such as 5%, found 'much'", id="share"),
    pytest.param(
        ("list", "--sample", "101%"), "expected a share such as 5%, found '101'", id="too large a share"
    ),
    pytest.param(
        ("set", "c1", "--score", "101", *FINE), "expected a score from 0 to 100, found '101'", id="score"
    ),
    pytest.param(
        ("set", "c1", "--score", "nan", *FINE), "expected a score from 0 to 100, found 'nan'", id="nan"
    ),
    pytest.param(
        ("set", "c1", "--score", "-1", *FINE), "expected a score from 0 to 100, found '-1'", id="below"
    ),
    pytest.param(
        ("set", "c1", "--score", "9", "--expires", "soon", *FINE),
        "expected a date or time such as 2026-02-18T11:01:29Z, found 'soon'",
        id="date",
    ),
    pytest.param(
        ("set", "c1", "--score", "9", "--expires", "2020-01-01", *FINE), "which is over", id="a past date"
    ),
    pytest.param(
        ("set", "c1", "--score", "9", "--reason", " ", *JANE), "a decision needs a reason", id="reason"
    ),
    pytest.param(
        ("set", "c1", "--score", "9", "--reason", "r"),
        "it is not known who decides (say it with --author NAME, or: git config user.email NAME)",
        id="no author",
    ),
    pytest.param(
        ("set", "c1", "--score", "9", "--criterion", "tune", *FINE),
        "the suite 'greeting' has no criterion 'tune' (did you mean 'tone'?)",
        id="criterion",
    ),
    pytest.param(
        ("withdraw", "c9", *FINE), "nobody has corrected a score of 'c9' (there are: c0)", id="withdraw"
    ),
    pytest.param(
        ("withdraw", "c0", "--criterion", "tone", *FINE),
        "'c0' has no correction of tone (there is one of the total)",
        id="withdraw another criterion",
    ),
    pytest.param(("renew", "c1", *JANE), "nobody has corrected a score of 'c1' (there are: c0)", id="renew"),
    pytest.param(("renew", "c0", "--expires", "2020-01-01", *JANE), "which is over", id="renew for the past"),
    pytest.param(("check", "greting"), "there is no suite 'greting' (did you mean 'greeting'?)", id="check"),
]


@pytest.mark.parametrize(("arguments", "message"), MISTAKES)
def test_mistakes(run: Run, cli: Cli, arguments: tuple[str, ...], message: str) -> None:
    """A mistake is told in one sentence with what to do, and nothing is written."""
    run("kind", "short")
    OVERRIDES.parent.mkdir()
    OVERRIDES.write_text("- {case_ref: c0, score: 2, timestamp: 2026-01-01, reason: r}\n")
    before = OVERRIDES.read_bytes()
    result = cli("review", *arguments)
    assert (result.code, result.out) == (2, "")
    assert message in result.err
    assert OVERRIDES.read_bytes() == before


@pytest.mark.usefixtures("run")
@pytest.mark.parametrize(
    "arguments",
    [("list",), ("show", "ann"), ("set", "ann", "--score", "9", *FINE)],
    ids=["list", "show", "set"],
)
def test_no_run_yet(cli: Cli, arguments: tuple[str, ...]) -> None:
    """Without a run there is nothing to look at: it says how to make one."""
    result = cli("review", *arguments)
    assert (result.code, result.out) == (2, "")
    assert "there is no finished run below " in result.err
    assert "(make one: scaffold run)" in result.err


def test_the_author_by_git(run: Run, cli: Cli, project: Path) -> None:
    """Who decides is who git knows."""
    subprocess.run(["git", "init", "-q"], check=True)
    subprocess.run(["git", "config", "user.email", "joe@example.com"], check=True)
    run("kind", "short")
    assert cli("review", "set", "c1", "--score", "85", "--reason", "r").code == 0
    assert 'author: "joe@example.com"\n' in OVERRIDES.read_text()


CHECKS = [
    pytest.param(
        "expires: 2025-02-01",
        "the total: it expired on 2025-02-02",
        "scaffold review show c1 --suite greeting; then: scaffold review renew c1 --suite greeting, "
        "or: scaffold review withdraw c1 --suite greeting --reason …",
        id="expired",
    ),
    pytest.param(
        "output_sha256: f0, expires: 2999-01-01",
        "the total: it is stale, the output has changed since",
        "scaffold review renew c1 --suite greeting,",
        id="the output changed",
    ),
    pytest.param(
        "rubric_sha256: f0, criterion: tone, expires: 2999-01-01",
        "tone: it is stale, the rubric has changed since",
        "scaffold review renew c1 --suite greeting --criterion tone,",
        id="the rubric changed",
    ),
    pytest.param(
        "criterion: tune, expires: 2999-01-01",
        "tune: there is no such criterion",
        "\n  scaffold review withdraw c1 --suite greeting --criterion tune --reason …\n",
        id="an unknown criterion",
    ),
]


@pytest.mark.parametrize(("more", "why", "advice"), CHECKS)
@pytest.mark.parametrize("recorded", [True, False], ids=["recorded output", "output of the run"])
def test_check(run: Run, cli: Cli, more: str, why: str, advice: str, recorded: bool) -> None:
    """A correction that does not hold any more fails CI, and what to do is told."""
    run("kind", "short")
    if not recorded:
        SUITE.write_text(SUITE.read_text().replace(", output: 'short'", ""))
    entry = f"- {{case_ref: c1, score: 90, timestamp: 2025-01-01, reason: seen, author: joe, {more}}}\n"
    OVERRIDES.parent.mkdir()
    OVERRIDES.write_text(entry)
    result = cli("review", "check")
    assert (result.code, result.err) == (1, "")
    assert f"greeting: c1: the correction of {why}\n" in result.out
    assert advice in result.out
    assert result.out.endswith("greeting: 1 correction, 1 of them overdue\n")


def test_check_of_a_case_that_is_gone(run: Run, cli: Cli) -> None:
    """A correction of an unknown case fails CI until it is withdrawn, which needs no case and no run."""
    OVERRIDES.parent.mkdir()
    OVERRIDES.write_text("- {case_ref: anna, score: 90, timestamp: 2025-01-01, reason: seen}\n")
    result = cli("review", "check", "greeting")
    assert (result.code, "anna: the correction of the total: there is no such case; did you mean 'ann'?") == (
        1,
        result.out.partition("greeting: ")[2].partition("\n")[0],
    )
    assert cli("review", "withdraw", "anna", *FINE).code == 0
    assert cli("review", "check", "greeting").code == 0


@pytest.mark.parametrize(
    ("text", "code", "said"),
    [
        pytest.param(None, 0, "greeting: 0 corrections, 0 of them overdue\n", id="none"),
        pytest.param("# none yet\n", 0, "greeting: 0 corrections, 0 of them overdue\n", id="an empty file"),
        pytest.param(
            "- {case_ref: ann, score: 90, timestamp: 2025-01-01, reason: seen}\n",
            0,
            "greeting: 1 correction, 0 of them overdue\n",
            id="the seed's shape",
        ),
        pytest.param(
            "- {case_ref: ann, score: 90, timestamp: 2025-01-01, reason: r, output_sha256: f0, "
            "expires: 2999-01-01, status: withdrawn}\n",
            0,
            "greeting: 0 corrections, 0 of them overdue\n",
            id="withdrawn",
        ),
        pytest.param("- {case_ref: ann}\n", 2, "", id="a wrong file"),
    ],
)
@pytest.mark.usefixtures("run")
def test_check_of_files(cli: Cli, text: str | None, code: int, said: str) -> None:
    """What holds passes, and so does a suite without corrections; a wrong file is told with its place."""
    if text is not None:
        OVERRIDES.parent.mkdir()
        OVERRIDES.write_text(text)
    result = cli("review", "check")
    assert (result.code, result.out) == (code, said)
    assert (f"{OVERRIDES}:1:3: [0].score" in result.err) == (code == 2)


def test_check_without_a_suite(cli: Cli, project: Path) -> None:
    """Where there is no suite, nothing was checked."""
    SUITE.unlink()
    result = cli("review", "check")
    assert (result.code, result.err) == (4, "There is no prompt suite here.\n")


def test_a_wrong_file_is_not_added_to(run: Run, cli: Cli) -> None:
    """A file that nobody can read is refused before anything is written."""
    run("kind", "short")
    OVERRIDES.parent.mkdir()
    OVERRIDES.write_text("- {case_ref: c1}\n")
    result = cli("review", "set", "c1", "--score", "9", *FINE)
    assert (result.code, f"{OVERRIDES}:1:3: [0].score: the key is missing" in result.err) == (2, True)
    assert OVERRIDES.read_text() == "- {case_ref: c1}\n"


@pytest.mark.parametrize("damage", ["{}\n", "[]\n", "{\n", '{"index":0,"ref":"c0"}\n'])
@pytest.mark.parametrize("file", ["rows.jsonl", "records.jsonl"])
def test_a_damaged_run(run: Run, cli: Cli, file: str, damage: str) -> None:
    """A run that was damaged is said to be; there is no traceback."""
    name = run("short")
    Path(".omniscitus/runs", name, "greeting", file).write_text(damage)
    for command in (("list",), ("show", "c0"), ("set", "c0", "--score", "9", *FINE)):
        result = cli("review", *command)
        assert (result.code, result.out) == (2, "")
        assert "run the suite again" in result.err


def test_processes_lose_nothing(run: Run, cli: Cli) -> None:
    """Decisions of several people at once are all there."""
    run(*(f"short {number}" for number in range(6)))
    command = [sys.executable, "-m", "scaffold", "review", "set"]
    processes = [
        subprocess.Popen([*command, f"c{number}", "--score", "90", *FINE], stdout=subprocess.DEVNULL)
        for number in range(6)
    ]
    assert [process.wait(120) for process in processes] == [0] * 6
    assert OVERRIDES.read_text().count("- case_ref: ") == 6
    assert cli("review", "check").out == "greeting: 6 corrections, 0 of them overdue\n"


@pytest.mark.parametrize(
    ("kilobytes", "read_only", "why"),
    [
        pytest.param(8, False, "No space left on device", id="full"),
        pytest.param(1024, True, "Read-only file system", id="read-only"),
    ],
)
def test_a_disk_that_takes_nothing(
    run: Run,
    project: Path,
    tmp_path_factory: pytest.TempPathFactory,
    kilobytes: int,
    read_only: bool,
    why: str,
) -> None:
    """A decision that cannot be written is told, and the file is as it was, whole."""
    require_namespaces()
    run("kind", "short")
    OVERRIDES.parent.mkdir()
    OVERRIDES.write_text("# none yet\n")
    disk = Disk(project / OVERRIDES.parent, tmp_path_factory.mktemp("result"), kilobytes, read_only)
    reason = "x" * 9000
    done = disk.run("review", "set", "c1", "--score", "9", "--reason", reason, *JANE)
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr == f"Error: {project / OVERRIDES}: {why}\n"
    assert disk.files == {"overrides.yaml": b"# none yet\n"}
