"""Sites learnt from crawls: the step that reads nodes and fingerprints of pages, and the folds that build the sites.

A learnt folder contains the output of three folds: ``trees`` (one row for each site), ``classes`` and ``fingerprints``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np

from webstrata._once import once
from webstrata.crawls.arrow import pyarrow, rows_with_arrays, signed, unsigned
from webstrata.crawls.folding.folds import Fold
from webstrata.crawls.running.steps import PageStep
from webstrata.extraction.base import EXTRACTORS, Extractor
from webstrata.page import Page
from webstrata.sites.fingerprints import paragraph_fingerprints
from webstrata.sites.nodes import Nodes, nodes_of
from webstrata.sites.rules import Rules
from webstrata.sites.tree import SAMPLE, Tree
from webstrata.text import Column
from webstrata.urls import host, registered_domain
from webstrata.workers.limits import Reject

__all__ = ["BY", "FingerprintsOfSite", "PageNodes", "TreesOfSite", "page_nodes", "site_of", "tree_of"]

#: What makes pages one site.
BY = ("host", "registered-domain", "all")

# Columns of the nodes, and their types. In rows, unsigned integers are written as signed ones (`signed`).
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


def site_of(url: str | None, by: str) -> str:
    """The site of a page.

    >>> [site_of("http://www.news.example.co.uk/a", by) for by in BY]
    ['www.news.example.co.uk', 'example.co.uk', 'all']
    """
    if by == "all":
        return "all"
    name = host(url or "").rstrip(".")
    return name if by == "host" else registered_domain(name)


@dataclass(frozen=True, kw_only=True)
class PageNodes(PageStep):
    """The nodes of each page, the fingerprints of its paragraphs, and which words are content: the input of learning.

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
        rest = [("kept", pa.list_(pa.int32())), ("fingerprints", pa.list_(pa.int64()))]
        return [("site", pa.string()), *nodes, *names, *rest]

    @once
    def _extractor(self) -> Extractor | None:
        return EXTRACTORS.make(self.extractor) if self.extractor else None

    def row(self, page: Page) -> dict[str, Any]:
        if not len(page.blocks):
            raise Reject("no content")
        nodes = nodes_of(page, self.rules)
        row: dict[str, Any] = {name: signed(getattr(nodes, name)) for name in _NODES}
        unique, first = np.unique(nodes.name, return_index=True)
        row["names"] = signed(unique)
        row["name_texts"] = [_name_text(page, int(nodes.element[place])) for place in first.tolist()]
        found, _ = paragraph_fingerprints(page)
        row["fingerprints"] = signed(np.unique(found[found != 0]))
        row["kept"] = self._kept(page, nodes)
        return {"site": site_of(page.url, self.by), **row}

    def _kept(self, page: Page, nodes: Nodes) -> Column:
        """The number of words of each node that the extractor keeps."""
        if self._extractor is None:
            return np.zeros(len(nodes), np.int32)
        keep = self._extractor(page).keep & ~page.blocks.hidden
        total = np.concatenate(([0], np.cumsum(np.where(keep, page.blocks.words, 0))))
        return (total[nodes.end_block] - total[nodes.first_block]).astype(np.int32)


def _name_text(page: Page, element: int) -> str:
    """The name of an element for people: its tag and the names of its attributes."""
    found = page.elements[element]
    return found.tag + "".join(f"[{name}]" for name in sorted(found.attributes))


def page_nodes(row: dict[str, Any]) -> Nodes:
    """The nodes of a row of `PageNodes`."""
    columns = {name: unsigned(row[name], kind) for name, kind in _NODES.items()}
    none = np.zeros(len(columns["label"]), np.int32)
    return Nodes(**columns, element=none, first_block=none, end_block=none)


# Columns of a tree as lists; those of the samples are flattened.
_TREE = ("label", "parent", "name", "number", "depth", "outer", "counter", "text_pages", "texts", "text_counts")


