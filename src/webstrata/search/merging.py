"""Merging shards, without reading pages again."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from webstrata.links.strings import Strings
from webstrata.search.model import merged_postings, merged_terms
from webstrata.search.shard import Shard
from webstrata.text import Column

__all__ = ["merge_shards"]


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
    strings = {
        name: Strings.of(string for shard, string in _strings(shards, name, alive))
        for name in ("urls", "titles", "texts")
    }
    shard = Shard(
        **strings,
        block_start=np.cumsum([0, *sizes], dtype=np.int64),
        page_site=np.concatenate([shard.page_site for shard in shards])[kept],
        page_day=np.concatenate([shard.page_day for shard in shards])[kept],
        page_language=np.concatenate([shard.page_language for shard in shards])[kept],
        blocks=blocks,
        segment_label=labels[used],
        terms=terms,
        posting_start=start,
        posting_block=block,
        posting_count=count,
    )
    return shard, kept


def _strings(shards: Sequence[Shard], name: str, alive: Column) -> list[tuple[Shard, str]]:
    found, number = [], 0
    for shard in shards:
        for string in getattr(shard, name):
            if alive[number]:
                found.append((shard, string))
            number += 1
    return found


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
