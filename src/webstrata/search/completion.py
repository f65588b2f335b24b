"""Completion of terms, for answers while a query is typed."""

from __future__ import annotations

from webstrata.search.index import Index
from webstrata.search.vocabulary import place_of

__all__ = ["completed", "completions"]


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
    return index.model.terms_with(prefix, most) if prefix else []


def completed(index: Index, text: str) -> str:
    """The query with its last word completed to the most frequent term, if no page has the word itself."""
    words = index.analyser(text)
    if not words or words[-1][2] < len(text):
        return text
    term, start, _ = words[-1]
    place = place_of(index.model.terms, term.encode("utf-8", "replace"))
    if place < len(index.model.terms) and index.model.terms[place] == term:
        return text
    found = completions(index, term, most=1)
    return text[:start] + found[0][0] if found else text
