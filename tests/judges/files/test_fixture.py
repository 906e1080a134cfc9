"""Fixtures: front matter, body, and the files that they name."""

from pathlib import Path
from textwrap import dedent

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from judges.core.errors import ConfigError
from judges.core.session import Isolation
from judges.files.fixture import FixtureSuite, load_fixture, parse_fixture
from judges.files.fixture_meta import PermissionMode

FRONT = "pass_conditions: {run: {must_succeed: true}}\n"
TEXT = f"---\n{FRONT}---\n# Prompt body\n\nSay hi.\n"
PATH = Path("tests/smoke.fixture.md")


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project root with a folder of tests, as the working directory."""
    (tmp_path / ".omniscitus").mkdir()
    (tmp_path / "tests").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def parse(text: str) -> FixtureSuite:
    return parse_fixture(dedent(text).lstrip("\n"), PATH)


def test_the_least_that_a_fixture_needs(project: Path) -> None:
    """A condition and a prompt; everything else has a default."""
    PATH.write_text(TEXT)
    suite = load_fixture(PATH)
    assert (suite.name, suite.path, suite.root, suite.body) == ("smoke", PATH, project, "Say hi.\n")
    assert (suite.append_system_prompt, suite.workspace, suite.plugin_dirs, suite.notices) == (
        "",
        None,
        (),
        (),
    )
    meta = suite.meta
    assert (meta.runs, meta.quorum, meta.timeout_seconds, meta.model, meta.tools) == (
        1,
        "majority",
        120,
        None,
        "",
    )
    assert (meta.isolation, meta.permission_mode) == (Isolation.SEALED, PermissionMode.DEFAULT)
    assert not meta.run.serial


def test_all_that_a_fixture_can_say(project: Path) -> None:
    """Paths start at the project root and are resolved."""
    (project / "agents").mkdir()
    (project / "agents/a.md").write_bytes(b"Be\r\nbrief.\n")
    for folder in ("repo", "plugin"):
        (project / folder).mkdir()
    suite = parse(
        """
        ---
        name: My fixture
        description: It probes.
        model: claude-haiku-4-5
        timeout_seconds: 1.5
        permission_mode: plan
        allowed_tools: [Read, "Bash(git log:*)"]
        append_system_prompt_file: agents/a.md
        runs: 3
        quorum: 2
        run: {serial: true}
        isolation: project
        workspace: repo
        setting_sources: [project, local]
        plugin_dirs: [plugin]
        x-owner: me
        pass_conditions: {run: {must_succeed: true}}
        ---
        # Prompt body
        Say hi.
        """
    )
    assert (suite.name, suite.meta.tools, suite.body) == ("My fixture", "Read Bash(git log:*)", "Say hi.\n")
    assert suite.append_system_prompt == "Be\nbrief.\n"
    assert (suite.workspace, suite.plugin_dirs) == (project / "repo", (project / "plugin",))
    assert (suite.meta.run.serial, suite.meta.setting_sources) == (True, ("project", "local"))


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(TEXT.encode(), id="LF"),
        pytest.param(TEXT.replace("\n", "\r\n").encode(), id="CRLF"),
        pytest.param(b"\xef\xbb\xbf" + TEXT.encode(), id="BOM"),
        pytest.param(b"\xef\xbb\xbf" + TEXT.replace("\n", "\r\n").encode(), id="BOM and CRLF"),
        pytest.param(TEXT.replace("---\n", "--- \t\n").encode(), id="blanks behind the lines"),
        pytest.param(TEXT.replace("body\n", "body  \n").encode(), id="blanks behind the heading"),
        pytest.param(TEXT.replace("body\n\n", "body\n \t\n").encode(), id="blanks in the blank line"),
        pytest.param(TEXT.replace("body\n\n", "body\n").encode(), id="no blank line"),
        pytest.param(TEXT.replace("---\n# P", "---\n\n\n# P").encode(), id="blank lines before the heading"),
    ],
)
def test_every_way_to_write_the_same_text_gives_the_same_fixture(data: bytes) -> None:
    """Line ends, a byte order mark and blanks nobody sees change neither the prompt nor the digest."""
    PATH.write_bytes(data)
    suite = load_fixture(PATH)
    assert (suite.body, suite.text_sha256) == ("Say hi.\n", parse(TEXT).text_sha256)


@pytest.mark.parametrize(
    ("after", "body", "line"),
    [
        pytest.param("# Prompt body\nHi", "Hi", 5, id="no newline at the end"),
        pytest.param("# Prompt body\n\n\n  Hi\n\n", "\n  Hi\n\n", 6, id="only one blank line is left out"),
        pytest.param(
            "# Prompt body\n\n# Prompt body\n---\n", "# Prompt body\n---\n", 6, id="the first counts"
        ),
        pytest.param("# Prompt bodyguard\n# Prompt body\nHi", "Hi", 6, id="not every heading"),
        pytest.param("# Prompt body\n/tmp \\n {x} <b>\t\x1b", "/tmp \\n {x} <b>\t\x1b", 5, id="literal"),
    ],
)
def test_the_body_is_all_after_the_first_heading(after: str, body: str, line: int) -> None:
    """Word for word, and it is known where it starts."""
    suite = parse_fixture(f"---\n{FRONT}---\n{after}", PATH)
    assert (suite.body, suite.body_line) == (body, line)


def test_what_is_not_sent_is_said() -> None:
    """Text between front matter and heading is a notice, not a part of the prompt."""
    suite = parse_fixture(f"---\n{FRONT}---\nMy notes.\n\n# Prompt body\n\nHi", PATH)
    assert suite.body == "Hi"
    assert [notice.text for notice in suite.notices] == [
        "what stands between the front matter and '# Prompt body' is not sent"
    ]


@pytest.mark.parametrize(
    "changed",
    [
        TEXT.replace("hi", "ho"),
        TEXT.replace("true", "true, max_parse_errors: 0"),
        TEXT.replace("---\n", "---\nruns: 2\n", 1),
        TEXT.replace("---\n", "---\nappend_system_prompt: Be brief.\n", 1),
    ],
)
def test_the_digest_is_of_all_that_is_said(changed: str) -> None:
    """Another prompt, condition, setting or system prompt is another fixture; a comment is not."""
    assert parse(changed).text_sha256 != parse(TEXT).text_sha256
    assert parse(TEXT.replace("---\n", "---\n# a comment\n", 1)).text_sha256 == parse(TEXT).text_sha256


def test_the_digest_is_of_the_text_of_a_file_too(project: Path) -> None:
    """A system prompt that changes in its file changes the digest."""
    text = TEXT.replace("---\n", "---\nappend_system_prompt_file: a.md\n", 1)
    digests = set()
    for prompt in ("one", "two"):
        (project / "a.md").write_text(prompt)
        digests.add(parse(text).text_sha256)
    assert len(digests) == 2


BAD = {
    "empty": ("", ["1:1: there is no front matter"]),
    "no front matter": ("# Prompt body\n\nHi\n", ["1:1: there is no front matter"]),
    "text first": (f"\n{TEXT}x", ["1:1: there is no front matter"]),
    "open": (f"---\n{FRONT}# Prompt body\n", ["1:1: the front matter does not end"]),
    "empty front matter": (
        "---\n---\n# Prompt body\nHi",
        ["2:1: expected a mapping, found nothing"],
    ),
    "no mapping": ("---\n- a\n---\n# Prompt body\nHi", ["2:1: expected a mapping, found a list"]),
    "no conditions": ("---\nname: a\n---\n# Prompt body\nHi", ["2:1: pass_conditions: the key is missing"]),
    "no heading": (f"---\n{FRONT}---\nHi\n", ["5:1: there is no heading '# Prompt body'"]),
    "another heading": (f"---\n{FRONT}---\n## Prompt body\nHi", ["5:3: there is no heading '# Prompt body'"]),
    "no prompt": (f"---\n{FRONT}---\n\n# Prompt body\n\n \n", ["5:1: the prompt is empty"]),
    "unfilled": (
        f"---\n{FRONT}---\n# Prompt body\n\nDo <<<task>>> for\n  <PLACEHOLDER>\n",
        [
            "6:4: the prompt holds '<<<', the mark of a text that was never filled in",
            "7:3: the prompt holds '<PLACEHOLDER>', the mark of a text that was never filled in",
        ],
    ),
    "no YAML": (f"---\na: [\n{FRONT}---\n# Prompt body\nHi", ["4:1: not valid YAML"]),
    "twice": (
        f"---\nruns: 1\nruns: 2\n{FRONT}---\n# Prompt body\nHi",
        ["3:1: the key 'runs' is given twice, first at line 2, column 1"],
    ),
    "typo": (
        f"---\nmodle: m\n{FRONT}---\n# Prompt body\nHi",
        ["2:1: modle: unknown key (did you mean 'model'?)"],
    ),
    "runs 0": (f"---\nruns: 0\n{FRONT}---\n# Prompt body\nHi", ["2:7: runs: must be at least 1, found 0"]),
    "runs 1.5": (
        f"---\nruns: 1.5\n{FRONT}---\n# Prompt body\nHi",
        ["2:7: runs: expected a whole number, found 1.5"],
    ),
    "quorum 5": (
        f"---\nquorum: 5\nruns: 3\n{FRONT}---\n# Prompt body\nHi",
        ["2:9: quorum: a quorum of 5 cannot be reached with runs: 3"],
    ),
    "quorum of the default": (
        f"---\nquorum: 2\n{FRONT}---\n# Prompt body\nHi",
        ["2:9: quorum: a quorum of 2 cannot be reached with runs: 1"],
    ),
    "quorum most": (
        f"---\nquorum: most\n{FRONT}---\n# Prompt body\nHi",
        ["2:9: quorum: expected all or majority, found 'most'"],
    ),
    "mode": (
        f"---\npermission_mode: acceptedits\n{FRONT}---\n# Prompt body\nHi",
        ["2:18: permission_mode: expected bypassPermissions, default, acceptEdits or plan, found 'accepted"],
    ),
    "timeout": (
        f"---\ntimeout_seconds: 0\n{FRONT}---\n# Prompt body\nHi",
        ["2:18: timeout_seconds: must be more than 0, found 0"],
    ),
    "two prompts": (
        f"---\nappend_system_prompt: a\nappend_system_prompt_file: b\n{FRONT}---\n# Prompt body\nHi",
        ["3:28: append_system_prompt_file: 'append_system_prompt' gives the text already"],
    ),
    "sealed settings": (
        f"---\nsetting_sources: [user]\nplugin_dirs: [p]\n{FRONT}---\n# Prompt body\nHi",
        [
            "2:18: setting_sources: a sealed session has no settings and no plugins: use isolation: project",
            "3:14: plugin_dirs: a sealed session has no settings and no plugins: use isolation: project",
        ],
    ),
    "no such files": (
        "---\nappend_system_prompt_file: a.md\nworkspace: w\nisolation: host\nplugin_dirs: [., q]\n"
        f"{FRONT}---\n# Prompt body\nHi",
        [
            "2:28: append_system_prompt_file: a.md: does not exist",
            "3:12: workspace: w: is not a folder",
            "5:18: plugin_dirs[1]: q: is not a folder",
        ],
    ),
    "outside": (
        f"---\nworkspace: ..\n{FRONT}---\n# Prompt body\nHi",
        ["2:12: workspace: '..' leaves the project root"],
    ),
    "all at once": (
        "---\nmodle: m\nquorum: 9\nruns: many\nworkspace: w\nplugin_dirs: [p]\npass_conditions: {}\n---\n"
        "<<<\n# Prompt body\n\n<<<\n",
        [
            "2:1: modle: unknown key",
            "4:7: runs: expected a whole number, found 'many'",
            "5:12: workspace: w: is not a folder",
            "6:14: plugin_dirs: a sealed session has no settings",
            "7:18: pass_conditions: there is no condition",
            "12:1: the prompt holds '<<<'",
        ],
    ),
}


@pytest.mark.parametrize("newline", ["\n", "\r\n"], ids=["LF", "CRLF"])
@pytest.mark.parametrize(("text", "messages"), BAD.values(), ids=BAD)
def test_mistakes_are_told_at_their_line_and_column_of_the_file(
    text: str, messages: list[str], newline: str
) -> None:
    """All at once, whatever the line ends are."""
    with pytest.raises(ConfigError) as caught:
        parse_fixture(text.replace("\n", newline), PATH)
    found = [str(problem).removeprefix(f"{PATH}:") for problem in caught.value.problems]
    assert len(found) == len(messages), found
    assert all(map(str.startswith, found, messages)), found


def test_files_outside_can_be_allowed(project: Path) -> None:
    """Then they are used as they are."""
    text = TEXT.replace("---\n", "---\nworkspace: ..\n", 1)
    assert parse_fixture(text, PATH, allow_outside=True).workspace == project / ".."


def test_a_fixture_outside_any_project_has_its_folder_as_root(tmp_path: Path) -> None:
    """Its paths start there."""
    (tmp_path / ".omniscitus").rmdir()
    (tmp_path / "tests/w").mkdir()
    PATH.write_text(TEXT.replace("---\n", "---\nworkspace: w\n", 1))
    suite = load_fixture(PATH)
    assert (suite.root, suite.workspace) == (Path("tests"), Path("tests/w"))


def test_a_missing_file_is_said() -> None:
    """There is nothing to read."""
    with pytest.raises(ConfigError, match=r"tests/no\.fixture\.md: does not exist"):
        load_fixture(Path("tests/no.fixture.md"))


@given(st.text() | st.builds("---\n{}\n---\n# Prompt body\n{}".format, st.text(), st.text()))
@example("---\n---\n---\n# Prompt body\n# Prompt body")
@example("---\n? {a: b}\n---\n# Prompt body\nx")
@example("---\npass_conditions: &a {run: *a}\n---\n# Prompt body\nx")
@example('---\nworkspace: "\\0"\npass_conditions: {run: {must_succeed: true}}\n---\n# Prompt body\nx')
def test_any_text_is_a_fixture_or_refused(text: str) -> None:
    """Nothing but a ConfigError is ever raised."""
    try:
        assert parse_fixture(text, PATH).body.strip()
    except ConfigError as error:
        assert error.problems


KEYS = st.sampled_from(
    [
        *(
            "name",
            "model",
            "runs",
            "quorum",
            "run",
            "isolation",
            "workspace",
            "setting_sources",
            "plugin_dirs",
        ),
        *("timeout_seconds", "allowed_tools", "append_system_prompt", "append_system_prompt_file"),
        *(
            "pass_conditions",
            "views",
            "tool_calls",
            "result",
            "semantic",
            "must_match",
            "must_succeed",
            "Bash",
        ),
    ]
)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | KEYS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=12,
)


@given(st.dictionaries(KEYS, VALUES))
def test_any_values_are_a_fixture_or_refused(front: dict[str, object]) -> None:
    """Whatever the keys hold, nothing but a ConfigError is raised."""
    import yaml

    text = f"---\n{yaml.safe_dump(front)}\n---\n# Prompt body\nx"
    try:
        parse_fixture(text, PATH)
    except ConfigError as error:
        assert error.problems


REAL = {
    "smoke-echo": "You are a smoke-test target for an LLM harness. Follow these steps EXACTLY:\n",
    "delivery-agent-C1-preamble": "Set up the working repository for this run:\n",
    "delivery-agent-C3-trivial-collapse": "Set up the working repository for this run:\n",
    "delivery-agent-C5-bidir-deps": "Set up the working repository for this run:\n",
    "delivery-agent-C8-pre-commit-headers": "You are a harness. Follow these steps EXACTLY:\n",
    "delivery-agent-C10-status-block": "You are a harness. Follow these steps EXACTLY:\n",
}


@pytest.mark.reference
@pytest.mark.parametrize(("name", "first"), REAL.items())
def test_fixtures_of_the_original_are_read(
    reference_data: Path, project: Path, name: str, first: str
) -> None:
    """Each of them, with the file that some name."""
    (project / "plugins/planning-suite/agents").mkdir(parents=True)
    (project / "plugins/planning-suite/agents/delivery-agent.md").write_text("You deliver.")
    file = reference_data.parent / "conformance" / "harness" / f"{name}.fixture.md"
    suite = load_fixture(file, root=project)
    assert (suite.name, suite.body.startswith(first)) == (name, True)
    assert suite.append_system_prompt in ("", "You deliver.")
