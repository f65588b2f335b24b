"""Separators between visual blocks, their weights, and the groups between them (VIPS)."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass

from webstrata.elements import TAG_NUMBERS
from webstrata.segmentation.layout import Layout

__all__ = ["Cut", "Separators"]

# The widest gap in pixels of each weight; a wider one weighs `_WIDEST`. The papers give no figures. These, and the
# weights below, were chosen on the Kreuzer pages themselves (docs/segmenters.md).
_GAPS = ((4, 0), (10, 1), (17, 2), (36, 3), (72, 4))
_WIDEST = 5
# Additional weights: of a rule, another background, another font.
_RULE, _BACKGROUND, _FONT = 4, 2, 1
# A picture and a text are always separated.
_PICTURE = 8
# Boxes that overlap by less than this are side by side.
_OVERLAP = 0.5
_HR = TAG_NUMBERS["hr"]


@dataclass(frozen=True, slots=True)
class Cut:
    """Groups of nodes in a column or in a row, and the weights of the separators between them."""

    groups: list[list[int]]
    weights: list[int]

    @property
    def weight(self) -> int:
        return max(self.weights)

    def heaviest(self) -> list[list[int]]:
        """The groups between the heaviest separators."""
        found = [list(self.groups[0])]
        for group, weight in zip(self.groups[1:], self.weights, strict=True):
            if weight == self.weight:
                found.append(list(group))
            else:
                found[-1] += group
        return found


class Separators:
    """Finds and weighs the separators of a page.

    The weight of a separator grows with its width, with a rule (``hr``) in it, and with a change of the background or,
    for horizontal ones, of the font. Between a picture and a text it is always heavy.
    """

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        rules = [node for node in range(layout.elements) if layout.tag[node] == _HR]
        self._rules = sorted((layout.top[node] + layout.bottom[node]) / 2 for node in rules)

    def cut(self, nodes: list[int]) -> Cut | None:
        """Divide nodes by the horizontal or the vertical separators, whichever has the heaviest; None without any."""
        layout = self._layout
        rows = self._cut(nodes, layout.top, layout.bottom, horizontal=True)
        columns = self._cut(nodes, layout.left, layout.right, horizontal=False)
        if rows is None or columns is None:
            return rows or columns
        return columns if columns.weight > rows.weight else rows

    def _cut(self, nodes: list[int], low: list[float], high: list[float], *, horizontal: bool) -> Cut | None:
        ordered = sorted(nodes, key=lambda node: low[node])
        groups = [[ordered[0]]]
        weights: list[int] = []
        edge = high[ordered[0]]
        for node in ordered[1:]:
            if low[node] >= edge - _OVERLAP:
                weights.append(self._weight(max(groups[-1]), node, edge, low[node], horizontal))
                groups.append([node])
            else:
                groups[-1].append(node)
            edge = max(edge, high[node])
        return Cut(groups, weights) if weights else None

    def _weight(self, last: int, after: int, edge: float, start: float, horizontal: bool) -> int:
        layout = self._layout
        weight = next((value for gap, value in _GAPS if start - edge <= gap), _WIDEST)
        if layout.background[last] != layout.background[after]:
            weight += _BACKGROUND
        if (layout.font[last] is None) != (layout.font[after] is None):
            weight += _PICTURE
        elif horizontal and layout.font[last] != layout.font[after]:
            weight += _FONT
        if horizontal:
            at = bisect_left(self._rules, edge - 2)
            if at < len(self._rules) and self._rules[at] <= start + 2:
                weight += _RULE
        return weight
