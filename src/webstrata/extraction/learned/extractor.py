"""A learned extractor: boosted trees over the paragraphs of a page, in two passes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

import numpy as np

from webstrata.errors import InputError
from webstrata.extraction.base import Extraction, Kind
from webstrata.extraction.learned.build_outline import outline as read_outline
from webstrata.extraction.learned.decision import REASONS, decide
from webstrata.extraction.learned.model import Model, shipped
from webstrata.extraction.learned.outline import Outline
from webstrata.page import Page
from webstrata.text import Column

__all__ = ["Learned", "keep_paragraphs"]

# The score from which a paragraph is content. The second pass is trained towards the best F1 at 0.5.
_THRESHOLDS = {"recall": 0.3, "balanced": 0.5, "precision": 0.7}

# With fewer words kept than these the page may carry its content elsewhere. On WCXB it does on one page of 1,358, which
# gains (bench/carried.py); higher limits were tried and lose more than they gain.
_FEW_WORDS = 25


def keep_paragraphs(model: Model, outline: Outline) -> Column:
    """Which paragraphs of a page are kept by default."""
    kind, _ = decide(outline, *model.scorer.passes(outline), _THRESHOLDS["balanced"])
    return _KEPT[False, True][kind]


@dataclass(frozen=True, kw_only=True)
class Learned:
    """Keep the paragraphs that a model, trained on labelled pages of seven kinds, takes for content.

    The shallow features and the decision tree of Kohlschütter 2011 §4.4, taken further. Paragraphs are runs of blocks
    that only inline tags part. The first pass sees counts, densities, tags, the words of classes, ids and headings, the
    shares of each ancestor, and what repeats; the second one sees the first one's scores of neighbours, siblings and
    ancestors besides, so that regions come and go together. The score is the second pass's chance of content. A
    paragraph of eight words and more that was kept before, word for word, is left out: pages often carry the same text
    once for wide screens and once for narrow ones.

    Where hardly a word is kept, what the page carries for its scripts or for other programs is looked at as well (see
    `webstrata.extraction.embedded`), and given beside the blocks.

    Parameters
    ----------
    favour : "balanced" for the best F1; "precision" keeps less, "recall" more
    comments : whether comments may be content; without them, what stands under an element that is called one is left
        out (on a forum, whose posts are often called comments, that can be everything)
    model : a file made by ``webstrata train``; the model of this package when None

    >>> from webstrata.page import parse
    >>> page = parse("<nav><a href=/>Home</a></nav>")
    >>> Learned(favour="precision")(page).text
    ''

    Reference: C. Kohlschütter, Exploiting Links and Text Structure on the Web, PhD thesis, Hannover 2011, section 4.4.
    """

    favour: Literal["balanced", "precision", "recall"] = "balanced"
    comments: bool = False
    title: bool = True
    deduplicate: bool = True
    model: str | None = None

    def __post_init__(self) -> None:
        if self.favour not in _THRESHOLDS:
            raise InputError(f"favour must be one of {', '.join(_THRESHOLDS)}, not {self.favour!r}")

    def __call__(self, page: Page) -> Extraction:
        outline = read_outline(page)
        model = shipped() if self.model is None else _load(self.model)
        first, score = model.scorer.passes(outline)
        kind, reason = decide(outline, first, score, _THRESHOLDS[self.favour], deduplicate=self.deduplicate)
        keep = _KEPT[self.comments, self.title][kind]
        score_of, keep_of, kind_of, reason_of = outline.spread(score, keep, kind, reason)
        found = Extraction(page, keep_of, kind_of, score_of, reason_of, REASONS, repr(self))
        if outline.words(keep) >= _FEW_WORDS:
            return found
        from webstrata.extraction.embedded import carried  # few pages need it: keep the import light

        return replace(found, carried=carried(page, comments=self.comments))


def _given(comments: bool, title: bool) -> Column:
    """By the number of a kind, whether it is given."""
    given = {Kind.CONTENT: True, Kind.CAPTION: True, Kind.TITLE: title, Kind.COMMENT: comments}
    return np.array([given.get(kind, False) for kind in Kind])


_KEPT = {(comments, title): _given(comments, title) for comments in (False, True) for title in (False, True)}


@lru_cache(maxsize=8)
def _load(file: str) -> Model:
    return Model.load(file)
