"""The pages that the experiments of Kohlschütter 2011, chapter 4, run on, and their counts.

The thesis counts text in Webspam UK-2007 (§4.3), which cannot be had; WCXB, modern pages of 1,200 sites, takes its
place. Its news pages (L3S-GN1) and CleanEval (§4.4) are at hand.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from webstrata._once import once
from webstrata.evaluation.datasets.base import Item
from webstrata.evaluation.datasets.catalogue import find_dataset
from webstrata.evaluation.datasets.l3s_gn1 import CLASSES
from webstrata.evaluation.papers.catalogue import PaperData
from webstrata.evaluation.papers.experiments import Instances, LabelledPage, instances, labelled_page
from webstrata.page import Page
from webstrata.segmentation import SEGMENTERS
from webstrata.sites.fingerprints import fingerprint
from webstrata.statistics.surveys import PageSurvey, Survey, Units, survey_page, units_of

__all__ = ["SegmentText", "ThesisPages"]


@dataclass(frozen=True, slots=True)
class SegmentText:
    """A segment: its page, text, fingerprint, words and rounded density, and whether it has a full stop."""

    page: int
    text: str
    fingerprint: int
    words: int
    density: int
    stopped: bool


@dataclass(frozen=True)
class ThesisPages(PaperData):
    """The pages of all collections, the labelled blocks of the news pages, and counts."""

    @once
    def news(self) -> list[LabelledPage]:
        """The news pages with the classes of their blocks."""
        dataset, limit = find_dataset("l3s-gn1"), self.setting.pages
        items = self.tracked("reading L3S-GN1", dataset.items(limit), dataset.size(limit))
        return list(map(labelled_page, items))

    @once
    def clean(self) -> list[Item]:
        """The pages of CleanEval."""
        return list(find_dataset("cleaneval").items(self.setting.pages))

    @once
    def instances(self) -> Instances:
        """The blocks of the news pages with all features."""
        return instances(self.news)

    @once
    def news_survey(self) -> Survey:
        """The counts of the blocks of the news pages, by the classes of the assessors."""
        return Survey.of(
            survey_page(page, classes=[CLASSES[label] for label in labels.tolist()]) for page, labels in self.news
        )

    @once
    def clean_survey(self) -> Survey:
        """The counts of the blocks of CleanEval, which has no classes."""
        return Survey.of(survey_page(item.inputs["html"].page()) for item in self.clean)

    @once
    def web_blocks(self) -> Survey:
        """The counts of the blocks of WCXB."""
        dataset, limit = find_dataset("wcxb"), self.setting.pages
        items = self.tracked("counting WCXB", dataset.items(limit), dataset.size(limit))
        return Survey.of(survey_page(item.inputs["html"].page()) for item in items)

    @once
    def web(self) -> tuple[Survey, list[SegmentText]]:
        """The counts of the segments of WCXB by BF-RuleBased, as in §4.3.2, and the segments themselves."""
        segments: list[SegmentText] = []
        dataset, limit = find_dataset("wcxb"), self.setting.pages
        items = self.tracked("segments of WCXB", dataset.items(limit), dataset.size(limit))

        def surveys() -> Iterator[PageSurvey]:
            for number, item in enumerate(items):
                page: Page = item.inputs["html"].page()
                segmenter = SEGMENTERS.make("bf-rulebased")
                segments.extend(_segment_texts(number, units_of(page, segmenter)))
                yield survey_page(page, segmenter=segmenter)

        return Survey.of(surveys(), least=2), segments


def _segment_texts(page: int, units: Units) -> Iterator[SegmentText]:
    for text, words, density, stopped in zip(
        units.texts, units.words.tolist(), units.rounded.tolist(), units.stopped.tolist(), strict=True
    ):
        yield SegmentText(page, text, fingerprint(text), words, density, stopped)
