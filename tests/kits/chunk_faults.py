"""What is wrong with the chunks of an extraction, as a CommonMark parser sees them.

    python tests/kits/chunk_faults.py [--pages N] [--every N] [--size N] [--overlap N] [--dataset wcxb]

reads pages of a data set and counts, of their chunks: those that are too long, that end with a heading, that begin
within a sentence, a row or code (and of these, those that had to, because a single one is longer than a chunk), that a
parser reads as something else, and words in no chunk.
"""

from __future__ import annotations

import argparse
import re
import sys
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator
from itertools import islice

from read_back import parser, read_back

from webstrata.extraction import Extraction, extract
from webstrata.extraction.chunks import Chunk

#: Faults that may happen, because something is longer than a chunk.
LONG = "a part of what is longer than a chunk"
EMPTY = "without text below it"
# The URLs of links, whose full stops end no sentence.
_URL = re.compile(r"\]\([^()\s]*\)")
_HEADING = re.compile(r"\s*(#{1,6}) ")
_LETTER = re.compile(r"[^\W_]")
_END = re.compile(r"[.!?;…。！？；:][\"'”’»)*_~`\]>]*(?:\]\([^()\s]*\)|\[\^[^\]]+\]|</\w+>|[*~)\"'”’»])*\s*$")


def chunk_faults(found: Extraction, size: int, overlap: int = 0) -> Iterator[str]:
    """The faults of the chunks of a page; those with `LONG` in them are none."""
    made = found.chunks(size=size, overlap=overlap)
    markdown = found.markdown
    places = _Places(markdown)
    at = 0
    for chunk in made:
        if not 0 <= chunk.start < chunk.stop <= len(markdown) or (chunk.start < at and not overlap):
            yield f"order: {chunk.start}:{chunk.stop} after {at}"
        if _LETTER.search(markdown[at : chunk.start]):
            yield f"lost: {markdown[at : chunk.start]!r:.200}"
        at = max(at, chunk.stop)
        if len(chunk.text) > size:
            yield f"too long: {len(chunk.text)}"
        yield from _misread(chunk, places, size)
        if chunk is not made[0]:
            yield from places.begins_within(chunk.start, size, chunk)
    rest = [line for line in markdown[at:].split("\n") if _LETTER.search(line) and not re.match(r"[> \d.)*-]*#", line)]
    if rest:
        yield f"lost: {rest[0]!r:.200}"


def _misread(chunk: Chunk, places: _Places, size: int) -> Iterator[str]:
    tokens = parser().parse(chunk.text)
    if tokens and tokens[-1].type == "heading_close":
        yield f"ends with a heading: {places.after_heading(chunk.stop, size)} {chunk.text[-80:]!r}"
    try:
        read_back(chunk.text)
    except AssertionError as fault:
        yield f"misread: {fault!s:.200}"


class _Places:
    """Where the blocks of a Markdown begin and end."""

    def __init__(self, markdown: str) -> None:
        self.markdown = markdown
        self.lines = [0, *(match.end() for match in re.finditer("\n", markdown)), len(markdown) + 1]
        self.blocks = [
            (self.lines[token.map[0]], self.lines[min(token.map[1], len(self.lines) - 1)] - 1, token.type)
            for token in parser().parse(markdown)
            if token.map and token.type in ("inline", "fence", "tr_open")
        ]
        # A row holds cells, which begin where it does: the row counts.
        self.blocks.sort(key=lambda block: (block[0], block[2] == "tr_open"))
        self.starts = [start for start, _, _ in self.blocks]

    def begins_within(self, at: int, size: int, chunk: Chunk) -> Iterator[str]:
        number = bisect_right(self.starts, at) - 1
        if number < 0:
            return
        start, stop, kind = self.blocks[number]
        if at == start or at >= stop:
            return
        if kind == "fence":
            found, long = "code", stop - start > size
        elif kind == "tr_open":
            found, long = "a row", stop - start > size
        else:
            line = self.lines[bisect_right(self.lines, at) - 1]
            before = self.markdown[max(start, at - 2000) : at]
            if _END.search(before.rstrip("\\\n> ")) or (at == line and stop - start > size):
                return
            found, long = "a sentence", self._is_long_sentence(self._with_headings(number), at, stop, size)
        yield f"within {found}: {LONG if long else ''} {self.markdown[at - 60 : at]!r} {self.markdown[at : at + 60]!r}"

    def after_heading(self, at: int, size: int) -> str:
        """Why a chunk may end with a heading: it has no text, or is longer than a chunk with the text below it."""
        number = bisect_right(self.starts, at - 1) - 1
        start, below = self.blocks[number][0], self.blocks[min(number + 1, len(self.blocks) - 1)][1]
        level, following = _HEADING.match(self.markdown, start), _HEADING.match(self.markdown, at)
        if level and following and len(following[1]) <= len(level[1]):
            return EMPTY
        return LONG if below - self._with_headings(number) > size else ""

    def _with_headings(self, number: int) -> int:
        """Where the headings above a block begin."""
        while number and _HEADING.match(self.markdown, self.blocks[number - 1][0]):
            number -= 1
        return self.blocks[number][0]

    def _is_long_sentence(self, start: int, at: int, stop: int, size: int) -> bool:
        """Whether the next full stop before and after a place are farther apart than a chunk is long."""
        before, after = (
            _URL.sub(lambda url: "x" * len(url[0]), each) for each in (self.markdown[start:at], self.markdown[at:stop])
        )
        begin = [match.end() for match in re.finditer(r"[.!?;…。！？；]\S*\s+(?![a-z])", before)]
        end = re.search(r"[.!?;…。！？；]\S*(?:\s(?![a-z])|$)", after)
        return (at + end.end() if end else stop) - (start + begin[-1] if begin else start) > size


def main() -> None:
    from webstrata.evaluation.datasets.catalogue import find_dataset

    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--dataset", default="wcxb")
    options.add_argument("--pages", type=int, help="read only the first pages")
    options.add_argument("--every", type=int, default=1, help="read only every Nth page")
    options.add_argument("--size", type=int, default=800)
    options.add_argument("--overlap", type=int, default=0)
    options.add_argument("--show", type=int, default=3, help="faults of each kind to print")
    given = options.parse_args()
    counts: Counter[str] = Counter()
    pages = chunks = characters = 0
    for item in islice(find_dataset(given.dataset).items(), 0, given.pages and given.pages * given.every, given.every):
        found = extract(item.inputs["html"].page())
        made = found.chunks(size=given.size, overlap=given.overlap)
        pages, chunks, characters = pages + 1, chunks + len(made), characters + sum(len(each.text) for each in made)
        for fault in chunk_faults(found, given.size, given.overlap):
            reason = next((f" ({reason})" for reason in (LONG, EMPTY) if reason in fault), "")
            kind = fault.partition(":")[0] + reason
            counts[kind] += 1
            if counts[kind] <= given.show:
                print(f"{item.name}: {fault}")
    print(f"{pages} pages, {chunks} chunks of {characters / max(chunks, 1):.0f} characters on average")
    for kind, count in counts.most_common():
        print(f"{count:6} {100 * count / max(chunks, 1):6.2f} %  {kind}")
    sys.exit(any(LONG not in kind and EMPTY not in kind for kind in counts))


if __name__ == "__main__":
    main()
