"""Learned sites in a folder: ``site.json`` with the version and the rules, and Parquet in ``trees``, ``classes`` and
``fingerprints``.

Unsigned integers are stored as signed ones with the same bits, because Spark has no unsigned integers.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from webstrata._array_checks import ArrayCheck, ArrayChecks, check_arrays
from webstrata._arrow import pyarrow, rows_with_arrays, signed, unsigned
from webstrata.errors import InputError
from webstrata.files import new_folder, read_json, readable, write_json
from webstrata.sites.classes import refine
from webstrata.sites.counts import ClassCount, ClassCounts
from webstrata.sites.grouping import site_of
from webstrata.sites.rules import Rules
from webstrata.sites.site import Site
from webstrata.sites.tree import SAMPLE, Tree
from webstrata.text import Column

__all__ = [
    "VERSION",
    "Sites",
    "about_sites",
    "class_counts",
    "class_row",
    "class_schema",
    "fingerprint_schema",
    "read_site",
    "read_tree",
    "save",
    "tree_and_names",
    "tree_row",
    "tree_schema",
]

#: Version of the folder. 3: the paragraphs of fingerprints are those of `webstrata.paragraphs`.
VERSION = 3

# Columns of a tree as lists; those of the samples are flattened.
_TREE = {
    "label": "uint64",
    "parent": "uint64",
    "name": "uint64",
    "number": "int32",
    "depth": "int32",
    "outer": "uint8",
    "counter": "int64",
    "text_pages": "int64",
    "texts": "uint64",
    "text_counts": "int64",
}
_SAMPLES = ("texts", "text_counts")
_TREE_CHECKS: ArrayChecks = {
    name: ArrayCheck((kind,), ("nodes", SAMPLE) if name in _SAMPLES else ("nodes",), ascending=name == "label")
    for name, kind in _TREE.items()
}
_ADVICE = "learn the sites again with `webstrata site learn`"
_COUNTS = ("pages", "segments", "words", "kept")


def tree_schema() -> Any:
    """The Arrow schema of ``trees``: a row for each site."""
    pa = pyarrow()
    types = {"number": pa.int32(), "depth": pa.int32(), "outer": pa.int8()}
    columns = [(name, pa.list_(types.get(name, pa.int64()))) for name in _TREE]
    names = [("names", pa.list_(pa.int64())), ("name_texts", pa.list_(pa.string()))]
    return pa.schema([("site", pa.string()), ("pages", pa.int64()), *columns, *names])


def tree_row(site: str, tree: Tree, names: Mapping[int, str]) -> dict[str, Any]:
    """A site's row of ``trees``."""
    keys = np.array(sorted(names), np.uint64)
    return {
        "site": site,
        "pages": tree.pages,
        **{name: signed(getattr(tree, name).ravel()) for name in _TREE},
        "names": signed(keys),
        "name_texts": [names[name] for name in keys.tolist()],
    }


def tree_and_names(row: Mapping[str, Any]) -> tuple[Tree, dict[int, str]]:
    """The tree of a row of ``trees``, and the names of its nodes."""
    columns = {name: unsigned(row[name], kind) for name, kind in _TREE.items()}
    for name in _SAMPLES:
        whole = len(columns[name]) // SAMPLE * SAMPLE
        columns[name] = columns[name][:whole].reshape(-1, SAMPLE)
    source = f"the site {row['site']}"
    check_arrays(columns, _TREE_CHECKS, source=source, advice=_ADVICE)
    tree = Tree(row["pages"], **columns)
    above = tree.parent_row
    # So no node is its own ancestor.
    if not (tree.depth[above] < tree.depth)[above >= 0].all():
        raise InputError(f"{source} is damaged (a parent is not above its child): {_ADVICE}")
    names = dict(zip(unsigned(row["names"], "uint64").tolist(), row["name_texts"], strict=True))
    return tree, names


def class_schema() -> Any:
    """The Arrow schema of ``classes``: a row for each class of a site."""
    pa = pyarrow()
    numbers = [(name, pa.int64()) for name in _COUNTS]
    lists = [("texts", pa.list_(pa.int64())), ("text_counts", pa.list_(pa.int64()))]
    columns = [("site", pa.string()), ("label", pa.int64()), *numbers, *lists, ("examples", pa.list_(pa.string()))]
    columns.append(("quotes", pa.list_(pa.string())))
    return pa.schema(columns)


def class_row(site: str, label: int, count: ClassCount) -> dict[str, Any]:
    """A row of ``classes``."""
    return {
        "site": site,
        "label": label,
        **{name: getattr(count, name) for name in _COUNTS},
        "texts": list(count.texts),
        "text_counts": list(count.texts.values()),
        "examples": list(count.examples),
        "quotes": list(count.quotes),
    }


def class_counts(rows: Iterable[Mapping[str, Any]]) -> ClassCounts:
    """The counts of rows of ``classes``, as dictionaries."""
    return {
        row["label"]: ClassCount(
            **{name: row[name] for name in _COUNTS},
            texts=dict(zip(row["texts"], row["text_counts"], strict=True)),
            examples=tuple(row["examples"]),
            # Folders of earlier versions have none.
            quotes=tuple(row.get("quotes") or ()),
        )
        for row in rows
    }


def fingerprint_schema() -> Any:
    """The Arrow schema of ``fingerprints``: a row for each fingerprint that several pages of a site have."""
    pa = pyarrow()
    return pa.schema([("site", pa.string()), ("fingerprint", pa.int64()), ("pages", pa.int64())])


