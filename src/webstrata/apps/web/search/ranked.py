"""Ranks and topics for indexed pages, from the links in their documents."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from webstrata.links import GaussSeidel, LinkGraph, Surfer, build_graph
from webstrata.links.ranks import Ranks
from webstrata.links.topics import Topics
from webstrata.search import Document

__all__ = ["document_graph", "topic_ranks"]


def document_graph(documents: Sequence[Document]) -> LinkGraph:
    """The graph of the content links between documents.

    >>> documents = [Document.of_text(f"http://a.org/{name}", name, name, links=[("http://a.org/b", "b")])
    ...     for name in "ab"]
    >>> document_graph(documents)
    <LinkGraph: 2 pages of 1 sites, 2 links>
    """
    place = {document.url: number for number, document in enumerate(documents)}
    pairs = [
        (number, place[target])
        for number, document in enumerate(documents)
        for target, _ in document.links
        if target in place
    ]
    source, target = np.array(pairs, np.int64).reshape(-1, 2).T
    return build_graph([document.url for document in documents], source, target)


def topic_ranks(graph: LinkGraph, topics_of: Callable[[LinkGraph], Topics] | None = None) -> Ranks:
    """PageRank over content links, unbiased and biased on each topic; by default, topics are the folders of URLs."""
    topics = topics_of(graph) if topics_of else Topics.from_paths(graph, levels=2)
    method = GaussSeidel(surfer=Surfer(content=1.0))
    unbiased = method(graph).relative
    biased = method(graph, topics.jumps(graph.pages)).relative if len(topics) else np.ones((graph.pages, 0))
    return Ranks(np.ravel(unbiased), topics, np.asarray(biased).reshape(graph.pages, len(topics)), repr(method))
