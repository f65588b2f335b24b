"""Features of blocks (Kohlschütter 2011 §4.4.2): each one function of the columns, defined once.

Counts are stored, ratios are derived; a ratio whose denominator is zero is zero. Every function takes the blocks of a
page and returns one value a block.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from webstrata._scan import words as _words
from webstrata.page import Blocks
from webstrata.text import Column

__all__ = [
    "Shallow",
    "absolute_position",
    "average_sentence_length",
    "average_word_length",
    "date_tokens",
    "density",
    "enclosed_by",
    "link_density",
    "ratio",
    "relative_position",
    "shallow",
    "text_density",
]


def ratio(numerator: npt.ArrayLike, denominator: npt.ArrayLike) -> Column:
    """The quotient of two columns, 0 where the denominator is 0."""
    numerator, denominator = np.asarray(numerator, np.float64), np.asarray(denominator, np.float64)
    out = np.zeros(np.broadcast(numerator, denominator).shape)
    return np.asarray(np.divide(numerator, denominator, out=out, where=denominator != 0))


def density(words: npt.ArrayLike, lines: npt.ArrayLike, wrapped_words: npt.ArrayLike) -> Column:
    """Text density from counts (Kohlschütter & Nejdl 2008 equation 6): words a line, the last line of several left out.

    >>> density([7, 30], [1, 3], [0, 24]).tolist()
    [7.0, 12.0]
    """
    lines = np.asarray(lines)
    return np.asarray(np.where(lines > 1, ratio(wrapped_words, lines - 1), words))


def text_density(blocks: Blocks) -> Column:
    """Text density of each block (Kohlschütter & Nejdl 2008 equation 6; Kohlschütter 2011 equation 4.6)."""
    return density(blocks.words, blocks.lines, blocks.wrapped_words)


def link_density(blocks: Blocks) -> Column:
    """Share of the words that stand in links (Kohlschütter 2011 §4.4.2)."""
    return ratio(blocks.link_words, blocks.words)


def absolute_position(blocks: Blocks) -> Column:
    """Number of the block in the page, from 0 on."""
    return np.arange(len(blocks))


def relative_position(blocks: Blocks) -> Column:
    """Position in the page between 0, the first block, and 1, the last."""
    return ratio(np.arange(len(blocks)), max(len(blocks) - 1, 1))


@dataclass(frozen=True, eq=False)
class Shallow:
    """Counts of the text of each block, for the shallow and heuristic features.

    ``word_chars``: characters of all words. ``capital_words``: words that start with an upper-case letter.
    ``upper_words``: words all in upper case. ``full_stops``, ``bars`` ("|"), ``sentences`` and ``digits`` are
    counted as named.
    """

    word_chars: Column
    capital_words: Column
    upper_words: Column
    full_stops: Column
    bars: Column
    sentences: Column
    digits: Column


def shallow(blocks: Blocks) -> Shallow:
    """Count the characters and words of each block in one native pass.

    >>> from webstrata.page import parse
    >>> counts = shallow(parse("<p>The BBC said so. Did it? | Yes").blocks)
    >>> counts.capital_words.tolist(), counts.upper_words.tolist(), counts.sentences.tolist()
    ([4], [1], [3])
    """
    columns = _words.shallow(blocks.text, blocks.text_start, blocks.text_stop)
    return Shallow(*(np.frombuffer(column, np.int32) for column in columns))


def average_word_length(blocks: Blocks) -> Column:
    """Characters a word."""
    return ratio(shallow(blocks).word_chars, blocks.words)


def average_sentence_length(blocks: Blocks) -> Column:
    """Words a sentence."""
    return ratio(blocks.words, shallow(blocks).sentences)


# Kohlschütter 2011 counts "date/time-related tokens" without listing them. These are: a year of the last or this
# century, a clock time, a date in figures, and the English names of months and weekdays.
_DATE = re.compile(
    r"(?<!\w)(?:(?:19|20)\d\d|\d{1,2}:\d\d(?::\d\d)?|\d{1,4}[./-]\d{1,2}[./-]\d{1,4}"
    r"|(?:jan|febr?|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\.?"
    r"|january|february|march|april|may|june|july|august|september|october|november|december"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)day|[ap]\.?m\.?)(?!\w)",
    re.IGNORECASE,
)


def date_tokens(blocks: Blocks) -> Column:
    """The number of dates and times of each block, in figures and in English.

    >>> from webstrata.page import parse
    >>> date_tokens(parse("<p>Monday, 3 March 2008<p>10:45<p>nothing").blocks).tolist()
    [3, 1, 0]
    """
    counts = np.zeros(len(blocks), np.int32)
    starts = np.fromiter((match.start() for match in _DATE.finditer(blocks.text)), np.int64)
    np.add.at(counts, np.searchsorted(blocks.text_start, starts, side="right") - 1, 1)
    return counts


def enclosed_by(blocks: Blocks, *names: str) -> Column:
    """Whether each block stands inside an element of one of these names, at any depth.

    ``a`` counts when the whole block is a link: blocks look through ``<a>`` (Kohlschütter & Nejdl 2008 §4).
    """
    elements = blocks.elements
    if names == ("a",):
        return np.asarray((blocks.words > 0) & (blocks.link_words == blocks.words))
    # A subtree is one run of blocks: +1 where one begins, -1 where it ends, and the running sum counts the open ones.
    rows = elements.find(*names)
    steps = np.zeros(len(blocks) + 1, np.int64)
    np.add.at(steps, elements.first_block[rows], 1)
    np.add.at(steps, elements.end_block[rows], -1)
    return np.asarray(np.cumsum(steps[:-1]) > 0)
