"""The model of an index, computed from all its shards: vocabulary, segment classes, and impacts of rankings.

A model is computed anew when shards are added, from the postings of all shards, some terms at a time. So it does not
depend on how pages are distributed over shards.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np

from webstrata._array_checks import ArrayCheck, ArrayChecks, indices, offsets, strings
from webstrata._once import once
from webstrata.errors import InputError
from webstrata.links.strings import Strings
from webstrata.links.topics import combine
from webstrata.search._impacts import impacts
from webstrata.search._passages import masses
from webstrata.search.blocks import READINGS, BlockTable, PostingBatch, SegmentClasses
from webstrata.search.files import MODEL
from webstrata.search.rankings import RANKINGS, RankingRecipe
from webstrata.search.shard import Shard
from webstrata.search.vocabulary import with_prefix
from webstrata.text import Column

__all__ = ["Impacts", "IndexModel", "all_impacts", "living_pages", "merged_postings", "merged_terms"]

# Postings that are merged at once; each takes 6 bytes.
_AT_ONCE = 1 << 24
_CHECKS: ArrayChecks = {
    **strings("terms", "terms"),
    "alive": indices("pages", of=2, kind="uint8"),
    "frequency": ArrayCheck(("uint32",), ("terms",)),
    "mass": ArrayCheck(("float32",), ("blocks",)),
    "class_label": ArrayCheck(("uint64",), ("labels",), ascending=True),
    "class_number": indices("labels", of="classes", kind="int64"),
    "class_segments": ArrayCheck(("int64",), ("classes",)),
    **{f"class_{name}": ArrayCheck(("f",), ("classes",)) for name in READINGS},
    "class_template": ArrayCheck(("uint8",), ("classes",)),
    "rank": ArrayCheck(("f",), ("pages",)),
    "biased": ArrayCheck(("f",), (None,)),
}


def _impact_checks(number: int) -> ArrayChecks:
    return {
        f"start_{number}": offsets("terms", into=f"impacts {number}"),
        # Native code checks the pages that it reads (`webstrata.search._impacts`).
        f"page_{number}": ArrayCheck(("uint32",), (f"impacts {number}",), index_of="pages", values=False),
        f"impact_{number}": ArrayCheck(("float32",), (f"impacts {number}",), values=False),
    }


@dataclass(frozen=True, eq=False)
class Impacts:
    """For each term, the pages that have it, ascending, and the score that it adds to each."""

    start: Column
    page: Column
    impact: Column


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class IndexModel:
    """The vocabulary, segment classes, impacts and ranks of an index.

    Attributes
    ----------
    terms : the terms of all shards, ascending
    alive : of each page, whether it counts
    frequency : of each term, the pages that count and have it
    mass : of each block, the sum of idf over its terms
    classes : the segment classes
    impacts : the impacts of some rankings, by spelling
    rank : the rank of each page, 1 on average
    topics, biased : the names of topics, and the ranks by topic as columns
    """

    terms: Strings
    alive: Column
    frequency: Column
    mass: Column
    classes: SegmentClasses
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
        alive: Column | None = None,
        ranks: tuple[Column, tuple[str, ...], Column] | None = None,
        progress: Callable[[float], None] = lambda share: None,
    ) -> IndexModel:
        """The model of some shards.

        Parameters
        ----------
        shards : all shards of the index
        rankings : the rankings whose impacts are computed
        alive : of each page, whether it counts; by default the last page of each URL does
        ranks : of the pages; 1 for all by default
        progress : called with the share of the work that is done
        """
        terms, places = merged_terms(shards)
        alive = living_pages(shards) if alive is None else alive
        blocks = BlockTable(tuple(shards), alive)
        total = 2 + len(rankings)
        batches = merged_postings(shards, places, len(terms))
        frequency, mass = _masses(blocks, _reporting(batches, len(terms), 0, total, progress), len(terms))
        batches = merged_postings(shards, places, len(terms))
        classes = blocks.counted_classes(_reporting(batches, len(terms), 1, total, progress))
        blocks = BlockTable(tuple(shards), alive, classes)
        found = {}
        for done, spelling in enumerate(rankings, 2):
            recipe = RANKINGS.make(spelling)
            batches = merged_postings(shards, places, len(terms))
            found[spelling] = all_impacts(blocks, recipe, _reporting(batches, len(terms), done, total, progress))
        rank, topics, biased = ranks or (np.ones(len(alive), np.float32), (), np.ones((len(alive), 0), np.float32))
        return cls(
            terms=terms, alive=alive, frequency=frequency, mass=mass, classes=classes, impacts=found, rank=rank,
            topics=topics, biased=biased,
        )  # fmt: skip

    def updated(self, shards: Sequence[Shard], alive: Column) -> IndexModel:
        """The model of shards of which this one knows the first pages, without impacts."""
        return IndexModel.of(shards, (), alive=alive, ranks=self.ranks(len(alive)))

    def ranks(self, pages: int) -> tuple[Column, tuple[str, ...], Column]:
        """The ranks of so many pages, the names of topics, and the ranks by topic; new pages have 1, the mean."""
        new = pages - len(self.rank)
        biased = np.concatenate([self.biased, np.ones((new, len(self.topics)), np.float32)])
        return np.concatenate([self.rank, np.ones(new, np.float32)]), self.topics, biased

    @once
    def pages(self) -> int:
        """The number of pages that count."""
        return int(np.asarray(self.alive).sum())

    def ranks_on(self, topic: str) -> Column:
        """The ranks that are biased on a topic, or on several with their weights; those without bias for "".

        Several are a linear combination (Kohlschütter 2011 equation 3.6), spelled "Science, Art" or "Science=2, Art=1".
        """
        if not topic:
            return self.rank
        weights: dict[str, float] = {}
        for item in [topic] if topic in self.topics else topic.split(","):
            name, weight = item.strip(), 1.0
            if name not in self.topics:
                name, _, number = name.rpartition("=")
                weight = _weight(number) if name.strip() in self.topics else -1.0
            if weight < 0:
                known = f"it has {', '.join(self.topics)}" if self.topics else "it was built without ranks by topic"
                raise InputError(f"the index has no topic {item.strip()!r}: {known}")
            weights[name.strip()] = weight
        columns = [self.topics.index(name) for name in weights]
        return combine(self.biased[:, columns], np.array([*weights.values()]))

    def terms_with(self, prefix: str, most: int) -> list[tuple[str, int]]:
        """The most frequent terms with a prefix, and the number of pages that have each."""
        places = with_prefix(self.terms, prefix)
        pages = np.asarray(self.frequency[places.start : places.stop]).astype(np.int64)
        order = np.argsort(-pages, kind="stable")[:most].tolist()
        return [(self.terms[places[place]], int(pages[place])) for place in order if pages[place]]

    def save(self, folder: Path) -> None:
        """Write the model into an existing folder."""
        arrays = {"terms": self.terms.data, "terms_start": self.terms.start, "alive": self.alive.astype(np.uint8)}
        arrays |= {"frequency": self.frequency, "mass": self.mass}
        arrays |= {f"class_{name}": getattr(self.classes, name) for name in ("label", "number", "segments")}
        arrays |= {f"class_{name}": self.classes.weight[name] for name in READINGS}
        arrays["class_template"] = self.classes.template.astype(np.uint8)
        arrays |= {"rank": self.rank.astype(np.float32), "biased": self.biased.astype(np.float32).ravel()}
        for number, item in enumerate(self.impacts.values()):
            arrays |= {f"{name}_{number}": getattr(item, name) for name in ("start", "page", "impact")}
        MODEL.write(folder, arrays, {"rankings": list(self.impacts), "topics": list(self.topics)})

    @classmethod
    def open(cls, folder: Path) -> IndexModel:
        """A model from its folder, mapped into memory."""
        about = MODEL.read_facts(folder)
        try:
            checks = dict(_CHECKS)
            for number, _ in enumerate(about["rankings"]):
                checks |= _impact_checks(number)
            arrays = MODEL.read_arrays(folder, about, checks)
            found = {
                spelling: Impacts(*(arrays[f"{name}_{number}"] for name in ("start", "page", "impact")))
                for number, spelling in enumerate(about["rankings"])
            }
            weight = {name: arrays[f"class_{name}"] for name in READINGS}
            template = arrays["class_template"].astype(bool)
            classes = SegmentClasses(
                arrays["class_label"], arrays["class_number"], arrays["class_segments"], weight, template
            )
            topics = tuple(about["topics"])
            alive = arrays["alive"].astype(bool)
            return cls(
                terms=Strings(arrays["terms"], arrays["terms_start"]), alive=alive, frequency=arrays["frequency"],
                mass=arrays["mass"], classes=classes, impacts=found, rank=arrays["rank"], topics=topics,
                biased=arrays["biased"].reshape(len(alive), len(topics)),
            )  # fmt: skip
        except InputError:
            raise
        except (KeyError, ValueError, TypeError) as error:
            raise InputError(f"{folder} is damaged: its numbers do not fit together; build the index again") from error


def _weight(number: str) -> float:
    """The weight of a topic, which is written after its name."""
    try:
        weight = float(number)
    except ValueError:
        weight = -1.0
    if not 0 < weight < np.inf:
        raise InputError(f"the weight of a topic is a number above 0, not {number.strip()!r}")
    return weight


def merged_terms(shards: Sequence[Shard]) -> tuple[Strings, list[Column]]:
    """The terms of all shards, ascending, and for each shard the indices of its terms in them."""
    if len(shards) == 1:
        return shards[0].terms, [np.arange(len(shards[0].terms))]
    lists = [_pieces(shard.terms) for shard in shards]
    union = sorted(set().union(*lists))
    place = {name: number for number, name in enumerate(union)}
    return Strings.of_bytes(union), [np.array([place[name] for name in own], np.int64) for own in lists]


def _pieces(strings: Strings) -> list[bytes]:
    data, edges = strings.data.tobytes(), strings.start.tolist()
    return [data[start:stop] for start, stop in pairwise(edges)]


def merged_postings(shards: Sequence[Shard], places: Sequence[Column], terms: int) -> Iterator[PostingBatch]:
    """The postings of all terms over all shards, in batches of terms."""
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
            # The postings of a term go after those of the previous shards.
            shift = filled[place[a:b] - first] - (np.asarray(shard.posting_start[a:b]) - own.start)
            target = np.arange(own.stop - own.start) + np.repeat(shift, sizes)
            block[target] = shard.posting_block[own] + np.uint32(offset)
            count[target] = shard.posting_count[own]
            filled[place[a:b] - first] += sizes
        yield PostingBatch(first, start[first : stop + 1] - start[first], block, count)
        first = stop


def _reporting(
    batches: Iterator[PostingBatch], terms: int, done: int, total: int, progress: Callable[[float], None]
) -> Iterator[PostingBatch]:
    """The same batches; progress is reported after each."""
    for batch in batches:
        yield batch
        progress((done + (batch.first_term + len(batch.start) - 1) / max(terms, 1)) / total)


def _masses(blocks: BlockTable, batches: Iterator[PostingBatch], terms: int) -> tuple[Column, Column]:
    """The number of pages with each term, and the sum of idf in each block."""
    alive, pages = np.asarray(blocks.alive, np.uint8), int(blocks.alive.sum())
    frequency, mass = np.zeros(terms, np.uint32), np.zeros(len(blocks.page), np.float32)
    for batch in batches:
        own = frequency[batch.first_term : batch.first_term + len(batch.start) - 1]
        masses(batch.start, batch.block, blocks.page, alive, pages, own, mass)
    return frequency, mass


def all_impacts(blocks: BlockTable, recipe: RankingRecipe, batches: Iterator[PostingBatch]) -> Impacts:
    """The impacts of all terms by a ranking."""
    weight = recipe.weights(blocks)
    pages = int(blocks.alive.sum())
    starts, found_pages, found = [np.zeros(1, np.int64)], [np.empty(0, np.uint32)], [np.empty(0, np.float32)]
    for batch in batches:
        start, page, impact = impacts(batch.start, batch.block, batch.count, blocks.page, weight, pages, recipe.k1)
        starts.append(start[1:] + starts[-1][-1])
        found_pages.append(page)
        found.append(impact)
    return Impacts(np.concatenate(starts), np.concatenate(found_pages), np.concatenate(found))


def living_pages(shards: Sequence[Shard]) -> Column:
    """For each page, whether it counts: the last page of each URL does, and all pages without a URL."""
    urls = [url for shard in shards for url in shard.urls]
    last = {url: number for number, url in enumerate(urls)}
    return np.array([not url or last[url] == number for number, url in enumerate(urls)], bool)
