"""Documents, queries and judgements of whole sites, for rankings that know the segments of pages.

No queries with human judgements come with the sites. Two kinds are made from the sites themselves, by
`webstrata.evaluation.known_items`: the names of categories, whose pages are relevant, and texts of links, whose target
is. Categories are the subject pages of the Wikipedia Selection for Schools, whose "Related subjects" line is left out
of pages since it would give them away, or else the folders of a site.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from urllib.parse import unquote, urlsplit

import numpy as np

from webstrata.evaluation.papers.whole_sites import WholeSite, true_labels
from webstrata.links.graph import LinkGraph, build_graph
from webstrata.page import Page
from webstrata.search.documents import COLUMNS, Document, Documenter
from webstrata.sites.classes import refine
from webstrata.sites.nodes import nodes_of
from webstrata.sites.tree import Tree
from webstrata.text import Column

__all__ = ["categories", "graph_of", "read_documents", "stripped", "where", "with_regions"]

_SUBJECT = re.compile(r"/subject\.(.+)\.htm$")
_GIVEN_AWAY = "Related subjects"


def read_documents(site: WholeSite, *, limit: int | None = None) -> Iterator[tuple[Page, Document]]:
    """The pages of a site and their documents, with the segment classes of the site; each URL once."""
    pages = list({page.url: page for page in site.pages[:limit]}.values())
    tree = refine(Tree.of(map(nodes_of, pages)))
    documenter = Documenter()
    for page in pages:
        yield page, documenter(page, tree)


def with_regions(page: Page, document: Document, regions: Sequence[str]) -> Document:
    """The document with the true regions of its page as segments and segment classes."""
    shown = np.flatnonzero(~page.blocks.hidden)
    segments, classes = true_labels(page, regions)
    return replace(document, segment=segments[shown], label=classes[shown] + 1)


def stripped(document: Document) -> Document:
    """A document without the line that names the subjects of its page."""
    if _GIVEN_AWAY not in document.text:
        return document
    starts = zip(document.start.tolist(), document.stop.tolist(), document.paragraph.tolist(), strict=True)
    lines = {number for start, stop, number in starts if _GIVEN_AWAY in document.text[start:stop]}
    return where(document, ~np.isin(document.paragraph, list(lines)))


def where(document: Document, keep: Column) -> Document:
    """A document with some of its blocks."""
    return replace(document, **{name: getattr(document, name)[keep] for name in COLUMNS})


def categories(documents: Sequence[Document]) -> dict[str, Iterable[str]]:
    """Pages by the subject pages that list them, or by their folders."""
    pages = {document.url for document in documents if not _SUBJECT.search(document.url)}
    found: dict[str, set[str]] = {}
    for document in documents:
        subject = _SUBJECT.search(document.url)
        if subject:
            name = unquote(subject[1]).split(".")[-1].replace("_", " ")
            found.setdefault(name, set()).update(target for target, _ in document.links if target in pages)
    if not found:
        for url in pages:
            name = urlsplit(url).path.split("/")[-2]
            found.setdefault(name, set()).add(url)
    return {name: urls for name, urls in found.items() if len(urls) < len(pages) / 2}


def graph_of(documents: Sequence[Document]) -> LinkGraph:
    """The graph of the links in the content of pages."""
    place = {document.url: number for number, document in enumerate(documents)}
    pairs = [
        (number, place[target])
        for number, document in enumerate(documents)
        for target, _ in document.links
        if target in place and place[target] != number
    ]
    return build_graph(list(place), [source for source, _ in pairs], [target for _, target in pairs])
