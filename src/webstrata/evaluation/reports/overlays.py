"""The worst pages of a data set, with found and true segments drawn onto them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

from webstrata.evaluation.answers.algorithms import ranges
from webstrata.evaluation.answers.files import file_name
from webstrata.evaluation.answers.runner import Experiment
from webstrata.evaluation.judge import Judge, Submission
from webstrata.evaluation.reports.tables import series
from webstrata.evaluation.scores import Row
from webstrata.segmentation import Segment, Segmentation
from webstrata.segmentation.picture import overlay

__all__ = ["WorstPage", "overlay_path", "worst_pages", "write_overlays"]


@dataclass(frozen=True)
class WorstPage:
    """A page with bad scores: the mean of all algorithms, and the best algorithm in general with its value here."""

    dataset: str
    input: str
    metric: str
    page: str
    mean: float
    algorithm: str
    value: float


def worst_pages(rows: Sequence[Row], *, most: int = 5) -> list[WorstPage]:
    """For each series, the pages with the lowest mean over all algorithms."""
    found = []
    for item in series(rows):
        pages: dict[str, list[float]] = defaultdict(list)
        for own in item.rows.values():
            for row in own:
                pages[row.page].append(row.value)
        best = next(iter(item.rows))
        values = {row.page: row.value for row in item.rows[best]}
        for page, means in sorted(pages.items(), key=lambda pair: (fmean(pair[1]), pair[0]))[:most]:
            found.append(
                WorstPage(item.dataset, item.input, item.metric, page, fmean(means), best, values.get(page, 0.0))
            )
    return found


def overlay_path(dataset: str, page: str, source: str, algorithm: str) -> Path:
    """The path of an overlay, relative to the folder of the experiment; "gold" is the ground truth."""
    return Path("overlays") / file_name(dataset) / f"{file_name(page)}-{source}-{file_name(algorithm)}.html"


def write_overlays(experiment: Experiment, rows: Sequence[Row]) -> int:
    """Draw the worst pages, and return the number of files."""
    algorithms: dict[tuple[str, str], set[str]] = defaultdict(set)
    for worst in worst_pages([row for row in rows if row.dataset == experiment.dataset.name]):
        algorithms[worst.page, worst.input].add(worst.algorithm)
    pages = {page for page, _ in algorithms}
    written = 0
    for item in experiment.dataset.items(experiment.pages):
        for source in experiment.inputs if item.name in pages else ():
            judge = Judge(item.gold, item.inputs[source])
            drawn = {"gold": item.gold.segmentation}
            for spec in experiment.specs:
                answered = experiment.answers[spec].has(
                    (item.name, source), experiment.reprs[spec], judge.document.digest
                )
                if spec.name in algorithms[item.name, source] and answered:
                    given = Submission(judge, experiment.answers[spec][item.name, source])
                    drawn[spec.name] = _drawn(given)
            for name, segmentation in drawn.items():
                if segmentation is not None:
                    path = experiment.folder / overlay_path(experiment.dataset.name, item.name, source, name)
                    path.parent.mkdir(parents=True, exist_ok=True)
                    path.write_text(overlay(segmentation), encoding="utf-8")
                    written += 1
    return written


def _drawn(given: Submission) -> Segmentation:
    """The segments of an answer, or the kept runs of blocks of a text."""
    if given.answer.text is None:
        return given.found.segmentation
    keep, _ = given.kept
    kept = tuple(Segment(start, stop, 1, "content") for start, stop in ranges(keep))
    return Segmentation(given.judge.page, kept, given.answer.algorithm)
