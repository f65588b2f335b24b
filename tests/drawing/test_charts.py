"""Charts are well-formed, stay on their canvas, and show their values."""

from __future__ import annotations

import re
from itertools import pairwise
from math import isnan

import pytest
from lxml import etree

from webstrata.drawing.charts import Series, bar_chart, line_chart, scatter_chart, stacked_chart
from webstrata.evaluation.reports.statistics import Interval

NASTY = "a|b & <c> 100% \x01 'quoted' \ud800"


def numbers(svg: str) -> list[float]:
    return [float(x) for x in re.findall(r"-?\d+(?:\.\d+)?(?=[ ,'LVH])", svg)]


def test_charts_are_well_formed_and_on_the_canvas() -> None:
    means = {NASTY: Interval(0.5, 0.4, 0.6), "low": Interval(-0.05, -0.1, 0.0), "high": Interval(1.0, 1.0, 1.0)}
    names = sorted(means)
    times = {name: (10.0 ** (i - 2), item) for i, (name, item) in enumerate(means.items())}
    none = Interval(0.0, 0.0, 0.0)
    charts = [
        bar_chart(means, title=NASTY, x=NASTY, alone=True),
        bar_chart({}),
        line_chart([Series(name, [0, 1, 2], [0.0, 0.5, 1.0]) for name in means], x=NASTY, y=NASTY, title=NASTY),
        line_chart([Series("one", [0], [0.3], number=12)], x="x", y="y", low=0, high=1, alone=False),
        line_chart(
            [Series(f"series {i}", [1, 10], [i, 3], right=i % 2 > 0) for i in range(15)], x="", y="", y_right="r"
        ),
        line_chart([], x="x", y="y"),
        scatter_chart(times, x=NASTY, y=NASTY, names=names),
        scatter_chart({"high": (0.0, none)}, x="ms", y="F", names=names),
        stacked_chart(["0", NASTY], {NASTY: [1, 2], "b": [0, 3]}, title=NASTY, x="x", y="y"),
    ]
    for svg in charts:
        tree = etree.fromstring(svg.encode())
        width, height = float(tree.get("width")), float(tree.get("height"))
        for text in tree.iter("{*}text"):
            assert 0 <= float(text.get("x")) <= width
            assert 0 <= float(text.get("y")) <= height
        assert not any(isnan(x) for x in numbers(svg))


def lengths(svg: str, side: str) -> list[float]:
    bars = etree.fromstring(svg.encode()).iterfind(".//{*}rect[@class='bar']")
    return [float(bar.get(side)) for bar in bars]


def test_bars_are_as_long_as_their_values() -> None:
    one, half = lengths(bar_chart({"b": Interval(0.5, 0.5, 0.5), "a": Interval(1.0, 1.0, 1.0)}), "width")
    assert half == pytest.approx(one / 2, abs=0.1)


def test_layers_are_stacked() -> None:
    svg = stacked_chart(["x"], {"a": [1], "b": [3]}, title="t", x="x", y="y")
    small, large = lengths(svg, "height")
    low, high = lengths(svg, "y")
    assert large == pytest.approx(3 * small, abs=0.2)
    assert high + large == pytest.approx(low, abs=0.2)


def test_lines_go_through_their_points() -> None:
    svg = line_chart([Series("a", [0, 5, 10], [0, 1, 2])], x="x", y="y")
    (line,) = etree.fromstring(svg.encode()).iter("{*}polyline")
    (x0, y0), (x1, y1), (x2, y2) = (map(float, point.split(",")) for point in line.get("points").split())
    assert x1 == pytest.approx((x0 + x2) / 2)
    assert y1 == pytest.approx((y0 + y2) / 2)
    assert x0 < x2
    assert y0 > y2


def test_labels_do_not_overlap() -> None:
    points = {f"n{i}": (1.0, Interval(0.01 * (i % 3), 0, 0.05)) for i in range(14)}
    tree = etree.fromstring(scatter_chart(points, x="ms", y="F", names=list(points)).encode())
    places = sorted(float(text.get("y")) for text in tree.iter("{*}text") if (text.text or "").startswith("n"))
    assert len(places) == 14
    assert min(b - a for a, b in pairwise(places)) >= 14.9
    assert places[-1] <= float(tree.get("height"))
