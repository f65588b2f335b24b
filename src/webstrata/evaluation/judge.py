"""The gold data of a page, prepared once for the answers of many algorithms, and an answer placed on the page."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from webstrata._once import once
from webstrata.errors import InputError
from webstrata.evaluation.answers.files import PageAnswer
from webstrata.evaluation.answers.mapper import BlockMapper
from webstrata.evaluation.datasets.base import Gold, PageInput
from webstrata.evaluation.metrics.areas import Shape
from webstrata.evaluation.metrics.blockhtml import Characters, marked_texts, segment_texts
from webstrata.evaluation.metrics.segments import Truth
from webstrata.page import Page
from webstrata.segmentation import Segment, Segmentation
from webstrata.text import Column

__all__ = ["Judge", "Placement", "Submission"]


@dataclass(frozen=True, eq=False)
class Placement:
    """The segments of an answer on the page, and the texts that were not found there."""

    segmentation: Segmentation
    lost: tuple[str, ...] = ()


class Judge:
    """The gold data of a page and one of its inputs; everything that several answers need is computed once."""

    def __init__(self, gold: Gold, document: PageInput) -> None:
        self.gold = gold
        self.document = document

    @once
    def page(self) -> Page:
        """The input as a page."""
        return self.document.page()

    @once
    def truth(self) -> Truth:
        """The segments of the gold data, aligned with the page."""
        if self.gold.segmentation is None:
            raise InputError("this page has no gold segments")
        return Truth(self.gold.segmentation, self.page)

    @once
    def true_texts(self) -> list[str]:
        """The texts of the gold segments of all levels."""
        return self.truth.truth.texts()

    @once
    def marked_texts(self) -> list[str]:
        """All character data of the marked elements, as in Kreuzer 2013."""
        if self.gold.marked is not None:
            return marked_texts(self.gold.marked)
        truth = self.truth.truth
        return segment_texts(truth, Characters.of(truth.page.source))

    @once
    def characters(self) -> Characters:
        """The character data of the page."""
        return Characters.of(self.page.source)

    @once
    def mapper(self) -> BlockMapper:
        """Finds texts on the page."""
        return BlockMapper(self.page)


@dataclass(frozen=True, eq=False)
class Submission:
    """An answer, and the judge that scores it.

    Segments that are ``extra`` are left out where the ground truth is not complete: it has the parts of a page and
    neither the rest between them nor each record of a list, so an algorithm that gives these as well is compared by the
    others.
    """

    judge: Judge
    answer: PageAnswer

    @once
    def found(self) -> Placement:
        """The segments of the answer; texts without block numbers are searched for in the page."""
        if self.answer.blocks is None:
            return self._mapped
        self._check_blocks()
        rows = self.answer.segments or []
        segments = tuple(
            Segment(
                row["start"],
                row["stop"],
                row["level"],
                row["kind"],
                hidden=row.get("hidden", False),
                extra=row.get("extra", False),
            )
            for row in rows
        )
        found = Segmentation(self.judge.page, segments, self.answer.algorithm)
        return Placement(found if self.judge.gold.complete else found.without_extra())

    @once
    def _rows(self) -> list[dict[str, Any]]:
        """The segments that are compared."""
        complete = self.judge.gold.complete
        return [row for row in self.answer.segments or [] if complete or not row.get("extra")]

    @once
    def _mapped(self) -> Placement:
        """The segments of the answer as their texts are found in the page."""
        given = [(row["text"], row["level"], row["kind"]) for row in self._rows]
        segmentation, mapped = self.judge.mapper.segmentation(given, self.answer.algorithm)
        lost = tuple(text for (text, _, _), place in zip(given, mapped.places, strict=True) if place is None)
        return Placement(segmentation, lost)

    @once
    def texts(self) -> list[str]:
        """The shown texts of all segments, including those that were not found in the page."""
        return [*self.found.segmentation.texts(), *self.found.lost]

    @once
    def marked_texts(self) -> list[str]:
        """All character data of the segments, as if they were marked in the page that the algorithm read."""
        rows = self._rows
        if rows and all("marked" in row for row in rows):
            return [row["marked"] for row in rows]
        return [*segment_texts(self.found.segmentation, self.judge.characters), *self.found.lost]

    @once
    def mapped_texts(self) -> list[str]:
        """All character data of the segments as their texts are found in the page; the others do not count."""
        return segment_texts(self._mapped.segmentation, self.judge.characters)

    @once
    def shapes(self) -> list[Shape]:
        """The segments as shapes on the page: the polygons of the answer, or the rectangles around their texts."""
        outlines = self.judge.gold.shapes
        assert outlines is not None
        if self._rows and all("polygon" in row for row in self._rows):
            return [[np.array(row["polygon"], np.float64)] for row in self._rows]
        return [shape for item in self.found.segmentation if (shape := outlines.around(item.start, item.stop))]

    @once
    def kept(self) -> tuple[Column, int]:
        """A mask of the blocks that the text of an answer keeps, and the number of its lines that are not found."""
        keep = np.zeros(len(self.judge.page.blocks), bool)
        if self.answer.keep is not None:
            self._check_blocks()
            for start, stop in self.answer.keep:
                keep[start:stop] = True
            return keep, 0
        mapped = self.judge.mapper.places(self._lines())
        for place in filter(None, mapped.places):
            keep[slice(*place)] = True
        return keep, mapped.unmapped

    def _lines(self) -> Iterator[str]:
        return (line for line in (self.answer.text or "").splitlines() if line.strip())

    def _check_blocks(self) -> None:
        counted, blocks = self.answer.blocks, len(self.judge.page.blocks)
        if counted != blocks:
            raise InputError(
                f"{self.answer.page}: {self.answer.algorithm} counted {counted} blocks, the page has {blocks}: "
                "pages are parsed in another way now; delete the outputs and run again"
            )
