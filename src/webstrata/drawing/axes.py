"""Axes: values to pixels, linear or logarithmic, with ticks at round values."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from webstrata.drawing.svg import line, text

__all__ = ["Axis", "Frame"]


@dataclass(frozen=True)
class Axis:
    """Values from ``low`` to ``high`` as pixels from ``start`` to ``stop``.

    >>> axis = Axis(0, 10, False, 100, 200)
    >>> axis(5), axis.ticks()
    (150.0, [0, 2, 4, 6, 8, 10])
    """

    low: float
    high: float
    log: bool
    start: float
    stop: float

    @classmethod
    def over(
        cls,
        values: Sequence[float],
        start: float,
        stop: float,
        *,
        log: bool = False,
        low: float | None = None,
        high: float | None = None,
    ) -> Axis:
        """The axis that covers all values, and the range from ``low`` to ``high`` if given.

        >>> Axis.over([3, 7], 0, 100, low=0)
        Axis(low=0, high=7, log=False, start=0, stop=100)
        """
        ends = [end for end in (low, high) if end is not None]
        lowest, highest = min([*values, *ends], default=1), max([*values, *ends], default=1)
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
        power = math.floor(math.log10(raw))
        size = next(size for size in (1, 2, 5, 10) if size * 10.0**power >= raw * 0.999)
        step = size * 10**power if power >= 0 else size / 10**-power
        first, last = math.ceil(self.low / step - 1e-9), math.floor(self.high / step + 1e-9)
        return [round(number * step, max(-power, 0)) for number in range(first, last + 1)]


@dataclass(frozen=True)
class Frame:
    """The axes around the data of a chart: horizontal, left, and optionally right."""

    across: Axis
    left: Axis
    right: Axis | None = None

    def grid(self, *, columns: bool = False) -> Iterator[str]:
        """Faint lines at the ticks of the left axis (with ``columns`` of both axes), and the labels of all ticks."""
        start, stop, bottom, top = self.across.start, self.across.stop, self.left.start, self.left.stop
        for value in self.left.ticks():
            yield line(start, self.left(value), stop, self.left(value), faint=True)
            yield text(start - 6, self.left(value) + 4, f"{value:g}", anchor="end")
        for value in self.across.ticks():
            x = self.across(value)
            yield line(x, bottom, x, top, faint=True) if columns else line(x, bottom, x, bottom + 5)
            yield text(x, bottom + 18, f"{value:g}", anchor="middle")
        if self.right is not None:
            for value in self.right.ticks():
                y = self.right(value)
                yield line(stop, y, stop + 5, y)
                yield text(stop + 8, y + 4, f"{value:g}")
        yield line(start, bottom, stop, bottom)

    def titles(self, x: str, y: str, y_right: str = "") -> Iterator[str]:
        """The titles of the axes."""
        middle = (self.left.start + self.left.stop) / 2
        yield text((self.across.start + self.across.stop) / 2, self.left.start + 36, x, anchor="middle")
        yield text(self.across.start - 46, middle, y, anchor="middle", turn=-90)
        if y_right:
            yield text(self.across.stop + 50, middle, y_right, anchor="middle", turn=90)
