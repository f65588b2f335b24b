"""The random surfer: with which chance each link of a page is taken.

The surfer of PageRank takes all links of a page with the same chance. The stratified surfer (Kohlschütter 2011 §5.2.1)
decides first whether to stay on the site or to leave it, and then takes one of the links of that kind. Since the
stratum of every link is known here, the same decision can be made between links of the content and links of the
template, such as menus and footers.

Deviations. The chances that §5.2.1 prints do not add up to one, and depend on the kind of the link that was taken last,
though the surfer is said to have no memory. Ours has none: the chance of staying is the same on each page (γ = 1 - β).
A page that lacks one kind of links gives all to the other. A kind of weight 0 is never taken: a page that has only such
links is a page without links.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from webstrata._once import once
from webstrata.errors import InputError
from webstrata.links.graph import LinkGraph
from webstrata.text import Column

__all__ = ["Surfer", "Walk"]


@dataclass(frozen=True, eq=False)
class Walk:
    """The links as the surfer takes them, in the form of `webstrata.links._sweeps`.

    Attributes
    ----------
    start, slot : the links by target
    factor : the chance that a page gives to each of its links, by stratum; negative where it gives none at all
    """

    start: Column
    slot: Column
    factor: Column

    @property
    def pages(self) -> int:
        return len(self.start) - 1

    @once
    def stay(self) -> Column | None:
        """What each page gives to itself; None where no page does."""
        strata = self.factor.shape[1]
        target = np.repeat(np.arange(self.pages, dtype=np.uint32), np.diff(self.start))
        own = self.slot[self.slot // np.uint32(strata) == target]
        if not len(own):
            return None
        given = np.zeros(self.pages)
        given[own // np.uint32(strata)] = self.factor.ravel()[own]
        return given

    @property
    def dangling(self) -> Column:
        """Which pages have no link to take."""
        return self.factor[:, 0] < 0


@dataclass(frozen=True, kw_only=True)
class Surfer:
    """How likely the surfer takes links of each kind.

    Parameters
    ----------
    internal : the chance to stay on the site where a page has both kinds (β of §5.2.1); None makes no difference
        between the kinds, as PageRank does
    content : the chance to take a link of the content where a page has links of content and template; None as above

    Both together part the links into four kinds, and the chance of each is the product of the two.

    >>> Surfer(content=1.0)
    Surfer(internal=None, content=1.0)
    """

    internal: float | None = None
    content: float | None = None

    def __post_init__(self) -> None:
        for name, value in (("internal", self.internal), ("content", self.content)):
            if value is not None and not (math.isfinite(value) and 0 <= value <= 1):
                raise InputError(f"{name} is a chance from 0 to 1, not {value}")

    def walk(self, graph: LinkGraph) -> Walk:
        """The links of a graph with their chances."""
        kinds = [(self.internal, self._external), (self.content, self._template)]
        chosen = [(chance, told) for chance, told in kinds if chance is not None]
        strata = 2 ** len(chosen)
        if graph.pages * strata >= 2**32:
            raise InputError(f"a graph of {graph.pages} pages is too large for a surfer with {strata} kinds of links")
        if not chosen:
            degree = np.diff(graph.out_start)
            with np.errstate(divide="ignore"):
                factor = np.where(degree > 0, 1.0 / degree, -1.0)
            return Walk(graph.in_start, graph.in_source, factor[:, None])
        weight = np.ones(1)
        slot = np.zeros(graph.links, np.uint32)
        for chance, told in chosen:
            weight = np.outer(weight, (chance, 1 - chance)).ravel()
            slot = slot * np.uint32(2) + told(graph)
        place = slot + graph.in_source * np.uint32(strata)
        count = np.bincount(place, minlength=graph.pages * strata).reshape(graph.pages, strata)
        chance_of = np.where(count > 0, weight, 0.0)
        total = chance_of.sum(axis=1, keepdims=True)
        with np.errstate(divide="ignore", invalid="ignore"):
            factor = np.where(count > 0, chance_of / total / count, 0.0)
        factor[total[:, 0] == 0] = -1.0
        # Links that nobody takes are left out: what a page without other links holds must not pass through them.
        taken = chance_of.ravel()[place] > 0
        start = np.concatenate(([0], np.cumsum(taken)))[graph.in_start]
        return Walk(start.astype(np.int64), place[taken], np.ascontiguousarray(factor))

    @staticmethod
    def _external(graph: LinkGraph) -> Column:
        site = graph.site_of_pages()
        target = np.repeat(site, np.diff(graph.in_start))
        external: Column = (site[graph.in_source] != target).astype(np.uint32)
        return external

    @staticmethod
    def _template(graph: LinkGraph) -> Column:
        template: Column = (graph.in_content == 0).astype(np.uint32)
        return template
