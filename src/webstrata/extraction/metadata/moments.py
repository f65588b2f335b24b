"""When a page was published and last changed, with the time of the day and its zone where the page gives them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import datetime

from webstrata.extraction.metadata.datelines import declared_dates, marked_dates
from webstrata.extraction.metadata.dates import FIRST_DAY, iso_date, last_day
from webstrata.extraction.metadata.sources import MetadataSources

__all__ = ["changed_when", "moment", "published_when"]

_MOMENT = re.compile(
    r"(\d{4}-\d\d-\d\d)[T ]\s?(\d\d:\d\d)(?::(\d\d)(?:[.,]\d{1,9})?)?\s?(Z|UTC|GMT|[+-]\d\d(?::?\d\d)?)?",
    re.IGNORECASE,
)
_LONGEST = 100
# Sources of the last change, the most trusted first.
_CHANGES = ("JSON-LD dateModified", "meta modified", "time of a change", "marked as changed")


def moment(value: str) -> str | None:
    """A value with a day and a time of the day as ISO 8601, with the offset of its time zone if it is given.

    >>> moment("2024-05-17T23:30:00.000+0200"), moment("2024-05-17 08:05"), moment("2024-05-17")
    ('2024-05-17T23:30:00+02:00', '2024-05-17T08:05:00', None)
    """
    match = _MOMENT.fullmatch(value[:_LONGEST].strip())
    if match is None:
        return None
    day, time, second, zone = match.groups()
    offset = (zone or "").upper()
    if offset in ("Z", "UTC", "GMT"):
        offset = "Z"
    elif offset and ":" not in offset:
        offset = f"{offset[:3]}:{offset[3:] or '00'}"
    found = f"{day}T{time}:{second or '00'}{offset}"
    try:
        datetime.fromisoformat(found)
    except ValueError:
        return None
    return found


def _dates(sources: MetadataSources, url: str) -> Iterator[tuple[str, str]]:
    """The texts with dates, and their sources; elements of the body come last, and are read last."""
    yield from declared_dates(sources, url)
    yield from marked_dates(sources)


def published_when(sources: MetadataSources, day: str, *, url: str, month_first: bool, language: str = "") -> str:
    """The moment of a day of publication, by the first text that has this day and a time; else the day.

    >>> from webstrata.page import parse
    >>> page = parse("<meta property=article:published_time content=2024-05-17T08:05Z>")
    >>> published_when(MetadataSources(page), "2024-05-17", url="", month_first=True)
    '2024-05-17T08:05:00Z'
    """
    for source, text in _dates(sources, url):
        if source not in _CHANGES and iso_date(text, month_first=month_first, language=language) == day:
            when = moment(text)
            if when is not None:
                return when
    return day


def changed_when(
    sources: MetadataSources, published: str | None, *, url: str, month_first: bool, language: str = ""
) -> str | None:
    """The moment or the day of the last change; None if none is given, or none that is possible.

    A change is neither in the future nor before the day of publication.

    Parameters
    ----------
    published : the day of publication, if it is known
    """
    first, last = published or FIRST_DAY, last_day()
    found: dict[str, tuple[str, str]] = {}
    for source, text in _of_changes(_dates(sources, url)):
        day = iso_date(text, month_first=month_first, language=language)
        if day is not None and first <= day <= last:
            found.setdefault(source, (day, text))
            if source == _CHANGES[0]:
                break
    best = next((found[source] for source in _CHANGES if source in found), None)
    return (moment(best[1]) or best[0]) if best else None


def _of_changes(texts: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    return ((source, text) for source, text in texts if text and source in _CHANGES)
