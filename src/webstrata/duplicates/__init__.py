"""Near-duplicates: shingles and min-hash over contents, segments or pages (Kohlschütter & Nejdl 2008 §5.4)."""

from webstrata.duplicates.clustering import Cluster, Member, clusters
from webstrata.duplicates.comparison import TextComparison
from webstrata.duplicates.parts import BY, KeptContent, LargestSegment, TextPart, WholePage, make_part
from webstrata.duplicates.signatures import PAPER, Rule, hashed_shingles

__all__ = [
    "BY",
    "PAPER",
    "Cluster",
    "KeptContent",
    "LargestSegment",
    "Member",
    "Rule",
    "TextComparison",
    "TextPart",
    "WholePage",
    "clusters",
    "hashed_shingles",
    "make_part",
]
