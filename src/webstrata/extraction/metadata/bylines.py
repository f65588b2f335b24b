"""Who wrote a page, by what it says around its text and in it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from webstrata.extraction.metadata.authors import author_names
from webstrata.extraction.metadata.jsonld import names_of
from webstrata.extraction.metadata.marks import Mark
from webstrata.extraction.metadata.sources import Sources
from webstrata.tree import lines_of

__all__ = ["find_authors"]

# The meta elements that name an author.
_AUTHOR = (
    "author article:author og:article:author parsely-author sailthru.author cxenseparse:author citation_author"
    " dc.creator dcterms.creator dc:creator creator byl article_author article-author rnews:author dc.contributor"
).split()
# A name after "by", and what may stand before that. One letter at the beginning is found much faster than a choice.
_BY = re.compile(r"y(?<=[Bb]y)(?=:?\s{1,9}([A-Z][\w.'’-]+(?: [A-Z][\w.'’-]+){1,3}))")
_BEFORE_BY = re.compile(r"(?:^|\n|[.|·•]\s)\s{0,9}(?:[Ww]ritten |[Pp]osted |[Pp]ublished )?$")
# No such beginning has as many characters.
_LONGEST_BEFORE_BY = 30
# What stands before the name of an author on a card for Twitter.
_LABEL = re.compile(r"written|author|by\b|verfasst|écrit|escrito|autor", re.IGNORECASE)
# Classes of elements that name an author.
_IS_NAME = re.compile(r"author[-_]*(?:__)?name|(?:^|[\s_-])(?:username|poster)(?:$|\s)|byline[-_]+(?:name|author)")
_OF_NAMES = ("name", "poster", "byline")  # one of these is in each
_IS_BYLINE = re.compile(r"(?:^|[\s_-])byline")
_IS_AUTHOR = re.compile(r"(?:^|[\s_-])author(?:s|$|[\s_-]|-link)(?!bio|box|image|avatar|img|about|desc)")
# Those of comments and what is in them, but not of the word "comment" in the class of a post that has some.
_IS_COMMENT = re.compile(
    r"(?:^|\s)(?:comments?|comment-?list|comment-?body|comment-?meta|comment-?author\S*|comment-?content|comment-?item"
    r"|commenter\S*|comment-\d+|disqus\S*|respond|replies)(?:$|\s)"
)
# One of these is in each; most names have none.
_OF_COMMENTS = ("comment", "disqus", "respond", "replies")
# How many elements around a name are asked for it.
_LEVELS = 8
# Characters of an element in which the line with the name is looked for.
_LONGEST = 400


def find_authors(sources: Sources, *, site_name: str) -> list[str]:
    """The names of people; of the site itself where nobody else is named.

    >>> from webstrata.page import parse
    >>> find_authors(Sources(parse("<meta name=author content=Rocks><a rel=author>Ada Stone</a>")), site_name="Rocks")
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


def _candidates(sources: Sources) -> Iterator[list[str]]:
    """What may name the authors, the most trusted first."""
    for key in ("author", "creator"):
        for node in sources.main_nodes:
            if key in node:
                yield names_of(node, key, sources.named_node)
    yield from sources.survey.contents(*_AUTHOR)
    for label, data in (("twitter:label1", "twitter:data1"), ("twitter:label2", "twitter:data2")):
        if _LABEL.search(sources.survey.first(label)):
            yield from sources.survey.contents(data)
    yield from _marked(sources)


def _marked(sources: Sources) -> Iterator[list[str]]:
    """The authors that elements of the body are marked to name, then the one that a line of the text names."""
    elements = sources.page.elements
    marks = [(_author_mark(mark), mark) for mark in sources.marked_authors]
    for wanted in ("item", "rel", "name", "byline", "class"):
        for kind, mark in marks:
            # Forums show their threads to programs in hidden elements, with the author marked as such.
            shown = kind == "item" or not elements.is_hidden(mark.row)
            if kind == wanted and shown and not _is_commenter(sources, mark):
                text = _first_line(sources, mark.row)
                if 1 < len(text) < 120:
                    yield [text]
                    break
    yield _named_by(sources.opening)


def _is_commenter(sources: Sources, mark: Mark) -> bool:
    """Whether an element names who wrote a comment: it, or one of those around it, says so in its class or id."""
    words = f"{mark.words} {sources.names_around(mark.row, _LEVELS)}"
    return any(word in words for word in _OF_COMMENTS) and _IS_COMMENT.search(words) is not None


def _named_by(text: str) -> list[str]:
    """The first name after a "by" that begins a line or a sentence."""
    for match in _BY.finditer(text):
        if _BEFORE_BY.search(text, max(0, match.start() - _LONGEST_BEFORE_BY), match.start() - 1):
            return [match[1]]
    return []


def _first_line(sources: Sources, row: int) -> str:
    """The first line of an element that holds a name; avatars may show one letter before it."""
    lines = [line for line in lines_of(sources.page, row, most=_LONGEST).split("\n") if len(line) > 1]
    # "Written by" may stand on a line of its own.
    return next((line for line in lines if author_names([line])), "")


def _author_mark(mark: Mark) -> str:
    """How an element says that it names the author: "item", "rel", "name", "byline", "class", or not at all."""
    if mark.item and "author" in mark.item.lower().split():
        return "item"
    if mark.relation and "author" in mark.relation.lower().split():
        return "rel"
    words = mark.words
    if any(word in words for word in _OF_NAMES) and _IS_NAME.search(words):
        return "name"
    if "byline" in words and _IS_BYLINE.search(words):
        return "byline"
    if "author" in words and _IS_AUTHOR.search(words):
        return "class"
    return ""
