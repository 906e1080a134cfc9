"""JavaScript rules and regular expressions."""

import time
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judges.check.javascript import check_syntax, js_regex, js_rule, js_search
from judges.core.errors import ConfigError, RunError

HOLDING = {
    "not empty": ("output.length > 0", "Hello", {}),
    "empty": ("output === ''", "", {}),
    "input": ("output.includes(input.name)", "Dear Ann", {"name": "Ann"}),
    "nested input": ("input.messages[0].role === 'user'", "", {"messages": [{"role": "user"}]}),
    "number and list": ("input.n + input.all.length === 5", "", {"n": 3, "all": [1, 2]}),
    "json": ("json.items.every(each => each.price >= 0)", '{"items": [{"price": 0}, {"price": 2}]}', {}),
    "json null": ("json === null", "null", {}),
    "not json": ("json === undefined", "Hello", {}),
    "fenced is not json": ("json === undefined", '```json\n{"a": 1}\n```', {}),
    "NaN is not json": ("json === undefined", "NaN", {}),
    "regular expression": (r"/^\p{Lu}\S+$/u.test(output)", "Ångström", {}),
    "sorting": ("[...json].sort()[0] === 'a'", '["b", "a"]', {}),
    "function": ("(() => { const words = output.split(' '); return words.length === 2 })()", "a b", {}),
    "several lines": ("output.length > 1 &&\n  // short\n  output.length < 9", "four", {}),
    "comment at the end": ("output.length > 0 // not empty", "a", {}),
    "semicolon at the end": ("output.length > 0;\n", "a", {}),
    "code in the output": ("output === '\"); throw 1; (\"'", '"); throw 1; ("', {}),
    "__proto__ in the output": ("({}).polluted === undefined", '{"__proto__": {"polluted": true}}', {}),
    "surrogate": ("output.length === 1", "\ud800", {}),
    "NUL": ("output.charCodeAt(1) === 0", "a\0b", {}),
}

FAULTS = {
    "throws": ("json.a.b", '{"a": null}', "the rule threw TypeError: cannot read property 'b' of null"),
    "not json": (
        "json.a === 1",
        "Hello",
        "the rule threw TypeError: cannot read property 'a' of undefined "
        "(the output is not JSON, so json is undefined)",
    ),
    "unknown name": ("Output.length > 0", "", "the rule threw ReferenceError: Output is not defined"),
    "throws a text": ("(() => { throw output })()", "Hello", "the rule threw Hello"),
    "throws nothing": ("(() => { throw null })()", "", "the rule threw null"),
    "throws something that cannot be shown": (
        "(() => { throw { toString() { throw 1 } } })()",
        "",
        "the rule threw a value that cannot be shown",
    ),
    "assigns": ("output.length = 0", "a", "the rule threw TypeError: 'length' is read-only"),
    "number": ("output.length", "Hello", "the rule must give true or false; it gave number 5"),
    "NaN": ("NaN", "", "the rule must give true or false; it gave number NaN"),
    "text": ("output", "Hello", 'the rule must give true or false; it gave string "Hello"'),
    "undefined": ("undefined", "", "the rule must give true or false; it gave undefined"),
    "null": ("output.match(/x/)", "", "the rule must give true or false; it gave null"),
    "array": ("output.match(/l+/)", "Hello", 'the rule must give true or false; it gave array ["ll"]'),
    "object": ("json", '{"a": 1}', 'the rule must give true or false; it gave object {"a":1}'),
    "boxed boolean": ("new Boolean(true)", "", "the rule must give true or false; it gave object true"),
    "big integer": ("10n", "", "the rule must give true or false; it gave bigint 10"),
    "symbol": ("Symbol('a')", "", "the rule must give true or false; it gave symbol Symbol(a)"),
    "function": ("() => true", "", "the rule must give true or false; it gave function () => true"),
    "promise": (
        "(async () => true)()",
        "",
        "the rule must give true or false; it gave promise [object Promise]",
    ),
    "endless": ("(() => { for (;;) {} })()", "", "the rule took more than 1 s and was stopped"),
    "endless error": (
        "(() => { throw { toString() { for (;;) {} } } })()",
        "",
        "the rule took more than 1 s and was stopped",
    ),
    "greedy": ("'a'.repeat(1e9) === output", "", "the rule used more than 64 MB and was stopped"),
    "deep json": (
        "json.length > 0",
        "[" * 99_999,
        "the rule threw RangeError: Maximum call stack size exceeded",
    ),
}

