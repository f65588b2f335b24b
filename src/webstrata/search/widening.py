"""Further terms for the words of a query: their other forms, and words for those that no page has.

The vocabulary of the index is the dictionary. Other forms of a word are terms with the same stem, by the stemmers of
the languages of the pages; the index itself has words as they were written, so that a word counts more than its forms.
For a typing error, the terms that are at most two edits away are compared by edits and frequency.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from importlib.util import find_spec
from math import log

import numpy as np

from webstrata.search._near import near
from webstrata.search.analyser import Analyser
from webstrata.search.languages import STEMMERS, language_number
from webstrata.search.model import IndexModel
from webstrata.search.passages import idf_of
from webstrata.search.queries import Query
from webstrata.search.shard import Shard
from webstrata.search.vocabulary import with_prefix
from webstrata.text import Column

__all__ = ["Widening"]

# A language counts if it is that of this share of the pages.
_SHARE = 0.05
# Letters that a stem has at least, and the forms of a word: the most frequent ones of so many terms.
_STEM, _FORMS, _LOOKED_AT = 3, 16, 4096
# Letters of a word that may have one edit, and two.
_ONE, _TWO = 4, 7
# The loss of an edit and of another first letter, as logarithms of frequency.
_EDIT, _FIRST = 4.0, 1.5
# A rare word is taken for an error if a term that is one edit away has so many times its pages.
_RARE, _TIMES = 2, 50
# Words of a query that are looked at, and words whose forms are cached.
_MOST_WORDS, _KEPT = 32, 4096


class Widening:
    """The further terms of an index.

    Parameters
    ----------
    model, shards, analyser : of the index
    """

    def __init__(self, model: IndexModel, shards: Sequence[Shard], analyser: Analyser) -> None:
        self._model, self._analyser, self._shards = model, analyser, tuple(shards)
        self._forms: dict[str, list[str]] = {}
        self._languages: tuple[str, ...] = ()
        if not analyser.stemmer and find_spec("Stemmer") is not None:
            self._languages = _languages(shards, model.alive)

    def forms(self, term: str) -> list[str]:
        """The most frequent terms with the stem of a term, and those with it as a part, without itself."""
        if len(term) < _STEM:
            return []
        found = self._forms.get(term)
        if found is None:
            languages = self._languages if term.isalpha() else ()
            stems = {other: None for language in languages for other in self._with_stem(term, language)}
            found = list(stems | dict.fromkeys(self.identifiers(term)))
            if len(self._forms) >= _KEPT:
                self._forms.clear()
            self._forms[term] = found
        return found

    def _with_stem(self, term: str, language: str) -> list[str]:
        import Stemmer

        stemmer = Stemmer.Stemmer(language)
        stem = stemmer.stemWord(term)
        # Stemmers change endings; the last letter of a stem is not always that of the word.
        beginning = stem[: max(len(stem) - 1, _STEM)]
        if not term.startswith(beginning):
            return []
        places = with_prefix(self._model.terms, beginning)[:_LOOKED_AT]
        terms = [self._model.terms[place] for place in places]
        pages = np.asarray(self._model.frequency[places.start : places.stop])
        same = [
            (-int(pages[number]), other)
            for number, (other, own) in enumerate(zip(terms, stemmer.stemWords(terms), strict=True))
            if own == stem and other != term and pages[number]
        ]
        return [other for _, other in sorted(same)[:_FORMS]]

    def correction(self, term: str) -> str:
        """The word that was probably meant; "" for a word of the index that is not rare, and if nothing is near."""
        if len(term) < _ONE or not term.isalpha():
            return ""
        own = self._pages(term)
        if own > _RARE:
            return ""
        terms = self._model.terms
        places, edits = near(terms.data, terms.start, term, 1 if own or len(term) < _TWO else 2)
        pages = np.asarray(self._model.frequency)[places].astype(np.int64)
        best, chosen = -np.inf, ""
        for place, distance, times in zip(places.tolist(), edits.tolist(), pages.tolist(), strict=True):
            if not distance or not times or (own and times < _TIMES * own):
                continue
            other = terms[place]
            value = log(times) - _EDIT * distance - (_FIRST if other[:1] != term[:1] else 0.0)
            if value > best and other.isalpha():
                best, chosen = value, other
        return chosen

    def _pages(self, term: str) -> int:
        places = with_prefix(self._model.terms, term)
        if not len(places) or self._model.terms[places.start] != term:
            return 0
        return int(self._model.frequency[places.start])

    def identifiers(self, term: str) -> list[str]:
        """The most frequent terms that were written as identifiers with a part that is this term."""
        found: dict[str, int] = {}
        for shard in self._shards:
            places = with_prefix(shard.parts, f"{term} ")[:_LOOKED_AT]
            for name in (shard.parts[place].rpartition(" ")[2] for place in places):
                found[name] = self._pages(name)
        names = [name for name, pages in found.items() if pages and name != term]
        return sorted(names, key=lambda name: (-found[name], name))[:_FORMS]

    def corrected(self, query: Query) -> Query:
        """The query with words that no page has replaced by those that were probably meant, and its suggestion."""
        found = {word: self.correction(word) for word in dict.fromkeys(query.words[:_MOST_WORDS])}
        found = {word: other for word, other in found.items() if other}
        if not found:
            return query
        absent = {word: other for word, other in found.items() if not self._pages(word)}
        words = tuple(absent.get(word, word) for word in query.words)
        pieces, at = [], 0
        for term, start, stop in self._analyser(query.text):
            if term in found:
                pieces += [query.text[at:start], found[term]]
                at = stop
        return replace(query, words=words, suggestion="".join([*pieces, query.text[at:]]))

    def forms_by_word(self, words: Sequence[str]) -> dict[str, list[str]]:
        """The other forms of each word and the identifiers with it."""
        return {word: self.forms(word) for word in dict.fromkeys(words[:_MOST_WORDS])}

    def forms_of(self, words: Sequence[str]) -> Iterator[tuple[str, float]]:
        """Other forms of words and identifiers with them, with weights by which rarer ones do not outweigh the word."""
        known = set(words)
        for word, others in self.forms_by_word(words).items():
            own = idf_of(self._model, word)
            for other in others:
                if other not in known:
                    yield other, min(1.0, own / idf_of(self._model, other))


def _languages(shards: Sequence[Shard], alive: Column) -> tuple[str, ...]:
    """The stemmers of the languages that many of the pages are in."""
    language = np.concatenate([np.empty(0, np.uint16), *(shard.page_language for shard in shards)])[alive]
    numbers, pages = np.unique(language, return_counts=True)
    often = set(numbers[pages >= _SHARE * len(language)].tolist())
    return tuple(dict.fromkeys(stemmer for code, stemmer in STEMMERS.items() if language_number(code) in often))
