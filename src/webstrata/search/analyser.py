"""What a term is: the one place that knows, for the texts of an index and for the queries put to it.

A *term* is a run of letters and digits of a word of `webstrata.text.words`, without case and accents: what stands
within a word and is neither (``os.path_join``) separates terms. Of scripts that put no space between words, every two
neighbours are a term (bigrams), and a letter alone is one as well. Accents, soft hyphens and joiners leave no trace, so
that a text means the same composed and decomposed. Of a term longer than 256 bytes the rest is left out.

Stop words are kept and nothing is stemmed, unless asked for: sites are full of names, and BM25 gives frequent words
next to no weight.
"""

from __future__ import annotations

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
    """Reads terms.

    Parameters
    ----------
    stemmer : the language of a Snowball stemmer, such as "english"; none if empty
    stop_words : terms to leave out, with spaces between them

    >>> [term for term, start, stop in Analyser()("Café-Terrasse: os.path_join, 欢迎光临")]
    ['cafe', 'terrasse', 'os', 'path', 'join', '欢迎', '迎光', '光临']
    >>> Analyser(stop_words="the of")("The strata of time")
    [('strata', 4, 10), ('time', 14, 18)]
    """

    stemmer: str = ""
    stop_words: str = ""

    def __call__(self, text: str) -> list[Term]:
        """The terms of a text and where each stands."""
        found = _terms(text)
        if not (self.stemmer or self.stop_words):
            return found
        altered = ((self._alter(term), start, stop) for term, start, stop in found)
        return [(term, start, stop) for term, start, stop in altered if term is not None]

    def postings(self) -> Postings:
        """Something that takes the texts of many blocks."""
        return Postings(self._alter if self.stemmer or self.stop_words else None)

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
