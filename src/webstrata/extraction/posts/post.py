"""A post of a thread, or a comment."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["Post"]


class Post(NamedTuple):
    """A post, a reply or a comment.

    Attributes
    ----------
    author : the name that the page gives
    date : the day as YYYY-MM-DD; None if the page names none, or only how long ago it was
    text : what was written, without the names, dates and buttons around it
    level : 0, or the number of posts that it stands in
    blocks : the first of its blocks and the one after the last; None if the page has it in JSON-LD alone
    """

    author: str | None
    date: str | None
    text: str
    level: int
    blocks: tuple[int, int] | None
