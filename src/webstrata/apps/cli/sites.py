"""Learnt sites that are named on the command line."""

from __future__ import annotations

from webstrata.errors import InputError
from webstrata.sites import Site

__all__ = ["site_of"]


def site_of(folder: str, url: str | None) -> Site:
    """The site of a page in a learnt folder; an error that says what to do where it is not there."""
    from webstrata.crawls.jobs.sites.learning import Sites

    sites = Sites(folder)
    found = sites.of(url)
    if found is None and url is None:
        raise InputError(f"{folder} holds several sites: say with --url where the page came from")
    if found is None:
        raise InputError(f"{folder} does not know the site of {url}: it knows {', '.join(list(sites.names())[:5])}")
    return found
