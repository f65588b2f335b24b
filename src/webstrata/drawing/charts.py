"""Charts: lines, bars with intervals, stacked bars, and points with names."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise
from typing import Protocol

from webstrata._escaping import one_line
from webstrata.drawing.axes import Axis, Frame
from webstrata.drawing.svg import PALETTE, colour, escape, line, marker, picture, stroke, text

__all__ = ["Series", "Spread", "bar_chart", "line_chart", "scatter_chart", "stacked_chart", "thinned"]

_WIDTH, _LEFT, _RIGHT, _TOP, _PLOT, _BOTTOM = 760, 64, 64, 16, 340, 58
_TITLE = 28
_LEGEND_ROW = 18
_LABELS, _BAR, _STEP = 230, 16, 24


class Spread(Protocol):
    """A value and the range around it."""

    @property
    def mean(self) -> float: ...
    @property
    def low(self) -> float: ...
    @property
    def high(self) -> float: ...


@dataclass(frozen=True)
class Series:
    """A line of a chart, or points without a line.

    Attributes
    ----------
    name : for the legend
    x, y : the values
    right : whether it belongs to the right axis
    points : whether it is drawn as points without a line
    number : number of its colour and dashes; its index among the series by default
    """

    name: str
    x: Sequence[float]
    y: Sequence[float]
    right: bool = False
    points: bool = False
    number: int | None = None


def line_chart(
    series: Sequence[Series],
    *,
    x: str,
    y: str,
    title: str = "",
    y_right: str = "",
    log: bool = False,
    low: float | None = None,
    high: float | None = None,
    alone: bool = True,
) -> str:
    """A chart of some series over one axis.

    Parameters
    ----------
    series : the lines and points
    title, x, y, y_right : titles of the chart and its axes
    log : both axes are logarithmic; values that are not above zero are left out
    low, high : values that the vertical axes always cover
    alone : for a separate file; otherwise for a page, which gives the colours of background and text

    >>> line_chart([Series("a", [0, 1], [2, 3])], x="x", y="y").count("<polyline")
    1
    """
    kept = [_positive(item) if log else item for item in series]
    top = _TOP + (_TITLE if title else 0)
    bottom = top + _PLOT
    if log:
        low = high = None

    def upward(right: bool) -> Axis:
        return Axis.over([v for item in kept if item.right is right for v in item.y], bottom, top, log=log, low=low,
                         high=high)  # fmt: skip

    frame = Frame(
        Axis.over([value for item in kept for value in item.x], _LEFT, _WIDTH - _RIGHT, log=log),
        upward(False),
        upward(True) if any(item.right for item in kept) else None,
    )
    legend, rows = _legend(kept, bottom + _BOTTOM)
    parts = [text(_LEFT, 24, title, size=15, weight="bold")] if title else []
    parts += [*frame.grid(), *frame.titles(x, y, y_right)]
    for number, item in enumerate(kept):
        up = frame.right if item.right and frame.right is not None else frame.left
        parts.append(_draw(item, _number(item, number), frame.across, up))
    return picture(_WIDTH, bottom + _BOTTOM + _LEGEND_ROW * rows, [*parts, *legend], alone=alone)


def _number(item: Series, place: int) -> int:
    return place if item.number is None else item.number


def _positive(item: Series) -> Series:
    pairs = [(a, b) for a, b in zip(item.x, item.y, strict=True) if a > 0 and b > 0]
    return replace(item, x=[a for a, _ in pairs], y=[b for _, b in pairs])


def _draw(item: Series, number: int, across: Axis, up: Axis) -> str:
    places = [(across(a), up(b)) for a, b in zip(item.x, item.y, strict=True)]
    if item.points:
        return "".join(marker(a, b, number) for a, b in places)
    line = " ".join(f"{a:.1f},{b:.1f}" for a, b in places)
    return f"<polyline points='{line}' fill='none' {stroke(number)}><title>{escape(item.name)}</title></polyline>"


def _legend(series: Sequence[Series], y: float) -> tuple[list[str], int]:
    """The names of the series in as many columns as fit, and the number of rows."""
    widest = max((min(len(item.name), 100) for item in series), default=0)
    columns = max(int((_WIDTH - _LEFT) / (48 + 6.6 * widest)), 1)
    parts = []
    for place, item in enumerate(series):
        number = _number(item, place)
        left, down = _LEFT + (_WIDTH - _LEFT) / columns * (place % columns), y + _LEGEND_ROW * (place // columns)
        if item.points:
            parts.append(marker(left + 14, down - 4, number, radius=3))
        else:
            parts.append(f"<path d='M{left:.1f} {down - 4:.1f}h28' {stroke(number)}/>")
        parts.append(text(left + 34, down, one_line(item.name, 100)))
    return parts, math.ceil(len(series) / columns)


def bar_chart(
    values: Mapping[str, Spread], *, title: str = "", high: float | None = None, x: str = "", alone: bool = False
) -> str:
    """A horizontal bar for each name, the longest on top, with the range around its value.

    >>> bar_chart({}).count("class='bar'")
    0
    """
    top = 8 + (_TITLE if title else 0)
    bottom = top + _STEP * len(values)
    ends = [end for item in values.values() for end in (item.mean, item.low, item.high)]
    across = Axis.over([*ends, 0], _LABELS, _WIDTH - 70, high=high)
    parts = [text(8, 24, title, size=15, weight="bold")] if title else []
    for tick in across.ticks():
        parts.append(line(across(tick), top - 4, across(tick), bottom, faint=True))
        parts.append(text(across(tick), bottom + 16, f"{tick:g}", anchor="middle"))
    for place, (name, item) in enumerate(sorted(values.items(), key=lambda pair: -pair[1].mean)):
        y = top + place * _STEP
        left, right = sorted((across(0), across(item.mean)))
        middle = y + _BAR / 2
        parts.append(text(_LABELS - 8, y + 12, one_line(name, 34), anchor="end"))
        parts.append(
            f"<rect class='bar' x='{left:.1f}' y='{y}' width='{right - left:.1f}' height='{_BAR}' fill='{PALETTE[0]}'/>"
        )
        if item.low < item.high:
            parts.append(line(across(item.low), middle, across(item.high), middle, width=1.5))
            parts += [
                line(across(end), middle - 4, across(end), middle + 4, width=1.5) for end in (item.low, item.high)
            ]
        parts.append(text(_WIDTH - 52, y + 12, f"{item.mean:.3f}"))
    if x:
        parts.append(text(_LABELS, bottom + 34, x))
    return picture(_WIDTH, bottom + (44 if x else 26), parts, alone=alone)


def stacked_chart(columns: Sequence[str], layers: Mapping[str, Sequence[float]], *, title: str, x: str, y: str) -> str:
    """A column for each name, with the values of the layers stacked; for a separate file.

    >>> stacked_chart(["0", "1"], {"a": [1, 2], "b": [3, 0]}, title="t", x="x", y="y").count("class='bar'")
    4
    """
    top = _TOP + _TITLE
    bottom = top + _PLOT
    totals = [sum(column) for column in zip(*layers.values(), strict=True)]
    up = Axis.over(totals, bottom, top, low=0)
    step = (_WIDTH - _LEFT - _RIGHT) / max(len(columns), 1)
    parts = [text(_LEFT, 24, title, size=15, weight="bold")]
    for tick in up.ticks():
        parts.append(line(_LEFT, up(tick), _WIDTH - _RIGHT, up(tick), faint=True))
        parts.append(text(_LEFT - 6, up(tick) + 4, f"{tick:g}", anchor="end"))
    for place, name in enumerate(columns):
        left = _LEFT + step * place
        heights = [0.0, *accumulate(layer[place] for layer in layers.values())]
        for number, (low, high) in enumerate(pairwise(heights)):
            parts.append(
                f"<rect class='bar' x='{left + step * 0.05:.1f}' y='{up(high):.1f}' width='{step * 0.9:.1f}' "
                f"height='{up(low) - up(high):.1f}' fill='{colour(number)}'/>"
            )
        parts.append(text(left + step / 2, bottom + 18, name, anchor="middle"))
    parts.append(text(_WIDTH / 2, bottom + 36, x, anchor="middle"))
    parts.append(text(14, (top + bottom) / 2, y, anchor="middle", turn=-90))
    legend, rows = _legend([Series(name, (), (), points=True) for name in layers], bottom + _BOTTOM + 8)
    return picture(_WIDTH, bottom + _BOTTOM + 8 + _LEGEND_ROW * rows, [*parts, *legend], alone=True)


def scatter_chart(
    points: Mapping[str, tuple[float, Spread]], *, x: str, y: str, names: Sequence[str], high: float | None = None
) -> str:
    """A point with its name for each pair of a positive number (logarithmic axis) and a value with its range.

    Parameters
    ----------
    points : by name
    x, y : titles of the axes
    names : all names of a set of charts, so that each has the same colour in all of them
    high : a value that the vertical axis always covers
    """
    bottom, right = _TOP + _PLOT, 150
    times = [max(time, 1e-3) for time, _ in points.values()]
    lowest = 10.0 ** math.floor(math.log10(min(times, default=1)))
    highest = 10.0 ** math.ceil(math.log10(max(times, default=1)))
    across = Axis.over([lowest, highest], _LEFT, _WIDTH - right, log=True)
    ends = [end for _, item in points.values() for end in (item.mean, item.low, item.high)]
    up = Axis.over([*ends, 0], bottom, _TOP, high=high)
    frame = Frame(across, up)
    parts = [*frame.grid(columns=True), *frame.titles(x, y)]
    labels = _apart([up(item.mean) for _, item in points.values()], bottom)
    for (name, (_, item)), time, label_y in zip(points.items(), times, labels, strict=True):
        number, place, mean = names.index(name), across(time), up(item.mean)
        ink = f"stroke='{colour(number)}'"
        parts.append(f"<path d='M{place:.1f} {up(item.low):.1f}V{up(item.high):.1f}' {ink} stroke-width='2'/>")
        parts.append(marker(place, mean, number, radius=5, title=name))
        parts.append(f"<path d='M{place + 6:.1f} {mean:.1f}L{across.stop + 4:.1f} {label_y:.1f}' {ink} opacity='.35'/>")
        parts.append(text(across.stop + 8, label_y + 4, one_line(name, 22)))
    return picture(_WIDTH, bottom + _BOTTOM, parts)


def _apart(places: Sequence[float], bottom: float, gap: float = 15) -> list[float]:
    """Positions for labels, in the same order, at least a line apart, and above the bottom."""
    order = sorted(range(len(places)), key=places.__getitem__)
    moved = list(places)
    for before, number in pairwise(order):
        moved[number] = max(moved[number], moved[before] + gap)
    limit = bottom
    for number in reversed(order):
        moved[number] = min(moved[number], limit)
        limit = moved[number] - gap
    return moved


def thinned(values: Sequence[float], most: int = 400) -> Iterator[tuple[int, float]]:
    """A sample of a long smooth curve: its ends and evenly spaced values between, each with its index.

    >>> list(thinned([5, 6, 7, 8], most=2))
    [(0, 5), (2, 7), (3, 8)]
    """
    step = max(len(values) // most, 1)
    for place in range(0, len(values), step):
        yield place, values[place]
    if (len(values) - 1) % step:
        yield len(values) - 1, values[-1]
