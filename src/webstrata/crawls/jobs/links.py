"""From the pages of a crawl to its link graph.

`ListLinks` gives the links of each page. `LinksOfSite` folds them by site: the pages of a site in the order of their
URLs, each once, with the targets of its links, each once. `read_graph` numbers the pages and makes a
`webstrata.links.graph.LinkGraph`; in memory are the URLs of all pages, and of each link only two numbers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from webstrata._once import once
from webstrata.crawls.arrow import pyarrow
from webstrata.crawls.folding.folds import Fold, FoldJob
from webstrata.crawls.folding.shuffle import find_row_groups, has_columns
from webstrata.crawls.running.steps import PageStep
from webstrata.errors import InputError
from webstrata.extraction.base import EXTRACTORS, Extractor
from webstrata.links.anchors import anchors, page_url
from webstrata.links.graph import SITES, LinkGraph, build_graph, site_kind
from webstrata.links.pages import COUNTS, merge_targets
from webstrata.page import Page
from webstrata.workers.limits import Reject

__all__ = ["ROW_COLUMNS", "LinksOfSite", "ListLinks", "fold_links", "read_graph"]

#: Columns by which the rows of a run of `ListLinks` are known.
ROW_COLUMNS = ("page", "links", "broken", "dropped")

# Targets of one look-up, which costs time in proportion to the URLs of all pages, whatever the number of targets.
_LOOKED_UP = 2**20


@dataclass(frozen=True, kw_only=True)
class ListLinks(PageStep):
    """The links of each page, and whether each is in the content.

    Parameters
    ----------
    algorithm : the extractor that separates content from template, as for `webstrata.extract`
    query : whether URLs keep their queries
    """

    algorithm: str = "learned"
    query: bool = True

    def columns(self) -> Sequence[tuple[str, Any]]:
        pa = pyarrow()
        texts = [(name, pa.string()) for name in ("target", "text", "rel")]
        link = pa.struct([*texts, ("block", pa.int32()), ("content", pa.bool_())])
        named = [("page", pa.string()), ("title", pa.string()), ("links", pa.list_(link))]
        return [*named, ("broken", pa.int32()), ("dropped", pa.int32())]

    @once
    def _extractor(self) -> Extractor:
        return EXTRACTORS.make(self.algorithm)

    def row(self, page: Page) -> dict[str, Any]:
        name = page_url(page.url or "", query=self.query)
        if name is None:
            raise Reject("no content", "the page has no URL with http or https, so that no link can lead to it")
        found = anchors(page, self._extractor(page).keep, query=self.query)
        rows = [{key: getattr(link, key) for key in link.__slots__} for link in found.links]
        counts = {"broken": found.broken, "dropped": found.dropped}
        return {"page": name, "title": page.title or None, "links": rows, **counts}


@dataclass(frozen=True, kw_only=True)
class LinksOfSite(Fold):
    """The pages of one site with the targets of their links, each once.

    Parameters
    ----------
    site : the unit of sites: host, domain or directory
    """

    site: str = "host"

    key: ClassVar[str] = "site"

    def __post_init__(self) -> None:
        site_kind(self.site)

    @once
    def schema(self) -> Any:
        pa = pyarrow()
        lists = [("targets", pa.list_(pa.string())), ("content", pa.list_(pa.bool_()))]
        return pa.schema([("site", pa.string()), ("page", pa.string()), *lists, *((n, pa.int64()) for n in COUNTS)])

    def partial_schema(self, schema: Any) -> Any:
        return self.schema

    def partial(self, batches: Iterator[Any]) -> Iterator[Any]:
        pa = pyarrow()
        for batch in batches:
            rows = batch.select(["page", "links", "broken", "dropped"]).to_pylist()
            yield pa.RecordBatch.from_pylist([self._merged(row) for row in rows if row["page"]], self.schema)

    def _merged(self, row: dict[str, Any]) -> dict[str, Any]:
        targets: dict[str, bool] = {}
        merge_targets(targets, ((link["target"], link["content"]) for link in row["links"] or ()))
        counts = {"broken": row["broken"] or 0, "dropped": row["dropped"] or 0}
        counts["repeated"] = len(row["links"] or ()) - len(targets)
        site = SITES[self.site](row["page"])
        return {"site": site, "page": row["page"], **_lists(targets), **counts}

    def __call__(self, key: Any, batches: Iterator[Any]) -> Iterator[Any]:
        pages: dict[str, dict[str, bool]] = {}
        counts: dict[str, Counter[str]] = {}
        for batch in batches:
            for row in batch.to_pylist():
                merge_targets(pages.setdefault(row["page"], {}), zip(row["targets"], row["content"], strict=True))
                counts.setdefault(row["page"], Counter()).update({name: row[name] for name in COUNTS})
        for page in sorted(pages):
            row = {"site": key, "page": page, **_lists(pages[page]), **{name: counts[page][name] for name in COUNTS}}
            yield pyarrow().RecordBatch.from_pylist([row], self.schema)


def _lists(targets: dict[str, bool]) -> dict[str, Any]:
    return {"targets": list(targets), "content": list(targets.values())}


def fold_links(
    rows: Path,
    output: Path,
    *,
    site: str = "host",
    jobs: int | None = None,
    resume: bool = False,
    progress: Callable[[float], None] = lambda share: None,
) -> None:
    """Fold the rows of a run of `ListLinks` by site."""
    if not has_columns(rows, ROW_COLUMNS):
        raise InputError(f"{rows} contains no rows of links: make them with `webstrata run links`")
    FoldJob(rows=rows, fold=LinksOfSite(site=site), output=output).run(jobs=jobs, resume=resume, progress=progress)


def read_graph(
    folded: Path,
    *,
    site: str = "host",
    outside: bool = False,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> LinkGraph:
    """The graph of the output of `fold_links`.

    Parameters
    ----------
    folded : its folder
    site : as it was folded by
    outside : whether pages that links lead to, but that were not crawled, are in the graph; they have no links
    progress : called with the numbers of finished and of all pages
    """
    pa, pc = pyarrow(), pyarrow("pyarrow.compute")
    tables = [batch for part in find_row_groups(folded, 2**26) for batch in part.batches()]
    table = pa.Table.from_batches(tables)
    pages = table.column("page").combine_chunks()
    counts = {name: int(pc.sum(table.column(name)).as_py() or 0) for name in COUNTS}
    if outside:
        targets = pc.unique(pc.list_flatten(table.column("targets")))
        pages = pa.concat_arrays([pages, targets.filter(pc.invert(pc.is_in(targets, pages)))])
    source, target, content = [], [], []
    done = 0
    for chunk in _chunks(table):
        found = pc.index_in(pc.list_flatten(chunk.column("targets")), pages)
        there = pc.is_valid(found).to_numpy(zero_copy_only=False)
        source.append((pc.list_parent_indices(chunk.column("targets")).to_numpy() + done)[there])
        target.append(pc.fill_null(found, 0).to_numpy()[there])
        content.append(pc.list_flatten(chunk.column("content")).to_numpy(zero_copy_only=False)[there])
        counts["outside"] = counts.get("outside", 0) + int(len(there) - there.sum())
        done += chunk.num_rows
        progress(done, table.num_rows)
    empty = [np.empty(0, np.int64)]
    ends = [np.concatenate([*empty, *columns]).astype(np.int64) for columns in (source, target, content)]
    return build_graph(pages.to_pylist(), ends[0], ends[1], content=ends[2], site=site, counts=counts)


def _chunks(table: Any) -> Iterator[Any]:
    """The rows in slices with about `_LOOKED_UP` targets each."""
    pa, pc = pyarrow(), pyarrow("pyarrow.compute")
    links = np.cumsum(pc.list_value_length(table.column("targets")).to_numpy())
    total = int(links[-1]) if len(links) else 0
    cuts = np.searchsorted(links, np.arange(1, total // _LOOKED_UP + 1) * _LOOKED_UP).tolist()
    for first, stop in zip([0, *cuts], [*cuts, table.num_rows], strict=True):
        if first < stop:
            batch = table.slice(first, stop - first).combine_chunks().to_batches()
            yield from (pa.Table.from_batches(batch).to_batches() if len(batch) > 1 else batch)
