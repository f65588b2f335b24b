"""One page as its judge: what is true of it, made ready for many answers, and the measures by name."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from math import inf
from typing import Literal

import numpy as np

from webstrata._once import once
from webstrata.errors import InputError
from webstrata.evaluation.answers.files import PageAnswer
from webstrata.evaluation.answers.mapper import BlockMapper
from webstrata.evaluation.datasets.base import Gold, PageInput
from webstrata.evaluation.metrics import (
    Score,
    exact_matching,
    extended_bcubed,
    fuzzy_matching,
    label_scores,
    snippets,
    word_score,
)
from webstrata.evaluation.metrics.blockhtml import Characters, marked_texts, segment_texts
from webstrata.evaluation.metrics.fields import FIELDS, same_field
from webstrata.evaluation.metrics.matching import Mode
from webstrata.evaluation.metrics.segments import Truth
from webstrata.page import Page
from webstrata.segmentation import Segment, Segmentation
from webstrata.text import Column

__all__ = ["METRICS", "Found", "Judge", "Metric", "Submission", "known_metrics", "metrics_for"]


@dataclass(frozen=True, eq=False)
class Found:
    """The segments of an answer on the page, and the texts that could not be placed there."""

    segmentation: Segmentation
    lost: tuple[str, ...] = ()


class Judge:
    """The gold data of a page and the input that algorithms saw, with what all answers need made once."""

    def __init__(self, gold: Gold, document: PageInput) -> None:
        self.gold = gold
        self.document = document

    @once
    def page(self) -> Page:
        """The page that algorithms saw."""
        return self.document.page()

    @once
    def truth(self) -> Truth:
        """The segments of the gold data, aligned with the page."""
        if self.gold.segmentation is None:
            raise InputError("this page has no gold segments")
        return Truth(self.gold.segmentation, self.page)

    @once
    def true_texts(self) -> list[str]:
        """The texts of the gold segments of all levels."""
        return self.truth.truth.texts()

    @once
    def marked_texts(self) -> list[str]:
        """All character data of the marked elements, as Kreuzer 2013 takes it."""
        if self.gold.marked is not None:
            return marked_texts(self.gold.marked)
        truth = self.truth.truth
        return segment_texts(truth, Characters.of(truth.page.source))

    @once
    def characters(self) -> Characters:
        """The character data of the page."""
        return Characters.of(self.page.source)

    @once
    def mapper(self) -> BlockMapper:
        """Finds texts on the page."""
        return BlockMapper(self.page)


@dataclass(frozen=True, eq=False)
class Submission:
    """An answer before its judge."""

    judge: Judge
    answer: PageAnswer

    @once
    def found(self) -> Found:
        """The segments of the answer; texts from outside are mapped onto the page."""
        rows = self.answer.segments or []
        if self.answer.blocks is not None:
            self._check()
            segments = (Segment(row["start"], row["stop"], row["level"], row["kind"]) for row in rows)
            return Found(Segmentation(self.judge.page, tuple(segments), self.answer.algorithm))
        given = [(row["text"], row["level"], row["kind"]) for row in rows]
        segmentation, mapped = self.judge.mapper.segmentation(given, self.answer.algorithm)
        lost = tuple(text for (text, _, _), place in zip(given, mapped.places, strict=True) if place is None)
        return Found(segmentation, lost)

    @once
    def texts(self) -> list[str]:
        """The texts of all segments that a browser shows, those that could not be placed included."""
        return [*self.found.segmentation.texts(), *self.found.lost]

    @once
    def marked_texts(self) -> list[str]:
        """All character data of the segments, as if they were marked in the page that the algorithm saw."""
        rows = self.answer.segments or []
        if rows and all("marked" in row for row in rows):
            return [row["marked"] for row in rows]
        return [*segment_texts(self.found.segmentation, self.judge.characters), *self.found.lost]

    @once
    def mapped_texts(self) -> list[str]:
        """The same of the texts alone, searched for in the page; those that are not found do not count."""
        given = [(row["text"], row["level"], row["kind"]) for row in self.answer.segments or []]
        segmentation, _ = self.judge.mapper.segmentation(given, self.answer.algorithm)
        return segment_texts(segmentation, self.judge.characters)

    @once
    def kept(self) -> tuple[Column, int]:
        """Which blocks an answer with a text keeps, and how many of its lines stand nowhere in the page."""
        keep = np.zeros(len(self.judge.page.blocks), bool)
        if self.answer.keep is not None:
            self._check()
            for start, stop in self.answer.keep:
                keep[start:stop] = True
            return keep, 0
        mapped = self.judge.mapper.places(line for line in (self.answer.text or "").splitlines() if line.strip())
        for place in mapped.places:
            if place is not None:
                keep[place[0] : place[1]] = True
        return keep, mapped.unmapped

    def _check(self) -> None:
        counted, blocks = self.answer.blocks, len(self.judge.page.blocks)
        if counted != blocks:
            raise InputError(
                f"{self.answer.page}: {self.answer.algorithm} counted {counted} blocks, the page has {blocks}: "
                "pages are read in another way now; delete the outputs and run again"
            )


# The measures. Each gives a score, or one number that is best at 1, and how many texts could not be placed.
_Result = tuple[Score | float, int]


def _matching(given: Submission, match: Callable[..., Score], mode: Mode) -> _Result:
    judge, found = given.judge, given.found
    strict = mode == "strict"
    relevant = judge.true_texts if strict else judge.marked_texts
    retrieved = given.texts if strict else given.marked_texts
    return match(relevant, retrieved, mode=mode), len(found.lost)


def _matching_at(given: Submission, first: int, last: float) -> _Result:
    """Strict, fuzzy matching of the segments of some levels."""
    truth, found = given.judge.truth.truth, given.found.segmentation
    relevant, retrieved = (
        [side.text(item) for item in side.segments if first <= item.level <= last] for side in (truth, found)
    )
    return fuzzy_matching(relevant, retrieved), len(given.found.lost)


def _kinds(given: Submission) -> _Result:
    """Strict, fuzzy matching of segments of one kind, all kinds together."""
    truth, found = given.judge.truth.truth, given.found.segmentation
    scores = []
    for kind in sorted({item.kind for side in (truth, found) for item in side.segments}):
        relevant, retrieved = (
            [side.text(item) for item in side.segments if item.kind == kind] for side in (truth, found)
        )
        scores.append(fuzzy_matching(relevant, retrieved if kind else []))
    unnamed = sum(not item.kind and bool(found.text(item).strip()) for item in found.segments)
    hits, retrieved_all, relevant_all = (
        sum(getattr(score, name) or 0 for score in scores) for name in ("hits", "retrieved", "relevant")
    )
    return Score.from_counts(hits, retrieved=retrieved_all + unnamed, relevant=relevant_all), len(given.found.lost)


def _mapped(given: Submission, match: Callable[..., Score]) -> _Result:
    return match(given.judge.marked_texts, given.mapped_texts, mode="thesis"), 0


def _agreement(given: Submission, which: int) -> _Result:
    judge, found = given.judge, given.found
    labels = found.segmentation.labels()[judge.truth.words.blocks]
    return judge.truth.agreement(labels)[which], len(found.lost)


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


def _words(given: Submission) -> _Result:
    return word_score(given.judge.gold.text or "", given.answer.text or ""), 0


def _snippets(given: Submission, which: Literal["found", "avoided"]) -> _Result:
    gold = given.judge.gold
    counts = snippets(given.answer.text or "", gold.wanted, gold.unwanted)
    return (counts.found_share if which == "found" else counts.avoided_share), 0


def _all_snippets(given: Submission) -> _Result:
    """Snippets as trafilatura's evaluation counts them: case counts, and an unwanted one lowers precision."""
    gold = given.judge.gold
    return snippets(given.answer.text or "", gold.wanted, gold.unwanted, fold_case=False).score, 0


