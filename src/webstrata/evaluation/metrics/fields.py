"""Whether a field of metadata is right: title, author or date."""

from __future__ import annotations

import re
import unicodedata

__all__ = ["FIELDS", "same_field"]

#: The fields that can be compared.
FIELDS = ("title", "author", "date")

_AUTHORS = re.compile(r"\s*(?:;|,|\||\band\b|&)\s*")
_NO_WORD = re.compile(r"[\W_]+")


def same_field(field: str, truth: str, found: str | None) -> bool:
    """Whether two values say the same.

    Titles and authors are compared without case, punctuation and width; several authors as a set; dates as days. A
    value that is missing is as wrong as another value.

    >>> same_field("title", "Strata: a Page!", "strata - a page")
    True
    >>> same_field("author", "A. Bee and C. Dee", "C Dee; A Bee")
    True
    >>> same_field("date", "2008-10-26", "2008-10-26T10:00:00Z"), same_field("date", "2008-10-26", None)
    (True, False)
    """
    return _normalised(field, truth) == _normalised(field, found or "")


def _normalised(field: str, value: str) -> object:
    text = unicodedata.normalize("NFKC", value).casefold()
    if field == "date":
        return text[:10]
    if field == "author":
        return frozenset(words for name in _AUTHORS.split(text) if (words := _words(name)))
    return _words(text)


def _words(text: str) -> str:
    return " ".join(_NO_WORD.sub(" ", text).split())
