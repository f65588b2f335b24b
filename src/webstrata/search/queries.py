"""Queries: terms, phrases, and terms of one stratum.

Every word counts for the score. A phrase in quotes must be on the page as it is; ``title:word`` (or ``heading:``,
``content:``, ``template:``, ``anchor:``) must be in that stratum. Any other text is read as words.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from webstrata.search.analyser import Analyser
from webstrata.search.documents import STRATA
from webstrata.search.shard import Shard
from webstrata.text import Column

__all__ = ["MOST_TERMS", "Demand", "Query"]

#: Terms of a query; further ones are left out.
MOST_TERMS = 10_000
_PIECE = re.compile(rf'(?:({"|".join(STRATA)}):)?(?:"([^"]*)"|([^\s"]+))')


@dataclass(frozen=True, slots=True)
class Demand:
    """A condition on pages: consecutive terms in one block, of the stratum with this number (None for any)."""

    terms: tuple[str, ...]
    stratum: int | None


@dataclass(frozen=True, kw_only=True)
class Query:
    """A query that was read from a text.

    Attributes
    ----------
    terms : the count of each term
    sequence : the terms in order
    demands : the conditions on pages

    >>> query = Query.read('what is "Blue clay" title:Clay', Analyser())
    >>> dict(query.terms), [demand.terms for demand in query.demands]
    ({'what': 1, 'is': 1, 'blue': 1, 'clay': 2}, [('blue', 'clay'), ('clay',)])
    """

    terms: Counter[str]
    sequence: tuple[str, ...] = ()
    demands: tuple[Demand, ...] = ()

    @classmethod
    def read(cls, text: str, analyser: Analyser) -> Query:
        """The query of a text."""
        demands: list[Demand] = []
        if '"' in text or ":" in text:
            for stratum, phrase, word in _PIECE.findall(text):
                found = tuple(term for term, _, _ in analyser(phrase or word))
                if found and (stratum or (len(found) > 1 and phrase)):
                    demands.append(Demand(found, STRATA.index(stratum) if stratum else None))
            text = _PIECE.sub(lambda match: " " + (match[2] or match[3] or "") + " ", text)
        terms = [term for term, _, _ in analyser(text)[:MOST_TERMS]]
        return cls(terms=Counter(terms), sequence=tuple(terms), demands=tuple(demands))

    def filter(self, score: Column, shards: Sequence[Shard], analyser: Analyser) -> None:
        """Set the scores of pages that do not fulfil all conditions to 0."""
        for demand in self.demands:
            keep = np.zeros(len(score), bool)
            first = 0
            for shard in shards:
                pages = _having(shard, demand, score[first : first + shard.pages] > 0, analyser)
                keep[first + pages] = True
                first += shard.pages
            score[~keep] = 0


def _having(shard: Shard, demand: Demand, candidates: Column, analyser: Analyser) -> Column:
    """The candidates among the pages of a shard that fulfil a condition."""
    common: Column | None = None
    for term in set(demand.terms):
        blocks = shard.blocks_with(term)
        common = blocks if common is None else np.intersect1d(common, blocks, assume_unique=True)
    assert common is not None
    if demand.stratum is not None:
        common = common[shard.blocks["stratum"][common] == demand.stratum]
    pages = shard.blocks["page"][common]
    common, pages = common[candidates[pages]], pages[candidates[pages]]
    if len(demand.terms) > 1:
        found = [_follows(shard, int(block), demand.terms, analyser) for block in common]
        pages = pages[np.array(found, bool)]
    return np.unique(pages)


def _follows(shard: Shard, block: int, phrase: tuple[str, ...], analyser: Analyser) -> bool:
    """Whether terms are consecutive in a block."""
    columns = shard.blocks
    text = shard.text(int(columns["page"][block]), int(columns["text_start"][block]), int(columns["text_stop"][block]))
    terms = [term for term, _, _ in analyser(text)]
    size = len(phrase)
    return any(tuple(terms[place : place + size]) == phrase for place in range(len(terms) - size + 1))
