"""What a page says of itself: title, author, date, language, site, address, description, image.

Sources in the order of their trust: JSON-LD, the meta elements (OpenGraph, Dublin Core, citation, and the like), marked
elements of the body (``time``, ``itemprop``, ``rel=author``, classes such as ``byline``), and the text near the first
heading. Attributes are read only from elements that may matter: those are found by the tag column, or by searching the
source for a word and looking up the start tag around it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from functools import cached_property
from html import unescape
from typing import Any
from urllib.parse import urlsplit

import numpy as np

from webstrata.extract.markup.attributes import rows_of, safe_url
from webstrata.extract.metadata.authors import author_names
from webstrata.extract.metadata.dates import find_date, iso_date
from webstrata.extract.metadata.jsonld import names_of, nodes_of, value_of
from webstrata.extract.metadata.titles import best_title
from webstrata.page import CLONED, Page
from webstrata.text import Column

__all__ = ["Metadata", "metadata"]


@dataclass(frozen=True, kw_only=True)
class Metadata:
    """What a page says of itself; None where it says nothing.

    ``author`` holds several names parted by "; ", ``date`` is the day of publication as YYYY-MM-DD, ``url`` is the
    canonical address, ``image`` the picture that stands for the page.
    """

    title: str | None = None
    author: str | None = None
    date: str | None = None
    language: str | None = None
    site_name: str | None = None
    url: str | None = None
    description: str | None = None
    image: str | None = None

    def as_dict(self) -> dict[str, str | None]:
        return asdict(self)


def metadata(page: Page) -> Metadata:
    """Read the metadata of a page.

    >>> from webstrata.page import parse
    >>> found = metadata(parse('<html lang=en><title>Strata | Rocks</title><meta property="og:site_name" content=Rocks>'
    ...     '<h1>Strata</h1><p class=byline>By Ada Stone, <time datetime=2024-05-17>Friday</time>'))
    >>> found.title, found.author, found.date, found.site_name
    ('Strata', 'Ada Stone', '2024-05-17', 'Rocks')
    """
    reader = _Reader(page)
    return Metadata(
        title=reader.title() or None,
        author="; ".join(reader.authors()) or None,
        date=reader.date(),
        language=reader.language() or None,
        site_name=reader.site_name or None,
        url=reader.url(),
        description=reader.description() or None,
        image=reader.image(),
    )


_PUBLISHED = (
    "article:published_time og:article:published_time og:published_time og:publish_date article:published datepublished"
    " article:first_published_time published_time published-date published publish-date publish_date publishdate"
    " pubdate date-pub dateissued date_published datecreated parsely-pub-date sailthru.date cxenseparse:publishtime"
    " bt:pubdate rnews:datepublished prism.publicationdate citation_publication_date citation_online_date"
    " citation_date dc.date.issued dc.date.created dcterms.created dcterms.issued dcterms.date dc.date dc:date date"
    " created originalpublicationdate displaydate article.published article_date_original ptime pub_date"
).split()
_MODIFIED = ("article:modified_time", "og:updated_time", "datemodified", "dcterms.modified", "last-modified", "revised")
_AUTHOR = (
    "author article:author og:article:author parsely-author sailthru.author cxenseparse:author citation_author"
    " dc.creator dcterms.creator dc:creator creator byl article_author article-author rnews:author dc.contributor"
).split()
_SITE = (
    "og:site_name",
    "application-name",
    "al:ios:app_name",
    "dc.publisher",
    "publisher",
    "apple-mobile-web-app-title",
)
# Bytes of the source after the first heading in which a byline or a date is looked for.
_WINDOW = 60_000
# Characters of the text before and after the end of that heading, likewise.
_BEFORE, _AFTER = 300, 1200
_ARTICLE = re.compile(r"(?:Article|Posting|Post|Report|Review|Recipe|Question|Product|Book|Course|Event|Dataset)$")
_PAGE = re.compile(r"(?:Page|CreativeWork)$")


class _Reader:
    """Reads one page; each source is read when it is asked for, and once."""

    def __init__(self, page: Page) -> None:
        self.page = page

    # Sources

    @cached_property
    def _meta(self) -> dict[str, list[str]]:
        elements = self.page.elements
        found: dict[str, list[str]] = {}
        for row in rows_of(self.page, "meta").tolist():
            attributes = elements[row].attributes
            content = " ".join(unescape(attributes.get("content", "")).split())
            if content:
                for key in ("property", "name", "itemprop"):
                    if attributes.get(key):
                        found.setdefault(attributes[key].strip().lower(), []).append(content)
        return found

    def _first_meta(self, *names: str) -> str:
        return next((self._meta[name][0] for name in names if name in self._meta), "")

    @cached_property
    def _nodes(self) -> list[dict[str, Any]]:
        return nodes_of(self.page)

    @cached_property
    def _main_nodes(self) -> list[dict[str, Any]]:
        """The nodes that may describe what the page is about, the likeliest first."""
        articles, pages = [], []
        for node in self._nodes:
            types = node.get("@type")
            kinds = [str(kind) for kind in (types if isinstance(types, list) else [types])]
            if any(_ARTICLE.search(kind) for kind in kinds):
                articles.append(node)
            elif types is None or any(_PAGE.search(kind) for kind in kinds):
                pages.append(node)
        return articles + pages

    def _from_nodes(self, *keys: str) -> str:
        return next((found for node in self._main_nodes if (found := value_of(node, *keys))), "")

    @cached_property
    def _window(self) -> tuple[int, int]:
        """The part of the source where bylines stand: from the body on, to some way after the first heading."""
        elements = self.page.elements
        bodies, headings = rows_of(self.page, "body"), rows_of(self.page, "h1")
        start = int(elements.source_start[bodies[0]]) if len(bodies) else 0
        heading = int(elements.source_start[headings[0]]) if len(headings) else start
        return start, max(start, heading) + _WINDOW

    @cached_property
    def _opened(self) -> Column:
        """The rows in the order of the source: a formatting element that was opened again repeats an earlier place."""
        return np.flatnonzero(self.page.elements.flags & CLONED == 0)

    def _tags_with(self, words: tuple[bytes, ...], *, most: int = 100) -> list[int]:
        """The elements of the window whose start tag holds one of these words, in document order."""
        source, elements = self.page.source, self.page.elements
        places: list[int] = []
        for word in words:
            at = source.find(word, *self._window)
            for _ in range(most):
                if at < 0:
                    break
                places.append(at)
                at = source.find(word, at + len(word), self._window[1])
        found = self._opened[np.searchsorted(elements.source_start[self._opened], sorted(places), "right") - 1]
        inside = elements.open_stop[found] > np.array(sorted(places), np.int64)
        return sorted(set(found[inside].tolist()))[:most]

    def text_of(self, row: int) -> str:
        elements, blocks = self.page.elements, self.page.blocks
        first, end = int(elements.first_block[row]), int(elements.end_block[row])
        if end <= first:
            return ""
        return " ".join(self.page.text[blocks.text_start[first] : blocks.text_stop[end - 1]].split())

    def _first_line(self, row: int) -> str:
        """The first line of an element that is more than one letter, as avatars are."""
        elements, blocks = self.page.elements, self.page.blocks
        first, end = int(elements.first_block[row]), int(elements.end_block[row])
        if end <= first:
            return ""
        text = self.page.text[blocks.text_start[first] : min(blocks.text_stop[end - 1], blocks.text_start[first] + 400)]
        lines = [line for line in text.split("\n") if len(line) > 1]
        # "Written by" may stand on a line of its own.
        return next((line for line in lines if author_names([line])), "")

    # Fields

    @cached_property
    def site_name(self) -> str:
        found = self._first_meta("og:site_name")
        for node in self._nodes:
            if not found and str(node.get("@type")) == "WebSite":
                found = value_of(node, "name")
        for node in self._main_nodes:
            found = found or value_of(node, "publisher")
        found = found or self._first_meta(*_SITE)
        return found or next((value_of(node, "name") for node in self._nodes if _is_body(node)), "")

    @cached_property
    def _headings(self) -> list[str]:
        elements = self.page.elements
        rows = rows_of(self.page, "h1")
        shown = rows[~elements.hidden[rows]]
        texts = [self.text_of(row) for row in (shown if len(shown) else rows)[:8].tolist()]
        return [text for text in texts if text]

    def title(self) -> str:
        declared = [self._first_meta("og:title"), self._from_nodes("headline"), self._first_meta("twitter:title")]
        return best_title(
            self.page.title,
            headings=self._headings,
            declared=[text for text in declared if text],
            site_name=self.site_name,
            host=_host(self.url() or self.page.url or ""),
        )

    def authors(self) -> list[str]:
        """The names of people; of the site itself where nobody else is named."""
        own = {self.site_name.casefold(), f"the {self.site_name}".casefold()}
        site: list[str] = []
        for candidates in self._author_candidates():
            found = author_names(candidates)
            people = [name for name in found if name.casefold() not in own]
            if people:
                return people
            site = site or found
        return site

    def _author_candidates(self) -> Iterator[list[str]]:
        by_id = {str(node["@id"]): node for node in self._nodes if "@id" in node and node.get("name")}
        for key in ("author", "creator"):
            for node in self._main_nodes:
                yield names_of(node, key, by_id)
        for name in _AUTHOR:
            yield self._meta.get(name, [])
        for label, data in (("twitter:label1", "twitter:data1"), ("twitter:label2", "twitter:data2")):
            if re.search(r"written|author|by\b|verfasst|écrit|escrito|autor", self._first_meta(label), re.IGNORECASE):
                yield self._meta.get(data, [])
        yield from self._marked_authors()

    def _marked_authors(self) -> Iterator[list[str]]:
        elements = self.page.elements
        marked: dict[str, list[str]] = {"item": [], "rel": [], "name": [], "byline": [], "class": []}
        for row in self._tags_with((b"uthor", b"yline", b"poster", b"username", b"creator")):
            kind = _author_mark(elements[row].attributes)
            # Forums show their threads to programs in hidden elements, with the author marked as such.
            text = self._first_line(row) if kind and (kind == "item" or not elements.hidden[row]) else ""
            if 1 < len(text) < 120:
                marked[kind].append(text)
        for found in marked.values():
            yield found[:1]
        yield [match[1] for match in [_BY.search(self._opening())] if match]

    def _opening(self) -> str:
        """The text around the first heading, where bylines and dates stand, as far as it is shown."""
        elements = self.page.elements
        blocks = self.page.blocks
        rows = rows_of(self.page, "h1")
        rows = rows[elements.end_block[rows] > elements.first_block[rows]]
        middle = int(blocks.text_stop[elements.end_block[rows[0]] - 1]) if len(rows) else 0
        first, end = np.searchsorted(blocks.text_start, (middle - _BEFORE, middle + _AFTER)).tolist()
        parts: list[str] = []
        for row in (np.flatnonzero(~blocks.hidden[first:end]) + first).tolist():
            separator = self.page.text[blocks.text_stop[row - 1] : blocks.text_start[row]] if row else ""
            parts += (separator, self.page.text[blocks.text_start[row] : blocks.text_stop[row]])
        return "".join(parts)

    def date(self) -> str | None:
        month_first = not self.language() or self.language().lower() in ("en", "en-us", "en_us")
        for candidate in self._date_candidates():
            found = iso_date(candidate, month_first=month_first)
            if found:
                return found
        found_at = find_date(self._opening(), month_first=month_first)
        if found_at:
            return found_at[0]
        changed = [self._first_meta(*_MODIFIED), *(value_of(node, "dateModified") for node in self._main_nodes)]
        return next((found for value in changed if (found := iso_date(value, month_first=month_first))), None)

    def _date_candidates(self) -> Iterator[str]:
        for node in self._main_nodes:
            yield value_of(node, "datePublished")
        yield from (self._first_meta(name) for name in _PUBLISHED if name in self._meta)
        for node in self._main_nodes:
            yield value_of(node, "dateCreated", "uploadDate")
        yield from self._marked_dates()
        in_url = re.search(r"/((?:19|20)\d\d)[/-](\d\d?)[/-](\d\d?)(?!\d)", self.url() or self.page.url or "")
        if in_url:
            yield "-".join(in_url.groups())

    def _marked_dates(self) -> Iterator[str]:
        elements = self.page.elements
        marked = [
            (elements[row].attributes, row)
            for row in self._tags_with((b"ublish", b"osted", b"date", b"yline", b"author", b"Date"))
        ]
        for name in ("datePublished", "dateCreated"):
            for attributes, row in marked:
                if attributes.get("itemprop") == name:
                    yield attributes.get("content") or attributes.get("datetime") or self.text_of(row)
        times = [row for row in rows_of(self.page, "time")[:50].tolist() if not elements.hidden[row]]
        read = [(elements[row].attributes, row) for row in times]
        # One that says that it is the date of publication goes before the first one of the page.
        read.sort(key=lambda item: not re.search(r"publish|posted|entry-date|pubdate", " ".join(item[0].values())))
        for attributes, row in read:
            if "modif" not in attributes.get("class", "") and "updat" not in attributes.get("class", ""):
                yield attributes.get("datetime", "")
                yield self.text_of(row)
        for attributes, row in marked:
            if _DATE_CLASS.search(f"{attributes.get('class', '')} {attributes.get('id', '')}"):
                text = self.text_of(row)
                if len(text) < 100:
                    yield text

    def language(self) -> str:
        declared = self.page.lang or self._first_meta("content-language", "dc.language", "language", "og:locale")
        declared = declared or self._from_nodes("inLanguage")
        match = re.match(r"[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8})*", declared)
        return match[0].replace("_", "-") if match else ""

    @cached_property
    def _canonical(self) -> str:
        elements, source = self.page.elements, self.page.source
        for row in rows_of(self.page, "link").tolist():
            if b"canonical" in source[elements.source_start[row] : elements.open_stop[row]].lower():
                attributes = elements[row].attributes
                if "canonical" in attributes.get("rel", "").lower().split() and attributes.get("href"):
                    return str(attributes["href"])
        return self._first_meta("og:url", "twitter:url")

    def url(self) -> str | None:
        return safe_url(self.page.base_url, self._canonical) if self._canonical else self.page.url

    def description(self) -> str:
        found = self._first_meta("description", "og:description", "twitter:description", "dc.description")
        return found or self._from_nodes("description")

    def image(self) -> str | None:
        found = self._first_meta(
            "og:image", "og:image:url", "og:image:secure_url", "twitter:image", "twitter:image:src"
        )
        return safe_url(self.page.base_url, found or self._from_nodes("image", "thumbnailUrl"))


_BY = re.compile(
    r"(?:^|\n|[.|·•]\s)\s*(?:[Ww]ritten |[Pp]osted |[Pp]ublished )?[Bb]y:?\s+([A-Z][\w.'’-]+(?: [A-Z][\w.'’-]+){1,3})"
)
_DATE_CLASS = re.compile(
    r"(?:^|[\s_-])(?:date|pub(?:lished)?(?:date|on)?|posted|timestamp|post-?date|entry-?date|byline|author)(?:$|[\s_-])|[a-z]Date\b|publish",
    re.IGNORECASE,
)


def _host(url: str) -> str:
    try:
        return urlsplit(url).hostname or ""
    except ValueError:  # a broken IPv6 address
        return ""


def _is_body(node: dict[str, Any]) -> bool:
    return str(node.get("@type")).endswith(("Organization", "Business", "Corporation", "Store"))


def _author_mark(attributes: dict[str, str]) -> str:
    """How an element says that it names the author: "item", "rel", "name", "byline", "class", or not at all."""
    if "author" in attributes.get("itemprop", "").lower().split():
        return "item"
    if "author" in attributes.get("rel", "").lower().split():
        return "rel"
    words = f"{attributes.get('class', '')} {attributes.get('id', '')}".lower()
    if re.search(r"author[-_]*(?:__)?name|(?:^|[\s_-])(?:username|poster)(?:$|\s)|byline[-_]+(?:name|author)", words):
        return "name"
    if re.search(r"(?:^|[\s_-])byline", words):
        return "byline"
    if re.search(r"(?:^|[\s_-])author(?:s|$|[\s_-]|-link)(?!bio|box|image|avatar|img|about|desc)", words):
        return "class"
    return ""
