"""The day of publication, from all sources of a page."""

from __future__ import annotations

import re
from collections.abc import Iterator

from webstrata.elements import Elements
from webstrata.extraction.metadata.dates import find_date, iso_date
from webstrata.extraction.metadata.jsonld import value_of
from webstrata.extraction.metadata.sources import MetadataSources

__all__ = ["find_published"]

# The names of meta elements for the day of publication, and for the day of a change.
_PUBLISHED = (
    "article:published_time og:article:published_time og:published_time og:publish_date article:published datepublished"
    " article:first_published_time published_time published-date published publish-date publish_date publishdate"
    " pubdate date-pub dateissued date_published datecreated parsely-pub-date sailthru.date cxenseparse:publishtime"
    " bt:pubdate rnews:datepublished prism.publicationdate citation_publication_date citation_online_date"
    " citation_date dc.date.issued dc.date.created dcterms.created dcterms.issued dcterms.date dc.date dc:date date"
    " created originalpublicationdate displaydate article.published article_date_original ptime pub_date"
).split()
_MODIFIED = ("article:modified_time", "og:updated_time", "datemodified", "dcterms.modified", "last-modified", "revised")
_DATE_CLASS = re.compile(
    r"(?:^|[\s_-])(?:date|pub(?:lished)?(?:date|on)?|posted|timestamp|post-?date|entry-?date|byline|author)(?:$|[\s_-])"
    r"|[a-z]date\b|publish"
)
_IS_PUBLISHED = re.compile(r"publish|posted|entry-date|pubdate")
_PUBLISHED_IN_SOURCE = re.compile(_IS_PUBLISHED.pattern.encode())
_IN_URL = re.compile(r"/((?:19|20)\d\d)[/-](\d\d?)[/-](\d\d?)(?!\d)")


def find_published(sources: MetadataSources, *, url: str, month_first: bool) -> str | None:
    """The day of publication as YYYY-MM-DD; the day of the last change if only that is known.

    >>> from webstrata.page import parse
    >>> sources = MetadataSources(parse("<p>by Ada"))
    >>> find_published(sources, url="https://example.org/2024/05/17/strata", month_first=True)
    '2024-05-17'
    """
    for candidate in filter(None, _candidates(sources, url)):
        found = iso_date(candidate, month_first=month_first)
        if found:
            return found
    in_text = find_date(sources.opening, month_first=month_first)
    if in_text:
        return in_text[0]
    changed = [sources.declarations.first(*_MODIFIED), *(value_of(node, "dateModified") for node in sources.main_nodes)]
    return next((found for value in changed if (found := iso_date(value, month_first=month_first))), None)


def _candidates(sources: MetadataSources, url: str) -> Iterator[str]:
    """The texts that may have the day of publication, the most trusted first."""
    for node in sources.main_nodes:
        yield value_of(node, "datePublished")
    yield from (contents[0] for contents in sources.declarations.contents(*_PUBLISHED))
    for node in sources.main_nodes:
        yield value_of(node, "dateCreated", "uploadDate")
    yield from _marked(sources)
    in_url = _IN_URL.search(url)
    if in_url:
        yield "-".join(in_url.groups())


def _marked(sources: MetadataSources) -> Iterator[str]:
    """The texts of elements of the body that are marked for dates."""
    elements, marked = sources.page.elements, sources.marked_dates
    for name in ("datePublished", "dateCreated"):
        for mark in marked:
            if mark.item == name:
                yield (
                    elements.attribute(mark.row, "content")
                    or elements.attribute(mark.row, "datetime")
                    or sources.text_of(mark.row)
                )
    # A date of publication comes before other dates of the page.
    times = [row for row in sources.declarations.times[:50] if not elements.is_hidden(row)]
    times.sort(key=lambda row: not _is_published(elements, row))
    for row in times:
        name, datetime = elements.some_attributes(row, (b"class", b"datetime"))
        if "modif" not in name and "updat" not in name:
            yield datetime
            yield sources.text_of(row)
    for mark in marked:
        if _DATE_CLASS.search(mark.words):
            text = sources.text_of(mark.row)
            if len(text) < 100:
                yield text


def _is_published(elements: Elements, row: int) -> bool:
    """Whether an attribute marks an element as the date of publication."""
    if not _PUBLISHED_IN_SOURCE.search(elements.source, *elements.start_tag(row)):
        return False
    return _IS_PUBLISHED.search(" ".join(elements[row].attributes.values())) is not None
