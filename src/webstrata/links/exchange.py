"""Link graphs as files of text, as they are published: numbered vertices with their names, and edges.

The files are those of Common Crawl's web graphs: a line of `vertices` is a number and a name, a line of `edges` two
numbers, with tabs between them, usually compressed. Names are URLs, or hosts with their labels reversed
(``org.example.www``). Edges may also be between names, without numbers. Whether a link is in the content of its page is
not told, so that all of them are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from webstrata._arrow import pyarrow
from webstrata.errors import InputError
from webstrata.files import new_folder, temporary_folder
from webstrata.links.anchors import page_url
from webstrata.links.building import GraphBuilder
from webstrata.links.graph import MOST_PAGES, LinkGraph
from webstrata.links.ranks import Ranks
from webstrata.text import Column

__all__ = ["HOSTS", "export_graph", "import_graph"]

#: The spellings of hosts.
HOSTS = ("reversed", "plain")
# Bytes of text that are read at once, and lines that are written at once.
_BLOCK, _LINES = 2**24, 2**18
# Vertices are looked up in a table of all numbers if the largest number is at most this many times their count.
_SPARSE = 8
_ESCAPED = str.maketrans({"\t": "%09", "\n": "%0A", "\r": "%0D"})


def import_graph(
    edges: Path,
    output: Path,
    *,
    vertices: Path | None = None,
    hosts: str = "reversed",
    site: str = "host",
    progress: Callable[[str, int], None] = lambda stage, lines: None,
) -> LinkGraph:
    """Build a graph from files of text in a new folder; the memory does not grow with the edges.

    Parameters
    ----------
    edges : lines of two numbers, or of two names without ``vertices``
    output : the folder of the graph
    vertices : lines of a number and a name
    hosts : the spelling of names that are hosts: reversed or plain
    site : the kind of sites: host, domain or directory
    progress : called with the name of the stage, and the number of lines that were read
    """
    if hosts not in HOSTS:
        raise InputError(f"hosts are spelled {' or '.join(HOSTS)}, not {hosts!r}")
    counts: Counter[str] = Counter(broken=0)
    with (
        new_folder(output) as target,
        temporary_folder(target.parent) as work,
        GraphBuilder(work, target, site=site) as builder,
    ):
        done = most = 0
        for first, second in _lines(vertices or edges, numbers=vertices is not None):
            builder.add_pages(_pages(second, hosts))
            if vertices is None:
                builder.add_pages(_pages(first, hosts))
            else:
                most = max(most, _numbers(first, vertices))
            done += len(second)
            progress("sorting pages", done)
        builder.number()
        number = _Vertices.read(builder, vertices, hosts, count=done, most=most) if vertices is not None else None
        done = 0
        for first, second in _lines(edges, numbers=number is not None, both=True):
            ends = [builder.find(_urls(end, hosts)) if number is None else number.find(end, edges)
                    for end in (first, second)]  # fmt: skip
            there = (ends[0] >= 0) & (ends[1] >= 0)
            counts["broken"] += int(np.count_nonzero(~there))
            builder.add_numbered(ends[0][there], ends[1][there], np.ones(np.count_nonzero(there)))
            done += len(first)
            progress("sorting links", done)
        builder.finish(counts)
    return LinkGraph.open(output)


def _lines(path: Path, *, numbers: bool, both: bool = False) -> Iterator[tuple[Any, Any]]:
    """The first two columns of a file, block by block; the first holds numbers, or both do."""
    pa, csv = pyarrow(), pyarrow("pyarrow.csv")
    types = {"f0": pa.int64() if numbers else pa.string(), "f1": pa.int64() if numbers and both else pa.string()}
    try:
        reader = csv.open_csv(
            str(path),
            read_options=csv.ReadOptions(autogenerate_column_names=True, block_size=_BLOCK),
            parse_options=csv.ParseOptions(delimiter="\t", quote_char=False, ignore_empty_lines=True),
            convert_options=csv.ConvertOptions(column_types=types, include_columns=["f0", "f1"], null_values=[]),
        )
        for batch in reader:
            yield batch.column("f0"), batch.column("f1")
    except (pa.ArrowInvalid, KeyError) as error:
        if "Empty CSV file" in str(error):
            return
        kind = "two numbers" if both and numbers else "a number and a name" if numbers else "two names"
        raise InputError(f"{path} has a line that is not {kind} with a tab between them ({error})") from error
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error}") from error


def _urls(names: Any, hosts: str) -> Any:
    """The URLs of names, null for those that are neither URLs nor hosts."""
    return pyarrow().array([_url(name, hosts) for name in names.to_pylist()], pyarrow().string())


def _url(name: str, hosts: str) -> str | None:
    if "://" in name:
        return page_url(name)
    if not name or "/" in name:
        return None
    return page_url(f"http://{'.'.join(name.split('.')[::-1]) if hosts == 'reversed' else name}/")


def _pages(names: Any, hosts: str) -> Any:
    return _urls(pyarrow("pyarrow.compute").unique(names), hosts).drop_null()


def _numbers(column: Any, path: Path) -> int:
    """The largest of the numbers of vertices."""
    numbers = column.to_numpy(zero_copy_only=False)
    if len(numbers) and not 0 <= numbers.min() <= numbers.max() <= MOST_PAGES:
        raise InputError(f"{path} has a vertex with a number outside of 0 to {MOST_PAGES}")
    return int(numbers.max(initial=0))


@dataclass(frozen=True, eq=False)
class _Vertices:
    """The page of each number of a vertex, -1 for numbers without a page.

    Attributes
    ----------
    page : by the number, or by its place in ``known``
    known : the numbers of vertices, ascending, if they leave out most numbers; None otherwise
    most : the largest number
    """

    page: Column
    known: Column | None
    most: int

    @classmethod
    def read(cls, builder: GraphBuilder, vertices: Path, hosts: str, *, count: int, most: int) -> _Vertices:
        """The vertices of a file that has so many lines; the memory grows with them, not with their numbers."""
        known = None
        if most >= _SPARSE * count:
            known = np.sort(np.concatenate([first.to_numpy() for first, _ in _lines(vertices, numbers=True)]))
        page = np.full(most + 1 if known is None else count, -1, np.int32)
        for first, second in _lines(vertices, numbers=True):
            urls = _urls(second, hosts)
            there = urls.is_valid().to_numpy(zero_copy_only=False)
            number = first.to_numpy()[there]
            page[number if known is None else np.searchsorted(known, number)] = builder.find(urls.drop_null())
        return cls(page, known, most)

    def find(self, column: Any, path: Path) -> Column:
        """The pages of the ends of edges."""
        ends = column.to_numpy()
        if len(ends) and not 0 <= ends.min() <= ends.max() <= self.most:
            raise InputError(f"{path} has an edge of a vertex that is not among the vertices")
        if self.known is None:
            return np.asarray(self.page[ends], np.int64)
        place = np.searchsorted(self.known, ends)
        return np.where(self.known[place] == ends, self.page[place], -1).astype(np.int64)


def export_graph(graph: LinkGraph, output: Path, *, ranks: Ranks | None = None) -> None:
    """Write a graph as ``vertices.txt.gz`` and ``edges.txt.gz`` into a new folder, with ranks as a third column."""
    if graph.pages and not len(graph.urls):
        raise InputError("this graph has no URLs, so that its vertices have no names")
    if ranks is not None and len(ranks.unbiased) != graph.pages:
        raise InputError(f"these are ranks of {len(ranks.unbiased)} pages, not of the {graph.pages} of the graph")
    with new_folder(output) as folder:
        with _compressed(folder / "vertices.txt.gz") as stream:
            for first in range(0, graph.pages, _LINES):
                urls = graph.urls[first : first + _LINES]
                fields = [map(str, range(first, first + len(urls))), (url.translate(_ESCAPED) for url in urls)]
                if ranks is not None:
                    fields.append(map(repr, np.asarray(ranks.unbiased[first : first + _LINES], float).tolist()))
                stream.write("".join("\t".join(line) + "\n" for line in zip(*fields, strict=True)).encode())
        with _compressed(folder / "edges.txt.gz") as stream:
            for first in range(0, graph.pages, _LINES):
                start = np.asarray(graph.out_start[first : first + _LINES + 1])
                source = np.repeat(np.arange(first, first + len(start) - 1), np.diff(start))
                _write_pairs(stream, source, graph.out_target[start[0] : start[-1]])


def _write_pairs(stream: Any, source: Column, target: Column) -> None:
    csv = pyarrow("pyarrow.csv")
    options = csv.WriteOptions(include_header=False, delimiter="\t")
    csv.write_csv(pyarrow().table({"source": source, "target": np.asarray(target)}), stream, options)


def _compressed(path: Path) -> Any:
    return pyarrow().CompressedOutputStream(str(path), "gzip")
