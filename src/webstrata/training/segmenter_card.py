"""The card of a learned segmenter: its training data, and its scores on pages outside of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from webstrata.evaluation.reports.statistics import bootstrap_mean
from webstrata.segmentation.learned.decoding import select, select_parts
from webstrata.segmentation.learned.model import ALL_KINDS, KINDS, SegmenterModel
from webstrata.training.segment_samples import SegmentSample
from webstrata.training.segmenter import TrainedSegmenter, page_score

__all__ = ["Outcome", "outcomes", "write_segmenter_card"]


@dataclass(frozen=True, eq=False)
class Outcome:
    """The result of a page by the model without its fold.

    ``f`` is the strict, fuzzy F; where the marks are complete, that of the parts of the page. The other columns count
    the segments of each kind: those that people marked (``known``), those that were found, and of both those that match
    one of the same kind.
    """

    sample: SegmentSample
    f: float
    known: np.ndarray
    found: np.ndarray
    right_found: np.ndarray
    right_known: np.ndarray


def outcomes(samples: Sequence[SegmentSample], trained: TrainedSegmenter) -> list[Outcome]:
    """The outcomes of all samples, each by the model without its fold."""
    return [_outcome(sample, trained) for sample in samples if sample.fold in trained.without]


def _outcome(sample: SegmentSample, trained: TrainedSegmenter) -> Outcome:
    selected, classified = _selected(sample, trained.without[sample.fold])
    matches = sample.matches[selected] > 0
    same = matches & (classified[:, None] == sample.kinds[None, :])
    known = sample.kinds[sample.kinds >= 0]
    return Outcome(
        sample,
        page_score(sample.matches[selected]),
        np.bincount(known, minlength=len(ALL_KINDS)),
        np.bincount(classified, minlength=len(ALL_KINDS)),
        np.bincount(classified[same.any(axis=1)], minlength=len(ALL_KINDS)),
        np.bincount(sample.kinds[same.any(axis=0)], minlength=len(ALL_KINDS)),
    )


def _selected(sample: SegmentSample, model: SegmenterModel) -> tuple[np.ndarray, np.ndarray]:
    """The candidates that become segments, or parts where the marks are complete, and their kinds."""
    page = sample.page
    scores, chances = model.judge(page)
    if sample.complete:
        kinds = chances.argmax(axis=1).astype(np.int32)
        taken = select_parts(page.candidates, kinds, chances.sum(axis=1), model.part_cut(page.mode))
        return np.flatnonzero(taken), kinds[taken].astype(np.int64)
    selected, _ = select(page.candidates, scores, model.cut(page.mode))
    if not len(selected):
        return selected, np.zeros(0, np.int64)
    return selected, model.kinds(page, selected).argmax(axis=1)


def write_segmenter_card(found: Sequence[Outcome], *, credit: str) -> str:
    """The card as Markdown."""
    samples = [outcome.sample for outcome in found]
    pages = len({(sample.dataset, sample.name) for sample in samples})
    folds = sorted({sample.fold for sample in samples})
    sizes = ", ".join(str(len({sample.name for sample in samples if sample.fold == fold})) for fold in folds)
    lines = [
        "# Model card: learned segmenter",
        "",
        f"Data: {', '.join(sorted({sample.dataset for sample in samples}))}; {pages} pages. {credit}",
        "",
        f"Method: boosted trees over the elements that show text. {len(folds)} folds by host ({sizes} pages).",
        "",
        "Scores: F of segments whose texts are over 80 % alike, strict counting, mean over pages with its 95 %"
        " interval; each page by the model without its fold, whose threshold comes from the other folds. Pages whose"
        " marks are complete train and score the parts of a covering segmentation, the others the segments.",
        "",
        "| pages | input | boxes | number | F |",
        "| --- | --- | --- | --- | --- |",
    ]
    groups = sorted({(s.dataset, s.version, s.page.mode == "boxes") for s in samples})
    for dataset, version, boxes in groups:
        chosen = [o.f for o in found if (o.sample.dataset, o.sample.version, o.sample.page.mode == "boxes")
                  == (dataset, version, boxes)]  # fmt: skip
        mean = bootstrap_mean(chosen)
        lines.append(
            f"| {dataset} | {version} | {'yes' if boxes else 'no'} | {len(chosen)} |"
            f" {mean.mean:.3f} ({mean.low:.3f} to {mean.high:.3f}) |"
        )
    plain = [outcome for outcome in found if outcome.sample.page.mode == "plain"]
    for complete, title in ((False, "segments"), (True, "parts")):
        chosen_pages = [outcome for outcome in plain if outcome.sample.complete == complete]
        if chosen_pages:
            lines += ["", *_kind_lines(chosen_pages, title)]
    lines += [
        "",
        "Limits: few people marked the segments, mostly of home pages, and they differ in how finely they cut. Segments"
        " without text are not found.",
        "",
    ]
    return "\n".join(lines)


def _kind_lines(found: Sequence[Outcome], title: str) -> list[str]:
    """The scores of each kind, over all plain pages of one sort."""
    lines = [
        f"Kinds of {title}, on plain pages: precision is the share of those classified as a kind that match one of this"
        " kind; recall is the share of those of a kind that are found and classified as it.",
        "",
        "| kind | known | found | precision | recall |",
        "| --- | --- | --- | --- | --- |",
    ]
    names = KINDS if title == "segments" else ALL_KINDS
    for number, name in enumerate(names):
        known, said, right, hit = (
            int(sum(getattr(outcome, part)[number] for outcome in found))
            for part in ("known", "found", "right_found", "right_known")
        )
        precision = f"{right / said:.2f}" if said else "-"
        recall = f"{hit / known:.2f}" if known else "-"
        lines.append(f"| {name} | {known} | {said} | {precision} | {recall} |")
    return lines
