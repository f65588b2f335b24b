"""VIPS and WebTerrain on pages whose boxes are set by hand: what each rule does."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from boxed_pages import Boxed

import webstrata
from webstrata._boxes import DISPLAYS, Boxes, TextBoxes
from webstrata.segmentation.layout import Layout
from webstrata.segmentation.vips import VIPS, visual_blocks

_INLINE = {"a", "b", "i", "span", "em", "img"}


def laid_out(html: str) -> Boxed:
    """A page laid out as a stack: each text is a line of 20 pixels, each element is around what it holds.

    A start tag may say more: ``data-box="left top width height"`` sets a box, ``data-back=1`` another background,
    ``data-font=24`` another size.
    """
    page = webstrata.parse(html)
    elements, blocks = page.elements, page.blocks
    count = len(elements)
    box = np.zeros((count, 4), np.float32)
    text = np.array([(0, 30 * row, 100, 20) for row in range(len(blocks))], np.float32).reshape(-1, 4)
    background, font = np.zeros(count, np.uint32), np.full(count, 16, np.float32)
    for row in range(count):
        attributes = elements[row].attributes
        inside = text[elements.first_block[row] : elements.end_block[row]]
        if "data-box" in attributes:
            box[row] = [float(part) for part in attributes["data-box"].split()]
        elif len(inside):
            box[row] = 0, inside[0, 1], 1000, inside[-1, 1] + 20 - inside[0, 1]
        background[row] = 0x112233FF if "data-back" in attributes else 0
        parent = int(elements.parent[row])
        font[row] = float(attributes.get("data-font", font[parent] if parent >= 0 else 16))
    display = [DISPLAYS.index("inline" if elements[row].tag in _INLINE else "block") for row in range(count)]
    zeros = np.zeros(count, np.float32)
    boxes = Boxes(
        left=box[:, 0],
        top=box[:, 1],
        width=box[:, 2],
        height=box[:, 3],
        font_size=font,
        font_weight=np.full(count, 400, np.int16),
        colour=np.full(count, 255, np.uint32),
        background=background,
        border_top=zeros,
        border_right=zeros,
        border_bottom=zeros,
        border_left=zeros,
        display=np.array(display, np.uint8),
        position=np.zeros(count, np.uint8),
        float=np.zeros(count, np.uint8),
        visible=(box[:, 2] > 0) & (box[:, 3] > 0),
        text=TextBoxes(*text.T),
    )
    return Boxed(page, boxes)


# WebTerrain


def terrain(html: str, **parameters: Any) -> list[tuple[int, str]]:
    found = webstrata.segment(laid_out(html), "webterrain", **parameters)
    return [(item.level, found.text(item).replace("\n", " ")) for item in found.segments]


def test_siblings_are_segments_and_their_children_finer_ones() -> None:
    html = "<div>one</div><div><p>two</p><p>three</p></div>"
    assert terrain(html) == [(1, "one"), (1, "two three"), (2, "two"), (2, "three")]
    assert terrain(html, levels=1) == [(1, "one"), (1, "two three")]


def test_single_children_are_entered() -> None:
    assert terrain("<div><div><p>one</p><p>two</p></div></div>", levels=1) == [(1, "one"), (1, "two")]


def test_a_dominant_child_stands_for_its_parent() -> None:
    first = "<p data-box='0 0 1000 {}'>one<b>x</b><b>y</b></p>"
    html = f"<main data-box='0 0 1000 1000'>{first}<p data-box='0 960 9 9'>two</p>"
    assert terrain(html.format(950), levels=1) == [(1, "x"), (1, "y")]
    assert terrain(html.format(850), levels=1) == [(1, "onexy"), (1, "two")]


def test_headers_are_merged_up_to_the_next_separator() -> None:
    html = "<div>top</div><h2>A</h2><p>one</p><p>two</p><h2>B</h2><p>three</p><hr><p>four</p>"
    assert terrain(html, levels=1) == [(1, "top"), (1, "A one two"), (1, "B three"), (1, "four")]
    assert (2, "A") in terrain(html)
    breaks = "<div>top</div><h2>A</h2><p>one</p><br><br><p>two</p>"
    assert terrain(breaks, levels=1) == [(1, "top"), (1, "A one"), (1, "two")]
    line = "<div>top</div><h2>A</h2><p>one</p><img data-box='0 0 500 2'><p>two</p>"
    assert [text for _, text in terrain(line, levels=1)] == ["top", "A one", "", "two"]


def test_what_has_no_size_is_left_out() -> None:
    assert terrain("<p>one</p><p data-box='0 0 0 0'>gone</p><p>two</p>", levels=1) == [(1, "one"), (1, "two")]


def test_a_picture_is_a_segment_without_blocks() -> None:
    found = webstrata.segment(laid_out("<p>one</p><img data-box='0 40 50 50'><p>two</p>"), "webterrain")
    assert [(item.start, item.stop, item.kind) for item in found.at(1)] == [(0, 1, ""), (1, 1, "Image"), (1, 2, "")]


# VIPS


def blocks_of(html: str, threshold: float = 1.0, root: str = "body") -> list[tuple[str, int]]:
    """The visual blocks of one round, by tag or text, with their degrees of coherence."""
    given = laid_out(html)
    layout = Layout.of(given)
    start = int(given.page.elements.find(root)[0])
    found = visual_blocks(layout, start, threshold)
    count = len(given.page.elements)
    names = [given.page.elements[node].tag if node < count else given.page.blocks[node - count].text for node in found]
    return list(zip(names, found.values(), strict=True))


@pytest.mark.parametrize(
    ("rule", "html", "threshold", "expected"),
    [
        (1, "<p>one</p><div data-box='0 0 99 99'></div><img data-box='0 0 9 9'>", 1, [("p", 10)]),
        (1, "<p>one</p><img data-box='0 0 99 99'>", 1, [("p", 10), ("img", 10)]),
        (2, "<p>one</p><div><div><p>two</p></div></div>", 1, [("p", 10), ("p", 10)]),
        (4, "<p>one <b>two</b></p><p>three <b data-font=30>four</b></p>", 1, [("p", 10), ("p", 9)]),
        (5, "<p>x</p><span>one<div>two</div></span>", 1e9, [("p", 10), ("one", 10), ("div", 10)]),
        (6, "<p>x</p><div>one<hr data-box='0 0 9 2'><p>two</p></div>", 1e9, [("p", 10), ("one", 10), ("p", 10)]),
        (
            7,
            "<p>x</p><table><tr><td>one<p>1</p><td data-back=1>two<p>2</p></table>",
            1,
            [("p", 10), ("td", 7), ("td", 7)],
        ),
        (8, "<p>x</p><div>one<p>two</p></div>", 1e9, [("p", 10), ("div", 6)]),
        (9, "<p>x</p><div><p>one</p><p>two</p></div>", 1e9, [("p", 10), ("div", 7)]),
        (11, "<p>x</p><div><p>one</p><p>two</p></div>", 1, [("p", 10), ("p", 10), ("p", 10)]),
        (12, "<p>x</p><table><tr><td>one<p>1</p><td>two<p>2</p></table>", 1, [("p", 10), ("tr", 7)]),
    ],
)
def test_rules(rule: int, html: str, threshold: float, expected: list[tuple[str, int]]) -> None:
    assert blocks_of(html, threshold) == expected


def texts(html: str, **parameters: Any) -> list[str]:
    found = VIPS(**parameters)(laid_out(html))
    return [found.text(item).replace("\n", " ") for item in found.segments]


def test_what_is_near_is_one_segment_and_what_is_far_is_not() -> None:
    near = "<p data-box='0 0 500 20'>one</p><p data-box='0 24 500 20'>two</p><p data-box='0 200 500 20'>three</p>"
    assert texts(near) == ["one two", "three"]


@pytest.mark.parametrize("change", ["data-back=1", "data-font=40"])
def test_looks_part_as_distance_does(change: str) -> None:
    html = "<p data-box='0 0 500 20'>one</p><p data-box='0 32 500 20' {}>two</p><p data-box='0 64 500 20' {}>three</p>"
    assert texts(html.format("", "")) == ["one two three"]
    assert texts(html.format(change, change)) == ["one", "two three"]


def test_a_rule_parts() -> None:
    html = "<p data-box='0 0 500 20'>one</p>{}<p data-box='0 24 500 20'>two</p>"
    assert texts(html.format("")) == ["one two"]
    assert texts(html.format("<hr data-box='0 21 500 2'>")) == ["one", "two"]


def test_columns_are_parted() -> None:
    html = "<div data-box='0 0 300 900'>left<p>l</p></div><div data-box='400 0 300 900'>right<p>r</p></div>"
    assert len(texts(html)) >= 2


def test_a_stair_of_boxes_ends_in_time() -> None:
    html = "".join(f"<p data-box='{20 * i} {20 * i} 15 15'>x</p>" for i in range(3000))
    assert VIPS()(laid_out(html)).segments
