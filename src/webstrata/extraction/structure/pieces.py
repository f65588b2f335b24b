"""What the walk over the kept blocks gives: pieces of paragraphs with their marks, and events."""

from __future__ import annotations

from typing import NamedTuple

__all__ = [
    "BREAK",
    "CODE",
    "DELETED",
    "EMPHASIS",
    "IMAGE",
    "MARK",
    "MARKS",
    "STRONG",
    "SUBSCRIPT",
    "SUPERSCRIPT",
    "Event",
    "Piece",
]

# What a piece of a paragraph is marked with; BREAK and IMAGE are pieces without text.
CODE, STRONG, EMPHASIS, DELETED, SUBSCRIPT, SUPERSCRIPT, MARK, BREAK, IMAGE = (1 << bit for bit in range(9))

#: The tags of each mark.
MARKS = {
    CODE: ("code", "tt", "samp", "kbd"),
    STRONG: ("b", "strong"),
    EMPHASIS: ("em", "i", "cite", "dfn", "var"),
    DELETED: ("del", "s", "strike"),
    SUBSCRIPT: ("sub",),
    SUPERSCRIPT: ("sup",),
    MARK: ("mark",),
}


class Piece(NamedTuple):
    """A stretch of a paragraph: its marks, the row of the link it belongs to or -1, its text; or an image's row."""

    marks: int
    link: int
    text: str
    image: int = -1


class Event(NamedTuple):
    """One step of the walk.

    ``open`` and ``close`` an element, with its row (negative where the page left it out); a ``run``, which is a
    paragraph or a part of one; ``code``, the text of a ``pre``; a ``rule``.
    """

    what: str
    tag: str
    row: int
    pieces: list[Piece]
    text: str = ""