REFUSED = {
    "empty": ("  ", "it is empty"),
    "cut": ("output.length >", "unexpected token in expression: ')'"),
    "statement": ("const a = 1; a > 0", "unexpected token in expression: 'const'"),
    "return": ("return true", "unexpected token in expression: 'return'"),
    "parenthesis": ("output.includes('a'))", "expecting ';'"),
    "two expressions": ("true; false", "Unexpected token ';'"),
    "regular expression": ("/(/.test(output)", "expecting ')'"),
    "NUL": ("'\0' === output", "it holds a NUL character or half of a surrogate pair"),
}

MATCHES: dict[str, tuple[str, bool, str, bool]] = {
    "plain": ("b+", True, "abbc", True),
    "none": ("^b", True, "abbc", False),
    "case counts": ("status", True, "STATUS: OK", False),
    "case does not count": ("status", False, "STATUS: OK", True),
    "JavaScript's empty class": ("[]", True, "a", False),
    "JavaScript's group names": (r"(?<word>a)\k<word>", True, "aa", True),
    "end is the end": ("a$", True, "a\n", False),
    "dot is no line end": ("^.$", True, "\u2028", False),
    "look-behind": ("(?<=€)12", True, "€12", True),
    "quotes and slashes": ('"path":"/etc/', True, '{"path":"/etc/passwd"}', True),
    "surrogate": ("\ud800", True, "a\ud800", True),
    "NUL": ("a\0b", True, "a\0b", True),
}


@pytest.mark.parametrize(("rule", "output", "variables"), HOLDING.values(), ids=HOLDING)
def test_a_rule_holds(rule: str, output: str, variables: dict[str, Any]) -> None:
    """A rule sees the output, the input and the parsed output as JavaScript values."""
    assert js_rule(rule)(output, variables) is True
    assert js_rule(f"!({rule.rstrip().rstrip(';')}\n)")(output, variables) is False


@pytest.mark.parametrize(("rule", "output", "message"), FAULTS.values(), ids=FAULTS)
def test_a_rule_that_cannot_tell_says_why(rule: str, output: str, message: str) -> None:
    """A throw, a value that is no boolean and a broken limit are errors, neither true nor false."""
    evaluate = js_rule(rule)
    with pytest.raises(RunError) as caught:
        evaluate(output, {})
    assert str(caught.value) == message


@pytest.mark.parametrize(("rule", "complaint"), REFUSED.values(), ids=REFUSED)
def test_a_wrong_rule_is_refused_before_it_runs(rule: str, complaint: str) -> None:
    """What is not one expression is found when the rule is read."""
    assert check_syntax(rule) == complaint
    with pytest.raises(ConfigError) as caught:
        js_rule(rule)
    (problem,) = caught.value.problems
    assert problem.message == f"is not a JavaScript expression: {complaint}"
    assert problem.hint == "write one expression, such as output.length > 0"


@given(st.text(), st.dictionaries(st.text(), st.none() | st.booleans() | st.text() | st.integers(-9, 9)))
def test_a_rule_gives_the_same_whatever_ran_before(output: str, variables: dict[str, Any]) -> None:
    """The result depends on the output and the input alone."""
    count = js_rule("(globalThis.count = (globalThis.count || 0) + 1) === 1")
    same = js_rule("Object.keys(input).length === input.size && output === input.copy")
    with pytest.raises(RunError, match="object is not extensible"):
        count(output, variables)
    extended = {**variables, "copy": output}
    assert same(output, {**extended, "size": len(extended | {"size": 0})}) is True


@pytest.mark.parametrize(("pattern", "case_sensitive", "text", "expected"), MATCHES.values(), ids=MATCHES)
def test_a_pattern_matches_as_in_javascript(
    pattern: str, case_sensitive: bool, text: str, expected: bool
) -> None:
    """Patterns are those of JavaScript, not of Python."""
    assert js_regex(pattern, case_sensitive=case_sensitive)(text) is expected


