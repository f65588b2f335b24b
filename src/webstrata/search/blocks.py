"""The blocks of all shards of an index as one table, and their segment classes.

**Weights of segment classes** (Fernandes et al. 2011 §3 uses those of de Moura et al. 2010, which it does not print).
A class is informative if its segments differ: the *inverse class frequency* of a term t in a class C is
ICF(t, C) = log(segments of C / segments of C that hold t), which is 0 for every term of a menu that all pages share. A
page is about a term that is in many of its segments: Spread(t, p) is the number of segments of page p that hold t. The
importance of a class is the mean of their product, in two readings:

- *vocabulary*: over the terms of the class, each once, with its mean spread over the segments of the class that hold it
- *occurrence*: over the occurrences of terms in the class

Classes of fewer than `FEW` segments count as one class, since each alone has too little data. Importances are divided
by their mean over all occurrences, so that an occurrence counts 1 on average and BM25 keeps its scale.

**Templates.** A class is template if its segments repeat one another: fewer than `DISTINCT` of them have a text of
their own. A paragraph is template if its text is on at least `FREQUENT` pages (Kohlschütter 2011 §4.3.3). Both are
those of a site: what another site in the index has under the same label, or repeats, does not count.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from webstrata._once import once
from webstrata.search._impacts import class_sums
from webstrata.search.documents import ANCHOR, STRATA
from webstrata.search.shard import ANCHOR_LABEL, Shard
from webstrata.sites.fingerprints import FREQUENT
from webstrata.text import Column

__all__ = ["DISTINCT", "FEW", "READINGS", "BlockTable", "PostingBatch", "SegmentClasses"]

#: Classes of fewer segments count as one class (beta of Fernandes et al. 2011).
FEW = 8
#: The share of segments with a text of their own below which a class is template.
DISTINCT = 0.5
READINGS = ("vocabulary", "occurrence")


@dataclass(frozen=True, eq=False)
class PostingBatch:
    """The postings of some terms over all shards: as in a shard, with blocks numbered across shards."""

    first_term: int
    start: Column
    block: Column
    count: Column


@dataclass(frozen=True, eq=False)
class SegmentClasses:
    """Segment classes of an index.

    Attributes
    ----------
    label : the classes as `BlockTable.classes_of_sites` numbers them, ascending
    number : of each class, its row in the other columns, which rare classes share
    segments : the number of segments
    weight : for each reading, the weight of an occurrence
    template : whether the segments repeat one another
    """

    label: Column
    number: Column
    segments: Column
    weight: dict[str, Column]
    template: Column


@dataclass(frozen=True, eq=False)
class BlockTable:
    """The blocks of all shards.

    Attributes
    ----------
    shards : the shards in order
    alive : of each page, whether it counts; of a page that was added again only the last version does
    classes : the segment classes; None while they are computed
    chosen : of each block, whether a selection keeps it; None for all
    """

    shards: tuple[Shard, ...]
    alive: Column
    classes: SegmentClasses | None = None
    chosen: Column | None = field(default=None)

    @property
    def pages(self) -> int:
        """The number of pages, alive or not."""
        return len(self.alive)

    @once
    def page(self) -> Column:
        first = np.cumsum([0, *(shard.pages for shard in self.shards)])
        return _joined([shard.blocks["page"] + np.uint32(n) for shard, n in zip(self.shards, first, strict=False)])

    @once
    def segment(self) -> Column:
        first = np.cumsum([0, *(len(shard.segment_label) for shard in self.shards)])
        return _joined([shard.blocks["segment"] + np.uint32(n) for shard, n in zip(self.shards, first, strict=False)])

    def column(self, name: str) -> Column:
        """A column of blocks over all shards."""
        return _joined([shard.blocks[name] for shard in self.shards])

    @once
    def counted(self) -> Column:
        """For each block, whether it counts."""
        alive = self.alive[self.page]
        return alive if self.chosen is None else alive & self.chosen

    @once
    def stratum(self) -> Column:
        return self.column("stratum")

    @once
    def tokens(self) -> Column:
        return self.column("tokens").astype(np.float64)

    @once
    def labels(self) -> Column:
        """The label of the class of each segment."""
        return _joined([shard.segment_label for shard in self.shards])

    @once
    def page_site(self) -> Column:
        """For each page, a hash of its site."""
        return _joined([shard.page_site for shard in self.shards])

    @once
    def classes_of_sites(self) -> Column:
        """The class of each segment as one number: equal labels of two sites are two classes.

        Titles, texts of links and strata are the same classes on all sites.
        """
        label = self.labels
        page = np.zeros(len(label), np.int64)
        page[self.segment] = self.page
        of_site = (label >= len(STRATA)) & (label < ANCHOR_LABEL)
        return np.where(of_site, label ^ self.page_site[page], label) if len(self.page_site) else label

    def of_class(self, values: Column) -> Column:
        """For each block, the value of its class."""
        assert self.classes is not None
        numbers = self.classes.number[np.searchsorted(self.classes.label, self.classes_of_sites)]
        return values[numbers][self.segment]

    @once
    def repeated(self) -> Column:
        """For each block, whether the text of its paragraph is on at least `FREQUENT` pages of its site."""
        page, digest = self.page, self.column("digest")
        place = page.astype(np.int64) << 32 | self.column("paragraph")
        if not len(page):
            return np.zeros(0, bool)
        first = np.flatnonzero(np.diff(place, prepend=-1))
        whole = np.add.reduceat(digest * _odd(np.arange(len(digest)) - np.repeat(first, _runs(first, page))), first)
        whole = np.where(whole != 0, whole ^ self.page_site[page[first]], whole)
        values, pages = np.unique(_once_each(whole, page[first]), return_counts=True)
        often = values[(pages >= FREQUENT) & (values != 0)]
        return np.repeat(np.isin(whole, often), _runs(first, page))

    def counted_classes(self, batches: Iterator[PostingBatch]) -> SegmentClasses:
        """The segment classes, computed from all postings of pages that are alive."""
        living = np.zeros(len(self.labels), bool)
        living[self.segment[self.alive[self.page] & (self.stratum != ANCHOR)]] = True
        label, place = np.unique(self.classes_of_sites, return_inverse=True)
        size = np.bincount(place[living], minlength=len(label))
        number = np.where(size >= FEW, np.cumsum(size >= FEW), 0)
        segment_class = np.where(living, number[place], -1).astype(np.int32)
        count = int(number.max(initial=0)) + 1
        segments = np.bincount(segment_class[living], minlength=count)
        sums = {name: (np.zeros(count), np.zeros(count)) for name in READINGS}
        stamp, holding = np.zeros(len(segment_class), np.int64), np.zeros(count, np.int64)
        for batch in batches:
            class_sums(
                batch.start, batch.block, batch.count, self.page, self.segment, segment_class, segments,
                batch.first_term, stamp, holding, *sums["vocabulary"], *sums["occurrence"],
            )  # fmt: skip
        occurrences = sums["occurrence"][1]
        weight = {}
        for name, (total, size_of) in sums.items():
            importance = total / np.maximum(size_of, 1)
            mean = float((importance * occurrences).sum() / max(occurrences.sum(), 1))
            weight[name] = importance / mean if mean > 0 else np.ones(count)
        template = self._repeating(segment_class, segments)
        return SegmentClasses(label, number, segments, weight, template)

    def _repeating(self, segment_class: Column, segments: Column) -> Column:
        """For each class but the rare ones, whether fewer than `DISTINCT` of its segments have a text of their own."""
        digest = np.zeros(len(segment_class), np.uint64)
        np.add.at(digest, self.segment, self.column("digest"))
        living = segment_class >= 0
        distinct = np.bincount(_once_each(segment_class[living], digest[living]), minlength=len(segments))
        template = distinct < DISTINCT * segments
        template[0] = False
        return template


def _joined(columns: Sequence[Column]) -> Column:
    return columns[0] if len(columns) == 1 else np.concatenate(columns)


def _once_each(group: Column, value: Column) -> Column:
    """The group of each distinct pair of group and value."""
    order = np.lexsort((value, group))
    group, value = group[order], value[order]
    new = np.ones(len(order), bool)
    new[1:] = (group[1:] != group[:-1]) | (value[1:] != value[:-1])
    return np.asarray(group[new])


def _odd(places: Column) -> Column:
    """A factor for each index, so that a sum of digests depends on their order."""
    return (2 * places.astype(np.uint64) + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15) | np.uint64(1)


def _runs(first: Column, page: Column) -> Column:
    return np.diff(first, append=len(page))
