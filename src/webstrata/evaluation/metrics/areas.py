"""Extended BCubed of segments that are shapes on a page: over its pixels, its edges, its texts and their characters.

Kiesel et al. 2020 compare segmentations by what the page shows. The items are pixels, which favour large segments; the
pixels of edges, where something is to be seen; DOM nodes with a text; and characters. Two segmentations of one page are
compared without the DOM, so that programs that see the picture alone can take part.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from webstrata.errors import InputError
from webstrata.evaluation.metrics.bcubed import extended_bcubed
from webstrata.evaluation.metrics.edges import edges, grey
from webstrata.evaluation.metrics.score import Score

__all__ = ["Outlines", "Polygon", "Shape", "Surface", "TextRectangles", "inside", "shape_bcubed"]

#: The corners of a polygon, x and y in each row.
Polygon: TypeAlias = npt.NDArray[np.float64]
#: A segment: one polygon or several.
Shape: TypeAlias = Sequence[Polygon]

#: Left, top, right and bottom, one row each.
TextRectangles: TypeAlias = npt.NDArray[np.float64]

Unit: TypeAlias = Literal["pixels", "edges", "nodes", "characters"]

# Slanted polygons are measured on a grid of this many pixels.
_GRID = 4


@dataclass(frozen=True, eq=False)
class Surface:
    """What a page shows.

    Attributes
    ----------
    width, height : of the page in pixels
    boxes : left, top, right and bottom of each text, one row each
    characters : of each text
    edges : for each pixel whether it is on an edge (see `webstrata.evaluation.metrics.edges`)
    """

    width: int
    height: int
    boxes: TextRectangles
    characters: npt.NDArray[np.int64]
    edges: npt.NDArray[np.bool_] | None = None


@dataclass(frozen=True, eq=False)
class Outlines:
    """The segments of a page as shapes.

    Attributes
    ----------
    surface : what the page shows, without edges
    segments : one shape each
    boxes : left, top, right and bottom of the text of each block; zeros if it is not shown
    picture : the path of the screenshot, if there is one
    """

    surface: Surface
    segments: Sequence[Shape]
    boxes: TextRectangles
    picture: Path | None = None

    def with_edges(self, width: float) -> Surface:
        """The surface with the edges of the screenshot (see `webstrata.evaluation.metrics.edges`)."""
        if self.picture is None:
            raise InputError("edges need a screenshot of the page")
        found = np.zeros((self.surface.height, self.surface.width), bool)
        seen = edges(grey(self.picture.read_bytes()), width)[: self.surface.height, : self.surface.width]
        found[: seen.shape[0], : seen.shape[1]] = seen
        return replace(self.surface, edges=found)

    def around(self, start: int, stop: int) -> Shape:
        """The rectangle around the shown texts of a range of blocks; no polygon if there are none."""
        boxes = self.boxes[start:stop]
        boxes = boxes[(boxes[:, 2] > boxes[:, 0]) & (boxes[:, 3] > boxes[:, 1])]
        if not len(boxes):
            return []
        (left, top), (right, bottom) = boxes[:, :2].min(axis=0), boxes[:, 2:].max(axis=0)
        return [np.array([[left, top], [left, bottom], [right, bottom], [right, top]])]


def inside(points: npt.NDArray[np.float64], polygon: Polygon) -> npt.NDArray[np.bool_]:
    """Which points are inside of a polygon, by the number of its sides to the right of each.

    >>> square = np.array([[0, 0], [2, 0], [2, 2], [0, 2]], float)
    >>> inside(np.array([[1, 1], [3, 1], [1, 3]], float), square).tolist()
    [True, False, False]
    """
    x, y = points[:, 0], points[:, 1]
    found = np.zeros(len(points), bool)
    for (x1, y1), (x2, y2) in zip(polygon, np.roll(polygon, -1, axis=0), strict=True):
        if y1 != y2:
            crosses = (y1 > y) != (y2 > y)
            found ^= crosses & (x < (x2 - x1) * (y - y1) / (y2 - y1) + x1)
    return found


def shape_bcubed(truth: Sequence[Shape], predicted: Sequence[Shape], surface: Surface, unit: Unit) -> Score:
    """Extended BCubed precision, recall and F of two segmentations of a page, given as shapes.

    Parameters
    ----------
    truth, predicted : the segments; those of one side may overlap
    surface : the page
    unit : the items: ``pixels``; ``edges``, the pixels of edges; ``nodes``, the texts; ``characters``, the texts by
        their length. A text is in a segment if its centre is

    >>> left, right, both = (np.array([[x, 0], [z, 0], [z, 4], [x, 4]], float) for x, z in ((0, 3), (3, 4), (0, 4)))
    >>> page = Surface(4, 4, np.zeros((0, 4)), np.zeros(0, np.int64))
    >>> score = shape_bcubed([[left], [right]], [[both]], page, "pixels")
    >>> score.precision, score.recall
    (0.625, 1.0)

    References
    ----------
    J. Kiesel, F. Kneist, L. Meyer, K. Komlossy, B. Stein and M. Potthast, Web page segmentation revisited: evaluation
    framework and dataset, CIKM 2020.
    """
    if unit in ("nodes", "characters"):
        boxes = surface.boxes
        points = (boxes[:, :2] + boxes[:, 2:]) / 2
        weights = np.ones(len(boxes)) if unit == "nodes" else surface.characters.astype(np.float64)
    else:
        points, weights = _cells([*truth, *predicted], surface, unit)
    wanted, found = ([np.flatnonzero(_in_shape(points, shape)) for shape in side] for side in (truth, predicted))
    return extended_bcubed(wanted, found, weights)


def _in_shape(points: npt.NDArray[np.float64], shape: Shape) -> npt.NDArray[np.bool_]:
    found = np.zeros(len(points), bool)
    for polygon in shape:
        found |= inside(points, polygon)
    return found


def _cells(
    shapes: Sequence[Shape], surface: Surface, unit: Unit
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """The centres and the weights of the rectangles into which all sides of all shapes divide the page.

    The pixels of a rectangle are in the same segments, so that they are one item.
    """
    polygons = [polygon for shape in shapes for polygon in shape]
    lines = [_lines(polygons, axis, length) for axis, length in ((0, surface.width), (1, surface.height))]
    (left, right), (top, bottom) = ((line[:-1], line[1:]) for line in lines)
    centres = np.stack(np.meshgrid((left + right) / 2, (top + bottom) / 2), axis=-1).reshape(-1, 2)
    if unit == "pixels":
        return centres, np.outer(bottom - top, right - left).ravel()
    if surface.edges is None:
        raise InputError("edges need a screenshot of the page")
    if surface.edges.shape != (surface.height, surface.width):
        raise InputError(f"the edges have {surface.edges.shape} pixels, the page {surface.height} by {surface.width}")
    sums = np.zeros((surface.height + 1, surface.width + 1), np.int64)
    sums[1:, 1:] = surface.edges.cumsum(axis=0).cumsum(axis=1)
    ys, xs = (np.rint(line).astype(np.int64) for line in (lines[1], lines[0]))
    corner = sums[np.ix_(ys, xs)]
    weights = corner[1:, 1:] - corner[:-1, 1:] - corner[1:, :-1] + corner[:-1, :-1]
    return centres, weights.ravel().astype(np.float64)


def _lines(polygons: Sequence[Polygon], axis: int, length: int) -> npt.NDArray[np.float64]:
    """The coordinates at which the page is cut, along one axis, with both ends of the page."""
    found = [np.array([0.0, length])]
    for polygon in polygons:
        found.append(polygon[:, axis])
        following = np.roll(polygon, -1, axis=0)
        if ((polygon != following).all(axis=1)).any():
            found.append(np.arange(polygon[:, axis].min(), polygon[:, axis].max(), _GRID))
    line: npt.NDArray[np.float64] = np.unique(np.clip(np.concatenate(found), 0, length))
    return line
