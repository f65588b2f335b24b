"""What moved the score of a block, in words and in numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

__all__ = ["Cause", "explained"]


class Cause(NamedTuple):
    """One cause of a score.

    Attributes
    ----------
    words : a phrase for readers, such as "few links around it"
    moved : how far it moved the score, above 0 for content, in log-odds
    numbers : the measure behind it, with its value
    """

    words: str
    moved: float
    numbers: str


def explained(reason: str, kept: bool, causes: Sequence[Cause]) -> str:
    """The reason of a decision with its causes; those that speak against the decision come last.

    >>> links, text = Cause("many links", -0.8, ""), Cause("many full stops in its section", 1.2, "")
    >>> explained("content", True, [links, text])
    'content: many full stops in its section, but many links'
    >>> explained("boilerplate", False, [links])
    'boilerplate: many links'
    >>> explained("boilerplate", False, [text])
    'boilerplate, although many full stops in its section'
    """
    said = list(dict.fromkeys((cause.words, (cause.moved > 0) == kept) for cause in causes))
    agreeing = ", ".join(words for words, agrees in said if agrees)
    opposed = ", ".join(words for words, agrees in said if not agrees)
    if not agreeing:
        return f"{reason}, although {opposed}" if opposed else reason
    return f"{reason}: {agreeing}{f', but {opposed}' if opposed else ''}"
