"""Queries whose answers are known without asking anybody: made from the links, titles and categories of a site.

- *anchor*: the text of a link in the content of another page; the page that it leads to is to be found. Each text
  counts once, and one that leads to several pages is no query.
- *title*: the title of a page that no other page has.
- *category*: the name of a category; its pages are to be found.

The same seed gives the same queries. An index for anchor queries must not know them: `without_queries` takes links out
of documents whose text is the query for the page they lead to.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from webstrata.evaluation.retrieval import JudgedQuery
from webstrata.search.analyser import Analyser
from webstrata.search.documents import Document

__all__ = ["anchor_queries", "category_queries", "title_queries", "without_queries"]


def _normal(text: str, analyser: Analyser) -> str:
    return " ".join(term for term, _, _ in analyser(text))


def anchor_queries(documents: Sequence[Document], count: int, *, seed: int = 1) -> list[JudgedQuery]:
    """Queries from the texts of links.

    >>> home = Document.of_text("http://a.org/", "", "", links=[("http://a.org/b", "Blue clay")])
    >>> anchor_queries([home, Document.of_text("http://a.org/b", "B", "")], 10)
    [JudgedQuery(query='blue clay', relevant={'http://a.org/b': 1.0}, kind='anchor')]
    """
    analyser = Analyser()
    pages = {document.url for document in documents}
    targets: dict[str, set[str]] = {}
    for document in documents:
        for target, text in document.links:
            if target in pages and target != document.url and (normal := _normal(text, analyser)):
                targets.setdefault(normal, set()).add(target)
    alone = sorted((text, next(iter(urls))) for text, urls in targets.items() if len(urls) == 1)
    random.Random(seed).shuffle(alone)
    return [JudgedQuery(text, {url: 1.0}, "anchor") for text, url in alone[:count]]


def title_queries(documents: Sequence[Document], count: int, *, seed: int = 1) -> list[JudgedQuery]:
    """Queries from titles that no two pages share.

    >>> title_queries([Document.of_text("http://a.org/b", "The B!", "")], 10)
    [JudgedQuery(query='the b', relevant={'http://a.org/b': 1.0}, kind='title')]
    """
    analyser = Analyser()
    pages: dict[str, list[str]] = {}
    for document in documents:
        if title := _normal(document.title, analyser):
            pages.setdefault(title, []).append(document.url)
    alone = sorted((title, urls[0]) for title, urls in pages.items() if len(urls) == 1)
    random.Random(seed).shuffle(alone)
    return [JudgedQuery(title, {url: 1.0}, "title") for title, url in alone[:count]]


def category_queries(categories: Mapping[str, Iterable[str]], *, smallest: int = 5) -> list[JudgedQuery]:
    """Queries from categories by name, of at least so many pages.

    >>> category_queries({"Art": ["http://a.org/b"]}, smallest=1)
    [JudgedQuery(query='art', relevant={'http://a.org/b': 1.0}, kind='category')]
    """
    analyser = Analyser()
    found = []
    for name in sorted(categories):
        relevant = dict.fromkeys(sorted(set(categories[name])), 1.0)
        if len(relevant) >= smallest and (query := _normal(name, analyser)):
            found.append(JudgedQuery(query, relevant, "category"))
    return found


def without_queries(documents: Sequence[Document], queries: Iterable[JudgedQuery]) -> list[Document]:
    """The documents without links whose text is a query for the page that they lead to."""
    analyser = Analyser()
    asked = {(item.query, url) for item in queries for url in item.relevant}
    kept = []
    for document in documents:
        links = tuple(
            (target, text) for target, text in document.links if (_normal(text, analyser), target) not in asked
        )
        kept.append(replace(document, links=links))
    return kept
