"""The pages that fulfil the conditions of a query."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from webstrata.search.analyser import Analyser
from webstrata.search.documents import STRATA
from webstrata.search.languages import language_number
from webstrata.search.queries import Demand, Query, first_day
from webstrata.search.shard import Shard
from webstrata.text import Column
from webstrata.urls import host

__all__ = ["keep_fulfilling"]

# The digits of a segment class.
_DIGITS = 16


def keep_fulfilling(query: Query, score: Column, shards: Sequence[Shard], analyser: Analyser) -> None:
    """Set the scores of pages that do not fulfil all conditions to 0."""
    first = 0
    for shard in shards if query.conditions else ():
        own = score[first : first + shard.pages]
        first += shard.pages
        for condition in query.conditions:
            candidates = np.flatnonzero(own > 0)
            if not len(candidates):
                break
            found = np.zeros(len(own), bool)
            found[_fulfilling(shard, condition, query, candidates, analyser)] = True
            own[found == condition.excluded] = 0


def _fulfilling(shard: Shard, condition: Demand, query: Query, candidates: Column, analyser: Analyser) -> Column:
    """Pages of a shard that fulfil a condition: at least all of them that are candidates."""
    if condition.terms:
        return _with_terms(shard, condition, candidates, analyser)
    return _TESTS[condition.field](shard, condition.value.lower(), query, candidates)


def _with_terms(shard: Shard, condition: Demand, candidates: Column, analyser: Analyser) -> Column:
    """The candidates with consecutive terms in one paragraph."""
    wanted = np.zeros(shard.pages, bool)
    wanted[candidates] = True
    page, paragraph = shard.blocks["page"], shard.blocks["paragraph"]
    common: Column | None = None
    *whole, last = condition.terms
    for blocks in (*map(shard.blocks_with, dict.fromkeys(whole)), _last(shard, last, condition.prefix)):
        if condition.field:
            blocks = blocks[shard.blocks["stratum"][blocks] == STRATA.index(condition.field)]
        blocks = blocks[wanted[page[blocks]]]
        found = np.unique(page[blocks].astype(np.uint64) << np.uint64(32) | paragraph[blocks])
        common = found if common is None else np.intersect1d(common, found, assume_unique=True)
    assert common is not None
    if not whole:
        return np.unique(common >> np.uint64(32)).astype(np.int64)
    seen: set[int] = set()
    for place in common.tolist():
        number = place >> 32
        if number not in seen and _follows(shard, number, place & 0xFFFFFFFF, condition, analyser):
            seen.add(number)
    return np.array(sorted(seen), np.int64)


def _last(shard: Shard, term: str, prefix: bool) -> Column:
    """The blocks with a term, or with a term that begins so."""
    return shard.blocks_with_prefix(term) if prefix else shard.blocks_with(term)


def _follows(shard: Shard, page: int, paragraph: int, condition: Demand, analyser: Analyser) -> bool:
    """Whether terms are consecutive in a paragraph."""
    start, stop = int(shard.block_start[page]), int(shard.block_start[page + 1])
    first, end = (start + np.searchsorted(shard.blocks["paragraph"][start:stop], (paragraph, paragraph + 1))).tolist()
    if first >= end:
        return False
    text = shard.text(page, int(shard.blocks["text_start"][first]), int(shard.blocks["text_stop"][end - 1]))
    words = " ".join(["", *(term for term, _, _ in analyser(text)), ""])
    return f" {' '.join(condition.terms)}{'' if condition.prefix else ' '}" in words


def _of_site(shard: Shard, name: str, query: Query, candidates: Column) -> Column:
    """Pages of a host, or of one below it."""
    known: dict[str, bool] = {}
    found = []
    for page in candidates.tolist():
        own = host(shard.urls[page])
        if own not in known:
            known[own] = own == name or own.endswith(f".{name}")
        if known[own]:
            found.append(page)
    return np.array(found, np.int64)


def _of_kind(shard: Shard, kind: str, query: Query, candidates: Column) -> Column:
    """Pages with a word of the query, if it has any, in a segment of a class or in a stratum."""
    if kind in STRATA:
        inside = shard.blocks["stratum"] == STRATA.index(kind)
    else:
        shift = np.uint64(4 * (_DIGITS - len(kind)))
        label = shard.segment_label >> shift == np.uint64(int(kind, 16))
        inside = (label & (shard.segment_label >= np.uint64(len(STRATA))))[shard.blocks["segment"]]
    if query.words:
        having = np.zeros(len(inside), bool)
        for term in dict.fromkeys(query.words):
            having[shard.blocks_with(term)] = True
        inside = inside & having
    return np.unique(shard.blocks["page"][inside])


def _in_language(shard: Shard, code: str, query: Query, candidates: Column) -> Column:
    return np.flatnonzero(shard.page_language == language_number(code))


def _before(shard: Shard, day: str, query: Query, candidates: Column) -> Column:
    return np.flatnonzero((shard.page_day > 0) & (shard.page_day < first_day(day)))


def _after(shard: Shard, day: str, query: Query, candidates: Column) -> Column:
    return np.flatnonzero(shard.page_day >= first_day(day))


_TESTS: dict[str, Callable[[Shard, str, Query, Column], Column]] = {
    "site": _of_site,
    "kind": _of_kind,
    "lang": _in_language,
    "before": _before,
    "after": _after,
}
