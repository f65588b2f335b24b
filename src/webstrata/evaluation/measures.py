"""The metrics by name: the gold data that each needs, the answers that it scores, and its function.

The metrics of segments compare what people mark: segments that an algorithm gives as ``extra``, the rest of a page and
parts finer than people mark, do not count (see `webstrata.segmentation.Segment`), unless the ground truth is complete.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from math import inf
from typing import Literal

import numpy as np

from webstrata.errors import InputError
from webstrata.evaluation.datasets.base import Gold
from webstrata.evaluation.judge import Submission
from webstrata.evaluation.metrics import (
    Score,
    exact_matching,
    extended_bcubed,
    fuzzy_matching,
    label_scores,
    snippets,
    word_score,
)
from webstrata.evaluation.metrics.areas import shape_bcubed
from webstrata.evaluation.metrics.edges import COARSE, FINE
from webstrata.evaluation.metrics.fields import FIELDS, same_field
from webstrata.evaluation.metrics.matching import Mode
from webstrata.evaluation.metrics.segments import kind_scores
from webstrata.evaluation.metrics.words import characters_or_tokens
from webstrata.page import Page
from webstrata.text import Column

__all__ = ["METRICS", "Metric", "known_metrics", "metrics_for"]

# A score, or a single number (1 is best); and how many texts of the answer were not found in the page.
_Result = tuple[Score | float, int]


@dataclass(frozen=True)
class Metric:
    """A metric.

    Attributes
    ----------
    name : for the command line and reports
    gold : the field of the gold data that it needs, or the name of a metadata field
    answer : the kind of answer that it scores
    meaning : one line for reports
    measure : its function
    """

    name: str
    gold: Literal["segmentation", "shapes", "text", "labels", "wanted", "unwanted", "title", "author", "date"]
    answer: Literal["segments", "text", "fields"]
    meaning: str
    measure: Callable[[Submission], _Result]


def _matching(given: Submission, match: Callable[..., Score], mode: Mode) -> _Result:
    judge, lost = given.judge, len(given.found.lost)
    if mode == "strict":
        return match(judge.true_texts, given.texts, mode=mode), lost
    return match(judge.marked_texts, given.marked_texts, mode=mode), lost


def _matching_at(given: Submission, first: int, last: float) -> _Result:
    """Strict, fuzzy matching of the segments of some levels."""
    truth, found = given.judge.truth.truth, given.found.segmentation
    relevant, retrieved = (
        [side.text(item) for item in side.segments if first <= item.level <= last] for side in (truth, found)
    )
    return fuzzy_matching(relevant, retrieved), len(given.found.lost)


def _kinds(given: Submission) -> _Result:
    """Strict, fuzzy matching of segments of one kind, all kinds together."""
    scores = kind_scores(given.judge.truth.truth, given.found.segmentation).values()
    hits, retrieved, relevant = (
        sum(getattr(score, name) or 0 for score in scores) for name in ("hits", "retrieved", "relevant")
    )
    return Score.from_counts(hits, retrieved=retrieved, relevant=relevant), len(given.found.lost)


def _mapped(given: Submission, match: Callable[..., Score]) -> _Result:
    return match(given.judge.marked_texts, given.mapped_texts, mode="thesis"), 0


def _agreement(given: Submission, column: int) -> _Result:
    judge, found = given.judge, given.found
    labels = found.segmentation.labels()[judge.truth.words.blocks]
    return judge.truth.agreement(labels)[column], len(found.lost)


def _bcubed(given: Submission) -> _Result:
    judge, found = given.judge, given.found
    own, words = judge.truth.aligned
    seen = judge.truth.words.blocks[words]
    score = extended_bcubed(
        [np.flatnonzero((own >= item.start) & (own < item.stop)) for item in judge.truth.truth.segments],
        [np.flatnonzero((seen >= item.start) & (seen < item.stop)) for item in found.segmentation.segments],
        np.ones(len(own)),
    )
    return score, len(found.lost)


def _bcubed_by(given: Submission, weigh: Callable[[Page], Column]) -> _Result:
    """Extended BCubed over the blocks of the page that algorithms see, with a weight for each."""
    judge, found = given.judge, given.found
    own, words = judge.truth.aligned
    seen = judge.truth.words.blocks[words]
    # A block of the page belongs to the true segments of its words; words of one block may differ in them.
    truth = [np.unique(seen[(own >= item.start) & (own < item.stop)]) for item in judge.truth.truth.segments]
    weights = np.zeros(len(judge.page.blocks))
    weights[seen] = weigh(judge.page)[seen]
    score = extended_bcubed(truth, [np.arange(item.start, item.stop) for item in found.segmentation], weights)
    return score, len(found.lost)


def _bcubed_of_shapes(given: Submission, unit: Literal["pixels", "edges"], width: float = FINE) -> _Result:
    """Extended BCubed over what the picture of the page shows; an answer in texts is the rectangles around these."""
    outlines = given.judge.gold.shapes
    assert outlines is not None
    surface = outlines.with_edges(width) if unit == "edges" else outlines.surface
    return shape_bcubed(outlines.segments, given.shapes, surface, unit), len(given.found.lost)


def _words(given: Submission) -> _Result:
    return word_score(given.judge.gold.text or "", given.answer.text or ""), 0


def _characters(given: Submission) -> _Result:
    gold, answer = given.judge.gold.text or "", given.answer.text or ""
    return word_score(gold, answer, tokenise=characters_or_tokens), 0


def _snippets(given: Submission, share: Literal["found_share", "avoided_share"]) -> _Result:
    gold = given.judge.gold
    counts = snippets(given.answer.text or "", gold.wanted, gold.unwanted)
    return float(getattr(counts, share)), 0


def _all_snippets(given: Submission) -> _Result:
    """Snippets as in trafilatura's evaluation: case-sensitive, and an unwanted one lowers precision."""
    gold = given.judge.gold
    return snippets(given.answer.text or "", gold.wanted, gold.unwanted, fold_case=False).score, 0


