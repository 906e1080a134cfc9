"""Which variable of a suite a plain text of a log is the value of."""

from collections.abc import Mapping
from typing import Any

from judges.core.errors import ConfigError, Problem
from judges.files.problems import one_of
from judges.files.suite import PromptSuite
from judges.files.template import HISTORY, read_prompt
from scaffold.add_case.shapes import TextInput


def find_text_input(suite: PromptSuite, variable: str | None) -> TextInput:
    """Return what makes an input of a text: as the variable that is named, else the suite's only one.

    A prompt without variables is followed by a chat: then a text is a message of the user.
    """
    names = (variable,) if variable else _names(suite)

    def make(text: str) -> Mapping[str, Any]:
        if names == (HISTORY,):
            return {HISTORY: [{"role": "user", "content": text}]}
        if len(names) == 1:
            return {names[0]: text}
        among = one_of(names) if names else "any variable"
        message = f"a text of the log could be the value of {among}"
        raise ConfigError([Problem(message, hint="name it with --variable NAME")])

    return make


def _names(suite: PromptSuite) -> tuple[str, ...]:
    """Return the variables that the prompt mentions, or those that cases set where it cannot be asked."""
    mentioned = read_prompt(suite.target).variables if suite.target else None
    if mentioned is None:
        return tuple(dict.fromkeys(name for case in suite.cases for name in case.input))
    return mentioned or (HISTORY,)
