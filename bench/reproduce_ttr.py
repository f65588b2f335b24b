"""Weninger & Hsu 2008 on CleanEval and L3S-GN1: tables 1 and 2, and the ROC curve of figure 6.

    python bench/reproduce_ttr.py --out out/ttr

The paper's own 176 pages do not exist any more. Needs both data sets (WEBSTRATA_DATA) and the extra "eval". About four
minutes on two cores.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

import numpy as np
from matplotlib import pyplot

from common import Report, arguments, in_processes
from webstrata.evaluation.datasets.cleaneval import cleaneval_pages
from webstrata.evaluation.datasets.l3s_gn1 import news_pages
from webstrata.evaluation.metrics import word_score
from webstrata.extraction.base import Extractor
from webstrata.extraction.shallow import KeepAll
from webstrata.extraction.ttr import TTREM, Mode, TTRFarthestFirst, TTRKMeans, TTRThreshold
from webstrata.page import parse

COEFFICIENTS = range(20)
CLUSTERINGS = {"farthest first": TTRFarthestFirst, "k-means": TTRKMeans, "EM": TTREM}
# Table 1: mean, median, standard deviation and how often 100%, of precision and of recall.
PAPER_1 = {"precision": (0.5597, 0.6106, 0.3465, 2), "recall": (0.9449, 0.9951, 0.1742, 75)}
# Table 2: median and mean of accuracy, precision and recall.
PAPER_2: dict[tuple[Mode, str], tuple[float, ...]] = {
    ("density", "farthest first"): (0.8496, 0.7787, 0.7210, 0.6031, 0.9899, 0.9391),
    ("density", "k-means"): (0.7839, 0.7483, 0.5871, 0.5255, 0.9966, 0.9582),
    ("density", "EM"): (0.7249, 0.6975, 0.4570, 0.4462, 1.0000, 0.9309),
    ("distance", "farthest first"): (0.7952, 0.7233, 0.9412, 0.7353, 0.9018, 0.8050),
    ("distance", "k-means"): (0.8178, 0.7690, 0.6749, 0.5968, 0.9880, 0.9276),
    ("distance", "EM"): (0.7798, 0.7461, 0.5780, 0.5229, 0.9967, 0.9579),
}


def methods() -> dict[str, Extractor]:
    """Every method by the name of its row."""
    found: dict[str, Extractor] = {}
    for lines in ("source", "blocks"):
        for coefficient in COEFFICIENTS:
            found[f"{lines}/threshold/{coefficient}"] = TTRThreshold(coefficient=coefficient, lines=lines)
        for mode, name in PAPER_2:
            found[f"{lines}/{mode}/{name}"] = CLUSTERINGS[name](mode=mode, lines=lines)
    found["source/threshold/text"] = TTRThreshold(sigma=None)
    return found


def _measure(task: tuple[bytes, str | None, str]) -> dict[str, tuple[float, float, float, float]]:
    """Precision, recall, accuracy and false-positive rate of each method on a page."""
    html, encoding, gold = task
    page = parse(html, encoding=encoding)
    everything = word_score(gold, KeepAll()(page).text).retrieved or 0.0
    texts = {name: extractor(page).text for name, extractor in methods().items()}
    # Many methods give the same text, and high thresholds none: each is scored once.
    rates = {text: _rates(gold, everything, text) for text in set(texts.values())}
    return {name: rates[text] for name, text in texts.items()}


def _rates(gold: str, everything: float, text: str) -> tuple[float, float, float, float]:
    score = word_score(gold, text)
    hits, retrieved, relevant = score.hits or 0.0, score.retrieved or 0.0, score.relevant or 0.0
    # What is neither wanted nor given; a gold text may have words that the page does not.
    rest = max(everything - retrieved - relevant + hits, 0.0)
    total = retrieved + relevant - hits + rest
    wrong = retrieved - hits
    return (
        score.precision,
        score.recall,
        (hits + rest) / total if total else 1.0,
        wrong / (wrong + rest) if wrong + rest else 0.0,
    )


def data_sets(limit: int | None) -> Iterator[tuple[str, list[tuple[bytes, str | None, str]]]]:
    """The pages as they were crawled, for their lines matter."""
    yield "CleanEval", [(each.page.source, "utf-8", each.gold) for each in islice(cleaneval_pages(), limit)]
    yield "L3S-GN1", [(each.html, "utf-8", each.gold()) for each in islice(news_pages(), limit)]


def table_1(report: Report, data_set: str, found: dict[str, np.ndarray[Any, Any]]) -> None:
    rows: list[list[Any]] = []
    for measure, column in (("precision", 0), ("recall", 1)):
        rows.append([measure, "paper (176 pages)", *PAPER_1[measure]])
        for name, title in (
            ("source/threshold/1", "source lines"),
            ("blocks/threshold/1", "blocks as lines"),
            ("source/threshold/text", "source lines, kernel σ = σ of h"),
        ):
            values = found[name][:, column]
            numbers = (float(values.mean()), float(np.median(values)), float(values.std()), int((values == 1).sum()))
            rows.append([measure, title, *numbers])
    header = ["measure", "lines", "mean", "median", "std dev", "num 100%"]
    report.table(f"table_1_{data_set.lower()}", f"Table 1 on {data_set}: threshold at 1σ", header, rows)


def table_2(report: Report, data_set: str, found: dict[str, np.ndarray[Any, Any]]) -> None:
    rows: list[list[Any]] = []
    for (mode, name), paper in PAPER_2.items():
        rows.append([mode, name, "paper", *paper])
        for lines in ("source", "blocks"):
            values = found[f"{lines}/{mode}/{name}"]
            numbers = [float(how(values[:, column])) for column in (2, 0, 1) for how in (np.median, np.mean)]
            rows.append([mode, name, lines, *numbers])
    header = ["mode", "clustering", "lines"]
    header += [f"{measure} {how}" for measure in ("accuracy", "precision", "recall") for how in ("median", "mean")]
    report.table(f"table_2_{data_set.lower()}", f"Table 2 on {data_set}: three clusters", header, rows)


def curve(found: dict[str, np.ndarray[Any, Any]], lines: str) -> tuple[list[float], list[float], float]:
    """False and true positive rate for each coefficient, means over pages, and the area under them."""
    points = sorted((float(m[:, 3].mean()), float(m[:, 1].mean())) for m in _thresholds(found, lines))
    false, true = zip(*[(0.0, 0.0), *points, (1.0, 1.0)], strict=True)
    return list(false), list(true), float(np.trapezoid(true, false))


def _thresholds(found: dict[str, np.ndarray[Any, Any]], lines: str) -> Iterator[np.ndarray[Any, Any]]:
    return (found[f"{lines}/threshold/{coefficient}"] for coefficient in COEFFICIENTS)


def main() -> None:
    options = arguments(__doc__, "out/ttr")
    report = Report(options.out, "Text-to-tag ratios (Weninger & Hsu 2008)")
    report.say(_ABOUT)
    figure, axis = pyplot.subplots(figsize=(6, 5))
    areas: list[list[Any]] = [["paper", "source", 0.9874]]
    for data_set, tasks in data_sets(options.pages):
        results = in_processes(_measure, tasks, f"{data_set}: {len(methods())} methods", options.jobs)
        found = {name: np.array([result[name] for result in results]) for name in methods()}
        table_1(report, data_set, found)
        table_2(report, data_set, found)
        for lines in ("source", "blocks"):
            false, true, area = curve(found, lines)
            axis.plot(false, true, marker=".", label=f"{data_set}, {lines}: AUC {area:.1%}")
            areas.append([data_set, lines, area])
    axis.set(xlabel="false positive rate", ylabel="true positive rate", title="threshold at 0σ' to 19σ'")
    axis.legend()
    report.table("figure_6", "Figure 6: area under the ROC curve", ["pages", "lines", "AUC"], areas)
    report.figure("figure_6", "Figure 6: ROC curve of threshold partitioning", figure)
    report.say(_WHY)
    report.write()


_ABOUT = """The paper's 176 pages, search results for the word *the*, do not exist any more. These are its methods on
other pages; its figures stand beside them for orientation and cannot be expected to agree. Words are compared as bags,
the paper uses a diff. Accuracy counts all words that the page shows."""
_WHY = """Rates are means over pages, and the curve is drawn from corner to corner. The paper reports 98.74% and does
not say how its rates were averaged or how its curve was closed."""


if __name__ == "__main__":
    main()
