"""The query language: words, phrases, prefixes, strata, sites, segment classes, languages and days.

Every word counts for the score. A piece of the query may be a condition on pages as well:

- ``"blue clay"``: the words are on the page as they are, one after the other, in one paragraph
- ``paint*``: a word that begins so is on the page
- ``title:clay`` (or ``heading:``, ``content:``, ``template:``, ``anchor:``): the word, phrase or prefix is there
- ``site:a.org``: the page is of this host or one below it
- ``kind:5f3a`` or ``kind:heading``: a word of the query is in a segment of this class, or in this stratum
- ``lang:en``: the page is in this language
- ``after:2024-05-17``, ``before:2024``: the page was published on that day or later, or before that day, month or year
- ``-clay``, ``-"blue clay"``, ``-site:a.org``: the page does not fulfil the condition

Any other text is read as words, and so is a condition whose value makes no sense, such as ``before:lunch``.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from webstrata._once import once
from webstrata.search.analyser import Analyser
from webstrata.search.documents import STRATA
from webstrata.search.shard import day_number

__all__ = ["MOST_CONDITIONS", "MOST_TERMS", "Demand", "Query", "first_day"]

#: Terms of a query; further ones are left out.
MOST_TERMS = 10_000
#: Different conditions of a query; further ones are left out. Each may have to look at every page.
MOST_CONDITIONS = 64
_FIELDS = (*STRATA, "site", "kind", "lang", "before", "after")
_PIECE = re.compile(rf'(?:(?<!\S)(-)(?=[\w"]))?(?:({"|".join(_FIELDS)}):)?(?:"([^"]*)"|([^\s"]+))')
# The fewest digits of a segment class.
_CLASS = re.compile("[0-9a-f]{4,16}")
_DAY = re.compile(r"(\d{4})(?:-(\d{2}))?(?:-(\d{2}))?")


@dataclass(frozen=True, kw_only=True, slots=True)
class Demand:
    """A condition on pages.

    Attributes
    ----------
    field : "" for anywhere on the page; a stratum, site, kind, lang, before or after
    value : as it was written
    terms : consecutive terms, for "" and strata
    prefix : whether the last of them may be longer
    excluded : whether pages must not fulfil it
    """

    field: str
    value: str
    terms: tuple[str, ...] = ()
    prefix: bool = False
    excluded: bool = False


@dataclass(frozen=True, kw_only=True)
class Query:
    """A query that was read from a text.

    Attributes
    ----------
    text : of the query
    words : the terms that count for the score, in order
    conditions : on pages
    further : terms that count as well, with their weights, such as those of a prefix
    suggestion : the text that was probably meant, if words of it look like typing errors; else ""

    >>> query = Query.read('my "Blue clay" title:Clay -site:b.org', Analyser())
    >>> query.words, [(item.field, item.value, item.excluded) for item in query.conditions]
    (('my', 'blue', 'clay', 'clay'), [('', 'Blue clay', False), ('title', 'Clay', False), ('site', 'b.org', True)])
    """

    text: str = ""
    words: tuple[str, ...] = ()
    conditions: tuple[Demand, ...] = ()
    further: tuple[tuple[str, float], ...] = ()
    suggestion: str = ""

    @classmethod
    def read(cls, text: str, analyser: Analyser) -> Query:
        """The query of a text."""
        words: list[str] = []
        conditions: list[Demand] = []
        pieces = _pieces(text) if '"' in text or ":" in text or "*" in text or "-" in text else [("", "", "", text)]
        for sign, name, phrase, word in pieces:
            if name and name not in STRATA and not _has_sense(name, phrase or word):
                name, word = "", f"{name}:{phrase or word}"
            found = _condition(name, phrase, word, bool(sign), analyser)
            # Words of a condition on texts count for the score, but for those that must not be there.
            wanted = not sign and (found is None or bool(found.terms))
            terms = [term for term, _, _ in analyser(word or phrase)] if wanted else []
            words += terms[:-1] if found is not None and found.prefix else terms
            if found is not None:
                conditions.append(found)
        different = tuple(dict.fromkeys(conditions))
        return cls(text=text, words=tuple(words[:MOST_TERMS]), conditions=different[:MOST_CONDITIONS])

    @once
    def terms(self) -> Mapping[str, float]:
        """The weight of each term: its count among the words, and more for further terms."""
        found: Counter[str] = Counter(self.words)
        weights = {term: float(times) for term, times in found.items()}
        for term, weight in self.further:
            weights[term] = weights.get(term, 0.0) + weight
        return weights

    @property
    def everything(self) -> bool:
        """Whether all pages that fulfil the conditions are answers, since there is no word to look for."""
        wanted = any(item.terms and not item.excluded for item in self.conditions)
        return bool(self.conditions) and not self.words and not wanted

    def as_dict(self) -> dict[str, Any]:
        """The query as values of JSON."""
        return {"text": self.text, "words": list(self.words), "conditions": [asdict(item) for item in self.conditions]}


def _pieces(text: str) -> Iterator[tuple[str, str, str, str]]:
    """The sign, field, phrase and word of each piece of a query."""
    for match in _PIECE.finditer(text):
        yield match[1] or "", match[2] or "", match[3] or "", match[4] or ""


def _condition(name: str, phrase: str, word: str, excluded: bool, analyser: Analyser) -> Demand | None:
    """The condition of a piece; None for plain words."""
    value = word or phrase
    if name and name not in STRATA:
        return Demand(field=name, value=value, excluded=excluded)
    terms = tuple(term for term, _, _ in analyser(value))
    prefix = word.endswith("*") and len(word) > 1
    if terms and (name or excluded or prefix or (phrase and len(terms) > 1)):
        return Demand(field=name, value=value, terms=terms, prefix=prefix, excluded=excluded)
    return None


def _has_sense(name: str, value: str) -> bool:
    if name == "kind":
        return value in STRATA or _CLASS.fullmatch(value) is not None
    if name == "lang":
        return len(value) == 2 and value.isascii() and value.isalpha()
    return name == "site" or first_day(value) > 0


def first_day(value: str) -> int:
    """The number of a day, or of the first day of a month or a year; 0 if the text is none of these.

    >>> first_day("2024-02") - first_day("2024"), first_day("lunch")
    (31, 0)
    """
    match = _DAY.fullmatch(value)
    return day_number(f"{match[1]}-{match[2] or '01'}-{match[3] or '01'}") if match else 0
