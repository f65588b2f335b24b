"""What a page says of itself: title, author, date, language, site, address, description, image.

Sources in the order of their trust: JSON-LD, the meta elements (OpenGraph, Dublin Core, citation, and the like), marked
elements of the body (``time``, ``itemprop``, ``rel=author``, classes such as ``byline``), and the text near the first
heading.
"""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass
from typing import Any

from webstrata.escaping import one_line
from webstrata.extraction.metadata.bylines import find_authors
from webstrata.extraction.metadata.datelines import find_published
from webstrata.extraction.metadata.jsonld import types_of, value_of
from webstrata.extraction.metadata.sources import Sources
from webstrata.extraction.metadata.titles import best_title
from webstrata.limits import LONGEST_TITLE
from webstrata.page import Page
from webstrata.urls import host, safe

__all__ = ["Metadata", "metadata", "topic"]

# The meta elements that may name the site besides og:site_name.
_SITE = ("application-name", "al:ios:app_name", "dc.publisher", "publisher", "apple-mobile-web-app-title")
_DESCRIPTION = ("description", "og:description", "twitter:description", "dc.description")
_IMAGE = ("og:image", "og:image:url", "og:image:secure_url", "twitter:image", "twitter:image:src")
# How the types of bodies of people end, such as companies, in JSON-LD.
_BODIES = ("Organization", "Business", "Corporation", "Store")
_LANGUAGE = ("content-language", "dc.language", "language", "og:locale")


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
    sources = Sources(page)
    site_name, language, url = _site_name(sources), _language(sources), _url(sources)
    # Only English may put the month first; where a page names no language, it is taken for English.
    month_first = language.lower() in ("", "en", "en-us")
    image = sources.first_meta(*_IMAGE) or sources.from_nodes("image", "thumbnailUrl")
    return Metadata(
        title=_title(sources, site_name, url or page.url or "") or None,
        author="; ".join(find_authors(sources, site_name=site_name)) or None,
        date=find_published(sources, url=url or page.url or "", month_first=month_first),
        language=language or None,
        site_name=site_name or None,
        url=url,
        description=_description(sources) or None,
        image=safe(page.base_url, image),
    )


def topic(page: Page) -> str:
    """What a page says it is about: its title and its description. Authors and dates are not looked for.

    >>> from webstrata.page import parse
    >>> topic(parse("<title>Strata</title><meta name=description content='About layers'>"))
    'Strata About layers'
    """
    sources = Sources(page)
    title = _title(sources, _site_name(sources), _url(sources) or page.url or "")
    return f"{title} {_description(sources)}"


def _description(sources: Sources) -> str:
    return sources.first_meta(*_DESCRIPTION) or sources.from_nodes("description")


def _site_name(sources: Sources) -> str:
    found = sources.first_meta("og:site_name")
    for node in sources.nodes:
        if not found and node.get("@type") == "WebSite":
            found = value_of(node, "name")
    for node in sources.main_nodes:
        found = found or value_of(node, "publisher")
    found = found or sources.first_meta(*_SITE)
    found = found or next((value_of(node, "name") for node in sources.nodes if _is_body(node)), "")
    return one_line(found, LONGEST_TITLE)


def _is_body(node: dict[str, Any]) -> bool:
    """Whether a node of JSON-LD stands for a body of people, such as a company."""
    return any(kind.endswith(_BODIES) for kind in types_of(node))


def _title(sources: Sources, site_name: str, url: str) -> str:
    declared = [sources.first_meta("og:title"), sources.from_nodes("headline"), sources.first_meta("twitter:title")]
    return best_title(
        sources.title,
        headings=sources.headings,
        declared=[one_line(text, LONGEST_TITLE) for text in declared if text],
        site_name=site_name,
        host=host(url),
    )


def _language(sources: Sources) -> str:
    declared = sources.page.lang or sources.first_meta(*_LANGUAGE) or sources.from_nodes("inLanguage")
    match = re.match(r"[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8}){0,4}", declared)
    return match[0].replace("_", "-") if match else ""


def _url(sources: Sources) -> str | None:
    """The address that the page gives itself, or the one that it came from."""
    canonical = _canonical(sources)
    return safe(sources.page.base_url, canonical) if canonical else sources.page.url


def _canonical(sources: Sources) -> str:
    elements, source = sources.page.elements, sources.page.source
    for row in elements.find("link").tolist():
        if b"canonical" in source[elements.source_start[row] : elements.open_stop[row]].lower():
            attributes = elements[row].attributes
            if "canonical" in attributes.get("rel", "").lower().split() and attributes.get("href"):
                return str(attributes["href"])
    return sources.first_meta("og:url", "twitter:url")
