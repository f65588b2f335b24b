"""Filters of a crawl: which pages are left out, each under a reason of its own that is counted.

A filter of records looks at the address alone, before the page is read; a filter of pages looks at the content.
"""

from __future__ import annotations

import re
import zlib
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol

from webstrata._once import once
from webstrata.errors import InputError
from webstrata.extraction.quality import QUALITY
from webstrata.extraction.result import Extraction

__all__ = ["FewestWords", "LeastConfidence", "PageFilter", "Quality", "UrlPattern", "UrlSample"]


class PageFilter(Protocol):
    """A filter of pages: returns why a page is left out, or None."""

    @property
    def reason(self) -> str: ...

    def __call__(self, extraction: Extraction) -> str | None: ...


@dataclass(frozen=True, kw_only=True)
class UrlPattern:
    """Keep records by their URLs. A record without URL matches no pattern.

    Parameters
    ----------
    include : regular expressions; one of them must be found in the URL, if there are any
    exclude : regular expressions; none of them may be found in it

    >>> UrlPattern(exclude=("/tag/",))({"url": "http://a.org/tag/silt"})
    'matches /tag/'
    """

    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    reason: ClassVar[str] = "URL"

    def __post_init__(self) -> None:
        for pattern in (*self.include, *self.exclude):
            try:
                re.compile(pattern)
            except re.error as error:
                raise InputError(f"{pattern!r} is no regular expression: {error}") from error

    def __call__(self, record: dict[str, Any]) -> str | None:
        url = record.get("url") or ""
        if self.include and not any(re.search(pattern, url) for pattern in self.include):
            return "matches no pattern to include"
        return next((f"matches {pattern}" for pattern in self.exclude if re.search(pattern, url)), None)


@dataclass(frozen=True, kw_only=True)
class UrlSample:
    """Keep a share of the records, chosen by a hash of the URL, or of the file and number of a record without one.

    The same URL is kept or left out in every crawl, and a smaller share is part of a larger one.

    >>> urls = [{"url": f"http://a.org/{number}"} for number in range(1000)]
    >>> 80 < sum(UrlSample(share=0.1)(record) is None for record in urls) < 120
    True
    """

    share: float
    reason: ClassVar[str] = "not sampled"

    def __post_init__(self) -> None:
        if not 0 < self.share <= 1:
            raise InputError(f"the share of a sample lies above 0 and up to 1, not {self.share}")

    def __call__(self, record: dict[str, Any]) -> str | None:
        name = record.get("url") or f"{record.get('file')}#{record.get('record')}"
        # CRC-32 of near numbers is not uniform in its first bits: multiply it.
        number = zlib.crc32(name.encode("utf-8", "replace")) * 0x9E3779B1 % 2**32
        return None if number < self.share * 2**32 else ""


@dataclass(frozen=True, kw_only=True)
class FewestWords:
    """Leave out pages with fewer words of content."""

    words: int
    reason: ClassVar[str] = "too short"

    def __call__(self, extraction: Extraction) -> str | None:
        count = len(extraction.text.split())
        return f"{count} words" if count < self.words else None


@dataclass(frozen=True, kw_only=True)
class LeastConfidence:
    """Leave out pages whose confidence (`Extraction.confidence`) is lower, or unknown."""

    least: float
    reason: ClassVar[str] = "low confidence"

    def __post_init__(self) -> None:
        if not 0 <= self.least <= 1:
            raise InputError(f"a confidence lies from 0 to 1, not {self.least}")

    def __call__(self, extraction: Extraction) -> str | None:
        confidence = extraction.confidence
        if confidence is None:
            return "unknown"
        return f"{confidence:.3f}" if confidence < self.least else None


@dataclass(frozen=True, kw_only=True)
class Quality:
    """Leave out pages by a set of rules of `webstrata.extraction.quality.QUALITY`."""

    rules: str

    def __post_init__(self) -> None:
        if self.rules not in QUALITY:
            raise InputError(f"no rules are called {self.rules!r}: choose of {', '.join(QUALITY)}")

    @property
    def reason(self) -> str:
        return self.rules

    @once
    def _rules(self) -> Any:
        return QUALITY[self.rules]()

    def __call__(self, extraction: Extraction) -> str | None:
        found: str | None = self._rules(extraction.text)
        return found
