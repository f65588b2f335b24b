"""The worst pages of a data set, with what was found and what is true drawn onto them."""

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
    """A page on which algorithms did badly: the mean of all, and the algorithm that did best in general."""

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
    """Where the overlay of a page is, seen from the folder of the experiment; "gold" stands for the truth."""
    return Path("overlays") / file_name(dataset) / f"{file_name(page)}-{source}-{file_name(algorithm)}.html"


def write_overlays(experiment: Experiment, rows: Sequence[Row]) -> int:
    """Draw the worst pages, and give how many files there are."""
    wanted: dict[tuple[str, str], set[str]] = defaultdict(set)
    for worst in worst_pages([row for row in rows if row.dataset == experiment.dataset.name]):
        wanted[worst.page, worst.input].add(worst.algorithm)
    pages = {page for page, _ in wanted}
    written = 0
    for item in experiment.dataset.items(experiment.pages):
        for source in experiment.inputs if item.name in pages else ():
            judge = Judge(item.gold, item.inputs[source])
            drawn = {"gold": item.gold.segmentation}
            for spec in experiment.specs:
                answered = experiment.answers[spec].has(
                    (item.name, source), experiment.reprs[spec], judge.document.digest
                )
                if spec.name in wanted[item.name, source] and answered:
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
    """What was found; of a text, the runs of blocks that were kept."""
    if given.answer.text is None:
        return given.found.segmentation
    keep, _ = given.kept
    kept = tuple(Segment(start, stop, 1, "content") for start, stop in ranges(keep))
    return Segmentation(given.judge.page, kept, given.answer.algorithm)
