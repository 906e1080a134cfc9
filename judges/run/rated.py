"""The outputs that people have rated, found by their digests: in the suite, in a file, in earlier runs."""

import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from judges.core.case import Case, digest
from judges.reduce.ratings import Output

_DIGEST = re.compile(rb'"output_sha256":"([0-9a-f]{64})"')


def find_outputs(
    wanted: Collection[Output], cases: Iterable[Case], given: Mapping[str, str], runs: Iterable[Path]
) -> dict[Output, str]:
    """Return the texts of the wanted outputs, as far as they are known.

    They are looked for in the cases, in `given` (by ref), and in the records of `runs`, one after the other
    until all are found.
    """
    found: dict[Output, str] = {}
    for ref, text in _known(cases, given):
        if (key := (ref, digest(text))) in wanted:
            found[key] = text
    unread = iter(runs)
    while (missing := set(wanted) - found.keys()) and (run := next(unread, None)):
        for ref, text in _recorded(run, {sha256 for _, sha256 in missing}):
            if (key := (ref, digest(text))) in missing:
                found[key] = text
    return found


def _known(cases: Iterable[Case], given: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    for case in cases:
        if case.output is not None:
            yield case.ref, case.output
        if (text := given.get(case.ref)) is not None:
            yield case.ref, text


def _recorded(run: Path, digests: Collection[str]) -> Iterator[tuple[str, str]]:
    """Yield the outputs of a run that may be wanted. What cannot be read of it holds none."""
    for path in sorted(run.glob("*/records.jsonl")):
        with path.open("rb") as lines:
            for line in lines:
                if any(sha256.decode() in digests for sha256 in _DIGEST.findall(line)):
                    yield from _outputs(line)


def _outputs(line: bytes) -> Iterator[tuple[str, str]]:
    try:
        record: dict[str, Any] = json.loads(line)
        produced = (record, *record.get("arms", {}).values())
        texts = [each["output"] for each in produced if isinstance(each["output"], str)]
        yield from ((str(record["ref"]), text) for text in texts)
    except (ValueError, KeyError, TypeError, AttributeError):
        return
