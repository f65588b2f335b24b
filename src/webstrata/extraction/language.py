"""Pages in some languages only: the language is guessed from the content, whatever the page declares.

The guess is that of py3langid, a naive Bayes classifier over byte sequences with 97 languages and 4.5 MB
(``webstrata[language]``); NumPy is all it needs. Its answers are ISO 639-1 codes.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from webstrata.errors import InputError, from_extra
from webstrata.extraction.base import Extraction

__all__ = ["Language", "guess"]

# The guess hardly changes after so many characters, and costs time with each.
_ENOUGH = 5000
# In fewer letters nothing is told: "Menu" is a word of ten languages.
_FEWEST = 20


def guess(text: str) -> str | None:
    """The likeliest language of a text as a code of ISO 639-1; None where there are too few letters to tell.

    >>> guess("Der Fluss trägt Sand und Ton zum Meer, wo sie sich langsam absetzen.")
    'de'
    >>> guess("42") is None
    True
    """
    with from_extra("language", "py3langid"):
        from py3langid import classify
    start = text[:_ENOUGH]
    if sum(map(str.isalpha, start)) < _FEWEST:
        return None
    return str(classify(start)[0])


@dataclass(frozen=True, kw_only=True)
class Language:
    """Drop everything of a page whose content is in another language. A page with too little text to tell is kept.

    Parameters
    ----------
    languages : the languages to keep, as codes of ISO 639-1 parted by commas: "en", or "en,de"

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
        with from_extra("language", "py3langid"):  # told now, not with the first page
            import py3langid  # noqa: F401

    @property
    def _codes(self) -> list[str]:
        return [code.strip().lower() for code in self.languages.split(",")]

    def __call__(self, extraction: Extraction) -> Extraction:
        found = guess(extraction.text)
        if found is None or found in self._codes:
            return extraction
        keep = extraction.keep
        return replace(
            extraction,
            keep=np.zeros_like(keep),
            score=np.where(keep, 0.0, extraction.score),
            reason=np.where(keep, len(extraction.reasons), extraction.reason),
            reasons=(*extraction.reasons, f"in another language: {found}"),
            carried=None,
        )
