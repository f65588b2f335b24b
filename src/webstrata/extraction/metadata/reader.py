"""What a page says of itself: title, author, date, language, site, address, description, image, tags, licence.

Sources in the order of their trust: JSON-LD, the meta elements (OpenGraph, Dublin Core, citation, and the like), marked
elements of the body (``time``, ``itemprop``, ``rel=author``, classes such as ``byline``), and the text near the first
heading.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from webstrata._escaping import one_line
from webstrata._lengths import LONGEST_TITLE
from webstrata._once import once
from webstrata.extraction.metadata.bylines import find_authors
from webstrata.extraction.metadata.datelines import find_published
from webstrata.extraction.metadata.jsonld import value_of
from webstrata.extraction.metadata.sources import Sources
from webstrata.extraction.metadata.tags import is_one_of
from webstrata.extraction.metadata.titles import best_title
from webstrata.extraction.metadata.topics import find_categories, find_licence, find_tags
from webstrata.page import Page

__all__ = ["FIELDS", "Metadata", "metadata", "topic"]

#: The names of the fields, in the order in which they are shown.
FIELDS = (
    *("title", "author", "date", "language", "site_name", "url", "description", "image"),
    *("tags", "categories", "licence"),
)

# The meta elements that may name the site besides og:site_name.
_SITE = ("application-name", "al:ios:app_name", "dc.publisher", "publisher", "apple-mobile-web-app-title")
_DESCRIPTION = ("description", "og:description", "twitter:description", "dc.description")
_IMAGE = ("og:image", "og:image:url", "og:image:secure_url", "twitter:image", "twitter:image:src")
# How the types of bodies of people end, such as companies, in JSON-LD.
_BODIES = ("Organization", "Business", "Corporation", "Store")
_LANGUAGE_TAG = re.compile(r"[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8}){0,4}")
_LANGUAGE = ("content-language", "dc.language", "language", "og:locale")


class Metadata:
    """What a page says of itself; None, or no tags, where it says nothing. Each field is read when asked for, once.

    >>> from webstrata.page import parse
    >>> found = Metadata(parse('<html lang=en><title>Strata | Rocks</title><meta property="og:site_name" content=Rocks>'
    ...     '<h1>Strata</h1><p class=byline>By Ada Stone, <time datetime=2024-05-17>Friday</time>'))
    >>> found.title, found.author, found.date, found.site_name
    ('Strata', 'Ada Stone', '2024-05-17', 'Rocks')
    """

    def __init__(self, page: Page) -> None:
        self._page = page
        self._sources = Sources(page)

    @once
    def title(self) -> str | None:
        """The title of what the page is about, without the name of the site."""
        found = best_title(
            self._sources.title,
            headings=self._sources.headings,
            declared=self._declared_titles(),
            site_name=self.site_name or "",
            url=self.url or self._page.url or "",
        )
        return found or None

    def _declared_titles(self) -> Iterator[str]:
        meta = self._sources.survey.first
        declared = (meta("og:title"), self._sources.from_nodes("headline"), meta("twitter:title"))
        yield from (one_line(text, LONGEST_TITLE) for text in declared if text)

    @once
    def author(self) -> str | None:
        """The names of the authors, parted by "; "."""
        return "; ".join(find_authors(self._sources, site_name=self.site_name or "")) or None

    @once
    def date(self) -> str | None:
        """The day of publication as YYYY-MM-DD."""
        # Only English may put the month first; where a page names no language, it is taken for English.
        month_first = (self.language or "").lower() in ("", "en", "en-us")
        return find_published(self._sources, url=self.url or self._page.url or "", month_first=month_first)

    @once
    def language(self) -> str | None:
        """The language as a tag such as "en" or "en-GB"."""
        declared = self._page.lang or self._sources.survey.first(*_LANGUAGE) or self._sources.from_nodes("inLanguage")
        match = _LANGUAGE_TAG.match(declared)
        return match[0].replace("_", "-") if match else None

    @once
    def site_name(self) -> str | None:
        """The name of the site."""
        survey, nodes = self._sources.survey, self._sources.nodes
        sites = (value_of(node, "name") for node in nodes if node.get("@type") == "WebSite")
        bodies = (value_of(node, "name") for node in nodes if is_one_of(node, _BODIES))
        found = (
            survey.first("og:site_name")
            or next(filter(None, sites), "")
            or self._sources.from_nodes("publisher")
            or survey.first(*_SITE)
            or next(bodies, "")
        )
        return one_line(found, LONGEST_TITLE) or None

    @once
    def url(self) -> str | None:
        """The address that the page gives itself, or the one that it came from."""
        canonical = self._sources.canonical
        return self._sources.safe(canonical) if canonical else self._page.url

    @once
    def description(self) -> str | None:
        """What the page says it is about, in some sentences."""
        return self._sources.survey.first(*_DESCRIPTION) or self._sources.from_nodes("description") or None

    @once
    def image(self) -> str | None:
        """The address of the picture that stands for the page."""
        found = self._sources.survey.first(*_IMAGE) or self._sources.from_nodes("image", "thumbnailUrl")
        return self._sources.safe(found)

    @once
    def tags(self) -> tuple[str, ...]:
        """The subjects that the page names."""
        return find_tags(self._sources)

    @once
    def categories(self) -> tuple[str, ...]:
        """The sections of the site that the page names."""
        return find_categories(self._sources)

    @once
    def licence(self) -> str | None:
        """The licence that the page is under: "CC BY-SA 4.0", or its address, or its words."""
        return find_licence(self._sources)

    def as_dict(self) -> dict[str, Any]:
        """All fields by their names, as values that JSON has."""
        found = {name: getattr(self, name) for name in FIELDS}
        return {**found, "tags": list(self.tags), "categories": list(self.categories)}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Metadata) and self.as_dict() == other.as_dict()

    def __repr__(self) -> str:
        return f"Metadata({', '.join(f'{name}={value!r}' for name, value in self.as_dict().items())})"


def metadata(page: Page) -> Metadata:
    """The metadata of a page.

    >>> from webstrata.page import parse
    >>> metadata(parse("<title>Strata</title>")).title
    'Strata'
    """
    return Metadata(page)


def topic(page: Page) -> str:
    """What a page says it is about: its title and its description. Authors and dates are not looked for.

    >>> from webstrata.page import parse
    >>> topic(parse("<title>Strata</title><meta name=description content='About layers'>"))
    'Strata About layers'
    """
    found = Metadata(page)
    return f"{found.title or ''} {found.description or ''}"
