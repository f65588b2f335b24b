"""Rankings: how occurrences of terms become scores.

All rankings have one form. An occurrence of a term counts by the weight of its block, and the frequency of a term in a
page is the sum of these weights. The term adds its *impact* to the score of the page:
idf · frequency · (k1 + 1) / (frequency + k1), where idf = log(1 + (N − n + ½) / (n + ½)) for n of N pages with the
term. The length of a page, which BM25 divides the frequency by, is part of the weight. So a ranking is a column of
weights, and its impacts can be computed when the index is built.

A ranking may be followed by steps, as in ``bm25+min-words(minimum=11)+pagerank``: selections choose blocks by their
text, at query time (Kohlschütter 2011 §4.4.5); `TimesRank` multiplies scores (§3.4.4).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, Protocol

import numpy as np

from webstrata._once import once
from webstrata._spelling import Step
from webstrata.registry import Entry, Registry
from webstrata.search.blocks import BlockTable
from webstrata.search.documents import ANCHOR, CONTENT, HEADING, STRATA, TEMPLATE, TITLE
from webstrata.text import Column

__all__ = [
    "BM25",
    "BM25F",
    "BM25NT",
    "RANKINGS",
    "STEPS",
    "Closeness",
    "RankingRecipe",
    "SegmentAware",
    "SelectByBTE",
    "SelectByDensity",
    "SelectByWords",
    "Selection",
    "Strata",
    "TimesRank",
    "Weighting",
]  # fmt: skip


class Weighting(Protocol):
    """A column of weights, and the saturation k1 of frequencies."""

    @property
    def k1(self) -> float: ...

    def weights(self, blocks: BlockTable) -> Column:
        """The weight of an occurrence in each block, the length of its page included."""
        ...


def _by_length(blocks: BlockTable, weight: Column, b: float) -> Column:
    """Weights divided by the length of the page: 1 − b + b · length / mean length, in weighted terms."""
    weight = np.where(blocks.counted, weight, 0.0)
    length = np.bincount(blocks.page, blocks.tokens * weight, minlength=blocks.pages)
    alive = int(blocks.alive.sum())
    mean = length.sum() / alive if alive else 0.0
    if mean <= 0:
        return np.zeros(len(weight), np.float32)
    return np.asarray(weight / (1 - b + b * length / mean)[blocks.page], np.float32)


@dataclass(frozen=True, kw_only=True)
class BM25:
    """BM25 over whole pages with their titles, without strata.

    Parameters
    ----------
    k1 : the saturation of frequencies: higher values saturate later
    b : the influence of the length of a page, 0 to 1
    """

    k1: float = 1.2
    b: float = 0.75

    def weights(self, blocks: BlockTable) -> Column:
        return _by_length(blocks, np.where(blocks.stratum == ANCHOR, 0.0, 1.0), self.b)


@dataclass(frozen=True, kw_only=True)
class BM25NT:
    """BM25 without templates (Fernandes et al. 2011 §5.3).

    Parameters
    ----------
    k1, b : as of `BM25`
    templates : the definition of templates: "class" (segment classes that repeat), "fingerprint" (paragraphs of many
        pages), or "extractor" (blocks that the extractor leaves out)
    """

    k1: float = 1.2
    b: float = 0.75
    templates: Literal["class", "fingerprint", "extractor"] = "class"

    def weights(self, blocks: BlockTable) -> Column:
        if self.templates == "class":
            assert blocks.classes is not None
            out = blocks.of_class(blocks.classes.template)
        else:
            out = blocks.repeated if self.templates == "fingerprint" else blocks.stratum == TEMPLATE
        return _by_length(blocks, np.where((blocks.stratum == ANCHOR) | out, 0.0, 1.0), self.b)


@dataclass(frozen=True, kw_only=True)
class SegmentAware:
    """Segment-aware BM25: an occurrence counts by the weight of its segment class (`webstrata.search.blocks`).

    Parameters
    ----------
    k1, b : as of `BM25`
    reading : of the weights: "vocabulary" or "occurrence"
    power : the exponent of the weights; higher ones are even better on sites with large templates, and worse than BM25
        on sites with small ones
    """

    k1: float = 1.2
    b: float = 0.75
    reading: Literal["vocabulary", "occurrence"] = "vocabulary"
    power: float = 2.0

    def weights(self, blocks: BlockTable) -> Column:
        assert blocks.classes is not None
        weight = blocks.of_class(blocks.classes.weight[self.reading] ** self.power)
        return _by_length(blocks, np.where(blocks.stratum == ANCHOR, 0.0, weight), self.b)


@dataclass(frozen=True, kw_only=True)
class BM25F:
    """BM25 over strata: the frequency is a weighted sum over strata, each divided by its own length first.

    Parameters
    ----------
    k1, b : as of `BM25`
    title, heading, content, template, anchor : the weights of the strata
    reading : "" or a reading of `SegmentAware`: weights in the page's own text are multiplied by its class weights
    power : the exponent of the class weights
    exact, passage, order : the weights of closeness (`webstrata.search.passages`)
    forms : the weight of other forms of the words of a query (`webstrata.search.widening`)

    Reference: S. Robertson, H. Zaragoza and M. Taylor, Simple BM25 extension to multiple weighted fields, CIKM 2004.
    """

    k1: float = 1.2
    b: float = 0.75
    title: float = 5.0
    heading: float = 3.0
    content: float = 1.0
    template: float = 0.2
    anchor: float = 3.0
    reading: Literal["", "vocabulary", "occurrence"] = ""
    power: float = 1.0
    exact: float = 0.0
    passage: float = 0.0
    order: float = 0.0
    forms: float = 0.0

    def weights(self, blocks: BlockTable) -> Column:
        weight = np.zeros(len(blocks.stratum), np.float32)
        inner = np.ones(len(weight))
        if self.reading:
            assert blocks.classes is not None
            inner = blocks.of_class(blocks.classes.weight[self.reading] ** self.power)
        for number, name in enumerate(STRATA):
            own = blocks.stratum == number
            factor = getattr(self, name) * (inner if number in (HEADING, CONTENT, TEMPLATE) else 1.0)
            found = _by_length(blocks, np.where(own, factor, 0.0), self.b)
            # A stratum is divided by its own length only; its weight does not depend on it.
            weight[own] = found[own]
        return weight


@dataclass(frozen=True, kw_only=True)
class Strata(BM25F):
    """`BM25F` with class weights in the page's own text: the best combination on the sites that were measured.

    The weights of segment classes decide on templates, so that tables of contents and a page's own navigation count and
    menus that all pages share do not. The weights of strata are the best ones on six sites of seven, whichever is left
    out (``bench/search_choice.py``), for queries that name a page. Those of closeness were chosen for four kinds of
    queries on manuals for development (``bench/search_manuals.py``). ``docs/search.md`` has the figures of others.
    """

    title: float = 80.0
    heading: float = 10.0
    template: float = 1.0
    reading: Literal["", "vocabulary", "occurrence"] = "vocabulary"
    exact: float = 6.0
    passage: float = 1.0
    order: float = 2.0
    forms: float = 0.2


@dataclass(frozen=True, kw_only=True)
class Closeness:
    """The weights of the parts of closeness; 0 leaves a part out."""

    exact: float = 0.0
    passage: float = 0.0
    order: float = 0.0

    def __bool__(self) -> bool:
        return bool(self.exact or self.passage or self.order)


class Selection(Protocol):
    """A choice of blocks by their text."""

    def chosen(self, blocks: BlockTable) -> Column: ...


@dataclass(frozen=True, kw_only=True)
class SelectByWords:
    """Selects blocks with at least ``minimum`` words, and titles and anchors (Kohlschütter 2011 §4.4.5)."""

    minimum: int = 11

    def chosen(self, blocks: BlockTable) -> Column:
        return np.asarray(blocks.column("words") >= self.minimum) | _outside(blocks)


@dataclass(frozen=True, kw_only=True)
class SelectByDensity:
    """Selects blocks with at least this text density, and titles and anchors (Kohlschütter 2011 §4.4.5)."""

    minimum: float = 14.0

    def chosen(self, blocks: BlockTable) -> Column:
        return np.asarray(blocks.column("density") >= self.minimum) | _outside(blocks)


@dataclass(frozen=True, kw_only=True)
class SelectByBTE:
    """Selects blocks that body text extraction keeps, and titles and anchors (Kohlschütter 2011 §4.4.5)."""

    def chosen(self, blocks: BlockTable) -> Column:
        return blocks.column("bte").astype(bool) | _outside(blocks)


def _outside(blocks: BlockTable) -> Column:
    return np.asarray((blocks.stratum == TITLE) | (blocks.stratum == ANCHOR))


@dataclass(frozen=True, kw_only=True)
class TimesRank:
    """Multiplies scores by the rank of the page, which is 1 on average (Kohlschütter 2011 equation 3.5).

    Parameters
    ----------
    power : the exponent of the rank; 1 in the thesis
    topic : the topic of biased ranks; "" for unbiased ranks. Several are combined linearly (equation 3.6), with weights
        if they have them: "Science, Art" or "Science=2, Art=1"
    """

    power: float = 1.0
    topic: str = ""


@dataclass(frozen=True, kw_only=True)
class RankingRecipe:
    """A ranking, as users spell it: weights and the steps that follow.

    >>> RANKINGS.make("bm25+min-words(minimum=5)+pagerank(power=0.5)").steps
    (SelectByWords(minimum=5), TimesRank(power=0.5, topic=''))
    """

    weighting: Weighting
    steps: tuple[SelectByWords | SelectByDensity | SelectByBTE | TimesRank, ...] = ()

    @property
    def k1(self) -> float:
        return self.weighting.k1

    def weights(self, blocks: BlockTable) -> Column:
        for step in self.steps:
            if not isinstance(step, TimesRank):
                chosen = step.chosen(blocks)
                blocks = replace(blocks, chosen=chosen if blocks.chosen is None else chosen & blocks.chosen)
        return self.weighting.weights(blocks)

    @once
    def priors(self) -> tuple[TimesRank, ...]:
        """The steps that multiply scores."""
        return tuple(step for step in self.steps if isinstance(step, TimesRank))

    @once
    def closeness(self) -> Closeness:
        """The weights of closeness."""
        if not isinstance(self.weighting, BM25F):
            return Closeness()
        return Closeness(exact=self.weighting.exact, passage=self.weighting.passage, order=self.weighting.order)

    @property
    def forms(self) -> float:
        """The weight of other forms of the words of a query."""
        return self.weighting.forms if isinstance(self.weighting, BM25F) else 0.0

    @once
    def unranked(self) -> RankingRecipe:
        """The recipe without steps that multiply scores."""
        return replace(self, steps=tuple(step for step in self.steps if not isinstance(step, TimesRank)))

    @once
    def matching(self) -> RankingRecipe:
        """The recipe of impacts alone: those of the same matching have the same impacts."""
        weighting = self.weighting
        if isinstance(weighting, BM25F):
            weighting = replace(weighting, exact=0.0, passage=0.0, order=0.0, forms=0.0)
        return replace(self.unranked, weighting=weighting)


class _Rankings(Registry[RankingRecipe]):
    """Rankings with steps after them."""

    def build(self, steps: Sequence[Step]) -> RankingRecipe:
        first, *rest = steps
        return RankingRecipe(weighting=_PLAIN.build((first,)), steps=tuple(STEPS.build((step,)) for step in rest))

    def spell(self, algorithm: RankingRecipe) -> str:
        return "+".join((_PLAIN.spell(algorithm.weighting), *map(STEPS.spell, algorithm.steps)))


_HERE = "webstrata.search.rankings:"
_ENTRIES = {
    "bm25": Entry(f"{_HERE}BM25", "Fernandes et al. 2011 §5.3"),
    "bm25nt": Entry(f"{_HERE}BM25NT", "Fernandes et al. 2011 §5.3"),
    "bm25f": Entry(f"{_HERE}BM25F", "Robertson et al. 2004"),
    "segment-aware": Entry(f"{_HERE}SegmentAware", "Fernandes et al. 2011 §3"),
    "strata": Entry(f"{_HERE}Strata", "Fernandes et al. 2011 §3, taken further"),
}
_PLAIN: Registry[Weighting] = Registry("ranking", "webstrata.rankings", _ENTRIES)

#: The rankings by name.
RANKINGS: Registry[RankingRecipe] = _Rankings("ranking", "webstrata.rankings", _ENTRIES)

#: The steps that may follow a ranking, by name.
STEPS: Registry[SelectByWords | SelectByDensity | SelectByBTE | TimesRank] = Registry(
    "step of a ranking",
    "webstrata.ranking_steps",
    {
        "min-words": Entry(f"{_HERE}SelectByWords", "Kohlschütter 2011 §4.4.5"),
        "min-density": Entry(f"{_HERE}SelectByDensity", "Kohlschütter 2011 §4.4.5"),
        "bte": Entry(f"{_HERE}SelectByBTE", "Kohlschütter 2011 §4.4.5"),
        "pagerank": Entry(f"{_HERE}TimesRank", "Kohlschütter 2011 §3.4.4"),
    },
)
