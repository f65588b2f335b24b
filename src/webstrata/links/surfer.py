"""The random surfer: the chance of each link of a page to be taken.

The surfer of PageRank takes all links of a page with the same chance. The stratified surfer (Kohlschütter 2011 §5.2.1)
decides first whether to stay on the site or to leave it, and then takes one of the links of that kind. Since the
graph knows the stratum of every link, the surfer can decide in the same way between links of the content and links of
the template, such as menus and footers.

Deviations. The chances that §5.2.1 prints do not add up to one, and depend on the kind of the link that was taken last,
although the paper calls the surfer memoryless. Ours is: the chance of staying is the same on each page (γ = 1 - β).
Where a page lacks one kind of links, the other kind gets its chance. A kind of weight 0 is never taken: a page with
such links alone counts as a page without links.
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
    """The links and their chances, as `webstrata.links._sweeps` reads them.

    Attributes
    ----------
    start, slot : the links by target
    factor : the chance of each link of a page, by stratum; negative for pages without a link to take
    """

    start: Column
    slot: Column
    factor: Column

    @property
    def pages(self) -> int:
        return len(self.start) - 1

    @once
    def stay(self) -> Column | None:
        """The chance of each page to link to itself; None if no page does."""
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
        """For each page, whether it has no link to take."""
        return self.factor[:, 0] < 0


@dataclass(frozen=True, kw_only=True)
class Surfer:
    """The chances of links of each kind.

    Parameters
    ----------
    internal : the chance to stay on the site where a page has both kinds (β of §5.2.1); None treats both kinds alike,
        as PageRank does
    content : the chance to take a link of the content where a page has links of content and template; None as above

    Both together make four kinds of links, and the chance of each is the product of the two.

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
        chosen = [(chance, marks) for chance, marks in kinds if chance is not None]
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
        for chance, marks in chosen:
            weight = np.outer(weight, (chance, 1 - chance)).ravel()
            slot = slot * np.uint32(2) + marks(graph)
        place = slot + graph.in_source * np.uint32(strata)
        count = np.bincount(place, minlength=graph.pages * strata).reshape(graph.pages, strata)
        chance_of = np.where(count > 0, weight, 0.0)
        total = chance_of.sum(axis=1, keepdims=True)
        with np.errstate(divide="ignore", invalid="ignore"):
            factor = np.where(count > 0, chance_of / total / count, 0.0)
        factor[total[:, 0] == 0] = -1.0
        # Links of chance 0 are left out: the rank of a page without other links must not pass through them.
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
