"""A segmentation as HTML: the source of the page with ``data-block`` marks (Kreuzer 2013 §4.2.3 and §5.2), and back.

A mark has the attributes ``data-block`` (the level), ``data-block-type`` (the kind, if any), ``data-block-score`` (the
score, if any), ``data-block-chance`` (the chance of the kind, if any), ``data-block-hidden`` (1 for hidden text),
``data-block-extra`` (1 for what people would not mark) and ``data-block-id`` (the number of the segment). It is

- on the element, if a segment is exactly one element;
- on an added ``div``, if a segment is a run of siblings in an element that may contain a ``div``;
- otherwise on each largest element inside the segment, and on a ``span`` that is added around each text between them:
  several elements with one ``data-block-id``.

Added elements have ``data-block-added``. An element of two segments has both marks: ``data-block="1 2"
data-block-type="Content|Menu"``.

All other bytes are unchanged, and no byte of the page can be mistaken for a mark: if the page uses the name
``data-block-id`` itself, ours gets a number. `from_html` removes the marks, parses the page without them, and returns
the same segmentation. It also reads marks without ``data-block-id``, such as those of the ground truth of Kreuzer 2013;
there, a ``div`` without other attributes was added by the marking tool, and is removed too.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from operator import itemgetter

import numpy as np

from webstrata._escaping import html as escape
from webstrata._escaping import unescape
from webstrata.page import CLONED, IMPLIED, Page, parse
from webstrata.segmentation.base import Segment, Segmentation
from webstrata.segmentation.places import own_rows, places
from webstrata.text import Column

__all__ = ["from_html", "id_name", "marks", "to_html"]

_NAME = re.compile(rb"data-block-id(?:-(\d{1,9}))?")
_TAG_NAME = re.compile(rb"<[^ \t\n\r\f/>]*")
# Levels and numbers of segments have at most nine digits; Python refuses to read numbers with thousands of digits.
_LEVEL = re.compile(r"(?<!\d)\d{1,9}(?!\d)")
_MARK = (
    rb' data-block="([\d ]*)"(?: data-block-type="([^"]*)")?(?: data-block-score="([\d.e|-]*)")?'
    rb'(?: data-block-chance="([\d.e|-]*)")?(?: data-block-hidden="([1|]*)")?(?: data-block-extra="([1|]*)")?'
    rb' %s="([\d ]*)"'
)
_FOREIGN = re.compile(rb"""(?<!\s)\s+data-block(?:-type)?\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'>]+)""", re.IGNORECASE)


def to_html(segmentation: Segmentation) -> str:
    """The source of the page with the segments marked in it.

    >>> page = parse("<p>A page<p>comes <b>in</b> layers.")
    >>> print(to_html(Segmentation(page, (Segment(0, 1, kind="Title"), Segment(1, 4)), "by hand")))
    <p data-block="1" data-block-type="Title" data-block-id="0">A page<p data-block="1" data-block-id="1">comes
    <b>in</b> layers.
    >>> print(to_html(Segmentation(page, (Segment(2, 4),), "by hand")))
    <p>A page<p>comes <b data-block="1" data-block-id="0">in</b>
    <span data-block-added data-block="1" data-block-id="0">layers.</span><!--/data-block-id="0"-->
    """
    page = segmentation.page
    source = page.source
    attributes, added = marks(segmentation)
    starts = ((_name_stop(source, page.elements.start_tag(row)[0]), text) for row, text in attributes.items())
    parts = []
    position = 0
    # The sort is stable: what is added at one offset stays in its order.
    for at, text in sorted([*added, *starts], key=itemgetter(0)):
        parts += [source[position:at], text.encode()]
        position = at
    return b"".join([*parts, source[position:]]).decode()


def marks(segmentation: Segmentation) -> tuple[dict[int, str], list[tuple[int, str]]]:
    """The attributes of the marks by the row of the element, and what is added at offsets of the source, in order.

    At one offset, end tags come first (innermost first), then empty elements, then start tags (outermost first).
    """
    segments, marked, name = segmentation.segments, places(segmentation), id_name(segmentation.page.source)
    attributes = {row: _mark(numbers, segments, name) for row, numbers in marked.rows.items()}
    added: list[tuple[int, tuple[int, int, int], str]] = []
    for order, wrapper in enumerate(marked.wrappers):
        begin = f"<{wrapper.tag} data-block-added{_mark([wrapper.segment], segments, name)}>"
        end = f'</{wrapper.tag}><!--/{name}="{wrapper.segment}"-->'
        length = wrapper.stop - wrapper.start
        if length:
            added.append((wrapper.start, (2, -length, order), begin))
            added.append((wrapper.stop, (0, length, -order), end))
        else:
            added.append((wrapper.start, (1, order, 0), begin + end))
    return attributes, [(at, text) for at, _, text in sorted(added)]


