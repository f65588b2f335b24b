"""Segments of pages: Page to Segmentation."""

from webstrata.segment.base import SEGMENTERS, Segment, Segmentation, Segmenter, segment

__all__ = ["SEGMENTERS", "Segment", "Segmentation", "Segmenter", "segment"]
