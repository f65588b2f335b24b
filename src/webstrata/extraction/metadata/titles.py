"""Candidates for the title of a page: headings, the ``<title>``, declared titles, and the parts of each."""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import unquote

from webstrata._escaping import one_line
from webstrata._lengths import LONGEST_TITLE
from webstrata.extraction.metadata.candidates import FieldCandidates, source_columns, words_of
from webstrata.extraction.metadata.sources import MetadataSources
from webstrata.urls import host

__all__ = ["TITLE_FEATURES", "TITLE_SOURCES", "title_candidates", "title_features"]

# The parts of a text between separators.
_PARTS = ("all", "without last part", "without first part", "first part", "last part", "longest part")
#: Where a title may come from, the most trusted first.
TITLE_SOURCES = (
    *("h1 in title", "h1", "second h1", "other h1", "og:title", "JSON-LD headline", "title", "twitter:title"),
    *("JSON-LD name", "meta title", "marked heading", "h2"),
    *(
        "h1 without first block",
        "h1 without last block",
        "last block of h1",
        "longest block of h1",
        "first block of h1",
    ),
    *(f"{part} of {whole}" for whole in ("title", "og:title", "h1") for part in _PARTS[1:]),
)
_META = ("citation_title", "dc.title", "dcterms.title", "parsely-title", "sailthru.title", "title", "headline")
_SEPARATOR = re.compile(
    r"\s+(?:[|\-–—·•»«:~›‹⋅∙●★/／]|::|\|\||--|<|>)\s+|\s*[｜︱│¦]\s*|\s*\|\s*|--+|[―–—]\s+|\s+[–—]|\s+:\s+"
    r"|(?<=[^\x00-\x7f])\s*[_－-]\s*(?=[^\x00-\x7f])|\s[-|]$"
)
_MARKED = re.compile(
    r"(?:entry|post|article|page|story|content|news|main|single|blog|topic|thread|product)[-_]*(?:__)?"
    r"(?:title|headline|heading|name)|(?:^|[\s_-])(?:headline|fn|p-name)(?:$|[\s_-])|itemprop"
)
# The kinds of separators: bars, dashes, colons, points.
_KINDS = ("|｜︱│¦", "-–—－―_", ":：", "·•»«~›‹⋅∙●★")
# Soft hyphens and the like, and separators at the ends of a part.
_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u2060\ufeff]")
_EDGES = " |-–—:·•/"
# Headings that are read.
_MOST_HEADINGS = 6
# Blocks of a heading that are told apart.
_MOST_BLOCKS = 8
_NUMBERS = re.compile(r"\d+")


def title_candidates(sources: MetadataSources) -> FieldCandidates:
    """What may be the title of a page.

    >>> from webstrata.page import parse
    >>> page = parse("<title>Strata | Rocks</title><h1>Strata</h1>")
    >>> found = title_candidates(MetadataSources(page))
    >>> [(one.value, found.names(one.sources)[0]) for one in found]
    [('Strata', 'h1 in title'), ('Strata | Rocks', 'title'), ('Rocks', 'without first part of title')]
    """
    found = FieldCandidates(TITLE_SOURCES)

    def add(source: str, text: str) -> None:
        text = _INVISIBLE.sub("", text).strip(_EDGES) if not text.isascii() else text.strip(_EDGES)
        if text:
            found.add(source, words_of(text) or text, text)

    title, headings = sources.title, sources.headings
    padded = f" {words_of(title)} "
    inside = [text for text in headings if (key := words_of(text)) and f" {key} " in padded]
    if inside:
        add("h1 in title", max(inside, key=len))
    for source, text in zip(("h1", "second h1", *["other h1"] * 8), headings, strict=False):
        add(source, text)
    first = sources.declarations.first
    declared = one_line(first("og:title"), LONGEST_TITLE)
    add("og:title", declared)
    add("JSON-LD headline", one_line(sources.from_nodes("headline"), LONGEST_TITLE))
    add("title", title)
    add("twitter:title", one_line(first("twitter:title"), LONGEST_TITLE))
    add("JSON-LD name", one_line(sources.from_nodes("name"), LONGEST_TITLE))
    add("meta title", one_line(first(*_META), LONGEST_TITLE))
    for source, text in sources.other_headings(_MARKED, _MOST_HEADINGS):
        add(source, text)
    for source, text in _blocks(sources):
        add(source, text)
    for whole, text in (("title", title), ("og:title", declared), ("h1", headings[0] if headings else "")):
        for part, value in _parts(text):
            add(f"{part} of {whole}", value)
    return found


def _blocks(sources: MetadataSources) -> Iterator[tuple[str, str]]:
    """The parts of the first heading that are elements of their own, such as a kicker before the title."""
    texts = sources.heading_blocks(_MOST_BLOCKS)
    if len(texts) < 2:
        return
    yield "h1 without first block", " ".join(texts[1:])
    yield "h1 without last block", " ".join(texts[:-1])
    yield "last block of h1", texts[-1]
    yield "longest block of h1", max(texts, key=len)
    yield "first block of h1", texts[0]


def _parts(text: str) -> Iterator[tuple[str, str]]:
    """The parts of a text between separators, and the text without the last or the first of them."""
    cuts = [match.span() for match in _SEPARATOR.finditer(text)]
    if not cuts:
        return
    starts, stops = [0, *(stop for _, stop in cuts)], [*(start for start, _ in cuts), len(text)]
    parts = [text[start:stop].strip() for start, stop in zip(starts, stops, strict=True)]
    yield _PARTS[1], text[: cuts[-1][0]].strip()
    yield _PARTS[2], text[cuts[0][1] :].strip()
    yield _PARTS[3], parts[0]
    yield _PARTS[4], parts[-1]
    yield _PARTS[5], max(parts, key=len)


