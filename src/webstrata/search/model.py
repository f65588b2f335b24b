"""What is computed from all shards of an index together: its vocabulary, segment classes, and impacts of rankings.

A model is made anew when shards are added, from their postings, some terms at a time; so it is the same however pages
came into shards.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np

from webstrata._once import once
from webstrata.errors import InputError
from webstrata.links.strings import Strings
from webstrata.search._impacts import impacts
from webstrata.search.blocks import READINGS, Blocks, Chunk, Classes
from webstrata.search.files import MODEL
from webstrata.search.rankings import RANKINGS, Recipe
from webstrata.search.shard import Shard, names
from webstrata.text import Column

__all__ = ["Impacts", "Model", "all_impacts", "living_pages", "merged_postings", "merged_terms"]

# Postings that are brought together at once, in terms of memory 6 bytes each.
_AT_ONCE = 1 << 24


@dataclass(frozen=True, eq=False)
class Impacts:
    """For each term the pages that have it, ascending, and what it adds to the score of each."""

    start: Column
    page: Column
    impact: Column


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Model:
    """What was computed.

    Attributes
    ----------
    terms : of all shards, in ascending order
    alive : of each page, whether it counts
    classes : the segment classes
    impacts : of some rankings, by their spelling
    rank, topics, biased : the rank of each page, 1 on average; names of topics, and the ranks biased on each as columns
    """

    terms: Strings
    alive: Column
    classes: Classes
    impacts: Mapping[str, Impacts]
    rank: Column
    topics: tuple[str, ...]
    biased: Column

    @classmethod
    def of(
        cls,
        shards: Sequence[Shard],
        rankings: Sequence[str],
        *,
        ranks: tuple[Column, tuple[str, ...], Column] | None = None,
        tell: Callable[[float], None] = lambda share: None,
    ) -> Model:
        """The model of shards.

        Parameters
        ----------
        rankings : those whose impacts are to be computed
        ranks : of the pages; 1 for all by default
        tell : called with the share of the work that is done
        """
        terms, places = merged_terms(shards)
        alive = living_pages(shards)
        blocks = Blocks(tuple(shards), alive)
        total = 1 + len(rankings)
        classes = blocks.counted_classes(
            _telling(merged_postings(shards, places, len(terms)), len(terms), 0, total, tell)
        )
        blocks = Blocks(tuple(shards), alive, classes)
        found = {}
        for done, spelling in enumerate(rankings, 1):
            recipe = RANKINGS.make(spelling)
            chunks = _telling(merged_postings(shards, places, len(terms)), len(terms), done, total, tell)
            found[spelling] = all_impacts(blocks, recipe, chunks)
        rank, topics, biased = ranks or (np.ones(len(alive), np.float32), (), np.ones((len(alive), 0), np.float32))
        return cls(terms=terms, alive=alive, classes=classes, impacts=found, rank=rank, topics=topics, biased=biased)

    @once
    def pages(self) -> int:
        """How many pages count."""
        return int(np.asarray(self.alive).sum())

    def save(self, folder: Path) -> None:
        """Write the model into a folder that is there."""
        arrays = {"terms": self.terms.data, "terms_start": self.terms.start, "alive": self.alive.astype(np.uint8)}
        arrays |= {f"class_{name}": getattr(self.classes, name) for name in ("label", "number", "segments")}
        arrays |= {f"class_{name}": self.classes.weight[name] for name in READINGS}
        arrays["class_template"] = self.classes.template.astype(np.uint8)
        arrays |= {"rank": self.rank.astype(np.float32), "biased": self.biased.astype(np.float32).ravel()}
        for number, item in enumerate(self.impacts.values()):
            arrays |= {f"{name}_{number}": getattr(item, name) for name in ("start", "page", "impact")}
        MODEL.write(folder, arrays, {"rankings": list(self.impacts), "topics": list(self.topics)})

    @classmethod
    def open(cls, folder: Path) -> Model:
        """A model from its folder, mapped into memory."""
        about = MODEL.read_facts(folder)
        arrays = MODEL.read_arrays(folder, about)
        try:
            found = {
                spelling: Impacts(*(arrays[f"{name}_{number}"] for name in ("start", "page", "impact")))
                for number, spelling in enumerate(about["rankings"])
            }
            weight = {name: arrays[f"class_{name}"] for name in READINGS}
            template = arrays["class_template"].astype(bool)
            classes = Classes(arrays["class_label"], arrays["class_number"], arrays["class_segments"], weight, template)
            topics = tuple(about["topics"])
            alive = arrays["alive"].astype(bool)
            model = cls(
                terms=Strings(arrays["terms"], arrays["terms_start"]), alive=alive, classes=classes, impacts=found,
                rank=arrays["rank"], topics=topics, biased=arrays["biased"].reshape(len(alive), len(topics)),
            )  # fmt: skip
        except (KeyError, ValueError, TypeError) as error:
            raise InputError(f"{folder} is damaged: its numbers do not fit together; build the index again") from error
        return model


def merged_terms(shards: Sequence[Shard]) -> tuple[Strings, list[Column]]:
    """The terms of all shards in ascending order, and for each shard the places of its terms among them."""
    if len(shards) == 1:
        return shards[0].terms, [np.arange(len(shards[0].terms))]
    lists = [_pieces(shard.terms) for shard in shards]
    union = sorted(set().union(*lists))
    place = {name: number for number, name in enumerate(union)}
    return names(union), [np.array([place[name] for name in own], np.int64) for own in lists]


def _pieces(strings: Strings) -> list[bytes]:
    data, edges = strings.data.tobytes(), strings.start.tolist()
    return [data[start:stop] for start, stop in pairwise(edges)]


def merged_postings(shards: Sequence[Shard], places: Sequence[Column], terms: int) -> Iterator[Chunk]:
    """The postings of all terms over all shards, some terms at a time."""
    counts = np.zeros(terms, np.int64)
    for shard, place in zip(shards, places, strict=True):
        counts[place] += np.diff(shard.posting_start)
    start = np.concatenate(([0], np.cumsum(counts)))
    first_block = np.cumsum([0, *(len(shard.blocks["page"]) for shard in shards)])
    first = 0
    while first < terms:
        stop = max(first + 1, int(np.searchsorted(start, start[first] + _AT_ONCE, "right")) - 1)
        size = int(start[stop] - start[first])
        block, count = np.empty(size, np.uint32), np.empty(size, np.uint16)
        filled = start[first:stop] - start[first]
        for shard, place, offset in zip(shards, places, first_block, strict=False):
            a, b = (int(edge) for edge in np.searchsorted(place, (first, stop)))
            own = slice(int(shard.posting_start[a]), int(shard.posting_start[b]))
            sizes = np.diff(shard.posting_start[a : b + 1])
            # Where the postings of each term go: after those of the shards before.
            shift = filled[place[a:b] - first] - (np.asarray(shard.posting_start[a:b]) - own.start)
            target = np.arange(own.stop - own.start) + np.repeat(shift, sizes)
            block[target] = shard.posting_block[own] + np.uint32(offset)
            count[target] = shard.posting_count[own]
            filled[place[a:b] - first] += sizes
        yield Chunk(first, start[first : stop + 1] - start[first], block, count)
        first = stop


def _telling(
    chunks: Iterator[Chunk], terms: int, done: int, total: int, tell: Callable[[float], None]
) -> Iterator[Chunk]:
    """The same chunks, each told of when it is done."""
    for chunk in chunks:
        yield chunk
        tell((done + (chunk.first_term + len(chunk.start) - 1) / max(terms, 1)) / total)


def all_impacts(blocks: Blocks, recipe: Recipe, chunks: Iterator[Chunk]) -> Impacts:
    """The impacts of all terms by a ranking."""
    weight = recipe.weights(blocks)
    pages = int(blocks.alive.sum())
    starts, found_pages, found = [np.zeros(1, np.int64)], [np.empty(0, np.uint32)], [np.empty(0, np.float32)]
    for chunk in chunks:
        start, page, impact = impacts(chunk.start, chunk.block, chunk.count, blocks.page, weight, pages, recipe.k1)
        starts.append(start[1:] + starts[-1][-1])
        found_pages.append(page)
        found.append(impact)
    return Impacts(np.concatenate(starts), np.concatenate(found_pages), np.concatenate(found))


def living_pages(shards: Sequence[Shard]) -> Column:
    """Of each page, whether it counts: of pages of one URL the last one does, and all without a URL."""
    urls = [url for shard in shards for url in shard.urls]
    last = {url: number for number, url in enumerate(urls)}
    return np.array([not url or last[url] == number for number, url in enumerate(urls)], bool)
