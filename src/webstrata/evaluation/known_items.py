"""Queries with known answers (known-item queries), from the links, titles and categories of a site.

- *anchor*: the text of a link in the content of another page; the answer is its target. Each text counts once, and
  texts with several targets are left out.
- *title*: a title that only one page has.
- *category*: the name of a category; the answers are its pages.

The same seed gives the same queries. Indexes for anchor queries must not contain the queries: `without_queries` removes
the links with the text of a query to the page that answers it.
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
    unique = sorted((text, next(iter(urls))) for text, urls in targets.items() if len(urls) == 1)
    random.Random(seed).shuffle(unique)
    return [JudgedQuery(text, {url: 1.0}, "anchor") for text, url in unique[:count]]


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
    unique = sorted((title, urls[0]) for title, urls in pages.items() if len(urls) == 1)
    random.Random(seed).shuffle(unique)
    return [JudgedQuery(title, {url: 1.0}, "title") for title, url in unique[:count]]


def category_queries(categories: Mapping[str, Iterable[str]], *, smallest: int = 5) -> list[JudgedQuery]:
    """Queries from the names of categories with at least ``smallest`` pages.

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
    """The documents without links whose text is a query for their target."""
    analyser = Analyser()
    known = {(item.query, url) for item in queries for url in item.relevant}
    kept = []
    for document in documents:
        links = tuple(
            (target, text) for target, text in document.links if (_normal(text, analyser), target) not in known
        )
        kept.append(replace(document, links=links))
    return kept
