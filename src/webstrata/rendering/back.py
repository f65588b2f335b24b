"""Segments of a rendered page, mapped back to the HTML that was rendered."""

from __future__ import annotations

import numpy as np

from webstrata.page import Page
from webstrata.rendering.page import RenderedPage
from webstrata.segmentation import Segmentation
from webstrata.segmentation.base import readable

__all__ = ["on_source"]


def on_source(found: Segmentation, rendered: RenderedPage, page: Page) -> Segmentation:
    """The segments of a rendered page as segments of the page that was rendered.

    Each segment becomes the blocks of its elements that have a row in the source. A segment is left out if it has no
    such elements, or if these have no text in the source. The hidden text of a page that shows nothing counts.

    Parameters
    ----------
    found : segments of ``rendered.page``
    rendered : the rendered page
    page : the HTML that was rendered, parsed
    """
    elements = rendered.page.elements
    # Compare shown blocks only: hidden ones at the edge of an element are in no segment.
    shown = np.zeros(len(rendered.page.blocks), bool)
    shown[readable(rendered.page)] = True
    shown_before = np.concatenate(([0], np.cumsum(shown)))
    begins, ends = shown_before[elements.first_block], shown_before[elements.end_block]
    own = np.flatnonzero((rendered.source_row >= 0) & (ends > begins))
    begins, ends, source = begins[own], ends[own], rendered.source_row[own]
    first, end = page.elements.first_block[source], page.elements.end_block[source]
    readable_rows, segments = readable(page), []
    hidden = bool(page.blocks.hidden[readable_rows].any())
    for segment in found.segments:
        # Elements are in document order, so those that begin in a range of blocks are consecutive.
        low, high = np.searchsorted(begins, shown_before[[segment.start, segment.stop]]).tolist()
        inside = np.flatnonzero((ends[low:high] <= shown_before[segment.stop]) & (end > first)[low:high]) + low
        if not len(inside):
            continue
        start, stop = int(first[inside].min()), int(end[inside].max())
        low, high = np.searchsorted(readable_rows, (start, stop)).tolist()
        if low < high:
            start, stop = int(readable_rows[low]), int(readable_rows[high - 1]) + 1
            segments.append(segment._replace(start=start, stop=stop, hidden=hidden))
    return Segmentation(page, tuple(segments), found.algorithm)
