"""What often goes wrong in fixtures is found, and nothing else is."""

from pathlib import Path

import pytest

from judges.files.document import key_path
from judges.files.fixture import parse_fixture
from judges.files.fixture_lint import lint_fixture

FRONT = "model: claude-haiku-4-5"
RUN = "pass_conditions: {run: {must_succeed: true}}"


def findings(front: str, body: str = "Say hi.", path: Path = Path("a.fixture.md")) -> list[str]:
    """Each finding with its place: a key, or a line."""
    suite = parse_fixture(f"---\n{FRONT}\n{front}\n---\n# Prompt body\n\n{body}\n", path)
    return [f"{each.line or key_path(each.loc)}: {each.text}" for each in lint_fixture(suite)]


@pytest.mark.parametrize(
    ("front", "finding"),
    [
        pytest.param(
            f"permission_mode: bypassPermissions\nallowed_tools: Bash\n{RUN}",
            "allowed_tools: has no effect: bypassPermissions lets the session use every tool",
            id="bypass",
        ),
        pytest.param(
            "allowed_tools: Read Bash(git:*)\npass_conditions: {tool_calls: {required: [Bash, Write]}}",
            "pass_conditions.tool_calls.required[1]: 'Write' is denied: allowed_tools does not name it, and "
            "nobody can be asked",
            id="denied",
        ),
        pytest.param(
            "permission_mode: plan\n"
            "pass_conditions: {tool_results: {per_tool: {Edit: {must_succeed: true}}}}",
            "pass_conditions.tool_results.per_tool.Edit: 'Edit' is denied: allowed_tools does not name it, "
            "and nobody can be asked",
            id="denied in plan mode",
        ),
        pytest.param(
            "pass_conditions: {tool_calls: {required: [Bash], forbidden: [Bash]}}",
            "pass_conditions.tool_calls.required[0]: no session can pass: 'Bash' must be called, and must "
            "not be called",
            id="required and forbidden",
        ),
        pytest.param(
            "pass_conditions: {tool_calls: {order: [Read, Bash], counts: {Bash: {exact: 0}}}}",
            "pass_conditions.tool_calls.order[1]: no session can pass: 'Bash' must be called, and must not "
            "be called",
            id="in order and not at all",
        ),
        pytest.param(
            f"runs: 2\n{RUN}",
            "runs: a majority of 2 is both: one replica more lets one of them fail",
            id="a majority of two",
        ),
        pytest.param(
            f"runs: 4\nquorum: 2\n{RUN}",
            "quorum: 2 of 4 passes what fails at least as often as it passes",
            id="half",
        ),
        pytest.param(
            "timeout_seconds: 60\npass_conditions: {run: {max_duration_ms: 60001}}",
            "pass_conditions.run.max_duration_ms: is never exceeded: the session is ended after 60 s",
            id="a limit behind the timeout",
        ),
        pytest.param(
            f"isolation: project\nsetting_sources: [user]\n{RUN}",
            "setting_sources: 'user' has no effect with isolation: project, whose sessions have a home of "
            "their own",
            id="the user's settings",
        ),
        pytest.param(
            "pass_conditions: {run: {must_succeed: true}, views: {result: {}}}",
            "pass_conditions.views: checks nothing",
            id="an empty section",
        ),
        pytest.param(
            "pass_conditions: {tool_results: {}, views: {result: {must_include: []}, thinking: "
            "{must_include: [{pattern: a, case_sensitive: true}]}}}",
            "pass_conditions.views.result: checks nothing\npass_conditions.tool_results: checks nothing",
            id="empty sections beside others",
        ),
    ],
)
def test_findings_in_the_front_matter(front: str, finding: str) -> None:
    """Each has the key that it is about."""
    assert findings(front) == finding.split("\n")


@pytest.mark.parametrize(
    "front",
    [
        RUN,
        f"permission_mode: bypassPermissions\n{RUN}",
        f"runs: 3\nquorum: 2\n{RUN}",
        f"runs: 2\nquorum: all\n{RUN}",
        "permission_mode: acceptEdits\npass_conditions: {tool_calls: {required: [Write]}}",
        "permission_mode: bypassPermissions\npass_conditions: {tool_calls: {required: [Write]}}",
        "allowed_tools: [Write]\npass_conditions: {tool_calls: {required: [Write]}}",
        "isolation: host\npass_conditions: {tool_calls: {required: [Write]}}",
        "pass_conditions: {tool_calls: {required: [Bash], counts: {Bash: {max: 1}}}}",
        "pass_conditions: {tool_calls: {counts: {Write: {exact: 0}}, forbidden: [Write]}}",
        "timeout_seconds: 60\npass_conditions: {run: {max_duration_ms: 60000}}",
        f"isolation: host\nsetting_sources: [user]\n{RUN}",
    ],
)
def test_what_is_right_is_not_found(front: str) -> None:
    """What might be meant is left alone."""
    assert findings(front) == []


@pytest.mark.parametrize(
    ("body", "finding"),
    [
        ("/clear", "8: a prompt that starts with '/' is a command to the client"),
        (
            "Read this:\n@docs/a.md",
            "9: '@docs/a.md' is not sent as it stands where there is such a file: the client attaches it",
        ),
        ("Mail a@b.c about x/y and http://c.d/tmp/e.", None),
        ("Write to tmp/a, ./var/b and $HOME/c; run /bin/true, or ls /usr/lib.", None),
        (
            "Go to\n\n`/tmp/work`, please",
            "10: the replicas share /tmp/work: use relative paths, or run: {serial: true}",
        ),
        (
            r"Open C:\temp\a.txt",
            r"8: the replicas share C:\temp\a.txt: use relative paths, or run: {serial: true}",
        ),
        ("Do <TASK_NAME> now", "8: '<TASK_NAME>' looks like a text that was never filled in"),
        ("<TASK>now</TASK> <b> <Foo>", None),
    ],
)
def test_findings_in_the_prompt(body: str, finding: str | None) -> None:
    """Each has its line of the file."""
    assert findings(f"runs: 3\n{RUN}", body) == ([finding] if finding else [])


@pytest.mark.parametrize("front", [f"runs: 1\n{RUN}", f"runs: 3\nrun: {{serial: true}}\n{RUN}"])
def test_replicas_that_never_meet_share_no_path(front: str) -> None:
    """One alone, or one after the other."""
    assert findings(front, "Go to /tmp/work") == []


def test_a_fixture_names_its_model() -> None:
    """The client's own changes."""
    suite = parse_fixture(f"---\n{RUN}\n---\n# Prompt body\n\nHi\n", Path("a.fixture.md"))
    assert [each.text for each in lint_fixture(suite)] == [
        "no 'model' is named: the client's own changes from version to version"
    ]
