"""Dates in the formats of people and machines, as ISO 8601."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, date, datetime

__all__ = ["find_date", "iso_date"]

# Beginnings of month names, for all inflections: "mär" is März, "мая" and "май" are May.
# English, German, French, Spanish, Italian, Portuguese, Dutch, Polish, Russian, Swedish.
_MONTHS = {
    1: "jan gen ene sty янв",
    2: "feb fév fev lut фев",
    3: "mar mär mrt maar marc мар",
    4: "apr avr abr kwi апр",
    5: "may mai mei mag maj май мая",
    6: "jun juin giu cze июн",
    7: "jul juil lug lip июл",
    8: "aug aoû aou ago sie авг",
    9: "sep set wrz сен",
    10: "oct okt ott out paź окт",
    11: "nov lis ноя",
    12: "dec dez déc dic gru дек",
}
_MONTH_OF = {name: month for month, names in _MONTHS.items() for name in names.split()}
_STEM = "|".join(sorted(_MONTH_OF, key=len, reverse=True))
_NAME = rf"(?P<name>{_STEM})[^\W\d_]{{0,10}}"
_ORDINAL = r"(?:st|nd|rd|th|\.|º|er)?"
# The separators of the parts of a date. No two follow one another, and each has a limit: otherwise the expressions
# would backtrack for long in a text that is not a date.
_GAP = r"[\s-]{1,20}"
_OF = "(?:of|de)"
_YEAR_PART = r"(?:19|20)\d\d"
# Every date has a year without digits beside it; the formats are tried only around years.
_YEAR = re.compile(rf"{_YEAR_PART}(?<!\d{{5}})(?!\d)")
_YEAR_MONTH_DAY = re.compile(rf"(?P<year>{_YEAR_PART})[-/.](?P<month>\d\d?)[-/.](?P<day>\d\d?)(?!\d)")
_EAST_ASIAN = re.compile(rf"(?P<year>{_YEAR_PART})\s?[年년]\s?(?P<month>\d\d?)\s?[月월]\s?(?P<day>\d\d?)\s?[日일]")
# The lookbehind comes after the first digit, so that the engine can skip to digits.
_DAY_MONTH = re.compile(
    rf"(?P<day>\d(?<![^\W_]\d)\d?){_ORDINAL}(?:{_GAP}(?:{_OF}{_GAP})?|{_OF}{_GAP}){_NAME}\.?,?{_GAP}(?:de{_GAP})?"
    rf"(?P<year>{_YEAR_PART})(?!\d)",
    re.IGNORECASE,
)
_FIGURES = re.compile(
    rf"(?P<first>\d(?<![\w.]\d)\d?)(?P<sign>[./-])(?P<second>\d\d?)(?P=sign)(?P<year>{_YEAR_PART})(?!\d)"
)
# A month name can begin anywhere: this format is tried only where its second part matches.
_DAY_YEAR = re.compile(rf"\d\d?{_ORDINAL},?\s{{1,20}}{_YEAR_PART}(?!\d)", re.IGNORECASE)
_MONTH_DAY = re.compile(
    rf"(?<![^\W_]){_NAME}\.?\s{{1,20}}(?P<day>\d\d?){_ORDINAL},?\s{{1,20}}(?P<year>{_YEAR_PART})(?!\d)", re.IGNORECASE
)
# The formats by the character before the year at their end, and after the year at their start.
_BEFORE_YEAR = {" ": (_DAY_MONTH, _MONTH_DAY), "-": (_DAY_MONTH, _FIGURES), "/": (_FIGURES,), ".": (_FIGURES,)}
_AFTER_YEAR = {**dict.fromkeys("-/.", _YEAR_MONTH_DAY), **dict.fromkeys(" 年년", _EAST_ASIAN)}
# The most characters before the year of each format.
_LONGEST_BEFORE = {_DAY_MONTH: 120, _DAY_YEAR: 30, _MONTH_DAY: 70, _FIGURES: 6}
_COMPACT = re.compile(r"((?:19|20)\d\d)(\d\d)(\d\d)(?:T?\d{4,6}Z?)?")
# Seconds or milliseconds since 1970, from 2001 to 2033.
_EPOCH = re.compile(r"1\d{9}(?:\d{3})?")
# Characters that are searched for a date.
_LONGEST = 200


def iso_date(value: str, *, month_first: bool = True) -> str | None:
    """The day in a value as YYYY-MM-DD; None if there is none.

    Parameters
    ----------
    month_first : whether 3/4/2024 is in March

    >>> iso_date("2024-05-17T23:30:00+02:00"), iso_date("17 мая 2024 г."), iso_date("Tue, 3rd Sept. 2024")
    ('2024-05-17', '2024-05-17', '2024-09-03')
    >>> iso_date("3/4/2024"), iso_date("3/4/2024", month_first=False), iso_date("May the fourth")
    ('2024-03-04', '2024-04-03', None)
    """
    value = value[:_LONGEST].strip()
    if not value or (value[0] != "1" and "19" not in value and "20" not in value):
        return None
    compact = _COMPACT.fullmatch(value)
    if compact:
        return _day(*(int(part) for part in compact.groups()))
    if _EPOCH.fullmatch(value):
        return datetime.fromtimestamp(int(value[:10]), UTC).date().isoformat()
    found = find_date(value, month_first=month_first)
    return found[0] if found else None


def find_date(text: str, *, month_first: bool = True) -> tuple[str, int] | None:
    """The first day in a text, and its index."""
    last = 0
    for year in _years(text):
        for match in _around(text, last, year):
            day = _read(match, month_first)
            if day:
                return day, match.start()
        last = year + 4  # no date holds two years
    return None


def _years(text: str) -> list[int]:
    """The indexes of years. ``find`` is much faster than a regular expression here."""
    found = []
    for century in ("19", "20"):
        at = text.find(century)
        while at >= 0:
            if _YEAR.match(text, at):
                found.append(at)
            at = text.find(century, at + 2)
    return sorted(found)


def _around(text: str, start: int, year: int) -> Iterator[re.Match[str]]:
    """The matches of formats around a year, from `start` on."""
    stop = year + 4
    before, after = (" " if sign.isspace() else sign for sign in (text[year - 1 : year], text[stop : stop + 1]))
    for form in _BEFORE_YEAR.get(before, ()):
        is_there = form is not _MONTH_DAY or _DAY_YEAR.search(text, max(start, year - _LONGEST_BEFORE[_DAY_YEAR]), stop)
        if is_there and (match := form.search(text, max(start, year - _LONGEST_BEFORE[form]), stop)):
            yield match
    if after in _AFTER_YEAR and (match := _AFTER_YEAR[after].match(text, year)):
        yield match


def _read(match: re.Match[str], month_first: bool) -> str | None:
    parts = match.groupdict()
    if "name" in parts:
        name = parts["name"].lower()
        return _day(int(parts["year"]), _MONTH_OF[name], int(parts["day"]))
    if "first" in parts:
        first, second = int(parts["first"]), int(parts["second"])
        # Dates with full stops are never American.
        if (month_first and parts["sign"] != "." and first <= 12) or second > 12:
            first, second = second, first
        return _day(int(parts["year"]), second, first)
    return _day(int(parts["year"]), int(parts["month"]), int(parts["day"]))


def _day(year: int, month: int, day: int) -> str | None:
    """A valid day since 1990, as YYYY-MM-DD."""
    if not 1990 <= year <= 2099:
        return None
    try:
        return date(year, month, day).isoformat()
    except ValueError:
        return None
