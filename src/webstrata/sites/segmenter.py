"""Segments of a page by the tree of its site (Fernandes et al. 2011)."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from webstrata.page import Page
from webstrata.segmentation.base import Segment, Segmentation
from webstrata.sites.classes import Refined
from webstrata.sites.nodes import Nodes, nodes_of
from webstrata.text import Column

__all__ = ["SOMSegmenter", "block_classes"]


@dataclass(frozen=True, kw_only=True)
class SOMSegmenter:
    """The segments of a page by the SOM tree of its site; their kind is the label of their class.

    New pages of the site are segmented too.

    Parameters
    ----------
    tree : the refined tree of the site
    source : name of the site, for the ``repr``

    >>> from webstrata.page import parse
    >>> from webstrata.sites.classes import refine
    >>> from webstrata.sites.tree import Tree
    >>> pages = [parse(f"<div>Home</div><div><p>Page {n}<p>about {n}</div><table><tr><td>Foot</table>") for n in "abc"]
    >>> tree = refine(Tree.of(map(nodes_of, pages)))
    >>> SOMSegmenter(tree=tree)(pages[0]).texts()
    ['Home', 'Page a\\nabout a', 'Foot']
    """

    tree: Refined = field(repr=False)
    source: str = ""

    def __call__(self, page: Page) -> Segmentation:
        number, label = block_classes(page, self.tree)
        shown = np.flatnonzero(number >= 0)
        # A segment is a run of shown blocks with one number; each run without a class is a segment too.
        breaks = np.flatnonzero(np.diff(number[shown])) + 1
        segments = []
        for run in np.split(shown, breaks) if len(shown) else ():
            kind = f"{int(label[run[0]]):016x}" if label[run[0]] else ""
            segments.append(Segment(int(run[0]), int(run[-1]) + 1, 1, kind))
        return Segmentation(page, tuple(segments), repr(self))


def block_classes(page: Page, tree: Refined, nodes: Nodes | None = None) -> tuple[Column, Column]:
    """For each block the number of its segment (-1 if hidden), and the label of its class (0 if it has none).

    Parameters
    ----------
    page : the page
    tree : of its site
    nodes : of the page by the rules of the tree; computed by default
    """
    nodes = nodes or nodes_of(page, tree.rules)
    segment, label = tree.segments(nodes)
    blocks = page.blocks
    # 0 is for blocks without a class, such as text directly in the body.
    number, labels = np.zeros(len(blocks), np.int64), np.zeros(len(blocks), np.uint64)
    above = np.where(nodes.parent >= 0, segment[nodes.parent], -1)
    for row in np.flatnonzero((segment >= 0) & (segment != above)).tolist():
        span = slice(int(nodes.first_block[row]), int(nodes.end_block[row]))
        number[span], labels[span] = segment[row] + 1, label[row]
    number[blocks.hidden] = -1
    return number, labels
