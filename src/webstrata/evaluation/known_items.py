"""Queries with known answers (known-item queries), from the links, titles and categories of a site.

- *anchor*: the text of a link in the content of another page; the answer is its target. Each text counts once, and
  texts with several targets are left out.
- *title*: a title that only one page has.
- *heading*: a heading below the title that only one page has.
- *sentence*: a sentence of the content that only one page has, with one of its words left out.
- *category*: the name of a category; the answers are its pages.

The same seed gives the same queries. Indexes for anchor queries must not contain the queries: `without_queries` removes
the links with the text of a query to the page that answers it.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from webstrata.evaluation.retrieval import JudgedQuery
from webstrata.search.analyser import Analyser
from webstrata.search.documents import CONTENT, HEADING, Document
from webstrata.text import sentences

__all__ = [
    "anchor_queries",
    "category_queries",
    "heading_queries",
    "sentence_queries",
    "title_queries",
    "without_queries",
]

# The words of a sentence that is a query, one more than the query has.
_SHORTEST, _LONGEST = 6, 12


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
    return _of_one_page(targets, count, seed, "anchor")


def title_queries(documents: Sequence[Document], count: int, *, seed: int = 1) -> list[JudgedQuery]:
    """Queries from titles that no two pages share.

    >>> title_queries([Document.of_text("http://a.org/b", "The B!", "")], 10)
    [JudgedQuery(query='the b', relevant={'http://a.org/b': 1.0}, kind='title')]
    """
    analyser = Analyser()
    pages: dict[str, set[str]] = {}
    for document in documents:
        if title := _normal(document.title, analyser):
            pages.setdefault(title, set()).add(document.url)
    return _of_one_page(pages, count, seed, "title")


def heading_queries(documents: Sequence[Document], count: int, *, seed: int = 1) -> list[JudgedQuery]:
    """Queries from headings that no two pages share and that are not part of their page's title.

    >>> from webstrata.page import parse
    >>> from webstrata.search import Documenter
    >>> page = parse("<title>Clay</title><h1>Clay</h1><h2>Blue clay</h2><p>Soft.", url="http://a.org/")
    >>> heading_queries([Documenter(extractor="keep-all")(page)], 10)
    [JudgedQuery(query='blue clay', relevant={'http://a.org/': 1.0}, kind='heading')]
    """
    analyser = Analyser()
    pages: dict[str, set[str]] = {}
    for document in documents:
        title = _normal(document.title, analyser)
        for paragraph in _paragraphs(document, HEADING):
            heading = _normal(paragraph, analyser)
            if heading and f" {heading} " not in f" {title} ":
                pages.setdefault(heading, set()).add(document.url)
    return _of_one_page(pages, count, seed, "heading")


def sentence_queries(documents: Sequence[Document], count: int, *, seed: int = 1) -> list[JudgedQuery]:
    """Queries from sentences of the content with 6 to 12 words, one of which is left out at random.

    >>> page = Document.of_text("http://a.org/", "Clay", "Blue clay is soft when it is wet.")
    >>> sentence_queries([page], 10)[0].query
    'blue clay soft when it is wet'
    """
    analyser, draw = Analyser(), random.Random(seed)
    pages: dict[str, set[str]] = {}
    for document in documents:
        for paragraph in _paragraphs(document, CONTENT):
            for sentence in sentences(paragraph):
                if _SHORTEST <= len(sentence.split()) <= _LONGEST:
                    pages.setdefault(_normal(sentence, analyser), set()).add(document.url)
    chosen = []
    for item in _of_one_page(pages, count, seed, "sentence"):
        words = item.query.split()
        del words[draw.randrange(len(words))]
        chosen.append(JudgedQuery(" ".join(words), item.relevant, item.kind))
    return chosen


def _paragraphs(document: Document, stratum: int) -> Iterator[str]:
    """The texts of the paragraphs of a document that begin in a stratum."""
    first = np.flatnonzero(np.diff(document.paragraph, prepend=-1))
    last = np.append(first[1:], len(document.paragraph)) - 1
    for start, stop in zip(first.tolist(), last.tolist(), strict=False):
        if document.stratum[start] == stratum:
            yield document.text[int(document.start[start]) : int(document.stop[stop])]


def _of_one_page(pages: Mapping[str, set[str]], count: int, seed: int, kind: str) -> list[JudgedQuery]:
    """The texts that one page alone has, as queries in a random order."""
    unique = sorted((text, next(iter(urls))) for text, urls in pages.items() if text and len(urls) == 1)
    random.Random(seed).shuffle(unique)
    return [JudgedQuery(text, {url: 1.0}, kind) for text, url in unique[:count]]


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
