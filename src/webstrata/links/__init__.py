"""Links: the graph of some pages, PageRank in many forms, topics and facets (Kohlschütter 2011, chapter 3)."""

from webstrata.links.anchors import Anchor, Anchors, page_url
from webstrata.links.graph import LinkGraph, build_graph
from webstrata.links.harmonic import Harmonic
from webstrata.links.hits import HITS
from webstrata.links.methods import GaussSeidel, Jacobi, Ranking, Unified
from webstrata.links.pagerank import METHODS, PageRank
from webstrata.links.pages import graph_of
from webstrata.links.partitions import Partitioned
from webstrata.links.ranks import Ranks
from webstrata.links.surfer import Surfer

__all__ = [
    "HITS",
    "METHODS",
    "Anchor",
    "Anchors",
    "GaussSeidel",
    "Harmonic",
    "Jacobi",
    "LinkGraph",
    "PageRank",
    "Partitioned",
    "Ranking",
    "Ranks",
    "Surfer",
    "Unified",
    "build_graph",
    "graph_of",
    "page_url",
]
