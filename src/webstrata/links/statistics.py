"""Counts of the links of a graph: tables 3.1 and 3.2 and figures 3.1 to 3.5 of Kohlschütter 2011."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from webstrata.links.graph import LinkGraph
from webstrata.links.partitions import deal_sites
from webstrata.text import Column

__all__ = ["LinkStatistics", "dot_plot", "link_statistics"]

# Links that are counted at once, so that a large graph is never copied.
_AT_ONCE = 2**24


@dataclass(frozen=True, eq=False)
class LinkStatistics:
    """Counts of the links of a graph that is cut into partitions.

    Attributes
    ----------
    pages, sites, links : their numbers
    within_sites : links that stay on their site (intra-host)
    between_partitions : links to a page of another partition
    votes : these links, where those from one partition to one page count once (equation 3.11)
    content : links in the content of their page
    to_self : links of pages to themselves
    dangling : pages without links
    partition_pages : the pages of each partition (figure 3.4)
    partition_links : the links from each partition (row) to each (column) (figures 3.2 and 3.5)
    site_pages : the pages of each site, the largest first (figure 3.3)
    site_partition : the partition of each of these
    """

    pages: int
    sites: int
    links: int
    within_sites: int
    between_partitions: int
    votes: int
    content: int
    to_self: int
    dangling: int
    partition_pages: Column
    partition_links: Column
    site_pages: Column
    site_partition: Column

    def rows(self) -> list[tuple[str, int, float]]:
        """Tables 3.1 and 3.2 and the other counts: name, number, and share of all links (of all pages, for pages)."""
        between = self.links - self.within_sites
        counted = [
            ("links", self.links),
            ("within sites", self.within_sites),
            ("between sites", between),
            ("between partitions", self.between_partitions),
            ("between sites of one partition", between - self.between_partitions),
            ("votes between partitions", self.votes),
            ("in the content", self.content),
            ("of pages to themselves", self.to_self),
        ]
        rows = [(name, number, number / max(self.links, 1)) for name, number in counted]
        return [
            *rows,
            ("pages", self.pages, 1.0),
            ("pages without links", self.dangling, self.dangling / max(self.pages, 1)),
        ]


def link_statistics(graph: LinkGraph, *, partitions: int = 8) -> LinkStatistics:
    """Count the links of a graph, dealt to partitions (eight in the thesis).

    >>> from webstrata.links.graph import build_graph
    >>> graph = build_graph(["http://a/1", "http://a/2", "http://b/"], [0, 1, 0, 2], [2, 2, 1, 2])
    >>> found = link_statistics(graph, partitions=2)
    >>> found.within_sites, found.between_partitions, found.votes, found.partition_links.tolist()
    (2, 2, 1, [[1, 2], [0, 1]])
    """
    site = graph.site_of_pages()
    part_of_site = deal_sites(graph, partitions)
    part = part_of_site[site] if graph.pages else np.empty(0, np.int64)
    within = to_self = 0
    between = np.zeros((partitions, partitions), np.int64)
    voted = [np.zeros(graph.pages, bool) for _ in range(partitions)]
    for first in range(0, graph.links, _AT_ONCE):
        target = graph.out_target[first : first + _AT_ONCE]
        place = np.arange(first, first + len(target))
        source = np.searchsorted(graph.out_start, place, "right") - 1
        within += int((site[source] == site[target]).sum())
        to_self += int((source == target).sum())
        np.add.at(between, (part[source], part[target]), 1)
        for number in range(partitions):
            voted[number][target[(part[source] == number) & (part[target] != number)]] = True
    sizes = np.diff(graph.site_start)
    order = np.argsort(-sizes, kind="stable")
    return LinkStatistics(
        pages=graph.pages,
        sites=len(sizes),
        links=graph.links,
        within_sites=within,
        between_partitions=int(between.sum() - np.trace(between)),
        votes=sum(int(pages.sum()) for pages in voted),
        content=int(np.count_nonzero(graph.out_content)),
        to_self=to_self,
        dangling=int((np.diff(graph.out_start) == 0).sum()),
        partition_pages=np.bincount(part, minlength=partitions),
        partition_links=between,
        site_pages=sizes[order],
        site_partition=part_of_site[order],
    )


def dot_plot(graph: LinkGraph, *, cells: int = 64, partitions: int | None = None) -> Column:
    """The number of links from one range of pages (row) to another (column): figures 3.1 and 3.2.

    Parameters
    ----------
    graph : the graph
    cells : the number of ranges that the pages are cut into
    partitions : if given, pages are in the order of their partitions

    >>> from webstrata.links.graph import build_graph
    >>> dot_plot(build_graph(["http://a/1", "http://a/2"], [0, 1], [1, 1]), cells=2).tolist()
    [[0, 1], [0, 1]]
    """
    place = np.arange(graph.pages)
    if partitions is not None:
        part = deal_sites(graph, partitions)[graph.site_of_pages()]
        place[np.argsort(part, kind="stable")] = np.arange(graph.pages)
    cell = place * cells // max(graph.pages, 1)
    counts = np.zeros(cells * cells, np.int64)
    for first in range(0, graph.links, _AT_ONCE):
        target = graph.out_target[first : first + _AT_ONCE]
        source = np.searchsorted(graph.out_start, np.arange(first, first + len(target)), "right") - 1
        counts += np.bincount(cell[source] * cells + cell[target], minlength=cells * cells)
    return counts.reshape(cells, cells)
