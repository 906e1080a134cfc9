"""Adding a person's decision to an overrides file."""

import multiprocessing
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from judges.core.errors import ConfigError
from judges.core.rating import RaterKind
from judges.files.case_meta import Bind
from judges.files.load import load_suite
from judges.files.overrides import parse_overrides
from judges.files.overrides_store import append_decision, insert_decision, overrides_path, read_decisions
from judges.files.suite import Override
from judges.files.yaml import parse_yaml

DECISION = Override(
    case_ref="english/articles",
    criterion="tone",
    score=Decimal("82.5"),
    timestamp=datetime(2026, 2, 18, 11, 1, 29, tzinfo=UTC),
    reason="seen: it's fine # really",
    author="jane@example.com",
    bind=Bind.OUTPUT,
    output_sha256="f0",
    rubric_sha256="1e5",
    expires=datetime(2026, 8, 19, tzinfo=UTC),
    active=True,
)
BLOCK = """\
- case_ref: "english/articles"
  criterion: "tone"
  score: 82.5
  timestamp: "2026-02-18T11:01:29Z"
  reason: "seen: it's fine # really"
  author: "jane@example.com"
  bind: output
  output_sha256: "f0"
  rubric_sha256: "1e5"
  expires: "2026-08-18"
  status: active
"""
SEED = '- {case_ref: a, score: 85, timestamp: "2026-02-18T11:01:29Z", reason: seen}'
HEAD = """\
prompt_name: greet
criteria: [{name: safety, weight: 1, rubric: 'Is it safe?'}]
cases: [{title: One}]
"""


def indented(text: str, by: int) -> str:
    return "".join(f"{' ' * by}{line}" for line in text.splitlines(keepends=True))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param("", BLOCK, id="an empty file"),
        pytest.param("# none yet", f"# none yet\n{BLOCK}", id="comments without a line end"),
        pytest.param(f"{SEED}\n", f"{SEED}\n{BLOCK}", id="the seed's shape"),
        pytest.param(SEED, f"{SEED}\n{BLOCK}", id="no line end"),
        pytest.param(f"{SEED} # é 😀\n\n# end\n", f"{SEED} # é 😀\n\n# end\n{BLOCK}", id="comments below"),
        pytest.param(f"---\n{SEED}\n", f"---\n{SEED}\n{BLOCK}", id="a start mark"),
        pytest.param(f"{SEED}\n...\n", f"{SEED}\n{BLOCK}...\n", id="an end mark"),
        pytest.param(f"  {SEED}\n", f"  {SEED}\n{indented(BLOCK, 2)}", id="an indented list"),
        pytest.param(f"{SEED}\r\n", f"{SEED}\r\n" + BLOCK.replace("\n", "\r\n"), id="CRLF"),
        pytest.param(
            f"items:\n{SEED}\nx-more: 1\n", f"items:\n{SEED}\n{BLOCK}x-more: 1\n", id="items with a key below"
        ),
        pytest.param(
            f"# é\nx-more: 1\nitems:\n  {SEED}\n",
            f"# é\nx-more: 1\nitems:\n  {SEED}\n{indented(BLOCK, 2)}",
            id="items at the end",
        ),
    ],
)
def test_where_a_decision_goes(before: str, after: str) -> None:
    """It goes to the end of the list; every byte besides is as it was."""
    assert insert_decision(before, "f.yaml", DECISION) == after


LONG = 'case_ref: a\n  score: 85\n  timestamp: "2026-02-18T11:01:29Z"\n  reason: '


@pytest.mark.parametrize(
    "before",
    [
        pytest.param(f"- {LONG}|\n    seen\n\n    twice\n\n", id="a block text"),
        pytest.param(f"- {LONG}|+\n    seen\n\n\n", id="a block text that keeps its blank lines"),
        pytest.param(f"- {LONG}>-\n    seen\n    # no comment\n# a comment\n", id="a folded text"),
        pytest.param(f"- {LONG}seen\n    twice", id="two lines without quotes"),
        pytest.param(f'- {LONG}"seen\n- {{a: b\n  twice"\n', id="quotes over lines that look like entries"),
        pytest.param(f"- {LONG}&why seen\n- {LONG}*why\n", id="an alias of an earlier text"),
        pytest.param(f"- &one {SEED[2:]}\n- *one\n", id="an alias of an earlier entry"),
        pytest.param(f"-\n  {SEED[2:]}\n-\n  {SEED[2:]}\n", id="dashes on their own"),
        pytest.param(f"items:\n- {LONG}seen\n", id="items without a margin"),
        pytest.param(f"- {LONG}seen # 1\r", id="old line ends"),
    ],
)
def test_the_end_of_the_last_entry(before: str) -> None:
    """Whatever the last entry ends with, it and all before it read as they did."""
    known = parse_overrides(parse_yaml(before, ""))
    after = insert_decision(before, "f.yaml", DECISION)
    assert after.startswith(before)
    assert parse_overrides(parse_yaml(after, "")) == [*known, DECISION]