def tree_of(row: dict[str, Any]) -> Tree:
    """The tree of a row that `TreesOfSite` gave."""
    kinds = ("uint64", "uint64", "uint64", "int32", "int32", "uint8", "int64", "int64", "uint64", "int64")
    columns = {name: unsigned(row[name], kind) for name, kind in zip(_TREE, kinds, strict=True)}
    for name in ("texts", "text_counts"):
        columns[name] = columns[name].reshape(-1, SAMPLE)
    return Tree(row["pages"], **columns)


class _Growing:
    """A tree that others are added to. They are merged once they are as large as the tree, so that work is linear."""

    def __init__(self) -> None:
        self.tree = Tree.of([])
        self.names: dict[int, str] = {}
        self._waiting: list[Tree] = []
        self._size = 0

    def add(self, tree: Tree, names: Iterator[tuple[int, str]]) -> None:
        self._waiting.append(tree)
        self._size += len(tree)
        for name, text in names:
            # The smallest text of a name, so that the order of pages does not matter.
            self.names[name] = min(self.names.get(name, text), text)
        if self._size > 2 * len(self.tree) + 10_000:
            self._merge()

    def _merge(self) -> None:
        self.tree = Tree.merged([self.tree, *self._waiting])
        self._waiting, self._size = [], 0

    def row(self, site: str) -> dict[str, Any]:
        self._merge()
        columns = {name: signed(getattr(self.tree, name).ravel()) for name in _TREE}
        names = sorted(self.names)
        return {
            "site": site,
            "pages": self.tree.pages,
            **columns,
            "names": names,
            "name_texts": [self.names[name] for name in names],
        }


@dataclass(frozen=True, kw_only=True)
class TreesOfSite(Fold):
    """The SOM tree of each site. TreesOfSite of parts add up to the tree of the whole."""

    key: ClassVar[str] = "site"

    @once
    def schema(self) -> Any:
        pa = pyarrow()
        types = {"number": pa.int32(), "depth": pa.int32(), "outer": pa.int8()}
        columns = [(name, pa.list_(types.get(name, pa.int64()))) for name in _TREE]
        names = [("names", pa.list_(pa.int64())), ("name_texts", pa.list_(pa.string()))]
        return pa.schema([("site", pa.string()), ("pages", pa.int64()), *columns, *names])

    def partial_schema(self, schema: Any) -> Any:
        return self.schema

    def partial(self, batches: Iterator[Any]) -> Iterator[Any]:
        sites: dict[str, _Growing] = {}
        for batch in batches:
            pages: dict[str, list[dict[str, Any]]] = {}
            for row in rows_with_arrays(batch):
                pages.setdefault(row["site"], []).append(row)
            for site, rows in pages.items():
                names = ((name, text) for row in rows for name, text in _names(row))
                sites.setdefault(site, _Growing()).add(Tree.of(map(page_nodes, rows)), names)
        yield from self._rows(sites)

    def __call__(self, key: Any, batches: Iterator[Any]) -> Iterator[Any]:
        growing = _Growing()
        for batch in batches:
            for row in rows_with_arrays(batch):
                growing.add(tree_of(row), _names(row))
        yield from self._rows({key: growing})

    def _rows(self, sites: dict[str, _Growing]) -> Iterator[Any]:
        for site, growing in sites.items():
            yield pyarrow().RecordBatch.from_pylist([growing.row(site)], self.schema)


def _names(row: dict[str, Any]) -> Iterator[tuple[int, str]]:
    return zip(row["names"].tolist(), row["name_texts"].tolist(), strict=True)


@dataclass(frozen=True, kw_only=True)
class FingerprintsOfSite(Fold):
    """The number of pages of a site with a paragraph of each fingerprint, if there are at least two.

    The key is a site and one of 256 shares of the fingerprints, so that groups stay small.
    """

    key: ClassVar[str] = "share"

    @once
    def schema(self) -> Any:
        pa = pyarrow()
        return pa.schema([("site", pa.string()), ("fingerprint", pa.int64()), ("pages", pa.int64())])

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
