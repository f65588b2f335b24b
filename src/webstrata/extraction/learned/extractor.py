"""A learned extractor: boosted trees over the paragraphs of a page, in two passes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product
from typing import Literal

import numpy as np

from webstrata._once import once
from webstrata.errors import InputError
from webstrata.extraction.base import Extraction, Kind
from webstrata.extraction.learned.build_outline import outline as read_outline
from webstrata.extraction.learned.decision import REASONS
from webstrata.extraction.learned.judgement import judge
from webstrata.extraction.learned.model import PAGE_TYPES, Model, shipped
from webstrata.extraction.learned.outline import Outline
from webstrata.page import Page
from webstrata.text import Column

__all__ = ["Learned", "keep_paragraphs"]

# The score from which a paragraph is content. The second pass is trained towards the best F1 at 0.5; a little below
# does better on pages from elsewhere (by .001 to .003 on four data sets of six).
_THRESHOLD = {"recall": 0.25, "balanced": 0.46, "precision": 0.7}

# On pages whose words are those of listings or collections the scores are lower all over: there, a score is enough that
# is this part of the threshold. WCXB gains .0016 by it, listings .006 and collections .013; the other data sets neither
# gain nor lose. 0.55 to 0.75 do as well.
_OF_LISTS = np.array([0.65 if name in ("listing", "collection") else 1 for name in PAGE_TYPES])
_THRESHOLDS = {favour: threshold * _OF_LISTS for favour, threshold in _THRESHOLD.items()}

# With fewer words kept than these the page may carry its content elsewhere. On WCXB it does on one page of 1,358, which
# gains (bench/carried.py); higher limits were tried and lose more than they gain.
_FEW_WORDS = 25


def keep_paragraphs(model: Model, outline: Outline) -> Column:
    """Which paragraphs of a page are kept by default."""
    return judge(model.scorer, outline, _THRESHOLDS["balanced"], _GIVEN[False, True, True])[1]


@dataclass(frozen=True, kw_only=True)
class Learned:
    """Keep the paragraphs that a model, trained on labelled pages of seven kinds, takes for content.

    The shallow features and the decision tree of Kohlschütter 2011 §4.4, taken further. The package's docstring tells
    the five steps from the page to the decision. The score is the chance of content after the second pass. A paragraph
    of eight words and more that was kept before, word for word, is left out: pages often carry the same text once for
    wide screens and once for narrow ones. A sibling of the same kind that says it again is meant, as a chorus is.

    Where hardly a word is kept, what the page carries for its scripts or for other programs is looked at as well (see
    `webstrata.extraction.embedded`), and given beside the blocks.

    Parameters
    ----------
    favour : "balanced" for the best F1; "precision" keeps less, "recall" more
    comments : whether readers' comments are given with the content; `Extraction.comments` has them in any case. On a
        forum, where the posts are all that there is, they are the content
    title : whether the title is given, at its place in text, and first in Markdown and HTML
    captions : whether the captions of figures are given
    tables : whether the text of tables is given; a table that only arranges the page is none
    images, links : whether Markdown and HTML have them; the text of a link is given in any case
    deduplicate : leave out a paragraph that was kept before, word for word
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
    captions: bool = True
    tables: bool = True
    images: bool = True
    links: bool = True
    deduplicate: bool = True
    model: str | None = None

    def __post_init__(self) -> None:
        if self.favour not in _THRESHOLDS:
            raise InputError(f"favour must be one of {', '.join(_THRESHOLDS)}, not {self.favour!r}")

    @once
    def _spelling(self) -> str:
        return repr(self)

    def __call__(self, page: Page) -> Extraction:
        model = shipped() if self.model is None else _load(self.model)
        thresholds, given = _THRESHOLDS[self.favour], _GIVEN[self.comments, self.title, self.captions]
        outline, keep, kind, reason, score = judge(model.scorer, page, thresholds, given, deduplicate=self.deduplicate)
        keep_of, kind_of, reason_of, score_of = outline.spread(keep, kind, reason, score)
        if not self.tables:
            keep_of, reason_of = _leave_out_tables(page, keep_of, reason_of)
        found = Extraction(
            page,
            keep_of,
            kind_of,
            score_of,
            reason_of,
            REASONS,
            self._spelling,
            images=self.images,
            links=self.links,
            explain=self.explain,
        )
        if outline.words(keep) >= _FEW_WORDS:
            return found
        from webstrata.extraction.embedded import carried  # few pages need it: keep the import light

        text = carried(page, comments=self.comments)
        return found if text is None else replace(found, carried=text)

    def explain(self, page: Page) -> list[str]:
        """For each block of a page the three features that moved the score of its paragraph most, in words."""
        from webstrata.extraction.learned.influences import in_words, influences  # few ask for it

        outline = read_outline(page)
        model = shipped() if self.model is None else _load(self.model)
        told = ["; ".join(map(in_words, moved)) for moved in influences(model, outline)]
        (number,) = outline.spread(np.arange(len(told)))
        return [told[each] for each in number.tolist()]


def _leave_out_tables(page: Page, keep: Column, reason: Column) -> tuple[Column, Column]:
    """The decisions and the reasons without what stands in tables of data."""
    from webstrata.extraction.structure.content import in_tables  # few ask for it: keep the import light

    inside = in_tables(page, keep)
    return keep & ~inside, np.where(inside, REASONS.index("in a table"), reason)


def _given(comments: bool, title: bool, captions: bool) -> bytes:
    """By the number of a kind, whether it is given."""
    given = {Kind.CONTENT: True, Kind.CAPTION: captions, Kind.TITLE: title, Kind.COMMENT: comments}
    return bytes(given.get(kind, False) for kind in Kind)


_GIVEN = {choice: _given(*choice) for choice in product((False, True), repeat=3)}


@lru_cache(maxsize=8)
def _load(file: str) -> Model:
    return Model.load(file)
