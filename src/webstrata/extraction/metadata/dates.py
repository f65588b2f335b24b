"""Dates in the formats of people and machines, as ISO 8601."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta

from webstrata.extraction.metadata.calendars import dates_of_other_calendars
from webstrata.extraction.metadata.months import month_of

__all__ = ["FIRST_DAY", "dates_in", "find_date", "iso_date", "last_day"]

#: The day of the first web site.
FIRST_DAY = "1991-08-06"

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
# Hungarian, Lithuanian: 2024. május 17.; Latvian: 2024. gada 17. maijs; Kazakh: 2024 ж. 17 мамыр;
# Vietnamese: 17 tháng 5, 2024.
_YEAR_NAME_DAY = re.compile(rf"(?P<year>{_YEAR_PART})\.?\s(?:m\.\s)?{_NAME}\s(?P<day>\d\d?)(?!\d)")
_YEAR_DAY_NAME = re.compile(rf"(?P<year>{_YEAR_PART})(?:\.\sgada|\s?ж\.)\s(?P<day>\d\d?)\.?\s{_NAME}")
# Korean: 2024. 5. 17; Basque: 2024ko maiatzaren 17a; with a name between slashes: 17/May/2024.
_SPACED = re.compile(rf"(?P<year>{_YEAR_PART})\.\s(?P<month>\d\d?)\.\s(?P<day>\d\d?)(?!\d)")
_BASQUE = re.compile(rf"(?P<year>{_YEAR_PART})(?:e?ko|o)\s(?P<name>[a-z]{{3,12}}?)(?:ren)?\s(?P<day>\d\d?)(?!\d)")
_SLASHES = re.compile(rf"(?P<day>\d(?<![\w/]\d)\d?)/{_NAME}\.?/(?P<year>{_YEAR_PART})(?!\d)")
_VIETNAMESE = re.compile(
    rf"(?P<day>\d(?<![^\W_]\d)\d?)\s[Tt]háng\s(?P<month>\d\d?),?\s(?:năm\s)?(?P<year>{_YEAR_PART})(?!\d)"
)
# A month name can begin anywhere: this format is tried only where its second part matches.
_DAY_YEAR = re.compile(rf"\d\d?{_ORDINAL},?\s{{1,20}}{_YEAR_PART}(?!\d)", re.IGNORECASE)
_MONTH_DAY = re.compile(
    rf"(?<![^\W_]){_NAME}\.?\s{{1,20}}(?P<day>\d\d?){_ORDINAL},?\s{{1,20}}(?P<year>{_YEAR_PART})(?!\d)", re.IGNORECASE
)
# The formats by the character before the year at their end, and after the year at their start.
_BEFORE_YEAR = {
    " ": (_DAY_MONTH, _MONTH_DAY, _VIETNAMESE),
    "-": (_DAY_MONTH, _FIGURES),
    "/": (_FIGURES, _SLASHES),
    ".": (_FIGURES,),
}
_AFTER_YEAR = {
    **dict.fromkeys("-/", (_YEAR_MONTH_DAY,)),
    ".": (_YEAR_MONTH_DAY, _YEAR_NAME_DAY, _YEAR_DAY_NAME, _SPACED),
    " ": (_EAST_ASIAN, _YEAR_NAME_DAY, _YEAR_DAY_NAME),
    **dict.fromkeys("eko", (_BASQUE,)),
    **dict.fromkeys("年년", (_EAST_ASIAN,)),
}
# The most characters before the year of each format.
_LONGEST_BEFORE = {_DAY_MONTH: 120, _DAY_YEAR: 30, _MONTH_DAY: 70, _FIGURES: 6, _VIETNAMESE: 30, _SLASHES: 22}
_COMPACT = re.compile(r"((?:19|20)\d\d)(\d\d)(\d\d)(?:T?\d{4,6}Z?)?")
# Seconds or milliseconds since 1970, from 2001 to 2033.
_EPOCH = re.compile(r"1\d{9}(?:\d{3})?")
# A year of two digits is read only in a value that is a date, not in running text.
_SHORT_YEAR = re.compile(r"(?:\D{0,20}\s)?(\d\d?)([./-])(\d\d?)\2(\d\d)(?![\d./-])")
# Arabic writes the names of a month in two traditions, as in "17 مايو/أيار 2024".
_SECOND_NAME = re.compile(r"(?<=[\u0620-\u064a])\s?/\s?[\u0620-\u064a]{2,10}(?=\s)")
_ARABIC_LETTER = re.compile("[\u0620-\u064a]")
_HAN_DIGITS = str.maketrans("〇零一二三四五六七八九", "00123456789")
_HAN_FIGURE = "[一二三四五六七八九十]{1,3}"
_HAN_YEAR = re.compile(rf"二[〇零][〇零一二三四五六七八九]{{2}}年{_HAN_FIGURE}月{_HAN_FIGURE}日")
_HAN_TEN = re.compile("([1-9]?)十([1-9]?)")
_OTHER_DIGITS = re.compile(r"\d(?<![0-9])")  # the engine can skip to digits
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
        return found[0] if found else _short(value, month_first)
    if not value or (value[0] != "1" and "19" not in value and "20" not in value):
        return _short(value, month_first)
    compact = _COMPACT.fullmatch(value)
    if compact:
        return _day(*(int(part) for part in compact.groups()))
    if _EPOCH.fullmatch(value):
        return datetime.fromtimestamp(int(value[:10]), UTC).date().isoformat()
    found = find_date(value, month_first=month_first, language=language)
    return found[0] if found else _short(value, month_first)


def _short(value: str, month_first: bool) -> str | None:
    """The day of a date with a year of two digits, of this century and not in the future."""
    match = _SHORT_YEAR.match(value)
    if match is None or 2000 + int(match[4]) > datetime.now(UTC).year:
        return None
    first, sign, second, year = match.groups()
    return _in_order(int(first), int(second), 2000 + int(year), month_first and sign != ".")


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
        for year, month, day, at in dates_of_other_calendars(text, language):
            if found := _day(year, month, day):
                yield found, at
    last = 0
    for start in _years(text):
        for match in _around(text, last, start):
            if found := _read(match, month_first, language):
                yield found, match.start()
                break
        last = start + 4  # no date holds two years


def _plain_digits(text: str) -> str:
    """A text with ASCII digits in place of those of other scripts."""
    text = _OTHER_DIGITS.sub(lambda match: str(int(match[0])), text)
    if "年" in text:
        text = _HAN_YEAR.sub(lambda match: _from_han(match[0]), text)
    return _SECOND_NAME.sub("", text) if "/" in text and _ARABIC_LETTER.search(text) else text


def _from_han(text: str) -> str:
    """A date in Chinese numerals with ASCII digits."""
    return _HAN_TEN.sub(lambda ten: f"{ten[1] or 1}{ten[2] or 0}", text.translate(_HAN_DIGITS))


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
        # Dates with full stops are never American.
        return _in_order(
            int(parts["first"]), int(parts["second"]), int(parts["year"]), month_first and parts["sign"] != "."
        )
    return _day(int(parts["year"]), int(parts["month"]), int(parts["day"]))


def _in_order(first: int, second: int, year: int, month_first: bool) -> str | None:
    """The day of two numbers and a year: the day comes first, or the month."""
    if (month_first and first <= 12) or second > 12:
        first, second = second, first
    return _day(year, second, first)


def _day(year: int, month: int, day: int) -> str | None:
    """A valid day since 1990, as YYYY-MM-DD."""
    if not 1990 <= year <= 2099 or not 1 <= month <= 12:
        return None
    try:
        return date(year, month, day).isoformat()
    except ValueError:
        return None


def last_day() -> str:
    """Tomorrow, because a page may come from the other side of the world."""
    return (datetime.now(UTC).date() + timedelta(days=1)).isoformat()
