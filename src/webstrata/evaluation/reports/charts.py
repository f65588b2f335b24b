"""Line charts as plain SVG, in colours that everyone can tell apart."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

__all__ = ["Series", "line_chart"]

_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
# Dashes as well as colours, so that a grey print can be read.
_DASHES = ("", "7 3", "2 3", "9 3 2 3", "4 4", "1 4", "12 4")
_WIDTH, _HEIGHT, _LEFT, _RIGHT, _TOP, _BOTTOM = 760, 460, 64, 64, 44, 52
_LEGEND_ROW = 18
_INK, _FAINT = "#222222", "#DDDDDD"


@dataclass(frozen=True)
class Series:
    """A line of a chart, or points without a line; ``right`` puts it on the axis at the right."""

    name: str
    x: Sequence[float]
    y: Sequence[float]
    right: bool = False
    points: bool = False


def line_chart(
    title: str,
    series: Sequence[Series],
    *,
    x: str,
    y: str,
    y_right: str = "",
    log: bool = False,
    low: float | None = None,
) -> str:
    """A chart of some series over one x axis.

    Parameters
    ----------
    title, x, y, y_right : what stands above and beside it
    log : both axes are logarithmic; values that are not above zero are left out
    low : where the left axis begins, if not at the least value

    >>> "</svg>" in line_chart("t", [Series("a", [0, 1], [2, 3])], x="x", y="y")
    True
    """
    kept = [_positive(item) if log else item for item in series]
    across = _Axis.of([value for item in kept for value in item.x], log, _LEFT, _WIDTH - _RIGHT)
    left = _Axis.of([v for item in kept if not item.right for v in item.y], log, _HEIGHT - _BOTTOM, _TOP, low)
    right = _Axis.of([v for item in kept if item.right for v in item.y], log, _HEIGHT - _BOTTOM, _TOP, low)
    room = 48 + 6.6 * max((len(item.name) for item in kept), default=0)
    columns = max(int((_WIDTH - _LEFT) / room), 1)
    height = _HEIGHT + _LEGEND_ROW * math.ceil(len(kept) / columns) + 8
    parts = [
        f"<svg xmlns='http://www.w3.org/2000/svg' width='{_WIDTH}' height='{height}' viewBox='0 0 {_WIDTH} {height}' "
        "font-family='Helvetica, Arial, sans-serif' font-size='12'>",
        f"<rect width='{_WIDTH}' height='{height}' fill='white'/>",
        _text(_LEFT, 24, title, size=15, weight="bold"),
        *_grid(across, left, right if any(item.right for item in kept) else None),
        _text((_LEFT + _WIDTH - _RIGHT) / 2, _HEIGHT - 14, x, anchor="middle"),
        _text(16, _HEIGHT / 2, y, anchor="middle", turn=-90),
        _text(_WIDTH - 12, _HEIGHT / 2, y_right, anchor="middle", turn=90),
    ]
    for number, item in enumerate(kept):
        parts.append(_draw(item, number, across, right if item.right else left))
        parts += _key(item, number, _LEFT + room * (number % columns), _HEIGHT + 6 + _LEGEND_ROW * (number // columns))
    return "\n".join([*parts, "</svg>", ""])


@dataclass(frozen=True)
class _Axis:
    """Values to pixels, along one side of the chart."""

    low: float
    high: float
    log: bool
    start: float
    stop: float

    @classmethod
    def of(cls, values: Sequence[float], log: bool, start: float, stop: float, low: float | None = None) -> _Axis:
        lowest, highest = min(values, default=1), max(values, default=1)
        if not log and low is not None:
            lowest = low
        if highest <= lowest:
            highest = lowest * 10 if log else lowest + 1
        return cls(lowest, highest, log, start, stop)

    def __call__(self, value: float) -> float:
        if self.log:
            share = math.log(value / self.low) / math.log(self.high / self.low)
        else:
            share = (value - self.low) / (self.high - self.low)
        return self.start + share * (self.stop - self.start)

    def ticks(self) -> list[float]:
        """Round values for labels: powers of ten, or about six steps of 1, 2 or 5."""
        if self.log:
            powers = range(math.floor(math.log10(self.low)), math.ceil(math.log10(self.high)) + 1)
            return [10.0**power for power in powers if self.low * 0.999 <= 10.0**power <= self.high * 1.001]
        raw = (self.high - self.low) / 6
        power = 10.0 ** math.floor(math.log10(raw))
        step = next(size * power for size in (1, 2, 5, 10) if size * power >= raw * 0.999)
        first = math.ceil(self.low / step - 1e-9)
        return [number * step for number in range(first, math.floor(self.high / step + 1e-9) + 1)]


def _positive(item: Series) -> Series:
    pairs = [(a, b) for a, b in zip(item.x, item.y, strict=True) if a > 0 and b > 0]
    return Series(item.name, [a for a, _ in pairs], [b for _, b in pairs], item.right, item.points)


def _grid(across: _Axis, left: _Axis, right: _Axis | None) -> Iterator[str]:
    for value in left.ticks():
        yield f"<path d='M{_LEFT} {left(value):.1f}H{_WIDTH - _RIGHT}' stroke='{_FAINT}'/>"
        yield _text(_LEFT - 6, left(value) + 4, f"{value:g}", anchor="end")
    for value in across.ticks():
        yield f"<path d='M{across(value):.1f} {_HEIGHT - _BOTTOM}v5' stroke='{_INK}'/>"
        yield _text(across(value), _HEIGHT - _BOTTOM + 18, f"{value:g}", anchor="middle")
    if right is not None:
        for value in right.ticks():
            yield f"<path d='M{_WIDTH - _RIGHT} {right(value):.1f}h5' stroke='{_INK}'/>"
            yield _text(_WIDTH - _RIGHT + 8, right(value) + 4, f"{value:g}")
    yield f"<path d='M{_LEFT} {_HEIGHT - _BOTTOM}H{_WIDTH - _RIGHT}' stroke='{_INK}'/>"


def _draw(item: Series, number: int, across: _Axis, up: _Axis) -> str:
    places = [(across(a), up(b)) for a, b in zip(item.x, item.y, strict=True)]
    colour = _COLOURS[number % len(_COLOURS)]
    if item.points:
        return "".join(
            f"<circle cx='{a:.1f}' cy='{b:.1f}' r='2' fill='{colour}' fill-opacity='0.6'/>" for a, b in places
        )
    line = " ".join(f"{a:.1f},{b:.1f}" for a, b in places)
    return f"<polyline points='{line}' fill='none' {_stroke(number)}/>"


def _stroke(number: int) -> str:
    colour, dashes = _COLOURS[number % len(_COLOURS)], _DASHES[number % len(_DASHES)]
    return f"stroke='{colour}' stroke-width='2' stroke-dasharray='{dashes}'"


def _key(item: Series, number: int, x: float, y: float) -> Iterator[str]:
    """The entry of a series in the legend."""
    if item.points:
        yield f"<circle cx='{x + 14:.1f}' cy='{y - 4}' r='3' fill='{_COLOURS[number % len(_COLOURS)]}'/>"
    else:
        yield f"<path d='M{x} {y - 4}h28' fill='none' {_stroke(number)}/>"
    yield _text(x + 34, y, item.name)


def _text(
    x: float, y: float, words: str, *, anchor: str = "start", size: int = 12, weight: str = "normal", turn: int = 0
) -> str:
    spin = f" transform='rotate({turn} {x:.1f} {y:.1f})'" if turn else ""
    return (
        f"<text x='{x:.1f}' y='{y:.1f}' text-anchor='{anchor}' font-size='{size}' font-weight='{weight}' "
        f"fill='{_INK}'{spin}>{escape(words)}</text>"
    )
