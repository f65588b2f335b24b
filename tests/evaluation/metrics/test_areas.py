"""BCubed over pixels, edges, texts and characters, beside a computation pixel by pixel and pair by pair."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from webstrata.errors import InputError
from webstrata.evaluation.metrics.areas import Outlines, Shape, Surface, inside, shape_bcubed
from webstrata.evaluation.metrics.edges import COARSE, FINE, edges, grey

WIDTH, HEIGHT = 7, 6
Rectangle = tuple[int, int, int, int]


def polygon(box: Rectangle) -> np.ndarray:
    left, top, right, bottom = box
    return np.array([[left, top], [right, top], [right, bottom], [left, bottom]], float)


@st.composite
def rectangles(draw: st.DrawFn) -> Rectangle:
    left, right = sorted(draw(st.lists(st.integers(0, WIDTH), min_size=2, max_size=2, unique=True)))
    top, bottom = sorted(draw(st.lists(st.integers(0, HEIGHT), min_size=2, max_size=2, unique=True)))
    return left, top, right, bottom


sides = st.lists(st.lists(rectangles(), min_size=1, max_size=2), max_size=4)
bits = st.lists(st.booleans(), min_size=WIDTH * HEIGHT, max_size=WIDTH * HEIGHT)


def one_way(own: list[set[int]], other: list[set[int]], items: list[int]) -> float | None:
    """Precision of ``own`` (Amigó et al. 2009, equations 1 to 4), pair by pair."""
    means = []
    for e in items:
        values = []
        for f in items:
            shared = sum(e in segment and f in segment for segment in own)
            if shared:
                values.append(min(shared, sum(e in segment and f in segment for segment in other)) / shared)
        if values:
            means.append(sum(values) / len(values))
    return sum(means) / len(means) if means else None


def pixels_of(side: list[list[Rectangle]]) -> list[set[int]]:
    return [
        {y * WIDTH + x for left, top, right, bottom in shape for y in range(top, bottom) for x in range(left, right)}
        for shape in side
    ]


def shapes(side: list[list[Rectangle]]) -> list[Shape]:
    return [[polygon(box) for box in shape] for shape in side]


@settings(max_examples=150, deadline=None)
@given(sides, sides, bits)
def test_pixels_and_edges_are_those_of_pairs_of_pixels(
    truth: list[list[Rectangle]], predicted: list[list[Rectangle]], chosen: list[bool]
) -> None:
    edge = np.array(chosen).reshape(HEIGHT, WIDTH)
    surface = Surface(WIDTH, HEIGHT, np.zeros((0, 4)), np.zeros(0, np.int64), edge)
    for unit, items in (("pixels", list(range(WIDTH * HEIGHT))), ("edges", np.flatnonzero(edge).tolist())):
        wanted, found = pixels_of(truth), pixels_of(predicted)
        precision, recall = one_way(found, wanted, items), one_way(wanted, found, items)
        score = shape_bcubed(shapes(truth), shapes(predicted), surface, unit)  # type: ignore[arg-type]
        if precision is None and recall is None:
            assert (score.precision, score.recall) == (1, 1)
        else:
            assert (score.precision, score.recall) == pytest.approx((precision or 0, recall or 0))


@settings(max_examples=60, deadline=None)
@given(sides, sides, st.lists(st.tuples(rectangles(), st.integers(1, 4)), max_size=6))
def test_texts_and_characters(
    truth: list[list[Rectangle]], predicted: list[list[Rectangle]], texts: list[tuple[Rectangle, int]]
) -> None:
    boxes = np.array([box for box, _ in texts], float).reshape(-1, 4)
    surface = Surface(WIDTH, HEIGHT, boxes, np.array([length for _, length in texts], np.int64))
    copies = {"nodes": [1] * len(texts), "characters": [length for _, length in texts]}
    for unit, times in copies.items():
        owner = [number for number, count in enumerate(times) for _ in range(count)]

        def members(side: list[list[Rectangle]], owner: list[int] = owner) -> list[set[int]]:
            return [
                {
                    item
                    for item, number in enumerate(owner)
                    for left, top, right, bottom in shape
                    if left <= (boxes[number, 0] + boxes[number, 2]) / 2 < right
                    and top <= (boxes[number, 1] + boxes[number, 3]) / 2 < bottom
                }
                for shape in side
            ]

        items = list(range(len(owner)))
        precision = one_way(members(predicted), members(truth), items)
        recall = one_way(members(truth), members(predicted), items)
        score = shape_bcubed(shapes(truth), shapes(predicted), surface, unit)  # type: ignore[arg-type]
        if precision is not None or recall is not None:
            assert (score.precision, score.recall) == pytest.approx((precision or 0, recall or 0))


def test_a_slanted_polygon() -> None:
    """Two triangles make a square; each has half of its pixels, give or take the grid."""
    square = polygon((0, 0, 100, 100))
    lower, upper = square[[0, 2, 3]], square[[0, 1, 2]]
    surface = Surface(100, 100, np.zeros((0, 4)), np.zeros(0, np.int64))
    score = shape_bcubed([[square]], [[lower], [upper]], surface, "pixels")
    assert score.precision == 1
    assert score.recall == pytest.approx(0.5, abs=0.03)
    assert inside(np.array([[10.0, 90], [90, 10]]), lower).tolist() == [True, False]


def test_edges_of_a_picture(tmp_path: Path) -> None:
    image = pytest.importorskip("PIL.Image")
    pixels = np.full((60, 80), 255, np.uint8)
    pixels[20:40, 30:50] = 0
    png = io.BytesIO()
    image.fromarray(pixels).save(png, "PNG")
    (tmp_path / "page.png").write_bytes(png.getvalue())
    for width in (FINE, COARSE):
        found = edges(grey(png.getvalue()), width)
        rows, columns = np.nonzero(found)
        around = np.maximum(np.abs(rows - 29.5), np.abs(columns - 39.5))
        assert len(rows) > 50
        assert (np.abs(around - 10) < 4).all()
    assert not edges(np.ones((5, 5))).any()
    assert edges(np.zeros((0, 4))).shape == (0, 4)
    page = Surface(80, 60, np.zeros((0, 4)), np.zeros(0, np.int64))
    outlines = Outlines(page, [[polygon((0, 0, 80, 60))]], np.zeros((0, 4)), tmp_path / "page.png")
    assert outlines.with_edges(FINE).edges is not None
    with pytest.raises(InputError, match="no picture"):
        grey(b"text")
    with pytest.raises(InputError, match="need a screenshot"):
        Outlines(page, [], np.zeros((0, 4))).with_edges(FINE)
    with pytest.raises(InputError, match="need a screenshot"):
        shape_bcubed([], [], page, "edges")
