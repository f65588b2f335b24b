"""Segmentation of whole crawls."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from webstrata._once import once
from webstrata.crawls.arrow import pyarrow
from webstrata.crawls.running.steps import PageStep, default_algorithm
from webstrata.page import Page
from webstrata.segmentation.base import SEGMENTERS, Segmenter, segment
from webstrata.workers.limits import Reject

__all__ = ["SegmentPages"]


@dataclass(frozen=True, kw_only=True)
class SegmentPages(PageStep):
    """The segments of each page: ranges of its blocks, with their text.

    Parameters
    ----------
    algorithm : a segmenter, as for `webstrata.segment`; the default is the same
    """

    algorithm: str = field(default_factory=lambda: default_algorithm(segment))

    def columns(self) -> Sequence[tuple[str, Any]]:
        pa = pyarrow()
        numbers = [(name, pa.int32()) for name in ("start", "stop", "level")]
        row = pa.struct([*numbers, ("kind", pa.string()), ("score", pa.float64()), ("text", pa.string())])
        return [("title", pa.string()), ("segments", pa.list_(row))]

    @once
    def _segmenter(self) -> Segmenter:
        return SEGMENTERS.make(self.algorithm)

    def row(self, page: Page) -> dict[str, Any]:
        found = self._segmenter(page)
        if not found.segments:
            raise Reject("no content")
        rows = [{**item._asdict(), "text": found.text(item)} for item in found.segments]
        return {"title": page.title or None, "segments": rows}
