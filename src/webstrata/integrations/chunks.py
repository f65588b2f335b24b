"""Splits pages into passages for retrieval, along their segments, with the position of each in the source."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from webstrata.errors import InputError
from webstrata.extraction import EXTRACTORS, Extraction
from webstrata.extraction.base import Extractor
from webstrata.page import Page, parse
from webstrata.segmentation import SEGMENTERS

__all__ = ["Chunker", "PageChunk", "metadata_of"]


@dataclass(frozen=True, slots=True)
class PageChunk:
    """A passage of a page.

    Attributes
    ----------
    text : its text, one line for each paragraph
    start, stop : its byte range in ``page.source``, the page as UTF-8
    """

    text: str
    start: int
    stop: int


@dataclass(frozen=True, kw_only=True)
class Chunker:
    """Splits the content of a page at the boundaries of its segments.

    Consecutive segments are merged into one passage up to the size limit. A longer segment is split between its blocks;
    a block is never split.

    Parameters
    ----------
    algorithm : the extractor
    segmenter : the segmenter
    size : the most characters of a passage; a single block may exceed it

    >>> html = "<nav><a href=/>Home</a></nav><h2>Silt</h2><p>Pale, in spring.<h2>Mud</h2><p>Dark, in autumn."
    >>> for chunk in Chunker(algorithm="keep-all", size=25).cut(parse(html)):
    ...     print(repr(chunk.text), html[chunk.start : chunk.stop])
    'Home\\nSilt' Home</a></nav><h2>Silt
    'Pale, in spring.\\nMud' Pale, in spring.<h2>Mud
    'Dark, in autumn.' Dark, in autumn.
    """

    algorithm: str = "learned"
    segmenter: str = "bf-rulebased"
    size: int = 2000

    def __post_init__(self) -> None:
        if self.size < 1:
            raise InputError(f"size must be at least 1 character, not {self.size}")
        EXTRACTORS.make(self.algorithm)
        SEGMENTERS.make(self.segmenter)

    @property
    def extractor(self) -> Extractor:
        return EXTRACTORS.make(self.algorithm)

    def __call__(
        self, html: bytes | str, *, url: str | None = None, encoding: str | None = None
    ) -> tuple[Extraction, list[PageChunk]]:
        """The extraction of a page, and its passages in document order."""
        page = parse(html, url=url, encoding=encoding)
        found = self.extractor(page)
        return found, list(self._chunks(found))

    def cut(self, page: Page) -> list[PageChunk]:
        """The passages of a parsed page, in document order."""
        return list(self._chunks(self.extractor(page)))

    def _chunks(self, found: Extraction) -> Iterator[PageChunk]:
        pending: list[int] = []
        characters = 0
        lengths = (found.page.blocks.text_stop - found.page.blocks.text_start).tolist()
        for rows in self._segments(found):
            length = sum(lengths[row] + 1 for row in rows)
            if pending and characters + length > self.size:
                yield _chunk(found.page, pending)
                pending, characters = [], 0
            for row in rows:
                if length > self.size and pending and characters + lengths[row] > self.size:
                    yield _chunk(found.page, pending)
                    pending, characters = [], 0
                pending.append(row)
                characters += lengths[row] + 1
        if pending:
            yield _chunk(found.page, pending)

    def _segments(self, found: Extraction) -> Iterator[list[int]]:
        """The kept blocks of each segment. A nested segmentation is split at all starts and ends of its segments."""
        segmentation = SEGMENTERS.make(self.segmenter)(found.page)
        edges = {0, *(edge for item in segmentation.segments for edge in (item.start, item.stop))}
        kept = np.flatnonzero(found.keep)
        for rows in np.split(kept, np.searchsorted(kept, sorted(edges))):
            if len(rows):
                yield rows.tolist()


def _chunk(page: Page, rows: list[int]) -> PageChunk:
    """The passage of these blocks. Consecutive blocks are separated by the text between them on the page."""
    blocks = page.blocks
    parts: list[str] = []
    first = rows[0]
    for before, row in zip(rows, [*rows[1:], -1], strict=True):
        if row != before + 1:
            parts.append(page.text[int(blocks.text_start[first]) : int(blocks.text_stop[before])])
            first = row
    lines = (line.strip() for part in parts for line in part.split("\n"))
    text = "\n".join(line for line in lines if line)
    return PageChunk(text, int(blocks.source_start[rows[0]]), int(blocks.source_stop[rows[-1]]))


def metadata_of(found: Extraction) -> dict[str, str]:
    """The metadata that the page has. Vector stores do not accept lists, so tags are joined to a string.

    >>> metadata_of(Chunker(algorithm="keep-all")("<title>Silt</title><meta name=keywords content='a,b'>")[0])
    {'title': 'Silt', 'tags': 'a, b'}
    """
    fields = found.metadata.as_dict()
    if found.page.url:
        fields["url"] = found.page.url
    return {key: ", ".join(value) if isinstance(value, list) else str(value) for key, value in fields.items() if value}
