"""Link graphs that are built on disk: the memory does not grow with the pages and links.

URLs are added first, then `GraphBuilder.number` numbers the pages, then links are added, and `GraphBuilder.finish`
writes the graph. Links are distributed over files by their sources and sorted file by file, then by their targets.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np

from webstrata.errors import InputError
from webstrata.links._disk import GrowingArray, Shares
from webstrata.links.graph import MOST_PAGES, save_written
from webstrata.links.numbering import PageNumbers, PageSorter, write_pages
from webstrata.text import Column

__all__ = ["GraphBuilder"]

# Files over which links are distributed; each is sorted in memory.
_SHARES = 64
# Multipliers of a hash of a page and a URL, to count links to other pages once.
_ODD = np.uint64(0x9E3779B97F4A7C15)


class GraphBuilder:
    """Builds a graph of any size.

    Parameters
    ----------
    work : an empty folder for temporary files: about 50 bytes for each link, and the URLs twice
    target : an empty folder for the graph
    site : the kind of sites: host, domain or directory
    run_bytes : of URLs that are sorted at once; sorting takes about six times as much memory

    >>> import pyarrow as pa, tempfile
    >>> from webstrata.links import LinkGraph
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     for name in ("work", "graph"):
    ...         Path(folder, name).mkdir()
    ...     with GraphBuilder(Path(folder, "work"), Path(folder, "graph")) as builder:
    ...         builder.add_pages(pa.array(["http://a.org/x", "http://a.org/"]))
    ...         builder.number()
    ...         builder.add_links(builder.find(pa.array(["http://a.org/"])), pa.array(["http://a.org/x"]), np.ones(1))
    ...         builder.finish()
    ...     LinkGraph.open(Path(folder, "graph")).out_target.tolist()
    [1]
    """

    def __init__(self, work: Path, target: Path, *, site: str = "host", run_bytes: int | None = None) -> None:
        self._work, self._target = work, target
        self._sorter = PageSorter(work, site=site, **({} if run_bytes is None else {"run_bytes": run_bytes}))
        self._numbers: PageNumbers
        self._links: Shares
        self._outside: Shares
        self._open: list[Shares] = []
        self._added = 0

    def __enter__(self) -> GraphBuilder:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for shares in self._open:
            shares.close()

    def add_pages(self, urls: Any) -> None:
        """Add an Arrow array of URLs of pages, in any order and any number of times."""
        self._sorter.add(urls)

    def number(self, *, progress: Callable[[int], None] = lambda pages: None) -> None:
        """Number the pages that were added."""
        (self._work / "hashes").mkdir()
        self._numbers = write_pages(self._sorter, self._work / "hashes", self._target, progress=progress)
        pages = self._numbers.pages
        if pages > MOST_PAGES:
            raise InputError(f"a graph holds at most {MOST_PAGES} pages, not {pages}")
        self._links = Shares(self._work / "out", _bounds(pages))
        self._outside = Shares(self._work / "outside", np.arange(1, _SHARES, dtype=np.uint64) << np.uint64(58))
        self._open = [self._links, self._outside]

    def find(self, urls: Any) -> Column:
        """The numbers of URLs, -1 for URLs that are no page."""
        return self._numbers.find(urls)[0]

    def add_links(self, source: Column, targets: Any, content: Column) -> None:
        """Add links.

        Parameters
        ----------
        source : the numbers of pages
        targets : an Arrow array of URLs
        content : whether each link is in the content of its page
        """
        target, half = self._numbers.find(targets)
        there = target >= 0
        self._outside.add((half[~there] ^ source[~there].astype(np.uint64)) * _ODD)
        self._added += int(np.count_nonzero(~there))
        self.add_numbered(source[there], target[there], content[there])

    def add_numbered(self, source: Column, target: Column, content: Column) -> None:
        """Add links between numbered pages."""
        self._added += len(source)
        self._links.add(_keys(self._numbers.pages, source, target, np.asarray(content) != 0))

    def finish(self, counts: Mapping[str, int] | None = None) -> None:
        """Write the graph. ``repeated`` and ``outside`` are added to the numbers of links that were left out."""
        pages = self._numbers.pages
        back = Shares(self._work / "in", _bounds(pages))
        self._open.append(back)
        links = self._write("out", "target", self._links, back)
        self._write("in", "source", back, None)
        outside = sum(int(np.count_nonzero(np.diff(keys))) + bool(len(keys)) for keys in self._outside.sorted())
        found = {"repeated": self._added - links - outside, **(counts or {}), "outside": outside}
        save_written(self._target, pages, links, found)

    def _write(self, name: str, end: str, shares: Shares, back: Shares | None) -> int:
        """Write the columns of links in one direction; links are added to ``back`` in the other one."""
        pages, links = max(self._numbers.pages, 1), 0
        with (
            GrowingArray(self._target / f"{name}_start.npy", np.int64) as start,
            GrowingArray(self._target / f"{name}_{end}.npy", np.uint32) as ends,
            GrowingArray(self._target / f"{name}_content.npy", np.uint8) as marks,
        ):
            start.append(np.zeros(1))
            bounds = [0, *(_bounds(self._numbers.pages) // (2 * pages)).tolist(), self._numbers.pages]
            for number, keys in enumerate(shares.sorted()):
                # Of links that a page repeats the first is kept, which is one of the content if there is one.
                keys = keys[_firsts(keys >> 1)]
                mark = ~keys & 1
                page, other = np.divmod(keys >> 1, pages)
                degree = np.bincount(page - bounds[number], minlength=bounds[number + 1] - bounds[number])
                start.append(links + np.cumsum(degree))
                ends.append(other)
                marks.append(mark)
                links += len(keys)
                if back is not None:
                    back.add(_keys(self._numbers.pages, other, page, mark != 0))
        return links


def _keys(pages: int, first: Column, second: Column, content: Column) -> Column:
    """One number for each link, in the order of the ends; that of a link in the content is smaller."""
    keys = first.astype(np.int64) * max(pages, 1)
    keys += second
    keys <<= 1
    keys |= ~content
    return keys


def _firsts(values: Column) -> Column:
    """The places of the first of equal neighbours."""
    keep = np.ones(len(values), bool)
    np.not_equal(values[1:], values[:-1], out=keep[1:])
    return keep


def _bounds(pages: int) -> Column:
    """The smallest keys of each share of links but the first: shares have equal numbers of pages."""
    return np.arange(1, _SHARES, dtype=np.int64) * pages // _SHARES * (2 * max(pages, 1))
