"""PageSegmenter' (Kreuzer 2013 §6.2): runs of siblings whose paths to the leaves repeat themselves are segments."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from webstrata._once import once
from webstrata.page import TAGS, Page
from webstrata.segmentation._ranges import divide
from webstrata.segmentation.base import Segmentation, Segmenter, flat
from webstrata.segmentation.literal import TEXT, literal_nodes, literal_spans
from webstrata.segmentation.nodes import parents_of_blocks, source_order, split_links
from webstrata.text import Column
from webstrata.tree import children, common_ancestors, nearest

__all__ = ["PageSegmenter", "PageSegmenterBlocks"]

# Entropies are integers in units of 2**-32: sums are exact, and means can be compared with the median.
_SCALE = 1 << 32

# For each node in document order: its parent, its block (-1 if it has none) and its name.
Nodes = tuple[list[int], list[int], list[str]]


@dataclass(frozen=True, kw_only=True)
class PageSegmenter:
    r"""PageSegmenter' of Kreuzer 2013, Algorithm 6.3, to the letter.

    The path of a leaf is the tags from the root down to it, and its probability is its share among the paths of all
    leaves. The path entropy of a node is

    .. math:: H_P(N) = -\sum_i p(i) \log p(i)

    over the k root-to-leaf paths below it. From the root on, a range of siblings whose mean entropy is at most the
    median of all nodes is a segment: the longest range first, the leftmost of equal length, then the siblings before it
    and after it; the whole list is not a range, because its parent would be one. Nodes outside of all ranges are
    entered.

    A leaf is a text, also one of white space alone, or an element with nothing inside, as in a document of minidom. "k
    is the number of root-to-leaf paths" is read as all of them: a list of ten equal items has ten times the entropy of
    one item. `PageSegmenterBlocks` reads both otherwise.

    Notes
    -----
    The thesis gives O(n³). With prefix sums the mean of a range is one subtraction, and the longest range with a mean
    of at most the median is found in linear time. All ranges of one length are taken in one pass, and successive passes
    over a list of siblings have different lengths, so n nodes take O(n√n) at most, and O(n) on most pages.

    Deviations
    ----------
    - Comments are not leaves.
    - Segments are ranges of blocks, and a block belongs to the text that it begins with: a link in the middle of a
      block is a leaf of its own in the tree, and no segment of its own.
    - A range of nodes without shown text has no blocks, and is not a segment here.

    >>> from webstrata.page import parse
    >>> page = parse("<ul><li>one<li>two<li>three</ul><p>A <b>page</b> comes <i>in</i> layers.<hr><pre>x</pre>")
    >>> PageSegmenter()(page).texts()
    ['one\ntwo', 'three', 'A page comes in', 'layers.', 'x']

    Reference: R. Kreuzer, A quantitative comparison of semantic web page segmentation algorithms, MSc thesis, Utrecht
    2013, after S. Vadrevu, F. Gelgi and H. Davulcu, Semantic partitioning of web pages, WISE 2005.
    """

    def __call__(self, page: Page) -> Segmentation:
        tree = _Tree.of(literal_nodes(page))
        return _divided(self, page, tree, tree.entropies(distinct=False))

    def spans(self, page: Page) -> list[tuple[int, int]]:
        """The source of each range of nodes that the algorithm puts out, also of ranges without text.

        >>> from webstrata.page import parse
        >>> page = parse("<p>one <a>two</a><img>")
        >>> [page.source[start:stop].decode() for start, stop in PageSegmenter().spans(page)]
        ['', 'one <a>two</a>', '<img>']
        """
        tree, found = _Tree.of(literal_nodes(page)), literal_spans(page)
        ranges = _ranges(tree, tree.entropies(distinct=False))
        return sorted((found[tree.siblings[a]][0], found[tree.siblings[b - 1]][1]) for a, b in ranges)


@dataclass(frozen=True, kw_only=True)
class PageSegmenterBlocks:
    r"""PageSegmenter' on blocks, with each path below a node counted once: our variant of `PageSegmenter`.

    The text leaves are the atomic blocks, so white space alone is not a leaf, and a link inside a text is part of it. A
    link around whole blocks is a node like any other. Hidden elements are left out. Paths that repeat count once: a
    list of equal items has the entropy of one item, and the algorithm finds such lists.

    >>> from webstrata.page import parse
    >>> page = parse("<ul><li>one<li>two<li>three</ul><p>A <b>page</b> comes <i>in</i> layers.<hr><pre>x</pre>")
    >>> PageSegmenterBlocks()(page).texts()
    ['one\ntwo\nthree', 'A page comes in', 'layers.', 'x']

    Reference: that of `PageSegmenter`.
    """

    def __call__(self, page: Page) -> Segmentation:
        tree = _Tree.of(_nodes(page))
        return _divided(self, page, tree, tree.entropies(distinct=True))


def _divided(segmenter: Segmenter, page: Page, tree: _Tree, entropies: Column) -> Segmentation:
    """The segments of Algorithm 6.3 for the entropies of the nodes."""
    ranges = _ranges(tree, entropies)
    spans = sorted(span for span in (tree.blocks_of(*places) for places in ranges) if span is not None)
    return flat(segmenter, page, (start for start, _ in spans), (stop for _, stop in spans))


def _ranges(tree: _Tree, entropies: Column) -> list[tuple[int, int]]:
    """The ranges of siblings that Algorithm 6.3 puts out, as places in ``tree.siblings``."""
    # Twice the entropy, because the median of an even number of nodes is the mean of two.
    entropy = 2 * entropies
    above = entropy - int(np.median(entropy)) if len(entropy) else entropy
    sums = np.concatenate(([0], np.cumsum(above[tree.siblings]))).astype(np.int64)
    found: list[tuple[int, int]] = divide(sums, tree.siblings, tree.child_start)
    return found


@dataclass(frozen=True, eq=False)
class _Tree:
    """Elements and texts in document order, one row each.

    ``siblings`` lists the nodes with siblings side by side, and ``child_start`` is the index of the first child of
    each.
    """

    parent: Column
    end: Column
    path: Column
    siblings: Column
    child_start: Column
    block: Column

    @classmethod
    def of(cls, nodes: Nodes) -> _Tree:
        parent, block, names = nodes
        n = len(parent)
        end, path = list(range(1, n + 1)), [0] * n
        numbers: dict[tuple[int, str], int] = {}
        for node in range(n):
            above = path[parent[node]] if node else -1
            path[node] = numbers.setdefault((above, names[node]), len(numbers))
        for node in range(n - 1, 0, -1):
            end[parent[node]] = max(end[parent[node]], end[node])
        up = np.array(parent, np.int32)
        siblings, child_start = children(up)
        return cls(
            up, np.array(end, np.int32), np.array(path, np.int32), siblings, child_start, np.array(block, np.int32)
        )

    def entropies(self, *, distinct: bool) -> Column:
        """The path entropy of each node, in units of 1 / `_SCALE`; ``distinct`` counts each path below a node once."""
        leaves = np.flatnonzero(self.child_start[:-1] == self.child_start[1:])
        counts = np.bincount(self.path[leaves], minlength=1)
        p = counts / max(len(leaves), 1)
        weight = np.rint(-_SCALE * p * np.log(p, out=np.zeros_like(p), where=p > 0)).astype(np.int64)
        weights = np.zeros(len(self.parent), np.int64)
        weights[leaves] = weight[self.path[leaves]]
        if distinct:
            # Two leaves of one path below one node count once: subtract the second at the lowest common node.
            order = leaves[np.argsort(self.path[leaves], kind="stable")]
            again = np.flatnonzero(self.path[order[1:]] == self.path[order[:-1]])
            left, right = order[again], order[again + 1]
            np.subtract.at(weights, common_ancestors(self.parent, left, right), weight[self.path[right]])
        sums = np.concatenate(([0], np.cumsum(weights)))
        return sums[self.end] - sums[:-1]

    def blocks_of(self, start: int, stop: int) -> tuple[int, int] | None:
        """The range of blocks of a range of siblings; None if they have no text."""
        first, last = self.siblings[start], self.end[self.siblings[stop - 1]]
        inside = self.texts[np.searchsorted(self.texts, first) : np.searchsorted(self.texts, last)]
        return (int(self.block[inside[0]]), int(self.block[inside[-1]]) + 1) if len(inside) else None

    @once
    def texts(self) -> Column:
        """The nodes that are texts."""
        return np.flatnonzero(self.block >= 0)


def _nodes(page: Page) -> Nodes:
    """For each node in document order: its parent, its block (-1 for elements) and its name."""
    elements = page.elements
    kept = ~elements.hidden & ~split_links(page)
    # An element that is left out is replaced by its nearest kept ancestor.
    standing = nearest(elements, kept)
    above = np.where(elements.parent >= 0, standing[elements.parent], -1).tolist()
    holder = standing[parents_of_blocks(page, kept)].tolist()
    node_of = [-1] * len(elements)
    parent: list[int] = []
    block: list[int] = []
    names: list[str] = []
    for kind, row in _document_order(page, kept):
        owner = holder[row] if kind else above[row]
        if not kind:
            node_of[row] = len(parent)
        parent.append(node_of[owner] if owner >= 0 else -1)
        block.append(row if kind else -1)
        names.append(TEXT if kind else TAGS[elements.tag[row]] or elements[row].tag)
    return parent, block, names


def _document_order(page: Page, kept: Column) -> Iterator[tuple[int, int]]:
    """(0, row of an element) and (1, row of a shown block), in the order of the source."""
    rows, shown = np.flatnonzero(kept), np.flatnonzero(~page.blocks.hidden)
    order = source_order(page, rows, shown)
    return zip((order >= len(rows)).tolist(), np.concatenate((rows, shown))[order].tolist(), strict=True)
