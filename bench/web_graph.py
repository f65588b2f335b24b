"""A generated link graph that looks like the LargeWeb graph of Kohlschütter 2011 (tables 3.1 and 3.2).

Sites have 137.5 pages on average and up to 5084, 6.2 % of the links lead to another site, degrees follow a power law,
and links within a site lead to its first pages or near in the order of the URLs. Links between sites lead to few pages:
to the first pages of popular sites, mostly. That makes votes far fewer than links, as in table 3.1 (11 %).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from webstrata.links.graph import LinkGraph, link_arrays
from webstrata.text import Column

__all__ = ["web_graph"]

_MEAN_PAGES, _MOST_PAGES, _MEAN_LINKS = 137.5, 5084, 10.0
# Drawn so that of all links that are left, when repeated ones are one, 6.2 % lead to another site.
_BETWEEN_SITES, _REPEATED = 0.042, 1.5


def web_graph(links: int, *, draw: int = 1) -> LinkGraph:
    """A graph of about ``links`` links and a tenth as many pages, without URLs.

    Parameters
    ----------
    links : the approximate number; more are drawn, since repeated links of a page become one
    draw : the seed
    """
    rng = np.random.default_rng(draw)
    pages = max(int(links / _MEAN_LINKS), 2)
    site_start = _site_starts(rng, pages)
    degree = _degrees(rng, pages, int(links * _REPEATED))
    source = np.repeat(np.arange(pages, dtype=np.uint32), degree)
    sizes = np.diff(site_start)
    site = np.repeat(np.arange(len(sizes), dtype=np.uint32), sizes)[source]
    target = _within(rng, source, site_start[site], sizes[site])
    away = np.flatnonzero(rng.random(len(source), np.float32) < _BETWEEN_SITES)
    target[away] = _between(rng, len(away), site_start)
    content = (rng.random(len(source), np.float32) < 0.5).astype(np.uint8)
    links_of: dict[str, Any] = link_arrays(pages, source, target, content)
    return LinkGraph(site_start=site_start, **links_of)


def _site_starts(rng: np.random.Generator, pages: int) -> Column:
    """Sizes from a log-normal distribution, cut at the largest site of the thesis."""
    sigma = 1.5
    mean = np.log(_MEAN_PAGES) - sigma**2 / 2
    drawn = np.clip(rng.lognormal(mean, sigma, int(pages / _MEAN_PAGES * 1.5) + 10), 1, _MOST_PAGES).astype(np.int64)
    ends = np.cumsum(drawn)
    return np.concatenate(([0], ends[: np.searchsorted(ends, pages)], [pages])).astype(np.int64)


def _degrees(rng: np.random.Generator, pages: int, links: int) -> Column:
    """A power law, with one page in ten that has no links."""
    drawn = np.minimum(rng.pareto(1.6, pages) + 1, 1000.0)
    drawn[rng.random(pages) < 0.1] = 0
    degrees: Column = np.round(drawn * (links / drawn.sum())).astype(np.int64)
    return degrees


def _within(rng: np.random.Generator, source: Column, first: Column, size: Column) -> Column:
    """Four links in ten to the first pages of the site (its home, its menu), the others near in the order of URLs."""
    local = source - first
    far = np.minimum(rng.geometric(0.08, len(source)), size) * np.where(
        rng.random(len(source), np.float32) < 0.5, 1, -1
    )
    near = np.clip(local + far, 0, size - 1)
    menu = np.minimum(rng.geometric(0.3, len(source)) - 1, size - 1)
    targets: Column = first + np.where(rng.random(len(source), np.float32) < 0.4, menu, near)
    return targets


def _between(rng: np.random.Generator, count: int, site_start: Column) -> Column:
    """Popular sites by a power law; nineteen links in twenty lead to the first page, the others to one of the first."""
    sites = len(site_start) - 1
    popular = rng.permutation(sites)[np.minimum(sites * rng.power(0.25, count), sites - 1).astype(np.int64)]
    deep = np.where(rng.random(count) < 0.95, 0, rng.geometric(0.2, count))
    targets: Column = site_start[popular] + np.minimum(deep, np.diff(site_start)[popular] - 1)
    return targets
