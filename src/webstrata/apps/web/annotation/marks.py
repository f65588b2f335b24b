"""What somebody marked on a page: marks, and the sheet that holds those of one person on one page.

A mark refers to elements of the snapshot by their rows, so that nothing has to be found again; its range of blocks
follows from them. Where the snapshot is what a browser made of another document, the rows of that document stand
beside.
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

__all__ = ["Mark", "Sheet", "marks_of", "settled"]

_MOST_MARKS = 5000
_LONGEST_KIND, _LONGEST_NOTES = 60, 20_000


@dataclass(frozen=True, slots=True)
class Mark:
    """A segment that was marked.

    Attributes
    ----------
    start, stop, level, kind : as in `Segment`
    rows : the elements of the snapshot that it was made from: one, or siblings; none where it is a run of blocks alone
    lines : the first and the last line of the snapshot that it stands on
    source_rows : the rows of the same elements in the original document, where there is one; -1 for those it lacks
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
    """What one person marked on one page; ``version`` grows with each change."""

    annotator: str
    version: int = 0
    marks: tuple[Mark, ...] = ()
    notes: str = ""
    done: bool = False

    def json(self) -> str:
        """The sheet as a file."""
        return json.dumps(asdict(self), ensure_ascii=False, indent=1)

    @classmethod
    def from_json(cls, text: str | bytes) -> Sheet:
        """Read what `json` wrote, or what somebody else wrote."""
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


def read_mark(value: Any) -> Mark:
    """A mark from plain values."""
    return Mark(
        int(value.get("start", 0)),
        int(value.get("stop", 0)),
        int(value["level"]),
        str(value.get("kind", "")),
        tuple(int(row) for row in value.get("rows", ())),
    )


def settled(page: Page, marks: Sequence[Mark], *, source_row: Column | None = None) -> tuple[Mark, ...]:
    """The marks with all that follows from the page; `InputError` for one that does not fit it.

    >>> from webstrata.page import parse
    >>> page = parse("<p>one<p>two")
    >>> settled(page, [Mark(0, 0, 1, "Content", rows=(3, 4))])
    (Mark(start=0, stop=2, level=1, kind='Content', rows=(3, 4), lines=(1, 1), source_rows=()),)
    """
    if len(marks) > _MOST_MARKS:
        raise InputError(f"a page has at most {_MOST_MARKS} marks")
    breaks = np.flatnonzero(np.frombuffer(page.source, np.uint8) == 10)
    found = []
    for mark in marks:
        if not 1 <= mark.level <= 9 or len(mark.kind) > _LONGEST_KIND or not (mark.kind.isprintable()):
            raise InputError("a mark has a level from 1 to 9, and a type of one line")
        start, stop, span = _extent(page, mark)
        lines = np.searchsorted(breaks, span).tolist()
        rows = tuple(int(source_row[row]) for row in mark.rows) if source_row is not None else ()
        found.append(
            replace(mark, start=start, stop=stop, lines=(lines[0] + 1, lines[1] + 1), source_rows=rows),
        )
    return tuple(found)


def _extent(page: Page, mark: Mark) -> tuple[int, int, tuple[int, int]]:
    """The blocks of a mark, and its span in the source."""
    elements, blocks = page.elements, page.blocks
    if mark.rows:
        if not all(0 <= row < len(elements) for row in mark.rows) or len(mark.rows) > len(elements):
            raise InputError("a mark refers to an element that the page does not have")
        rows = np.array(mark.rows, np.int64)
        if len(set(elements.parent[rows].tolist())) > 1:
            raise InputError("a mark is one element, or siblings")
        span = int(elements.source_start[rows].min()), max(int(elements.source_stop[rows].max()) - 1, 0)
        return int(elements.first_block[rows].min()), int(elements.end_block[rows].max()), span
    if not 0 <= mark.start <= mark.stop <= len(blocks):
        raise InputError(f"a mark is a range of the page's {len(blocks)} blocks")
    if mark.start == mark.stop:
        return mark.start, mark.stop, (0, 0)
    return mark.start, mark.stop, (int(blocks.source_start[mark.start]), int(blocks.source_stop[mark.stop - 1]) - 1)


def segmentation(page: Page, marks: Iterable[Mark], annotator: str) -> Segmentation:
    """The marks as a segmentation."""
    return Segmentation(page, tuple(Segment(m.start, m.stop, m.level, m.kind) for m in marks), annotator)


def marks_of(found: Segmentation) -> tuple[Mark, ...]:
    """The segments of a segmentation as marks: on elements where they are elements or siblings.

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
        mark = Mark(segment.start, segment.stop, segment.level, segment.kind, rows=marked)
        # Elements without text between the siblings would make it another range.
        if mark.rows and _extent(found.page, mark)[:2] != segment[:2]:
            mark = replace(mark, rows=())
        marks.append(mark)
    return settled(found.page, marks)
