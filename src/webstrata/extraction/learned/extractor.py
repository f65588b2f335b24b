"""A learned extractor: boosted trees over the paragraphs of a page, in two passes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product, repeat
from typing import Literal

import numpy as np

from webstrata._once import once
from webstrata.errors import InputError
from webstrata.extraction.base import Extraction, Kind
from webstrata.extraction.causes import Cause
from webstrata.extraction.learned.decision import REASONS, STEPS
from webstrata.extraction.learned.hidden import hidden_to_drop
from webstrata.extraction.learned.model import PAGE_TYPES, ExtractorModel, shipped
from webstrata.extraction.learned.page_features import PageFeatures
from webstrata.extraction.learned.pipeline import classify_paragraphs
from webstrata.extraction.learned.reading import read_page
from webstrata.page import Page
from webstrata.text import Column

__all__ = ["LearnedExtractor", "keep_paragraphs"]

# The score from which a paragraph is content. The second pass is trained towards the best F1 at 0.5; a little below
# does better on pages from elsewhere (by .001 to .003 on four data sets of six).
_THRESHOLD = {"recall": 0.25, "balanced": 0.46, "precision": 0.7}

# All scores are lower on pages that look like listings or collections, so this part of the threshold is enough there.
# WCXB gains .0016 by it, listings .006 and collections .013; other data sets do not change. 0.55 to 0.75 do as well.
_OF_LISTS = np.array([0.65 if name in ("listing", "collection") else 1 for name in PAGE_TYPES])
_THRESHOLDS = {favour: threshold * _OF_LISTS for favour, threshold in _THRESHOLD.items()}

# With fewer words kept, the page may have its content in its scripts. On WCXB one page of 1,358 has, and gains
# (bench/carried.py); higher limits lose more than they gain.
_FEW_WORDS = 25


def keep_paragraphs(
    model: ExtractorModel, features: PageFeatures, *, comments: bool = False, title: bool = True, captions: bool = True
) -> Column:
    """Which paragraphs of a page are kept by a model."""
    return classify_paragraphs(model.scorer, features, _THRESHOLDS["balanced"], _GIVEN[comments, title, captions])[1]


@dataclass(frozen=True, kw_only=True)
class LearnedExtractor:
    """Keep the paragraphs that a model, trained on labelled pages of seven kinds, classifies as content.

    The shallow features and the decision tree of Kohlschütter 2011 §4.4, taken further. The docstring of the package
    lists the five stages from the page to the decision. The score is the chance of content after the second pass.

    Where hardly a word is kept, the data for scripts and other programs in the page is searched as well (see
    `webstrata.extraction.embedded`), and given beside the blocks.

    Parameters
    ----------
    favour : "balanced" for the best F1; "precision" keeps less, "recall" more
    comments : whether readers' comments are given with the content; `Extraction.comments` has them in either case. In a
        forum, where the posts are all there is, they are the content
    title : whether the title is given, at its place in text, and first in Markdown and HTML
    captions : whether the captions of figures are given
    tables : whether the text of data tables is given; layout tables do not count
    images, links : whether Markdown and HTML have them; the text of a link is given in either case
    deduplicate : whether a paragraph of eight or more words is left out where the same text was kept before: pages
        often have it twice, for wide and for narrow screens. A sibling of the same kind is kept, such as a chorus
    hidden : "drop" leaves out text that the page hides from its readers, unless that is more than half of the text;
        "keep" gives it like any other text. What the page opens by itself, such as a tab or a slide, counts as shown
        (`webstrata.extraction.learned.hidden`)
    model : a file made by ``webstrata train``; the model of this package when None

    >>> from webstrata.page import parse
    >>> page = parse("<nav><a href=/>Home</a></nav>")
    >>> LearnedExtractor(favour="precision")(page).text
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
    hidden: Literal["drop", "keep"] = "drop"
    model: str | None = None

    def __post_init__(self) -> None:
        if self.favour not in _THRESHOLDS:
            raise InputError(f"favour must be one of {', '.join(_THRESHOLDS)}, not {self.favour!r}")
        if self.hidden not in ("drop", "keep"):
            raise InputError(f'hidden must be "drop" or "keep", not {self.hidden!r}')

    @once
    def _spelling(self) -> str:
        return repr(self)

    def __call__(self, page: Page) -> Extraction:
        return self.with_steps(page, STEPS if self.deduplicate else _WITH_REPEATS)

    def with_steps(self, page: Page, steps: tuple[str, ...]) -> Extraction:
        """The extraction by some of the steps of `webstrata.extraction.learned.decision`."""
        model = shipped() if self.model is None else _load(self.model)
        thresholds, given = _THRESHOLDS[self.favour], _GIVEN[self.comments, self.title, self.captions]
        found = classify_paragraphs(model.scorer, page, thresholds, given, steps=steps)
        if self.hidden == "drop" and (left_out := hidden_to_drop(page, found)) is not None:
            found = classify_paragraphs(model.scorer, found[0], thresholds, given, steps=steps, hidden=left_out)
        features, keep, kind, reason, score = found
        keep_of, kind_of, reason_of, score_of = features.spread(keep, kind, reason, score)
        if not self.tables:
            keep_of, reason_of = _leave_out_tables(page, keep_of, reason_of)
        extraction = Extraction(
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
            assess=self.assess,
        )
        if features.words(keep) >= _FEW_WORDS:
            return extraction
        from webstrata.extraction.embedded import carried  # rarely needed: keep the import light

        text = carried(page, comments=self.comments)
        return extraction if text is None else replace(extraction, carried=text)

    def assess(self, extraction: Extraction) -> float | None:
        """The confidence of an extraction; None if the model has none beside it."""
        from webstrata.extraction.learned.confidence import beside  # often not needed: keep the import light

        model = beside(self.model)
        return None if model is None else model(extraction)

    def explain(self, page: Page) -> Iterator[tuple[Cause, ...]]:
        """For each block of a page, the three features that influenced the score of its paragraph most.

        They are computed as they are taken: those of a page of short blocks take a hundred times its memory.
        """
        # Rarely needed: keep the import light.
        from webstrata.extraction.learned.influences import in_numbers, influences
        from webstrata.extraction.learned.plain_words import in_plain_words

        features = read_page(page)
        model = shipped() if self.model is None else _load(self.model)
        (paragraph,) = features.spread(np.arange(len(features)))
        blocks = np.bincount(paragraph, minlength=len(features)).tolist()
        for strongest, count in zip(influences(model, features), blocks, strict=True):
            causes = tuple(
                Cause(in_plain_words(each.subject, each.feature, each.value, each.moved), each.moved, in_numbers(each))
                for each in strongest
            )
            yield from repeat(causes, count)


def _leave_out_tables(page: Page, keep: Column, reason: Column) -> tuple[Column, Column]:
    """The decisions and the reasons without the text of data tables."""
    from webstrata.extraction.structure.content import in_tables  # rarely needed: keep the import light

    inside = in_tables(page, keep)
    return keep & ~inside, np.where(inside, REASONS.index("in a table"), reason)


def _given(comments: bool, title: bool, captions: bool) -> bytes:
    """For each kind, by number, whether it is given."""
    given = {Kind.CONTENT: True, Kind.CAPTION: captions, Kind.TITLE: title, Kind.COMMENT: comments}
    return bytes(given.get(kind, False) for kind in Kind)


_WITH_REPEATS = tuple(step for step in STEPS if step != "drop_repeats")
_GIVEN = {choice: _given(*choice) for choice in product((False, True), repeat=3)}


@lru_cache(maxsize=8)
def _load(file: str) -> ExtractorModel:
    return ExtractorModel.load(file)
