"""Extraction that knows the site: what comes back on its pages is no content of one of them."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from webstrata.extraction.base import Extraction, Extractor
from webstrata.page import Page
from webstrata.sites.site import Site

__all__ = ["WithSite"]


@dataclass(frozen=True, kw_only=True)
class WithSite:
    """An extractor whose decision is looked at again with what is known of the site.

    A paragraph that stands on several pages of the site is part of its template, and is dropped if the extractor kept
    it, unless nothing would be left. A paragraph that the extractor dropped is kept if its text stands on this page
    alone, lies in a segment class that has something else to say on every page and of which the extractor kept most on
    this very page.

    Parameters
    ----------
    extractor : what decides first
    site : what is known of the site
    share : of the site's pages that a template text stands on, and at least two besides this one
    weight : from which weight on a class is content
    """

    extractor: Extractor
    site: Site = field(repr=False)
    share: float = 0.1
    weight: float = 0.8

    def __call__(self, page: Page) -> Extraction:
        found = self.extractor(page)
        if self.site.pages < 3 or not len(page.blocks):
            return found
        frequency = self.site.frequencies(page)
        often = frequency >= max(3, self.share * self.site.pages)
        dropped = found.keep & often
        keep = found.keep & ~often
        if not keep.any():
            keep, dropped = found.keep, np.zeros(len(keep), bool)
        reasons = (*found.reasons, "on many pages of the site")
        reason = np.where(dropped, len(found.reasons), found.reason)
        score = np.where(dropped, 0.0, found.score)
        return replace(found, keep=keep, score=score, reason=reason, reasons=reasons, algorithm=repr(self))
