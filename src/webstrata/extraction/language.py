"""A filter by language. The language is guessed from the content, whatever the page declares.

py3langid guesses: a naive Bayes classifier over byte sequences for 97 languages (``webstrata[language]``, 4.5 MB, needs
only NumPy). It returns ISO 639-1 codes.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from webstrata.errors import InputError, from_extra
from webstrata.extraction.base import Extraction

__all__ = ["Language", "detect", "guess", "other_language"]

# The reason of blocks that are dropped, before the language.
_REASON = "in another language: "
# More characters hardly change the guess, and take time.
_MOST_CHARACTERS = 5000
# With fewer letters there is no guess: "Menu" is a word of ten languages.
_FEWEST_LETTERS = 20


def guess(text: str) -> str | None:
    """The most likely language of a text as an ISO 639-1 code; None if there are too few letters to guess.

    >>> guess("Der Fluss trägt Sand und Ton zum Meer, wo sie sich langsam absetzen.")
    'de'
    >>> guess("42") is None
    True
    """
    return detect(text)[0]


def detect(text: str) -> tuple[str | None, float | None]:
    """As `guess`, with the probability of the language by the classifier.

    >>> code, score = detect("Der Fluss trägt Sand und Ton zum Meer, wo sie sich langsam absetzen.")
    >>> code, score > 0.9
    ('de', True)
    """
    with from_extra("language", "py3langid"):
        from py3langid import rank
    start = text[:_MOST_CHARACTERS]
    if sum(map(str.isalpha, start)) < _FEWEST_LETTERS:
        return None, None
    codes, logs = zip(*rank(start), strict=True)
    weights = np.exp(np.asarray(logs, np.float64) - logs[0])
    return str(codes[0]), float(1 / weights.sum())


def other_language(extraction: Extraction) -> str | None:
    """The language for which `Language` dropped the content of a page; None if it did not."""
    found = (reason.removeprefix(_REASON) for reason in extraction.reasons if reason.startswith(_REASON))
    return next(found, None)


@dataclass(frozen=True, kw_only=True)
class Language:
    """Drop all content of a page in another language. A page with too little text to guess is kept.

    Parameters
    ----------
    languages : the languages to keep, as ISO 639-1 codes separated by commas: "en", or "en,de"

    >>> from webstrata.extraction import extract
    >>> html = "<p>Der Fluss trägt Sand und Ton zum Meer, wo sie sich langsam absetzen."
    >>> extract(html, "keep-all+language(languages='en')").text
    ''
    >>> extract(html, "keep-all+language(languages='en,de')").text[:9]
    'Der Fluss'

    References
    ----------
    M. Lui and T. Baldwin, langid.py: an off-the-shelf language identification tool, ACL 2012 demonstrations.
    """

    languages: str = "en"

    def __post_init__(self) -> None:
        if not self._codes or not all(code.isalpha() and len(code) == 2 for code in self._codes):
            raise InputError(f"languages are codes of two letters such as 'en' or 'en,de', not {self.languages!r}")
        with from_extra("language", "py3langid"):  # fail now, not at the first page
            import py3langid  # noqa: F401

    @property
    def _codes(self) -> list[str]:
        return [code.strip().lower() for code in self.languages.split(",")]

    def __call__(self, extraction: Extraction) -> Extraction:
        found = guess(extraction.text)
        if found is None or found in self._codes:
            return extraction
        return replace(extraction.dropping(extraction.keep, f"{_REASON}{found}"), carried=None)
