"""Segment classes: the refinement of a SOM tree (Fernandes et al. 2011 §4.3), and the class of each text.

Both heuristics of the paper are used: nested nodes with text are joined if they are less than *alpha* levels apart;
children are joined to their parent if each is on fewer than *beta* pages.

**Flow.** A template has *slots*: children on nearly every page that has the parent. Children whose number varies from
page to page (paragraphs and headings directly in ``body``, sections beside a menu) are its *flow*: the pages have one
text there, so neighbours in a flow are one segment. A child whose text repeats on many pages is not part of a flow.

*Deviations.* Line 21 of Algorithm 1 is read as "pageList not empty", because joining needs a node with text, as the
text of the paper says. A subtree below children that are joined in lines 30 to 38 is joined with them. `Rules` lists
the other deviations.
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

# A slot is on this share of the pages that have its parent.
_SLOT_SHARE = 0.8
# Siblings of one name are a flow if on average a page has this many more of them than there are slots.
_FLOW_MORE = 0.75
# A text on this many pages, on average, is part of the template.
_TEMPLATE_PAGES = 5


@dataclass(frozen=True, eq=False, repr=False)
class Refined:
    """A refined tree: a tree with the nodes that were joined.

    Attributes
    ----------
    tree : the unchanged tree
    rules : of the refinement
    into : for each node, the row of the node that it was joined to, or its own
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
        """Whether each node has text of its own, or of nodes that were joined to it."""
        found = np.zeros(len(self.tree), bool)
        found[self.into[self.tree.text_pages > 0]] = True
        return found

    def segments(self, nodes: Nodes) -> tuple[Column, Column]:
        """For each node of a page its segment (the row of the segment's first node, or -1), and the label of its class.

        The class of a flow has the label of the flow's parent. A node that is not in the tree belongs to the node that
        its nearest ancestor in the tree was joined to.
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
    # Top down, so that the target of a node is final before the node.
    for row in order:
        if into[row] != row:
            into[row] = into[into[row]]
        elif parent[row] >= 0 and into[parent[row]] != parent[row]:
            into[row] = into[parent[row]]
    return Refined(tree, rules, into, _flow(tree, rules))


def _pre_order(tree: Tree) -> tuple[list[int], dict[int, int]]:
    """The rows in pre-order, in which subtrees are contiguous, and the end of each subtree."""
    parent = tree.parent_row
    children: dict[int, list[int]] = {}
    for row in np.lexsort((tree.number, tree.name, tree.depth)).tolist():
        children.setdefault(int(parent[row]), []).append(row)
    order: list[int] = []
    end: dict[int, int] = {}
    # A row is pushed again as its complement, which sets its end once its subtree is done.
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
    """Lines 20 to 29 of Algorithm 1: leaves less than alpha levels below a node with text are joined to it."""
    place = {row: number for number, row in enumerate(order)}
    for row in order:
        if not (alive[row] and text[row]) or closed[row]:
            continue
        near: list[int] = []
        inner = {row}
        position, stop = place[row] + 1, end[row]
        while position < stop:
            below = order[position]
            if alive[below] and depth[below] - depth[row] < alpha:
                near.append(below)
                position += 1
            else:
                if alive[below]:
                    inner.add(parent[below])
                position = end[below]
        # Children before parents: a node becomes a leaf once all nodes below it are joined.
        for below in reversed(near):
            if below in inner:
                inner.add(parent[below])
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
    """Lines 30 to 38: children that are all rare are joined to their parent."""
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
    """Whether each node is part of a flow. Below a parent with fewer than beta pages, no node is: slots and flow cannot
    be distinguished there."""
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
