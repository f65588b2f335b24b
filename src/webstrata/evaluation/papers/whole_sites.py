"""Whole sites with true regions, for the experiments of Fernandes et al. 2011.

A site is a folder of HTML, or the 2007 Wikipedia Selection for Schools of the data folder. Documentation packages of
Debian are whole static sites (``apt-get download NAME`` and ``dpkg -x``). The true regions are elements with a class,
id, role or tag that `REGIONS` names; the algorithms do not see these values. The rest of a page is one more region.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

import numpy as np

from webstrata._once import once
from webstrata.errors import InputError
from webstrata.evaluation.datasets import wpcd
from webstrata.evaluation.metrics.nmi import normalised_mutual_information
from webstrata.evaluation.metrics.rand import adjusted_rand
from webstrata.files import files_below
from webstrata.page import Page, parse
from webstrata.sites.classes import Refined, refine
from webstrata.sites.groups import group_nodes
from webstrata.sites.nodes import Nodes, nodes_of
from webstrata.sites.rules import Rules
from webstrata.sites.segmenter import block_classes
from webstrata.sites.tree import Tree
from webstrata.text import Column

__all__ = ["REGIONS", "LearnedSite", "WholeSite", "agreement", "find_site", "read_pages", "true_labels"]

_SPHINX = ("class=mobile-nav", "class=related", "class=documentwrapper", "class=sphinxsidebar", "class=footer")
#: The true regions of sites by a part of their folder's name.
REGIONS: dict[str, tuple[str, ...]] = {
    "python3.11": _SPHINX,
    "postgresql-doc": ("class=navheader", "class=navfooter"),
    "cmake-doc": _SPHINX,
    "django-doc": ("id=hd", "id=yui-main", "id=sidebar", "id=ft"),
    "linux-doc": ("class=wy-nav-side", "class=wy-nav-top", "role=main", "tag=footer"),
    "openjdk": ("tag=header", "tag=main", "tag=footer"),
    "wpcd": ("class=firstHeading", "id=bodyContent", "id=footer"),
    "apache2-doc": (
        "id=page-header", "id=path", "id=page-content", "id=quickview", "class=bottomlang", "id=comments_section",
        "id=footer",
    ),
    "sqlite3-doc": ("class=nosearch",),
}  # fmt: skip


@dataclass(frozen=True, eq=False, repr=False)
class WholeSite:
    """A site: its name, its true regions, and the paths and HTML of its pages."""

    name: str
    regions: tuple[str, ...]
    files: Iterable[tuple[str, bytes]]

    @once
    def pages(self) -> list[Page]:
        """Its pages with text; the URL of each has the site as its host."""
        return list(read_pages(self.name, self.files))

    def sample(self, limit: int) -> list[Page]:
        """Some of its pages, chosen at random with a fixed seed."""
        return self.pages if len(self.pages) <= limit else random.Random(1).sample(self.pages, limit)


def find_site(folder: Path | None) -> WholeSite:
    """The site in a folder whose regions are known; without a folder, the Wikipedia Selection for Schools."""
    if folder is None:
        return WholeSite("wpcd", REGIONS["wpcd"], wpcd.files(wpcd.archive()))
    name = next((name for name in REGIONS if name in str(folder.resolve())), None)
    if name is None:
        known = ", ".join(REGIONS)
        raise InputError(f"the true regions of {folder} are unknown: give sites whose path has one of {known}")
    paths = [path for path in files_below(folder) if path.suffix in (".html", ".htm")]
    if not paths:
        raise InputError(f"{folder} has no HTML files")
    return WholeSite(name, REGIONS[name], [(path.relative_to(folder).as_posix(), path.read_bytes()) for path in paths])


def read_pages(name: str, files: Iterable[tuple[str, bytes]]) -> Iterator[Page]:
    """The pages that show text, with URLs below a host of this name."""
    for path, html in files:
        page = parse(html, url=f"http://{name}/{quote(path)}")
        if not page.blocks.hidden.all():
            yield page


def true_labels(page: Page, regions: Sequence[str]) -> tuple[Column, Column]:
    """For each block its true segment and the class of that segment: the innermost region, 0 for the rest of the page.

    Parameters
    ----------
    regions : each as NAME=VALUE of an attribute, or tag=NAME

    >>> page = parse("<div id=menu>One</div><p>Two<div id=menu>Three</div>")
    >>> [column.tolist() for column in true_labels(page, ["id=menu"])]
    [[4, 0, 6], [1, 0, 1]]
    """
    chosen = [tuple(region.split("=", 1)) for region in regions]
    segments, classes = np.zeros((2, len(page.blocks)), np.int64)
    for element in page.elements:
        if element.blocks.start == element.blocks.stop:
            continue
        attributes = element.attributes
        for number, (name, value) in enumerate(chosen, start=1):
            if element.tag == value if name == "tag" else value in attributes.get(name, "").split():
                span = slice(element.blocks.start, element.blocks.stop)
                segments[span], classes[span] = element.row + 1, number
    return segments, classes


@dataclass(frozen=True, eq=False, repr=False)
class LearnedSite:
    """The SOM tree of some pages, and their segments by it."""

    pages: Sequence[Page]
    nodes: Sequence[Nodes]
    tree: Refined

    @classmethod
    def of(cls, pages: Sequence[Page], rules: Rules) -> LearnedSite:
        nodes = [nodes_of(page, rules) for page in pages]
        return cls(pages, nodes, refine(Tree.of(nodes), rules))

    def by_group(self) -> tuple[int, list[Column]]:
        """The number of groups of pages with one template, and the segments of each page by a tree of its group."""
        group = group_nodes(self.nodes)
        labels: dict[int, Column] = {}
        for number in range(int(group.max(initial=-1)) + 1):
            members = np.flatnonzero(group == number).tolist()
            nodes = [self.nodes[place] for place in members]
            alone = LearnedSite([self.pages[place] for place in members], nodes,
                                refine(Tree.of(nodes), self.tree.rules))  # fmt: skip
            labels |= dict(zip(members, alone.labels, strict=True))
        return int(group.max(initial=-1)) + 1, [labels[place] for place in range(len(self.pages))]

    @once
    def labels(self) -> list[Column]:
        """For each page, the segment of each block."""
        return [block_classes(page, self.tree, own)[0] for page, own in zip(self.pages, self.nodes, strict=True)]

    @once
    def class_sizes(self) -> Column:
        """The number of segments of each class."""
        labels: list[int] = []
        for own in self.nodes:
            segment, label = self.tree.segments(own)
            labels += label[np.flatnonzero(segment == np.arange(len(segment)))].tolist()
        return np.unique(labels, return_counts=True)[1]

    def stability(self, share: float) -> tuple[int, float]:
        """The size of a random sample of the pages, and how well the segments by the tree of the sample alone agree
        with those by all pages, on the pages of the sample (§5.3, AdjRAND)."""
        chosen = random.Random(7).sample(range(len(self.pages)), max(2, round(share * len(self.pages))))
        pages, nodes = [self.pages[number] for number in chosen], [self.nodes[number] for number in chosen]
        alone = LearnedSite(pages, nodes, refine(Tree.of(nodes), self.tree.rules))
        values = agreement(pages, [self.labels[number] for number in chosen], alone.labels)
        return len(chosen), float(np.mean([rand for rand, _ in values]))


def agreement(pages: Sequence[Page], truth: Sequence[Column], found: Sequence[Column]) -> list[tuple[float, float]]:
    """The adjusted Rand index and the normalised mutual information of each page, over its shown words."""
    values = []
    for page, one, other in zip(pages, truth, found, strict=True):
        words = np.where(page.blocks.hidden, 0, page.blocks.words)
        pair = np.repeat(one, words), np.repeat(other, words)
        values.append((adjusted_rand(*pair), normalised_mutual_information(*pair)))
    return values