def _field(given: Submission, name: str) -> _Result:
    return float(same_field(name, given.judge.gold.fields[name], (given.answer.fields or {}).get(name))), 0


def _labels(given: Submission) -> _Result:
    """Content or boilerplate, block by block, weighted by words; averages of both classes as in Weka."""
    judge, (keep, unmapped) = given.judge, given.kept
    assert judge.gold.labels is not None
    shown = ~judge.page.blocks.hidden
    truth = (judge.gold.labels[shown] > 0).astype(np.int64)
    scores = label_scores(truth, keep[shown].astype(np.int64), judge.page.blocks.words[shown])
    return scores.average, unmapped


def _of_segments(name: str, meaning: str, measure: Callable[[Submission], _Result]) -> Metric:
    return Metric(name, "segmentation", "segments", meaning, measure)


METRICS: dict[str, Metric] = {
    metric.name: metric
    for metric in (
        _of_segments("exact", "F of segments with equal texts; each counts",
                     partial(_matching, match=exact_matching, mode="strict")),
        _of_segments("fuzzy", "F of segments with texts over 80% alike; each counts",
                     partial(_matching, match=fuzzy_matching, mode="strict")),
        _of_segments("fuzzy-greedy", "fuzzy, where each segment takes the first match that is left",
                     partial(_matching, match=partial(fuzzy_matching, pairing="greedy"), mode="strict")),
        _of_segments("fuzzy-level-1", "fuzzy, of the segments of the first level alone",
                     partial(_matching_at, first=1, last=1)),
        _of_segments("fuzzy-level-2", "fuzzy, of the segments of all finer levels",
                     partial(_matching_at, first=2, last=inf)),
        _of_segments("kinds", "fuzzy, where a match must be of the same kind as well", _kinds),
        _of_segments("exact-thesis", "exact, on sets of all character data, as in Kreuzer 2013",
                     partial(_matching, match=exact_matching, mode="thesis")),
        _of_segments("fuzzy-thesis", "fuzzy, on sets of all character data, as in Kreuzer 2013",
                     partial(_matching, match=fuzzy_matching, mode="thesis")),
        _of_segments("exact-mapped", "exact-thesis, on texts that are searched for in the page",
                     partial(_mapped, match=exact_matching)),
        _of_segments("fuzzy-mapped", "fuzzy-thesis, on texts that are searched for in the page",
                     partial(_mapped, match=fuzzy_matching)),
        _of_segments("adjusted-rand", "adjusted Rand index over words (Kohlschütter & Nejdl 2008)",
                     partial(_agreement, column=0)),
        _of_segments("nmi", "normalised mutual information over words (Kohlschütter & Nejdl 2008)",
                     partial(_agreement, column=1)),
        _of_segments("bcubed", "extended BCubed F over words", _bcubed),
        _of_segments("bcubed-characters", "extended BCubed F over the characters of blocks",
                     partial(_bcubed_by, weigh=lambda page: page.blocks.chars)),
        _of_segments("bcubed-nodes", "extended BCubed F over blocks, the text nodes of a page",
                     partial(_bcubed_by, weigh=lambda page: np.ones(len(page.blocks)))),
        Metric("bcubed-pixels", "shapes", "segments", "extended BCubed F over pixels (Kiesel et al. 2020)",
               partial(_bcubed_of_shapes, unit="pixels")),
        Metric("bcubed-edges-fine", "shapes", "segments", "extended BCubed F over the pixels of fine edges",
               partial(_bcubed_of_shapes, unit="edges", width=FINE)),
        Metric("bcubed-edges-coarse", "shapes", "segments", "extended BCubed F over the pixels of coarse edges",
               partial(_bcubed_of_shapes, unit="edges", width=COARSE)),
        Metric("words", "text", "text", "F1 of the words of the content, as bags", _words),
        Metric("characters", "text", "text", "words, but of Chinese and Japanese the characters", _characters),
        Metric("snippets-found", "wanted", "text", "share of the snippets of the content that were kept",
               partial(_snippets, share="found_share")),
        Metric("snippets-avoided", "unwanted", "text", "share of the snippets of boilerplate that were left out",
               partial(_snippets, share="avoided_share")),
        Metric("snippets", "wanted", "text", "F of wanted and unwanted snippets, as in trafilatura's evaluation",
               _all_snippets),
        Metric("title", "title", "fields", "share of pages with the right title", partial(_field, name="title")),
        Metric("author", "author", "fields", "share of pages with the right authors", partial(_field, name="author")),
        Metric("date", "date", "fields", "share of pages with the right date", partial(_field, name="date")),
        Metric("labels", "labels", "text", "F1 of content and boilerplate over words (Kohlschütter 2011)", _labels),
    )
}  # fmt: skip


def known_metrics(names: Iterable[str]) -> tuple[str, ...]:
    """The names; an unknown one raises `InputError`."""
    chosen = tuple(names)
    if unknown := sorted(set(chosen) - METRICS.keys()):
        raise InputError(f"no metric is called {unknown[0]!r}: choose some of {', '.join(METRICS)}")
    return chosen


def metrics_for(gold: Gold, kinds: set[str], names: tuple[str, ...] | None) -> list[Metric]:
    """The metrics that fit the gold data and the kinds of answers, of these names or of all."""
    chosen = METRICS.values() if names is None else [METRICS[name] for name in names]
    present = {
        "segmentation": gold.segmentation is not None,
        "shapes": gold.shapes is not None,
        "text": gold.text is not None,
        "labels": gold.labels is not None,
        "wanted": bool(gold.wanted),
        "unwanted": bool(gold.unwanted),
        **{name: bool(gold.fields.get(name)) for name in FIELDS},
    }
    return [metric for metric in chosen if present[metric.gold] and (not kinds or metric.answer in kinds)]
