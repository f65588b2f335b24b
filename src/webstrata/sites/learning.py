"""A site is learned from its pages: `learn` does all, and a crawl the same in parts.

First the nodes of all pages are added up to a tree, and the fingerprints of their paragraphs are counted. With the
refined tree, the segment classes of each page are counted.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from webstrata._escaping import one_line
from webstrata._pages import AnyPages, pages_of
from webstrata.errors import InputError
from webstrata.extraction.base import EXTRACTORS, Extractor
from webstrata.page import Page
from webstrata.sites.classes import refine
from webstrata.sites.counts import ClassCounts, add_counts, count_page
from webstrata.sites.fingerprints import paragraph_fingerprints
from webstrata.sites.grouping import site_of
from webstrata.sites.nodes import Nodes, nodes_of
from webstrata.sites.rules import Rules
from webstrata.sites.site import Site
from webstrata.sites.tree import Tree
from webstrata.text import Column

__all__ = ["GrowingTree", "SitePage", "learn"]

# Characters of a text that are kept as an example.
_QUOTED = 80


def learn(
    pages: AnyPages,
    *,
    name: str = "",
    rules: Rules | None = None,
    extractor: str | Extractor | None = "learned",
) -> Site:
    """The site that these pages belong to, the same as that of a crawl of them.

    Parameters
    ----------
    pages : `Page` objects, HTML, or files (`Path`); ten are enough to separate templates and content
    name : of the site; the host of its first page by default, or "all" if no page has a URL
    rules : of the tree
    extractor : its decisions are counted for each segment class, for extraction with the site; None for no counts

    >>> html = "<div id=menu>Home</div><div class=text><h1>{0}</h1><p>All about {0}.</div>"
    >>> site = learn([html.format(word) for word in "clay sand silt marl loam chalk flint slate".split()])
    >>> site
    <Site all: 8 pages, 3 classes, repeated paragraphs: 1>
    """
    rules = rules or Rules()
    find = EXTRACTORS.make(extractor) if isinstance(extractor, str) and extractor else extractor or None
    growing, read = GrowingTree(), []
    for page in pages_of(pages):
        if len(page.blocks):
            found = SitePage.of(page, rules, find)
            growing.add(Tree.of([found.nodes]), found.names)
            read.append(found)
            name = name or site_of(page.url, "host")
    if not read:
        raise InputError("no page has text, so there is no site to learn from them")
    tree = refine(growing.finished(), rules)
    counts: ClassCounts = {}
    for found in read:
        add_counts(counts, count_page(tree, found.nodes, found.kept, found.url, found.quotes))
    values, frequency = np.unique(np.concatenate([found.fingerprints for found in read]), return_counts=True)
    often = frequency > 1
    return Site.of(name or "all", tree, growing.names, counts, values[often], frequency[often])


@dataclass(frozen=True, eq=False, repr=False)
class SitePage:
    """What a site learns from one page.

    Attributes
    ----------
    url : its URL; empty if unknown
    nodes : its nodes
    kept : for each node, the words that an extractor keeps
    fingerprints : the distinct fingerprints of its paragraphs, sorted
    names : for each `Nodes.name`, the tag with the names of its attributes
    quotes : for each node, how its text begins
    """

    url: str
    nodes: Nodes
    kept: Column
    fingerprints: Column
    names: Mapping[int, str]
    quotes: Sequence[str]

    def __repr__(self) -> str:
        return f"<SitePage {self.url}: {len(self.nodes)} nodes, {len(self.fingerprints)} fingerprints>"

    @classmethod
    def of(cls, page: Page, rules: Rules, extractor: Extractor | None) -> SitePage:
        """Read a page; without an extractor, no words are counted as kept."""
        nodes = nodes_of(page, rules)
        unique, first = np.unique(nodes.name, return_index=True)
        elements = nodes.element[first].tolist()
        names = {name: _name(page, element) for name, element in zip(unique.tolist(), elements, strict=True)}
        found, _ = paragraph_fingerprints(page)
        return cls(
            page.url or "",
            nodes,
            _kept(page, nodes, extractor),
            np.unique(found[found != 0]),
            names,
            _quotes(page, nodes),
        )


def _quotes(page: Page, nodes: Nodes) -> list[str]:
    """How the shown text of each node begins, on one line."""
    shown = np.flatnonzero(~page.blocks.hidden)
    first, end = np.searchsorted(shown, nodes.first_block), np.searchsorted(shown, nodes.end_block)
    start, stop = (column[shown].tolist() for column in (page.blocks.text_start, page.blocks.text_stop))
    text = page.text
    return [
        one_line(text[start[a] : min(stop[b - 1], start[a] + 4 * _QUOTED)], _QUOTED) if a < b else ""
        for a, b in zip(first.tolist(), end.tolist(), strict=True)
    ]


def _kept(page: Page, nodes: Nodes, extractor: Extractor | None) -> Column:
    if extractor is None:
        return np.zeros(len(nodes), np.int32)
    keep = extractor(page).keep & ~page.blocks.hidden
    total = np.concatenate(([0], np.cumsum(np.where(keep, page.blocks.words, 0))))
    return np.asarray((total[nodes.end_block] - total[nodes.first_block]).astype(np.int32))


def _name(page: Page, element: int) -> str:
    found = page.elements[element]
    return found.tag + "".join(f"[{name}]" for name in sorted(found.attributes))


class GrowingTree:
    """The sum of trees and of their names. Trees wait until they are twice as large as the sum: so the time for merging
    is linear in the number of nodes."""

    def __init__(self) -> None:
        self.names: dict[int, str] = {}
        self._tree = Tree.of([])
        self._waiting: list[Tree] = []
        self._size = 0

    def add(self, tree: Tree, names: Mapping[int, str]) -> None:
        """Add a tree, and the names of its nodes."""
        self._waiting.append(tree)
        self._size += len(tree)
        for name, text in names.items():
            # The smallest text of a name, so that the order of pages does not matter.
            self.names[name] = min(self.names.get(name, text), text)
        if self._size > 2 * len(self._tree) + 10_000:
            self.finished()

    def finished(self) -> Tree:
        """The sum of all trees so far."""
        self._tree = Tree.merged([self._tree, *self._waiting])
        self._waiting, self._size = [], 0
        return self._tree
