"""The SOM tree (Fernandes et al. 2011 §4.2, Algorithm 2): the nodes of all pages of a site, overlaid.

Two nodes of different pages are one node of the tree if their labels are equal. The tree is a table of columns, and
trees add up in any order: the tree of two sets of pages is the sum of their trees (`Tree.merged`), so that parts of a
crawl can be folded separately.

*Deviations.* The paper keeps for each node the list of pages with text there. Here their number is kept: refinement
needs to know only whether the list is empty, and the class of a page's text follows from the page itself. For each
node, the four smallest hashes of its distinct texts are kept with the number of their pages: a random sample, which
shows how often a text of this node repeats.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields

import numpy as np

from webstrata._once import once
from webstrata.sites.nodes import Nodes
from webstrata.text import Column

__all__ = ["SAMPLE", "Tree"]

#: Number of distinct texts of a node that are kept.
SAMPLE = 4


@dataclass(frozen=True, eq=False, repr=False)
class Tree:
    """The nodes of a site, one row each, sorted by label.

    Attributes
    ----------
    pages : number of pages
    label, parent : hashes of the paths of the node and of its parent, 0 for no parent
    name, number, depth, outer : as in `Nodes`
    counter : number of pages that have the node
    text_pages : number of pages that have text there (the length of the paper's pageList)
    texts, text_counts : `SAMPLE` distinct texts of each node, 0 for none, and their pages

    >>> from webstrata.page import parse
    >>> from webstrata.sites.nodes import nodes_of
    >>> pages = [parse("<div><h1>a</h1><pre>b</pre></div>"), parse("<div><h1>c</h1><p>d</p></div>")]
    >>> one, two = (Tree.of([nodes_of(page)]) for page in pages)
    >>> tree = Tree.merged([one, two])
    >>> len(tree), sorted(tree.counter.tolist())
    (6, [1, 1, 2, 2, 2, 2])
    """

    pages: int
    label: Column
    parent: Column
    name: Column
    number: Column
    depth: Column
    outer: Column
    counter: Column
    text_pages: Column
    texts: Column
    text_counts: Column

    def __len__(self) -> int:
        return len(self.label)

    def __repr__(self) -> str:
        return f"<Tree: {self.pages} pages, {len(self)} nodes>"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Tree):
            return NotImplemented
        return all(np.array_equal(getattr(self, item.name), getattr(other, item.name)) for item in fields(self))

    __hash__ = None  # type: ignore[assignment]

    @classmethod
    def of(cls, pages: Iterable[Nodes]) -> Tree:
        """The tree of some pages."""
        return cls.merged([cls._page(nodes) for nodes in pages])

    @classmethod
    def _page(cls, nodes: Nodes) -> Tree:
        """The tree of one page, not yet sorted; merging sorts it."""
        count = len(nodes)
        parent = np.where(nodes.parent >= 0, nodes.label[nodes.parent], 0).astype(np.uint64)
        texts = np.zeros((count, SAMPLE), np.uint64)
        texts[:, 0] = nodes.text
        counts = np.zeros((count, SAMPLE), np.int64)
        counts[:, 0] = nodes.text != 0
        has_text = ((nodes.leaf_text > 0) & (nodes.words > 0)).astype(np.int64)
        ones = np.ones(count, np.int64)
        columns = (nodes.label, parent, nodes.name, nodes.number, nodes.depth, nodes.outer)
        return cls(1, *columns, ones, has_text, texts, counts)

    @classmethod
    def merged(cls, trees: Sequence[Tree]) -> Tree:
        """The sum of trees."""
        if not trees:
            return cls._empty()
        label = np.concatenate([tree.label for tree in trees])
        unique, first, place = np.unique(label, return_index=True, return_inverse=True)

        def sums(name: str) -> Column:
            values = np.concatenate([getattr(tree, name) for tree in trees])
            added = np.zeros(len(unique), np.int64)
            np.add.at(added, place, values)
            return added

        def firsts(name: str) -> Column:
            values: Column = np.concatenate([getattr(tree, name) for tree in trees])[first]
            return values

        # Equal labels have equal values of these; only counts differ.
        same = [firsts(name) for name in ("parent", "name", "number", "depth", "outer")]
        texts = np.concatenate([tree.texts for tree in trees])
        counts = np.concatenate([tree.text_counts for tree in trees])
        found, found_counts = _samples(place, texts, counts, len(unique))
        parent, name, number, depth, outer = same
        return cls(
            sum(tree.pages for tree in trees),
            unique,
            parent,
            name,
            number,
            depth,
            outer,
            sums("counter"),
            sums("text_pages"),
            found,
            found_counts,
        )

    @classmethod
    def _empty(cls) -> Tree:
        hashes, numbers = np.zeros(0, np.uint64), np.zeros(0, np.int32)
        counts = np.zeros(0, np.int64)
        samples = np.zeros((0, SAMPLE), np.uint64), np.zeros((0, SAMPLE), np.int64)
        outer = np.zeros(0, np.uint8)
        return cls(0, hashes, hashes, hashes, numbers, numbers, outer, counts, counts, *samples)

    @once
    def parent_row(self) -> Column:
        """The row of each node's parent, -1 for none."""
        return self.find(self.parent)

    def find(self, labels: Column) -> Column:
        """The rows of these labels, -1 for labels that the tree does not have."""
        if not len(self):
            return np.full(len(labels), -1, np.int64)
        rows = np.minimum(np.searchsorted(self.label, labels), len(self) - 1)
        return np.where(self.label[rows] == labels, rows, -1)

    @once
    def repetition(self) -> Column:
        """The mean number of pages of a distinct text of each node; 1 if each page has another text."""
        kept = np.maximum((self.text_counts > 0).sum(axis=1), 1)
        return np.asarray(self.text_counts.sum(axis=1) / kept)


def _samples(place: Column, texts: Column, counts: Column, size: int) -> tuple[Column, Column]:
    """For each node the texts with the smallest hashes, and the sums of their counts."""
    row, column = np.nonzero(counts)
    nodes, hashes, values = place[row], texts[row, column], counts[row, column]
    order = np.lexsort((hashes, nodes))
    nodes, hashes, values = nodes[order], hashes[order], values[order]
    new = np.ones(len(nodes), bool)
    new[1:] = (nodes[1:] != nodes[:-1]) | (hashes[1:] != hashes[:-1])
    start = np.flatnonzero(new)
    values = np.add.reduceat(values, start) if len(start) else values
    nodes, hashes = nodes[start], hashes[start]
    # The rank of each text among those of its node.
    opening = np.searchsorted(nodes, nodes)
    rank = np.arange(len(nodes)) - opening
    kept = rank < SAMPLE
    found, found_counts = np.zeros((size, SAMPLE), np.uint64), np.zeros((size, SAMPLE), np.int64)
    found[nodes[kept], rank[kept]] = hashes[kept]
    found_counts[nodes[kept], rank[kept]] = values[kept]
    return found, found_counts
