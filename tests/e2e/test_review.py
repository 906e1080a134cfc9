"""`scaffold review`: what people should look at, and their corrections."""

import subprocess
from pathlib import Path

import pytest
from command_line import Cli
from review_project import FINE, JANE, OVERRIDES, SUITE, Run


def test_list(run_outputs: Run, cli: Cli) -> None:
    """What is worth most comes first, each with its reasons, then what to do next."""
    name = run_outputs("kind", "short", "rude", "unsafe")
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


def test_list_what_is_found(run_outputs: Run, cli: Cli) -> None:
    """Words and phrases of inputs, outputs and reasons narrow the list."""
    run_outputs("kind", "short and\nsweet", "rude")

    def found(words: str) -> list[str]:
        report = cli("review", "list", "--json", "--find", words).report
        assert report["results"] == 3
        return [item["ref"] for item in report["items"]]

    assert found("sweet short") == found('"AND sweet"') == ["c1"]
    assert found('"sweet and"') == []
    assert found("pleases the judge") == []
    assert cli("review", "list", "--find", "nothing of it").out.startswith("0 of 3 results to look at")


def test_list_as_json(run_outputs: Run, cli: Cli) -> None:
    """All of the queue for other programs, also of an earlier run that is named."""
    name = run_outputs("short", "kind")
    run_outputs("kind")
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


def test_sample_and_limit(run_outputs: Run, cli: Cli) -> None:
    """Of what is certain a share is drawn, by the seed; the rest of a long list is counted."""
    SUITE.write_text(SUITE.read_text().replace("pass: 70", "pass: 40").replace("warn: 50", "warn: 40"))
    run_outputs(*(f"kind {number}" for number in range(40)))
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


def test_show(run_outputs: Run, cli: Cli) -> None:
    """One result has its rubric, with the judge's level marked, and all decisions."""
    run_outputs("kind", "short")
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


def test_set_withdraw_and_run_again(run_outputs: Run, cli: Cli) -> None:
    """What a correction is said to change is what the next run makes of it."""
    run_outputs("kind", "short")
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


def test_what_is_written(run_outputs: Run, cli: Cli) -> None:
    """Nothing in the suite's files changes but for the entry at the end of the overrides file."""
    suite = SUITE.read_text()
    SUITE.write_text(
        f"overrides: {{items: [{{case_ref: c0, score: 1, timestamp: 2026-01-01, reason: r}}]}}\n{suite}"
    )
    run_outputs("kind", "short")
    OVERRIDES.parent.mkdir()
    OVERRIDES.write_text("# ours\n- {case_ref: c0, score: 2, timestamp: 2026-01-01, reason: r} # why not")
    before = SUITE.read_text(), OVERRIDES.read_text()
    cli("review", "set", "c1", "--score", "85.5", "--for-case", "--expires", "2999-12-31", *FINE)
    assert SUITE.read_text() == before[0]
    assert OVERRIDES.read_text().startswith(f'{before[1]}\n- case_ref: "c1"\n  score: 85.5\n  timestamp: "')
    assert '  bind: case\n  rubric_sha256: "' in OVERRIDES.read_text()
    assert OVERRIDES.read_text().endswith('  expires: "2999-12-31"\n  status: active\n')
    assert sorted(path.name for path in OVERRIDES.parent.iterdir()) == ["overrides.yaml"]


def test_renew(run_outputs: Run, cli: Cli) -> None:
    """A correction that has expired, or whose output has changed, holds again for what is there now."""
    run_outputs("kind", "short")
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
    run_outputs("kind but another", "short")
    assert cli("review", "check").code == 1
    assert cli("review", "renew", "c0", *JANE).out.endswith(
        "c0: PASS 100 -> FAIL 10: Scored 10 (threshold: 70), critical\n"
    )
    assert cli("review", "check").code == 0


def test_several_models(run_outputs: Run, cli: Cli) -> None:
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
def test_mistakes(run_outputs: Run, cli: Cli, arguments: tuple[str, ...], message: str) -> None:
    """A mistake is told in one sentence with what to do, and nothing is written."""
    run_outputs("kind", "short")
    OVERRIDES.parent.mkdir()
    OVERRIDES.write_text("- {case_ref: c0, score: 2, timestamp: 2026-01-01, reason: r}\n")
    before = OVERRIDES.read_bytes()
    result = cli("review", *arguments)
    assert (result.code, result.out) == (2, "")
    assert message in result.err
    assert OVERRIDES.read_bytes() == before


@pytest.mark.usefixtures("run_outputs")
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


def test_the_author_by_git(run_outputs: Run, cli: Cli, project: Path) -> None:
    """Who decides is who git knows."""
    subprocess.run(["git", "init", "-q"], check=True)
    subprocess.run(["git", "config", "user.email", "joe@example.com"], check=True)
    run_outputs("kind", "short")
    assert cli("review", "set", "c1", "--score", "85", "--reason", "r").code == 0
    assert 'author: "joe@example.com"\n' in OVERRIDES.read_text()
