"""VIPS on pages whose boxes are set by hand: each of its rules."""

from __future__ import annotations

from typing import Any

import pytest
from boxed_pages import boxed_page

from webstrata.segmentation.layout import Layout
from webstrata.segmentation.vips import VIPS, visual_blocks


def blocks_of(html: str, threshold: float = 1.0, root: str = "body") -> list[tuple[str, int]]:
    """The visual blocks of one round, by tag or text, with their degrees of coherence."""
    given = boxed_page(html)
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
    found = VIPS(**parameters)(boxed_page(html))
    return [found.text(item).replace("\n", " ") for item in found.segments]


def test_near_blocks_are_one_segment_and_far_ones_are_not() -> None:
    near = "<p data-box='0 0 500 20'>one</p><p data-box='0 24 500 20'>two</p><p data-box='0 200 500 20'>three</p>"
    assert texts(near) == ["one two", "three"]


@pytest.mark.parametrize("change", ["data-back=1", "data-font=40"])
def test_a_change_of_looks_separates_like_distance(change: str) -> None:
    html = "<p data-box='0 0 500 20'>one</p><p data-box='0 32 500 20' {}>two</p><p data-box='0 64 500 20' {}>three</p>"
    assert texts(html.format("", "")) == ["one two three"]
    assert texts(html.format(change, change)) == ["one", "two three"]


def test_a_rule_separates() -> None:
    html = "<p data-box='0 0 500 20'>one</p>{}<p data-box='0 24 500 20'>two</p>"
    assert texts(html.format("")) == ["one two"]
    assert texts(html.format("<hr data-box='0 21 500 2'>")) == ["one", "two"]


def test_columns_are_separated() -> None:
    html = "<div data-box='0 0 300 900'>left<p>l</p></div><div data-box='400 0 300 900'>right<p>r</p></div>"
    assert len(texts(html)) >= 2


def test_a_stair_of_boxes_ends_in_time() -> None:
    html = "".join(f"<p data-box='{20 * i} {20 * i} 15 15'>x</p>" for i in range(3000))
    assert VIPS()(boxed_page(html)).segments


def test_the_tree_has_the_parts_with_their_coherence() -> None:
    rows = "<p data-box='0 {0} 500 20'>one {0}</p><p data-box='0 {1} 500 20'>two {0}</p>"
    html = "".join(rows.format(top, top + 24) for top in (0, 200, 1000))
    found = VIPS(tree=True)(boxed_page(html))
    outline = [(item.level, item.kind, found.text(item).split("\n")[0], item.stop - item.start) for item in found]
    assert outline == [
        *((1, "coherence 10", f"one {top}", 2) for top in (0, 200, 1000)),
        *((2, "coherence 10", f"{word} {top}", 1) for top in (0, 200, 1000) for word in ("one", "two")),
    ]  # fmt: skip
    # The leaves of the tree are the segments without it, and parts lie in parts.
    flat = {tuple(item[:2]) for item in VIPS()(boxed_page(html))}
    assert flat <= {tuple(item[:2]) for item in found}
    for inner in found.at(2):
        assert any(outer.start <= inner.start and inner.stop <= outer.stop for outer in found.at(1))


def test_a_higher_pdoc_divides_what_looks_alike() -> None:
    html = "<p data-box='0 0 500 20'>one</p><p data-box='0 26 500 20'>two</p><p data-box='0 60 500 20'>three</p>"
    assert [len(texts(html, pdoc=pdoc)) for pdoc in (8, 9, 10)] == [1, 2, 3]
