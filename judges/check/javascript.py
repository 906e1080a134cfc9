"""JavaScript rules over an output, and JavaScript regular expressions.

A rule is one expression over `output` (text), `input` (the case's input) and `json`: the parsed output, or
`undefined` where the output is not JSON. Values reach the engine as JSON, never as part of the code.
"""

import json
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from judges.check import engine
from judges.core.errors import ConfigError, Problem, RunError
from judges.core.row import excerpt

Rule: TypeAlias = Callable[[str, Mapping[str, Any]], bool]
Matcher: TypeAlias = Callable[[str], bool]
Search: TypeAlias = Callable[[str], str | None]

_RULE_HEAD = """
"use strict";
((rule) => (request) => {
  const { output, input, parse } = JSON.parse(request);
  let json, value, notJson = false, threw = false;
  try {
    if (parse) {
      try { json = JSON.parse(output); } catch (error) {
        if (!(error instanceof SyntaxError)) throw error;
        notJson = true;
      }
    }
    value = rule(output, input, json);
    if (typeof value === "boolean") return value;
  } catch (error) {
    if (error instanceof InternalError) throw error;
    threw = true;
    value = error;
  }
  const type = value === null ? "null" : Array.isArray(value) ? "array"
    : value instanceof Promise ? "promise" : typeof value;
  let text = "";
  try {
    text = threw || !["object", "array", "string"].includes(type) ? String(value) : JSON.stringify(value);
  } catch {}
  return JSON.stringify([threw, type, text, notJson]);
})((output, input, json) => (
"""
_RULE_TAIL = "\n))"
_SYNTAX_ERROR = "SyntaxError: "

_READ = """
  const { pattern, flags, text = whole } = JSON.parse(request);
  if (typeof text !== "string") throw new InternalError("out of memory");
"""
_MATCH = f"""
"use strict";
(request, whole) => {{{_READ}
  return new RegExp(pattern, flags).test(text);
}}
"""
_BEFORE, _AFTER, _LONGEST_MATCH = 40, 160, 1000  # in UTF-16 units, as the engine counts
_SEARCH = f"""
"use strict";
(request, whole) => {{{_READ}
  const found = new RegExp(pattern, flags).exec(text);
  if (found === null) return "null";
  const from = Math.max(found.index - {_BEFORE}, 0);
  const to = Math.min(found.index + Math.min(found[0].length, {_LONGEST_MATCH}) + {_AFTER}, text.length);
  const shown = text.slice(from, to).toWellFormed();
  return JSON.stringify((from > 0 ? "…" : "") + shown + (to < text.length ? "…" : ""));
}}
"""


def check_syntax(rule: str) -> str | None:
    """Return why the rule is not one JavaScript expression, or None. The rule is not run."""
    if not rule.strip():
        return "it is empty"
    complaint = engine.find_syntax_error(_source(rule))
    return complaint and complaint.removeprefix(_SYNTAX_ERROR)


def js_rule(rule: str) -> Rule:
    """Return the rule as a function of output and input, safe to use from several threads.

    It raises RunError when the rule throws, gives no boolean, or takes too much time or memory.

    Raises:
        ConfigError: the rule is not one JavaScript expression.
    """
    if complaint := check_syntax(rule):
        hint = "write one expression, such as output.length > 0"
        raise ConfigError([Problem(f"is not a JavaScript expression: {complaint}", hint=hint)])
    source, parse = _source(rule), "json" in rule

    def evaluate(output: str, variables: Mapping[str, Any]) -> bool:
        try:
            result = engine.call(source, {"output": output, "input": dict(variables), "parse": parse})
        except RunError as error:
            raise RunError(f"the rule {error}") from None
        if isinstance(result, bool):
            return result
        raise RunError(_complaint(*json.loads(result)))

    return evaluate


def js_regex(pattern: str, *, case_sensitive: bool = True) -> Matcher:
    """Return a function that says whether a text holds a match of `RegExp(pattern)`.

    It raises RunError when matching takes too much time or memory. Safe to use from several threads.

    Raises:
        ConfigError: the pattern is not a JavaScript regular expression.
    """
    match = _compile(_MATCH, pattern, case_sensitive)
    return lambda text: match(text) is True


def js_search(pattern: str, *, case_sensitive: bool = True) -> Search:
    """Return a function that gives the first match of `RegExp(pattern)` with what is around it, or None.

    That is 40 characters before it, the match and 160 after it, with an ellipsis where the text was cut. Of a
    match of more than 1,000 characters the start is shown. It raises RunError when matching takes too much
    time or memory. Safe to use from several threads.

    Raises:
        ConfigError: the pattern is not a JavaScript regular expression.
    """
    search = _compile(_SEARCH, pattern, case_sensitive)

    def find(text: str) -> str | None:
        found: str | None = json.loads(str(search(text)))
        return found

    return find


def _compile(source: str, pattern: str, case_sensitive: bool) -> Callable[[str], bool | str]:
    request = {"pattern": pattern, "flags": "" if case_sensitive else "i"}

    def call(text: str) -> bool | str:
        try:
            if engine.is_well_formed(text):
                return engine.call(source, request, text)
            return engine.call(source, {**request, "text": text})
        except RunError as error:
            raise RunError(f"the pattern {error}") from None

    try:
        call("")
    except RunError as error:
        message = str(error).removeprefix("the pattern ").removeprefix(_SYNTAX_ERROR)
        raise ConfigError([Problem(f"is not a JavaScript regular expression: {message}")]) from None
    return call


def _source(rule: str) -> str:
    return _RULE_HEAD + rule.rstrip("; \t\r\n") + _RULE_TAIL


def _complaint(threw: bool, kind: str, text: str, not_json: bool) -> str:
    text = excerpt(text)
    if threw:
        hint = " (the output is not JSON, so json is undefined)" if not_json else ""
        return f"the rule threw {text or 'a value that cannot be shown'}{hint}"
    shown = kind if text in (kind, "") else f"{kind} {text}"
    return f"the rule must give true or false; it gave {shown}"
