"""The link graph of pages in memory. A crawl merges the links of its pages with the same functions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import numpy as np

from webstrata._pages import AnyPages, pages_of
from webstrata.errors import InputError
from webstrata.extraction.base import EXTRACTORS
from webstrata.links.anchors import anchors, page_url
from webstrata.links.graph import LinkGraph, build_graph

__all__ = ["COUNTS", "graph_of", "merge_targets"]

#: The reasons for which links of a page are left out.
COUNTS = ("repeated", "broken", "dropped")


def merge_targets(targets: dict[str, bool], links: Iterable[tuple[str, bool]]) -> None:
    """Add links to the targets of a page, each once: in the content if one of its links is."""
    for target, content in links:
        targets[target] = targets.get(target, False) or content


def graph_of(
    pages: AnyPages,
    *,
    site: str = "host",
    outside: bool = False,
    algorithm: str = "learned",
    query: bool = True,
) -> LinkGraph:
    """The link graph of some pages: that of ``webstrata links build``, in memory.

    Parameters
    ----------
    pages : `Page` objects with a URL, pairs of URL and HTML, or a mapping; pages of one URL are one page
    site : the kind of sites: host, domain or directory
    outside : whether link targets that are not among the pages are pages of the graph, without links of their own
    algorithm : the extractor that separates content from template, as for `webstrata.extract`
    query : whether URLs keep their queries

    >>> graph_of({"http://a.org/": "<a href=/b>B</a> <a href=//c.org>C</a>", "http://a.org/b": "<a href=/>A</a>"})
    <LinkGraph: 2 pages of 1 sites, 2 links>
    """
    extractor = EXTRACTORS.make(algorithm)
    targets: dict[str, dict[str, bool]] = {}
    counts = Counter(dict.fromkeys((*COUNTS, "outside"), 0))
    for page in pages_of(pages):
        url = page_url(page.url or "", query=query)
        if url is None:
            raise InputError(f"{page!r} has no URL of the web: give it one, as in parse(html, url='http://...')")
        found = anchors(page, extractor(page).keep, query=query)
        own: dict[str, bool] = {}
        merge_targets(own, ((link.target, link.content) for link in found.links))
        merge_targets(targets.setdefault(url, {}), own.items())
        counts.update(repeated=len(found.links), broken=found.broken, dropped=found.dropped)
    counts["repeated"] -= sum(map(len, targets.values()))
    number = {url: place for place, url in enumerate(targets)}
    if outside:
        for own in list(targets.values()):
            for target in own:
                number.setdefault(target, len(number))
    links = [
        (number[url], number.get(target, -1), mark) for url, own in targets.items() for target, mark in own.items()
    ]
    source, target_of, content = np.array(links, np.int64).reshape(-1, 3).T
    inside = target_of >= 0
    counts["outside"] = int((~inside).sum())
    ends = source[inside], target_of[inside]
    return build_graph(list(number), *ends, content=content[inside], site=site, counts=counts)
