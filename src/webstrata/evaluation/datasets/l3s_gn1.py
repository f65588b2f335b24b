"""L3S-GN1, the "GoogleNews" set of Kohlschütter 2011 §4.4.3: 621 news pages of 2008 with a class for each text.

Annotations are ``<span class="x-nc-sel2">`` around texts. They split blocks at links, so `read_annotated` removes them
from the source before it is parsed; the label of a block is the label of most of its words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np

from webstrata.evaluation.datasets.base import Card, Gold, Item, PageInput
from webstrata.evaluation.datasets.locate import data_path, parquet_rows
from webstrata.extraction.structure.text import text
from webstrata.page import Page, parse
from webstrata.text import Column

__all__ = [
    "ARTICLE",
    "BOILERPLATE",
    "CARD",
    "CLASSES",
    "COMMENTS",
    "FULL_TEXT",
    "HEADLINE",
    "RELATED",
    "SUPPLEMENTAL",
    "crawled_html",
    "labelled_text",
    "read",
    "read_annotated",
]

_FILE = "l3s-gn1/l3s-gn1.parquet"

CARD = Card(
    "l3s-gn1",
    "L3S-GN1, news pages of 2008 with a class for each block",
    "C. Kohlschütter, L3S; WSDM 2010 (Kohlschütter 2011)",
    "research use only, no redistribution",
    621,
    {"texts": 621},
    {_FILE: "adc2cd501716bc4f9aea01294af41353b21ea070539adfac3d67f88b973ee69a"},
    note="The input is the annotated page without its annotations.",
)

#: The classes by number. Unselected text is boilerplate (Kohlschütter 2011 §4.4.3).
CLASSES = ("boilerplate", "headline", "full text", "supplemental", "related content", "user comments")
BOILERPLATE, HEADLINE, FULL_TEXT, SUPPLEMENTAL, RELATED, COMMENTS = range(6)
#: The classes that make up an article: neither the comments below it nor links to other articles.
ARTICLE = (HEADLINE, FULL_TEXT, SUPPLEMENTAL)

_LABEL = re.compile(rb"""class\s*=\s*["']?[^"'>]*\bx-nc-sel([0-5])""", re.IGNORECASE)
_UNSELECTED = -1


def read() -> Iterator[Item]:
    """The pages in the order of the file. The gold text is the article, the labels are the `CLASSES` of the blocks."""
    for row in parquet_rows(data_path(_FILE)):
        page, labels = read_annotated(row["annotated_html"], url=row["url"])
        document = PageInput(page.source, "utf-8", row["url"])
        yield Item(row["uuid"], {"html": document}, Gold(text=labelled_text(page, labels), labels=labels))


def crawled_html() -> Iterator[bytes]:
    """The pages of `read` as they were crawled, for algorithms that read the lines of the source."""
    for row in parquet_rows(data_path(_FILE)):
        yield row["original_html"]


def labelled_text(page: Page, labels: Column, classes: tuple[int, ...] = ARTICLE) -> str:
    """The text of the shown blocks of these classes."""
    return text(page, np.isin(labels, classes) & ~page.blocks.hidden)


def read_annotated(html: bytes, *, url: str | None = None) -> tuple[Page, Column]:
    """A page without its annotations, and the class of each of its blocks.

    >>> page, labels = read_annotated(
    ...     b'<p><span class="x-nc-sel2">One </span><a href=/><span class="x-nc-sel2">two</span></a><p>three'
    ... )
    >>> [block.text for block in page.blocks], labels.tolist()
    (['One two', 'three'], [2, 0])
    """
    marked = parse(html, encoding="utf-8")
    label = np.full(len(marked.blocks), _UNSELECTED)
    stays = np.ones(len(marked.source), bool)
    elements = marked.elements
    # Elements are in document order, so that an inner annotation comes after the outer one and replaces it.
    for row in range(len(elements)):
        start, stop = int(elements.source_start[row]), int(elements.open_stop[row])
        found = _LABEL.search(marked.source, start, stop)
        if found is None:
            continue
        label[elements.first_block[row] : elements.end_block[row]] = int(found[1])
        if marked.source[start + 1 : start + 5].lower() == b"span":
            stays[start:stop] = False
            end = int(elements.source_stop[row])
            if marked.source[end - 7 : end].lower() == b"</span>":
                stays[end - 7 : end] = False
    page = parse(np.frombuffer(marked.source, np.uint8)[stays].tobytes(), url=url, encoding="utf-8")
    # Where each annotated block starts without the annotations, and so the block that it is part of.
    moved = np.concatenate(([0], np.cumsum(stays)))[marked.blocks.source_start]
    return page, _majority(page, np.searchsorted(page.blocks.source_start, moved, side="right") - 1, marked, label)


def _majority(page: Page, block: Column, marked: Page, label: Column) -> Column:
    """The label with the most words in each block; where no word has a label, of the most pieces."""
    weight = np.zeros((len(page.blocks), len(CLASSES)))
    inside = block >= 0
    pieces = marked.blocks.words[inside] + 1e-3
    np.add.at(weight, (block[inside], np.maximum(label[inside], 0)), pieces)
    majority: Column = np.argmax(weight, axis=1) if len(weight) else np.zeros(0, np.int64)
    return majority
