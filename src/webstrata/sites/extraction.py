"""Extraction that knows the site: a filter that looks at a decision again with what other pages of the site show."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from webstrata.extraction.base import Extraction
from webstrata.sites.site import Site

__all__ = ["WithSite"]

# The class of a block says something of it if it was seen on so many pages.
_SEEN = 3


@dataclass(frozen=True, kw_only=True)
class WithSite:
    """A filter that knows the site.

    A kept block is dropped if its paragraph stands on many pages of the site, or if it lies in a segment class of
    which hardly anything was kept over the site. A dropped block is kept if it lies in a segment class of which nearly
    all was kept, is not mostly links and does not come back itself. A heading of such a class may come back: many pages
    have an "Introduction". Nothing changes where nothing would be left.

    The thresholds are round numbers that gain on each of the four portals of CleanPortalEval or leave it as it is; the
    result changes little from 0.2 to 0.35 and from 0.8 to 0.95.

    Parameters
    ----------
    site : what is known of the site
    share : of the site's pages (and at least 3) that the text of a template stands on
    low, high : the share of a class's words that was kept below which all is dropped, above which all is kept
    links : the share of link words up to which a block may be kept again
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
