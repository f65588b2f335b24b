"""Topics: sets of pages that PageRank is biased on (Kohlschütter 2011 §3.3), and measures of the effect of a bias.

A topic has a name with levels, such as ``Science/Biology``. The pages of a topic are its biasing set (equation 3.4). A
taxonomy comes from a file, from the paths of URLs, or from pages of the site that list others.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import unquote, urlsplit

import numpy as np

from webstrata.errors import InputError, from_extra
from webstrata.links.graph import LinkGraph
from webstrata.text import Column

__all__ = ["Topics", "average_precision", "combine", "kendall_tau", "kendall_tau_top"]

_LEVEL = "/"


@dataclass(frozen=True, eq=False, repr=False)
class Topics:
    """Named sets of pages.

    Attributes
    ----------
    names : of each topic, with ``/`` between levels
    pages : for each topic, the numbers of its pages, ascending

    >>> topics = Topics.of({"Art": [0, 2], "Art/Painting": [2], "Empty": []})
    >>> topics, topics.level(1), topics.parent(1), topics.jumps(3).tolist()
    (<Topics: 2 with 3 pages>, 2, 0, [[0.5, 0.0], [0.0, 0.0], [0.5, 1.0]])
    """

    names: tuple[str, ...]
    pages: tuple[Column, ...]

    def __len__(self) -> int:
        return len(self.names)

    def __repr__(self) -> str:
        return f"<Topics: {len(self)} with {sum(map(len, self.pages))} pages>"

    @classmethod
    def of(cls, sets: Mapping[str, Iterable[int]]) -> Topics:
        """Topics from sets of page numbers; empty sets are left out."""
        arrays = {name: np.unique(np.array(sorted(pages), np.int64)) for name, pages in sets.items()}
        kept = {name: pages for name, pages in sorted(arrays.items()) if len(pages)}
        return cls(tuple(kept), tuple(kept.values()))

    @classmethod
    def read(cls, lines: Iterable[str], graph: LinkGraph) -> Topics:
        """Topics from lines of a name, a tab and a URL. Pages that are not in the graph are left out."""
        pairs = []
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            name, tab, url = line.rstrip("\r\n").partition("\t")
            if not tab or not name.strip():
                raise InputError(f"line {number} of the topics is not a name, a tab and a URL: {line.strip()[:60]!r}")
            pairs.append((name.strip(), url.strip()))
        found = graph.find([url for _, url in pairs]).tolist()
        sets: dict[str, list[int]] = {}
        for (name, _), page in zip(pairs, found, strict=True):
            if page >= 0:
                sets.setdefault(name, []).append(page)
        if not sets:
            raise InputError(
                "no page of the topics is in the graph: write their URLs as `webstrata links rank` prints them"
            )
        return cls.of(sets)

    @classmethod
    def from_paths(cls, graph: LinkGraph, *, levels: int = 1, least: int = 2) -> Topics:
        """A topic for each folder in the paths of URLs, down to ``levels``, if it has at least ``least`` pages."""
        sets: dict[str, list[int]] = {}
        for page, url in enumerate(graph.urls):
            folders = [unquote(part) for part in urlsplit(url).path.split("/")[1:-1] if part][:levels]
            for depth in range(1, len(folders) + 1):
                sets.setdefault(_LEVEL.join(folders[:depth]), []).append(page)
        return cls.of({name: pages for name, pages in sets.items() if len(pages) >= least})

    @classmethod
    def from_category_pages(cls, graph: LinkGraph, pattern: str, *, between: str = ".", content: bool = True) -> Topics:
        """A topic for each page whose URL matches: the pages that it links to, but for those that match themselves.

        Parameters
        ----------
        pattern : a regular expression whose first group is the name of the topic
        between : the separator of levels in that name
        content : whether to take the links of the content only
        """
        try:
            compiled = re.compile(pattern)
        except re.error as error:
            raise InputError(f"the pattern {pattern!r} cannot be read: {error}") from error
        if compiled.groups < 1:
            raise InputError(f"the pattern {pattern!r} needs a group in brackets: the name of the topic")
        lists = {page: match[1] for page, url in enumerate(graph.urls) if (match := compiled.search(url))}
        sets = {}
        for page, name in lists.items():
            marks = graph.out_content[graph.out_start[page] : graph.out_start[page + 1]]
            targets = graph.targets(page)[marks > 0] if content else graph.targets(page)
            sets[unquote(name).replace(between, _LEVEL)] = [t for t in targets.tolist() if t not in lists]
        return cls.of(sets)

    def level(self, topic: int) -> int:
        """The number of levels in the name of a topic."""
        return self.names[topic].count(_LEVEL) + 1

    def first(self, topic: int) -> str:
        """The first part of the name of a topic."""
        return self.names[topic].partition(_LEVEL)[0]

    def parent(self, topic: int) -> int | None:
        """The topic above, if there is one."""
        above = self.names[topic].rpartition(_LEVEL)[0]
        return self.names.index(above) if above in self.names else None

    def with_descendants(self) -> Topics:
        """The same topics, each with the pages of the topics below it added.

        >>> Topics.of({"Art": [0], "Art/New": [2]}).with_descendants().pages[0].tolist()
        [0, 2]
        """
        below = [
            [p for n, p in zip(self.names, self.pages, strict=True) if n.startswith(f"{name}/")] for name in self.names
        ]
        together = zip(self.pages, below, strict=True)
        return Topics(self.names, tuple(np.unique(np.concatenate([own, *others])) for own, others in together))

    def jumps(self, pages: int) -> Column:
        """The jump vectors (equation 3.4), a column for each topic."""
        vectors = np.zeros((pages, len(self)), order="F")
        for topic, members in enumerate(self.pages):
            vectors[members, topic] = 1 / len(members)
        return vectors


def combine(ranks: Column, weights: Column) -> Column:
    """A linear combination of ranks, a column each (equation 3.6); the weights are divided by their sum.

    PageRank is linear in its jump vector, so this is the rank biased on all of the topics with these weights.

    >>> combine(np.array([[1.0, 3.0], [2.0, 0.0]]), np.array([1.0, 1.0])).tolist()
    [2.0, 1.0]
    """
    shares = np.asarray(weights, np.float64)
    if shares.shape != ranks.shape[1:] or (shares < 0).any() or not shares.sum() > 0:
        raise InputError("give a weight for each column of ranks, none below zero, and at least one above it")
    return np.asarray(ranks @ (shares / shares.sum()))


def kendall_tau(left: Column, right: Column) -> float:
    """Kendall's tau of two rankings of the same pages, with ties (tau-b); 0 if all pages of one are equal.

    >>> round(kendall_tau(np.array([3.0, 2.0, 1.0]), np.array([3.0, 1.0, 2.0])), 4)
    0.3333
    """
    with from_extra("eval", "scipy"):
        from scipy.stats import kendalltau
    tau = float(kendalltau(left, right).statistic) if len(left) > 1 else 0.0
    return 0.0 if np.isnan(tau) else tau


def kendall_tau_top(left: Column, right: Column, *, count: int = 30) -> float:
    """Kendall's tau of the first pages of two rankings of the same results (§3.3.1).

    The pages are those among the first of either ranking. The thesis leaves open how to treat a page that is among the
    first of one only: here all pages that are not among the first of a ranking share its last place.

    >>> scores = np.arange(100.0)
    >>> kendall_tau_top(scores, scores), kendall_tau_top(scores, -scores) < 0
    (1.0, True)
    """
    first = [np.argsort(-scores, kind="stable")[:count] for scores in (left, right)]
    pages = np.union1d(*first)
    places = []
    for order in first:
        place = np.full(len(pages), count)
        place[np.searchsorted(pages, order)] = np.arange(len(order))
        places.append(-place)
    return kendall_tau(*places)


def average_precision(order: Sequence[int], relevant: set[int], *, count: int = 10) -> float:
    """The average precision of the first results, as a share of the best possible one.

    >>> average_precision([7, 8, 9], {7, 9}), average_precision([1], set())
    (0.8333333333333333, 0.0)
    """
    hits, total = 0, 0.0
    for place, page in enumerate(order[:count], 1):
        if page in relevant:
            hits += 1
            total += hits / place
    return total / min(len(relevant), count) if relevant else 0.0
