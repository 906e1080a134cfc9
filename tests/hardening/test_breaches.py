"""The checks of outputs find what they are made to find."""

from collections.abc import Callable, Iterator

import pytest
from hardening import breaches

HEADER = ["ref", "title"]
JUNIT = '<?xml version="1.0"?><testsuites name="n"><testsuite name="s">{}</testsuite></testsuites>'
TESTCASE = '<testcase name="n" classname="c">{}</testcase>'


@pytest.mark.parametrize(
    ("check", "clean", "broken"),
    [
        pytest.param(lambda text: breaches.terminal(text, 10), "ten wide..", "eleven wide", id="width"),
        pytest.param(breaches.terminal, "a::b", "x\n  ::error::b", id="a command after blanks"),
        pytest.param(breaches.terminal, "# [x]", "x ##[error]y", id="a command anywhere"),
        pytest.param(breaches.terminal, "[31m", "\x1b[31m", id="colour"),
        pytest.param(breaches.terminal, "abc", "a\x9bc", id="one-byte escape"),
        pytest.param(breaches.terminal, "abc", "a\u202ec", id="bidi"),
        pytest.param(breaches.terminal, "abc", "a\rc", id="carriage return"),
        pytest.param(breaches.terminal, "abc", "a\U000e0041c", id="tag characters"),
        pytest.param(
            breaches.progress,
            "1 of 2 done: 1 passed, about 3 s left\n",
            "1 of 2 done: 1 passed: PASS\n",
            id="progress",
        ),
        pytest.param(
            lambda text: breaches.json_lines(text.encode(), ["a"]),
            '{"ref": "a"}\n',
            '{"ref": "a"}\n{"ref": "a"}\n',
            id="one line more",
        ),
        pytest.param(
            lambda text: breaches.json_lines(text.encode(), ["a"]),
            '{"ref": "a"}\n',
            '{"ref": "b"}\n',
            id="ref",
        ),
        pytest.param(
            lambda text: breaches.csv_table(text, HEADER, ["a"]),
            'ref,title\r\na,"b,\nc"\r\n',
            "ref,title\r\na,b,c\r\n",
            id="one cell more",
        ),
        pytest.param(
            lambda text: breaches.csv_table(text, HEADER, ["a"]),
            "ref,title\r\na,'=1\r\n",
            "ref,title\r\na,=1\r\n",
            id="formula",
        ),
        pytest.param(
            lambda text: breaches.csv_table(text, HEADER, ["a"]),
            'ref,title\r\n"a\nb",c\r\n',
            "ref,title\r\na,b\r\nc,d\r\n",
            id="one row more",
        ),
        *(
            pytest.param(
                lambda text: breaches.junit(JUNIT.format(text), 1),
                TESTCASE.format("<failure>x</failure><system-out>y</system-out>"),
                bad,
                id=bad,
            )
            for bad in (
                2 * TESTCASE.format(""),
                TESTCASE.format("<system-out>y</system-out><failure>x</failure>"),
                TESTCASE.format("<testcase name='x' classname='c'/>"),
                TESTCASE.format("<failure onload='x'/>"),
                TESTCASE.format("<failure><![CDATA[x]]></failure>"),
                TESTCASE.format("<failure>&#x9b;</failure>"),
            )
        ),
        *(
            pytest.param(breaches.annotations, "::error file=a%3Ab,line=1,title=x::y%0A::z\n", bad, id=bad)
            for bad in (
                "::error title=x::y\n::add-mask::z\n",
                "::error title=x,onload=z::y\n",
                "::error line=x::y\n",
                "::stop-commands::token\n",
                "text\n",
                "::error title=x::y",
                "::error title=x::\x1b[2J\n",
            )
        ),
        *(
            pytest.param(lambda text: breaches.markdown(text, ["A"]), "# A\n\nx\n", f"# A\n\n{bad}\n", id=bad)
            for bad in (
                "# PASS",
                "```",
                "    code",
                "`x`",
                "<b>x</b>",
                "<script>",
                "[x](https://y)",
                "![x](y)",
                "*x*",
                "> x",
                "1. x",
                "~~x~~",
                "https://y",
                "www.y",
                "x\u2028y",
            )
        ),
    ],
)
def test_breaches(check: Callable[[str], Iterator[str]], clean: str, broken: str) -> None:
    """What is clean passes, what is broken is told."""
    assert list(check(clean)) == []
    assert list(check(broken)) != []
