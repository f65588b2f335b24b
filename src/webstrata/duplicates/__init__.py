"""Near-duplicates: shingles and min-hash over contents, segments or pages (Kohlschütter & Nejdl 2008 §5.4)."""

from webstrata.duplicates.clusters import Member, clusters_of, keeper
from webstrata.duplicates.parts import BY, Content, LargestSegment, Part, WholePage, make_part
from webstrata.duplicates.signatures import PAPER, Rule, hashed_shingles

__all__ = [
    "BY",
    "PAPER",
    "Content",
    "LargestSegment",
    "Member",
    "Part",
    "Rule",
    "WholePage",
    "clusters_of",
    "hashed_shingles",
    "keeper",
    "make_part",
]
