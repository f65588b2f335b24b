"""Nodes, trees and classes: the paper's examples, sums of trees, and what must hold for any page."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from webstrata.errors import InputError
from webstrata.page import parse
from webstrata.segmentation import Segmentation
from webstrata.sites import PAPER, Rules, SOMSegmenter
from webstrata.sites.classes import refine
from webstrata.sites.nodes import Nodes, nodes_of
from webstrata.sites.tree import Tree

TAGS = ("div", "p", "span", "ul", "li", "table", "tr", "td", "a", "h2", "pre")


def tree_of(pages: list[str], rules: Rules | None = None) -> Tree:
    return Tree.of([nodes_of(parse(page), rules) for page in pages])


def tags(nodes: Nodes, html: str) -> list[str]:
    elements = parse(html).elements
    return [elements[row].tag for row in nodes.element.tolist()]


def test_labels_of_figure_2() -> None:
    """Equal siblings differ by their number; attribute names count, values and order do not."""
    nodes = nodes_of(parse("<div class=a>x</div><img><div class=b>y</div>"))
    assert nodes.number.tolist() == [1, 1, 1, 1, 2]
    assert len(set(nodes.label.tolist())) == 5
    same = nodes_of(parse('<div id=1 class="q">x</div>')), nodes_of(parse("<div class=z id=3>y</div>"))
    assert same[0].label.tolist() == same[1].label.tolist()
    assert nodes_of(parse("<div id=1>x</div>")).label.tolist() != same[0].label.tolist()


def test_a_single_sibling_meets_the_first_of_several() -> None:
    one, two = "<div>x</div>", "<div>x</div><div>y</div>"
    assert nodes_of(parse(one)).label[2] == nodes_of(parse(two)).label[2]
    rules = Rules(numbered=False)
    assert nodes_of(parse(one), rules).label[2] != nodes_of(parse(two), rules).label[2]


def test_nested_content_of_figure_3() -> None:
    html = "<div><div class=c>Last year <b>one</b> and <span><i>two</i></span></div></div>"
    nodes = nodes_of(parse(html))
    assert tags(nodes, html) == ["html", "body", "div", "div"]
    assert nodes.leaf_text.tolist() == [0, 0, 0, 1]


@pytest.mark.parametrize(
    ("inner", "leaf"),
    [
        ("<p>a</p>" * 3, True),
        ("<h2>a</h2><p>b</p>" * 3, True),
        ("<h2>a</h2><p>b</p><pre>c</pre>" * 2, True),
        ("<h2>a</h2><p>b</p><pre>c</pre>", False),
        ("<h1>a</h1>" + "<p>b</p>" * 4, True),
        ("<h1>a</h1>" + "<p>b</p>" * 3, False),
        ("<div><p>a</p></div><div><table><tr><td>b</table></div>", False),
    ],
)
def test_recurrent_regions(inner: str, leaf: bool) -> None:
    html = f"<section>{inner}</section>"
    assert ("p" not in tags(nodes_of(parse(html)), html)) == leaf


def test_a_list_is_one_region_whatever_its_items() -> None:
    html = "<ul><li class=a>x</li><li>y</li><li id=b><b>z</b></li></ul>"
    assert tags(nodes_of(parse(html)), html) == ["html", "body", "ul"]
    assert "li" in tags(nodes_of(parse(html), Rules(lists=False)), html)


def test_the_som_tree_of_figure_6() -> None:
    pages = ["<div>menu</div><div><h1>a</h1><pre>b</pre></div>", "<div>menu</div><div><h1>c</h1><p>d</p></div>"]
    tree = tree_of(pages)
    assert (tree.pages, len(tree)) == (2, 7)
    assert sorted(tree.counter.tolist()) == [1, 1, 2, 2, 2, 2, 2]
    assert sorted(tree.text_pages.tolist()) == [0, 0, 0, 1, 1, 2, 2]


def test_nested_classes_join_below_alpha_as_in_figure_7() -> None:
    pages = ["<div><table><tr><td>text</table></div>"] * 9 + ["<div>text</div>"] * 9
    for alpha, count in ((6, 1), (4, 2), (5, 1)):
        # div, table, tbody, tr, td: the cell is four levels below.
        assert int(refine(tree_of(pages), Rules(alpha=alpha)).is_class.sum()) == count


def test_rare_children_join_their_parent() -> None:
    pages = [f"<div><{tag}>x</{tag}></div>" for tag in ("p", "pre", "h2", "h3") for _ in range(7)]
    assert int(refine(tree_of(pages)).is_class.sum()) == 1
    assert int(refine(tree_of(pages), Rules(beta=7)).is_class.sum()) == 4


def test_a_small_site_keeps_its_classes() -> None:
    pages = ["<div><p>Menu</p></div><div><h1>T</h1><p>text</p></div>"] * 5
    for scaled, count in ((True, 3), (False, 2)):
        tree = refine(tree_of(pages), Rules(scaled=scaled))
        assert len(SOMSegmenter(tree=tree)(parse(pages[0]))) == count


def test_stray_text_in_a_body_costs_one_page_only() -> None:
    pages = ["<div>Menu</div><section><h1>T</h1><p>text</p></section>"] * 20 + ["stray<div>Menu</div>"]
    segmenter = SOMSegmenter(tree=refine(tree_of(pages)))
    assert segmenter(parse(pages[0])).texts()[0] == "Menu"
    assert segmenter(parse(pages[-1])).texts() == ["stray", "Menu"]
    assert len(SOMSegmenter(tree=refine(tree_of(pages, PAPER), PAPER))(parse(pages[0]))) == 1


def flowing_page(number: int, chance: random.Random) -> str:
    parts = [f"<h2>Head {number:b}</h2>".replace("1", "one ").replace("0", "nil ")]
    for tag in chance.choices(["p", "pre"], k=chance.randrange(3, 9)):
        text = " ".join("".join(chance.choices("abcdefgh", k=5)) for _ in range(6))
        parts.append(f"<{tag}>{text}</{tag}>")
    return f"<div class=nav><b>Home</b><i>Help</i></div>{''.join(parts)}<div id=f><b>Imprint</b></div>"


def test_what_lies_between_the_templates_of_a_body_is_one_segment() -> None:
    chance = random.Random(1)
    pages = [flowing_page(number, chance) for number in range(40)]
    found = SOMSegmenter(tree=refine(tree_of(pages)))(parse(flowing_page(99, chance)))
    texts = found.texts()
    assert texts[-1] == "Imprint"
    assert texts[2] == "Head one one nil nil nil one one"
    assert len(texts) == 5
    assert len(texts[3].splitlines()) >= 3
    assert len(SOMSegmenter(tree=refine(tree_of(pages), Rules(flow=False)))(parse(pages[0]))) > len(texts)


html_pages = st.recursive(
    st.text("ab ", max_size=5),
    lambda inner: st.builds(
        lambda tag, parts, name: f"<{tag} {name}>{''.join(parts)}</{tag}>",
        st.sampled_from(TAGS),
        st.lists(inner, max_size=4),
        st.sampled_from(["", "class=x", "id=y"]),
    ),
    max_leaves=12,
)


@settings(max_examples=60, deadline=None)
@given(st.lists(html_pages, min_size=1, max_size=8), st.integers(0, 8), st.randoms())
def test_trees_add_up_whatever_the_parts(pages: list[str], cut: int, chance: random.Random) -> None:
    whole = tree_of(pages)
    chance.shuffle(pages)
    parts = [tree_of(pages[:cut]), tree_of(pages[cut:])]
    assert Tree.merged(parts) == whole
    assert Tree.merged([Tree.merged(parts)]) == whole
    assert whole.counter.sum() == sum(len(nodes_of(parse(page))) for page in pages)


@settings(max_examples=60, deadline=None)
@given(st.lists(html_pages, min_size=1, max_size=6), html_pages, st.booleans())
def test_every_shown_block_is_in_one_segment(pages: list[str], other: str, paper: bool) -> None:
    rules = PAPER if paper else Rules()
    segmenter = SOMSegmenter(tree=refine(tree_of(pages, rules), rules))
    for html in (*pages, other):
        page = parse(html)
        found = segmenter(page)
        assert (found.labels() >= 0).tolist() == (~page.blocks.hidden).tolist()
        assert sum(item.stop - item.start for item in found.segments) >= int((found.labels() >= 0).sum())
        assert Segmentation.from_json(page, found.json()) == found


def test_a_join_is_never_to_a_node_that_was_joined_itself() -> None:
    chance = random.Random(5)
    pages = ["".join(chance.choices(["<div>", "</div>", "x", "<p>y", "<b class=q>"], k=40)) for _ in range(60)]
    refined = refine(tree_of(pages))
    assert np.array_equal(refined.into[refined.into], refined.into)


def test_an_empty_site() -> None:
    found = SOMSegmenter(tree=refine(Tree.of([])))(parse("<p>one<p>two"))
    assert "".join(found.texts()).replace("\n", "") == "onetwo"


def test_rules_are_checked() -> None:
    with pytest.raises(InputError, match="alpha and beta"):
        Rules(alpha=0)
