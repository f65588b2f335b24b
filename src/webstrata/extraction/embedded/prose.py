"""Strings that hold text for people, and how they become HTML."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, pairwise, tee
from typing import NamedTuple

from webstrata._escaping import html as escape
from webstrata._escaping import unescape
from webstrata.text import count_words

__all__ = ["Passage", "is_prose", "plain", "share_named", "to_html", "unseen"]

# The tags that text for people is marked up with. What else stands between angle brackets is left to be text.
_TAG = re.compile(
    r"</?(?:p|br|div|span|a|b|i|u|em|strong|ul|ol|li|h[1-6]|table|tr|td|blockquote|pre|code|img|section|article|aside)\b"
    r"[^<>]*>",
    re.IGNORECASE,
)
_ANY_TAG = re.compile(r"<[^<>]*>")
# What programs and style sheets are full of, and sentences are not.
_CODE = re.compile(r"[{}=;<>\\|_]|\(\)|//")
# Characters that are looked at to tell prose: enough to know, also of a string of megabytes.
_SAMPLE = 2000
# Of 24,601 paragraphs of WCXB's articles, forums and products 99.5 % have more letters than this; 99 % have less than
# 0.022 of the other, and posts with code in them somewhat more.
_FEWEST_LETTERS = 0.7
_MOST_CODE = 0.05
_WORD = re.compile(r"\w+")
_MOST_WORDS, _LONGER = 100, 4
# Words, in pieces: scripts without spaces between words have runs of any length.
_PIECE = re.compile(r"\w{1,6}")
_RUN = 4
_NEW = 0.5  # of a passage's runs: one that another text has in other words is new, one with a typo mended is not


class Passage(NamedTuple):
    """A piece of carried text: what stands above it, if anything, and the text, as HTML or plain."""

    heading: str
    body: str


def plain(text: str) -> str:
    """A string without its markup.

    >>> plain("<p>Silt &amp; clay</p>"), plain("a < b")
    (' Silt & clay ', 'a < b')
    """
    return unescape(_ANY_TAG.sub(" ", text)) if _TAG.search(text) else unescape(text)


def is_prose(text: str) -> bool:
    """Whether a plain text is made of words, and is no program, style sheet, address or coded data.

    >>> is_prose("Silt settles on the floor of the lake."), is_prose("a.b{color:red;margin:0}"), is_prose("aGVsbG8gdG8")
    (True, False, False)
    """
    sample = "".join(text[:_SAMPLE].split())
    return (
        count_words(text[:_SAMPLE]) > 1
        and sum(map(str.isalpha, sample)) >= _FEWEST_LETTERS * len(sample)
        and len(_CODE.findall(sample)) <= max(_MOST_CODE * len(sample), 1)
    )


def share_named(text: str, topic: str) -> float:
    """Which share of the longer words of a topic a text has.

    >>> share_named("Silt settles on the floors of lakes.", "The floor of the lake"), share_named("Silt", "")
    (1.0, 0.0)
    """
    words: set[str] = set()
    pairs: set[str] = set()
    for word in _WORD.findall(topic.casefold())[:_MOST_WORDS]:
        # In a script without spaces a run of letters is many words; two letters are about one.
        if count_words(word) > 1:
            pairs.update(map("".join, pairwise(word)))
        elif len(word) >= _LONGER:
            words.add(word)
    if not words and not pairs:
        return 0.0
    text = text.casefold()
    # A topic has few words, which are sought one by one, but may have any number of pairs.
    named = sum(word in text for word in words) + len(pairs.intersection(map("".join, pairwise(text))) if pairs else ())
    return named / (len(words) + len(pairs))


def unseen(passages: Sequence[Passage], seen: str) -> list[Passage]:
    """The passages that another text does not have, by runs of four words; none where it has most of them together.

    Case and punctuation do not count.

    >>> lake, river = Passage("", "The lake was still in winter."), Passage("", "Spring brings silt, sand and a flood.")
    >>> unseen([lake, river], "the lake was still, in winter") == [river], unseen([lake], lake.body)
    (True, [])
    """
    if not passages:
        return []
    runs = [set(_runs(f"{heading} {plain(body)}")) for heading, body in passages]
    every = set().union(*runs)
    new = every.difference(_runs(seen))
    if len(new) <= _NEW * len(every):
        return []
    return [passage for passage, own in zip(passages, runs, strict=True) if len(own & new) >= _NEW * len(own)]


def _runs(text: str) -> Iterator[tuple[str, ...]]:
    words = (match[0] for match in _PIECE.finditer(text.casefold()))
    return zip(*(islice(each, start, None) for start, each in enumerate(tee(words, _RUN))), strict=False)


def to_html(passages: Iterable[Passage]) -> str:
    r"""Passages as a simple page: markup as it is, lines of plain text as paragraphs.

    >>> to_html([Passage("Lakes", "Silt & clay\nSand"), Passage("", "<p>Mud</p>")])
    '<h2>Lakes</h2>\n<p>Silt &amp; clay</p>\n<p>Sand</p>\n<div><p>Mud</p></div>'
    """
    lines: list[str] = []
    for heading, body in passages:
        if heading:
            lines.append(f"<h2>{escape(plain(heading))}</h2>")
        body = unescape(body) if "&lt;" in body and not _TAG.search(body) else body
        if _TAG.search(body):
            lines.append(f"<div>{body}</div>")
        else:
            lines += [f"<p>{escape(line)}</p>" for line in unescape(body).splitlines() if line.strip()]
    return "\n".join(lines)
