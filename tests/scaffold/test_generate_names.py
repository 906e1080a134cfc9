import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judges.core.errors import ConfigError
from scaffold.generate.names import check_name, suggest_name


@pytest.mark.parametrize("name", ["support", "Support-Reply_2", "4o", "a" * 100, "console", "null"])
def test_a_plain_folder_name_is_taken_as_it_is(name: str) -> None:
    """Letters, digits, hyphens and underscores need no change."""
    assert check_name(name) == name


@pytest.mark.parametrize(
    ("name", "suggestion"),
    [
        ("", "my-prompt"),
        ("..", "my-prompt"),
        ("../escape", "escape"),
        ("/etc/passwd", "etc-passwd"),
        ("C:\\temp", "c-temp"),
        ("a/b", "a-b"),
        ("a\\b", "a-b"),
        (".hidden", "hidden"),
        ("-option", "option"),
        ("_private", "private"),
        ("with space", "with-space"),
        ("nul\0byte", "nul-byte"),
        ("line\nbreak", "line-break"),
        ("Überprüfung", "uberprufung"),
        ("日本語", "ri-ben-yu"),
        ("Grüße", "grusse"),
        ("…", "my-prompt"),
        ("v1.2", "v1-2"),
        ("{{ cookiecutter }}", "cookiecutter"),
        ("NUL", "nul-prompt"),
        ("com1", "com1-prompt"),
        ("x" * 101, "x" * 100),
    ],
)
def test_every_other_name_is_refused_with_a_suggestion(name: str, suggestion: str) -> None:
    """A name that could leave the folder, or be no folder at all, is refused; the suggestion is allowed."""
    with pytest.raises(ConfigError, match=re.escape(f"(try: {suggestion})")):
        check_name(name)
    assert check_name(suggestion) == suggestion


@given(st.text())
def test_a_suggestion_is_always_allowed(text: str) -> None:
    """Whatever somebody typed, the suggested name passes."""
    assert check_name(suggest_name(text))
