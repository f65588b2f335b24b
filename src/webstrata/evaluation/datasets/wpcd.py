"""The 2007 Wikipedia Selection for Schools: a whole site, its link graph and its subjects."""

from __future__ import annotations

import tarfile
import tempfile
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import numpy as np

from webstrata.crawls import Job, find_inputs
from webstrata.crawls.jobs.links import ListLinks, build_rows
from webstrata.errors import from_extra
from webstrata.evaluation.datasets.locate import data_path
from webstrata.links import LinkGraph, build_graph
from webstrata.links.topics import Topics

__all__ = ["archive", "by_directory", "files", "pages", "subjects", "wpcd_graph"]

#: Pages of the index that list the articles of a subject.
SUBJECTS = r"/index/subject\.(.+)\.htm$"


def archive() -> Path:
    """The path of the data set."""
    return data_path("wpcd/wpcd-2007.tar.xz")


def files(path: Path) -> Iterator[tuple[str, bytes]]:
    """The names and the HTML of its pages."""
    with tarfile.open(path) as tar:
        for member in tar:
            file = tar.extractfile(member) if member.isfile() and member.name.endswith(".htm") else None
            if file is not None:
                yield member.name, file.read()


def pages(path: Path) -> Iterator[tuple[str, bytes]]:
    """The URLs and the HTML of its pages. Per cent signs in names of files are quoted in URLs."""
    return (("http://schools/" + quote(name), html) for name, html in files(path))


def wpcd_graph(path: Path, *, algorithm: str = "learned", kept: Path | None = None) -> LinkGraph:
    """Its link graph, built as `webstrata links build` does.

    Parameters
    ----------
    path : the archive
    algorithm : the extractor that separates content from template
    kept : a folder that caches the graph
    """
    if kept is not None and kept.exists():
        return LinkGraph.open(kept)
    with from_extra("eval", "pyarrow"):
        import pyarrow as pa
        import pyarrow.parquet as pq
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        urls, html = zip(*pages(path), strict=True)
        pq.write_table(pa.table({"url": urls, "html": html}), work / "pages.parquet")
        inputs = tuple(find_inputs([str(work / "pages.parquet")]))
        Job(inputs=inputs, step=ListLinks(algorithm=algorithm), output=work / "rows").run()
        return build_rows(work / "rows", kept if kept is not None else work / "graph")


def by_directory(graph: LinkGraph) -> LinkGraph:
    """The same pages and links with directories as sites, since all of them are of one host."""
    source = np.repeat(np.arange(graph.pages), np.diff(graph.out_start))
    return build_graph(list(graph.urls), source, graph.out_target, content=graph.out_content, site="directory")


def subjects(graph: LinkGraph) -> Topics:
    """Its subjects as topics."""
    return Topics.from_category_pages(graph, SUBJECTS)
