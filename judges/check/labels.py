"""Labels in outputs: which one an output gives, whether it is the right one, and whether it may be given.

Labels are found without regard to case, and then compared as the list of labels spells them.
"""

import re
from collections.abc import Sequence
from decimal import Decimal
from functools import lru_cache

from judges.core.row import Row, excerpt
from judges.core.verdict import Verdict

MEASURE = "measure"
GATE = "gate"


def parse_label(output: str, labels: Sequence[str]) -> str:
    """Return the label that an output gives, or its first line that is not blank where it gives none.

    That is the label that the whole output is, but for blanks around it; else the one that stands first in
    it as a word of its own, of two at the same place the earlier of the list. A hyphen is part of a word, an
    underscore is not.
    """
    trimmed = output.strip()
    whole = next((label for label in labels if label.lower() == trimmed.lower()), None)
    if whole is not None:
        return whole
    places = ((_word(label).search(output), label) for label in labels)
    found = [(match.start(), label) for match, label in places if match]
    if found:
        return min(found, key=lambda each: each[0])[1]
    return trimmed.splitlines()[0].strip() if trimmed else ""


def measure_label(index: int, label: str, golden_label: str) -> Row:
    """Return the row that tells whether a label is the right one: always PASS, with a score of 1 or 0.

    `index` counts the repeats of a cell from 0.
    """
    right = label == golden_label
    wrong = f'classification-incorrect: got "{excerpt(label)}", expected "{golden_label}"'
    return Row(
        id=f"{MEASURE}[{index}]",
        kind=MEASURE,
        verdict=Verdict.PASS,
        score=Decimal(int(right)),
        actual_excerpt=f"classification-correct: {label}" if right else wrong,
        spec={"measure": "label", "golden_label": golden_label},
        extra={"label": excerpt(label)},
    )


def gate_label(index: int, label: str, labels: Sequence[str]) -> Row:
    """Return the row that fails where an output gives none of the labels, with a score of 1 or 0."""
    inside = label in labels
    outside = f'out-of-enum label "{excerpt(label)}" — not one of [{", ".join(labels)}]'
    return Row(
        id=f"{GATE}[{index}]",
        kind=GATE,
        verdict=Verdict.PASS if inside else Verdict.FAIL,
        score=Decimal(int(inside)),
        actual_excerpt=f"in-enum label: {label}" if inside else outside,
    )


def label_rows(index: int, output: str, golden_label: str, labels: Sequence[str]) -> tuple[Row, Row]:
    """Return both rows of one output."""
    label = parse_label(output, labels)
    return measure_label(index, label, golden_label), gate_label(index, label, labels)


@lru_cache(maxsize=4096)
def _word(label: str) -> re.Pattern[str]:
    return re.compile(rf"(?:^|[^A-Za-z0-9-]){re.escape(label)}(?=[^A-Za-z0-9-]|\Z)", re.IGNORECASE)
