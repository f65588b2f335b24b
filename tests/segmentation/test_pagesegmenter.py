"""PageSegmenter' against Algorithm 6.3 of the thesis as it is printed."""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from statistics import median

import pytest
from generated_pages import pages
from hypothesis import given, settings
from hypothesis import strategies as st

import webstrata
from webstrata.evaluation.answers.algorithms import Spec, make_algorithm
from webstrata.evaluation.datasets.base import PageInput
from webstrata.page import Page
from webstrata.segmentation import segment
from webstrata.segmentation.literal import literal_nodes
from webstrata.segmentation.pagesegmenter import _SCALE, Nodes, _nodes


class Node:
    """A node of the tree with its entropy by definition."""

    def __init__(self, number: int, name: str, above: Node | None) -> None:
        self.number = number
        self.path: tuple[str, ...] = (*(above.path if above else ()), name)
        self.children: list[Node] = []
        self.entropy = Fraction(0)
        if above:
            above.children.append(self)

    def subtree(self) -> list[Node]:
        return [self, *(node for child in self.children for node in child.subtree())]

    def leaves(self) -> list[Node]:
        return [node for node in self.subtree() if not node.children]


#: How each reading makes the nodes of a page, and whether paths below a node count once.
READINGS: dict[str, tuple[Callable[[Page], Nodes], bool]] = {
    "pagesegmenter": (literal_nodes, False),
    "pagesegmenter-blocks": (_nodes, True),
}


def tree(page: Page, name: str = "pagesegmenter-blocks") -> list[Node]:
    nodes_of, distinct = READINGS[name]
    parents, _, names = nodes_of(page)
    nodes: list[Node] = []
    for number, (parent, name) in enumerate(zip(parents, names, strict=True)):
        nodes.append(Node(number, name, nodes[parent] if parent >= 0 else None))
    counts = Counter(leaf.path for leaf in nodes[0].leaves())
    # The same rounding of p log p as in the product; everything after it is exact there too.
    total = counts.total()
    weight = {path: round(-_SCALE * (n / total) * math.log(n / total)) for path, n in counts.items()}
    for node in nodes:
        paths = [leaf.path for leaf in node.leaves()]
        node.entropy = Fraction(sum(weight[path] for path in (set(paths) if distinct else paths)))
    return nodes


def page_segmenter(nodes: list[Node], middle: Fraction) -> list[list[Node]]:
    if not nodes:
        return []
    for size in range(len(nodes), 0, -1):
        for first in range(len(nodes) - size + 1):
            subset = nodes[first : first + size]
            if size == len(nodes) > 1:
                continue
            rest = (nodes[:first], nodes[first + size :])
            if sum((node.entropy for node in subset), Fraction(0)) / len(subset) <= middle:
                return [subset, *(found for part in rest for found in page_segmenter(part, middle))]
            if size == 1:
                inner = page_segmenter(subset[0].children, middle)
                return [*inner, *(found for part in rest for found in page_segmenter(part, middle))]
    raise AssertionError("a single node always returns")


def literal(page: Page, name: str) -> list[tuple[int, int]]:
    nodes = tree(page, name)
    _, block_of, _ = READINGS[name][0](page)
    found = []
    for subset in page_segmenter(nodes[:1], Fraction(median(node.entropy for node in nodes))):
        blocks = [block_of[node.number] for top in subset for node in top.subtree() if block_of[node.number] >= 0]
        if blocks:
            found.append((min(blocks), max(blocks) + 1))
    return sorted(found)


SIMPLE = st.recursive(
    st.sampled_from(["text", "<img>", "<b>x</b>", "<a>y</a>", "one <a>two</a>"]),
    lambda inner: st.builds(
        lambda tag, parts: f"<{tag}>{'<hr>'.join(parts)}</{tag}>",
        st.sampled_from(["div", "ul", "section", "article"]),
        st.lists(inner, max_size=5),
    ),
    max_leaves=25,
)


