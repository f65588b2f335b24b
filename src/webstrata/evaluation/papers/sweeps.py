"""The effect of Block Fusion's parameters on its accuracy, and Zipf's law over the sizes of segments.

The experiments behind figures 3 to 7 of Kohlschütter & Nejdl 2008, on any pages with ground truth.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from statistics import fmean
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from webstrata.drawing.charts import Series, line_chart
from webstrata.errors import InputError
from webstrata.evaluation.answers.runner import Progress, silent
from webstrata.evaluation.datasets import kreuzer
from webstrata.evaluation.datasets.base import Item
from webstrata.evaluation.metrics.segments import Truth
from webstrata.segmentation import SEGMENTERS, Segmentation
from webstrata.segmentation.baselines import WordWrap
from webstrata.segmentation.fusion import BFPlain, BFRuleBased, BFSmoothed
from webstrata.segmentation.html import from_html
from webstrata.statistics.goodness import ChiSquare, chi_square
from webstrata.statistics.ranks import ZipfFit, fit_zipf

__all__ = [
    "FUSIONS",
    "ITERATIONS",
    "THETAS",
    "WIDTHS",
    "Point",
    "draw",
    "iterations_chart",
    "read_truths",
    "segment_sizes",
    "sizes_of",
    "sweep_iterations",
    "sweep_theta",
    "sweep_width",
    "theta_chart",
    "truth_of",
    "width_chart",
    "zipf_chart",
    "zipf_classes",
]

T = TypeVar("T")

FUSIONS: Mapping[str, type[BFPlain] | type[BFSmoothed] | type[BFRuleBased]] = {
    "bf-plain": BFPlain,
    "bf-smoothed": BFSmoothed,
    "bf-rulebased": BFRuleBased,
}
THETAS = tuple(round(0.05 * step, 2) for step in range(21))
WIDTHS = (20, 30, 40, 50, 60, 70, 80, 90, 100, 110, 120, 140, 160)
ITERATIONS = range(9)


@dataclass(frozen=True)
class Point:
    """Means over pages at one value of a parameter; ``fusions`` counts those of that iteration."""

    value: float
    adjusted_rand: float
    nmi: float
    segments: float
    fusions: float = 0.0

    @property
    def accuracy(self) -> float:
        """Mean of both measures."""
        return (self.adjusted_rand + self.nmi) / 2


def read_truths(folder: Path) -> list[Truth]:
    """The pages of a folder that have ground truth: HTML files with ``data-block`` marks, or the Kreuzer data."""
    if (folder / "index.json").is_file() and any(folder.glob("kreuzer-*.tar.xz")):
        return [truth_of(item) for item in kreuzer.read(folder=folder)]
    files = sorted(path for path in folder.rglob("*") if path.suffix.lower() in (".html", ".htm") and path.is_file())
    found = [from_html(path.read_bytes()) for path in files]
    truths = [Truth(item, item.page) for item in found if len(item)]
    if not truths:
        raise InputError(f"{folder} has no HTML file with data-block marks")
    return truths


def truth_of(item: Item) -> Truth:
    """The segments of an item on the document of a browser."""
    assert item.gold.segmentation is not None
    return Truth(item.gold.segmentation, item.inputs["dom"].page())


def _point(value: float, pairs: Iterable[tuple[Truth, Segmentation]], fusions: float = 0.0) -> Point:
    scores = [(*truth.agreement(item.labels()[truth.words.blocks]), len(item)) for truth, item in pairs]
    rand, nmi, segments = (fmean(column) for column in zip(*scores, strict=True))
    return Point(value, rand, nmi, segments, fusions)


def sweep_theta(truths: Sequence[Truth], name: str, thetas: Iterable[float] = THETAS) -> list[Point]:
    """Accuracy and number of segments for thresholds ϑ_max (figures 3 and 4)."""
    return [_point(theta, ((t, FUSIONS[name](theta=theta)(t.page)) for t in truths)) for theta in thetas]


def sweep_width(truths: Sequence[Truth], name: str, widths: Iterable[int] = WIDTHS) -> list[Point]:
    """Accuracy for widths w_max at which lines are wrapped (figure 5)."""
    return [_point(width, ((t, FUSIONS[name](width=width)(t.page)) for t in truths)) for width in widths]


def sweep_iterations(truths: Sequence[Truth], name: str, iterations: Iterable[int] = ITERATIONS) -> list[Point]:
    """Accuracy by number of iterations; 0 iterations leave the atomic blocks (figure 7)."""
    segmenter = FUSIONS[name]()
    points = []
    for passes in iterations:
        runs = [segmenter.run(truth.page, iterations=passes) for truth in truths]
        fusions = fmean(log[-1].fusions if len(log) == passes > 0 else 0 for _, log in runs)
        points.append(_point(passes, ((t, found) for t, (found, _) in zip(truths, runs, strict=True)), fusions))
    return points


def zipf_classes(sizes: Iterable[int]) -> npt.NDArray[np.float64]:
    """How many segments of each number of tokens there are, the most frequent number first.

    The paper does not say what its axes are; these are the ranks and frequencies of its equation 3. C near 1 in its
    table 2 says that frequencies were divided by the first for the fit.
    """
    counts = Counter(sizes)
    counts.pop(0, None)
    return np.array(sorted(counts.values(), reverse=True), np.float64)


ZIPF_ALGORITHMS = ("bf-plain", "bf-smoothed", "bf-rulebased", "justrules", "taggap", "wordwrap")


def segment_sizes(truths: Sequence[Truth], name: str) -> list[int]:
    """The number of tokens of each segment of an algorithm; the lines of WordWrap are its segments."""
    segmenter, sizes = SEGMENTERS.make(name), list[int]()
    for truth in truths:
        if isinstance(segmenter, WordWrap):
            sizes += np.bincount(segmenter.lines_at(truth.page, truth.words.offsets)).tolist()
        else:
            sizes += sizes_of(segmenter(truth.page))
    return sizes


def sizes_of(found: Segmentation) -> list[int]:
    """The number of tokens of each segment."""
    words = np.concatenate(([0], np.cumsum(np.where(found.page.blocks.hidden, 0, found.page.blocks.words))))
    return [int(words[segment.stop] - words[segment.start]) for segment in found.segments]


def draw(truths: Sequence[Truth], *, progress: Progress = silent) -> tuple[dict[str, str], dict[str, object]]:
    """All charts as SVG by name, and the figures behind them.

    ``progress`` is called after each value of a parameter.
    """
    done, total = count(1), len(FUSIONS) * (len(THETAS) + len(WIDTHS) + len(ITERATIONS))

    def tracked(values: Iterable[T]) -> Iterator[T]:
        for value in values:
            yield value
            progress(next(done), total)

    charts: dict[str, str] = {}
    figures: dict[str, object] = {"pages": len(truths)}
    for name in FUSIONS:
        points = sweep_theta(truths, name, tracked(THETAS))
        charts[f"theta-{name}"] = theta_chart(name, points)
        figures[f"theta-{name}"] = [vars(point) for point in points]
    widths = {name: sweep_width(truths, name, tracked(WIDTHS)) for name in FUSIONS}
    charts["width"] = width_chart(widths)
    passes = {name: sweep_iterations(truths, name, tracked(ITERATIONS)) for name in FUSIONS}
    charts["iterations"] = iterations_chart(passes)
    for kind, group in (("width", widths), ("iterations", passes)):
        figures[kind] = {name: [vars(point) for point in points] for name, points in group.items()}
    charts["zipf"], fits, _ = zipf_chart(truths)
    figures["zipf"] = {name: vars(fit) for name, fit in fits.items()}
    return charts, figures


def width_chart(widths: Mapping[str, Sequence[Point]]) -> str:
    """Accuracy over widths, a line for each algorithm."""
    return line_chart(
        [Series(name, [p.value for p in points], [p.accuracy for p in points]) for name, points in widths.items()],
        title="Accuracy by wrap width",
        x="w_max, columns",
        y="mean of AdjRand and NMI",
    )


def iterations_chart(passes: Mapping[str, Sequence[Point]]) -> str:
    """Error and segments over iterations, two lines for each algorithm."""
    errors, segments = [], []
    for name, points in passes.items():
        values = [point.value for point in points]
        errors.append(Series(f"{name}: error", values, [1 - point.accuracy for point in points]))
        segments.append(Series(f"{name}: segments (right)", values, [point.segments for point in points], right=True))
    return line_chart(
        [*errors, *segments],
        title="Error and segments after each iteration",
        x="iterations",
        y="1 - mean of AdjRand and NMI",
        y_right="segments a page",
    )


def theta_chart(name: str, points: Sequence[Point]) -> str:
    """Both measures and the number of segments over thresholds."""
    values = [point.value for point in points]
    return line_chart(
        [
            Series("AdjRand", values, [point.adjusted_rand for point in points]),
            Series("NMI", values, [point.nmi for point in points]),
            Series("segments (right)", values, [point.segments for point in points], right=True),
        ],
        title=f"Threshold of {name}",
        x="ϑ_max",
        y="accuracy",
        y_right="segments a page",
        low=0,
    )


def zipf_chart(truths: Sequence[Truth]) -> tuple[str, dict[str, ZipfFit], dict[str, ChiSquare]]:
    """The frequencies of sizes of segments by rank, the law that fits those of each algorithm, and its test.

    Algorithms whose segments have one size only are left out.
    """
    found = {"by hand": [size for truth in truths for size in sizes_of(truth.truth)]}
    found |= {name: segment_sizes(truths, name) for name in ZIPF_ALGORITHMS}
    series, fits, tests = [], dict[str, ZipfFit](), dict[str, ChiSquare]()
    for name, sizes in found.items():
        counts = zipf_classes(sizes)
        if len(counts) < 2:  # one size is no distribution
            continue
        y = counts / counts[0]
        fit = fits[name] = fit_zipf(y)
        expected = counts[0] * fit.c * np.arange(1, len(counts) + 1.0) ** -fit.b
        tests[name] = chi_square(counts, expected, 2)
        label = f"{name}: C {fit.c:.3f}, b {fit.b:.3f}, error {fit.error:.3f}"
        series.append(Series(label, list(range(1, len(y) + 1)), y.tolist(), points=True))
    chart = line_chart(
        series, title="Tokens a segment: frequencies by rank", x="rank of the class", y="relative frequency", log=True
    )
    return chart, fits, tests
