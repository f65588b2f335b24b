"""From the pages of a crawl to a search index.

`SearchRows` gives the row of each page. `SearchShards` folds the rows by shard: pages go to the shard of their own URL
and the texts of links to the shard of the page that they lead to, so that each shard is built alone, with all anchors
of its pages. `write_search_index` makes an index of the shards.
"""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from webstrata._once import once
from webstrata.crawls.arrow import pyarrow, rows_with_arrays, signed, unsigned
from webstrata.crawls.folding.engines import LOCAL, Engine
from webstrata.crawls.folding.folds import Fold, FoldJob
from webstrata.crawls.folding.shuffle import find_row_groups, has_columns
from webstrata.crawls.running.steps import PageStep
from webstrata.errors import InputError
from webstrata.files import readable
from webstrata.links.graph import LinkGraph
from webstrata.links.ranks import Ranks
from webstrata.page import Page
from webstrata.search.analyser import Analyser
from webstrata.search.authority import page_ranks
from webstrata.search.building import write_index
from webstrata.search.documents import COLUMNS, Document, Documenter
from webstrata.search.index import Index
from webstrata.search.living import IndexWriter
from webstrata.search.shard import Shard, ShardBuilder
from webstrata.sites import Sites
from webstrata.workers.limits import Reject

__all__ = ["ROW_COLUMNS", "SearchRows", "SearchShards", "fold_shards", "read_shards", "write_search_index"]

#: Columns by which the rows of a run of `SearchRows` are known.
ROW_COLUMNS = ("page", "site", "date", "text", "segment", "link_text")

# Columns with a text of each page.
_PAGE_TEXTS = ("title", "site", "date", "language", "text")
# Rows of a run, uncompressed, that make one shard.
_SHARD_BYTES = 2**29


def _named_types() -> dict[str, Any]:
    pa = pyarrow()
    return {**dict.fromkeys(("page", *_PAGE_TEXTS[:-1]), pa.string()), "text": pa.large_string()}


def _column_types() -> dict[str, Any]:
    pa = pyarrow()
    kinds = {name: signed(np.zeros(0, kind)).dtype for name, kind in COLUMNS.items()}
    return {name: pa.list_(pa.from_numpy_dtype(kind)) for name, kind in kinds.items()}


@dataclass(frozen=True, kw_only=True)
class SearchRows(PageStep):
    """The rows of a search index, one for each page.

    Parameters
    ----------
    site : a folder written by `webstrata site learn`, for segment classes; none if empty
    algorithm : the extractor that separates content from template, as for `webstrata.extract`
    query : whether URLs keep their queries
    """

    site: str = ""
    algorithm: str = "learned"
    query: bool = True

    def columns(self) -> Sequence[tuple[str, Any]]:
        pa = pyarrow()
        links = [("link_target", pa.list_(pa.string())), ("link_text", pa.list_(pa.string()))]
        return [*_named_types().items(), *_column_types().items(), *links]

    @once
    def _sites(self) -> Sites | None:
        return Sites(self.site) if self.site else None

    @once
    def _documenter(self) -> Documenter:
        return Documenter(extractor=self.algorithm, query=self.query)

    def row(self, page: Page) -> dict[str, Any]:
        if page.blocks.hidden.all():
            raise Reject("no content")
        site = self._sites.of(page.url) if self._sites is not None else None
        found = self._documenter(page, site.tree, site=site.name) if site is not None else self._documenter(page)
        row: dict[str, Any] = {name: getattr(found, name) for name in _PAGE_TEXTS} | {"page": found.url}
        row |= {name: signed(getattr(found, name)) for name in COLUMNS}
        targets, texts = [target for target, _ in found.links], [text for _, text in found.links]
        return {**row, "link_target": targets, "link_text": texts}


