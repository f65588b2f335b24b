"""Steps after a classifier (Kohlschütter 2011 §4.4.3): Extraction in, Extraction out. They only drop blocks."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from webstrata.extraction.base import Extraction
from webstrata.page import Page
from webstrata.text import Column

__all__ = ["LargestContent", "MainContent"]


@dataclass(frozen=True, kw_only=True)
class LargestContent:
    """Keep the content with the highest number of words and drop all other.

    Content here is a run of kept blocks, because an atomic block would be one paragraph only. Runs that are close
    together count as one.

    Parameters
    ----------
    max_distance : the most dropped blocks in a row within a run. The thesis gives no number; on its news pages
        (L3S-GN1) mean F1 after `NumWords` rises from 0.941 at 0 to 0.946 at 2 and 3, and falls after that

    >>> from webstrata.extraction.base import extract
    >>> html = "<p>one two three<hr>" + "<nav>link</nav>" * 9 + "<p>four five six seven<p>eight nine"
    >>> extract(html, "min-words(minimum=2)+largest-content").text
    'four five six seven\\n\\neight nine'

    References
    ----------
    C. Kohlschütter, Exploiting links and text structure on the Web, PhD thesis, Hannover 2011, section 4.4.3.
    """

    max_distance: int = 3

    def __call__(self, extraction: Extraction) -> Extraction:
        largest = _largest_run(extraction.page, extraction.keep, self.max_distance)
        return extraction.dropping(~largest, "beside the largest content")


@dataclass(frozen=True, kw_only=True)
class MainContent:
    """`LargestContent` for news: first drop everything above the title and below the start of the comments.

    The title is a block that holds only the page's ``<title>``, or one of the parts between its bars, dashes and
    colons. The comments start at a block that holds only one of eleven indicators.

    Parameters
    ----------
    max_distance : as for `LargestContent`
    words : the fewest kept words below a title and above the comments. Without this limit a link to the comments at the
        top of an article would drop the article

    Deviations
    ----------
    The thesis names one of its eleven indicator strings ("User comments:"); the others are ours, and so is ``words``.

    >>> from webstrata.extraction.base import extract
    >>> html = "<title>How strata form - News</title><p>Buy now!<h1>How strata form</h1><p>A page comes in layers."
    >>> html += "<h2>Comments</h2><p>First to say so!"
    >>> extract(html, "keep-all+main-content(words=5)").text
    'How strata form\\n\\nA page comes in layers.'

    References
    ----------
    C. Kohlschütter, Exploiting links and text structure on the Web, PhD thesis, Hannover 2011, section 4.4.3.
    """

    max_distance: int = 3
    words: int = 60

    def __call__(self, extraction: Extraction) -> Extraction:
        page, row = extraction.page, np.arange(len(extraction.keep))
        words = np.where(extraction.keep, page.blocks.words, 0)
        above = np.cumsum(words) - words
        title = _title_row(page, words.sum() - above >= self.words)
        comments = _comments_row(page, above - above[title : title + 1].sum() >= self.words)
        cut = extraction.dropping(row < title, "above the title").dropping(row >= comments, "in the comments")
        return LargestContent(max_distance=self.max_distance)(cut)


def _largest_run(page: Page, keep: Column, max_distance: int) -> Column:
    """The run of kept blocks with the most words. Hidden blocks do not count as distance."""
    shown = np.flatnonzero(~page.blocks.hidden | keep)
    kept = np.flatnonzero(keep[shown])
    largest = np.zeros(len(keep), bool)
    if len(kept):
        run = np.cumsum(np.diff(kept, prepend=kept[0]) > max_distance + 1)
        words = np.bincount(run, page.blocks.words[shown[kept]])
        largest[shown[kept[run == int(np.argmax(words))]]] = True
    return largest


_COMMENTS = frozenset(
    {
        "add a comment",
        "add your comment",
        "comments",
        "have your say",
        "leave a comment",
        "post a comment",
        "post your comment",
        "reader comments",
        "readers comments",
        "user comments",
        "your comments",
    }
)
_TITLE_BREAK = re.compile(r"\s+[|»·–—:-]+\s+|\s*[|»]\s*|:\s+")
_NOT_LETTERS = re.compile(r"[\W\d_]+")


def _letters(text: str) -> str:
    return _NOT_LETTERS.sub(" ", text).strip().casefold()


def _title_row(page: Page, candidates: Column) -> int:
    """The first candidate that is the title, headings before others, or 0.

    A part with fewer than three words may be the name of the site or of a section.
    """
    parts = {_letters(part) for part in (page.title, *_TITLE_BREAK.split(page.title))}
    parts = {part for part in parts if len(part.split()) >= 3}
    blocks = page.blocks
    # Only letters are compared, so a block may have a few more words that are numbers.
    longest = max((len(part.split()) for part in parts), default=0) + 5
    rows = np.flatnonzero(candidates & ~blocks.hidden & (blocks.words >= 3) & (blocks.words <= longest))
    found = [row for row in rows.tolist() if parts and _letters(blocks[row].text) in parts]
    return next((row for row in found if blocks.heading[row]), found[0] if found else 0)


def _comments_row(page: Page, candidates: Column) -> int:
    """The first candidate that announces comments, or one past the last block."""
    blocks = page.blocks
    rows = np.flatnonzero(candidates & ~blocks.hidden & (blocks.words <= 4)).tolist()
    return next((row for row in rows if _letters(blocks[row].text) in _COMMENTS), len(blocks))
