"""Page numbers that survive the adding of pages (Kohlschütter 2011 §3.2.1)."""

from __future__ import annotations

from typing import Any

import numpy as np

from webstrata.errors import InputError
from webstrata.links.graph import LinkGraph, link_arrays
from webstrata.links.strings import Strings
from webstrata.text import Column

__all__ = ["grown"]


def grown(older: LinkGraph, graph: LinkGraph) -> LinkGraph:
    """The same graph, in which all pages of an older graph keep their pair of site and place.

    New pages come after the older ones of their site, and new sites after the older sites, so that whatever is stored
    by pairs remains right. A graph that is built anew is sorted by name, which moves the pages behind each new one.
    Links are put in their new order in memory.

    >>> from webstrata.links.graph import build_graph
    >>> older = build_graph(["http://a.org/2", "http://b.org/"], [], [])
    >>> graph = build_graph(["http://a.org/1", "http://a.org/2", "http://b.org/"], [0], [2])
    >>> graph.pair(1), grown(older, graph).pair(0), grown(older, graph).urls[0]
    ((0, 1), (0, 0), 'http://a.org/2')
    """
    for each in (older, graph):
        if each.pages and not len(each.urls):
            raise InputError("a graph without URLs has no pages to find again")
    before = older.find(graph.urls)
    if np.count_nonzero(before >= 0) < older.pages:
        raise InputError("the new graph lacks pages of the older one: keep their URLs, with links or without")
    order, sites = _order(older, graph, before)
    number = np.empty(graph.pages, np.int64)
    number[order] = np.arange(graph.pages)
    source = np.repeat(number, np.diff(graph.out_start))
    sizes = np.diff(graph.site_start)[sites]
    columns: dict[str, Any] = link_arrays(graph.pages, source, number[graph.out_target], np.asarray(graph.out_content))
    return LinkGraph(
        site_start=np.concatenate(([0], np.cumsum(sizes))).astype(np.int64),
        **columns,
        urls=Strings.of(graph.urls[page] for page in order.tolist()),
        sites=Strings.of(graph.sites[site] for site in sites.tolist()),
        counts=dict(graph.counts),
    )


def _order(older: LinkGraph, graph: LinkGraph, before: Column) -> tuple[Column, Column]:
    """The pages of the new graph and its sites, in the order in which they are numbered."""
    site = graph.site_of_pages().astype(np.int64)
    last = len(older.site_start)
    # The place of each site: that of the older site whose pages it has, or after all of them.
    place = np.full(len(graph.site_start) - 1, last, np.int64)
    known = np.flatnonzero(before >= 0)
    place[site[known]] = older.site_of_pages()[before[known]]
    sites = np.argsort(place, kind="stable")
    if np.count_nonzero(place < last) != last - 1 or (place[site[known]] != older.site_of_pages()[before[known]]).any():
        raise InputError("the graphs have other kinds of sites: build both with the same --by")
    rank = np.empty(len(sites), np.int64)
    rank[sites] = np.arange(len(sites))
    within = np.where(before >= 0, before, older.pages)
    return np.lexsort((np.arange(graph.pages), within, rank[site])), sites
