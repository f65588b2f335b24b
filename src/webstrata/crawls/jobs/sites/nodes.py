"""The step that reads nodes and fingerprints of pages, and the folds that make trees and fingerprints of sites.

A learned folder (`webstrata.sites.folder`) holds the output of three folds: ``trees``, ``classes``, ``fingerprints``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np

from webstrata._array_checks import ArrayCheck, ArrayChecks, check_arrays
from webstrata._once import once
from webstrata.crawls.arrow import pyarrow, rows_with_arrays, signed, unsigned
from webstrata.crawls.folding.folds import Fold
from webstrata.crawls.running.steps import PageStep
from webstrata.extraction.base import EXTRACTORS, Extractor
from webstrata.page import Page
from webstrata.sites.folder import fingerprint_schema, tree_and_names, tree_row, tree_schema
from webstrata.sites.grouping import site_of
from webstrata.sites.learning import GrowingTree, SitePage
from webstrata.sites.nodes import Nodes
from webstrata.sites.rules import Rules
from webstrata.sites.tree import Tree
from webstrata.text import Column
from webstrata.workers.limits import Reject

__all__ = ["FingerprintsOfSite", "PageNodes", "TreesOfSite", "page_nodes"]

# Columns of the nodes, and their types. Spark has no unsigned integers: in rows, the same bits are signed ones.
_NODES = {
    "label": "uint64",
    "parent": "int32",
    "name": "uint64",
    "number": "int32",
    "depth": "int32",
    "leaf_text": "uint8",
    "words": "int32",
    "text": "uint64",
    "outer": "uint8",
}


@dataclass(frozen=True, kw_only=True)
class PageNodes(PageStep):
    """The nodes of each page, the fingerprints of its paragraphs, and the words that an extractor keeps.

    Parameters
    ----------
    by : the unit of sites: host, registered-domain or all
    rules : of the tree
    extractor : the name of an extractor whose decisions are counted for each segment class; none if empty
    """

    by: str = "host"
    rules: Rules = field(default_factory=Rules)
    extractor: str = "learned"

    def columns(self) -> Sequence[tuple[str, Any]]:
        pa = pyarrow()
        types = {"uint64": pa.int64(), "int32": pa.int32(), "uint8": pa.int8()}
        nodes = [(name, pa.list_(types[kind])) for name, kind in _NODES.items()]
        names = [("names", pa.list_(pa.int64())), ("name_texts", pa.list_(pa.string()))]
        rest = [
            ("kept", pa.list_(pa.int32())),
            ("fingerprints", pa.list_(pa.int64())),
            ("quotes", pa.list_(pa.string())),
        ]
        return [("site", pa.string()), *nodes, *names, *rest]

    @once
    def _extractor(self) -> Extractor | None:
        return EXTRACTORS.make(self.extractor) if self.extractor else None

    def row(self, page: Page) -> dict[str, Any]:
        if not len(page.blocks):
            raise Reject("no content")
        found = SitePage.of(page, self.rules, self._extractor)
        return {
            "site": site_of(page.url, self.by),
            **{name: signed(getattr(found.nodes, name)) for name in _NODES},
            "names": signed(np.array(list(found.names), np.uint64)),
            "name_texts": list(found.names.values()),
            "fingerprints": signed(found.fingerprints),
            "kept": found.kept,
            "quotes": found.quotes,
        }


_ADVICE = "learn the sites again with `webstrata site learn`"
_NODE_CHECKS: ArrayChecks = {
    name: ArrayCheck((kind,), ("nodes",), before_row=name == "parent") for name, kind in _NODES.items()
}


def page_nodes(row: dict[str, Any]) -> Nodes:
    """The nodes of a row that `PageNodes` wrote."""
    columns = {name: unsigned(row[name], kind) for name, kind in _NODES.items()}
    check_arrays(columns, _NODE_CHECKS, source=f"the site {row['site']}", advice=_ADVICE)
    none = np.zeros(len(columns["label"]), np.int32)
    return Nodes(**columns, element=none, first_block=none, end_block=none)


@dataclass(frozen=True, kw_only=True)
class TreesOfSite(Fold):
    """The SOM tree of each site. Trees of parts add up to the tree of the whole."""

    key: ClassVar[str] = "site"

    @once
    def schema(self) -> Any:
        return tree_schema()

    def partial_schema(self, schema: Any) -> Any:
        return self.schema

    def partial(self, batches: Iterator[Any]) -> Iterator[Any]:
        sites: dict[str, GrowingTree] = {}
        for batch in batches:
            for row in rows_with_arrays(batch):
                names = unsigned(row["names"], "uint64").tolist()
                growing = sites.setdefault(row["site"], GrowingTree())
                growing.add(Tree.of([page_nodes(row)]), dict(zip(names, row["name_texts"].tolist(), strict=True)))
        yield from self._rows(sites)

    def __call__(self, key: Any, batches: Iterator[Any]) -> Iterator[Any]:
        growing = GrowingTree()
        for batch in batches:
            for row in rows_with_arrays(batch):
                growing.add(*tree_and_names(row))
        yield from self._rows({key: growing})

    def _rows(self, sites: dict[str, GrowingTree]) -> Iterator[Any]:
        for site, growing in sites.items():
            row = tree_row(site, growing.finished(), growing.names)
            yield pyarrow().RecordBatch.from_pylist([row], self.schema)


@dataclass(frozen=True, kw_only=True)
class FingerprintsOfSite(Fold):
    """The number of pages of a site that have a paragraph with each fingerprint, if there are several.

    Keys are a site and one of 256 shares of the fingerprints, so that no group grows with the whole site.
    """

    key: ClassVar[str] = "share"

    @once
    def schema(self) -> Any:
        return fingerprint_schema()

    def partial_schema(self, schema: Any) -> Any:
        pa = pyarrow()
        lists = [("fingerprint", pa.list_(pa.int64())), ("pages", pa.list_(pa.int64()))]
        return pa.schema([("share", pa.string()), ("site", pa.string()), *lists])

    def partial(self, batches: Iterator[Any]) -> Iterator[Any]:
        sites: dict[str, list[Column]] = {}
        for batch in batches:
            for row in rows_with_arrays(batch.select(["site", "fingerprints"])):
                sites.setdefault(row["site"], []).append(row["fingerprints"])
        for site, found in sites.items():
            values, pages = np.unique(np.concatenate(found), return_counts=True)
            bounds = np.searchsorted(values >> 56, np.arange(-128, 129))
            rows = [
                {"share": f"{site} {share}", "site": site, "fingerprint": values[a:b], "pages": pages[a:b]}
                for share, (a, b) in enumerate(pairwise(bounds.tolist()))
                if a < b
            ]
            yield pyarrow().RecordBatch.from_pylist(rows, self.partial_schema(None))

    def __call__(self, key: Any, batches: Iterator[Any]) -> Iterator[Any]:
        rows = [row for batch in batches for row in rows_with_arrays(batch)]
        values, place = np.unique(np.concatenate([row["fingerprint"] for row in rows]), return_inverse=True)
        pages = np.zeros(len(values), np.int64)
        np.add.at(pages, place, np.concatenate([row["pages"] for row in rows]))
        often = pages > 1
        columns = [[rows[0]["site"]] * int(often.sum()), values[often], pages[often]]
        yield pyarrow().RecordBatch.from_arrays([pyarrow().array(column) for column in columns], schema=self.schema)
