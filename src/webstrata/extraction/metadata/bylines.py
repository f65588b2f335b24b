"""Candidates for the authors of a page: declared, marked in the body, or named in its text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from webstrata._lengths import MOST_NAMES
from webstrata.extraction.metadata.author_words import ORGANISATIONS
from webstrata.extraction.metadata.authors import author_names
from webstrata.extraction.metadata.candidates import FieldCandidates, source_columns, words_of
from webstrata.extraction.metadata.east_asian_names import east_asian_names
from webstrata.extraction.metadata.jsonld import names_of
from webstrata.extraction.metadata.marks import MarkedElement
from webstrata.extraction.metadata.sources import REVIEWS, MetadataSources
from webstrata.extraction.metadata.tags import is_one_of
from webstrata.tree import lines_of
from webstrata.urls import host

__all__ = ["AUTHOR_FEATURES", "AUTHOR_SOURCES", "author_candidates", "author_features"]

# Groups of names of meta elements for authors.
_META = {
    "meta author": ("author",),
    "meta article:author": ("article:author", "og:article:author", "article_author", "article-author"),
    "meta citation": ("citation_author", "dc.creator", "dcterms.creator", "dc:creator", "creator", "dc.contributor"),
    "meta of analytics": ("parsely-author", "sailthru.author", "cxenseparse:author", "byl", "rnews:author"),
}
_MARKS = ("item", "rel", "name", "byline", "class", "loose class", "link")
#: Where the names of authors may come from, the most trusted first.
AUTHOR_SOURCES = (
    *("JSON-LD author", "JSON-LD creator", *_META, "Twitter card", *_MARKS, *(f"second {mark}" for mark in _MARKS)),
    *(f"all {mark}" for mark in _MARKS),
    *("text after by", "line after by", "label in the text", "text after the title", "line with a name"),
    *("line after the title", "line with a date", "later text after by"),
    *("JSON-LD publisher", "copyright line", "site name", "JSON-LD author of a review"),
)
_IN_BODY = sum(
    1 << number
    for number, source in enumerate(AUTHOR_SOURCES)
    if source
    in ("byline", "name", "rel", "text after by", "line after by", "text after the title", "label in the text")
)
# A name after "by", and the text before it. The first letter is fixed, so that the engine can skip to it.
_BY = re.compile(r"y(?<=[Bb]y)(?=:?\s{1,9}([A-Z][\w.'’-]+(?: [A-Z][\w.'’-]+){1,3}))")
_BEFORE_BY = re.compile(r"(?:^|\n|[.|·•]\s)\s{0,9}(?:[Ww]ritten |[Pp]osted |[Pp]ublished )?$")
# The most characters of the text before it.
_LONGEST_BEFORE_BY = 30
# A line that begins with a word for authors, in languages that do not write "by".
_LINE = re.compile(
    r"^(?:[Vv]on|[Pp]ar|[Pp]or|[Dd]i|[Dd]oor|[Aa]v|[Aa]f|Text|Texte|Texto|Autor|Autora|Autorin|Auteur|Autore|Tekst|Piše|Írta|Szerző|Автор"
    r"|Текст|Yazan|Oleh|Penulis|Kirjoittanut|Skrevet av|Skriven av|بقلم|كتب|كتبت|מאת|โดย|Bởi|Tác giả)"
    r"[:：]?\s+([^\n]{3,80})$",
    re.MULTILINE,
)
# A line that is "by" and a name of any kind, up to a separator; and a line that is nothing but a name.
_BY_LINE = re.compile(
    r"^(?:(?:written|posted|published|words|reviewed|authored|story|this \w{4,7} was written) )?by:?\s?[ \n\u00a0]"
    r"([^\n|·•,]{2,40}?)"
    r"(?:[ \u00a0]*[|·•,]|[ \u00a0](?:on|at|in)[ \u00a0]|$)",
    re.MULTILINE | re.IGNORECASE,
)
_NAME_LINE = re.compile(
    r"^[^\W\d_a-z][\w.'’-]{1,20}(?:[ /][^\W\d_a-z][\w.'’-]{1,20}){1,3}[ \u00a0]?[|·•,]?$", re.MULTILINE
)
# The line after the title; a line with a name and a date; and "written by" anywhere in the text.
_NEXT_LINE = re.compile(r"\s*([^\n]{2,40})(?:\n|$)")
_DATED_LINE = re.compile(r"^(?=[^\n]{0,120}\d)([^\n|·•]{2,60})[ \u00a0][|·•][ \u00a0]([^\n|·•]{2,60})", re.MULTILINE)
_NAME = re.compile(r"[^\W\d_a-z][\w.'’-]{1,20}(?: [^\W\d_][\w.'’-]{0,20}){1,3}(?= in [A-Z]|$)")
_LATER_BY = re.compile(r"ritten by:?\s{1,2}([A-Z][\w.'’-]+(?: [A-Z][\w.'’-]+){1,3})")
_LONGEST_LINE = 120
_COPYRIGHT = re.compile(
    r"(?:©|\(c\)|copyright)\s{0,3}(?:(?:19|20)\d\d)?(?:\s?[-–]\s?(?:19|20)\d\d)?,?\s{0,3}(?:by )?([^\n.|·,;©\d]{3,40})",
    re.I,
)
# A line or the beginning of a line with a label, which stands at the end of an article.
_LABEL_LINE = re.compile(
    r"^(?:Autorin/Autor|Autor(?:in|en|a|es|ka)?|Auteure?s?|Autore|Author|Written by|Text|Forfatter|Szerző|Автор|Müəllif"
    r"|Συντάκτης|بقلم|الكاتب|מאת|ผู้เขียน|Tác giả|Penulis|Yazar)\s?(?::\s?|\n)([^\n]{3,80})$",
    re.MULTILINE,
)
# Characters at the end of the text that are searched for such a label.
_END = 3000
# Characters that are searched for "written by".
_LATEST = 50_000
# A name as libraries write it, the family name first.
_FAMILY_FIRST = re.compile(r"([^\W\d_][\w'’.-]*(?: [\w'’.-]+){0,2}), ([^\W\d_][\w'’.-]*(?: [\w'’.-]+){0,2})")
# The label of an author on a Twitter card.
_LABEL = re.compile(
    r"written|author|by\b|verfasst|écrit|escrito|autor|geschrieben|scritto|geschreven|yazan|автор", re.IGNORECASE
)
# Classes of elements that name an author.
_IS_NAME = re.compile(r"author[-_]*(?:__)?name|(?:^|[\s_-])(?:username|poster)(?:$|\s)|byline[-_]+(?:name|author)")
_IS_BYLINE = re.compile(r"(?:^|[\s_-])byline")
_IS_AUTHOR = re.compile(r"(?:^|[\s_-])author(?:s|$|[\s_-]|-link)(?!bio|box|image|avatar|img|about|desc)")
_IS_LOOSE = re.compile(
    r"(?:author|byline|creator|writer)(?!\S*(?:bio|box|image|avatar|img|about|desc|social|follow|comment))"
)
# Classes of comments and their parts, but not "comment" in the class of a post that has comments.
_IS_COMMENT = re.compile(
    r"(?:^|\s)(?:comments?|comment-?list|comment-?body|comment-?meta|comment-?author\S*|comment-?content|comment-?item"
    r"|commenter\S*|comment-\d+|disqus\S*|respond|replies)(?:$|\s)"
)
# The number of elements around a name that are searched for them.
_LEVELS = 8
# Characters of an element that are searched for the line with the name.
_LONGEST = 400
# Elements of the same kind that are read, and the most rows between the first and the last of them.
_MOST_ALIKE, _FARTHEST = 8, 40
# Links near the title that may lead to a profile.
_MOST_LINKS = 40
# Characters of the text in which words of candidates are looked for.
_LONGEST_TEXT = 20_000
# Elements inside of one without text that may hold its name.
_INSIDE = 5


def author_candidates(sources: MetadataSources, *, site_name: str) -> FieldCandidates:
    """Who may be the authors of a page; each candidate is a list of names, separated by "; ".

    >>> from webstrata.page import parse
    >>> page = parse("<meta name=author content=Rocks><a rel=author>Ada Stone</a>")
    >>> [one.value for one in author_candidates(MetadataSources(page), site_name="Rocks")]
    ['Rocks', 'Ada Stone']
    """
    found = FieldCandidates(AUTHOR_SOURCES)
    site = "".join(words_of(site_name).split())

    def add(texts: Iterable[tuple[str, Sequence[str]]]) -> bool:
        """Add the names in texts; whether one is that of a person."""
        is_person = False
        for source, several in texts:
            if names := author_names(several):
                key = tuple(sorted({name.casefold() for name in names}))
                found.add(source, key, "; ".join(names))
                is_person = is_person or any(_is_person(name, site) for name in key)
        return is_person

    # The body is read only if no person is declared: reading it takes most of the time of all metadata.
    if not add(_declared(sources)):
        add(_marked(sources))
        add(_in_text(sources))
    add([("JSON-LD publisher", _names_of(sources, "publisher")), ("site name", [site_name])])
    return found


def _is_person(name: str, site: str) -> bool:
    """Whether a name in lower case looks like that of a person, and not of the site or another organisation."""
    words = name.split()
    joined = "".join(words_of(name).split())
    of_site = bool(site) and (joined in site or site in joined)
    return (len(words) > 1 or not name.isascii()) and ORGANISATIONS.isdisjoint(words) and not of_site


def _names_of(sources: MetadataSources, key: str, *, of_reviews: bool = False) -> list[str]:
    """The names in a property of the first main node that has it; reviews of a thing, such as a product, are apart."""
    has_others = len(sources.nodes) > 1
    nodes = (node for node in sources.main_nodes if key in node)
    node = next((node for node in nodes if (has_others and is_one_of(node, REVIEWS)) == of_reviews), None)
    return [] if node is None else names_of(node, key, sources.named_node)


def _declared(sources: MetadataSources) -> Iterator[tuple[str, Sequence[str]]]:
    """The texts that declare the authors, with their sources."""
    for key in ("author", "creator"):
        yield f"JSON-LD {key}", _names_of(sources, key)
    yield "JSON-LD author of a review", _names_of(sources, "author", of_reviews=True)
    declarations = sources.declarations
    for source, names in _META.items():
        for contents in declarations.contents(*names):
            yield source, _in_order(contents) if source == "meta citation" else contents
    for label, data in (("twitter:label1", "twitter:data1"), ("twitter:label2", "twitter:data2")):
        if _LABEL.search(declarations.first(label)):
            yield "Twitter card", [declarations.first(data)]


def _in_order(contents: Sequence[str]) -> list[str]:
    """The names of a bibliography, with the family name last: "Stone, Ada" is "Ada Stone"."""
    texts = [text.strip() for content in contents[:MOST_NAMES] for text in content[:_LONGEST].split(";")]
    return [_FAMILY_FIRST.sub(r"\2 \1", text) if _FAMILY_FIRST.fullmatch(text) else text for text in texts]


def _marked(sources: MetadataSources) -> Iterator[tuple[str, list[str]]]:
    """The texts of elements of the body that are marked for authors: the first of each kind, then all near it."""
    elements = sources.page.elements
    marks: dict[str, list[MarkedElement]] = {name: [] for name in _MARKS}
    for mark in sources.marked_authors:
        kind = _author_mark(mark)
        # Forums describe threads to programs in hidden elements with ``itemprop``.
        if kind == "class" and not _IS_AUTHOR.search(mark.words):
            kind = "loose class"
        if kind and len(marks[kind]) < _MOST_ALIKE and (kind == "item" or not elements.is_hidden(mark.row)):
            marks[kind].append(mark)
    marks["link"] = sources.profiles_near_title(_MOST_LINKS, _MOST_ALIKE)
    for kind, alike in marks.items():
        texts: list[str] = []
        first = -1
        for mark in alike:
            if (first < 0 or mark.row - first <= _FARTHEST) and not _is_commenter(sources, mark):
                text = _first_line(sources, mark.row)
                if not text and kind == "item":
                    text = _named_inside(sources, mark.row)
                if kind == "byline":
                    text = text[:120]
                if 1 < len(text) <= 120:
                    texts.append(text)
                    first = mark.row if first < 0 else first
        yield kind, texts[:1]
        if len(texts) > 1:
            yield f"second {kind}", texts[1:2]
            yield f"all {kind}", texts


def _in_text(sources: MetadataSources) -> Iterator[tuple[str, list[str]]]:
    """Names after a word such as "by", near the title or at the end of the text."""
    opening, page = sources.opening, sources.page.text
    for match in _BY.finditer(opening):
        if _BEFORE_BY.search(opening, max(0, match.start() - _LONGEST_BEFORE_BY), match.start() - 1):
            yield "text after by", [match[1]]
            break
    # Bylines are short lines; most of the text is in long ones.
    before, after = _short_lines(opening[: sources.opening_title]), _short_lines(opening[sources.opening_title :])
    lines = f"{before}\n{after}"
    by = _BY_LINE.search(lines)
    if by is not None and not by[1].islower():  # "by hand"
        yield "line after by", [by[1]]
    line = _LINE.search(lines)
    if line is not None:
        yield "text after the title", [line[1]]
    alone = _NAME_LINE.search(after)
    if alone is not None:
        yield "line with a name", [alone[0].replace("/", ";")]
    following = _NEXT_LINE.match(after) if before else None
    if following is not None:
        yield "line after the title", [following[1]]
    for match in _DATED_LINE.finditer(lines):
        if name := _NAME.fullmatch(match[1].strip()) or _NAME.match(match[2].strip()):
            yield "line with a date", [name[0]]
            break
    yield from _in_later_text(page)
    end = page[-_END:]
    label = _LABEL_LINE.search(end)
    if label is not None:
        yield "label in the text", [label[1]]
    if not (opening.isascii() and end.isascii()) and (names := east_asian_names(opening) or east_asian_names(end)):
        yield "label in the text", [names]


def _short_lines(text: str) -> str:
    return "\n".join([line for line in text.split("\n") if len(line) <= _LONGEST_LINE])


def _in_later_text(text: str) -> Iterator[tuple[str, list[str]]]:
    """Names after "written by" anywhere in the text, and in the copyright line at its end."""
    at = text.find("ritten by", 0, _LATEST)
    later = _LATER_BY.match(text, at) if at >= 0 else None
    if later is not None:
        yield "later text after by", [later[1]]
    # These signs are found much faster than they are matched.
    end = text[-_END:]
    places = [end.find(sign) for sign in ("©", "opyright", "(c)", "(C)", "OPYRIGHT")]
    owner = _COPYRIGHT.search(end, max(0, min(at for at in places if at >= 0) - 1)) if max(places) >= 0 else None
    if owner is not None:
        yield "copyright line", [owner[1]]


def _is_commenter(sources: MetadataSources, mark: MarkedElement) -> bool:
    """Whether an element names the author of a comment, by its class or id or those around it."""
    words = f"{mark.words} {sources.names_around(mark.row, _LEVELS)}"
    return _IS_COMMENT.search(words) is not None


def _first_line(sources: MetadataSources, row: int) -> str:
    """The first line of an element with a name; avatars may have a line of one letter before it."""
    lines = [line for line in lines_of(sources.page, row, most=_LONGEST).split("\n") if len(line) > 1]
    # "Written by" may be a line of its own.
    return next((line for line in lines if author_names([line])), "")


def _named_inside(sources: MetadataSources, row: int) -> str:
    """The name that an element without text holds in an attribute of an element inside of it."""
    elements = sources.page.elements
    for inner in range(row + 1, min(row + _INSIDE, len(elements))):
        item, content = elements.some_attributes(inner, (b"itemprop", b"content"))
        if item == "name" and content:
            return content
    return elements.attribute(row, "content") or ""


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
    return "class" if _IS_AUTHOR.search(words) or _IS_LOOSE.search(words) else ""


#: What is measured of a candidate besides its sources.
AUTHOR_FEATURES = (
    *("sources", "names", "words of a name", "characters", "is the site", "has the site", "digits", "lower case"),
    *("organisation", "in the opening", "share in others", "share of others", "holds another", "held by another"),
    *(
        "is a person",
        "other persons",
        "is the host",
        "candidates",
        "article node",
        "declared as an article",
        "path levels",
        "published",
        "capitals",
        "order",
        "words in lower case in the text",
        "words in the title",
        "words with a capital",
        "East Asian",
        "one word",
        "names the body of the site",
        "other persons in the text",
    ),
)


def author_features(sources: MetadataSources, found: FieldCandidates, *, site_name: str, url: str) -> list[list[float]]:
    """A row of numbers for each candidate: whether each source names it, then `AUTHOR_FEATURES`."""
    site = site_name.casefold()
    joined_site = "".join(words_of(site_name).split())
    labels = {words_of(label) for label in host(url).split(".")}
    opening = sources.opening.casefold()
    path = url.partition("://")[2].partition("/")[2].partition("?")[0].strip("/")
    page = [
        float(len(found)),
        float(sources.has_article),
        float(sources.declarations.first("og:type").lower() == "article"),
        float(path.count("/") + bool(path)),
        float(bool(sources.declarations.first("article:published_time", "og:article:published_time"))),
    ]
    title = set(words_of(sources.title).split())
    text = sources.page.text[:_LONGEST_TEXT]
    every = [(one, frozenset(_keys(one.key))) for one in found]
    persons = [any(_is_person(name, joined_site) for name in names) for _, names in every]
    bodies = {site, *labels, *(name.casefold() for name in _names_of(sources, "publisher"))}
    shown = [person and bool(one.sources & _IN_BODY) for person, (one, _) in zip(persons, every, strict=True)]
    rows = []
    for order, ((value, _, bits), names) in enumerate(every):
        others = [other for number, (_, other) in enumerate(every) if number != order]
        united = frozenset[str]().union(*others)
        words = [name.split() for name in names]
        row = [*source_columns(bits, len(AUTHOR_SOURCES))]
        row += [
            float(bits.bit_count()),
            float(len(names)),
            sum(map(len, words)) / len(names),
            float(len(value)),
            float(bool(site) and names <= {site, f"the {site}"}),
            float(bool(site) and any(site in name for name in names)),
            float(any(letter.isdigit() for letter in value)),
            float(value.islower()),
            float(any(not ORGANISATIONS.isdisjoint(name) for name in words)),
            float(any(name in opening for name in names)),
            len(names & united) / len(names),
            len(names & united) / max(1, len(united)),
            float(any(other < names for other in others)),
            float(any(names < other for other in others)),
        ]
        row += [float(persons[order]), float(sum(persons) - persons[order]), float(words_of(value) in labels)]
        row += [*page, sum(map(str.isupper, value)) / len(value), float(order)]
        row += _writing(value, title, text)
        rows.append([*row, float(names <= bodies), float(sum(shown) - shown[order])])
    return rows


def _writing(value: str, title: set[str], text: str) -> list[float]:
    """How the words of a candidate are written. The words of a name are seldom in the text in lower case."""
    words = [word for word in value.replace(";", " ").split() if word[:1].isalpha()]
    count = max(1, len(words))
    return [
        sum(f" {word.lower()} " in text for word in words) / count,
        sum(words_of(word) in title for word in words) / count,
        sum(word[0].isupper() for word in words) / count,
        float("\u3040" <= value[0] <= "\ud7af"),
        float(len(words) == 1),
    ]


def _keys(key: object) -> tuple[str, ...]:
    return key if isinstance(key, tuple) else ()