@settings(max_examples=300)
@given(SIMPLE | pages(), st.sampled_from(sorted(READINGS)))
@pytest.mark.slow
def test_equals_the_printed_algorithm(html: str, name: str) -> None:
    page = webstrata.parse(html)
    assert [(item.start, item.stop) for item in segment(page, name).segments] == literal(page, name)


def test_leaves_of_the_literal_reading() -> None:
    page = webstrata.parse("<body><p>see <a>this</a>, <a><b>that</b></a> <p><img><p hidden>no")
    parents, blocks, names = literal_nodes(page)
    assert names == [
        "html", "head", "body", "p", "#text", "a", "#text", "#text", "a", "b", "#text", "#text", "p", "img", "p",
        "#text",
    ]  # fmt: skip
    assert parents == [-1, 0, 0, 2, 3, 3, 5, 3, 3, 8, 9, 3, 2, 12, 2, 14]
    assert [(names[node], block) for node, block in enumerate(blocks) if block >= 0] == [("#text", 0), ("#text", 1)]


def test_a_repeated_path_counts_each_time() -> None:
    page = webstrata.parse("<ul>" + "<li>one</li>" * 10 + "</ul>")
    one, ten = (next(node for node in tree(page, "pagesegmenter") if node.path[-1] == name) for name in ("li", "ul"))
    assert ten.entropy == 10 * one.entropy


def test_text_that_is_marked_covers_links_and_pictures() -> None:
    answer = make_algorithm(Spec("pagesegmenter-marked"))(PageInput(b"<p>one <a>two</a><img><b></b>"), 10)
    assert [(row["text"], row["marked"]) for row in answer["segments"]] == [("", ""), ("one two", "onetwo"), ("", "")]


@given(pages())
def test_nodes_cover_the_page_in_order(html: str) -> None:
    page = webstrata.parse(html)
    parents, blocks, _ = literal_nodes(page)
    assert all(parent < node for node, parent in enumerate(parents))
    shown = [row for row in range(len(page.blocks)) if not page.blocks.hidden[row]]
    assert [block for block in blocks if block >= 0] == shown


def test_tree_by_hand() -> None:
    page = webstrata.parse("<body><p>see <a>this</a>, <a><b>that</b></a><p><a>home</a><img><p hidden>no")
    parents, blocks, names = _nodes(page)
    assert names == ["html", "head", "body", "p", "#text", "a", "b", "#text", "p", "a", "#text", "img"]
    assert parents == [-1, 0, 0, 2, 3, 3, 5, 6, 2, 8, 9, 8]
    assert [block for block in blocks if block >= 0] == [0, 1, 2]


def test_entropies_by_hand() -> None:
    # Leaves: head, p/#text twice, div/#text: probabilities 1/4, 1/2, 1/4.
    page = webstrata.parse("<body><p>a<p>b</p><div>c</div>")
    quarter, half = 0.25 * math.log(4), 0.5 * math.log(2)
    names = [node.path[-1] for node in tree(page)]
    found = dict(zip(names, (float(node.entropy) / _SCALE for node in tree(page)), strict=True))
    assert math.isclose(found["html"], 2 * quarter + half, rel_tol=1e-8)
    assert math.isclose(found["body"], quarter + half, rel_tol=1e-8)
    assert math.isclose(found["p"], half, rel_tol=1e-8)
    # The median of html, head, body, p, p, div and four texts is that of one leaf: all leaves are equal, and segments.
    assert segment(page, "pagesegmenter-blocks").texts() == ["a\nb", "c"]


@pytest.mark.parametrize("name", READINGS)
def test_ten_thousand_siblings_take_seconds_at_most(name: str) -> None:
    """Low and high entropies by turns: each range is a single node, and a cubic search would need 10**12 steps."""
    page = webstrata.parse("<div>" + "<p>x</p><div><b>a</b><i>b</i><u>c</u></div>" * 5000 + "</div>")
    begun = time.perf_counter()
    found = segment(page, name)
    assert time.perf_counter() - begun < 10
    assert len(found) >= 5000
