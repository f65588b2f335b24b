"""Sites: what the pages of a site have in common. SOM trees, segment classes, template fingerprints."""

from webstrata.sites.counts import SegmentClass
from webstrata.sites.extraction import WithSite
from webstrata.sites.folder import Sites
from webstrata.sites.groups import template_groups
from webstrata.sites.learning import learn
from webstrata.sites.rules import PAPER, Rules
from webstrata.sites.segmenter import SOMSegmenter
from webstrata.sites.site import Site

__all__ = ["PAPER", "Rules", "SOMSegmenter", "SegmentClass", "Site", "Sites", "WithSite", "learn", "template_groups"]
