"""The passages of pages that match a query, for the order of the best pages.

A sum over terms does not know whether the terms are together. So the best pages by their terms are scored again, from
their paragraphs (`webstrata.search.rankings.Closeness`). With q the sum of idf of the query's terms, p that of a
paragraph's terms and c that of their common terms, a page gets q times the sum of

- **exact** · e², where e = c² / (q · p) of the most equal title; headings and anchors count half of it each. A title
  that is the query has e = 1. Words that all titles share, such as the name of the site, have next to no idf.
- **passage** · c / q of the paragraph of the page's own text with most of the query.
- **order** · the share of neighbours in the query that are neighbours in one of its three best paragraphs, at most one
  term apart. Two words in order say little and a sentence says much, so that it counts by the length of the query, in
  full from `_LONG` distinct terms on.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import log1p

import numpy as np

from webstrata.search._impacts import find
from webstrata.search._passages import Order, matches
from webstrata.search.analyser import Analyser
from webstrata.search.documents import ANCHOR, HEADING, TITLE
from webstrata.search.model import IndexModel
from webstrata.search.rankings import Closeness
from webstrata.search.shard import Shard
from webstrata.text import Column

__all__ = ["closeness", "idf_of"]

#: Pages that are scored again.
CANDIDATES = 200
# Pages whose texts are read for the order of terms, and characters of a paragraph.
_READ, _LONGEST = 50, 4000
# The share that other forms of the words count.
_FORM = 0.85
# Distinct terms of a query from which on the order counts in full.
_LONG = 5
# Terms of a query that paragraphs are compared by.
_MOST_TERMS = 100


def idf_of(model: IndexModel, term: str) -> float:
    """The idf of a term over the pages that count."""
    place = find(model.terms.data, model.terms.start, term.encode("utf-8", "replace"))
    pages = int(model.frequency[place]) if place >= 0 else 0
    return log1p((model.pages - pages + 0.5) / (pages + 0.5))


def closeness(
    weights: Closeness,
    sequence: Sequence[str],
    score: Column,
    shards: Sequence[Shard],
    model: IndexModel,
    analyser: Analyser,
    forms: Mapping[str, Sequence[str]],
) -> tuple[Column, Column]:
    """The pages with the highest scores, and what their closeness adds to each score.

    Parameters
    ----------
    weights : of the parts
    sequence : the terms of the query in order
    score : of each page
    shards, model, analyser : of the index
    forms : other forms of the terms, which paragraphs may have instead
    """
    pages = _candidates(score)
    added = np.zeros(len(pages))
    idf = {term: idf_of(model, term) for term in dict.fromkeys(sequence[:_MOST_TERMS])}
    whole = sum(idf.values())
    best = np.full((len(pages), 3, 2), -1, np.int64)
    first_page = first_block = 0
    for shard in shards:
        own = np.flatnonzero((pages >= first_page) & (pages < first_page + shard.pages))
        if len(own):
            near = pages[own] - first_page
            equal, share, best[own] = _matched(shard, near, idf, {}, whole, model.mass, first_block)
            if any(forms.values()):
                # A paragraph with other forms of the words is less like the query than one with the words.
                other, wider, _ = _matched(shard, near, idf, forms, whole, model.mass, first_block)
                equal, share = np.maximum(equal, _FORM * other), np.maximum(share, _FORM * wider)
            exact = equal[:, TITLE] ** 2 + (equal[:, HEADING] ** 2 + equal[:, ANCHOR] ** 2) / 2
            added[own] = weights.exact * exact + weights.passage * share
        first_page, first_block = first_page + shard.pages, first_block + len(shard.blocks["page"])
    if weights.order and len(idf) > 1:
        order, weight = Order(sequence[:_MOST_TERMS]), weights.order * min(1.0, (len(idf) - 1) / (_LONG - 1))
        for row in np.argsort(-(score[pages] + whole * added), kind="stable")[:_READ].tolist():
            texts = _texts(shards, int(pages[row]), best[row])
            added[row] += weight * max((order.share(text, analyser.alter) for text in texts), default=0.0)
    return pages, np.asarray(whole * added, np.float32)


def _candidates(score: Column) -> Column:
    """The pages with the highest scores, ascending; of equal ones the first."""
    pages = np.flatnonzero(score > 0)
    if len(pages) > CANDIDATES:
        least = np.partition(score[pages], len(pages) - CANDIDATES)[len(pages) - CANDIDATES]
        above = pages[score[pages] > least]
        pages = np.sort(np.concatenate([above, pages[score[pages] == least][: CANDIDATES - len(above)]]))
    return pages


def _matched(
    shard: Shard,
    pages: Column,
    idf: Mapping[str, float],
    forms: Mapping[str, Sequence[str]],
    whole: float,
    mass: Column,
    first_block: int,
) -> tuple[Column, Column, Column]:
    blocks = [_blocks_with_any(shard, (term, *forms.get(term, ()))) for term in idf]
    end = np.cumsum([len(own) for own in blocks], dtype=np.int64)
    begin = end - np.array([len(own) for own in blocks], np.int64)
    return matches(
        pages.astype(np.int64), shard.block_start, shard.blocks["paragraph"], shard.blocks["stratum"], mass,
        first_block, begin, end, np.concatenate([np.empty(0, np.uint32), *blocks]), np.array(list(idf.values())), whole,
    )  # fmt: skip


def _blocks_with_any(shard: Shard, terms: Sequence[str]) -> Column:
    """The blocks that have one of some terms, ascending."""
    found = [shard.posting_block[own] for own in map(shard.find, terms) if own.stop]
    return found[0] if len(found) == 1 else np.unique(np.concatenate([np.empty(0, np.uint32), *found]))


def _texts(shards: Sequence[Shard], page: int, best: Column) -> list[str]:
    """The texts of some ranges of blocks of a page."""
    for shard in shards:
        if page < shard.pages:
            starts, stops = shard.blocks["text_start"], shard.blocks["text_stop"]
            return [
                shard.text(page, int(starts[first]), min(int(stops[end - 1]), int(starts[first]) + _LONGEST))
                for first, end in best.tolist()
                if first >= 0
            ]
        page -= shard.pages
    raise IndexError(f"the index has no page {page}")