def test_an_end_that_would_read_otherwise() -> None:
    """A block text without a line end would get one: the decision is refused."""
    with pytest.raises(ConfigError) as caught:
        insert_decision(f"- {LONG}|\n    seen", "f.yaml", DECISION)
    assert "cannot be added so that it reads back as it is" in str(caught.value)


@pytest.mark.parametrize(
    "before",
    [
        pytest.param("[]", id="empty"),
        pytest.param("[ ] # none\n", id="empty with a comment"),
        pytest.param(f"[{SEED[2:]}]\n", id="one entry"),
        pytest.param(f"[\n  {SEED[2:]}, # last\n]\n# end\n", id="a last comma"),
        pytest.param("items: []\nx-more: 1\n", id="under items"),
    ],
)
def test_a_list_in_brackets(before: str) -> None:
    """The decision stands before the closing bracket."""
    after = insert_decision(before, "f.yaml", DECISION)
    start, end = before[: before.index("]")], before[before.index("]") :]
    assert after.startswith(start)
    assert after.endswith(end)
    assert parse_overrides(parse_yaml(after, ""))[-1] == DECISION


@pytest.mark.parametrize(
    ("text", "message"),
    [
        pytest.param("3", "f.yaml:1:1: expected a list of overrides, found 3", id="no list"),
        pytest.param("- {case_ref: a}", "f.yaml:1:3: [0].score: the key is missing", id="a wrong entry"),
        pytest.param("- a: [", "f.yaml:2:1: not valid YAML", id="no YAML"),
        pytest.param(
            f"- &one {SEED[2:]}\n- *one\nx: 1\n", "f.yaml:3:1: not valid YAML", id="a list with a key below"
        ),
    ],
)
def test_a_wrong_file_is_refused(tmp_path: Path, text: str, message: str) -> None:
    """Nothing is written, and the mistake is told at its place."""
    path = tmp_path / "f.yaml"
    path.write_text(text)
    with pytest.raises(ConfigError) as caught:
        append_decision(path, DECISION)
    assert str(caught.value).replace(f"{tmp_path}/", "").startswith(message)
    assert [each.name for each in tmp_path.iterdir()] == ["f.yaml"]
    assert path.read_text() == text


def test_what_would_not_read_back_is_refused() -> None:
    """A text that no YAML can hold, such as half of a surrogate pair, is not written."""
    with pytest.raises(ConfigError) as caught:
        insert_decision("", "f.yaml", replace(DECISION, reason="\ud800"))
    assert str(caught.value) == (
        "f.yaml: the decision cannot be added so that it reads back as it is (write the decisions as a list, "
        "each starting with '- ' on a line of its own)"
    )


texts = st.text(min_size=1, max_size=300)


@given(
    reason=texts,
    ref=texts,
    author=texts,
    score=st.decimals(0, 100, places=3),
    time=st.datetimes(datetime(2000, 1, 1), datetime(9000, 1, 1), timezones=st.just(UTC)),
    expires=st.none() | st.datetimes(datetime(2000, 1, 1), datetime(9000, 1, 1), timezones=st.just(UTC)),
)
@example("x" * 100_000, "a", "j", Decimal(5), DECISION.timestamp, None)
@example("a: b # c\n\n'\"\\\x85\u2028\ufeff\x00\U0001f600", "- {", "*j", Decimal(0), DECISION.timestamp, None)
def test_any_text_reads_back(
    reason: str, ref: str, author: str, score: Decimal, time: datetime, expires: datetime | None
) -> None:
    """Whatever a person writes reads back as it is, in a block list and in brackets, twice in a row."""
    decision = replace(
        DECISION, reason=reason, case_ref=ref, author=author, score=score, timestamp=time, expires=expires
    )
    for text in ("", "[]"):
        twice = insert_decision(insert_decision(text, "", decision), "", DECISION)
        first, second = parse_overrides(parse_yaml(twice, ""))
        assert (first.reason, first.case_ref, first.author) == (reason, ref, author)
        assert (first.score, first.timestamp, second) == (score, time, DECISION)
        assert first.expires == expires or expires is None


