"""Completion of terms, for answers while a query is typed."""

from __future__ import annotations

import numpy as np

from webstrata.links.strings import Strings
from webstrata.search.index import Index

__all__ = ["completed", "completions"]

# Terms with one prefix that are considered; a prefix of a letter or two has thousands.
_MOST_TERMS = 4000


def completions(index: Index, prefix: str, *, most: int = 8) -> list[tuple[str, int]]:
    """The most frequent terms with a prefix, and the number of pages that have each.

    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from webstrata.search import Document
    >>> pages = [Document.of_text(f"http://a.org/{n}", n, f"{n} clay") for n in ("clan", "claw")]
    >>> with TemporaryDirectory() as folder:
    ...     index = Index.build(pages, Path(folder) / "index")
    ...     found = completions(index, "cla", most=2), completed(index, "red cla"), completed(index, "red cla ")
    >>> found
    ([('clay', 2), ('clan', 1)], 'red clay', 'red cla ')
    """
    terms = index.model.terms
    wanted = prefix.encode("utf-8", "replace")
    if not wanted:
        return []
    first = _place(terms, wanted)
    found = []
    for place in range(first, min(first + _MOST_TERMS, len(terms))):
        if not _bytes(terms, place).startswith(wanted):
            break
        found.append((int(index.model.frequency[place]), place))
    found.sort(key=lambda item: (-item[0], item[1]))
    return [(terms[place], pages) for pages, place in found[:most] if pages]


def completed(index: Index, text: str) -> str:
    """The query with its last word completed to the most frequent term, if no page has the word itself."""
    words = index.analyser(text)
    if not words or words[-1][2] < len(text):
        return text
    term, start, _ = words[-1]
    place = _place(index.model.terms, term.encode("utf-8", "replace"))
    if place < len(index.model.terms) and index.model.terms[place] == term:
        return text
    found = completions(index, term, most=1)
    return text[:start] + found[0][0] if found else text


def _place(terms: Strings, wanted: bytes) -> int:
    """The index of a term in the ascending list, or the one it would have."""
    low, high = 0, len(terms)
    while low < high:
        middle = (low + high) // 2
        if _bytes(terms, middle) < wanted:
            low = middle + 1
        else:
            high = middle
    return low


def _bytes(terms: Strings, place: int) -> bytes:
    return bytes(np.asarray(terms.data[terms.start[place] : terms.start[place + 1]]))
