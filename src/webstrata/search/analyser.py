"""The definition of a term, for the texts of an index and for queries.

A *term* is a run of letters and digits within a word of `webstrata.text.words`, without case and accents; other
characters within a word (``os.path_join``) separate terms. In scripts without spaces between words, every two
neighbours are a term (bigrams), and a letter alone is a term too. Accents, soft hyphens and joiners are dropped, so
that the composed and the decomposed form of a text are equal. Terms are cut at 256 bytes.

By default, stop words are kept and nothing is stemmed: sites are full of names, and BM25 gives frequent words next to
no weight.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from webstrata._once import once
from webstrata.errors import InputError, from_extra
from webstrata.search._postings import Postings
from webstrata.search._terms import terms as _terms

__all__ = ["Analyser", "Term"]

Term = tuple[str, int, int]


@dataclass(frozen=True, kw_only=True)
class Analyser:
    """Reads the terms of texts.

    Parameters
    ----------
    stemmer : the language of a Snowball stemmer, such as "english"; "" for none
    stop_words : terms to leave out, separated by spaces

    >>> [term for term, start, stop in Analyser()("Café-Terrasse: os.path_join, 欢迎光临")]
    ['cafe', 'terrasse', 'os', 'path', 'join', '欢迎', '迎光', '光临']
    >>> Analyser(stop_words="the of")("The strata of time")
    [('strata', 4, 10), ('time', 14, 18)]
    """

    stemmer: str = ""
    stop_words: str = ""

    def __call__(self, text: str) -> list[Term]:
        """The terms of a text, with the span of each."""
        found = _terms(text)
        if not (self.stemmer or self.stop_words):
            return found
        altered = ((self._alter(term), start, stop) for term, start, stop in found)
        return [(term, start, stop) for term, start, stop in altered if term is not None]

    def postings(self) -> Postings:
        """An empty collection of postings, for the texts of many blocks."""
        return Postings(self.alter)

    @property
    def alter(self) -> Callable[[str], str | None] | None:
        """Changes a term, or drops it (None); None if terms stay as they are."""
        return self._alter if self.stemmer or self.stop_words else None

    @once
    def _stop(self) -> frozenset[str]:
        return frozenset(term for term, _, _ in _terms(self.stop_words))

    @once
    def _stem(self) -> Any:
        with from_extra("search", "PyStemmer"):
            import Stemmer
        if self.stemmer not in Stemmer.algorithms():
            raise InputError(
                f"no stemmer is called {self.stemmer!r}: choose one of {', '.join(sorted(Stemmer.algorithms()))}"
            )
        return Stemmer.Stemmer(self.stemmer).stemWord

    def _alter(self, term: str) -> str | None:
        if term in self._stop:
            return None
        return self._stem(term) if self.stemmer else term
