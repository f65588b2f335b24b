"""Groups of pages with one template each, so that a site is learned group by group.

Fernandes et al. 2011 §4.3 name it as the alternative to alpha: "use a clustering algorithm to group the pages of the
site according to their templates", and a tree for each group. The paper leaves the algorithm open. Here a page is the
set of the paths of its nodes, each the first of its name among its siblings, so that the number of paragraphs or items
does not matter. A page joins the group whose first page is most similar (Jaccard), or begins a new one.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from webstrata._pages import AnyPages, pages_of
from webstrata.errors import InputError
from webstrata.sites.nodes import Nodes, nodes_of
from webstrata.text import Column

__all__ = ["group_nodes", "template_groups"]

# Groups at most: further pages join the most similar one. Each page is compared with the first page of each group.
_MOST_GROUPS = 64


def template_groups(pages: AnyPages, *, similarity: float = 0.5) -> Column:
    """The number of the group of each page; groups are numbered in the order of their first pages.

    Parameters
    ----------
    pages : `Page` objects, HTML, or files (`Path`)
    similarity : the share of all paths of two pages that both have, from which on they are of one group

    >>> article, item = "<div id=a><h1>{0}</h1><p>About {0}</div>", "<table class=b><tr><td>{0}<td>Price</table>"
    >>> template_groups([article.format("clay"), item.format("sand"), article.format("silt")]).tolist()
    [0, 1, 0]
    """
    return group_nodes([nodes_of(page) for page in pages_of(pages)], similarity=similarity)


def group_nodes(pages: Sequence[Nodes], *, similarity: float = 0.5) -> Column:
    """As `template_groups`, for pages whose nodes are known."""
    if not 0 < similarity <= 1:
        raise InputError(f"similarity is a share above 0 and up to 1, not {similarity}")
    first: list[Column] = []
    group = np.zeros(len(pages), np.int64)
    for number, nodes in enumerate(pages):
        paths = _paths(nodes)
        values = [_jaccard(paths, other) for other in first]
        best = int(np.argmax(values)) if values else -1
        if best < 0 or (values[best] < similarity and len(first) < _MOST_GROUPS):
            best = len(first)
            first.append(paths)
        group[number] = best
    return group


def _paths(nodes: Nodes) -> Column:
    """The labels of nodes that are the first of their name, as all nodes above them are."""
    kept = (nodes.number == 1).tolist()
    for row, parent in enumerate(nodes.parent.tolist()):
        kept[row] = kept[row] and (parent < 0 or kept[parent])
    return np.unique(nodes.label[np.array(kept, bool)])


def _jaccard(one: Column, other: Column) -> float:
    both = len(np.intersect1d(one, other, assume_unique=True))
    return both / (len(one) + len(other) - both) if len(one) or len(other) else 1.0