def id_name(source: bytes) -> str:
    """The name of the attribute with the numbers of segments, which the page does not use itself."""
    used = [int(match[1] or 0) for match in _NAME.finditer(source)]
    return f"data-block-id-{max(used) + 1}" if used else "data-block-id"


def from_html(html: bytes | str, *, url: str | None = None, encoding: str | None = None) -> Segmentation:
    """The segmentation that is marked in HTML, of the page without the marks.

    Parameters
    ----------
    html, url, encoding : as for `webstrata.parse`

    >>> marked = from_html('<div data-block="1" data-block-type="Content"><p data-block="2">A<p>page</div>')
    >>> marked.segments, marked.page.source
    ((Segment(start=0, stop=2, level=1, kind='Content', score=None, chance=None, hidden=False, extra=False),
    Segment(start=0, stop=1, level=2, kind='', score=None, chance=None, hidden=False, extra=False)), b'<p>A<p>page')
    """
    page = parse(html, url=url, encoding=encoding)
    used = [int(match[1] or 0) for match in _NAME.finditer(page.source)]
    if used:
        name = b"data-block-id-%d" % max(used) if max(used) else b"data-block-id"
        marks, cuts = _own_marks(page.source, name)
    else:
        marks, cuts = _foreign_marks(page)
    source, moved = _cut(page.source, cuts)
    bare = parse(source, url=url, encoding="utf-8")
    return Segmentation(bare, _segments(bare, marks, moved), "data-block")


# Writing


def _mark(numbers: Sequence[int], segments: Sequence[Segment], name: str) -> str:
    """The attributes for segments that share an element, their kinds separated by bars."""
    levels = " ".join(str(segments[number].level) for number in numbers)
    kinds = "|".join(segments[number].kind.replace("%", "%25").replace("|", "%7C") for number in numbers)
    kind = f' data-block-type="{escape(kinds)}"' if kinds.strip("|") else ""
    score = _attribute("score", [_text(segments[number].score) for number in numbers])
    chance = _attribute("chance", [_text(segments[number].chance) for number in numbers])
    hidden = _attribute("hidden", ["1" if segments[number].hidden else "" for number in numbers])
    extra = _attribute("extra", ["1" if segments[number].extra else "" for number in numbers])
    return f' data-block="{levels}"{kind}{score}{chance}{hidden}{extra} {name}="{" ".join(map(str, numbers))}"'


def _text(chance: float | None) -> str:
    return "" if chance is None else str(chance)


def _attribute(name: str, values: Sequence[str]) -> str:
    """An attribute with the values of several segments; none if all are empty."""
    return f' data-block-{name}="{"|".join(values)}"' if any(values) else ""


def _name_stop(source: bytes, start: int) -> int:
    """The end of the name in a start tag."""
    match = _TAG_NAME.match(source, start)
    return match.end() if match else start


# Reading


@dataclass(slots=True)
class _Marks:
    """The marks of one segment: the ends of tag names, and the ranges inside of added elements."""

    level: int
    kind: str
    score: float | None = None
    chance: float | None = None
    hidden: bool = False
    extra: bool = False
    tags: list[int] = field(default_factory=list)
    ranges: list[tuple[int, int]] = field(default_factory=list)


_Cuts = list[tuple[int, int]]


def _own_marks(source: bytes, name: bytes) -> tuple[list[_Marks], _Cuts]:
    """The marks that `to_html` wrote, found by their bytes alone, and the ranges to remove."""
    mark = _MARK % re.escape(name)
    pattern = re.compile(
        rb'(?P<begin><(?:div|span) data-block-added%b>)|(?P<end></(?:div|span)><!--/%b="(\d{1,9})"-->)|%b'
        % (mark, re.escape(name), mark)
    )
    marks: dict[int, _Marks] = {}
    begun: dict[int, list[int]] = {}
    cuts: _Cuts = []
    for match in pattern.finditer(source):
        if match["end"]:
            number = int(match[10])
            if begun.get(number):
                marks[number].ranges.append((begun[number].pop(), match.start()))
                cuts.append(match.span())
            continue
        cuts.append(match.span())
        parts = match.groups()
        levels, kinds, scores, chances, hidden, extra, ids = parts[1:8] if match["begin"] else parts[10:17]
        kind_of = [
            kind.replace("%7C", "|").replace("%25", "%") for kind in unescape((kinds or b"").decode()).split("|")
        ]
        score_of, chance_of, hidden_of, extra_of = (
            (part or b"").decode().split("|") for part in (scores, chances, hidden, extra)
        )
        for i, (level, number) in enumerate(zip(_numbers(levels), _numbers(ids), strict=False)):
            kind = kind_of[i] if i < len(kind_of) else ""
            found = marks.setdefault(
                number,
                _Marks(
                    level,
                    kind,
                    _score(score_of[i]) if i < len(score_of) else None,
                    _score(chance_of[i]) if i < len(chance_of) else None,
                    i < len(hidden_of) and hidden_of[i] == "1",
                    i < len(extra_of) and extra_of[i] == "1",
                ),
            )
            if match["begin"]:
                begun.setdefault(number, []).append(match.end())
            else:
                found.tags.append(match.start())
    return [marks[number] for number in sorted(marks)], cuts


