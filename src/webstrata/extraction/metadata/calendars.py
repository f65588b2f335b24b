"""Dates of calendars other than the Gregorian one, as days of ours.

Years of the Buddhist calendar of Thailand, of the Japanese eras and of the Republic of China are ours plus or minus a
number. The Persian calendar has months of its own. Islamic and Hebrew dates are not read: a day of the Islamic calendar
depends on the country, and pages with Hebrew dates have another one as well.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, timedelta

from webstrata.extraction.metadata.months import month_of

__all__ = ["dates_of_other_calendars"]

_THAI = re.compile(
    r"(?P<day>\d(?<!\d\d)\d?)\s{0,9}(?P<name>[ก-ฺเ-๎.]{3,14}?)\s{0,9}(?:พ\.ศ\.\s?)?(?P<year>25[3-9]\d)(?!\d)"
)
_ERA = re.compile(r"(?P<era>令和|平成|民國)\s?(?P<year>元|\d{1,3})\s?年\s?(?P<month>\d\d?)\s?月\s?(?P<day>\d\d?)\s?日")
_ERAS = {"令和": 2018, "平成": 1988, "民國": 1911}
_BUDDHIST = 543
# The months of Iran, and those of Afghanistan.
_PERSIAN_MONTHS = (
    "فروردین اردیبهشت خرداد تیر مرداد شهریور مهر آبان آذر دی بهمن اسفند",
    "حمل ثور جوزا سرطان اسد سنبله میزان عقرب قوس جدی دلو حوت",
)
_PERSIAN = {name: month for names in _PERSIAN_MONTHS for month, name in enumerate(names.split(), 1)}
_PERSIAN_DATE = re.compile(
    rf"(?P<day>\d(?<!\d\d)\d?)\s{{1,9}}(?P<name>{'|'.join(_PERSIAN)})(?:\s{{1,9}}ماه)?[\s،]{{1,9}}(?P<year>1[34]\d\d)(?!\d)"
)
_PERSIAN_FIGURES = re.compile(r"(?<!\d)(?P<year>1(?:3[789]|4[0-2])\d)[/-](?P<month>\d\d?)[/-](?P<day>\d\d?)(?!\d)")
# The first day of the Persian year 1403.
_NOWRUZ = date(2024, 3, 20)
_THAI_LETTER = re.compile("[\u0e01-\u0e3a]")
_PERSIAN_LETTER = re.compile("[\u0600-\u06ff]")


def dates_of_other_calendars(text: str, language: str = "") -> Iterator[tuple[int, int, int, int]]:
    """The years, months and days of ours, with their indexes in a text that has ASCII digits.

    Dates of the Persian calendar in figures are read only in text of these languages.

    >>> list(dates_of_other_calendars("令和6年5月17日, 17 พฤษภาคม 2567"))
    [(2024, 5, 17, 0), (2024, 5, 17, 11)]
    >>> list(dates_of_other_calendars("28 اردیبهشت 1403")), list(dates_of_other_calendars("1403/02/28", "fa"))
    ([(2024, 5, 17, 0)], [(2024, 5, 17, 0)])
    """
    if "和" in text or "成" in text or "民" in text:
        for match in _ERA.finditer(text):
            year = 1 if match["year"] == "元" else int(match["year"])
            yield _ERAS[match["era"]] + year, int(match["month"]), int(match["day"]), match.start()
    if _THAI_LETTER.search(text):
        for match in _THAI.finditer(text):
            yield int(match["year"]) - _BUDDHIST, month_of(match["name"]), int(match["day"]), match.start()
    if _PERSIAN_LETTER.search(text):
        for match in _PERSIAN_DATE.finditer(text):
            yield *_from_persian(int(match["year"]), _PERSIAN[match["name"]], int(match["day"])), match.start()
    if language in ("fa", "ps", "prs"):
        for match in _PERSIAN_FIGURES.finditer(text):
            yield *_from_persian(int(match["year"]), int(match["month"]), int(match["day"])), match.start()


def _from_persian(year: int, month: int, day: int) -> tuple[int, int, int]:
    """A day of ours; month 0 for a day that does not exist."""
    if not 1 <= month <= 12 or not 1 <= day <= (31 if month <= 6 else 30):
        return year, 0, day
    found = _NOWRUZ + timedelta(_persian_days(year, month, day) - _persian_days(1403, 1, 1))
    return found.year, found.month, found.day


def _persian_days(year: int, month: int, day: int) -> int:
    """The days since a fixed day: eight leap years in 33, right from 1799 to 2256."""
    year += 1595
    before = 31 * (month - 1) if month <= 7 else 30 * (month - 7) + 186
    return 365 * year + year // 33 * 8 + (year % 33 + 3) // 4 + before + day
