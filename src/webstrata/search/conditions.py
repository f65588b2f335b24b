"""The pages that fulfil the conditions of a query."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from webstrata._once import once
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
    # Texts are read for phrases only, so these come last, on the pages that are left.
    others = [item for item in query.conditions if len(item.terms) < 2]
    phrases = [item for item in query.conditions if len(item.terms) >= 2]
    first = 0
    for shard in shards if query.conditions else ():
        own = score[first : first + shard.pages]
        first += shard.pages
        facts = _Facts(shard, query, own > 0)
        for condition in others:
            found = np.zeros(len(own), bool)
            found[_fulfilling(facts, condition)] = True
            own[found == condition.excluded] = 0
        if phrases:
            _keep_phrases(shard, own, phrases, analyser)


class _Facts:
    """What several conditions of a query ask about the pages of a shard that may be answers."""

    def __init__(self, shard: Shard, query: Query, wanted: Column) -> None:
        self.shard, self.query, self.wanted = shard, query, wanted

    @once
    def hosts(self) -> Mapping[str, list[int]]:
        """The pages of each host."""
        found: dict[str, list[int]] = {}
        for page in np.flatnonzero(self.wanted).tolist():
            found.setdefault(host(self.shard.urls[page]), []).append(page)
        return found

    @once
    def having(self) -> Column:
        """Which blocks have a word of the query; all if it has none."""
        found = np.full(len(self.shard.blocks["page"]), not self.query.words)
        for term in dict.fromkeys(self.query.words):
            found[self.shard.blocks_with(term)] = True
        return found


def _fulfilling(facts: _Facts, condition: Demand) -> Column:
    """Pages of a shard that fulfil a condition: at least all of them that may be answers."""
    if condition.terms:
        return (_places(facts.shard, condition, facts.wanted) >> np.uint64(32)).astype(np.int64)
    return _TESTS[condition.field](facts, condition.value.lower())


def _places(shard: Shard, condition: Demand, wanted: Column) -> Column:
    """The paragraphs of wanted pages with all terms of a condition: the number of the page, and that in the page."""
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
    return common


def _last(shard: Shard, term: str, prefix: bool) -> Column:
    """The blocks with a term, or with a term that begins so."""
    return shard.blocks_with_prefix(term) if prefix else shard.blocks_with(term)


def _keep_phrases(shard: Shard, own: Column, phrases: Sequence[Demand], analyser: Analyser) -> None:
    """Set the scores of pages of a shard to 0 that have an excluded phrase, or lack another one.

    Each paragraph is read once, however many phrases may be in it.
    """
    texts = [f" {' '.join(item.terms)}{'' if item.prefix else ' '}" for item in phrases]
    found = np.zeros((len(phrases), len(own)), bool)
    places = []
    for phrase in phrases:
        places.append(_places(shard, phrase, own > 0))
        if not phrase.excluded:
            possible = np.zeros(len(own), bool)
            possible[(places[-1] >> np.uint64(32)).astype(np.int64)] = True
            own[~possible] = 0
    every = np.concatenate(places)
    number = np.repeat(np.arange(len(phrases)), [len(each) for each in places])
    order = np.argsort(every, kind="stable")
    read, words = -1, ""
    for place, at in zip(every[order].tolist(), number[order].tolist(), strict=True):
        page = place >> 32
        if own[page] == 0 or found[at, page]:
            continue
        if place != read:
            read, words = place, _words(shard, page, place & 0xFFFFFFFF, analyser)
        if texts[at] in words:
            found[at, page] = True
            if phrases[at].excluded:
                own[page] = 0
    for phrase, pages in zip(phrases, found, strict=True):
        own[pages == phrase.excluded] = 0


def _words(shard: Shard, page: int, paragraph: int, analyser: Analyser) -> str:
    """The terms of a paragraph, with a space before and after each."""
    start, stop = int(shard.block_start[page]), int(shard.block_start[page + 1])
    first, end = (start + np.searchsorted(shard.blocks["paragraph"][start:stop], (paragraph, paragraph + 1))).tolist()
    if first >= end:
        return ""
    text = shard.text(page, int(shard.blocks["text_start"][first]), int(shard.blocks["text_stop"][end - 1]))
    return " ".join(["", *(term for term, _, _ in analyser(text)), ""])


def _of_site(facts: _Facts, name: str) -> Column:
    """Pages of a host, or of one below it."""
    hosts = [own for own in facts.hosts if own == name or own.endswith(f".{name}")]
    return np.array([page for own in hosts for page in facts.hosts[own]], np.int64)


def _of_kind(facts: _Facts, kind: str) -> Column:
    """Pages with a word of the query, if it has any, in a segment of a class or in a stratum."""
    shard = facts.shard
    if kind in STRATA:
        inside = shard.blocks["stratum"] == STRATA.index(kind)
    else:
        shift = np.uint64(4 * (_DIGITS - len(kind)))
        label = shard.segment_label >> shift == np.uint64(int(kind, 16))
        inside = (label & (shard.segment_label >= np.uint64(len(STRATA))))[shard.blocks["segment"]]
    return np.unique(shard.blocks["page"][inside & facts.having])


def _in_language(facts: _Facts, code: str) -> Column:
    return np.flatnonzero(facts.shard.page_language == language_number(code))


def _before(facts: _Facts, day: str) -> Column:
    return np.flatnonzero((facts.shard.page_day > 0) & (facts.shard.page_day < first_day(day)))


def _after(facts: _Facts, day: str) -> Column:
    return np.flatnonzero(facts.shard.page_day >= first_day(day))


_TESTS: dict[str, Callable[[_Facts, str], Column]] = {
    "site": _of_site,
    "kind": _of_kind,
    "lang": _in_language,
    "before": _before,
    "after": _after,
}
