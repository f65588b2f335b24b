"""The tags, the categories and the licence of a page."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from webstrata._escaping import one_line
from webstrata._lengths import LONGEST_TITLE, MOST_NAMES
from webstrata.extraction.metadata.candidates import words_of
from webstrata.extraction.metadata.jsonld import value_of
from webstrata.extraction.metadata.leading_links import last_link_to, topic_links
from webstrata.extraction.metadata.sources import MetadataSources
from webstrata.extraction.metadata.tags import folded
from webstrata.page import Page

__all__ = ["find_categories", "find_licence", "find_tags"]

# Where the tags of a page may be, the most reliable first. On news pages with known tags, the mean F1 of
# `news_keywords` is 0.91, of `keywords` 0.83, of ``article:tag`` 0.78, of the keywords of JSON-LD 0.67, of links with
# ``rel=tag`` 0.48.
_TAGS = ("article:tag", "og:article:tag", "book:tag", "video:tag")
_KEYWORDS = (
    ("news_keywords",),
    ("keywords", "custom-keywords"),
    _TAGS,
    ("dc.subject", "citation_keywords", "parsely-tags"),
)
_LAST_KEYWORDS = ("sailthru.tags", "cxenseparse:keywords", "tags")
_CATEGORIES = ("article:section", "og:article:section", "parsely-section", "category", "dc.type")
_LICENCES = ("dc.rights", "dcterms.license", "dcterms.rights", "license", "rights-standard")
# What a text that is a licence says; others are names of owners.
_IS_LICENCE = re.compile(r"licen[cs]|lizenz|licenz|rights|\bcc\b|creative|public domain|https?:|\bg?fdl\b", re.I)
# Licences of Creative Commons, by the path of their URLs; those of the public domain have other names.
_COMMONS = re.compile(
    r"creativecommons\.org/(?:licenses/([a-z-]+)(?:/([0-9.]+))?|publicdomain/(zero|mark)/([0-9.]+))", re.I
)
# The same in words, and the characters at the end of a page that are searched for them.
_IN_WORDS = re.compile(r"\bCC[ -](BY(?:[ -](?:NC|SA|ND))*)\b(?:[ -]?(\d\.\d))?", re.IGNORECASE)
_BEGINNINGS = ("CC BY", "CC-BY", "cc-by", "cc by")  # found much faster than the expression
_END = 3000
# The share of the elements of a page that are its end.
_LAST_ROWS = 0.2
_SEPARATOR = re.compile(r"[;,，、；]")
# Tags with the name of a kind before them, as in "Category: Wine"; tags that are codes, and those that are no tags.
_LABELLED = re.compile(r"([A-Z][\w ]{2,30}):\s(.+)")
_IS_TOPIC = re.compile(r"categor|subject|topic|tag|keyword|theme", re.IGNORECASE)
_IS_CODE = re.compile(r"[A-Z0-9][A-Z0-9:_-]*")
_IS_NO_TAG = re.compile(
    r"[0-9a-f]{8}-[0-9a-f-]{20,}|\d{5,}|[\W_]+|\S{60,}|.*:|https?:.*|(?:www\.)?[\w-]+\.(?:com|org|net|de|fr)"
    r"|(?:tags?|topics?|keywords?|labels?|themen|thèmes?|temas?|themes?|themenseiten|mehr zum thema|more|all"
    r"|(?:privacy|cookie) policy|terms of (?:use|service)|impressum|datenschutz|contact|about(?: us)?)",
    re.IGNORECASE | re.DOTALL,
)
_EAST_ASIAN = re.compile("[\u3040-\u30ff\u3400-\u9fff]")
_FEWEST_LABELLED, _FEWEST_CODES, _MOST_CODES, _MANY_WORDS, _TOO_MANY_WORDS = 3, 5, 0.8, 3, 8
# Lists with fewer tags are taken as they are; of others, this share must occur in the first lines of the page.
_FEW, _NAMED = 4, 0.1
_PUBLIC = {"zero": "CC0", "mark": "Public Domain Mark"}


def find_tags(sources: MetadataSources) -> tuple[str, ...]:
    """The tags in the order of the page, from the most reliable source that has some.

    Lists of codes are left out, and lists that name nothing of the title or the first lines of the text come last:
    these are often the same for all pages of a site.

    >>> from webstrata.page import parse
    >>> page = parse("<meta name=keywords content='Silt, Clay'><h1>Silt</h1><a rel=tag href=/tag/mud>Mud</a>")
    >>> find_tags(MetadataSources(page))
    ('Silt', 'Clay')
    """
    site = words_of(sources.declarations.first("og:site_name"))
    unlikely: tuple[str, ...] = ()
    for texts in _lists_of_tags(sources):
        found = _clean(texts, site)
        if found and ((len(found) < _FEW and not unlikely) or _names_topic(sources, found)):
            return found
        unlikely = unlikely or found
    return unlikely


def _lists_of_tags(sources: MetadataSources) -> Iterator[list[str]]:
    """The lists of tags of a page, the most reliable first."""
    declarations, page = sources.declarations, sources.page
    for names in _KEYWORDS:
        for contents in declarations.contents(*names):
            # Several elements are one tag each, one element is a list.
            yield contents if len(contents) > 1 and names == _TAGS else _split(contents)
    yield [text for node in sources.main_nodes if "keywords" in node for text in _texts(node["keywords"])]
    categories = set(declarations.categories)
    yield list(_linked(page, [row for row in declarations.tags if row not in categories]))
    spans = topic_links(page, declarations.headings[0] if declarations.headings else -1)
    yield [page.text[start:stop] for start, stop in spans]
    yield from map(_split, declarations.contents(*_LAST_KEYWORDS))


def _clean(texts: Sequence[str], site: str) -> tuple[str, ...]:
    """The tags of a list: no codes, no labels, no name of the site, and no tag that is all others in one."""
    tags = list(_distinct(texts))
    if len(tags) == 1 and tags[0].count(" ") >= _MANY_WORDS:
        # Chinese and Japanese have no spaces, but lists of words may; in other scripts such a list has lost its words.
        tags = tags[0].split() if _EAST_ASIAN.search(tags[0]) else tags if tags[0].count(" ") < _TOO_MANY_WORDS else []
    labelled = [match for tag in tags if (match := _LABELLED.fullmatch(tag))]
    if len(labelled) >= _FEWEST_LABELLED:
        values = [match[2] for match in labelled if _IS_TOPIC.search(match[1])]
        tags = [tag for tag in tags if not _LABELLED.fullmatch(tag)] + values if len(labelled) < len(tags) else values
    codes = [_IS_CODE.fullmatch(tag) is not None for tag in tags]
    if len(tags) >= _FEWEST_CODES and sum(codes) > _MOST_CODES * len(tags):
        return ()
    tags = [tag for tag in tags if not _IS_NO_TAG.fullmatch(tag) and words_of(tag) != site]
    every = {word for tag in tags if " " not in tag for word in words_of(tag).split()}
    kept = [tag for tag in tags if tag.count(" ") < _MANY_WORDS or not every.issuperset(words_of(tag).split())]
    return tuple({words_of(tag) or tag: tag for tag in reversed(kept)}.values())[::-1]


def _names_topic(sources: MetadataSources, tags: Sequence[str]) -> bool:
    """Whether enough of the tags occur in the title, the description or the first lines of the text."""
    about = (sources.title, sources.declarations.first("description", "og:description"), sources.opening)
    text = " ".join(about).casefold()
    return sum(tag.casefold() in text for tag in tags) >= _NAMED * len(tags)


def find_categories(sources: MetadataSources) -> tuple[str, ...]:
    """The categories: sections of the site."""
    named = [text for found in sources.declarations.contents(*_CATEGORIES) for text in found]
    sections = [node["articleSection"] for node in sources.main_nodes if "articleSection" in node]
    nodes = [text for section in sections for text in _texts(section, split=False)]
    return _distinct([*named, *nodes, *_linked(sources.page, sources.declarations.categories)])


def find_licence(sources: MetadataSources) -> str | None:
    """The licence: the short name of a licence of Creative Commons, else the URL or the words of the page.

    >>> from webstrata.page import parse
    >>> link = "<a rel=license href=https://creativecommons.org/licenses/by-sa/4.0/deed.en>some rights reserved</a>"
    >>> find_licence(MetadataSources(parse(link)))
    'CC BY-SA 4.0'
    """
    page = sources.page
    found = [page.elements.attribute(row, "href") or "" for row in sources.declarations.licences]
    declared = [sources.from_nodes("license"), *map(sources.declarations.first, _LICENCES)]
    found = [href for href in map(sources.safe, found) if href] + [
        text for text in declared if _IS_LICENCE.search(text)
    ]
    commons = [licence for licence in found if _COMMONS.search(licence)]
    if commons or found:
        return _short((commons or found)[0])
    # A licence at the end of a page is that of the page; others may be those of pictures.
    row = last_link_to(page, b"creativecommons.org/", _LAST_ROWS)
    licence = _short(page.elements.attribute(row, "href") or "") if row >= 0 else ""
    if licence.startswith("CC"):
        return licence
    end = page.text[-_END:]
    words = _IN_WORDS.search(end) if any(begin in end for begin in _BEGINNINGS) else None
    return " ".join(["CC", words[1].upper().replace(" ", "-"), words[2] or ""]).strip() if words else None


def _short(licence: str) -> str:
    match = _COMMONS.search(licence)
    if match is None:
        return one_line(licence, LONGEST_TITLE)
    code, version, public, public_version = match.groups()
    return f"CC {code.upper()} {version or ''}".strip() if code else f"{_PUBLIC[public.lower()]} {public_version}"


def _linked(page: Page, links: list[int]) -> Iterator[str]:
    """The texts of some links; links in the head have none."""
    if not links:
        return
    rows, starts, stops = page.link_spans
    # A link is not a block: its text is a span of the text of the page.
    wanted = np.array(links[: 4 * MOST_NAMES], rows.dtype)
    at = rows.searchsorted(wanted)
    at = at[rows.take(at, mode="clip") == wanted]
    for start, stop in zip(starts[at].tolist(), stops[at].tolist(), strict=True):
        yield page.text[start : min(stop, start + 4 * LONGEST_TITLE)]


def _texts(value: object, *, split: bool = True) -> Iterator[str]:
    """The texts of a JSON-LD property: one text with commas, or a list of texts or of named objects."""
    items = value if isinstance(value, list) else [value]
    for item in items[: 4 * MOST_NAMES]:
        if isinstance(item, str):
            yield from _parts(folded(item)) if split else (folded(item),)
        elif isinstance(item, dict):
            yield value_of(item, "name")


def _split(contents: Iterable[str]) -> list[str]:
    return [text for joined in contents for text in _parts(joined)]


def _parts(joined: str) -> list[str]:
    return _SEPARATOR.split(joined)


def _distinct(texts: Iterable[str]) -> tuple[str, ...]:
    """The texts on one line each, without repetitions in another case."""
    found: dict[str, str] = {}
    for text in texts:
        name = one_line(text, LONGEST_TITLE).strip().lstrip("#›»• ").strip()
        if name:
            found.setdefault(name.casefold(), name)
        if len(found) == MOST_NAMES:
            break
    return tuple(found.values())
