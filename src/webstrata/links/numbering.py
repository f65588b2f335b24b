"""Numbers for pages by site and URL, and the numbers of URLs, in memory that does not grow with the pages.

URLs are sorted outside of memory: sorted runs are written to disk, and merged range by range. Numbers are looked up by
a keyed hash of 128 bits in a table that is mapped into memory; two URLs of a billion pages have the same hash with a
probability of 10^-21.
"""

from __future__ import annotations

import secrets
from bisect import bisect_left
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from webstrata._arrow import pyarrow
from webstrata.links._disk import GrowingArray
from webstrata.links._hashes import hash_strings
from webstrata.links.graph import site_kind, sort_key
from webstrata.text import Column

__all__ = ["PageNumbers", "PageSorter", "hashes_of", "write_pages"]

# Bytes of URLs in a sorted run; sorting takes about six times as much memory.
_RUN_BYTES = 2**27
# Of each run, every so many keys are looked at to choose ranges of about equal size.
_SAMPLE = 1024
# Shares of the table of hashes, by their first bits.
_SHARE_BITS = 6
# The part of a URL on which its site depends.
_SITE_PART = {"host": r"^(?P<part>[^/]*//[^/?#]*)", "domain": r"^(?P<part>[^/]*//[^/?#]*)", "directory": ""}


def hashes_of(strings: Any, key: tuple[int, int]) -> tuple[Column, Column]:
    """The two halves of the hash of each string of an Arrow array."""
    pa = pyarrow()
    strings = strings.cast(pa.large_binary())
    _, offsets, data = strings.buffers()
    start = np.frombuffer(offsets, np.int64, len(strings) + 1, strings.offset * 8)
    halves = np.empty((2, len(strings)), np.uint64)
    text = np.frombuffer(data, np.uint8) if data is not None else np.empty(0, np.uint8)
    hash_strings(text, start, *key, halves[0], halves[1])
    return halves[0], halves[1]


class PageSorter:
    """Sorts URLs by their sites, read from the right, and then by themselves, each once.

    Parameters
    ----------
    folder : an empty folder for temporary files
    site : the kind of sites: host, domain or directory
    run_bytes : of URLs that are sorted at once
    """

    def __init__(self, folder: Path, *, site: str = "host", run_bytes: int = _RUN_BYTES) -> None:
        self._folder, self._site, self._run_bytes = folder, site, run_bytes
        self._site_of = site_kind(site)
        self._pending: list[Any] = []
        self._held = 0
        self._runs: list[Path] = []

    def add(self, urls: Any) -> None:
        """Add an Arrow array of URLs, in any order and any number of times."""
        urls = urls.cast(pyarrow().large_string())
        if len(urls):
            self._pending.append(urls)
            self._held += urls.nbytes
        if self._held >= self._run_bytes:
            self._spill()

    def _spill(self) -> None:
        """Write what is held as a sorted run."""
        if not self._pending:
            return
        pa = pyarrow()
        table = _sorted_once(self._with_keys(pa.concat_arrays(self._pending))).combine_chunks()
        path = self._folder / f"run-{len(self._runs)}.arrow"
        with pa.ipc.new_file(str(path), table.schema) as writer:
            writer.write_table(table)
        self._runs.append(path)
        self._pending, self._held = [], 0

    def _with_keys(self, urls: Any) -> Any:
        pa, pc = pyarrow(), pyarrow("pyarrow.compute")
        pattern = _SITE_PART[self._site]
        part = pc.struct_field(pc.extract_regex(urls, pattern), "part").fill_null("") if pattern else urls
        parts = part.dictionary_encode()
        names = [self._site_of(f"{text}/" if pattern else text) for text in parts.dictionary.to_pylist()]
        first = pa.array([sort_key(name) for name in names], pa.large_binary()).take(parts.indices)
        site = pa.array(names, pa.large_string()).take(parts.indices)
        key = pc.binary_join_element_wise(first, urls.cast(pa.large_binary()), pa.scalar(b"\0", pa.large_binary()))
        return pa.table({"key": key, "site": site, "url": urls})

    def sorted(self) -> Iterator[Any]:
        """Tables of the columns site and url, in order."""
        pa = pyarrow()
        self._spill()
        runs = [pa.ipc.open_file(pa.memory_map(str(path))).read_all().combine_chunks() for path in self._runs]
        cuts = [[0] * len(runs), *_cuts(runs, self._run_bytes), [run.num_rows for run in runs]]
        for start, stop in pairwise(cuts):
            pieces = [run.slice(a, b - a) for run, a, b in zip(runs, start, stop, strict=True) if a < b]
            if pieces:
                merged = pieces[0] if len(pieces) == 1 else _sorted_once(pa.concat_tables(pieces))
                yield merged.select(["site", "url"])


def _sorted_once(table: Any) -> Any:
    """The rows of a table in the order of their keys, equal rows once."""
    pa, pc = pyarrow(), pyarrow("pyarrow.compute")
    keys = table.column("key").combine_chunks()
    order = pc.sort_indices(keys)
    keys = keys.take(order)
    first = pa.array([True] * min(len(keys), 1), pa.bool_())
    kept = pa.concat_arrays([first, pc.not_equal(keys.slice(1), keys.slice(0, max(len(keys) - 1, 0)))])
    return table.take(order.filter(kept))


