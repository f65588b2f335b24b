"""The learned site of a page, for commands with --site."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webstrata.errors import InputError
from webstrata.sites import Site

if TYPE_CHECKING:
    from webstrata.sites import Sites

__all__ = ["site_of"]


def site_of(sites: Sites, url: str | None) -> Site:
    """The site of a page, or an error that says what to do."""
    found = sites.of(url)
    if found is None and url is None:
        raise InputError(f"{sites.folder} has several sites: give the address of the page with --url")
    if found is None:
        names = ", ".join(list(sites.names())[:5])
        raise InputError(f"{sites.folder} does not know the site of {url}: it knows {names}")
    return found
