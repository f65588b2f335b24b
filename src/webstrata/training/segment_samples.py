"""Training data of the segmenter: pages with known segments, the candidates that match them, and their folds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

import numpy as np
import numpy.typing as npt

from webstrata.errors import InputError
from webstrata.evaluation.datasets.base import Item, PageInput
from webstrata.evaluation.datasets.folds import fold_of
from webstrata.evaluation.datasets.recordings import recorded, recording_path
from webstrata.segmentation import Segment, Segmentation
from webstrata.segmentation.learned.model import ALL_KINDS, DescribedPage, Matrix

__all__ = ["EXACT", "FUZZY", "SegmentSample", "candidate_texts", "match_texts", "samples_of"]

#: How the text of a candidate matches that of a segment.
FUZZY, EXACT = 1, 2

# What makes two texts match, as in `webstrata.evaluation.metrics.fuzzy_matching`.
_ALIKE = 0.8

_KIND = {name: number for number, name in enumerate(ALL_KINDS)}

Matches = npt.NDArray[np.int8]


@dataclass(frozen=True, eq=False)
class SegmentSample:
    """One version of a page.

    Attributes
    ----------
    name, dataset, version : the page, its data set, and its version: "dom" or "html"
    fold : by its host
    page : its candidates
    matrix : their features, one row each, with those for parts
    matches : how each candidate (row) matches each known segment with text (column): 0, `FUZZY` or `EXACT`
    kinds : the kind of each known segment, as a number in `ALL_KINDS`; -1 where it is another
    complete : whether the known segments are all parts of the page: it trains the trees for parts
    """

    name: str
    dataset: str
    version: str
    fold: int
    page: DescribedPage
    matrix: Matrix
    matches: Matches
    kinds: npt.NDArray[np.int64]
    complete: bool


def samples_of(item: Item, dataset: str, *, rendered: bool) -> Iterator[SegmentSample]:
    """The versions of a page of a data set that has segments; with boxes, those that are recorded."""
    if item.gold.segmentation is None:
        raise InputError(f"{dataset} has no segments: name a data set of segmentations")
    truth = item.gold.segmentation
    for version, document in item.inputs.items():
        if rendered and not recording_path(document).is_file():
            continue
        page = _describe(document, rendered)
        known = [segment for segment in truth.segments if truth.text(segment).strip()]
        texts = [_bare(truth.text(segment)) for segment in known]
        yield SegmentSample(
            item.name,
            dataset,
            version,
            fold_of(document.url or "", item.name),
            page,
            page.matrix(np.arange(len(page.candidates), dtype=np.int32), parts=True),
            match_texts(candidate_texts(page), texts),
            np.array([_KIND.get(segment.kind, -1) for segment in known], np.int64),
            item.gold.complete,
        )


def _describe(document: PageInput, rendered: bool) -> DescribedPage:
    return DescribedPage.of(recorded(document) if rendered else document.page())


def candidate_texts(page: DescribedPage) -> list[str]:
    """The text of each candidate without its white space."""
    ranges = page.candidates.ranges().tolist()
    return [_bare(text) for text in Segmentation(page.page, tuple(Segment(*pair) for pair in ranges), "").texts()]


def _bare(text: str) -> str:
    return "".join(text.split())


def match_texts(found: Sequence[str], truth: Sequence[str]) -> Matches:
    """How each found text (row) matches each true one (column), as the metrics compare them.

    >>> match_texts(["Sport", "The whole story!"], ["Sport", "The whole story", ""]).tolist()
    [[2, 0, 0], [0, 1, 0]]
    """
    matches = np.zeros((len(found), len(truth)), np.int8)
    lengths = np.array([len(text) for text in found], np.int64)
    letters: dict[int, Counter[str]] = {}
    matcher = SequenceMatcher(None, "", "", autojunk=True)
    for column, wanted in enumerate(truth):
        if not wanted:
            continue
        near = 2 * np.minimum(lengths, len(wanted)) > _ALIKE * (lengths + len(wanted))
        wanted_letters = Counter(wanted) if near.any() else Counter()
        for row in np.flatnonzero(near).tolist():
            text = found[row]
            if text == wanted:
                matches[row, column] = EXACT
                continue
            if row not in letters:
                letters[row] = Counter(text)
            shared = (wanted_letters & letters[row]).total()
            if 2 * shared > _ALIKE * (len(text) + len(wanted)):
                # The matcher caches its index of the second sequence.
                matcher.set_seq2(wanted)
                matcher.set_seq1(text)
                matches[row, column] = FUZZY if matcher.ratio() > _ALIKE else 0
    return matches
