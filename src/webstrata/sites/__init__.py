"""Sites: what many pages of one site have in common. SOM trees, segment classes, template fingerprints."""

from webstrata.sites.extraction import WithSite
from webstrata.sites.rules import PAPER, Rules
from webstrata.sites.segmenter import SOMSegmenter
from webstrata.sites.site import SegmentClass, Site

__all__ = ["PAPER", "Rules", "SOMSegmenter", "SegmentClass", "Site", "WithSite"]