def about_sites(by: str, rules: Rules, pages: int, **more: Any) -> dict[str, Any]:
    """The content of ``site.json``."""
    return {"version": VERSION, "by": by, "rules": asdict(rules), **more, "pages": pages}


def save(site: Site, folder: Path) -> None:
    """Write one site, which then is the site of every URL."""
    pa, parquet = pyarrow(), pyarrow("pyarrow.parquet")
    rows = [class_row(site.name, _signed_label(item.kind), item) for item in site.classes]
    columns = [pa.array([site.name] * len(site.fingerprints), pa.string()), signed(site.fingerprints), site.frequency]
    tables = {
        "trees": pa.Table.from_pylist([tree_row(site.name, site.tree.tree, site.names)], tree_schema()),
        "classes": pa.Table.from_pylist(rows, class_schema()),
        "fingerprints": pa.Table.from_arrays([pa.array(column) for column in columns], schema=fingerprint_schema()),
    }
    with new_folder(folder) as unfinished:
        for name, table in tables.items():
            (unfinished / name).mkdir()
            parquet.write_table(table, unfinished / name / "part-00000.parquet", compression="zstd")
        write_json(unfinished / "site.json", about_sites("all", site.tree.rules, site.pages))


def _rules(values: Mapping[str, Any]) -> Rules:
    """The rules of ``site.json``; numbers that no array can hold are refused with other types."""
    for name, default in asdict(Rules()).items():
        value = values[name]
        if type(value) not in ({float, int} if name == "cover" else {type(default)}) or not -(2**31) < value < 2**31:
            raise TypeError(f"the rule {name} is {str(value)[:80]}")
    return Rules(**values)


def _signed_label(kind: str) -> int:
    return (int(kind, 16) + 2**63) % 2**64 - 2**63


class Sites:
    """The sites of a folder.

    Parameters
    ----------
    folder : written by ``webstrata site learn``, or by `Site.save`
    """

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)
        missing = f"{folder} holds no learned site: make one with webstrata site learn"
        about = read_json(self.folder / "site.json", missing)
        if about.get("version") != VERSION:
            raise InputError(f"{folder} was learned by another version of webstrata: learn it again")
        with readable(folder, _ADVICE):
            self.by: str = about["by"]
            self.rules = _rules(about["rules"])
            self._pages: int = about["pages"]
            if not isinstance(self.by, str) or not isinstance(self._pages, int):
                raise TypeError("site.json has values of other types")
        self._loaded: dict[str, Site | None] = {}
        self._names: dict[str, int] = {}

    def __repr__(self) -> str:
        return f"<Sites {self.folder}: {self._pages} pages by {self.by}>"

    def names(self) -> dict[str, int]:
        """The names of the sites with the number of pages each was learned from; largest first."""
        if not self._names:
            with readable(self.folder, _ADVICE):
                table = pyarrow("pyarrow.parquet").read_table(self.folder / "trees", columns=["site", "pages"])
                rows = sorted(table.to_pylist(), key=lambda row: (-row["pages"], row["site"]))
                self._names = {row["site"]: row["pages"] for row in rows}
        return dict(self._names)

    def of(self, url: str | None) -> Site | None:
        """The site of a URL; without a URL, the only site of the folder, or None if it has several."""
        if url is None or self.by == "all":
            names = list(self.names())
            return self.load(names[0]) if len(names) == 1 else None
        return self.load(site_of(url, self.by))

    def only(self) -> Site:
        """The only site of the folder."""
        names = list(self.names())
        found = self.load(names[0]) if len(names) == 1 else None
        if found is None:
            raise InputError(f"{self.folder} holds {len(names)} sites: use Sites and its method of(url)")
        return found

    def load(self, name: str) -> Site | None:
        """A site by its name; None if the folder does not have it."""
        if name not in self._loaded:
            with readable(self.folder, _ADVICE):
                self._loaded[name] = self._load(name)
        return self._loaded[name]

    def _load(self, name: str) -> Site | None:
        trees = self._table("trees", name)
        if trees is None or not trees.num_rows:
            return None
        tree, names = read_tree(trees)
        counts = class_counts(self._table("classes", name).to_pylist())
        fingerprints, pages = self._fingerprints(name)
        return Site.of(name, refine(tree, self.rules), names, counts, fingerprints, pages)

    def _fingerprints(self, name: str) -> tuple[Column, Column]:
        rows = self._table("fingerprints", name)
        if rows is None:
            return np.zeros(0, np.uint64), np.zeros(0, np.int64)
        values = unsigned(rows.column("fingerprint").to_numpy(), "uint64")
        order = np.argsort(values)
        return values[order], rows.column("pages").to_numpy()[order]

    def _table(self, part: str, name: str) -> Any:
        """The rows of a site in a part of the folder; None for a part without files, which Arrow cannot read."""
        if not list((self.folder / part).glob("*.parquet")):
            return None
        return read_site(self.folder / part, name)


def read_site(folder: str | Path, name: str) -> Any:
    """The rows of a site in a folder of Parquet, as a table."""
    return pyarrow("pyarrow.parquet").read_table(folder, filters=[("site", "=", name)], partitioning=None)


def read_tree(table: Any) -> tuple[Tree, dict[int, str]]:
    """The tree of a table of one row, and the names of its nodes."""
    [row] = (row for batch in table.to_batches() for row in rows_with_arrays(batch))
    return tree_and_names(row)
