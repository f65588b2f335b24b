"""Marks, and sheets: a sheet has the marks of one person on one page.

A mark refers to elements of the snapshot by their rows; its range of blocks follows from them. If a browser made the
snapshot from another document, a mark also has the rows of that document.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from webstrata.errors import InputError
from webstrata.page import Page
from webstrata.segmentation import Segment, Segmentation
from webstrata.segmentation.places import places
from webstrata.text import Column

__all__ = ["SegmentMark", "Sheet", "current_kind", "marks_of", "read_mark", "segmentation", "settled"]

# Names of types in files of older versions.
_RENAMED_KINDS = {"Link-list": "LinkList"}
_MOST_MARKS = 5000
_LONGEST_KIND, _LONGEST_NOTES = 60, 20_000


@dataclass(frozen=True, slots=True)
class SegmentMark:
    """A segment that a person marked.

    Attributes
    ----------
    start, stop, level, kind : as in `Segment`
    rows : its elements in the snapshot: one, or siblings; empty if it is only a range of blocks
    lines : its first and its last line in the source of the snapshot
    source_rows : rows of the same elements in the original document, if there is one; -1 for elements that it lacks
    """

    start: int
    stop: int
    level: int
    kind: str = ""
    rows: tuple[int, ...] = ()
    lines: tuple[int, int] = (0, 0)
    source_rows: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Sheet:
    """The marks of one person on one page; ``version`` counts the changes."""

    annotator: str
    version: int = 0
    marks: tuple[SegmentMark, ...] = ()
    notes: str = ""
    done: bool = False

    def json(self) -> str:
        """The sheet as a file."""
        return json.dumps(asdict(self), ensure_ascii=False, indent=1)

    @classmethod
    def from_json(cls, text: str | bytes) -> Sheet:
        """Read a sheet from JSON."""
        try:
            value = json.loads(text)
            return cls(
                str(value["annotator"]),
                int(value["version"]),
                tuple(read_mark(row) for row in value["marks"]),
                str(value["notes"])[:_LONGEST_NOTES],
                bool(value["done"]),
            )
        except (KeyError, TypeError, ValueError, AttributeError, RecursionError) as error:
            raise InputError(f"not a sheet of marks: {type(error).__name__}") from error


def current_kind(name: str) -> str:
    """The name of a type today, for a name in a file of any version.

    >>> current_kind("Link-list"), current_kind("Menu")
    ('LinkList', 'Menu')
    """
    return _RENAMED_KINDS.get(name, name)


def read_mark(value: Any) -> SegmentMark:
    """A mark from plain values."""
    return SegmentMark(
        int(value.get("start", 0)),
        int(value.get("stop", 0)),
        int(value["level"]),
        current_kind(str(value.get("kind", ""))),
        tuple(int(row) for row in value.get("rows", ())),
    )


def settled(page: Page, marks: Sequence[SegmentMark], *, source_row: Column | None = None) -> tuple[SegmentMark, ...]:
    """The marks with blocks, lines and rows of the original; `InputError` for one that does not fit the page.

    >>> from webstrata.page import parse
    >>> page = parse("<p>one<p>two")
    >>> settled(page, [SegmentMark(0, 0, 1, "Content", rows=(3, 4))])
    (SegmentMark(start=0, stop=2, level=1, kind='Content', rows=(3, 4), lines=(1, 1), source_rows=()),)
    """
    if len(marks) > _MOST_MARKS:
        raise InputError(f"a page has at most {_MOST_MARKS} marks")
    breaks = np.flatnonzero(np.frombuffer(page.source, np.uint8) == 10)
    found = []
    for mark in marks:
        if not 1 <= mark.level <= 9 or len(mark.kind) > _LONGEST_KIND or not (mark.kind.isprintable()):
            raise InputError(f"a mark has a level from 1 to 9, and a type of at most {_LONGEST_KIND} printable letters")
        start, stop, span = _extent(page, mark)
        lines = np.searchsorted(breaks, span).tolist()
        rows = tuple(int(source_row[row]) for row in mark.rows) if source_row is not None else ()
        found.append(
            replace(mark, start=start, stop=stop, lines=(lines[0] + 1, lines[1] + 1), source_rows=rows),
        )
    return tuple(found)


def _extent(page: Page, mark: SegmentMark) -> tuple[int, int, tuple[int, int]]:
    """The blocks of a mark, and its span in the source."""
    elements, blocks = page.elements, page.blocks
    if mark.rows:
        if not all(0 <= row < len(elements) for row in mark.rows) or len(mark.rows) > len(elements):
            raise InputError("a mark refers to an element that the page does not have")
        rows = np.array(mark.rows, np.int64)
        if len(set(elements.parent[rows].tolist())) > 1:
            raise InputError("the elements of a mark must be siblings")
        span = int(elements.source_start[rows].min()), max(int(elements.source_stop[rows].max()) - 1, 0)
        return int(elements.first_block[rows].min()), int(elements.end_block[rows].max()), span
    if not 0 <= mark.start <= mark.stop <= len(blocks):
        raise InputError(f"the range of a mark must lie within the page's {len(blocks)} blocks")
    if mark.start == mark.stop:
        return mark.start, mark.stop, (0, 0)
    return mark.start, mark.stop, (int(blocks.source_start[mark.start]), int(blocks.source_stop[mark.stop - 1]) - 1)


def segmentation(page: Page, marks: Iterable[SegmentMark], annotator: str) -> Segmentation:
    """The marks as a segmentation."""
    return Segmentation(page, tuple(Segment(m.start, m.stop, m.level, m.kind) for m in marks), annotator)


def marks_of(found: Segmentation) -> tuple[SegmentMark, ...]:
    """The segments of a segmentation as marks, of elements if the segment is an element or siblings.

    >>> from webstrata.segmentation import segment
    >>> [(mark.start, mark.stop, mark.rows) for mark in marks_of(segment("<h1>a</h1><p>b c<p>d", "taggap"))]
    [(0, 1, (3,)), (1, 2, (4,)), (2, 3, (5,))]
    """
    rows: dict[int, list[int]] = {}
    where = places(found)
    for row, numbers in where.rows.items():
        for number in numbers:
            rows.setdefault(number, []).append(row)
    wrapped = {wrapper.segment for wrapper in where.wrappers}
    parent = found.page.elements.parent
    marks = []
    for number, segment in enumerate(found.segments):
        own = sorted(rows.get(number, ()))
        one_parent = len(set(parent[own].tolist())) == 1 if own else False
        marked = tuple(own) if one_parent and number not in wrapped else ()
        mark = SegmentMark(segment.start, segment.stop, segment.level, current_kind(segment.kind), rows=marked)
        # Siblings may have other blocks between them; then the mark is the range of blocks.
        if mark.rows and _extent(found.page, mark)[:2] != segment[:2]:
            mark = replace(mark, rows=())
        marks.append(mark)
    return settled(found.page, marks)
