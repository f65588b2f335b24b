"""The metadata of a page: title, author, date, language, site, URL, description, image, tags, categories, licence.

The sources, the most trusted first: JSON-LD, meta elements (OpenGraph, Dublin Core, citation and others), marked
elements of the body (``time``, ``itemprop``, ``rel=author``, classes such as ``byline``), and the text near the first
heading.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from webstrata._escaping import one_line
from webstrata._lengths import LONGEST_TITLE
from webstrata._once import once
from webstrata.extraction.metadata.choice import MetadataModel, shipped
from webstrata.extraction.metadata.deciding import Circumstances, Evidence, FieldDecision, decide
from webstrata.extraction.metadata.jsonld import value_of
from webstrata.extraction.metadata.moments import changed_when, published_when
from webstrata.extraction.metadata.schema import find_schema
from webstrata.extraction.metadata.sources import MetadataSources
from webstrata.extraction.metadata.tags import is_one_of
from webstrata.extraction.metadata.topics import find_categories, find_licence, find_tags
from webstrata.extraction.metadata.weak_dates import last_resort
from webstrata.page import Page
from webstrata.urls import safe

__all__ = ["FIELDS", "Metadata", "canonical_url", "metadata", "topic"]

#: The names of the fields, in the order of every output.
FIELDS = (
    *("title", "author", "date", "language", "site_name", "url", "description", "image"),
    *("tags", "categories", "licence"),
)

# The meta elements that may name the site besides og:site_name.
_SITE = ("application-name", "al:ios:app_name", "dc.publisher", "publisher", "apple-mobile-web-app-title")
_DESCRIPTION = ("description", "og:description", "twitter:description", "dc.description")
_IMAGE = ("og:image", "og:image:url", "og:image:secure_url", "twitter:image", "twitter:image:src")
# Endings of the types of organisations in JSON-LD.
_BODIES = ("Organization", "Business", "Corporation", "Store")
_LANGUAGE_TAG = re.compile(r"[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8}){0,4}")
_LANGUAGE = ("content-language", "dc.language", "language", "og:locale")


class Metadata:
    """The metadata of a page; a missing field is None or empty. Each field is read on demand and cached.

    >>> from webstrata.page import parse
    >>> found = Metadata(parse('<html lang=en><title>Strata | Rocks</title><meta property="og:site_name" content=Rocks>'
    ...     '<h1>Strata</h1><p class=byline>By Ada Stone, <time datetime=2024-05-17>Friday</time>'))
    >>> found.title, found.author, found.date, found.site_name
    ('Strata', 'Ada Stone', '2024-05-17', 'Rocks')
    """

    def __init__(self, page: Page, *, model: MetadataModel | None = None) -> None:
        self._page = page
        self._sources = MetadataSources(page)
        self._model = model

    def __reduce__(self) -> tuple[Any, ...]:
        # The sources are read again on demand: native parts of them are not picklable, and the page has them.
        return _with_model, (self._page, self._model)

    @property
    def sources(self) -> MetadataSources:
        """What the page says of itself, as it is read."""
        return self._sources

    @once
    def circumstances(self) -> Circumstances:
        """What the choice of title, author and date depends on besides their candidates."""
        return Circumstances(self.site_name or "", self.url or self._page.url or "", self.language or "")

    def _decide(self, field: str) -> FieldDecision:
        return decide(field, self._sources, self.circumstances, self._model or shipped())

    @once
    def _title(self) -> FieldDecision:
        return self._decide("title")

    @once
    def _author(self) -> FieldDecision:
        return self._decide("author")

    @once
    def _date(self) -> FieldDecision:
        return self._decide("date")

    @once
    def evidence(self) -> dict[str, Evidence]:
        """Where title, author and date come from, and how sure they are; ``guessed_date`` as well.

        >>> from webstrata.page import parse
        >>> found = Metadata(parse("<title>Strata</title><h1>Strata</h1>")).evidence["title"]
        >>> found.value, found.source, found.confidence > 0.8
        ('Strata', 'h1 in title', True)
        """
        fields = {"title": self._title, "author": self._author, "date": self._date}
        return {**{name: found.evidence for name, found in fields.items()}, "guessed_date": self._guessed_date}

    def best(self, field: str) -> Evidence:
        """The best candidate for title, author or date, however unlikely."""
        found: FieldDecision = getattr(self, f"_{field}")
        return replace(found.evidence, value=found.best)

    @property
    def title(self) -> str | None:
        """The title, without the name of the site."""
        return self._title.evidence.value

    @property
    def author(self) -> str | None:
        """The names of the authors, separated by "; "; None if no candidate is likely enough."""
        return self._author.evidence.value

    @property
    def date(self) -> str | None:
        """The day of publication as YYYY-MM-DD; None if no candidate is likely enough."""
        return self._date.evidence.value

    @once
    def published(self) -> str | None:
        """The date with the time of the day and its zone, as ISO 8601, where the page gives them; else `date`.

        >>> from webstrata.page import parse
        >>> found = Metadata(parse("<meta property=article:published_time content='2024-05-17T08:05:00+0200'>"))
        >>> found.date, found.published
        ('2024-05-17', '2024-05-17T08:05:00+02:00')
        """
        if self.date is None:
            return None
        return published_when(self._sources, self.date, url=self.circumstances.url, **self._reading_of_dates)

    @once
    def modified(self) -> str | None:
        """The moment of the last change as ISO 8601, or its day; None if the page gives none."""
        return changed_when(self._sources, self.date, url=self.circumstances.url, **self._reading_of_dates)

    @property
    def _reading_of_dates(self) -> dict[str, Any]:
        known = self.circumstances
        return {"month_first": known.month_first, "language": known.primary_language}

    @once
    def guessed_date(self) -> str | None:
        """The date; without one the most likely candidate, or the first date of the text, however unlikely."""
        return self._guessed_date.value

    @once
    def _guessed_date(self) -> Evidence:
        found = self._date
        if found.evidence.value or found.best:
            return replace(found.evidence, value=found.best)
        last = last_resort(self._sources, **self._reading_of_dates)
        return Evidence(last[0], last[1], (last[1],), 0.0) if last else found.evidence

    @once
    def language(self) -> str | None:
        """The language as a tag such as "en" or "en-GB"."""
        declared = (
            self._page.lang or self._sources.declarations.first(*_LANGUAGE) or self._sources.from_nodes("inLanguage")
        )
        match = _LANGUAGE_TAG.match(declared)
        return match[0].replace("_", "-") if match else None

    @once
    def site_name(self) -> str | None:
        """The name of the site."""
        declarations, nodes = self._sources.declarations, self._sources.nodes
        sites = (value_of(node, "name") for node in nodes if node.get("@type") == "WebSite")
        bodies = (value_of(node, "name") for node in nodes if is_one_of(node, _BODIES))
        found = (
            declarations.first("og:site_name")
            or next(filter(None, sites), "")
            or self._sources.from_nodes("publisher")
            or declarations.first(*_SITE)
            or next(bodies, "")
        )
        return one_line(found, LONGEST_TITLE) or None

    @once
    def url(self) -> str | None:
        """The URL that the page declares for itself, or the one that it came from."""
        canonical = self._sources.canonical
        return self._sources.safe(canonical) if canonical else self._page.url

    @once
    def description(self) -> str | None:
        """The description: some sentences about the page."""
        return self._sources.declarations.first(*_DESCRIPTION) or self._sources.from_nodes("description") or None

    @once
    def image(self) -> str | None:
        """The URL of the main picture."""
        found = self._sources.declarations.first(*_IMAGE) or self._sources.from_nodes("image", "thumbnailUrl")
        return self._sources.safe(found)

    @once
    def tags(self) -> tuple[str, ...]:
        """The tags: subjects of the page."""
        return find_tags(self._sources)

    @once
    def categories(self) -> tuple[str, ...]:
        """The categories: sections of the site."""
        return find_categories(self._sources)

    @once
    def licence(self) -> str | None:
        """The licence: a short name such as "CC BY-SA 4.0", a URL, or the words of the page."""
        return find_licence(self._sources)

    @once
    def schema(self) -> list[dict[str, Any]]:
        """The products, recipes, events and jobs of the page, as JSON-LD has them, limited and cleaned."""
        return find_schema(self._sources)

    def as_dict(self) -> dict[str, Any]:
        """All fields by name, as JSON values."""
        found = {name: getattr(self, name) for name in FIELDS}
        return {**found, "tags": list(self.tags), "categories": list(self.categories)}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Metadata) and self.as_dict() == other.as_dict()

    def __repr__(self) -> str:
        return f"Metadata({', '.join(f'{name}={value!r}' for name, value in self.as_dict().items())})"


def _with_model(page: Page, model: MetadataModel | None) -> Metadata:
    return Metadata(page, model=model)


def metadata(page: Page) -> Metadata:
    """The metadata of a page.

    >>> from webstrata.page import parse
    >>> metadata(parse("<title>Strata</title>")).title
    'Strata'
    """
    return Metadata(page)


def topic(page: Page) -> str:
    """The title and the description of a page; authors and dates are not read.

    >>> from webstrata.page import parse
    >>> topic(parse("<title>Strata</title><meta name=description content='About layers'>"))
    'Strata About layers'
    """
    found = Metadata(page)
    return f"{found.title or ''} {found.description or ''}"


def canonical_url(page: Page) -> str | None:
    """The absolute URL that a page declares for itself, or None.

    >>> from webstrata.page import parse
    >>> canonical_url(parse("<link rel=canonical href=https://example.org/strata>"))
    'https://example.org/strata'
    """
    declared = MetadataSources(page).canonical.strip()
    return safe(declared, declared) if declared.lower().startswith(("http://", "https://")) else None
