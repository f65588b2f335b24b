"""The site of a page: its host, its registered domain, or one site for all pages."""

from __future__ import annotations

from webstrata.urls import host, registered_domain

__all__ = ["BY", "site_of"]

#: The ways to group pages into sites.
BY = ("host", "registered-domain", "all")


def site_of(url: str | None, by: str) -> str:
    """The name of the site of a page.

    >>> [site_of("http://www.news.example.co.uk/a", by) for by in BY]
    ['www.news.example.co.uk', 'example.co.uk', 'all']
    """
    if by == "all":
        return "all"
    name = host(url or "").rstrip(".")
    return name if by == "host" else registered_domain(name)
