"""The last resort for the day of publication: any date of the text, of addresses in the source, or of a copyright."""

from __future__ import annotations

import re
from collections import Counter

from webstrata.extraction.metadata.dates import FIRST_DAY, dates_in, iso_date, last_day
from webstrata.extraction.metadata.sources import MetadataSources

__all__ = ["last_resort"]

# Characters of the page and bytes of the source that are searched.
_LONGEST_TEXT, _LONGEST_SOURCE = 50_000, 1_000_000
_COPYRIGHT = re.compile(r"(?:©|\(c\)|copyright)\D{0,40}((?:19|20)\d\d)(?:\s?[-–]\s?((?:19|20)\d\d))?", re.IGNORECASE)
# Days and months in addresses, such as those of pictures.
_DAY_IN_SOURCE = re.compile(rb"[/\"'=_-](20[0-3]\d|199\d)[/-](0[1-9]|1[0-2])[/-](0[1-9]|[12]\d|3[01])(?!\d)")
_MONTH_IN_SOURCE = re.compile(rb"/(20[0-3]\d|199\d)/(0[1-9]|1[0-2])/")


def last_resort(sources: MetadataSources, *, month_first: bool, language: str = "") -> tuple[str, str] | None:
    """A day from weak sources for a page without a candidate, and the source.

    These are any date of the text, the day or month that is in most addresses of the source, and a copyright.
    """
    text, last = sources.page.text[:_LONGEST_TEXT], last_day()
    for day, _ in dates_in(text, month_first=month_first, language=language):
        if FIRST_DAY <= day <= last:
            return day, "text of the page"
    for form in (_DAY_IN_SOURCE, _MONTH_IN_SOURCE):
        found = Counter(form.findall(sources.page.source, 0, _LONGEST_SOURCE))
        days = {b"-".join(parts).decode() + "-01" * (len(parts) == 2): count for parts, count in found.items()}
        days = {day: count for day, count in days.items() if FIRST_DAY <= day <= last and iso_date(day)}
        if days:
            return max(sorted(days), key=lambda day: days[day]), "addresses in the source"
    years = [
        year for match in _COPYRIGHT.finditer(sources.page.text[-_LONGEST_TEXT:]) for year in match.groups() if year
    ]
    years = [year for year in years if FIRST_DAY[:4] < year <= last[:4]]
    return (f"{max(years)}-01-01", "copyright line") if years else None