@dataclass(frozen=True, kw_only=True)
class SearchShards(Fold):
    """The shards of an index, one row for each column of a shard.

    Parameters
    ----------
    shards : how many
    analyser : for the terms
    anchors : whether the texts of links are indexed for the pages that they lead to
    """

    shards: int = 1
    analyser: Analyser = field(default_factory=Analyser)
    anchors: bool = True

    key: ClassVar[str] = "shard"

    @once
    def schema(self) -> Any:
        pa = pyarrow()
        named = [("name", pa.string()), ("kind", pa.string()), ("data", pa.large_binary())]
        return pa.schema([("shard", pa.int32()), *named])

    def partial_schema(self, schema: Any) -> Any:
        pa = pyarrow()
        anchor = [("anchor", pa.string()), ("times", pa.int64())]
        return pa.schema([("shard", pa.int32()), *_named_types().items(), *_column_types().items(), *anchor])

    def _shard(self, url: str) -> int:
        return zlib.crc32(url.encode("utf-8", "replace")) % self.shards

    def partial(self, batches: Iterator[Any]) -> Iterator[Any]:
        pa = pyarrow()
        schema = self.partial_schema(None)
        anchors: Counter[tuple[str, str]] = Counter()
        for batch in batches:
            kept = batch.filter(pyarrow("pyarrow.compute").is_valid(batch.column("text")))
            urls = [
                page or name for page, name in zip(*(kept.column(c).to_pylist() for c in ("page", "file")), strict=True)
            ]
            shard = pa.array([self._shard(url) for url in urls], pa.int32())
            none = [pa.nulls(len(urls), pa.string()), pa.nulls(len(urls), pa.int64())]
            columns = [kept.column(name).cast(schema.field(name).type) for name in schema.names[2:-2]]
            page = pa.array(urls, pa.string())
            yield pa.RecordBatch.from_arrays([shard, page, *columns, *none], schema=schema)
            if self.anchors:
                links = zip(kept.column("link_target").to_pylist(), kept.column("link_text").to_pylist(), strict=True)
                for url, (targets, texts) in zip(urls, links, strict=True):
                    pairs = zip(targets, texts, strict=True)
                    anchors.update((target, text) for target, text in pairs if target != url)
        rows = [
            {"shard": self._shard(target), "page": target, "anchor": text, "times": times}
            for (target, text), times in anchors.items()
        ]
        yield pa.RecordBatch.from_pylist(rows, schema)

    def __call__(self, key: Any, batches: Iterator[Any]) -> Iterator[Any]:
        pa, pc = pyarrow(), pyarrow("pyarrow.compute")
        pages: list[Any] = []
        anchors: dict[str, Counter[str]] = {}
        for batch in batches:
            of_page = pc.is_valid(batch.column("text"))
            pages.append(batch.filter(of_page))
            for row in batch.filter(pc.invert(of_page)).select(["page", "anchor", "times"]).to_pylist():
                anchors.setdefault(row["page"], Counter())[row["anchor"]] += row["times"]
        builder = ShardBuilder(self.analyser)
        for batch in pages:
            for row in rows_with_arrays(batch.drop_columns(["shard", "anchor", "times"])):
                columns: dict[str, Any] = {
                    name: unsigned(row[name], np.dtype(kind).name) for name, kind in COLUMNS.items()
                }
                texts: dict[str, Any] = {name: row[name] or "" for name in _PAGE_TEXTS}
                document = Document(url=row["page"], **texts, **columns)
                builder.add(document, anchors.get(document.url))
        if builder.pages:
            for name, array in builder.shard().arrays().items():
                row = {"shard": key, "name": name, "kind": str(array.dtype), "data": array.tobytes()}
                yield pa.RecordBatch.from_pylist([row], self.schema)


def fold_shards(
    rows: Path | str,
    output: Path,
    fold: SearchShards,
    *,
    engine: Engine = LOCAL,
    progress: Callable[[float], None] = lambda share: None,
) -> None:
    """Fold the rows of a run of `SearchRows` into a number of shards that depends on their size."""
    if not has_columns(rows, ROW_COLUMNS):
        raise InputError(f"{rows} contains no rows for an index: make them with `webstrata run search`")
    shards = len(find_row_groups(rows, _SHARD_BYTES)) if fold.shards == 1 else fold.shards
    engine.fold(FoldJob(rows=rows, fold=replace(fold, shards=shards), output=output), progress=progress)


def read_shards(folded: Path) -> Iterator[Shard]:
    """The shards in the output of `fold_shards`, in the order of their keys, one at a time in memory."""
    parquet = pyarrow("pyarrow.parquet")
    files = sorted(folded.glob("part-*.parquet"))
    with readable(folded, "make it again with `webstrata search index`"):
        places = sorted(
            (key, path) for path in files for key in set(parquet.read_table(path, columns=["shard"])[0].to_pylist())
        )
    for key, path in places:
        with readable(path, "make it again with `webstrata search index`"):
            table = parquet.read_table(path, filters=[("shard", "=", key)], partitioning=None)
            arrays = {row["name"]: np.frombuffer(row["data"], row["kind"]) for row in table.to_pylist()}
            shard = Shard.of_arrays(arrays, path)
        yield shard


def write_search_index(
    folded: Path,
    output: Path,
    *,
    analyser: Analyser,
    rankings: Iterable[str],
    graph: LinkGraph | None = None,
    ranks: Ranks | None = None,
    add: bool = False,
    progress: Callable[[float], None] = lambda share: None,
) -> Index:
    """Make an index of folded shards, or add them to one."""
    if add:
        with IndexWriter(output) as writer:
            writer.add_shards(list(read_shards(folded)), progress=progress)
            if graph is not None:
                writer.settle(graph=graph, ranks=ranks, progress=progress)
        return Index.open(output)
    ranked = (lambda built: page_ranks(built, graph, ranks)) if graph is not None else None
    write_index(output, read_shards(folded), analyser, rankings, ranked, progress)
    return Index.open(output)
