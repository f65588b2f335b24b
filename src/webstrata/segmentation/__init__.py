"""Segments of pages: Page to Segmentation."""

from webstrata.segmentation.base import SEGMENTERS, Segment, Segmentation, Segmenter, segment

__all__ = ["SEGMENTERS", "Segment", "Segmentation", "Segmenter", "segment"]
