"""Extraction with a site: a filter that revises an extraction by the other pages of the site."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from webstrata.extraction.base import Extraction
from webstrata.sites.site import Site

__all__ = ["WithSite"]

# Classes of fewer pages are ignored.
_SEEN = 3


@dataclass(frozen=True, kw_only=True)
class WithSite:
    """A filter that uses the site of the page.

    A kept block is dropped if its paragraph is on many pages of the site, or if little of its segment class was kept
    over the site. A dropped block is kept if nearly all of its segment class was kept, it is not mostly links, and its
    text does not repeat. A heading of such a class may repeat: many pages have an "Introduction". The extraction is
    unchanged if nothing would be left.

    The thresholds are round numbers that improve each of the four portals of CleanPortalEval or leave it unchanged; the
    result changes little from 0.2 to 0.35 and from 0.8 to 0.95.

    Parameters
    ----------
    site : the site
    share : a text on this share of the site's pages (and at least 3) is template text
    low, high : a class is dropped if a smaller share of its words than ``low`` was kept, and kept above ``high``
    links : a block with a larger share of link words is not added
    """

    site: Site = field(repr=False)
    share: float = 0.1
    low: float = 0.2
    high: float = 0.9
    links: float = 0.5

    def __call__(self, extraction: Extraction) -> Extraction:
        page, found = extraction.page, extraction
        if self.site.pages < _SEEN or not len(page.blocks):
            return found
        kept, seen = self.site.kept(page)
        known = seen >= _SEEN
        often = self.site.frequencies(page) >= max(_SEEN, self.share * self.site.pages)
        often &= ~((page.blocks.heading > 0) & known & (kept > self.high))
        textual = page.blocks.link_words <= self.links * page.blocks.words
        dropped = found.keep & (often | (known & (kept < self.low)))
        added = ~found.keep & known & (kept > self.high) & ~often & textual & ~page.blocks.hidden
        if not ((found.keep & ~dropped) | added).any():
            return found
        found = found.dropping(dropped & often, "template text of the site")
        found = found.dropping(dropped & ~often, "boilerplate on other pages").adding(added, "content on other pages")
        return replace(found, algorithm=f"{found.algorithm}+{self!r}")
