"""Text in pictures: whatever it is, the picture is well-formed XML."""

from __future__ import annotations

from xml.etree import ElementTree

from hypothesis import given
from hypothesis import strategies as st

from webstrata._escaping import one_line
from webstrata.drawing.svg import PALETTE, escape, line, marker, picture, stroke, text

ANYTHING = st.text(st.characters(codec=None, categories=None))


def test_characters_that_xml_forbids_are_left_out() -> None:
    root = ElementTree.fromstring(picture(10, 10, [text(0, 0, "a\x00\x01\x0b\ud800\ufffe\uffffb<&>\"'\t\U0001f30d")]))
    assert [each.text for each in root] == ["ab<&>\"'\t\U0001f30d"]


@given(ANYTHING, st.integers(1, 40))
def test_any_text_is_well_formed(words: str, limit: int) -> None:
    parts = [text(1, 2, words), marker(1, 2, 3, title=words), text(0, 0, one_line(words, limit), turn=90)]
    root = ElementTree.fromstring(picture(10, 10, [f"<g id='{escape(words)}'>", *parts, "</g>"], alone=True))
    assert len(list(root.iter("{http://www.w3.org/2000/svg}text"))) == 2
    assert len(one_line(words, limit)) <= limit


def test_ground_and_ink() -> None:
    within, alone = picture(20, 10, [line(0, 0, 1, 1)]), picture(20, 10, [], alone=True)
    assert "currentColor" in within
    assert "<rect" not in within
    assert "<rect class='ground' width='20' height='10' fill='white'/>" in alone


def test_series_can_be_told_apart() -> None:
    assert len({stroke(number) for number in range(42)}) == 42
    assert len(set(PALETTE)) == 6
