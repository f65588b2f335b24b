"""The text of a paragraph as pieces, with their marks, links and images."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from webstrata.extraction.structure.pieces import BREAK, IMAGE, MARKS, Piece
from webstrata.extraction.structure.text import separator
from webstrata.page import TAGS, Page, tag_mask
from webstrata.paragraphs import WITHIN_TAGS
from webstrata.text import Column
from webstrata.tree import by_tag, inherited, nearest

__all__ = ["IS_FLOW", "Paragraphs"]

_MARK_OF = by_tag({name: bit for bit, names in MARKS.items() for name in names})
_MARK_TAGS = tag_mask(name for names in MARKS.values() for name in names)
_BREAK = tag_mask(("br",))
#: By the number of a tag, whether it begins a paragraph of its own.
IS_FLOW = ~by_tag(dict.fromkeys(WITHIN_TAGS - {"br"}, 1)).astype(bool)


@dataclass(frozen=True, eq=False)
class Paragraphs:
    """The text of a page, a paragraph at a time."""

    page: Page

    @cached_property
    def _links(self) -> tuple[list[int], Column, Column]:
        """Links as rows and disjoint spans of the text: an outer one ends where an inner one begins."""
        rows, starts, stops = self.page.link_spans
        stops = np.minimum(stops, np.append(starts[1:], stops[-1:])) if len(rows) else stops
        return rows.tolist(), starts, stops

    @cached_property
    def _link_range(self) -> tuple[list[int], list[int]]:
        """For each block, the range of the links that touch it."""
        blocks = self.page.blocks
        _, starts, stops = self._links
        return (
            np.searchsorted(stops, blocks.text_start, "right").tolist(),
            np.searchsorted(starts, blocks.text_stop, "left").tolist(),
        )

    @cached_property
    def _block_columns(self) -> tuple[list[int], list[int], list[int], list[bool], list[bool]]:
        """Of each block: where its text starts and stops, its marks, and whether its gap has a break or a mark."""
        blocks = self.page.blocks
        return (
            blocks.text_start.tolist(),
            blocks.text_stop.tolist(),
            inherited(self.page.elements, _MARK_OF[self.page.elements.tag])[blocks.element].tolist(),
            blocks.gap_meets(_BREAK).tolist(),
            blocks.gap_meets(_MARK_TAGS).tolist(),
        )

    def pieces(self, rows: list[int], before: dict[int, list[int]], after: list[int]) -> list[Piece]:
        """The paragraph of these blocks, with the images that stand before some of them and after the last."""
        starts, stops, marks, _, _ = self._block_columns
        pieces: list[Piece] = []
        for number, row in enumerate(rows):
            linked = self._linked(row, starts[row], stops[row], marks[row])
            if number:
                pieces += self._between(rows[number - 1], row, pieces[-1], linked[0])
            for image in before.get(row, ()):
                pieces += (self.image(image), Piece(0, -1, " "))
            pieces += linked
        for image in after:
            pieces += (Piece(0, -1, " "), self.image(image))
        return pieces

    def _between(self, last: int, row: int, before: Piece, after: Piece) -> list[Piece]:
        """What stands between two blocks of a paragraph: a break, a space or nothing."""
        starts, stops, _, breaks, crosses = self._block_columns
        if row == last + 1:
            is_break, is_spaced, crosses_mark = breaks[row], stops[last] < starts[row], crosses[row]
            link = self._link_at(stops[last], row) if is_spaced else -1
        else:  # blocks between were left out
            is_break, crosses_mark = any(breaks[last + 1 : row + 1]), any(crosses[last + 1 : row + 1])
            is_spaced = bool(separator(self.page, last, row))
            link = before.link if before.link == after.link else -1
        if is_break:
            return [Piece(BREAK, -1, "")]
        # A space between two marked words is marked when no mark ends or begins there.
        return [Piece(0 if crosses_mark else before.marks & after.marks, link, " ")] if is_spaced else []

    def _linked(self, row: int, start: int, stop: int, marks: int) -> list[Piece]:
        """The text of a block, cut where links begin and end."""
        text = self.page.text
        low, high = self._link_range[0][row], self._link_range[1][row]
        if low >= high:
            return [Piece(marks, -1, text[start:stop])]
        link_rows, link_starts, link_stops = self._links
        pieces = []
        for link in range(low, high):
            begin, end = max(int(link_starts[link]), start), min(int(link_stops[link]), stop)
            if begin > start:
                pieces.append(Piece(marks, -1, text[start:begin]))
            if end > begin:
                pieces.append(Piece(marks, link_rows[link], text[begin:end]))
            start = max(start, end)
        if start < stop:
            pieces.append(Piece(marks, -1, text[start:stop]))
        return pieces

    def _link_at(self, offset: int, row: int) -> int:
        """The link that holds the character before block `row`, or -1."""
        low = self._link_range[0][row]
        rows, starts, _ = self._links
        return rows[low] if low < len(rows) and starts[low] <= offset < self.page.blocks.text_start[row] else -1

    @cached_property
    def _around(self) -> Column:
        """For each element the nearest one around it that is a link or begins a paragraph."""
        elements = self.page.elements
        return nearest(elements, IS_FLOW[elements.tag] | (elements.tag == TAGS.index("a")))

    def image(self, row: int) -> Piece:
        """An image, and the link that it is in."""
        elements = self.page.elements
        around = int(self._around[row])
        return Piece(IMAGE, around if TAGS[elements.tag[around]] == "a" else -1, "", row)

    def code(self, rows: list[int]) -> str:
        """The text of a ``pre`` with its white space, the indent of its first line included."""
        text = self.page.text
        starts, stops = self._block_columns[:2]
        indent = text[stops[rows[0] - 1] if rows[0] else 0 : starts[rows[0]]].rpartition("\n")[2]
        parts = [indent]
        for number, row in enumerate(rows):
            if number:
                parts += [text[stops[gap - 1] : starts[gap]] for gap in range(rows[number - 1] + 1, row + 1)]
            parts.append(text[starts[row] : stops[row]])
        return "".join(parts)
