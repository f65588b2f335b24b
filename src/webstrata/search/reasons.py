"""Reasons for the score of a page: what each term adds, from which strata, and the factors of its ranks."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import log1p

import numpy as np

from webstrata.search.answers import PageReader
from webstrata.search.blocks import BlockTable
from webstrata.search.documents import STRATA
from webstrata.search.index import Index
from webstrata.search.rankings import RANKINGS, RankingRecipe
from webstrata.text import Column

__all__ = ["Occurrences", "Reasons", "TermReason", "reasons"]

# Cached weights of rankings; those of a large index take some time.
_KEPT = 8


@dataclass(frozen=True, slots=True)
class Occurrences:
    """The occurrences of a term in one kind of segment of a page.

    Attributes
    ----------
    stratum : the stratum of the blocks
    segment : the kind of the segment class; "" for none
    count : the number of occurrences
    weight : the weight of one occurrence, the length of the page included
    """

    stratum: str
    segment: str
    count: int
    weight: float


@dataclass(frozen=True, slots=True)
class TermReason:
    """A term of the query: the pages that have it, its idf, its weighted frequency on the page, and its impact."""

    term: str
    pages: int
    idf: float
    frequency: float
    impact: float
    occurrences: tuple[Occurrences, ...]


@dataclass(frozen=True, slots=True)
class Reasons:
    """The score of a page: the sum of the impacts of the terms and of its closeness, times the factors of its ranks.

    The closeness (`webstrata.search.passages`) is 0 for a page that is not among the best ones by its terms.
    """

    page: int
    score: float
    terms: tuple[TermReason, ...]
    closeness: float
    factors: tuple[tuple[str, float], ...]


def reasons(index: Index, text: str, page: int, *, ranking: str | None = None) -> Reasons:
    """The reasons for the score of a page by a query.

    Parameters
    ----------
    index, text, ranking : as for `Index.query`
    page : its number in the index

    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from webstrata.search import Document
    >>> pages = [Document.of_text(f"http://a.org/{name}", name, f"All about {name}.") for name in ("clay", "sand")]
    >>> with TemporaryDirectory() as folder:
    ...     index = Index.build(pages, Path(folder) / "index")
    ...     found = reasons(index, "about clay", 0)
    ...     answer = index.query("about clay").answers[0]
    >>> [(item.term, item.pages) for item in found.terms], abs(found.score - answer.score) < 1e-3
    ([('about', 2), ('clay', 1)], True)
    """
    recipe = RANKINGS.make(ranking or index.rankings[0])
    query = index.read(text, recipe)
    weight = _weights(index, recipe.matching)
    if not 0 <= page < len(index.model.alive):
        raise IndexError(f"the index has no page {page}")
    reader = PageReader(index.shards, index.analyser)
    terms = []
    for term, times in query.terms.items():
        block, count = reader.postings(term)
        page_of_block = index.blocks.page[block]
        frequencies = np.bincount(page_of_block, weight[block] * count, minlength=len(index.model.alive))
        pages = int((frequencies > 0).sum())
        idf = log1p((index.pages - pages + 0.5) / (pages + 0.5))
        frequency = float(frequencies[page])
        impact = times * idf * frequency * (recipe.k1 + 1) / (frequency + recipe.k1) if frequency else 0.0
        here = page_of_block == page
        found = _occurrences(index.blocks, block[here], count[here], weight)
        terms.append(TermReason(term, pages, idf, frequency, impact, found))
    factors = tuple(
        (
            f"PageRank on {prior.topic}" if prior.topic else "PageRank",
            float(index.model.ranks_on(prior.topic)[page] ** prior.power),
        )
        for prior in recipe.priors
    )
    best, added = index.closeness(query, recipe)
    close = float(added[best == page].sum())
    score = (sum(item.impact for item in terms) + close) * float(np.prod([value for _, value in factors]))
    return Reasons(page, score, tuple(terms), close, factors)


@lru_cache(maxsize=_KEPT)
def _weights(index: Index, recipe: RankingRecipe) -> Column:
    return np.asarray(recipe.weights(index.blocks))


def _occurrences(blocks: BlockTable, block: Column, count: Column, weight: Column) -> tuple[Occurrences, ...]:
    """The occurrences of a term in some blocks, by stratum and segment class, the greatest total weight first."""
    labels = blocks.labels[blocks.segment[block]].tolist()
    found: dict[tuple[str, str], list[float]] = {}
    for number, label, times in zip(block.tolist(), labels, count.tolist(), strict=True):
        key = STRATA[int(blocks.stratum[number])], f"{label:016x}" if label >= len(STRATA) else ""
        total = found.setdefault(key, [0, 0.0])
        total[0] += times
        total[1] += times * float(weight[number])
    return tuple(
        Occurrences(stratum, segment, int(times), worth / times)
        for (stratum, segment), (times, worth) in sorted(found.items(), key=lambda item: -item[1][1])
    )
