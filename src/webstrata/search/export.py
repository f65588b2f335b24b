"""The impacts of pages as sparse vectors, for engines that search such vectors on many machines.

The vector of a query counts its terms, and the score of a page is the inner product of both vectors. So an engine that
finds the largest inner products gives the answers of the index.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

from webstrata.search._impacts import find
from webstrata.search.index import Index
from webstrata.search.rankings import RANKINGS

__all__ = ["export_vectors", "page_vectors", "query_vector"]


def page_vectors(index: Index, ranking: str | None = None) -> Iterator[tuple[int, dict[int, float]]]:
    """The vector of each page: impacts by the numbers of terms. Pages without terms are left out."""
    held = index.impacts(RANKINGS.make(ranking or index.rankings[0]).matching)
    term = np.repeat(np.arange(len(held.start) - 1), np.diff(held.start))
    order = np.argsort(held.page, kind="stable")
    page, term, impact = held.page[order], term[order], held.impact[order]
    edges = np.flatnonzero(np.diff(page, prepend=-1, append=len(index.model.alive)))
    for first, stop in zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True):
        yield int(page[first]), dict(zip(term[first:stop].tolist(), impact[first:stop].tolist(), strict=True))


def query_vector(index: Index, text: str, ranking: str | None = None) -> dict[int, float]:
    """The vector of a query: the weights of its terms that are in the index."""
    terms, query = index.model.terms, index.read(text, RANKINGS.make(ranking or index.rankings[0]))
    found = {find(terms.data, terms.start, term.encode()): weight for term, weight in query.terms.items()}
    return {place: weight for place, weight in found.items() if place >= 0}


def export_vectors(
    index: Index,
    output: str | Path,
    *,
    ranking: str | None = None,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> int:
    """Write the vectors of all pages to a file and the numbers of terms to ``.terms.jsonl``; returns their count."""
    output = Path(output)
    urls = [url for shard in index.shards for url in shard.urls]
    titles = [title for shard in index.shards for title in shard.titles]
    count = 0
    output.parent.mkdir(parents=True, exist_ok=True)
    with output.open("w", encoding="utf-8") as stream:
        for count, (page, vector) in enumerate(page_vectors(index, ranking), 1):
            row = {"page": page, "url": urls[page], "title": titles[page], "vector": vector}
            stream.write(json.dumps(row, ensure_ascii=False) + "\n")
            progress(count, index.pages)
    with output.with_name(f"{output.name}.terms.jsonl").open("w", encoding="utf-8") as stream:
        for number, term in enumerate(index.model.terms):
            stream.write(json.dumps({"term": term, "number": number}, ensure_ascii=False) + "\n")
    return count