def _cuts(runs: list[Any], run_bytes: int) -> list[list[int]]:
    """Where to cut sorted runs, so that each range of keys has about ``run_bytes`` in all of them."""
    columns = [run.column("key").chunk(0) if run.num_rows else [] for run in runs]
    total = sum(run.nbytes for run in runs)
    samples = sorted(column[at].as_py() for column in columns for at in range(0, len(column), _SAMPLE))
    count = min(max(1, total // (2 * run_bytes)), max(1, len(samples)))
    chosen = [samples[number * len(samples) // count] for number in range(1, count)]
    return [[bisect_left(column, key, key=lambda value: value.as_py()) for column in columns] for key in chosen]


class PageNumbers:
    """The numbers of sorted pages, looked up by the hashes of their URLs.

    Attributes
    ----------
    pages : how many there are
    """

    def __init__(self, folder: Path, pages: int, key: tuple[int, int]) -> None:
        self.pages, self._key = pages, key
        names = ("first", "second", "number")
        self._first, self._second, self._number = (
            np.load(folder / f"{name}.npy", mmap_mode="r").view(np.ndarray) for name in names
        )

    def find(self, urls: Any) -> tuple[Column, Column]:
        """The number of each URL of an Arrow array, -1 for URLs that are no page; and a half of each hash."""
        first, second = hashes_of(urls, self._key)
        found = np.full(len(first), -1, np.int64)
        # In the order of the table, which may be larger than the memory.
        order = np.argsort(first)
        wanted = first[order]
        at = np.searchsorted(self._first, wanted)
        while len(at):
            inside = at < self.pages
            at, order, wanted = at[inside], order[inside], wanted[inside]
            same = self._first[at] == wanted
            at, order, wanted = at[same], order[same], wanted[same]
            hit = self._second[at] == second[order]
            found[order[hit]] = self._number[at[hit]]
            # Another page has the same half.
            at, order, wanted = at[~hit] + 1, order[~hit], wanted[~hit]
        return found, first


def write_pages(
    sorter: PageSorter, work: Path, target: Path, *, progress: Callable[[int], None] = lambda pages: None
) -> PageNumbers:
    """Number the pages of a sorter, and write their names.

    Parameters
    ----------
    sorter : all URLs were added to it
    work : an empty folder for the table of hashes
    target : the folder of a graph, for ``urls``, ``sites`` and ``site_start``
    progress : called with the number of finished pages
    """
    key = (secrets.randbits(64), secrets.randbits(64))
    shares = _HashShares(work)
    pages, last = 0, None
    with (
        _GrowingStrings(target, "urls") as urls,
        _GrowingStrings(target, "sites") as sites,
        GrowingArray(target / "site_start.npy", np.int64) as site_start,
    ):
        for table in sorter.sorted():
            column = table.column("url").combine_chunks()
            names, lengths = _runs(table.column("site").combine_chunks())
            starts = pages + np.concatenate(([0], np.cumsum(lengths)))[:-1]
            fresh = 1 if names[0].as_py() == last else 0
            sites.append(names.slice(fresh))
            site_start.append(starts[fresh:])
            urls.append(column)
            shares.add(*hashes_of(column, key), pages)
            pages, last = pages + len(column), names[-1].as_py()
            progress(pages)
        site_start.append(np.array([pages]))
    shares.finish()
    return PageNumbers(work, pages, key)


def _runs(column: Any) -> tuple[Any, Column]:
    """The values of a column without equal neighbours, and how often each stands there."""
    encoded = pyarrow("pyarrow.compute").run_end_encode(column)
    ends = encoded.run_ends.to_numpy(zero_copy_only=False)
    return encoded.values, np.diff(ends, prepend=0)


class _GrowingStrings:
    """The two files of a `webstrata.links.strings.Strings`, written piece by piece."""

    def __init__(self, folder: Path, name: str) -> None:
        self._data = GrowingArray(folder / f"{name}.npy", np.uint8)
        self._start = GrowingArray(folder / f"{name}_start.npy", np.int64)
        self._start.append(np.zeros(1))

    def append(self, strings: Any) -> None:
        strings = strings.cast(pyarrow().large_binary())
        _, offsets, data = strings.buffers()
        start = np.frombuffer(offsets, np.int64, len(strings) + 1, strings.offset * 8)
        self._start.append(start[1:] - start[0] + self._data.size)
        if data is not None:
            self._data.append(np.frombuffer(data, np.uint8)[int(start[0]) : int(start[-1])])

    def __enter__(self) -> _GrowingStrings:
        return self

    def __exit__(self, *error: Any) -> None:
        self._data.__exit__(*error)
        self._start.__exit__(*error)


class _HashShares:
    """The hashes of pages, sorted share by share."""

    _ROW = np.dtype([("first", "u8"), ("second", "u8"), ("number", "u4")])

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._paths = [folder / f"hashes-{number}.bin" for number in range(1 << _SHARE_BITS)]
        self._streams = [path.open("wb") for path in self._paths]

    def add(self, first: Column, second: Column, number: int) -> None:
        """Add the hashes of pages with ascending numbers."""
        rows = np.empty(len(first), self._ROW)
        rows["first"], rows["second"] = first, second
        rows["number"] = np.arange(number, number + len(first))
        share = (first >> np.uint64(64 - _SHARE_BITS)).astype(np.uint8)
        order = np.argsort(share, kind="stable")
        cuts = np.searchsorted(share[order], np.arange(len(self._streams) + 1)).tolist()
        for stream, start, stop in zip(self._streams, cuts, cuts[1:], strict=False):
            stream.write(rows[order[start:stop]].data)

    def finish(self) -> None:
        """Write the table in the order of the first halves."""
        names = ("first", "second", "number")
        arrays = [GrowingArray(self._folder / f"{name}.npy", self._ROW[name]) for name in names]
        for path, stream in zip(self._paths, self._streams, strict=True):
            stream.close()
            rows = np.fromfile(path, self._ROW)
            rows = rows[np.argsort(rows["first"])]
            for name, array in zip(names, arrays, strict=True):
                array.append(rows[name])
            path.unlink()
        for array in arrays:
            array.__exit__(None, None, None)
