"""The limits of size, time and memory for one page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from webstrata._first_bytes import other_kind
from webstrata.page import Page, parse

__all__ = ["LENIENT_LIMITS", "Limits", "Reject", "read_page"]

# Attributes are counted only in start tags longer than this: shorter ones cannot have harmfully many.
_LONG_TAG = 65_536


@dataclass(frozen=True, kw_only=True)
class Limits:
    """The limits for one page, which is rejected beyond them.

    Attributes
    ----------
    bytes : of the source; crawlers cut pages at 1 to 5 MB, so longer ones are hardly pages
    depth : of elements; the parser itself flattens elements deeper than 512
    attributes : of one element
    seconds : of processor time, and ten times as much of real time; processor time is decisive, so that a busy machine
        does not change the result
    memory : in bytes, in addition to the memory of a worker before its first page

    >>> Limits(seconds=5)
    Limits(bytes=16777216, depth=512, attributes=10000, seconds=5, memory=1073741824)
    """

    bytes: int = 16 * 2**20
    depth: int = 512
    attributes: int = 10_000
    seconds: float = 10.0
    memory: int = 2**30

    @property
    def clock(self) -> float:
        """Seconds of real time."""
        return 10 * self.seconds


#: Limits for other people's extractors in evaluations. Time: ten times that of the slowest common extractor on the
#: largest pages of WCXB. Memory: some extractors load models of a gigabyte with their first page.
LENIENT_LIMITS = Limits(seconds=60.0, memory=8 * 2**30)


class Reject(Exception):
    """A page is rejected. The first argument is one of `webstrata.crawls.reading.records.REASONS`."""

    def __init__(self, reason: str, detail: str = "") -> None:
        super().__init__(reason, detail)
        self.reason = reason
        self.detail = detail


def read_page(record: dict[str, Any], limits: Limits) -> Page:
    """The page of a record, or `Reject`.

    >>> read_page({"html": b"<p>one", "url": "http://example.org/"}, Limits())
    <Page http://example.org/: 1 blocks, 4 elements>
    """
    html, url, encoding = record["html"], record.get("url"), record.get("encoding")
    if not html:
        raise Reject("empty")
    if len(html) > limits.bytes:
        raise Reject("too large", f"{len(html)} bytes")
    if isinstance(html, bytes) and (kind := other_kind(html)):
        raise Reject("not HTML", kind)
    page = parse(html, url=url, header=encoding)
    elements = page.elements
    if elements.deepest > limits.depth:
        raise Reject("too deep", f"{elements.deepest} levels")
    for row in elements.longer(_LONG_TAG):
        count = elements.attribute_count(row)
        if count > limits.attributes:
            raise Reject("too many attributes", f"{count} in one {elements[row].tag}")
    return page
