"""Ranks by links for the pages of an index."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from webstrata.errors import InputError
from webstrata.links.graph import LinkGraph
from webstrata.links.methods import GaussSeidel
from webstrata.links.ranks import Ranks
from webstrata.links.surfer import Surfer
from webstrata.search.shard import Shard
from webstrata.text import Column

__all__ = ["page_ranks"]


def page_ranks(
    shards: Sequence[Shard], graph: LinkGraph | None, ranks: Ranks | None = None
) -> tuple[Column, tuple[str, ...], Column]:
    """The rank of each page, the names of topics, and the ranks by topic; pages that the graph lacks have the mean.

    Parameters
    ----------
    graph : the link graph; its pages are found by URL
    ranks : ranks of the graph; by default PageRank over the links of the content
    """
    if graph is None:
        raise InputError("ranks need the link graph they were made from")
    names: tuple[str, ...] = ()
    if ranks is None:
        unbiased = GaussSeidel(surfer=Surfer(content=1.0))(graph).relative
        biased = np.ones((graph.pages, 0))
    else:
        if len(ranks.unbiased) != graph.pages:
            raise InputError(
                f"the ranks have {len(ranks.unbiased)} pages and the graph {graph.pages}: use ranks of this graph"
            )
        unbiased, biased = ranks.relative
        names = ranks.topics.names
    places = graph.find([url for shard in shards for url in shard.urls])
    known = places >= 0
    rank = np.ones(len(places), np.float32)
    rank[known] = np.ravel(unbiased)[places[known]]
    by_topic = np.ones((len(places), len(names)), np.float32)
    by_topic[known] = biased[places[known]]
    return rank, names, by_topic
