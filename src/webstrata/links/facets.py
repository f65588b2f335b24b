"""Facets of search results, found by links alone (Kohlschütter 2011 §3.4).

A facet is a topic with a PageRank vector of its own. The *membership* of a page measures how much it belongs to a
facet: `UncertainMembership` is the formula of the thesis (equations 3.12 to 3.15), `RatioMembership` is ours and the
default. The facets of a result list are those that many of its first pages belong to (equation 3.16); Algorithm 3.1
repeats this with the results in the order that each facet found so far gives them.

The thesis leaves these points open:

- *Scale.* Ranks have the mean one, so that μ is one.
- *Logarithm.* The natural one. Its base only scales ϑ.
- *Dimension.* Facets of one dimension compete for a page: by default all of them ("one"), else those of one level
  ("level"), or those whose names begin alike ("first"), as in ``topic/Art`` and ``origin/academia``.
- *General importance*, the unbiased rank as "a special facet" that "may also receive a membership value" (§3.4.4). With
  the printed formula it has a dimension of its own. With the ratio, facets raise the rank of a page above its unbiased
  one, and that one is above the mean: the larger of the two, as logarithms, is membership 1.

On the 2007 Wikipedia Selection for Schools with its 145 subjects, the printed membership predicts the subject of
held-out pages no better than a constant guess of the largest subject; the ratio does far better (``docs/links.md`` has
the figures). A page of general importance ranks high with any bias; dividing by its unbiased rank removes that.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol, get_args

import numpy as np

from webstrata.errors import InputError
from webstrata.links.topics import Topics
from webstrata.text import Column

__all__ = ["Dimension", "Facet", "Facets", "Membership", "RatioMembership", "UncertainMembership"]

#: What makes facets compete for a page.
Dimension = Literal["one", "level", "first"]


class Membership(Protocol):
    """A measure of how much pages belong to facets."""

    def __call__(self, biased: Column, unbiased: Column, dimension: Column) -> Column:
        """A number for each page (row) and facet (column).

        Parameters
        ----------
        biased : ranks by facet, of mean one
        unbiased : ranks without bias, of mean one
        dimension : of each facet
        """
        ...

    def general(self, biased: Column, unbiased: Column) -> Column:
        """The membership of each page in general importance, which is the facet of the unbiased rank (§3.4.4)."""
        ...


@dataclass(frozen=True)
class UncertainMembership:
    """The formula of the thesis: the logarithm of the biased rank, divided by the number of competing facets (3.15).

    >>> UncertainMembership()(np.array([[np.e, 1.0, 0.5]]), np.ones(1), np.zeros(3)).round(4).tolist()
    [[0.5, 0.0, -0.3466]]
    """

    def __call__(self, biased: Column, unbiased: Column, dimension: Column) -> Column:
        with np.errstate(divide="ignore"):
            value = np.log(biased)
        for number in np.unique(dimension):
            chosen = dimension == number
            rivals = (biased[:, chosen] >= 1).sum(axis=1, keepdims=True)
            # Without rivals the uncertainty is infinite and the membership 0.
            value[:, chosen] = np.where(rivals > 0, value[:, chosen] / np.maximum(rivals, 1), 0.0)
        return value

    def general(self, biased: Column, unbiased: Column) -> Column:
        """
        >>> UncertainMembership().general(np.ones((2, 1)), np.array([np.e, 0.5])).tolist()
        [1.0, 0.0]
        """
        return np.log(np.maximum(unbiased, 1.0))


@dataclass(frozen=True)
class RatioMembership:
    """The logarithm of the ratio of the biased to the unbiased rank, as a share of the largest one of the page.

    A page has membership 1 in the facet of its dimension that raises its rank most, a share of that in the others that
    raise it, and a negative one in the rest. The order of facets is that of the ratio itself.

    >>> RatioMembership()(np.array([[4.0, 2.0, 0.5]]), np.ones(1), np.zeros(3)).tolist()
    [[1.0, 0.5, -0.5]]
    """

    def __call__(self, biased: Column, unbiased: Column, dimension: Column) -> Column:
        with np.errstate(divide="ignore", invalid="ignore"):
            value = np.log(biased / unbiased[:, None])
        value[np.isnan(value)] = -np.inf
        for number in np.unique(dimension):
            chosen = dimension == number
            most = value[:, chosen].max(axis=1, keepdims=True)
            # A page that no facet raises belongs to none, but its negative logarithms still order the facets.
            value[:, chosen] /= np.where(most > 0, most, 1.0)
        return value

    def general(self, biased: Column, unbiased: Column) -> Column:
        """A page that all pages link to has membership 1, and one that is known in its facets alone has 0.

        >>> RatioMembership().general(np.array([[16.0], [4.0], [1.0]]), np.array([8.0, 1.0, 0.5])).round(3).tolist()
        [1.0, 0.0, 0.0]
        """
        own = np.log(np.maximum(unbiased, 1.0))
        with np.errstate(divide="ignore", invalid="ignore"):
            raised = np.log(biased.max(axis=1, initial=0.0) / unbiased)
        return own / np.where(own > 0, np.fmax(own, raised), 1.0)


@dataclass(frozen=True, slots=True)
class Facet:
    """A facet of results: its number among the topics, its name, and the share of results that belong to it."""

    topic: int
    name: str
    share: float


@dataclass(frozen=True, eq=False, kw_only=True)
class Facets:
    """The facets of a graph.

    Parameters
    ----------
    topics : the facets
    biased : the ranks by topic, a column each, of mean one (`Ranking.relative`)
    unbiased : the ranks without bias, of mean one
    membership : the measure of membership
    theta : the membership from which a page belongs to a facet (ϑ)
    smallest : the share of results from which on a facet orders them anew (λ)
    k : the number of results that are considered
    dimension : which facets are of one dimension: all, those of one level, or those whose names begin alike

    >>> topics = Topics.of({"Art": [0], "Maths": [1]})
    >>> facets = Facets(topics=topics, biased=np.array([[2.5, 0.1], [0.1, 2.5], [0.4, 0.4]]), unbiased=np.ones(3))
    >>> facets.of([0, 1, 0])
    [Facet(topic=0, name='Art', share=0.6666666666666666), Facet(topic=1, name='Maths', share=0.3333333333333333)]
    """

    topics: Topics
    biased: Column
    unbiased: Column
    membership: Membership = field(default_factory=RatioMembership)
    theta: float = 0.8
    smallest: float = 0.25
    k: int = 100
    dimension: Dimension = "one"

    def __post_init__(self) -> None:
        if self.biased.shape != (len(self.unbiased), len(self.topics)):
            raise InputError(
                "ranks and topics do not fit: biased ranks need a row for each page and a column for each topic"
            )
        if self.k < 1 or not 0 <= self.smallest <= 1:
            raise InputError("k must be at least 1, and smallest a share from 0 to 1")
        if self.dimension not in get_args(Dimension):
            raise InputError(f"dimension must be one of {', '.join(get_args(Dimension))}, not {self.dimension!r}")

    def members(self, pages: Column | Sequence[int]) -> Column:
        """The membership of pages: a row each, a column for each facet."""
        chosen = np.asarray(pages, np.int64)
        return self.membership(self.biased[chosen], self.unbiased[chosen], self._dimensions())

    def _dimensions(self) -> Column:
        """The number of the dimension of each facet."""
        if self.dimension == "level":
            return np.array([self.topics.level(topic) for topic in range(len(self.topics))], np.int64)
        if self.dimension == "first":
            first = [self.topics.first(topic) for topic in range(len(self.topics))]
            return np.unique(np.array(first, object), return_inverse=True)[1]
        return np.zeros(len(self.topics), np.int64)

    def of(self, results: Column | Sequence[int]) -> list[Facet]:
        """The facets of ordered results (equation 3.16), the largest share first."""
        return self._facets([np.asarray(results, np.int64)[: self.k]])

    def general(self, results: Column | Sequence[int]) -> float:
        """The share of results of general importance, which is a facet itself (§3.4.4).

        >>> topics = Topics.of({"Art": [0]})
        >>> Facets(topics=topics, biased=np.array([[9.0], [0.5]]), unbiased=np.array([1.0, 3.0])).general([0, 1])
        0.5
        """
        pages = np.asarray(results, np.int64)[: self.k]
        if not len(pages):
            return 0.0
        return float((self.membership.general(self.biased[pages], self.unbiased[pages]) >= self.theta).mean())

    def _facets(self, samples: list[Column]) -> list[Facet]:
        """The facets of several samples of results together, by the formula in Algorithm 3.1."""
        pages = np.concatenate(samples) if samples else np.empty(0, np.int64)
        shares = (self.members(pages) >= self.theta).mean(axis=0) if len(pages) else np.zeros(len(self.topics))
        order = np.lexsort((np.arange(len(shares)), -shares))
        return [
            Facet(topic, self.topics.names[topic], float(shares[topic])) for topic in order.tolist() if shares[topic]
        ]

    def iterate(
        self,
        results: Column | Sequence[int],
        scores: Column | Sequence[float],
        *,
        start: Sequence[int | None] = (None,),
        most_rounds: int = 1,
    ) -> list[Facet]:
        """The facets of results by Algorithm 3.1: each facet found orders the results anew, which may reveal others.

        Parameters
        ----------
        results, scores : the pages that match a query, and the scores of their texts
        start : the topics to begin with; None means no bias
        most_rounds : the number of rounds at most
        """
        pages, weights = np.asarray(results, np.int64), np.asarray(scores, np.float64)
        known: set[int | None] = set()
        found: set[int | None] = set(start)
        facets: list[Facet] = []
        for _ in range(most_rounds):
            if found <= known:
                break
            known |= found
            order = sorted(known, key=lambda topic: -1 if topic is None else topic)
            facets = self._facets([self._first(pages, weights, topic) for topic in order])
            found = {facet.topic for facet in facets if facet.share >= self.smallest}
        return facets

    def _first(self, pages: Column, weights: Column, topic: int | None) -> Column:
        """The first results by the score of the text times the rank (equation 3.5)."""
        ranks = self.unbiased[pages] if topic is None else self.biased[pages, topic]
        return pages[np.argsort(-weights * ranks, kind="stable")[: self.k]]