def _score(text: str) -> float | None:
    """A score; None for texts that are not a number from 0 to 1, which `to_html` never writes."""
    try:
        found = float(text)
    except ValueError:
        return None
    return found if 0 <= found <= 1 else None


def _numbers(text: bytes) -> list[int]:
    return [int(number) for number in _LEVEL.findall(text.decode())]


def _foreign_marks(page: Page) -> tuple[list[_Marks], _Cuts]:
    """The marks of all elements with a ``data-block`` attribute, and the ranges to remove."""
    elements, source = page.elements, page.source
    marks: list[_Marks] = []
    cuts: _Cuts = []
    for row in np.flatnonzero((elements.flags & (IMPLIED | CLONED)) == 0).tolist():
        start, open_stop = int(elements.source_start[row]), int(elements.open_stop[row])
        if source.find(b"data-block", start, open_stop) < 0:
            continue
        attributes = elements[row].attributes
        kind = " ".join(attributes.get("data-block-type", "").split())
        stop = int(elements.source_stop[row])
        close = stop - len(b"</div>")
        was_added = (
            elements[row].tag == "div"
            and not attributes.keys() - {"data-block", "data-block-type"}
            and close >= open_stop
            and source[close:stop].lower() == b"</div>"
        )
        for level in _LEVEL.findall(attributes.get("data-block", "")):
            if was_added:
                marks.append(_Marks(max(int(level), 1), kind, ranges=[(open_stop, close)]))
            else:
                marks.append(_Marks(max(int(level), 1), kind, tags=[_name_stop(source, start)]))
        if was_added:
            cuts += [(start, open_stop), (close, stop)]
        else:
            cuts += [match.span() for match in _FOREIGN.finditer(source, start, open_stop)]
    return marks, sorted(cuts)


@dataclass(frozen=True, slots=True)
class _Moved:
    """Maps offsets before the cuts to offsets after them."""

    cut_stops: Column
    removed: Column

    def __call__(self, offset: int) -> int:
        return offset - int(self.removed[np.searchsorted(self.cut_stops, offset, side="right")])


def _cut(source: bytes, cuts: _Cuts) -> tuple[bytes, _Moved]:
    parts = []
    position = 0
    for start, stop in cuts:
        parts.append(source[position:start])
        position = stop
    spans = np.array(cuts, np.int64).reshape(-1, 2)
    removed = np.concatenate(([0], np.cumsum(spans[:, 1] - spans[:, 0])))
    return b"".join([*parts, source[position:]]), _Moved(spans[:, 1], removed)


def _segments(page: Page, marks: Sequence[_Marks], moved: _Moved) -> tuple[Segment, ...]:
    """The segments of the marks. Marks on elements that the page does not have are ignored."""
    elements = page.elements
    rows = own_rows(page).tolist() if marks else []
    row_at = {_name_stop(page.source, int(elements.source_start[row])): row for row in rows}
    starts = page.blocks.source_start.astype(np.int64)  # the type of what is searched for: it is made once
    segments = []
    for mark in marks:
        tagged = [row_at[at] for at in map(moved, mark.tags) if at in row_at]
        found = [(int(elements.first_block[row]), int(elements.end_block[row])) for row in tagged]
        for span in mark.ranges:
            first, last = np.searchsorted(starts, [moved(offset) for offset in span]).tolist()
            found.append((first, last))
        # Of several ranges, empty ones are ignored.
        found = [(first, last) for first, last in found if first < last] or found[:1]
        if found:
            start, stop = min(first for first, _ in found), max(last for _, last in found)
            segments.append(
                Segment(start, stop, mark.level, mark.kind, mark.score, mark.chance, mark.hidden, mark.extra)
            )
    return tuple(segments)
