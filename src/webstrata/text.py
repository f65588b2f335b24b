"""The definitions of a word, a line and a sentence.

**Token and word** (Kohlschütter & Nejdl 2008 §3.3, Kohlschütter 2011 §4.4.2). Tokens are delimited by white space. A
token with at least one letter or digit is a *word*; the others (a lone dash, a bar) take up room on a line but are not
counted.

**Line** (Kohlschütter & Nejdl 2008 §3.3, equation 6). The tokens of a block are laid out greedily on lines of
`WRAP_WIDTH` columns, one column between two tokens; a token longer than a line has one to itself. ``lines`` is |L|,
``wrapped_words`` is |T'|, the words on all lines but the last, and 0 where there is one line only.

**Sentence** (Kohlschütter 2011 §4.4.2). A full stop, question mark, exclamation mark, semicolon or ellipsis that ends a
token ends a sentence, and so does the end of the block; in East Asian text no white space need follow.

Deviations. Chinese, Japanese, Thai, Lao, Khmer, Burmese and Tibetan put no space between words, so a whole paragraph
would be one token. A run of their letters counts one word for every six columns begun, and a line may break between any
two of these words. Six columns are the 5.1 letters and one space that Kohlschütter & Nejdl 2008 reckons with for
English; an East Asian character is two columns wide. A full line of Chinese has then 13.3 words like a full line of
English, and the densities and thresholds of the papers keep their meaning.

The counting is native (`_scan/words.pyx`) and runs once for a page, on first access.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from webstrata._scan import words as _words

__all__ = ["WRAP_WIDTH", "Column", "count_words", "sentences", "shingles", "words", "wrap"]

#: w_max of Kohlschütter & Nejdl 2008 §3.3: the width of a terminal, and about one medium-sized sentence.
WRAP_WIDTH = 80

Column = npt.NDArray[Any]


def wrap(
    text: str, starts: npt.ArrayLike, stops: npt.ArrayLike, *, width: int = WRAP_WIDTH
) -> tuple[Column, Column, Column]:
    """Words, lines and wrapped words of each span ``text[start:stop]``.

    >>> [column.tolist() for column in wrap("Contact us | aaa bbb ccc", [0, 13], [10, 24], width=8)]
    [[2, 3], [2, 2], [1, 2]]
    """
    counts = _words.count(text, _spans(starts), _spans(stops), width)
    return counts.array(0), counts.array(2), counts.array(3)


def count_words(text: str) -> int:
    """The number of words of a text.

    >>> count_words("Contact us | +49 511 -- now")
    5
    >>> count_words("欢迎光临我们的网站")
    3
    """
    return int(wrap(text, [0], [len(text)])[0][0])


def words(text: str) -> list[str]:
    """The words of a text without the marks around them; their number is `count_words`.

    >>> words("A-B-C D/E/F, isn't it?")
    ['A-B-C', 'D/E/F', "isn't", 'it']
    >>> words("欢迎光临我们的网站")
    ['欢迎光', '临我们', '的网站']
    """
    return _words.words(text)


def sentences(text: str) -> list[str]:
    """The sentences of a text, in order.

    >>> sentences("It rained. Did it? \u201cYes!\u201d")
    ['It rained.', 'Did it?', '\u201cYes!\u201d']
    """
    return _words.sentences(text)


def shingles(text: str, length: int) -> list[tuple[str, ...]]:
    """Every run of ``length`` words in lower case; one shorter run if the text has fewer words, none without a word.

    >>> shingles("The cat sat there.", 3)
    [('the', 'cat', 'sat'), ('cat', 'sat', 'there')]
    >>> shingles("The cat", 3)
    [('the', 'cat')]
    """
    found = words(text.lower())
    return [tuple(found[i : i + length]) for i in range(max(len(found) - length, 0) + 1)] if found else []


def _spans(values: npt.ArrayLike) -> Column:
    return np.ascontiguousarray(values, dtype=np.int32)