def test_what_a_model_decided_stays_so() -> None:
    """It is written and reads back; of a person nothing is said."""
    model = replace(DECISION, rater_kind=RaterKind.MODEL)
    text = insert_decision(BLOCK, "", model)
    assert parse_overrides(parse_yaml(text, "")) == [DECISION, model]
    assert text.removeprefix(BLOCK) == BLOCK.replace("  bind:", "  rater_kind: model\n  bind:")


def test_a_byte_order_mark_stays(tmp_path: Path) -> None:
    """A file that an editor marked as UTF-8 keeps its mark."""
    path = tmp_path / "f.yaml"
    path.write_bytes(b"\xef\xbb\xbf" + SEED.encode())
    append_decision(path, DECISION)
    assert path.read_bytes() == b"\xef\xbb\xbf" + f"{SEED}\n{BLOCK}".encode()


def test_a_new_file(tmp_path: Path) -> None:
    """The folder is made, too; nothing else is left in it."""
    path = tmp_path / "overrides" / "overrides.yaml"
    assert read_decisions(path) == ()
    append_decision(path, DECISION)
    assert [each.name for each in path.parent.iterdir()] == ["overrides.yaml"]
    assert read_decisions(path) == (DECISION,)


@pytest.mark.parametrize(
    ("more", "place"),
    [
        ("", "overrides/overrides.yaml"),
        ("overrides: {source: more.yaml}\n", "more.yaml"),
        (f"overrides: {{items: [{SEED[2:]}]}}\n", "overrides/overrides.yaml"),
    ],
    ids=["nothing said", "named", "items"],
)
def test_the_place(write_suite: Callable[..., Path], more: str, place: str) -> None:
    """New decisions go where the suite reads them from; those in the suite file stay there."""
    path = write_suite(HEAD + more, {"more.yaml": ""})
    suite = load_suite(path)
    append_decision(overrides_path(suite), replace(DECISION, case_ref="one", criterion="safety"))
    assert overrides_path(suite) == suite.test_root / place
    assert len(load_suite(path).overrides) == len(suite.overrides) + 1
    assert path.read_text() == HEAD + more


def test_hundreds_of_decisions(tmp_path: Path) -> None:
    """What is known is not read again: adding to a thousand takes a fraction of reading them."""
    path = tmp_path / "overrides.yaml"
    path.write_text(BLOCK * 1000)
    assert len(read_decisions(path)) == 1000
    adding, reading = [], []
    for _ in range(3):
        start = time.perf_counter()
        append_decision(path, DECISION)
        between = time.perf_counter()
        read_decisions(path)
        adding.append(between - start)
        reading.append(time.perf_counter() - between)
    assert min(adding) < min(reading) / 2
    assert len(read_decisions(path)) == 1003


def test_a_file_that_would_grow_too_large() -> None:
    """A decision with which the file could not be read any more is refused."""
    before = f"{SEED}\n#{'-' * 9_999_500}\n"
    with pytest.raises(ConfigError) as caught:
        insert_decision(before, "f.yaml", replace(DECISION, reason="x" * 1000))
    assert "cannot be added so that it reads back as it is" in str(caught.value)


def add_some(path: Path, writer: int) -> None:
    for number in range(25):
        append_decision(path, replace(DECISION, case_ref=f"{writer}/{number}"))


def test_concurrent_writers_lose_nothing(tmp_path: Path) -> None:
    """Of eight processes that write at once every decision is there, and the file is right."""
    path = tmp_path / "overrides.yaml"
    path.write_text("# decisions\n")
    spawn = multiprocessing.get_context("spawn")
    writers = [spawn.Process(target=add_some, args=(path, writer)) for writer in range(8)]
    for each in writers:
        each.start()
    for each in writers:
        each.join(120)
    assert [each.exitcode for each in writers] == [0] * 8
    expected = {f"{writer}/{number}" for writer in range(8) for number in range(25)}
    found = [each.case_ref for each in read_decisions(path)]
    assert (len(found), set(found)) == (200, expected)
    assert [each.name for each in tmp_path.iterdir()] == ["overrides.yaml"]
