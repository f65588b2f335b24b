"""The preprocessing of pages (Fernandes et al. 2011 §4.1): from elements to the nodes of a SOM tree.

A node's **label** is its tag, the names of its attributes, its number among equal siblings, and the label of its
parent. A node with text of its own is a **leaf** (nested content), and so is one whose children are a recurrent
region. Elements below a leaf are not nodes.

*Deviations.* Labels are 64-bit hashes. ``a`` is transparent, as everywhere in webstrata: the text of a link belongs to
the element around it. Hidden elements, scripts, styles and the head are not nodes. Attributes are a set: their order
does not matter. `webstrata.sites.rules.Rules` lists the rest.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

import webstrata.sites._nodes as _nodes
from webstrata.elements import HIDDEN, TAG_NUMBERS
from webstrata.page import Page
from webstrata.sites.rules import Rules
from webstrata.text import Column

__all__ = ["Nodes", "nodes_of"]


def _tags(*names: str) -> Column:
    table = np.zeros(256, bool)
    table[[TAG_NUMBERS[name] for name in names]] = True
    return table


_SKIPPED = _tags("head", "script", "style", "template", "link", "meta", "noscript")
_OUTER = _tags("html", "body")
_LISTS = _tags("ul", "ol", "dl", "menu")


@dataclass(frozen=True, eq=False, repr=False)
class Nodes:
    """The nodes of one page in document order, one row each.

    Attributes
    ----------
    label : hash of the path from the root
    parent : the row of the parent, -1 for the root
    name : hash of the tag and the names of the attributes
    number : its number among siblings of that name, from 1
    depth : in the page
    leaf_text : whether text of the page belongs to this node (N.flag of the paper)
    words : shown words of the node and all nodes below it
    text : hash of that text without digits and white space, 0 for none
    outer : whether it is ``html`` or ``body``
    element : the row in the page's elements
    first_block, end_block : its blocks
    """

    label: Column
    parent: Column
    name: Column
    number: Column
    depth: Column
    leaf_text: Column
    words: Column
    text: Column
    outer: Column
    element: Column
    first_block: Column
    end_block: Column

    def __len__(self) -> int:
        return len(self.label)

    def __repr__(self) -> str:
        return f"<Nodes: {len(self)} rows, {int(self.leaf_text.sum())} with text>"


def nodes_of(page: Page, rules: Rules | None = None) -> Nodes:
    """The nodes of a page.

    >>> from webstrata.page import parse
    >>> nodes = nodes_of(parse("<div>One <a>two</a></div><ul><li>three<li>four</ul>"))
    >>> [page_row for page_row in nodes.words.tolist()]  # html, body, div, ul
    [4, 4, 2, 2]
    """
    rules = rules or Rules()
    elements, blocks = page.elements, page.blocks
    skipped = (_SKIPPED[elements.tag] | ((elements.flags & HIDDEN) > 0)).astype(np.uint8)
    source = np.frombuffer(page.source, np.uint8)
    name = _nodes.names(source, elements.tag, elements.flags, elements.source_start, elements.open_stop)
    own = np.zeros(len(elements), bool)
    own[blocks.element[~blocks.hidden]] = True
    closed = own | _regions(page, name, skipped, rules)
    if rules.open_body:
        closed &= ~_OUTER[elements.tag]
    rows, parent, label, number = _nodes.build(
        elements.parent, name, skipped, closed.astype(np.uint8), not rules.numbered
    )
    total = np.concatenate(([0], np.cumsum(np.where(blocks.hidden, 0, blocks.words))))
    first, end = elements.first_block[rows], elements.end_block[rows]
    words = (total[end] - total[first]).astype(np.int32)
    hidden = blocks.hidden.astype(np.uint8)
    text = _nodes.texts(source, blocks.source_start, blocks.source_stop, hidden, first, end)
    leaf_text = ((closed[rows] & (words > 0)) | own[rows]).astype(np.uint8)
    outer = (_OUTER[elements.tag[rows]] & rules.open_body).astype(np.uint8)
    depth = elements.depth[rows].astype(np.int32)
    return Nodes(label, parent, name[rows], number, depth, leaf_text, words, text, outer, rows, first, end)


def _regions(page: Page, name: Column, skipped: Column, rules: Rules) -> Column:
    """Whether each element is a recurrent region."""
    elements = page.elements
    found = _nodes.recurrent(elements.parent, name, skipped, rules.cover).astype(bool)
    if rules.lists:
        items = elements.parent[(elements.parent >= 0) & (skipped == 0)]
        found |= _LISTS[elements.tag] & (np.bincount(items, minlength=len(elements)) >= 2)
    return found
