"""The fold that counts the segment classes of sites, once their trees are known."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from webstrata._once import once
from webstrata.crawls.arrow import pyarrow, rows_with_arrays
from webstrata.crawls.folding.folds import Fold
from webstrata.crawls.jobs.sites.nodes import page_nodes
from webstrata.sites.classes import Refined, refine
from webstrata.sites.counts import ClassCount, ClassCounts, add_counts, count_page
from webstrata.sites.folder import class_counts, class_row, class_schema, read_site, read_tree
from webstrata.sites.rules import Rules

__all__ = ["ClassesOfSite"]

# Number of trees in memory.
_TREES = 64


@dataclass(frozen=True, kw_only=True)
class ClassesOfSite(Fold):
    """The segment classes of each site: pages, segments, words, kept words, distinct texts, examples.

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
        return class_schema()

    def partial_schema(self, schema: Any) -> Any:
        return self.schema

    @once
    def _refined(self) -> dict[str, Refined]:
        return {}

    def _tree(self, site: str) -> Refined:
        if site not in self._refined:
            if len(self._refined) >= _TREES:
                self._refined.clear()
            tree, _ = read_tree(read_site(self.trees, site))
            self._refined[site] = refine(tree, self.rules)
        return self._refined[site]

    def partial(self, batches: Iterator[Any]) -> Iterator[Any]:
        sites: dict[str, ClassCounts] = {}
        for batch in batches:
            for row in rows_with_arrays(batch):
                example = row["url"] or row["file"] or ""
                found = count_page(self._tree(row["site"]), page_nodes(row), row["kept"], example, row["quotes"])
                add_counts(sites.setdefault(row["site"], {}), found)
        for site, counts in sites.items():
            yield self._batch(site, counts)

    def __call__(self, key: Any, batches: Iterator[Any]) -> Iterator[Any]:
        counts: ClassCounts = {}
        for batch in batches:
            for row in batch.to_pylist():
                add_counts(counts, class_counts([row]))
        yield self._batch(key, counts)

    def _batch(self, site: str, counts: Mapping[int, ClassCount]) -> Any:
        ordered = sorted(counts.items(), key=lambda item: (-item[1].words, item[0]))
        rows = [class_row(site, label, count) for label, count in ordered]
        return pyarrow().RecordBatch.from_pylist(rows, self.schema)
