"""Links: the graph of a crawl, PageRank in many forms, topics and facets (Kohlschütter 2011, chapter 3)."""

from webstrata.links.anchors import Anchor, Anchors, page_url
from webstrata.links.graph import LinkGraph, build_graph
from webstrata.links.pagerank import GaussSeidel, Jacobi, PageRank, Ranking, Unified
from webstrata.links.partitions import ALL_METHODS, Partitioned
from webstrata.links.surfer import Surfer

__all__ = [
    "ALL_METHODS",
    "Anchor",
    "Anchors",
    "GaussSeidel",
    "Jacobi",
    "LinkGraph",
    "PageRank",
    "Partitioned",
    "Ranking",
    "Surfer",
    "Unified",
    "build_graph",
    "page_url",
]
