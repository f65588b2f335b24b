"""Extraction that knows the site: a filter that looks at a decision again with what other pages of the site show."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

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
        keep = (found.keep & ~dropped) | added
        if not keep.any():
            return found
        first = len(found.reasons)
        reasons = (*found.reasons, "template text of the site", "boilerplate on other pages", "content on other pages")
        reason = np.where(dropped, np.where(often, first, first + 1), np.where(added, first + 2, found.reason))
        score = np.where(dropped, 0.0, np.where(added, 1.0, found.score))
        algorithm = f"{found.algorithm}+{self!r}"
        return replace(found, keep=keep, score=score, reason=reason, reasons=reasons, algorithm=algorithm)
