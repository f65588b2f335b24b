"""The authors, from all sources of a page."""

from __future__ import annotations

import re
from collections.abc import Iterator

from webstrata.extraction.metadata.authors import author_names
from webstrata.extraction.metadata.jsonld import names_of
from webstrata.extraction.metadata.marks import MarkedElement
from webstrata.extraction.metadata.sources import MetadataSources
from webstrata.tree import lines_of

__all__ = ["find_authors"]

# The names of meta elements for authors.
_AUTHOR = (
    "author article:author og:article:author parsely-author sailthru.author cxenseparse:author citation_author"
    " dc.creator dcterms.creator dc:creator creator byl article_author article-author rnews:author dc.contributor"
).split()
# A name after "by", and the text before it. The first letter is fixed, so that the engine can skip to it.
_BY = re.compile(r"y(?<=[Bb]y)(?=:?\s{1,9}([A-Z][\w.'’-]+(?: [A-Z][\w.'’-]+){1,3}))")
_BEFORE_BY = re.compile(r"(?:^|\n|[.|·•]\s)\s{0,9}(?:[Ww]ritten |[Pp]osted |[Pp]ublished )?$")
# The most characters of the text before it.
_LONGEST_BEFORE_BY = 30
# The label of an author on a Twitter card.
_LABEL = re.compile(r"written|author|by\b|verfasst|écrit|escrito|autor", re.IGNORECASE)
# Classes of elements that name an author.
_IS_NAME = re.compile(r"author[-_]*(?:__)?name|(?:^|[\s_-])(?:username|poster)(?:$|\s)|byline[-_]+(?:name|author)")
_IS_BYLINE = re.compile(r"(?:^|[\s_-])byline")
_IS_AUTHOR = re.compile(r"(?:^|[\s_-])author(?:s|$|[\s_-]|-link)(?!bio|box|image|avatar|img|about|desc)")
# Classes of comments and their parts, but not "comment" in the class of a post that has comments.
_IS_COMMENT = re.compile(
    r"(?:^|\s)(?:comments?|comment-?list|comment-?body|comment-?meta|comment-?author\S*|comment-?content|comment-?item"
    r"|commenter\S*|comment-\d+|disqus\S*|respond|replies)(?:$|\s)"
)
# The number of elements around a name that are searched for them.
_LEVELS = 8
# Characters of an element that are searched for the line with the name.
_LONGEST = 400


def find_authors(sources: MetadataSources, *, site_name: str) -> list[str]:
    """The names of people; the name of the site if there is no other.

    >>> from webstrata.page import parse
    >>> page = parse("<meta name=author content=Rocks><a rel=author>Ada Stone</a>")
    >>> find_authors(MetadataSources(page), site_name="Rocks")
    ['Ada Stone']
    """
    own = {site_name.casefold(), f"the {site_name}".casefold()}
    site: list[str] = []
    for found in map(author_names, filter(None, _candidates(sources))):
        people = [name for name in found if name.casefold() not in own]
        if people:
            return people
        site = site or found
    return site


def _candidates(sources: MetadataSources) -> Iterator[list[str]]:
    """The texts that may name the authors, the most trusted first."""
    for key in ("author", "creator"):
        for node in sources.main_nodes:
            if key in node:
                yield names_of(node, key, sources.named_node)
    yield from sources.declarations.contents(*_AUTHOR)
    for label, data in (("twitter:label1", "twitter:data1"), ("twitter:label2", "twitter:data2")):
        if _LABEL.search(sources.declarations.first(label)):
            yield from sources.declarations.contents(data)
    yield from _marked(sources)


def _marked(sources: MetadataSources) -> Iterator[list[str]]:
    """The texts of elements of the body that are marked for authors, then a name after "by" in the text."""
    elements = sources.page.elements
    marks = [(_author_mark(mark), mark) for mark in sources.marked_authors]
    for wanted in ("item", "rel", "name", "byline", "class"):
        for kind, mark in marks:
            # Forums describe threads to programs in hidden elements with ``itemprop``.
            shown = kind == "item" or not elements.is_hidden(mark.row)
            if kind == wanted and shown and not _is_commenter(sources, mark):
                text = _first_line(sources, mark.row)
                if 1 < len(text) < 120:
                    yield [text]
                    break
    yield _named_by(sources.opening)


def _is_commenter(sources: MetadataSources, mark: MarkedElement) -> bool:
    """Whether an element names the author of a comment, by its class or id or those around it."""
    words = f"{mark.words} {sources.names_around(mark.row, _LEVELS)}"
    return _IS_COMMENT.search(words) is not None


def _named_by(text: str) -> list[str]:
    """The first name after a "by" at the start of a line or a sentence."""
    for match in _BY.finditer(text):
        if _BEFORE_BY.search(text, max(0, match.start() - _LONGEST_BEFORE_BY), match.start() - 1):
            return [match[1]]
    return []


def _first_line(sources: MetadataSources, row: int) -> str:
    """The first line of an element with a name; avatars may have a line of one letter before it."""
    lines = [line for line in lines_of(sources.page, row, most=_LONGEST).split("\n") if len(line) > 1]
    # "Written by" may be a line of its own.
    return next((line for line in lines if author_names([line])), "")


def _author_mark(mark: MarkedElement) -> str:
    """How an element is marked for an author: "item", "rel", "name", "byline", "class", or ""."""
    if mark.item and "author" in mark.item.lower().split():
        return "item"
    if mark.relation and "author" in mark.relation.lower().split():
        return "rel"
    words = mark.words
    if _IS_NAME.search(words):
        return "name"
    if _IS_BYLINE.search(words):
        return "byline"
    return "class" if _IS_AUTHOR.search(words) else ""
