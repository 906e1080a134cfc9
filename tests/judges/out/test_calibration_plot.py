"""The picture of judge against people."""

from collections.abc import Iterator
from dataclasses import replace
from xml.etree import ElementTree as ET

import pytest

from judges.out.calibration_plot import render_plot
from judges.reduce.calibration import calibrate
from judges.reduce.calibration_figures import Label
from judges.run.calibrate import Calibrated, People

LABELS = [
    Label(
        case=f"c{number}",
        category=None,
        output_sha256=str(number),
        criterion=criterion,
        people=1 + number % 5,
        judge=max(1, 1 + number % 5 - (number % 3 == 0)),
    )
    for criterion in ("tone", "safety")
    for number in range(20)
]
FOUND = Calibrated(
    suite="support-reply",
    run="20261130T101500Z-3f1a",
    judge="openai:gpt-4o",
    wording="3",
    levels={"tone": 5, "safety": 5},
    calibration=calibrate(LABELS, [], ()),
    pass_rate=None,
    people=People(authors=1, blind=40, seen=0, corrections=0),
    left_out={},
    unanswered=0,
    stale=(),
    least=None,
)
SVG = "{http://www.w3.org/2000/svg}"


def texts(root: ET.Element) -> Iterator[str]:
    return (each.text or "" for each in root.iter(f"{SVG}text"))


def with_criteria(count: int) -> Calibrated:
    names = [f"c{number}" for number in range(count)]
    labels = [replace(each, criterion=name) for name in names for each in LABELS[:20]]
    return replace(FOUND, calibration=calibrate(labels, [], ()), levels=dict.fromkeys(names, 5))


def test_the_same_figures_give_the_same_bytes() -> None:
    """Nothing of the time or the machine is in the picture."""
    assert render_plot(FOUND) == render_plot(replace(FOUND))


def test_every_pair_of_levels_is_a_bubble() -> None:
    """Its place tells the levels, its area the count, its colour how far they are apart."""
    root = ET.fromstring(render_plot(FOUND))
    tone, _ = root.findall(f"{SVG}g")
    found = {
        (float(each.get("cx", 0)), float(each.get("cy", 0))): (each.get("class"), each[0].text)
        for each in tone.findall(f"{SVG}circle")
    }
    assert len(found) == len(FOUND.calibration.criteria["tone"].matrix)
    assert found[20.0, 180.0] == ("same", "4")  # people 1, judge 1
    assert found[140.0, 100.0] == ("near", "2")  # people 4, judge 3
    radii = {each[0].text: float(each.get("r", 0)) for each in tone.findall(f"{SVG}circle")}
    assert (radii["4"] / radii["1"]) ** 2 == pytest.approx(4, rel=0.03)


def test_it_says_in_words_what_it_shows() -> None:
    """Who cannot see it reads how many levels are the same, and kappa."""
    root = ET.fromstring(render_plot(FOUND))
    assert root.get("role") == "img"
    assert root.findtext(f"{SVG}title") == "support-reply: openai:gpt-4o and people"
    described = root.findtext(f"{SVG}desc") or ""
    assert "tone: 15 of 20 levels are the same, kappa 0." in described


def test_it_follows_light_and_dark_and_needs_no_other_file() -> None:
    """Its colours change with the surroundings; it loads nothing and runs nothing."""
    picture = render_plot(FOUND)
    assert "@media (prefers-color-scheme: dark)" in picture
    assert not [word for word in ("href", "url(", "<script", "@import") if word in picture]


def test_text_is_only_text() -> None:
    """Names cannot add elements, and no character breaks the file."""
    picture = render_plot(
        replace(FOUND, suite="<script>&\x1b\x00\ufffe\ud800", judge='"</title>' + "x" * 300)
    )
    root = ET.fromstring(picture.encode("utf-8"))
    assert root.find(f".//{SVG}script") is None
    assert (root.findtext(f"{SVG}title") or "").startswith("<script>&")
    assert max(map(len, texts(root))) < 100


@pytest.mark.parametrize(
    ("criteria", "width"), [(0, 276), (1, 276), (2, 552), (3, 828), (4, 552), (5, 828), (7, 828)]
)
def test_panels_fill_their_rows(criteria: int, width: int) -> None:
    """There are three panels in a row at the most, and rows of equal length where that can be."""
    root = ET.fromstring(render_plot(with_criteria(criteria)))
    assert root.get("width") == str(width)
    assert len(root.findall(f"{SVG}g")) == criteria


def test_a_long_scale_is_marked_at_its_ends() -> None:
    """A hundred levels have their places, but not a hundred marks."""
    root = ET.fromstring(render_plot(replace(FOUND, levels={"tone": 100, "safety": 5})))
    tone, safety = root.findall(f"{SVG}g")
    assert [text for text in texts(tone) if text.isdigit()] == ["1", "1", "100", "100"]
    assert [text for text in texts(safety) if text.isdigit()][:4] == ["1", "1", "2", "2"]


def test_undefined_kappas_are_said() -> None:
    """Neither 0 nor NaN stands for what is not defined."""
    flat = calibrate([replace(each, people=4, judge=4) for each in LABELS], [], ())
    picture = render_plot(replace(FOUND, calibration=flat))
    assert "no kappa: one level throughout" in picture
    assert "nan" not in picture.lower()
