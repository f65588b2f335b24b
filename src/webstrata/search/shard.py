"""A shard: some pages of an index with their texts, blocks and postings, in columns. Shards never change.

The stored text of a page is its title, its text, and the texts of links to it, one after the other, so that every block
of every stratum is a slice of it. The number of a *segment* is unique in the shard, and the label of its class is the
same in all shards.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date as day
from hashlib import blake2b
from itertools import accumulate
from pathlib import Path
from typing import Any

import numpy as np

from webstrata._array_checks import ArrayCheck, ArrayChecks, check_arrays, indices, offsets, strings
from webstrata.errors import InputError
from webstrata.links.strings import Strings
from webstrata.search._impacts import find
from webstrata.search.analyser import Analyser
from webstrata.search.documents import ANCHOR, TITLE, Document
from webstrata.search.files import SHARD
from webstrata.search.languages import language_number
from webstrata.search.vocabulary import with_prefix
from webstrata.text import Column

__all__ = ["ANCHOR_LABEL", "TITLE_LABEL", "Shard", "ShardBuilder", "day_number"]

# Labels of the classes of titles and of anchors. Labels of sites are hashes, which hardly collide with these.
TITLE_LABEL, ANCHOR_LABEL = 2**64 - 1, 2**64 - 2

#: The columns of blocks and their types.
_BLOCKS = {
    "page": np.uint32, "text_start": np.uint32, "text_stop": np.uint32, "source_start": np.uint32,
    "source_stop": np.uint32, "words": np.uint32, "tokens": np.uint32, "density": np.float32, "stratum": np.uint8,
    "bte": np.uint8, "segment": np.uint32, "paragraph": np.uint32, "digest": np.uint64,
}  # fmt: skip
# Pages whose columns are concatenated at once.
_WAITING = 512
_STRINGS = ("urls", "titles", "texts", "terms", "parts")
_ARRAYS: ArrayChecks = {
    "block_start": offsets("pages", into="blocks"),
    "page_site": ArrayCheck(("uint64",), ("pages",)),
    "page_day": ArrayCheck(("uint32",), ("pages",)),
    "page_language": ArrayCheck(("uint16",), ("pages",)),
    "segment_label": ArrayCheck(("uint64",), ("segments",)),
    "posting_start": offsets("terms", into="postings"),
    # Postings are checked when they are read, here and in `webstrata.search._impacts`.
    "posting_block": ArrayCheck(("uint32",), ("postings",), index_of="blocks", values=False),
    "posting_count": ArrayCheck(("uint16",), ("postings",), values=False),
}
_CHECKS: ArrayChecks = {
    **_ARRAYS,
    **{f"block_{name}": ArrayCheck((np.dtype(kind).name,), ("blocks",)) for name, kind in _BLOCKS.items()},
    "block_page": indices("blocks", of="pages"),
    "block_segment": indices("blocks", of="segments"),
    **strings("urls", "pages"),
    **strings("titles", "pages"),
    **strings("texts", "pages"),
    **strings("terms", "terms"),
    **strings("parts", "parts"),
}


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Shard:
    """Pages, their blocks, and the postings of their terms.

    Attributes
    ----------
    urls, titles, texts : of the pages
    block_start : of each page, its first block
    page_site : of each page, a hash of its site; 0 for none
    page_day : of each page, the day of publication (`day_number`); 0 for none
    page_language : of each page, its language (`webstrata.search.languages.language_number`); 0 for none
    blocks : the columns of the blocks, by name
    segment_label : of each segment, the label of its class
    terms : the terms, in the order of their bytes
    parts : the parts of identifiers with the term that each is part of, such as "painter qpainter", in the same order
    posting_start : of each term, its first posting
    posting_block, posting_count : of each posting, its block and the count of the term in it
    """

    urls: Strings
    titles: Strings
    texts: Strings
    block_start: Column
    page_site: Column
    page_day: Column
    page_language: Column
    blocks: Mapping[str, Column]
    segment_label: Column
    terms: Strings
    parts: Strings
    posting_start: Column
    posting_block: Column
    posting_count: Column

    @property
    def pages(self) -> int:
        return len(self.block_start) - 1

    def __repr__(self) -> str:
        return f"<Shard: {self.pages} pages, {len(self.terms)} terms, {len(self.posting_block)} postings>"

    def find(self, term: str) -> slice:
        """The postings of a term; empty if the shard does not have it."""
        number = find(self.terms.data, self.terms.start, term.encode("utf-8", "replace"))
        return slice(int(self.posting_start[number]), int(self.posting_start[number + 1])) if number >= 0 else slice(0)

    def blocks_with(self, term: str) -> Column:
        """The blocks that have a term."""
        blocks = self.posting_block[self.find(term)]
        if len(blocks) and (int(blocks[-1]) >= len(self.blocks["page"]) or not (blocks[1:] > blocks[:-1]).all()):
            raise _damaged()
        return blocks

    def blocks_with_prefix(self, prefix: str) -> Column:
        """The blocks that have a term with a prefix."""
        places = with_prefix(self.terms, prefix)
        # The postings of neighbours in the list of terms are neighbours.
        first, stop = int(self.posting_start[places.start]), int(self.posting_start[places.stop])
        blocks = np.unique(self.posting_block[first:stop])
        if len(blocks) and int(blocks[-1]) >= len(self.blocks["page"]):
            raise _damaged()
        return blocks

    def text(self, page: int, start: int, stop: int) -> str:
        """The text between two byte offsets of the text of a page."""
        first = int(self.texts.start[page])
        return self.texts.data[first + start : first + stop].tobytes().decode("utf-8", "replace")

    def arrays(self) -> dict[str, Column]:
        """All columns by the names of their files."""
        found = {name: getattr(self, name) for name in _ARRAYS}
        found |= {f"block_{name}": self.blocks[name] for name in _BLOCKS}
        for name in _STRINGS:
            strings: Strings = getattr(self, name)
            found |= {name: strings.data, f"{name}_start": strings.start}
        return found

    def save(self, folder: Path) -> None:
        """Write the shard into a folder that is there."""
        SHARD.write(folder, self.arrays(), {"pages": self.pages})

    @classmethod
    def open(cls, folder: Path) -> Shard:
        """A shard from its folder, mapped into memory."""
        return cls._of(SHARD.read_arrays(folder, SHARD.read_facts(folder), _CHECKS))

    @classmethod
    def of_arrays(cls, arrays: Mapping[str, Column], source: Any = "the shard") -> Shard:
        """A shard from its columns, which come from ``source``."""
        check_arrays(arrays, _CHECKS, source=source, advice=f"make it again with `{SHARD.command}`")
        return cls._of(arrays)

    @classmethod
    def _of(cls, arrays: Mapping[str, Column]) -> Shard:
        columns: dict[str, Any] = {name: Strings(arrays[name], arrays[f"{name}_start"]) for name in _STRINGS}
        columns |= {name: arrays[name] for name in _ARRAYS}
        return cls(**columns, blocks={name: arrays[f"block_{name}"] for name in _BLOCKS})


class ShardBuilder:
    """Builds a shard from documents, one by one.

    Parameters
    ----------
    analyser : reads the terms
    """

    def __init__(self, analyser: Analyser) -> None:
        self._postings = analyser.postings()
        self._columns: dict[str, list[Column]] = {name: [] for name in _BLOCKS}
        self._waiting: list[dict[str, Column]] = []
        self._labels: list[Column] = []
        self._urls: list[str] = []
        self._sites: list[int] = []
        self._days: list[int] = []
        self._languages: list[int] = []
        self._titles: list[str] = []
        self._texts: list[bytes] = []
        self._sizes: list[int] = []
        self._blocks = 0
        self._segments = 0

    @property
    def pages(self) -> int:
        return len(self._urls)

    @property
    def postings(self) -> int:
        """The number of postings so far, which determines the memory of a shard."""
        return len(self._postings)

    def add(self, document: Document, anchors: Mapping[str, int] | None = None) -> None:
        """Add a document, with the texts of the links to it and the count of each."""
        texts = {text: times for text, times in (anchors or Counter()).items() if text}
        title = _clean(document.title)
        body = _clean(document.text)
        pieces = [title, body, *map(_clean, texts)]
        edges = list(accumulate((len(piece) + 1 for piece in pieces), initial=0))
        text = "\n".join(pieces)
        columns = _block_columns(document, title, texts, edges)
        starts, stops = columns.pop("start"), columns.pop("stop")
        times = None
        if texts:
            times = np.ones(len(starts), np.uint32)
            times[-len(texts) :] = list(texts.values())
        columns["tokens"], columns["digest"] = self._postings.add(text, starts, stops, self._blocks, times)
        columns["text_start"], columns["text_stop"] = _bytes_before(text, starts, stops)
        self._blocks += len(starts)
        self._sizes.append(len(starts))
        self._urls.append(document.url)
        self._sites.append(_site_hash(document.site))
        self._days.append(day_number(document.date))
        self._languages.append(language_number(document.language))
        self._titles.append(title)
        self._texts.append(text.encode())
        self._waiting.append(columns)
        if len(self._waiting) == _WAITING:
            self._settle()

    def _settle(self) -> None:
        """Concatenate the columns of the waiting pages, which costs nearly the same for one page as for many."""
        if not self._waiting:
            return
        columns = {name: np.concatenate([page[name] for page in self._waiting]) for name in self._waiting[0]}
        first = self.pages - len(self._waiting)
        columns["page"] = np.repeat(np.arange(first, self.pages), self._sizes[first:])
        # Segments are numbered page by page, in the order of their numbers there.
        key = columns["page"] << 32 | columns["segment"]
        _, place, number = np.unique(key, return_index=True, return_inverse=True)
        columns["segment"] = number + self._segments
        self._labels.append(columns.pop("label")[place])
        self._segments += len(place)
        for name, kind in _BLOCKS.items():
            self._columns[name].append(columns[name].astype(kind))
        self._waiting.clear()

    def shard(self) -> Shard:
        """The shard of the documents that were added."""
        self._settle()
        terms, posting_start, posting_block, posting_count = self._postings.columns()
        blocks = {name: np.concatenate([np.empty(0, kind), *self._columns[name]]) for name, kind in _BLOCKS.items()}
        return Shard(
            urls=Strings.of(self._urls),
            titles=Strings.of(self._titles),
            texts=Strings.of_bytes(self._texts),
            block_start=np.cumsum([0, *self._sizes], dtype=np.int64),
            page_site=np.array(self._sites, np.uint64),
            page_day=np.array(self._days, np.uint32),
            page_language=np.array(self._languages, np.uint16),
            blocks=blocks,
            segment_label=np.concatenate([np.empty(0, np.uint64), *self._labels]),
            terms=Strings.of_bytes(terms),
            parts=Strings.of_bytes(self._postings.parts()),
            posting_start=posting_start,
            posting_block=posting_block,
            posting_count=posting_count,
        )


def day_number(date: str) -> int:
    """A day as the number of days since the year 1; 0 if the text is no day.

    >>> day_number("2024-05-17") - day_number("2024-05-16"), day_number("soon")
    (1, 0)
    """
    try:
        return day.fromisoformat(date).toordinal()
    except ValueError:
        return 0


def _damaged() -> InputError:
    return InputError(f"a shard is damaged (posting_block has wrong values): run `{SHARD.command}` again")


def _site_hash(name: str) -> int:
    return int.from_bytes(blake2b(name.encode("utf-8", "replace"), digest_size=8).digest(), "little") if name else 0


def _clean(text: str) -> str:
    """The text without lone surrogates, of the same length."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace").decode()
    return text


