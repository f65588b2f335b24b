"""The tree over elements, beside walks that are plain and slow."""

from __future__ import annotations

import numpy as np
from generated_pages import pages
from hypothesis import given, settings
from hypothesis import strategies as st

from webstrata.page import parse
from webstrata.tree import children, common_ancestors, depths, inherited, lines_of, nearest, own_text, path_of, text_of

_PARENTS = st.integers(1, 40).flatmap(
    lambda n: st.tuples(*(st.integers(0, max(row - 1, 0)) for row in range(n))).map(lambda rows: [-1, *rows[1:]])
)


def _above(parent: list[int], row: int) -> list[int]:
    return [row, *_above(parent, parent[row])] if row >= 0 else []


@settings(deadline=None)
@given(_PARENTS)
def test_trees_of_any_shape(parent: list[int]) -> None:
    column = np.array(parent)
    order, start = children(column)
    for row in range(len(parent)):
        assert depths(column)[row] == len(_above(parent, row)) - 1
        assert order[start[row] : start[row + 1]].tolist() == [i for i, up in enumerate(parent) if up == row]
    left, right = (grid.ravel() for grid in np.meshgrid(np.arange(len(parent)), np.arange(len(parent))))
    found = common_ancestors(column, left, right).tolist()
    for a, b, common in zip(left.tolist(), right.tolist(), found, strict=True):
        assert common == next(row for row in _above(parent, a) if row in _above(parent, b))


@settings(deadline=None)
@given(pages(), st.integers(0, 5))
def test_pages_of_any_shape(html: str, tag: int) -> None:
    page = parse(html)
    elements = page.elements
    chosen = elements.tag % 6 == tag
    near, bits = nearest(elements, chosen), inherited(elements, elements.tag.astype(np.int64))
    for row in range(len(elements)):
        line = [row, *elements.ancestors(row)]
        assert near[row] == next((above for above in line if chosen[above]), 0)
        assert bits[row] == np.bitwise_or.reduce(elements.tag[line])
        assert path_of(elements, row, levels=1000, letters=1000) == list(elements[row].path)
        assert text_of(page, row, most=10**6) == " ".join(lines_of(page, row).split())
        assert len(text_of(page, row, most=5)) <= 5


def test_own_text_looks_through_links_only() -> None:
    page = parse("<div>one <a>two</a><p>three</p> four</div>")
    assert own_text(page, int(page.elements.find("div")[0])) == "one two four"
