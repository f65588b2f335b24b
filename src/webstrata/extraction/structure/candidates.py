"""Elements whose start tag holds a word: where structures that classes declare are looked for."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from webstrata._scan.tag_words import TagWords
from webstrata.page import Page

__all__ = ["TagRows", "block_texts"]


@lru_cache(maxsize=16)
def _tag_words(words: tuple[bytes, ...]) -> TagWords:
    return TagWords(words)


class TagRows:
    """The elements of a page whose start tag has one of some words; one pass finds all of them.

    Links, controls and scripts are left out. Words have at least four bytes.

    >>> from webstrata.page import parse
    >>> tags = TagRows(parse("<p class=note>note<p id=note><a class=note>"), (b"note", b"tips"))
    >>> tags.having(b"note"), tags.having(b"tips")
    ([3, 4], [])
    """

    def __init__(self, page: Page, words: tuple[bytes, ...]) -> None:
        self._words = frozenset(words)
        self._rows = _tag_words(words).rows(page.source, page.elements.columns)

    def having(self, *words: bytes) -> list[int]:
        """The rows whose start tag has one of these words, in document order."""
        assert self._words.issuperset(words)
        found = [self._rows[word] for word in words if word in self._rows]
        return found[0] if len(found) == 1 else sorted(set().union(*found))


def block_texts(page: Page, blocks: Iterable[int]) -> list[str]:
    """The texts of some blocks; "" for hidden ones."""
    table = page.blocks
    return ["" if table[row].hidden else table[row].text for row in blocks]