def _block_columns(
    document: Document, title: str, anchors: Mapping[str, int], edges: Sequence[int]
) -> dict[str, Column]:
    """The columns of a document, with a block for its title in front and one for each anchor at the end."""
    head, tail = int(bool(title)), len(anchors)
    # The text of the page comes second, after the title.
    anchor_start = edges[2:-1]
    anchor_stop = [edge - 1 for edge in edges[3:]]

    def joined(first: Any, column: Column, last: Any) -> Column:
        if not head and not tail:
            return column
        whole = np.empty(head + len(column) + tail, column.dtype)
        whole[:head], whole[head : head + len(column)], whole[head + len(column) :] = first, column, last
        return whole

    segment = document.segment - (document.segment.min() if len(document.segment) else 0) + 1
    paragraph = document.paragraph + 1
    after = int(paragraph.max(initial=0)) + 1
    columns: dict[str, Column] = {
        "start": joined(0, document.start + edges[1], anchor_start),
        "stop": joined(len(title), document.stop + edges[1], anchor_stop),
        "words": joined(len(title.split()), document.words, [len(text.split()) for text in anchors] or 0),
        "segment": joined(0, segment, int(segment.max(initial=0)) + 1),
        "label": joined(TITLE_LABEL, document.label, ANCHOR_LABEL),
        "stratum": joined(TITLE, document.stratum, ANCHOR),
        "paragraph": joined(0, paragraph, np.arange(after, after + tail)),
    }
    for name in ("source_start", "source_stop", "density", "bte"):
        columns[name] = joined(0, getattr(document, name), 0)
    return columns


def _bytes_before(text: str, *places: Column) -> tuple[Column, ...]:
    """The byte offsets in UTF-8 of some offsets in a text."""
    if text.isascii():
        return places
    codes = np.frombuffer(text.encode("utf-32-le"), np.uint32)
    width = 1 + (codes > 0x7F).astype(np.int64) + (codes > 0x7FF) + (codes > 0xFFFF)
    before = np.concatenate(([0], np.cumsum(width)))
    return tuple(before[place] for place in places)
