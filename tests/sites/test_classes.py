"""The SOM tree against a plain reading of Fernandes et al. 2011, Algorithms 1 and 2, on random sites.

Siblings have different tags here, so that no label needs a number and no region is recurrent: what is left is exactly
what the paper defines.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from webstrata.page import parse
from webstrata.sites.classes import refine
from webstrata.sites.nodes import nodes_of
from webstrata.sites.rules import PAPER
from webstrata.sites.tree import Tree

#: A node: its tag, whether it has text of its own, and its children.
Node = tuple[str, bool, list["Node"]]
Path = tuple[str, ...]
TAGS = ("div", "section", "article", "aside", "main", "nav")


def trees(depth: int) -> st.SearchStrategy[list[Node]]:
    """Children with different tags."""
    below = trees(depth - 1) if depth else st.just([])
    node = st.tuples(st.booleans(), below)
    return st.lists(st.sampled_from(TAGS), unique=True, max_size=3).flatmap(
        lambda tags: st.tuples(*(node for _ in tags)).map(
            lambda nodes: [(tag, *node) for tag, node in zip(tags, nodes, strict=True)]
        )
    )


def html(nodes: list[Node]) -> str:
    return "".join(f"<{tag}>{'word ' * text}{html(below)}</{tag}>" for tag, text, below in nodes)


def paths(nodes: list[Node], above: Path = ("html", "body")) -> list[tuple[Path, bool]]:
    """Each node with its flag; what is below a node with text belongs to it (§4.1)."""
    found = []
    for tag, text, below in nodes:
        found.append(((*above, tag), text))
        if not text:
            found += paths(below, (*above, tag))
    return found


def segment_classes(site: list[list[Node]], alpha: int, beta: int) -> dict[Path, Path]:
    """Lines 5 to 38: for each node of the site the node that it ends in."""
    counter: dict[Path, int] = {}
    page_list: dict[Path, set[int]] = {}
    for number, page in enumerate(site):
        for path, flag in [(("html",), False), (("html", "body"), False), *paths(page)]:
            counter[path] = counter.get(path, 0) + 1
            page_list.setdefault(path, set()).update({number} if flag else ())
    alive, into = set(counter), {path: path for path in counter}
    pre_order = sorted(counter)
    # In post-order a node comes after all nodes below it.
    post_order = sorted(counter, key=lambda path: (-len(path), path))

    def children(path: Path) -> list[Path]:
        return [other for other in alive if other[:-1] == path]

    for node in pre_order:
        if node in alive and children(node) and page_list[node]:
            for below in post_order:
                near = below in alive and below[: len(node)] == node and 0 < len(below) - len(node) < alpha
                if near and not children(below):
                    page_list[node] |= page_list[below]
                    alive.remove(below)
                    into[below] = node
    for node in post_order:
        below_node = children(node) if node in alive else []
        if below_node and all(counter[child] < beta for child in below_node):
            for child in below_node:
                counter[node] += counter[child]
                alive.remove(child)
                into[child] = node
    for node in pre_order:
        if into[node] != node:
            into[node] = into[into[node]]
        elif len(node) > 1 and into[node[:-1]] != node[:-1]:
            into[node] = into[node[:-1]]
    return into


@settings(max_examples=50)
@given(st.lists(trees(2), min_size=1, max_size=6), st.integers(1, 5), st.integers(1, 4))
def test_classes_are_those_of_the_printed_algorithm(site: list[list[Node]], alpha: int, beta: int) -> None:
    rules = replace(PAPER, alpha=alpha, beta=beta)
    pages = [nodes_of(parse(f"<html><body>{html(page)}</body></html>"), rules) for page in site]
    found = refine(Tree.of(pages), rules)
    label: dict[Path, int] = {}
    for nodes, page in zip(pages, site, strict=True):
        known = [("html",), ("html", "body"), *(path for path, _ in paths(page))]
        assert len(nodes) == len(known)
        label.update(zip(known, nodes.label.tolist(), strict=True))
    for path, target in segment_classes(site, alpha, beta).items():
        row = int(found.tree.find(np.array([label[path]], np.uint64))[0])
        assert int(found.tree.label[found.into[row]]) == label[target], (path, target)
