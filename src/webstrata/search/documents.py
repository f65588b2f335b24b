"""Documents: the text of a page, and for each shown block its spans, stratum, segment and counts.

A page has five *strata*: its title, its headings, its content, its template, and the anchors, which are the texts of
links to it in the content of other pages. Blocks of the page that an extractor keeps are headings or content; others
are template.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from webstrata._pages import AnyPages, pages_of
from webstrata.extraction.base import EXTRACTORS
from webstrata.extraction.bte import BTE
from webstrata.extraction.metadata import metadata
from webstrata.features import text_density
from webstrata.links.anchors import anchors, page_url
from webstrata.links.graph import site_kind
from webstrata.page import Page
from webstrata.search.languages import page_language
from webstrata.sites.classes import Refined, refine
from webstrata.sites.fingerprints import paragraph_numbers
from webstrata.sites.nodes import nodes_of
from webstrata.sites.segmenter import block_classes
from webstrata.sites.tree import Tree
from webstrata.text import Column
from webstrata.urls import host

__all__ = [
    "ANCHOR",
    "COLUMNS",
    "CONTENT",
    "HEADING",
    "STRATA",
    "TEMPLATE",
    "TITLE",
    "Document",
    "Documenter",
    "documents_of",
]

#: The strata in the order of their numbers.
STRATA = ("title", "heading", "content", "template", "anchor")
TITLE, HEADING, CONTENT, TEMPLATE, ANCHOR = range(5)

#: The columns of a document, one row for each block, and their types.
COLUMNS = {
    "start": np.int64, "stop": np.int64, "source_start": np.uint32, "source_stop": np.uint32, "words": np.uint32,
    "density": np.float32, "stratum": np.uint8, "bte": np.uint8, "segment": np.int64, "label": np.uint64,
    "paragraph": np.int64,
}  # fmt: skip


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Document:
    """A page as an index stores it. Columns have a row for each shown block.

    Attributes
    ----------
    url, title, text : of the page; `text` is that of the whole page
    start, stop : the span of the block in the text
    source_start, source_stop : its span in the UTF-8 source of the page
    words, density : its words (`webstrata.text`) and text density (`webstrata.features`)
    stratum : heading, content or template, as a number
    bte : whether body text extraction keeps it
    segment : the number of its segment in the page
    label : the label of its segment class; 0 for none
    paragraph : the number of its paragraph in the page
    site : the site whose templates and segment classes the page shares; those of another site are others
    date : the day of publication as YYYY-MM-DD; "" if it is unknown
    language : the language as a code of two letters; "" if it is unknown
    links : the target and the text of each link of the content
    """

    url: str
    title: str
    text: str
    start: Column
    stop: Column
    source_start: Column
    source_stop: Column
    words: Column
    density: Column
    stratum: Column
    bte: Column
    segment: Column
    label: Column
    paragraph: Column
    site: str = ""
    date: str = ""
    language: str = ""
    links: tuple[tuple[str, str], ...] = ()

    def __post_init__(self) -> None:
        for name, kind in COLUMNS.items():
            object.__setattr__(self, name, np.ascontiguousarray(getattr(self, name), kind))

    def __repr__(self) -> str:
        return f"<Document {self.url}: {len(self.start)} blocks>"

    @classmethod
    def of_text(
        cls,
        url: str,
        title: str,
        text: str,
        *,
        links: Iterable[tuple[str, str]] = (),
        date: str = "",
        language: str = "",
    ) -> Document:
        """A document of plain text: its lines are its blocks, all of them content.

        >>> Document.of_text("http://a.org/", "A", "One line.\\nAnd another.").words.tolist()
        [2, 2]
        """
        from webstrata.features import density
        from webstrata.text import wrap

        pieces = text.split("\n")
        lengths = np.array([len(line) + 1 for line in pieces], np.int64)
        stop = np.cumsum(lengths) - 1
        start = stop - lengths + 1
        filled = stop > start
        start, stop = start[filled], stop[filled]
        words, lines, wrapped = wrap(text, start, stop)
        count, none = len(start), np.zeros(len(start))
        sizes = lengths if text.isascii() else [len(line.encode("utf-8", "replace")) + 1 for line in pieces]
        source = np.concatenate(([0], np.cumsum(sizes)))
        return cls(
            url=url, title=title, text=text, start=start, stop=stop, source_start=source[:-1][filled],
            source_stop=source[1:][filled] - 1, words=words, density=density(words, lines, wrapped),
            stratum=np.full(count, CONTENT), bte=np.ones(count), segment=none, label=none, paragraph=np.arange(count),
            links=tuple(links), date=date, language=language,
        )  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Documenter:
    """Makes documents from pages.

    Parameters
    ----------
    extractor : the extractor that separates content from template
    query : whether URLs keep their queries

    >>> from webstrata.page import parse
    >>> page = parse("<title>A</title><nav>Home</nav><h1>Clay</h1><p>Clay is soft.", url="http://a.org/")
    >>> [STRATA[number] for number in Documenter(extractor="keep-all")(page).stratum]
    ['content', 'heading', 'content']
    """

    extractor: str = "learned"
    query: bool = True

    def __call__(self, page: Page, tree: Refined | None = None, *, site: str | None = None) -> Document:
        """The document of a page.

        Parameters
        ----------
        page : the page, with its url
        tree : the tree of its site, for segment classes; without it, each stratum is a segment and a class
        site : the name of its site; by default its host
        """
        blocks = page.blocks
        keep = EXTRACTORS.make(self.extractor)(page).keep
        shown = np.flatnonzero(~blocks.hidden)
        stratum = np.where(keep, np.where(blocks.heading > 0, HEADING, CONTENT), TEMPLATE)
        if tree is None:
            segment, label = stratum.astype(np.int64), stratum.astype(np.uint64)
        else:
            segment, label = block_classes(page, tree)
        links = anchors(page, keep, query=self.query).links if page.url else ()
        found = metadata(page)
        columns = {
            "start": blocks.text_start, "stop": blocks.text_stop, "source_start": blocks.source_start,
            "source_stop": blocks.source_stop, "words": blocks.words, "density": text_density(blocks),
            "stratum": stratum, "bte": BTE()(page).keep, "segment": segment, "label": label,
            "paragraph": paragraph_numbers(page),
        }  # fmt: skip
        return Document(
            url=page_url(page.url or "", query=self.query) or page.url or "",
            title=page.title,
            text=page.text,
            site=host(page.url or "") if site is None else site,
            date=found.date or "",
            language=page_language(found.language, page.text),
            links=tuple((link.target, link.text) for link in links if link.content and link.text),
            **{name: column[shown] for name, column in columns.items()},
        )


def documents_of(
    pages: AnyPages,
    *,
    site: str = "host",
    extractor: str = "learned",
    query: bool = True,
) -> Iterator[Document]:
    """The documents of pages with the segment classes of their sites, as ``webstrata search index`` makes them.

    Parameters
    ----------
    pages : `Page` objects with a URL, pairs of URL and HTML, or a mapping; pages without shown text are left out
    site : the kind of sites, whose templates are learned from their pages: host, domain or directory
    extractor, query : as of `Documenter`
    """
    site_of, documenter = site_kind(site), Documenter(extractor=extractor, query=query)
    kept = [page for page in pages_of(pages) if not page.blocks.hidden.all()]
    sites: dict[str, list[Page]] = {}
    for page in kept:
        sites.setdefault(site_of(page.url or ""), []).append(page)
    trees = {name: refine(Tree.of(map(nodes_of, own))) for name, own in sites.items()}
    for page in kept:
        name = site_of(page.url or "")
        yield documenter(page, trees[name], site=name)
