"""The link graph: pages numbered by site and place, and their links in both directions.

A page has a number of two dimensions (Kohlschütter 2011 §3.2.1): the number of its site and its place among the pages
of the site. Sites are ordered by their names read from the right (``org.example.www``), the pages of a site by URL, so
that pages that link to one another have near numbers. ``site_start`` turns the pair into one number and back.

L is a set, as in §3.1: links that a page repeats are one link, in the content if one of the repetitions is.

On disk a graph is a folder of NumPy files, which are mapped into memory, and ``graph.json`` with a version.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from webstrata._array_checks import ArrayChecks, indices, offsets, strings
from webstrata.errors import InputError
from webstrata.files import ArrayFormat, new_folder
from webstrata.links._sweeps import transpose
from webstrata.links.strings import Strings
from webstrata.text import Column
from webstrata.urls import host, registered_domain

__all__ = ["MOST_PAGES", "SITES", "LinkGraph", "build_graph", "link_arrays", "save_written", "site_kind", "sort_key"]

_FORMAT = ArrayFormat(name="link graph", kind="graph", version=2, command="webstrata links build", about="graph.json")
_ARRAYS: ArrayChecks = {
    "site_start": offsets("sites", into="pages"),
    "out_start": offsets("pages", into="links"),
    "out_target": indices("links", of="pages"),
    "out_content": indices("links", of=2, kind="uint8"),
    "in_start": offsets("pages", into="links"),
    "in_source": indices("links", of="pages"),
    "in_content": indices("links", of=2, kind="uint8"),
}
_NAMES: ArrayChecks = {**strings("urls", "URLs"), **strings("sites", "names of sites")}
#: While links are sorted, two page numbers and a mark share 64 bits.
MOST_PAGES = 2**31 - 1
# URLs that are hashed together to find some of them.
_FOUND_AT_ONCE = 2**20


def _directory(url: str) -> str:
    """The host and the path up to its last slash."""
    path = url.partition("://")[2].partition("?")[0]
    return path.rpartition("/")[0] or path


#: The kinds of sites (§3.2.1), each with the function that reads a site's name from a URL.
SITES: dict[str, Callable[[str], str]] = {
    "host": host,
    "domain": lambda url: registered_domain(host(url)),
    "directory": _directory,
}


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class LinkGraph:
    """Pages, their sites and their links. Made by `build_graph` or `webstrata.links.graph_of`, or opened from a folder.

    Attributes
    ----------
    site_start : the first page of each site, and at the end the number of pages
    out_start, out_target : the links of page p lead to ``out_target[out_start[p] : out_start[p + 1]]``, ascending
    in_start, in_source : the links to page p come from ``in_source[in_start[p] : in_start[p + 1]]``, ascending
    out_content, in_content : for each of these links, 1 if it is in the content of its page, 0 if in the template
    urls, sites : the URLs of pages and the names of sites; empty for a graph without names
    counts : the numbers of links that were left out, by reason
    folder : the folder that it was opened from, if any

    >>> graph = build_graph(["http://b.org/", "http://a.org/x", "http://a.org/"], [0, 0, 1, 2], [1, 1, 2, 2])
    >>> graph
    <LinkGraph: 3 pages of 2 sites, 3 links>
    >>> graph.urls[1], graph.pair(1), graph.number(0, 1), graph.targets(2).tolist()
    ('http://a.org/x', (0, 1), 1, [1])
    """

    site_start: Column
    out_start: Column
    out_target: Column
    out_content: Column
    in_start: Column
    in_source: Column
    in_content: Column
    urls: Strings = field(default_factory=lambda: Strings.of(()))
    sites: Strings = field(default_factory=lambda: Strings.of(()))
    counts: Mapping[str, int] = field(default_factory=dict)
    folder: Path | None = None

    @property
    def pages(self) -> int:
        return len(self.out_start) - 1

    @property
    def links(self) -> int:
        return len(self.out_target)

    def __repr__(self) -> str:
        origin = f" {self.folder}" if self.folder else ""
        return f"<LinkGraph{origin}: {self.pages} pages of {len(self.site_start) - 1} sites, {self.links} links>"

    def pair(self, page: int) -> tuple[int, int]:
        """The site of a page and its place in the site."""
        site = int(np.searchsorted(self.site_start, page, "right")) - 1
        return site, page - int(self.site_start[site])

    def number(self, site: int, local: int) -> int:
        """The number of the page at a place of a site."""
        return int(self.site_start[site]) + local

    def targets(self, page: int) -> Column:
        """The pages that a page links to."""
        return self.out_target[self.out_start[page] : self.out_start[page + 1]]

    def sources(self, page: int) -> Column:
        """The pages that link to a page."""
        return self.in_source[self.in_start[page] : self.in_start[page + 1]]

    def find(self, urls: Sequence[str] | Strings) -> Column:
        """The numbers of the pages with these URLs, -1 for URLs that are not in the graph."""
        wanted = urls if isinstance(urls, Strings) else Strings.of(urls)
        key = (secrets.randbits(64), secrets.randbits(64))
        half, other = wanted.hashes(key)
        order = np.argsort(half)
        found = np.full(len(wanted), -1, np.int64)
        for first in range(0, len(self.urls), _FOUND_AT_ONCE):
            ours, rest = self.urls.hashes(key, first, first + _FOUND_AT_ONCE)
            for page in np.flatnonzero(np.isin(ours, half)).tolist():
                at = int(np.searchsorted(half, ours[page], sorter=order))
                while at < len(order) and half[order[at]] == ours[page]:
                    if other[order[at]] == rest[page]:
                        found[order[at]] = first + page
                    at += 1
        return found

    def site_of_pages(self) -> Column:
        """The number of the site of each page."""
        sizes = np.diff(self.site_start)
        return np.repeat(np.arange(len(sizes), dtype=np.uint32), sizes)

    def save(self, folder: str | Path) -> None:
        """Write the graph to a new folder, which appears as a whole or not at all."""
        arrays = {name: getattr(self, name) for name in _ARRAYS}
        for name in ("urls", "sites"):
            strings: Strings = getattr(self, name)
            arrays |= {name: strings.data, f"{name}_start": strings.start}
        with new_folder(folder) as new:
            _FORMAT.write(new, arrays, {"pages": self.pages, "links": self.links, "counts": dict(self.counts)})

    @classmethod
    def open(cls, folder: str | Path) -> LinkGraph:
        """A graph from its folder, mapped into memory."""
        folder = Path(folder)
        facts = _FORMAT.read_facts(folder)
        arrays = _FORMAT.read_arrays(folder, facts, {**_ARRAYS, **_NAMES})
        columns: dict[str, Any] = {name: arrays[name] for name in _ARRAYS}
        columns |= {name: Strings(arrays[name], arrays[f"{name}_start"]) for name in ("urls", "sites")}
        counts = facts.get("counts")
        graph = cls(**columns, counts=counts if isinstance(counts, dict) else {}, folder=folder)
        if len(graph.urls) not in (0, graph.pages) or len(graph.sites) not in (0, len(graph.site_start) - 1):
            raise InputError(f"{folder} is damaged: its names do not fit its pages; build the graph again")
        return graph


def link_arrays(pages: int, source: Column, target: Column, content: Column) -> dict[str, Any]:
    """The columns of a graph from links between numbered pages; repeated links become one."""
    if pages > MOST_PAGES:
        raise InputError(f"a graph holds at most {MOST_PAGES} pages, not {pages}")
    # One number for each link, smaller for a link in the content: of repeated links the first is kept.
    key = (source.astype(np.int64) * pages + target) << 1
    key |= content.astype(np.int64) ^ 1
    key.sort()
    keep = np.ones(len(key), bool)
    keep[1:] = (key[1:] >> 1) != (key[:-1] >> 1)
    key = key[keep]
    mark = (~key & 1).astype(np.uint8)
    key >>= 1
    out_start = np.zeros(pages + 1, np.int64)
    np.cumsum(np.bincount(key // max(pages, 1), minlength=pages)[:pages], out=out_start[1:])
    out_target = (key % max(pages, 1)).astype(np.uint32)
    del key
    in_start = np.zeros(pages + 1, np.int64)
    in_source, in_content = np.empty_like(out_target), np.empty_like(mark)
    transpose(out_start, out_target, mark, in_start, in_source, in_content)
    return {
        "out_start": out_start, "out_target": out_target, "out_content": mark,
        "in_start": in_start, "in_source": in_source, "in_content": in_content,
    }  # fmt: skip


def build_graph(
    urls: Sequence[str],
    source: Sequence[int] | Column,
    target: Sequence[int] | Column,
    *,
    content: Sequence[int] | Column | None = None,
    site: str = "host",
    counts: Mapping[str, int] | None = None,
) -> LinkGraph:
    """A graph from pages and links between them.

    Parameters
    ----------
    urls : the URLs of the pages, each once, in any order
    source, target : for each link, the indices of its ends in ``urls``
    content : for each link, whether it is in the content of its page; by default all are
    site : the kind of sites: host, domain or directory
    counts : the numbers of links that were left out, to be kept with the graph
    """
    site_of = site_kind(site)
    names = [site_of(url) for url in urls]
    order = sorted(range(len(urls)), key=lambda place: (sort_key(names[place]), urls[place]))
    number = np.empty(len(urls), np.int64)
    number[order] = np.arange(len(urls))
    ordered = [names[place] for place in order]
    first = [place for place, name in enumerate(ordered) if not place or name != ordered[place - 1]]
    source, target = np.asarray(source, np.int64), np.asarray(target, np.int64)
    marks = np.ones(len(source), np.uint8) if content is None else np.asarray(content, np.uint8)
    if (
        len(urls)
        and len(source)
        and not 0 <= min(source.min(), target.min()) <= max(source.max(), target.max()) < len(urls)
    ):
        raise InputError("a link leads to a page that is not there: source and target are indices of urls")
    return LinkGraph(
        site_start=np.array([*first, len(urls)], np.int64),
        **link_arrays(len(urls), number[source], number[target], marks),
        urls=Strings.of(urls[place] for place in order),
        sites=Strings.of(ordered[place] for place in first),
        counts=dict(counts or {}),
    )


def site_kind(name: str) -> Callable[[str], str]:
    """The function of `SITES` that reads a site's name from a URL."""
    if name not in SITES:
        raise InputError(f"there are no sites by {name!r}: choose one of {', '.join(SITES)}")
    return SITES[name]


def sort_key(name: str) -> bytes:
    """The sort key of a site: the labels of its host from the right, then the path.

    >>> sort_key("a.example.org") < sort_key("b-a.example.org") < sort_key("a.example-one.org")
    True
    """
    name, slash, path = name.partition("/")
    # Separators are smaller than any letter, so that a name comes before the longer ones that begin with it.
    return ("\2".join(name.split(".")[::-1]) + "\1" + slash + path).encode("utf-8", "replace")


def save_written(folder: Path, pages: int, links: int, counts: Mapping[str, int]) -> None:
    """Make a folder with the files of all columns a graph."""
    names = [*_ARRAYS, *(name for strings in ("urls", "sites") for name in (strings, f"{strings}_start"))]
    _FORMAT.describe(folder, names, {"pages": pages, "links": links, "counts": dict(counts)})
