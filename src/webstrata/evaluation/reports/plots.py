"""Plots of scores as SVG: sorted bars with intervals, ranked curves, quality against time.

Colours are those of Okabe and Ito; where there are more lines than colours, dashes tell them apart. The ink is the
colour of the text around a plot, so that it suits a dark page as well.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from itertools import pairwise

from webstrata.evaluation.reports.statistics import Interval

__all__ = ["bars", "curves", "scatter"]

_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#7F7F7F")
_DASHES = ("", "7 3", "2 3", "9 3 2 3")
_FONT = "font-family='system-ui, Helvetica, Arial, sans-serif' font-size='12'"
_WIDTH = 720
_LABELS = 230
_BAR, _STEP = 16, 24


def bars(values: Mapping[str, Interval]) -> str:
    """A bar for each algorithm, the best on top, with the interval of its mean.

    >>> bars({"a": Interval(0.5, 0.4, 0.6)}).count("<rect")
    1
    """
    height = _STEP * len(values) + 34
    low, high = _range([end for item in values.values() for end in (item.low, item.high)])

    def across(value: float) -> float:
        return _LABELS + (value - low) / (high - low) * (_WIDTH - _LABELS - 70)

    parts = [_open(_WIDTH, height)]
    for tick in _ticks(low, high):
        parts.append(_line(across(tick), 4, across(tick), height - 26, "grid"))
        parts.append(_text(across(tick), height - 10, f"{tick:g}", anchor="middle"))
    for number, (name, item) in enumerate(sorted(values.items(), key=lambda pair: -pair[1].mean)):
        y = 8 + number * _STEP
        left, right = sorted((across(0), across(item.mean)))
        parts.append(_text(_LABELS - 8, y + 12, _short(name, 34), anchor="end"))
        parts.append(f"<rect x='{left:.1f}' y='{y}' width='{right - left:.1f}' height='{_BAR}' fill='{_COLOURS[0]}'/>")
        middle = y + _BAR / 2
        parts.append(_line(across(item.low), middle, across(item.high), middle, "whisker"))
        parts += [_line(across(end), middle - 4, across(end), middle + 4, "whisker") for end in (item.low, item.high)]
        parts.append(_text(_WIDTH - 52, y + 12, f"{item.mean:.3f}"))
    return "".join([*parts, "</svg>"])


def curves(values: Mapping[str, Sequence[float]], *, y: str, names: Sequence[str]) -> str:
    """The values of pages in rising order, a curve for each algorithm, as in Fernandes et al. 2011 figure 8.

    ``names`` are those of all algorithms, so that each has one colour in all plots.

    >>> curves({"a": [0.5, 0.1]}, y="F", names=["a", "b"]).count("<polyline")
    1
    """
    plot_height, top, left = 300, 12, 52
    height = plot_height + 58 + 18 * math.ceil(len(values) / 3)
    low, high = _range([value for column in values.values() for value in column])
    pages = max(len(column) for column in values.values())

    def up(value: float) -> float:
        return top + (1 - (value - low) / (high - low)) * plot_height

    parts = [_open(_WIDTH, height)]
    for tick in _ticks(low, high):
        parts.append(_line(left, up(tick), _WIDTH - 12, up(tick), "grid"))
        parts.append(_text(left - 6, up(tick) + 4, f"{tick:g}", anchor="end"))
    parts.append(_text(left, top + plot_height + 18, f"{pages} pages of each algorithm, from the worst to the best"))
    parts.append(_text(14, top + plot_height / 2, y, anchor="middle", turn=-90))
    for number, name in enumerate(values):
        column, stroke = sorted(values[name]), _stroke(names.index(name))
        scale = (_WIDTH - 12 - left) / max(len(column) - 1, 1)
        points = " ".join(f"{left + place * scale:.1f},{up(value):.1f}" for place, value in _thinned(column))
        parts.append(f"<polyline points='{points}' fill='none' {stroke}><title>{escape(name)}</title></polyline>")
        x, key_y = left + 222 * (number % 3), top + plot_height + 40 + 18 * (number // 3)
        parts.append(f"<path d='M{x} {key_y - 4}h26' {stroke}/>" + _text(x + 32, key_y, _short(name, 28)))
    return "".join([*parts, "</svg>"])


def scatter(points: Mapping[str, tuple[float, Interval]], *, y: str, names: Sequence[str]) -> str:
    """The mean of each algorithm against its milliseconds a page, on a logarithmic axis; up and left is better.

    >>> scatter({"a": (2.0, Interval(0.5, 0.4, 0.6))}, y="F", names=["a"]).count("<circle")
    1
    """
    plot_height, top, left, right = 300, 12, 52, 150
    times = [max(time, 1e-3) for time, _ in points.values()]
    first, last = math.floor(math.log10(min(times))), math.ceil(math.log10(max(times)) + 1e-9)
    last = max(last, first + 1)
    low, high = _range([end for _, item in points.values() for end in (item.low, item.high)])

    def across(time: float) -> float:
        return left + (math.log10(max(time, 1e-3)) - first) / (last - first) * (_WIDTH - left - right)

    def up(value: float) -> float:
        return top + (1 - (value - low) / (high - low)) * plot_height

    parts = [_open(_WIDTH, plot_height + 60)]
    for tick in _ticks(low, high):
        parts.append(_line(left, up(tick), _WIDTH - right, up(tick), "grid"))
        parts.append(_text(left - 6, up(tick) + 4, f"{tick:g}", anchor="end"))
    for power in range(first, last + 1):
        parts.append(_line(across(10.0**power), top, across(10.0**power), top + plot_height, "grid"))
        parts.append(_text(across(10.0**power), top + plot_height + 16, f"{10.0**power:g}", anchor="middle"))
    parts.append(
        _text((left + _WIDTH - right) / 2, top + plot_height + 36, "mean milliseconds a page", anchor="middle")
    )
    parts.append(_text(14, top + plot_height / 2, y, anchor="middle", turn=-90))
    labels = _apart([up(item.mean) for _, item in points.values()], top + plot_height)
    for (name, (time, item)), label_y in zip(points.items(), labels, strict=True):
        x, mean, colour = across(time), up(item.mean), _COLOURS[names.index(name) % len(_COLOURS)]
        dot = f"<circle cx='{x:.1f}' cy='{mean:.1f}' r='5' fill='{colour}'><title>{escape(name)}</title></circle>"
        leader = f"M{x + 6:.1f} {mean:.1f}L{_WIDTH - right + 4} {label_y:.1f}"
        parts.append(f"<path d='M{x:.1f} {up(item.low):.1f}V{up(item.high):.1f}' stroke='{colour}' stroke-width='2'/>")
        parts.append(f"{dot}<path d='{leader}' stroke='{colour}' opacity='.35'/>")
        parts.append(_text(_WIDTH - right + 8, label_y + 4, _short(name, 22)))
    return "".join([*parts, "</svg>"])


def _apart(places: Sequence[float], bottom: float, gap: float = 15) -> list[float]:
    """Places for labels, in the same order, at least a line apart, and above the bottom."""
    order = sorted(range(len(places)), key=places.__getitem__)
    moved = list(places)
    for before, number in pairwise(order):
        moved[number] = max(moved[number], moved[before] + gap)
    limit = bottom
    for number in reversed(order):
        moved[number] = min(moved[number], limit)
        limit = moved[number] - gap
    return moved


def _thinned(column: Sequence[float], most: int = 400) -> Iterator[tuple[int, float]]:
    """Enough of a long curve to draw it: its ends, and evenly what is between."""
    step = max(len(column) // most, 1)
    for place in range(0, len(column), step):
        yield place, column[place]
    if (len(column) - 1) % step:
        yield len(column) - 1, column[-1]


def _range(values: Sequence[float]) -> tuple[float, float]:
    """The ends of an axis: 0, or below where values are; and as high as need be, 1 at most unless values are higher."""
    low = min(0.0, math.floor(min(values) * 10) / 10)
    return low, next((high for high in (0.25, 0.5, 1.0) if max(values) <= high), max(values))


def _ticks(low: float, high: float) -> list[float]:
    step = next(step for step in (0.05, 0.1, 0.2, 0.5) if (high - low) / step <= 8 or step == 0.5)
    return [
        round(number * step, 2) for number in range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)
    ]


def _stroke(number: int) -> str:
    colour, dashes = _COLOURS[number % len(_COLOURS)], _DASHES[number // len(_COLOURS) % len(_DASHES)]
    return f"stroke='{colour}' stroke-width='2' stroke-dasharray='{dashes}'"


def _open(width: int, height: float) -> str:
    return (
        f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {width} {height:g}' width='{width}' height='{height:g}' "
        f"role='img' color='currentColor' {_FONT}>"
    )


def _line(x1: float, y1: float, x2: float, y2: float, kind: str) -> str:
    style = "opacity='.18'" if kind == "grid" else "stroke-width='1.5'"
    return f"<path d='M{x1:.1f} {y1:.1f}L{x2:.1f} {y2:.1f}' stroke='currentColor' {style}/>"


def _text(x: float, y: float, words: str, *, anchor: str = "start", turn: int = 0) -> str:
    spin = f" transform='rotate({turn} {x:.1f} {y:.1f})'" if turn else ""
    return f"<text x='{x:.1f}' y='{y:.1f}' text-anchor='{anchor}' fill='currentColor'{spin}>{escape(words)}</text>"


def _short(words: str, limit: int) -> str:
    return words if len(words) <= limit else words[: limit - 1] + "…"
