"""The fold that counts the segment classes of sites, once their trees are known."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from webstrata._once import once
from webstrata.crawls.arrow import pyarrow, rows_with_arrays, signed
from webstrata.crawls.folding.folds import Fold
from webstrata.crawls.jobs.sites.nodes import page_nodes, tree_of
from webstrata.sites.classes import Refined, refine
from webstrata.sites.rules import Rules

__all__ = ["ClassesOfSite", "read_rows"]

# Distinct texts of a class that are kept, those with the smallest hashes: a sample of how often texts are repeated.
_TEXTS = 32
_EXAMPLES = 3
# TreesOfSite of so many sites are held at once.
_TREES = 64

Count = dict[str, Any]


@dataclass(frozen=True, kw_only=True)
class ClassesOfSite(Fold):
    """The counts of each segment class of a site: pages, segments, words, kept words, distinct texts, examples.

    Parameters
    ----------
    trees : the folder that the fold `TreesOfSite` wrote
    rules : how to refine them
    """

    trees: str
    rules: Rules

    key: ClassVar[str] = "site"

    @once
    def schema(self) -> Any:
        pa = pyarrow()
        numbers = [(name, pa.int64()) for name in ("pages", "segments", "words", "kept")]
        lists = [("texts", pa.list_(pa.int64())), ("text_counts", pa.list_(pa.int64()))]
        columns = [("site", pa.string()), ("label", pa.int64()), *numbers, *lists, ("examples", pa.list_(pa.string()))]
        return pa.schema(columns)

    def partial_schema(self, schema: Any) -> Any:
        return self.schema

    @once
    def _refined(self) -> dict[str, Refined]:
        return {}

    def _tree(self, site: str) -> Refined:
        if site not in self._refined:
            if len(self._refined) >= _TREES:
                self._refined.clear()
            [row] = read_rows(self.trees, site)
            self._refined[site] = refine(tree_of(row), self.rules)
        return self._refined[site]

    def partial(self, batches: Iterator[Any]) -> Iterator[Any]:
        sites: dict[str, dict[int, Count]] = {}
        for batch in batches:
            for row in rows_with_arrays(batch):
                counts = sites.setdefault(row["site"], {})
                for label, count in self._page(row).items():
                    counts[label] = _added(counts.get(label), count)
        for site, counts in sites.items():
            yield self._batch(site, counts)

    def _page(self, row: dict[str, Any]) -> dict[int, Count]:
        """The classes of one page."""
        nodes = page_nodes(row)
        segment, labels = self._tree(row["site"]).segments(nodes)
        above = np.where(nodes.parent >= 0, segment[nodes.parent], -1)
        example = row["url"] or row["file"] or ""
        found: dict[int, Count] = {}
        tops = np.flatnonzero((segment >= 0) & (segment != above))
        texts = signed(nodes.text[tops])
        columns = (signed(labels[tops]), segment[tops], nodes.words[tops], row["kept"][tops], texts)
        for label, number, words, kept, text in zip(*(column.tolist() for column in columns), strict=True):
            count = found.setdefault(label, {"numbers": set(), "words": 0, "kept": 0, "text": 0})
            count["numbers"].add(number)
            count["words"] += words
            count["kept"] += kept
            # A sum, because a flow has several texts and their order does not matter.
            count["text"] = (count["text"] + text + 2**63) % 2**64 - 2**63
        return {label: _count(count, example) for label, count in found.items()}

    def __call__(self, key: Any, batches: Iterator[Any]) -> Iterator[Any]:
        counts: dict[int, Count] = {}
        for batch in batches:
            for row in batch.to_pylist():
                row["texts"] = dict(zip(row["texts"], row.pop("text_counts"), strict=True))
                counts[row["label"]] = _added(counts.get(row["label"]), row)
        yield self._batch(key, counts)

    def _batch(self, site: str, counts: dict[int, Count]) -> Any:
        rows = [
            {
                **count,
                "site": site,
                "label": label,
                "texts": list(count["texts"]),
                "text_counts": list(count["texts"].values()),
            }
            for label, count in sorted(counts.items(), key=lambda item: (-item[1]["words"], item[0]))
        ]
        return pyarrow().RecordBatch.from_pylist(rows, self.schema)


def _count(page: Count, example: str) -> Count:
    return {
        "pages": 1,
        "segments": len(page["numbers"]),
        "words": page["words"],
        "kept": page["kept"],
        "texts": {page["text"]: len(page["numbers"])},
        "examples": [example],
    }


def _added(one: Count | None, other: Count) -> Count:
    """The sum of two counts of a class."""
    if one is None:
        return other
    texts = dict(one["texts"])
    for text, count in other["texts"].items():
        texts[text] = texts.get(text, 0) + count
    return {
        **{name: one[name] + other[name] for name in ("pages", "segments", "words", "kept")},
        "texts": dict(sorted(texts.items())[:_TEXTS]),
        "examples": sorted({*one["examples"], *other["examples"]})[:_EXAMPLES],
    }


def read_rows(folder: str, site: str) -> list[dict[str, Any]]:
    """The rows of one site in the output of a fold by site, with lists as arrays."""
    table = pyarrow("pyarrow.parquet").read_table(folder, filters=[("site", "=", site)], partitioning=None)
    return [row for batch in table.to_batches() for row in rows_with_arrays(batch)]
