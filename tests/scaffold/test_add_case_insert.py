import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judges.core.errors import ConfigError
from judges.files.yaml import parse_yaml
from scaffold.add_case.insert import insert_cases

NEW: list[dict[str, Any]] = [{"title": "New", "input": {"name": "Bea"}}]
BLOCK = "- title: New\n  input:\n    name: Bea\n"


def block(indent: int) -> str:
    return re.sub("^", " " * indent, BLOCK, flags=re.MULTILINE).rstrip(" ")


@pytest.mark.parametrize(
    ("before", "after", "indent"),
    [
        pytest.param("cases:\n  items:\n    - title: A\n", "", 4, id="at the end of the file"),
        pytest.param("cases:\n  items:\n    - title: A\n", "checks: []\n", 4, id="before a section"),
        pytest.param("cases:\n  items:\n    - title: A\n", "  source: inline\n", 4, id="before a key"),
        pytest.param("cases:\n  items:\n  - title: A\n", "  source: inline\n", 2, id="not indented"),
        pytest.param("cases:\n- title: A\n", "checks: []\n", 0, id="the older list"),
        pytest.param("cases:\n      - {title: A}\n", "", 6, id="flow items, indented far"),
        pytest.param(
            "cases:\n  items:\n    - title: A  # one\n      # about A\n",
            "\n# --- Overrides (optional) ---\n# overrides:\n#   source: x\n",
            4,
            id="comments of the case, and of what follows",
        ),
        pytest.param("cases:\n  items:\n    - title: A\n", "    # - title: B\n\n", 4, id="a case left out"),
        pytest.param("cases:\n  items:\n    - title: A\n", "\n\n\n", 4, id="blank lines at the end"),
        pytest.param("cases:\n  items:\n    - title: A\n", "...\n", 4, id="an end of document"),
        pytest.param(
            "cases:\n  items:\n    - title: A\n      output: |\n        # no comment\n\n        x\n",
            "\ncriteria: []\n",
            4,
            id="a text of several lines at the end",
        ),
        pytest.param(
            "cases:\n  items:\n    - title: A\n      output: >-\n        x\n        y\n",
            "",
            4,
            id="a folded text",
        ),
        pytest.param(
            'cases:\n  items:\n    - title: A\n      output: "x\n        # y"\n', "", 4, id="a quoted text"
        ),
        pytest.param(
            "cases:\n  items:\n    - title: A\n      input: {a: [1,\n        2\n      ]}\n",
            "# end\n",
            4,
            id="brackets over several lines",
        ),
        pytest.param(
            "a: &x {title: A}\ncases:\n  items:\n    - *x\n", "b: 1\n", 4, id="an alias as the last"
        ),
        pytest.param('cases:\n  items:\n    - title: "Ä\u2028 é 🙂"\n', "b: ü\n", 4, id="beyond ASCII"),
    ],
)
def test_append(before: str, after: str, indent: int) -> None:
    """The cases stand after the last one, at its indentation; every byte around them is as it was."""
    assert insert_cases(before + after, "f", NEW) == before + block(indent) + after


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        pytest.param("cases: []\nb: 1\n", f"cases:\n{block(2)}b: 1\n", id="the older list"),
        pytest.param("cases: []", f"cases:\n{block(2)}", id="without a line end"),
        pytest.param(
            "cases:\n  items: []  # none yet\n  source: inline\n",
            f"cases:\n  items:  # none yet\n{block(4)}  source: inline\n",
            id="with a comment",
        ),
        pytest.param("cases:\n  items: [\n  ]\n", f"cases:\n  items:\n{block(4)}", id="over two lines"),
        pytest.param(
            "cases:\n  source: inline\nb: 1\n",
            f"cases:\n  source: inline\n  items:\n{block(4)}b: 1\n",
            id="no list yet",
        ),
        pytest.param(
            "cases:\n  items:\n    - title: A",
            f"cases:\n  items:\n    - title: A\n{block(4)}",
            id="a last line without an end",
        ),
        pytest.param(
            "cases:\r\n  items:\r\n    - title: A\r\nb: 1\r\n",
            "cases:\r\n  items:\r\n    - title: A\r\n" + block(4).replace("\n", "\r\n") + "b: 1\r\n",
            id="line ends of Windows",
        ),
    ],
)
def test_other_places(text: str, whole: str) -> None:
    """Where there is no case yet, a list is started; line ends are those of the file."""
    assert insert_cases(text, "f", NEW) == whole


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("cases: [{title: A}]\n", id="in brackets"),
        pytest.param("cases: {items: []}\n", id="an empty list in braces"),
        pytest.param("cases: {source: inline}\n", id="in braces"),
        pytest.param("{cases: [], b: 1}\n", id="a whole file in braces"),
        pytest.param(
            "cases:\n  items:\n    - title: A\n      output: |\n        x", id="a text that would grow"
        ),
        pytest.param(
            "cases:\n  items:\n    - title: A\n      output: |+\n        x\n\n", id="a text with its end"
        ),
        pytest.param("a: &x [{title: A}]\ncases: *x\n", id="a list from elsewhere"),
        pytest.param("a: &x []\ncases:\n  items: *x\n", id="an empty list from elsewhere"),
        pytest.param("cases: &x\n  - title: A\nb: *x\n", id="a list that is used elsewhere"),
        pytest.param("base: &b\n  cases: []\n<<: *b\n", id="a merged key"),
    ],
)
def test_refused(text: str) -> None:
    """Where the cases cannot be added without changing something else, nothing is done."""
    with pytest.raises(ConfigError) as caught:
        insert_cases(text, "suite.yaml", NEW)
    assert re.fullmatch(
        r"suite\.yaml:\d+: the cases cannot be added without changing something else in the file \(write the "
        r"cases as a list, each starting with '- ' on a line of its own, or keep them in other files\)",
        str(caught.value),
    )


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(st.characters(codec="utf-8")),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
CASES = st.lists(
    st.dictionaries(st.sampled_from(["title", "input", "output"]), JSON, min_size=1), min_size=1, max_size=3
)


@given(CASES, st.sampled_from(["", "  ", "    "]), st.sampled_from(["", "\n# end\n", "b: 1\n"]))
def test_any_case_can_be_added(cases: list[dict[str, Any]], indent: str, after: str) -> None:
    """Whatever a case holds, it reads back the same, and the rest is untouched."""
    before = f"# head\ncases:\n{indent}- title: A\n"
    whole = insert_cases(before + after, "f", cases)
    assert (whole.startswith(before), whole.endswith(after)) == (True, True)
    assert parse_yaml(whole, "f").value["cases"] == [{"title": "A"}, *cases]
