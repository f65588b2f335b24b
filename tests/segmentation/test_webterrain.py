"""WebTerrain on pages whose boxes are set by hand."""

from __future__ import annotations

from typing import Any

from boxed_pages import boxed_page

import webstrata


def terrain(html: str, **parameters: Any) -> list[tuple[int, str]]:
    found = webstrata.segment(boxed_page(html), "webterrain", **parameters)
    return [(item.level, found.text(item).replace("\n", " ")) for item in found.segments]


def test_siblings_are_segments_and_their_children_finer_ones() -> None:
    html = "<div>one</div><div><p>two</p><p>three</p></div>"
    assert terrain(html) == [(1, "one"), (1, "two three"), (2, "two"), (2, "three")]
    assert terrain(html, levels=1) == [(1, "one"), (1, "two three")]


def test_single_children_are_entered() -> None:
    assert terrain("<div><div><p>one</p><p>two</p></div></div>", levels=1) == [(1, "one"), (1, "two")]


def test_a_dominant_child_replaces_its_parent() -> None:
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


def test_elements_without_a_size_are_left_out() -> None:
    assert terrain("<p>one</p><p data-box='0 0 0 0'>gone</p><p>two</p>", levels=1) == [(1, "one"), (1, "two")]


def test_a_picture_is_a_segment_without_blocks() -> None:
    found = webstrata.segment(boxed_page("<p>one</p><img data-box='0 40 50 50'><p>two</p>"), "webterrain")
    assert [(item.start, item.stop, item.kind) for item in found.at(1)] == [(0, 1, ""), (1, 1, "Image"), (1, 2, "")]
