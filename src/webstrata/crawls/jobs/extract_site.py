"""Extraction of whole crawls with what is known of each page's site."""

from __future__ import annotations

from dataclasses import dataclass

from webstrata._once import once
from webstrata.crawls.jobs.sites.learning import Sites
from webstrata.crawls.running.steps import Extract
from webstrata.extraction.base import Extraction
from webstrata.page import Page

__all__ = ["ExtractWithSite"]


@dataclass(frozen=True, kw_only=True)
class ExtractWithSite(Extract):
    """`Extract` whose decisions are looked at again with the site of the page; pages of unknown sites are as without.

    Parameters
    ----------
    site : a folder that `webstrata site learn` wrote
    """

    site: str

    @once
    def _sites(self) -> Sites:
        return Sites(self.site)

    def _found(self, page: Page) -> Extraction:
        found = super()._found(page)
        site = self._sites.of(page.url)
        return found if site is None else site(found)