def _field(given: Submission, name: str) -> _Result:
    return float(same_field(name, given.judge.gold.fields[name], (given.answer.fields or {}).get(name))), 0


def _labels(given: Submission) -> _Result:
    """Content or boilerplate, block by block, weighted by words; averages of both classes as Weka makes them."""
    judge, (keep, unmapped) = given.judge, given.kept
    assert judge.gold.labels is not None
    shown = ~judge.page.blocks.hidden
    truth = (judge.gold.labels[shown] > 0).astype(np.int64)
    scores = label_scores(truth, keep[shown].astype(np.int64), judge.page.blocks.words[shown])
    return scores.average, unmapped


@dataclass(frozen=True)
class Metric:
    """A measure: which part of the gold data it needs, which kind of answer, and what it means."""

    name: str
    gold: Literal["segmentation", "text", "labels", "wanted", "unwanted", "title", "author", "date"]
    answer: Literal["segments", "text", "fields"]
    meaning: str
    measure: Callable[[Submission], _Result]


METRICS: dict[str, Metric] = {
    metric.name: metric
    for metric in (
        Metric("exact", "segmentation", "segments", "F of segments with equal texts; each counts",
               lambda given: _matching(given, exact_matching, "strict")),
        Metric("fuzzy", "segmentation", "segments", "F of segments with texts over 80% alike; each counts",
               lambda given: _matching(given, fuzzy_matching, "strict")),
        Metric("fuzzy-level-1", "segmentation", "segments", "fuzzy, of the segments of the first level alone",
               lambda given: _matching_at(given, 1, 1)),
        Metric("fuzzy-level-2", "segmentation", "segments", "fuzzy, of the segments of all finer levels",
               lambda given: _matching_at(given, 2, inf)),
        Metric("kinds", "segmentation", "segments", "fuzzy, where a match must be of the same kind as well", _kinds),
        Metric("exact-thesis", "segmentation", "segments", "exact, on sets of all character data, as in Kreuzer 2013",
               lambda given: _matching(given, exact_matching, "thesis")),
        Metric("fuzzy-thesis", "segmentation", "segments", "fuzzy, on sets of all character data, as in Kreuzer 2013",
               lambda given: _matching(given, fuzzy_matching, "thesis")),
        Metric("exact-mapped", "segmentation", "segments", "exact-thesis, on texts that are searched for in the page",
               lambda given: _mapped(given, exact_matching)),
        Metric("fuzzy-mapped", "segmentation", "segments", "fuzzy-thesis, on texts that are searched for in the page",
               lambda given: _mapped(given, fuzzy_matching)),
        Metric("adjusted-rand", "segmentation", "segments",
               "adjusted Rand index over words (Kohlschütter & Nejdl 2008)",
               lambda given: _agreement(given, 0)),
        Metric("nmi", "segmentation", "segments",
               "normalised mutual information over words (Kohlschütter & Nejdl 2008)",
               lambda given: _agreement(given, 1)),
        Metric("bcubed", "segmentation", "segments", "extended BCubed F over words", _bcubed),
        Metric("words", "text", "text", "F1 of the words of the content, as bags", _words),
        Metric("snippets-found", "wanted", "text", "share of the snippets of the content that were kept",
               lambda given: _snippets(given, "found")),
        Metric("snippets-avoided", "unwanted", "text", "share of the snippets of boilerplate that were left out",
               lambda given: _snippets(given, "avoided")),
        Metric("snippets", "wanted", "text", "F of wanted and unwanted snippets, as in trafilatura's evaluation",
               _all_snippets),
        Metric("title", "title", "fields", "share of pages whose title is right", lambda given: _field(given, "title")),
        Metric("author", "author", "fields", "share of pages whose authors are right",
               lambda given: _field(given, "author")),
        Metric("date", "date", "fields", "share of pages whose date is right", lambda given: _field(given, "date")),
        Metric("labels", "labels", "text", "F1 of content and boilerplate over words (Kohlschütter 2011)", _labels),
    )
}  # fmt: skip


def known_metrics(names: Iterable[str]) -> tuple[str, ...]:
    """The names, if each is that of a metric."""
    wanted = tuple(names)
    if unknown := sorted(set(wanted) - METRICS.keys()):
        raise InputError(f"no metric is called {unknown[0]!r}: choose some of {', '.join(METRICS)}")
    return wanted


def metrics_for(gold: Gold, kinds: set[str], names: tuple[str, ...] | None) -> list[Metric]:
    """The measures that these gold data and these kinds of answers allow, among those that are wanted."""
    wanted = METRICS.values() if names is None else [METRICS[name] for name in names]
    present = {
        "segmentation": gold.segmentation is not None,
        "text": gold.text is not None,
        "labels": gold.labels is not None,
        "wanted": bool(gold.wanted),
        "unwanted": bool(gold.unwanted),
        **{name: bool(gold.fields.get(name)) for name in FIELDS},
    }
    return [metric for metric in wanted if present[metric.gold] and (not kinds or metric.answer in kinds)]