#: What is measured of a candidate besides its sources.
TITLE_FEATURES = (
    *(
        "sources",
        "words",
        "characters",
        "rank by length",
        "names the site",
        "begins with the site",
        "ends with the site",
    ),
    *("has a separator", "in title", "title in it", "in h1", "h1 in it", "in og:title", "og:title in it"),
    *("share in title", "share of title", "share in URL", "share of URL", "digits"),
    *("headings", "page has og:title", "page has a headline", "path levels", "candidates", "declared as an article"),
    *("before in title", "after in title", "rest of title", "rest of title is the site"),
    *("before in og:title", "after in og:title", "rest of og:title", "rest of og:title is the site"),
    *("capitals", "in the text", "names the site by its class", "begins with a small letter", "words in description"),
    *("title has the site", "article node", "news node", "published", "headline is og:title", "h1 is og:title"),
)


def title_features(sources: MetadataSources, found: FieldCandidates, *, site_name: str, url: str) -> list[list[float]]:
    """A row of numbers for each candidate: whether each source names it, then `TITLE_FEATURES`."""
    title, og_title = words_of(sources.title), words_of(sources.declarations.first("og:title")[:LONGEST_TITLE])
    headings = sources.headings
    heading = words_of(headings[0]) if headings else ""
    path = url.partition("://")[2].partition("/")[2].partition("?")[0].strip("/")
    slug = {word for word in words_of(unquote(path.rpartition("/")[2])).split() if not word.isdigit()}
    title_words = set(title.split())
    sites = _site_keys(site_name, host(url))
    levels = float(path.count("/") + bool(path))
    page = [
        float(len(headings)),
        float(bool(og_title)),
        float(bool(sources.from_nodes("headline"))),
        levels,
        float(len(found)),
        float(sources.declarations.first("og:type").lower() == "article"),
        float(any(site in title.replace(" ", "") for site in sites)),
        float(sources.has_article),
        float(sources.has_news),
        float(bool(sources.declarations.first("article:published_time", "og:article:published_time"))),
        float(words_of(sources.from_nodes("headline")[:LONGEST_TITLE]) == og_title),
        float(heading == og_title),
    ]
    wholes = (sources.title, one_line(sources.declarations.first("og:title"), LONGEST_TITLE))
    opening = sources.opening
    described = set(words_of(sources.declarations.first("description")[:LONGEST_TITLE]).split())
    lengths = sorted({len(str(one.key)) for one in found}, reverse=True)
    rows = []
    for value, key, bits in found:
        text = str(key)
        words = set(text.split())
        joined = text.replace(" ", "")
        in_title, in_slug = len(words & title_words), len(words & slug)
        row = [*source_columns(bits, len(TITLE_SOURCES))]
        row += [
            float(bits.bit_count()),
            float(len(words)),
            float(len(text)),
            float(lengths.index(len(text))),
            float(joined in sites),
            float(any(joined.startswith(site) for site in sites)),
            float(any(joined.endswith(site) for site in sites)),
            float(_SEPARATOR.search(value) is not None),
            _within(text, title),
            _within(title, text),
            _within(text, heading),
            _within(heading, text),
            _within(text, og_title),
            _within(og_title, text),
            in_title / len(words),
            in_title / max(1, len(title_words)),
            in_slug / len(words),
            in_slug / max(1, len(slug)),
            float(_NUMBERS.search(text) is not None),
        ]
        for whole in wholes:
            row += _cut(value, whole, sites)
        row += [
            sum(map(str.isupper, value)) / len(value),
            float(value in opening),
            float(value in sources.site_headings),
            float(value[0].islower()),
            len(words & described) / len(words),
        ]
        rows.append(row + page)
    return rows


def _cut(value: str, whole: str, sites: set[str]) -> list[float]:
    """How a candidate was cut from a text: the kinds of signs around it, and what the rest is."""
    at = whole.find(value)
    if at < 0 or not whole:
        return [-1.0, -1.0, -1.0, -1.0]
    before, after = whole[:at].rstrip(), whole[at + len(value) :].lstrip()
    rest = words_of(f"{before} {after}")
    joined = rest.replace(" ", "")
    return [
        _kind(before[-1:]),
        _kind(after[:1]),
        float(len(rest.split())),
        float(bool(joined) and any(joined in site or site in joined for site in sites)),
    ]


def _kind(sign: str) -> float:
    """The kind of a separator as a number."""
    if not sign:
        return 0.0
    return next((float(kind) for kind, signs in enumerate(_KINDS, 1) if sign in signs), float(len(_KINDS) + 1))


def _within(inner: str, outer: str) -> float:
    return float(bool(inner) and inner in outer)


def _site_keys(site_name: str, name: str) -> set[str]:
    """The names of a site without spaces: as it is named, its host, and the parts of the host."""
    labels = {words_of(label).replace(" ", "") for label in name.removeprefix("www.").split(".")[:-1]}
    names = {words_of(site_name).replace(" ", ""), words_of(name.removeprefix("www.")).replace(" ", ""), *labels}
    return {key for key in names if len(key) > 2}
