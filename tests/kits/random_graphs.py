"""Random link graphs, and their links as matrices."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from webstrata.links.graph import LinkGraph, build_graph
from webstrata.text import Column

__all__ = ["graphs", "links_of"]


@st.composite
def graphs(draw: st.DrawFn) -> LinkGraph:
    """Small graphs with dangling and isolated pages, self-links and repeated links."""
    pages = draw(st.integers(1, 24))
    links = draw(st.lists(st.tuples(*[st.integers(0, pages - 1)] * 2), max_size=80))
    sites = draw(st.lists(st.integers(0, 5), min_size=pages, max_size=pages))
    urls = [f"http://h{site}.org/{page:02}" for page, site in enumerate(sites)]
    content = draw(st.lists(st.integers(0, 1), min_size=len(links), max_size=len(links)))
    return build_graph(urls, [s for s, _ in links], [t for _, t in links], content=content)


def links_of(graph: LinkGraph, *, internal: float | None = None, content: float | None = None) -> Column:
    """The links as a matrix of 0 and 1, without those that the chances leave out."""
    matrix = np.zeros((graph.pages, graph.pages))
    for page in range(graph.pages):
        marks = graph.out_content[graph.out_start[page] : graph.out_start[page + 1]]
        for target, mark in zip(graph.targets(page).tolist(), marks.tolist(), strict=True):
            same = graph.pair(page)[0] == graph.pair(target)[0]
            taken = internal is None or same == (internal == 1)
            matrix[page, target] = taken and (content is None or bool(mark) == (content == 1))
    return matrix
