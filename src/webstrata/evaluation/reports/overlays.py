"""The worst and the best pages of a data set, with true and found segments drawn onto them, beside each other."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from statistics import fmean
from urllib.parse import quote

from webstrata.evaluation.answers.algorithms import ranges
from webstrata.evaluation.answers.files import file_name
from webstrata.evaluation.answers.runner import Experiment
from webstrata.evaluation.judge import Judge, Submission
from webstrata.evaluation.reports.document import html_page
from webstrata.evaluation.reports.tables import series
from webstrata.evaluation.scores import Row
from webstrata.segmentation import Segment, Segmentation
from webstrata.segmentation.picture import overlay

__all__ = ["RankedPage", "beside_path", "overlay_path", "ranked_pages", "write_overlays"]


@dataclass(frozen=True)
class RankedPage:
    """A page, the mean of all algorithms on it, and the algorithm that is best in general with its value here."""

    dataset: str
    input: str
    metric: str
    page: str
    mean: float
    algorithm: str
    value: float


def ranked_pages(rows: Sequence[Row], *, best: bool = False, most: int = 5) -> list[RankedPage]:
    """For each series, the pages with the lowest mean over all algorithms, or with the highest."""
    found = []
    for item in series(rows):
        pages: dict[str, list[float]] = defaultdict(list)
        for own in item.rows.values():
            for row in own:
                pages[row.page].append(row.value)
        name = next(iter(item.rows))
        values = {row.page: row.value for row in item.rows[name]}
        means = {page: fmean(own) for page, own in pages.items()}
        ranked = sorted(means.items(), key=lambda pair: (-pair[1] if best else pair[1], pair[0]))
        found += [
            RankedPage(item.dataset, item.input, item.metric, page, mean, name, values.get(page, 0.0))
            for page, mean in ranked[:most]
        ]
    return found


def overlay_path(dataset: str, page: str, source: str, algorithm: str) -> Path:
    """The path of an overlay, relative to the folder of the experiment; "gold" is the ground truth."""
    return Path("overlays") / file_name(dataset) / f"{file_name(page)}-{source}-{file_name(algorithm)}.html"


def beside_path(dataset: str, page: str, source: str, algorithm: str) -> Path:
    """The path of the page that shows the ground truth and an answer beside each other."""
    return overlay_path(dataset, page, source, f"{algorithm}-beside-gold")


def write_overlays(experiment: Experiment, rows: Sequence[Row]) -> int:
    """Draw the worst and the best pages, and return the number of files."""
    algorithms: dict[tuple[str, str], set[str]] = defaultdict(set)
    own = [row for row in rows if row.dataset == experiment.dataset.name]
    for ranked in (*ranked_pages(own), *ranked_pages(own, best=True)):
        algorithms[ranked.page, ranked.input].add(ranked.algorithm)
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
            if drawn["gold"] is not None:
                written += _write_beside(experiment, item.name, source, [name for name in drawn if name != "gold"])
    return written


def _write_beside(experiment: Experiment, page: str, source: str, names: Sequence[str]) -> int:
    """Write a page with the overlay of the ground truth and that of each answer; returns the number of files."""
    dataset = experiment.dataset.name
    for name in names:
        frames = "".join(
            f"<figure><figcaption>{escape(own)}</figcaption>"
            f'<iframe src="{quote(overlay_path(dataset, page, source, own).name)}"></iframe></figure>'
            for own in ("gold", name)
        )
        path = experiment.folder / beside_path(dataset, page, source, name)
        path.write_text(html_page(f"{dataset}: {page}", f'<div class="beside">{frames}</div>'), encoding="utf-8")
    return len(names)


def _drawn(given: Submission) -> Segmentation:
    """The segments of an answer, or the kept runs of blocks of a text."""
    if given.answer.text is None:
        return given.found.segmentation
    keep, _ = given.kept
    kept = tuple(Segment(start, stop, 1, "content") for start, stop in ranges(keep))
    return Segmentation(given.judge.page, kept, given.answer.algorithm)