@pytest.mark.parametrize(
    ("pattern", "message"),
    [
        ("(", "expecting ')'"),
        ("(?P<a>b)", "invalid group"),
        ("a**", "nothing to repeat"),
        ("[b-a]", "invalid class range"),
    ],
)
def test_a_wrong_pattern_is_refused(pattern: str, message: str) -> None:
    """An invalid pattern is found when it is read."""
    with pytest.raises(ConfigError) as caught:
        js_regex(pattern)
    (problem,) = caught.value.problems
    assert problem.message == f"is not a JavaScript regular expression: {message}"


SEARCHES = {
    "first match": ("b+", "abbcb", "abbcb"),
    "none": ("x", "abc", None),
    "nothing in nothing": ("^$", "", ""),
    "cut before": ("b", "a" * 41 + "b", "…" + "a" * 40 + "b"),
    "not cut before": ("b", "a" * 40 + "b", "a" * 40 + "b"),
    "cut after": ("b", "b" + "a" * 161, "b" + "a" * 160 + "…"),
    "not cut after": ("b", "b" + "a" * 160, "b" + "a" * 160),
    "a long match": ("b+", "b" * 2000, "b" * 1160 + "…"),
    "beyond the basic plane": ("b", "🎉" * 41 + "b" + "🎉" * 81, "…" + "🎉" * 20 + "b" + "🎉" * 80 + "…"),
    "half of a pair at the cut": ("b", "🎉" + "a" * 39 + "b", "…\ufffd" + "a" * 39 + "b"),
    "half of a pair, and NUL": ("b", "\ud800\0b", "\ufffd\0b"),
    "look-behind": ("(?<=€)12", "€12", "€12"),
}


@pytest.mark.parametrize(("pattern", "text", "expected"), SEARCHES.values(), ids=SEARCHES)
def test_a_search_shows_the_match_and_what_is_around_it(
    pattern: str, text: str, expected: str | None
) -> None:
    """The first match is shown with 40 UTF-16 units before it and 160 after, as well-formed text."""
    assert js_search(pattern)(text) == expected


def test_a_search_takes_a_large_text() -> None:
    """A match at the end of 16 MB is found, whatever the characters."""
    for start, char, count in (("", "x", 15_999_999), ("", "가", 5_333_333), ("🎉", "x", 15_999_995)):
        assert js_search("q$")(start + char * count + "q") == "…" + char * 40 + "q"


@pytest.mark.parametrize("build", [js_regex, js_search])
def test_a_text_that_does_not_fit_is_an_error(build: Callable[[str], Callable[[str], object]]) -> None:
    """A text that takes more than the engine's memory is not taken for another one."""
    for text in ("가" * 33_000_000, "\ud800" + "가" * 20_000_000):
        with pytest.raises(RunError, match=r"^the pattern used more than 64 MB and was stopped$"):
            build("undefined")(text)


def test_a_search_without_capitals() -> None:
    """Capitals matter unless it is said that they do not."""
    assert js_search("ok")("OK") is None
    assert js_search("ok", case_sensitive=False)("OK") == "OK"
    with pytest.raises(ConfigError):
        js_search("(")


@pytest.mark.parametrize("build", [js_regex, js_search])
def test_a_catastrophic_pattern_is_stopped(build: Callable[[str], Callable[[str], object]]) -> None:
    """A pattern that would run for ages is an error after a second."""
    matches = build("^(a|aa)+$")
    assert matches("aaa") in (True, "aaa")
    with pytest.raises(RunError, match=r"^the pattern took more than 1 s and was stopped$"):
        matches("a" * 60 + "b")


@given(
    st.recursive(
        st.sampled_from(["a", "b", ".", "a?"]),
        lambda inner: st.builds(
            "({}){}".format, st.lists(inner, max_size=3).map("|".join), st.sampled_from("+*?")
        ),
        max_leaves=6,
    ),
    st.text("ab", max_size=40),
)
@settings(max_examples=25)
def test_no_pattern_hangs(pattern: str, text: str) -> None:
    """Whatever the pattern, a match, no match or an error comes within a few seconds."""
    started = time.thread_time()
    try:
        assert js_regex(pattern)(text) in (True, False)
    except RunError as error:
        assert str(error) == "the pattern took more than 1 s and was stopped"
    assert time.thread_time() - started < 5
