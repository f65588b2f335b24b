"""Segment classes: the refinement of a SOM tree (Fernandes et al. 2011 §4.3), and which class a text belongs to.

Both heuristics of the paper: nested nodes with text are joined where they are less than *alpha* levels apart; children
are joined to their parent where each stands on fewer than *beta* pages.

**Flow.** A template has *slots*: children that stand on nearly every page that has the parent. Children that come in
another number on every page (paragraphs and headings that lie directly in ``body``, sections beside a menu) are its
*flow*: what pages have there is one text, so neighbours of a flow are one segment. A child whose text comes back on
page after page is no part of a flow.

*Deviations.* Line 21 of Algorithm 1 reads "pageList not empty", since joining needs a node with text; the text around
it says so. A subtree below children that are joined in lines 30 to 38 goes with them. `Rules` lists the rest.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

import webstrata.sites._nodes as _nodes
from webstrata.sites.nodes import Nodes
from webstrata.sites.rules import Rules
from webstrata.sites.tree import Tree
from webstrata.text import Column

__all__ = ["Refined", "refine"]

# A slot stands on this share of the pages that have its parent.
_SLOT_SHARE = 0.8
# Siblings of one name are a flow if three pages in four have one more of them than there are slots, or more often.
_FLOW_MORE = 0.75
# A text that stands on so many pages, on average, is part of the template.
_TEMPLATE_PAGES = 5


@dataclass(frozen=True, eq=False, repr=False)
class Refined:
    """A tree and what became of its nodes.

    Attributes
    ----------
    tree : the tree before
    rules : how it was refined
    into : for each node, the row of the node that has its text now
    flow : for each node, whether it is part of its parent's flow
    """

    tree: Tree
    rules: Rules
    into: Column
    flow: Column

    def __repr__(self) -> str:
        return f"<Refined tree: {int(self.is_class.sum())} classes of {len(self.tree)} nodes>"

    @property
    def is_class(self) -> Column:
        """Which nodes have text of their own or of nodes that were joined to them."""
        found = np.zeros(len(self.tree), bool)
        found[self.into[self.tree.text_pages > 0]] = True
        return found

    def segments(self, nodes: Nodes) -> tuple[Column, Column]:
        """The segment of each node of a page: the row of its first node, or -1; and the label of its class.

        The class of a flow is called by the label of the parent whose flow it is. A node that the tree does not know
        belongs to what its nearest known ancestor was joined to.
        """
        rules = self.rules
        place = self.tree.find(nodes.label)
        segment = _nodes.assign(
            nodes.parent,
            place,
            nodes.leaf_text,
            nodes.words,
            nodes.outer,
            self.into,
            self.flow.astype(np.uint8),
            rules.outermost,
            rules.flow,
        )
        flows = np.zeros(len(nodes), bool)
        if rules.flow and len(self.tree):
            known_parent = (nodes.parent >= 0) & (place[nodes.parent] >= 0)
            flows = known_parent & np.where(place >= 0, self.flow[place], True)
        label = np.where(flows, nodes.label[nodes.parent], nodes.label)
        return segment, np.where(segment >= 0, label[segment], 0)


def refine(tree: Tree, rules: Rules | None = None) -> Refined:
    """Join the nodes of a tree to classes."""
    rules = rules or Rules()
    order, end = _pre_order(tree)
    into = np.arange(len(tree))
    parent = tree.parent_row.tolist()
    text, alive = (tree.text_pages > 0).tolist(), [True] * len(tree)
    closed = tree.outer.astype(bool).tolist()
    _join_nested(order, end, parent, tree.depth.tolist(), text, closed, alive, into, rules.alpha)
    beta = min(rules.beta, max(1, tree.pages // 2)) if rules.scaled else rules.beta
    _join_rare(order, parent, tree.counter.tolist(), closed, alive, into, beta)
    # Top down, so that what a node was joined to is settled before it is.
    for row in order:
        if into[row] != row:
            into[row] = into[into[row]]
        elif parent[row] >= 0 and into[parent[row]] != parent[row]:
            into[row] = into[parent[row]]
    return Refined(tree, rules, into, _flow(tree, rules))


def _pre_order(tree: Tree) -> tuple[list[int], dict[int, int]]:
    """The rows so that parents come before their children and subtrees are runs; and where each subtree ends."""
    parent = tree.parent_row
    children: dict[int, list[int]] = {}
    for row in np.lexsort((tree.number, tree.name, tree.depth)).tolist():
        children.setdefault(int(parent[row]), []).append(row)
    order: list[int] = []
    end: dict[int, int] = {}
    # A row goes in when it is met, and its end is set when it is met again, complemented.
    stack = children.get(-1, [])[::-1]
    while stack:
        row = stack.pop()
        if row < 0:
            end[~row] = len(order)
            continue
        order.append(row)
        stack.append(~row)
        stack.extend(children.get(row, [])[::-1])
    return order, end


def _join_nested(
    order: list[int],
    end: dict[int, int],
    parent: list[int],
    depth: list[int],
    text: list[bool],
    closed: list[bool],
    alive: list[bool],
    into: Column,
    alpha: int,
) -> None:
    """Lines 20 to 29 of Algorithm 1: a node with text takes the leaves less than alpha levels below it."""
    place = {row: number for number, row in enumerate(order)}
    for row in order:
        if not (alive[row] and text[row]) or closed[row]:
            continue
        near: list[int] = []
        stands = {row}
        position, stop = place[row] + 1, end[row]
        while position < stop:
            below = order[position]
            if alive[below] and depth[below] - depth[row] < alpha:
                near.append(below)
                position += 1
            else:
                if alive[below]:
                    stands.add(parent[below])
                position = end[below]
        # Children before parents: a node is a leaf once all below it are gone.
        for below in reversed(near):
            if below in stands:
                stands.add(parent[below])
            else:
                alive[below] = False
                into[below] = row


def _join_rare(
    order: list[int],
    parent: list[int],
    counter: list[int],
    closed: list[bool],
    alive: list[bool],
    into: Column,
    beta: int,
) -> None:
    """Lines 30 to 38: children that are all rare go to their parent."""
    children: dict[int, list[int]] = {}
    for row in order:
        if alive[row] and parent[row] >= 0:
            children.setdefault(parent[row], []).append(row)
    for row in reversed(order):
        below = children.get(row)
        if not below or closed[row] or not alive[row] or any(counter[child] >= beta for child in below):
            continue
        for child in below:
            alive[child] = False
            into[child] = row
            counter[row] += counter[child]


def _flow(tree: Tree, rules: Rules) -> Column:
    """Which nodes are part of a flow. Of a parent with fewer than beta pages, slots and flow cannot be told apart."""
    if not len(tree):
        return np.zeros(0, bool)
    parent = tree.parent_row
    pages = np.where(parent >= 0, tree.counter[parent], tree.pages)
    slot = tree.counter >= _SLOT_SHARE * pages
    siblings = np.rec.fromarrays([parent, tree.name])
    _, group = np.unique(siblings, return_inverse=True)
    more = np.bincount(group, np.where(slot, 0.0, tree.counter / np.maximum(pages, 1)))[group]
    varies = (more > _FLOW_MORE) | ~slot
    known = (parent >= 0) & (pages >= rules.beta)
    return varies & known & (tree.repetition < _TEMPLATE_PAGES)
