"""Segments of rendered pages on the HTML that was rendered."""

from __future__ import annotations

import numpy as np
from boxed_pages import boxed

from webstrata.page import Page, parse
from webstrata.rendering.back import on_source
from webstrata.rendering.page import RenderedPage
from webstrata.rendering.recording import About
from webstrata.segmentation import Segment, Segmentation


def rendered(page: Page, source_row: list[int]) -> RenderedPage:
    about = About.__new__(About)
    return RenderedPage(page, boxed(page).boxes, np.array(source_row, np.int32), about)


def test_segments_are_led_back_by_their_elements() -> None:
    # The browser has dropped a comment and added an element; the source hides its first text.
    source = parse("<div><p hidden>not shown</p><p>one</p><p>two</p></div><p>three</p>")
    shown = parse("<div><p>one</p><p>two</p><p>added</p></div><p>three</p>")
    rows = [source.elements.tag.tolist(), shown.elements.tag.tolist()]
    assert [len(row) for row in rows] == [8, 8]  # html, head, body and the five
    page = rendered(shown, [0, 1, 2, 3, 5, 6, -1, 7])
    found = Segmentation(shown, (Segment(0, 3, 1, "Content", 0.5), Segment(2, 3, 2), Segment(3, 4)), "test")
    back = on_source(found, page, source)
    assert back.segments == (Segment(1, 3, 1, "Content", 0.5), Segment(3, 4))
    assert back.texts() == ["one\ntwo", "three"]
    assert back.algorithm == "test"


def test_a_page_leads_back_to_itself() -> None:
    page = parse("<div><b hidden>x</b><p>one</p><p>two</p><b hidden>y</b></div><p>three</p>")
    found = Segmentation(page, (Segment(1, 3), Segment(1, 2, 2), Segment(4, 5)), "test")
    assert on_source(found, rendered(page, list(range(len(page.elements)))), page) == found


def test_a_page_that_shows_nothing_leads_back_to_hidden_text() -> None:
    source = parse("<div hidden><p>one</p><p>two</p></div>")
    shown = parse("<div><p>one</p><p>two</p></div>")
    for rendered_page in (shown, source):
        found = Segmentation(rendered_page, (Segment(0, 2), Segment(1, 2, 2)), "test")
        back = on_source(found, rendered(rendered_page, list(range(len(source.elements)))), source)
        assert back.segments == (Segment(0, 2, hidden=True), Segment(1, 2, 2, hidden=True))
        assert back.texts() == ["one\ntwo", "two"]
