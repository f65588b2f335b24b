"""Merging shards, without reading pages again."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from webstrata.links.strings import Strings
from webstrata.search.model import merged_postings, merged_terms
from webstrata.search.shard import Shard
from webstrata.text import Column

__all__ = ["merge_shards", "shards_to_merge"]

# So many shards of one magnitude are merged, where each magnitude has this times the pages of the one before.
_FAN = 4
# Postings of a merged shard; larger ones are not merged by themselves.
_MOST_POSTINGS = 100_000_000


def shards_to_merge(shards: Sequence[Shard], alive: Column) -> int:
    """The first of the last shards that are to be merged; the number of shards if it is too early to merge any.

    Only neighbours are merged, so that pages keep their order.
    """
    edges = np.cumsum([0, *(shard.pages for shard in shards)])
    sizes = [int(alive[first:stop].sum()) for first, stop in pairwise(edges.tolist())]
    postings = [len(shard.posting_block) for shard in shards]
    cut, most = len(shards), _FAN
    while most <= _FAN * max([1, *sizes]):
        first = len(shards)
        while first and sizes[first - 1] < most and sum(postings[first - 1 :]) <= _MOST_POSTINGS:
            first -= 1
        # What is merged already counts as one shard.
        if (cut - first) + (cut < len(shards)) >= _FAN:
            cut = first
        most *= _FAN
    return cut


def merge_shards(shards: Sequence[Shard], alive: Column) -> tuple[Shard, Column]:
    """One shard of the pages that are alive, and their old numbers."""
    kept = np.flatnonzero(alive)
    first_page = np.cumsum([0, *(shard.pages for shard in shards)])
    first_segment = np.cumsum([0, *(len(shard.segment_label) for shard in shards)])
    page = np.concatenate([shard.blocks["page"] + np.uint32(n) for shard, n in zip(shards, first_page, strict=False)])
    living = alive[page]
    blocks = {name: np.concatenate([shard.blocks[name] for shard in shards])[living] for name in shards[0].blocks}
    number = np.cumsum(alive) - 1
    blocks["page"] = number[page[living]].astype(np.uint32)
    segment = np.concatenate(
        [shard.blocks["segment"] + np.uint32(n) for shard, n in zip(shards, first_segment, strict=False)]
    )[living]
    labels = np.concatenate([shard.segment_label for shard in shards])
    used, blocks["segment"] = np.unique(segment, return_inverse=True)
    blocks["segment"] = blocks["segment"].astype(np.uint32)
    sizes = np.bincount(blocks["page"], minlength=len(kept))
    terms, start, block, count = _postings(shards, living)
    strings = {name: _strings(shards, name, alive) for name in ("urls", "titles", "texts")}
    shard = Shard(
        **strings,
        block_start=np.cumsum([0, *sizes], dtype=np.int64),
        page_site=np.concatenate([shard.page_site for shard in shards])[kept],
        page_day=np.concatenate([shard.page_day for shard in shards])[kept],
        page_language=np.concatenate([shard.page_language for shard in shards])[kept],
        blocks=blocks,
        segment_label=labels[used],
        terms=terms,
        parts=Strings.of(sorted({line for shard in shards for line in shard.parts})),
        posting_start=start,
        posting_block=block,
        posting_count=count,
    )
    return shard, kept


def _strings(shards: Sequence[Shard], name: str, alive: Column) -> Strings:
    """The strings of the pages that are alive."""
    pieces, sizes, first = [np.empty(0, np.uint8)], [np.zeros(1, np.int64)], 0
    for shard in shards:
        strings: Strings = getattr(shard, name)
        own, size = alive[first : first + shard.pages], np.diff(strings.start)
        pieces.append(strings.data if own.all() else strings.data[np.repeat(own, size)])
        sizes.append(size[own])
        first += shard.pages
    return Strings(np.concatenate(pieces), np.cumsum(np.concatenate(sizes)))


def _postings(shards: Sequence[Shard], living: Column) -> tuple[Strings, Column, Column, Column]:
    """The postings of living blocks, and the terms that have any."""
    terms, places = merged_terms(shards)
    number = np.cumsum(living) - 1
    sizes, blocks, counts = [], [], []
    for batch in merged_postings(shards, places, len(terms)):
        keep = living[batch.block]
        term = np.repeat(np.arange(len(batch.start) - 1), np.diff(batch.start))
        sizes.append(np.bincount(term[keep], minlength=len(batch.start) - 1))
        blocks.append(number[batch.block[keep]].astype(np.uint32))
        counts.append(batch.count[keep])
    size = np.concatenate([np.empty(0, np.int64), *sizes]).astype(np.int64)
    has = np.flatnonzero(size)
    start = np.concatenate(([0], np.cumsum(size[has])))
    empty = np.empty(0, np.uint32), np.empty(0, np.uint16)
    kept = Strings.of([terms[int(place)] for place in has])
    return kept, start, np.concatenate([empty[0], *blocks]), np.concatenate([empty[1], *counts])
