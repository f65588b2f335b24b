"""Dates in the formats of people and machines, as ISO 8601."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, date, datetime

from webstrata.extraction.metadata.months import month_of

__all__ = ["dates_in", "find_date", "iso_date", "moment"]

# A word that may be the name of a month, with the marks of scripts that write vowels as marks.
_NAME = r"(?P<name>[^\W\d_][^\s\d_,.:;/()<>|\u00b7-]{1,14})"
_ORDINAL = r"(?:st|nd|rd|th|\.|º|er|ος|η)?"
# The separators of the parts of a date. No two follow one another, and each has a limit: otherwise the expressions
# would backtrack for long in a text that is not a date.
_GAP = r"[\s-]{1,20}"
_YEAR_PART = r"(?:19|20)\d\d"
# Every date has a year without digits beside it; the formats are tried only around years.
_YEAR = re.compile(rf"{_YEAR_PART}(?<!\d{{5}})(?!\d)")
_YEAR_MONTH_DAY = re.compile(rf"(?P<year>{_YEAR_PART})[-/.](?P<month>\d\d?)[-/.](?P<day>\d\d?)(?!\d)")
_EAST_ASIAN = re.compile(rf"(?P<year>{_YEAR_PART})\s?[年년]\s?(?P<month>\d\d?)\s?[月월]\s?(?P<day>\d\d?)\s?[日일]")
# The lookbehind comes after the first digit, so that the engine can skip to digits.
_DAY_MONTH = re.compile(
    rf"(?P<day>\d(?<![^\W_]\d)\d?){_ORDINAL}(?:{_GAP}(?:of{_GAP}|del?{_GAP}|d[’'])?|of{_GAP}|del?{_GAP}){_NAME}\.?,?{_GAP}"
    rf"(?:del?{_GAP})?(?P<year>{_YEAR_PART})(?!\d)",
    re.IGNORECASE,
)
_FIGURES = re.compile(
    rf"(?P<first>\d(?<![\w.]\d)\d?)(?P<sign>[./-])(?P<second>\d\d?)(?P=sign)(?P<year>{_YEAR_PART})(?!\d)"
)
# Hungarian, Lithuanian: 2024. május 17.; Latvian: 2024. gada 17. maijs; Vietnamese: 17 tháng 5, 2024.
_YEAR_NAME_DAY = re.compile(rf"(?P<year>{_YEAR_PART})\.?\s(?:m\.\s)?{_NAME}\s(?P<day>\d\d?)(?!\d)")
_YEAR_DAY_NAME = re.compile(rf"(?P<year>{_YEAR_PART})\.\sgada\s(?P<day>\d\d?)\.\s{_NAME}")
_VIETNAMESE = re.compile(
    rf"(?P<day>\d(?<![^\W_]\d)\d?)\s[Tt]háng\s(?P<month>\d\d?),?\s(?:năm\s)?(?P<year>{_YEAR_PART})(?!\d)"
)
# Calendars whose years are those of ours plus or minus a number: the Buddhist one of Thailand, the eras of Japan.
_THAI = re.compile(
    r"(?P<day>\d(?<!\d\d)\d?)\s{0,9}(?P<name>[ก-ฺเ-๎.]{3,14}?)\s{0,9}(?:พ\.ศ\.\s?)?(?P<buddhist>25[3-9]\d)(?!\d)"
)
_ERA = re.compile(r"(?P<era>令和|平成)\s?(?P<year>元|\d\d?)\s?年\s?(?P<month>\d\d?)\s?月\s?(?P<day>\d\d?)\s?日")
_ERAS = {"令和": 2018, "平成": 1988}
# A month name can begin anywhere: this format is tried only where its second part matches.
_DAY_YEAR = re.compile(rf"\d\d?{_ORDINAL},?\s{{1,20}}{_YEAR_PART}(?!\d)", re.IGNORECASE)
_MONTH_DAY = re.compile(
    rf"(?<![^\W_]){_NAME}\.?\s{{1,20}}(?P<day>\d\d?){_ORDINAL},?\s{{1,20}}(?P<year>{_YEAR_PART})(?!\d)", re.IGNORECASE
)
# The formats by the character before the year at their end, and after the year at their start.
_BEFORE_YEAR = {
    " ": (_DAY_MONTH, _MONTH_DAY, _VIETNAMESE),
    "-": (_DAY_MONTH, _FIGURES),
    "/": (_FIGURES,),
    ".": (_FIGURES,),
}
_AFTER_YEAR = {
    **dict.fromkeys("-/", (_YEAR_MONTH_DAY,)),
    ".": (_YEAR_MONTH_DAY, _YEAR_NAME_DAY, _YEAR_DAY_NAME),
    " ": (_EAST_ASIAN, _YEAR_NAME_DAY),
    **dict.fromkeys("年년", (_EAST_ASIAN,)),
}
# The most characters before the year of each format.
_LONGEST_BEFORE = {_DAY_MONTH: 120, _DAY_YEAR: 30, _MONTH_DAY: 70, _FIGURES: 6, _VIETNAMESE: 30}
_COMPACT = re.compile(r"((?:19|20)\d\d)(\d\d)(\d\d)(?:T?\d{4,6}Z?)?")
# Seconds or milliseconds since 1970, from 2001 to 2033.
_EPOCH = re.compile(r"1\d{9}(?:\d{3})?")
_MOMENT = re.compile(
    r"(\d{4}-\d\d-\d\d)[T ]\s?(\d\d:\d\d)(?::(\d\d)(?:[.,]\d{1,9})?)?\s?(Z|UTC|GMT|[+-]\d\d(?::?\d\d)?)?\s*$",
    re.IGNORECASE,
)
_OTHER_DIGITS = re.compile(r"(?![0-9])\d")
_THAI_LETTER = re.compile("[\u0e01-\u0e3a]")
# Characters that are searched for a date.
_LONGEST = 200


def iso_date(value: str, *, month_first: bool = True, language: str = "") -> str | None:
    """The day in a value as YYYY-MM-DD; None if there is none.

    Parameters
    ----------
    month_first : whether 3/4/2024 is in March
    language : of the page, for names that are those of other months in another language

    >>> iso_date("2024-05-17T23:30:00+02:00"), iso_date("17 мая 2024 г."), iso_date("Tue, 3rd Sept. 2024")
    ('2024-05-17', '2024-05-17', '2024-09-03')
    >>> iso_date("3/4/2024"), iso_date("3/4/2024", month_first=False), iso_date("May the fourth")
    ('2024-03-04', '2024-04-03', None)
    """
    value = value[:_LONGEST].strip()
    if not value.isascii():
        found = find_date(value, month_first=month_first, language=language)
        return found[0] if found else None
    if not value or (value[0] != "1" and "19" not in value and "20" not in value):
        return None
    compact = _COMPACT.fullmatch(value)
    if compact:
        return _day(*(int(part) for part in compact.groups()))
    if _EPOCH.fullmatch(value):
        return datetime.fromtimestamp(int(value[:10]), UTC).date().isoformat()
    found = find_date(value, month_first=month_first, language=language)
    return found[0] if found else None


def find_date(text: str, *, month_first: bool = True, language: str = "") -> tuple[str, int] | None:
    """The first day in a text, and its index."""
    return next(dates_in(text, month_first=month_first, language=language), None)


def dates_in(text: str, *, month_first: bool = True, language: str = "") -> Iterator[tuple[str, int]]:
    """The days in a text with their indexes, those of other calendars first.

    >>> list(dates_in("17 Mai 2024, 2024. május 18.")), list(dates_in("令和6年5月17日, 17 พฤษภาคม 2567"))
    ([('2024-05-17', 0), ('2024-05-18', 13)], [('2024-05-17', 0), ('2024-05-17', 11)])
    """
    if not text.isascii():
        text = _plain_digits(text)
        yield from _of_other_calendars(text)
    last = 0
    for year in _years(text):
        for match in _around(text, last, year):
            day = _read(match, month_first, language)
            if day:
                yield day, match.start()
                break
        last = year + 4  # no date holds two years


def _plain_digits(text: str) -> str:
    """A text with ASCII digits in place of those of other scripts."""
    return _OTHER_DIGITS.sub(lambda match: str(int(match[0])), text)


def _of_other_calendars(text: str) -> Iterator[tuple[str, int]]:
    if "和" in text or "成" in text:
        for match in _ERA.finditer(text):
            era, year, month, day = match.groups()
            if found := _day(_ERAS[era] + (1 if year == "元" else int(year)), int(month), int(day)):
                yield found, match.start()
    if _THAI_LETTER.search(text):
        for match in _THAI.finditer(text):
            if found := _day(int(match["buddhist"]) - 543, month_of(match["name"]), int(match["day"])):
                yield found, match.start()


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
    for form in _AFTER_YEAR.get(after, ()):
        if match := form.match(text, year):
            yield match


def _read(match: re.Match[str], month_first: bool, language: str) -> str | None:
    parts = match.groupdict()
    if "name" in parts:
        return _day(int(parts["year"]), month_of(parts["name"], language), int(parts["day"]))
    if "first" in parts:
        first, second = int(parts["first"]), int(parts["second"])
        # Dates with full stops are never American.
        if (month_first and parts["sign"] != "." and first <= 12) or second > 12:
            first, second = second, first
        return _day(int(parts["year"]), second, first)
    return _day(int(parts["year"]), int(parts["month"]), int(parts["day"]))


def _day(year: int, month: int, day: int) -> str | None:
    """A valid day since 1990, as YYYY-MM-DD."""
    if not 1990 <= year <= 2099 or not 1 <= month <= 12:
        return None
    try:
        return date(year, month, day).isoformat()
    except ValueError:
        return None


def moment(value: str) -> str | None:
    """A value with a day and a time of the day as ISO 8601, with the offset of its time zone if it is given.

    >>> moment("2024-05-17T23:30:00+0200"), moment("2024-05-17 08:05"), moment("2024-05-17")
    ('2024-05-17T23:30:00+02:00', '2024-05-17T08:05:00', None)
    """
    match = _MOMENT.match(value.strip()[:_LONGEST])
    if match is None:
        return None
    day, time, second, zone = match.groups()
    offset = zone or ""
    if offset.upper() in ("Z", "UTC", "GMT"):
        offset = "Z"
    elif offset and ":" not in offset:
        offset = f"{offset[:3]}:{offset[3:] or '00'}"
    found = f"{day}T{time}:{second or '00'}"
    try:
        datetime.fromisoformat(found + offset)
    except ValueError:
        return None
    return found + offset
