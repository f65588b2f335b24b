"""From the pages of a crawl to its link graph.

`ListLinks` gives the links of each page. `build_rows` makes a `webstrata.links.graph.LinkGraph` of them on disk, with
`webstrata.links.building.GraphBuilder`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from webstrata._once import once
from webstrata.crawls.arrow import pyarrow
from webstrata.crawls.folding.shuffle import RowGroups, find_row_groups, has_columns
from webstrata.crawls.running.steps import PageStep
from webstrata.errors import InputError
from webstrata.extraction.base import EXTRACTORS, Extractor
from webstrata.files import new_folder, temporary_folder
from webstrata.links.anchors import anchors, page_url
from webstrata.links.building import GraphBuilder
from webstrata.links.graph import LinkGraph
from webstrata.links.pages import COUNTS
from webstrata.page import Page
from webstrata.text import Column
from webstrata.workers.limits import Reject

__all__ = ["ROW_COLUMNS", "ListLinks", "build_rows"]

#: Columns by which the rows of a run of `ListLinks` are known.
ROW_COLUMNS = ("page", "links", "broken", "dropped")

# The fields of a link that the graph needs: the text of links is most of the bytes.
_READ_OF_LINKS = (".target", ".content")
# Links of one look-up, which reads the hashes of all pages, whatever the number of links.
_LOOKED_UP = 2**22


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


def build_rows(
    rows: Path | str,
    output: Path,
    *,
    site: str = "host",
    outside: bool = False,
    progress: Callable[[str, int, int], None] = lambda stage, done, total: None,
) -> LinkGraph:
    """Build the graph of the rows of a run of `ListLinks`, of this machine or of Spark, in a new folder.

    Parameters
    ----------
    rows, output : the folders; that of the rows may be an address
    site : the kind of sites: host, domain or directory
    outside : whether pages that links lead to, but that were not crawled, are in the graph; they have no links
    progress : called with the name of the stage, and the numbers of finished and of all rows
    """
    if not has_columns(rows, ROW_COLUMNS):
        raise InputError(f"{rows} contains no rows of links: make them with `webstrata run links`")
    parts = find_row_groups(rows, 2**26)
    total = sum(part.rows for part in parts)
    counts: Counter[str] = Counter(dict.fromkeys(COUNTS, 0))
    with (
        new_folder(output) as target,
        temporary_folder(target.parent) as work,
        GraphBuilder(work, target, site=site) as builder,
    ):
        done = 0
        for batch in _batches(parts, with_links=outside):
            builder.add_pages(batch.column("page"))
            if outside:
                builder.add_pages(pyarrow("pyarrow.compute").unique(_targets(batch)[0]))
            done += batch.num_rows
            progress("sorting pages", done, total)
        builder.number()
        done = 0
        for batch in _batches(parts, with_links=True):
            targets, content, row = _targets(batch)
            builder.add_links(builder.find(batch.column("page"))[row], targets, content)
            counts.update({name: _sum(batch, name) for name in ("broken", "dropped")})
            done += batch.num_rows
            progress("sorting links", done, total)
        builder.finish({name: counts[name] for name in ("broken", "dropped")})
    return LinkGraph.open(output)


def _batches(parts: Sequence[RowGroups], *, with_links: bool) -> Iterator[Any]:
    """The rows with a page, several batches as one, without the texts of links."""
    pa, pc = pyarrow(), pyarrow("pyarrow.compute")
    leaves = [name for name in parts[0].leaves if name.split(".")[0] == "links" and name.endswith(_READ_OF_LINKS)]
    columns = ["page", "broken", "dropped", *leaves]
    pending: list[Any] = []
    links = 0
    for part in parts:
        for batch in part.batches(columns=columns if with_links else ["page"]):
            pending.append(batch.filter(pc.is_valid(batch.column("page"))))
            links += len(pc.list_flatten(batch.column("links"))) if with_links else batch.num_rows
            if links >= _LOOKED_UP:
                yield pa.concat_batches(pending)
                pending, links = [], 0
    if pending:
        yield pa.concat_batches(pending)


def _targets(batch: Any) -> tuple[Any, Column, Column]:
    """Of each link of a batch its target, whether it is in the content, and the number of its row."""
    pc = pyarrow("pyarrow.compute")
    links = batch.column("links")
    flat, row = pc.list_flatten(links), pc.list_parent_indices(links)
    content = pc.fill_null(pc.struct_field(flat, "content"), False)
    return pc.struct_field(flat, "target"), content.to_numpy(zero_copy_only=False), row.to_numpy()


def _sum(batch: Any, name: str) -> int:
    return int(pyarrow("pyarrow.compute").sum(batch.column(name)).as_py() or 0)
